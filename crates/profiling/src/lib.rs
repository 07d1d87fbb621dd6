//! Profiles the columns of a table. The crate recognizes identifiers by their values, detects the
//! notation of dates and numbers, and finds combinations of columns that single out rows.
//!
//! [`examine`] computes the [`ColumnProfile`] of a column from its distinct values. [`findings`]
//! computes only the kinds of values, for checks that must be fast. Each [`Kind`] is
//! defined in one file and listed in the registry ([`recognizers::registry`]). [`uniques`] finds
//! the combinations, [`mod@suda`] scores the rows that they single out, and [`proposal`] proposes a
//! role for each column.
//!
//! Key design decision: **a profile never contains a value**. A profile contains only fractions,
//! counts, and names of kinds. The recognizers examine a sample of the distinct values, which is
//! the same on every run.

#![deny(missing_docs)]
#![deny(clippy::iter_over_hash_type)]

pub mod bars;
pub mod boundaries;
mod check_digits;
pub mod checklist;
mod column;
pub mod combinations;
pub mod dates;
pub mod gate;
pub mod hipaa;
pub mod icd10;
pub mod intervals;
mod look_alikes;
pub mod missing;
pub mod numbers;
pub mod policy_draft;
pub mod postal;
pub mod proposal;
pub mod recognizer;
pub mod recognizers;
mod sample;
pub mod suda;
pub mod table_profile;
mod text;
pub mod uniques;
mod within;
mod words;
pub mod writing;

pub use column::{ColumnProfile, examine, findings};
pub use look_alikes::LookAlikes;
pub use recognizer::{Finding, Kind, Meaning, Sureness};
pub use sample::{MOST_VALUES, Sample};
pub use text::name_words;
