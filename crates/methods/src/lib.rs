//! The methods that recode a table: one folder per method, and one line per method in
//! [`Registry::standard`].
//!
//! The policy defines the [kind](policy::MethodKind) of each method. This crate implements the
//! behavior: how a method proposes a recoding, states facts about a release, extends the answer,
//! uses a ledger, and produces coarser recodings. The main types are [`Method`] and its input,
//! [`Task`].
//!
//! Key design decision: **a method is a value**. Code that creates a release uses the [`Method`]
//! trait, and only a method's own folder refers to its name. A method proposes a recoding and the
//! certifier of `indistinct-core` decides, so a program may register [its own
//! method](Registry::with).

#![deny(missing_docs)]

pub mod anatomy;
mod curve;
pub mod full_domain;
pub mod invariant;
mod masking;
mod microaggregation;
mod multidimensional;
mod partition;
pub mod perturbation;
pub mod planned;
mod sweep;
pub mod table_warnings;

mod answer;
mod bound;
mod coarser;
mod error;
mod generated;
mod key;
mod method;
mod method_words;
mod people;
mod prepared;
mod proposal;
mod registry;
mod task;

pub use indistinct_policy as policy;

pub use answer::{OfMethod, Shortfall};
pub use bound::{BoundPolicy, Bounds};
pub use coarser::{LinkedOutcome, LinkedSearch};
pub use error::Error;
pub use generated::GeneratedColumn;
pub use key::Key;
pub use method::{Coarsening, Mapping, Method};
pub use method_words::MethodWords;
pub use people::{Identifiers, fewest_in_a_class, people_of};
pub use perturbation::NoiseAlone;
pub use prepared::PreparedTable;
pub use proposal::{Answer, NotFound, Proposal};
pub use registry::Registry;
pub use task::{Solution, Task};
