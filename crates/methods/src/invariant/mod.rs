//! `method = "invariant"`: a version of a growing table in which everybody keeps the set of sensitive values that she had in
//! earlier ones.
//!
//! `people` reads who the rows are about and what the ledger knows of them (`model`); `version` searches, and says what the release
//! has besides true rows; `check` compares what the ledger has recorded of all versions.

mod answer;
mod check;
mod model;
mod people;
mod problem;
mod version;

pub use answer::{Invariance, NoVersion};
pub use check::{SeriesCheck, VersionCheck, across_versions};
pub(crate) use model::{Members, NewVersion, Version};
pub use problem::PeopleProblem;
pub(crate) use version::InvariantMethod;
pub use version::with_counterfeits;
