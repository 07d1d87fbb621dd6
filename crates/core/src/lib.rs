//! The mathematics of Indistinct: principles, hierarchies, recodings, losses, and risks, computed
//! from *counts*.
//!
//! All principles and searches need only a [`FrequencyTable`]: the distinct combinations of
//! quasi-identifiers and sensitive values in a table, with their counts. This crate does no input
//! or output, reads no clock or environment, and starts no threads. All random draws are determined
//! by a key that the caller passes in. The same table and policy therefore give the same result on
//! every machine.
//!
//! The key design decision is that **a guarantee is a computed value, never a flag**. A
//! [`Principle`] returns the [`Level`] that a class reaches. Whether the principle *holds* is
//! derived in one place, by comparing the level with the requirements of the policy. Only
//! [`certify`] can construct a [`Release`]: a search proposes a [`Recoding`], and the certifier
//! recomputes every principle on the classes that an adversary would see before it accepts the
//! proposal.

#![deny(missing_docs)]
#![deny(clippy::iter_over_hash_type)]

pub mod belief;
mod certify;
pub mod coarsening;
mod error;
pub mod feasibility;
mod format;
pub mod hierarchy;
pub mod implications;
pub mod loss;
pub mod model;
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
pub use coarsening::Coarsening;
pub use error::Error;
pub use format::{Encoding, Format};
pub use hierarchy::Hierarchy;
pub use indistinct_labels::{MISSING, STAR};
pub use model::{
    ClassView, Dictionary, FrequencyTable, Histogram, People, Rational, Role, RowsOfPerson,
    parse_decimal,
};
pub use optimality::{
    Nearest, NodeCounts, Observer, Optimality, OptimalityGap, Phase, SearchEffort, Silent,
};
pub use principle::{Bound, Level, Principle, Quantity, Relation};
pub use recoding::{
    Anatomy, ByPerson, Cell, Cells, CellsOfAttribute, ClassColumn, Classes, Generalization, Others,
    Part, Policy, Recoding, Requirement, SensitiveLabels, SuppressionRule,
};
pub use status::Status;
pub use written::Notation;
