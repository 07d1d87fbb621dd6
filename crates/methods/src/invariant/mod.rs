//! `method = "invariant"`: a version of a growing table in which every person retains the set of
//! sensitive values from earlier versions.
//!
//! `people` determines the person of each row and the corresponding ledger entries (`model`);
//! `version` searches for a version and describes its counterfeits; `check` compares all recorded
//! versions.

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
