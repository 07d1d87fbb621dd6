//! What the columns of a table look like: identifiers by what they hold, dates and numbers by how they are written, combinations of
//! columns by whom they single out.
//!
//! [`examine`] takes the distinct values of a column and answers with [`ColumnProfile`]; [`findings`] is the part of it that tells kinds of
//! values, for a gate that must be cheap. A kind is a [`Recognizer`](recognizer::Recognizer): one file and a line of the registry
//! ([`recognizers::REGISTRY`]). [`uniques`] finds the combinations, [`mod@suda`] scores the rows that they single out, and [`proposal`] says what
//! a good steward would propose.
//!
//! The key decision: **a value is looked at, never told.** What comes out has shares, counts and names of kinds; a column is judged by
//! a sample of its distinct values that is the same on every run.

#![deny(missing_docs)]
#![deny(clippy::iter_over_hash_type)]

pub mod bars;
mod check_digits;
pub mod checklist;
mod column;
pub mod combinations;
pub mod dates;
pub mod gate;
pub mod hipaa;
pub mod intervals;
mod look_alikes;
mod missing;
pub mod numbers;
mod piece;
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
