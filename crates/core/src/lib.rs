//! The mathematics of Indistinct: principles, hierarchies, recodings, losses and risks on *counts*.
//!
//! Everything that a principle or a search needs to know about a table is the multiset of its
//! (quasi-identifier tuple, sensitive values): a [`FrequencyTable`]. This crate works on that alone. It
//! does no input or output, reads no clock and no environment, starts no threads and draws no random numbers
//! but those that a key given to it determines: the same table and policy give the same answer everywhere.
//!
//! The key decision: **a guarantee is a computed value, never a flag**. A [`Principle`] answers with the
//! [`Level`] that a class reaches; whether it *holds* is derived in one place, by comparing with what the
//! policy requires. And only [`certify`] can make a [`Release`]: a search proposes a [`Recoding`], the
//! certifier recomputes every principle on the classes that an adversary would see, and decides.

#![deny(missing_docs)]
#![deny(clippy::iter_over_hash_type)]

pub mod belief;
mod certify;
mod error;
pub mod feasibility;
mod format;
pub mod hierarchy;
pub mod loss;
pub mod model;
mod observer;
mod optimality;
pub mod principle;
pub mod published;
pub mod recoding;
pub mod remaining;
pub mod risk;
mod status;
mod written;

pub use certify::{
    AnatomyRelease, CellProblem, CertifiedRelease, Claims, Class, CountedUnit, DROPPED, Draft,
    Figure, InvalidRecoding, JudgedClaims, NotCertified, Partition, PeopleInClasses,
    PrincipleClaim, Release, SensitiveProblem, TablesProblem, TwoTables, UnservedRequirement,
    VisibleClasses, anatomy_serves, certify, certify_aggregated, certify_anatomy, certify_masked,
    certify_perturbed, check_rows, claims_of, figure_of, figures_of,
};
pub use error::Error;
pub use format::{Encoding, Format, FormatKind};
pub use hierarchy::Hierarchy;
pub use indistinct_labels::{MISSING, STAR};
pub use model::{
    ClassView, Dictionary, FrequencyTable, Histogram, People, Rational, Role, RowsOfPerson,
    parse_decimal,
};
pub use observer::{Observer, Phase, Silent};
pub use optimality::{Nearest, NodeCounts, Optimality, OptimalityGap, SearchEffort};
pub use principle::{Bound, Level, Principle, Quantity, Relation};
pub use recoding::{
    Anatomy, ByPerson, Cell, Cells, CellsOfAttribute, ClassColumn, Classes, Generalization, Others,
    Part, Policy, Recoding, Requirement, SensitiveLabels, SuppressionRule,
};
pub use status::Status;
pub use written::Notation;
