//! The central agency: from a distribution of quasi-identifiers and sensitive values to a plan that releases of several
//! holders are made by, so that joining them leaves at least l sensitive values for everybody (`docs/releases.md`).
//!
//! [`plan()`] counts earlier data or reads a table of counts or probabilities, computes the whole trade-off between classes and
//! rows, and chooses. A [`PlanFile`] is what is broadcast; `recoding.method = "planned"` makes a release by it.

mod answer;
mod choose;
mod distribution;
mod figures;
mod problem;
mod request;

pub use indistinct_core::Rational;
use std::path::Path;

use crate::error::Error;

pub use answer::{
    Chosen, EqualSizeFigures, Outcome, PlanAnswer, PointFigures, RobustnessFigures, TooFewRows,
};
pub use choose::plan;
pub(crate) use distribution::digest_of;
pub use distribution::{Source, Weight, Weighted};
pub use figures::{Figures, figures};
pub use indistinct_linkage::planned::Basis;
pub use indistinct_release::plan::{PlanColumn, PlanFile, PlanTexts, Shared, parse_fraction};
pub(crate) use indistinct_release::plan::{basis_name, hexadecimal};
pub use problem::PlanProblem;
pub use request::{Choice, Cover, Dependence, Domain, Failure, Order, Request};

/// Creates a folder for the files of a plan.
///
/// # Errors
/// [`Error::Release`] if it is there or cannot be created.
pub fn create_folder(path: &Path) -> Result<(), Error> {
    std::fs::create_dir(path).map_err(|error| Error::io(path, &error))
}
