//! The methods, by which a table is recoded: one folder for each, one line in [`Registry::standard`].
//!
//! What a policy knows of a method is its [kind](policy::MethodKind). Here is what it does: how it proposes a recoding, what it
//! states of a release and adds to the answer, what it has to do with a ledger, and how a ledger can make it coarser. The main
//! types are [`Method`] and the [`Task`] that it is given.
//!
//! The key decision: **a method is a value**. Whoever makes a release asks it; nobody outside a method's folder asks for its name. A
//! method proposes and the certifier of `indistinct-core` decides, so that a program may bring [its own](Registry::with).

#![deny(missing_docs)]

pub mod anatomy;
mod curve;
pub mod full_domain;
pub mod invariant;
mod masking;
mod microaggregation;
mod multidimensional;
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
pub use people::{fewest_in_a_class, people_of};
pub use perturbation::NoiseAlone;
pub use prepared::PreparedTable;
pub use proposal::{Answer, NotFound, Proposal};
pub use registry::Registry;
pub use task::{Solution, Task};
