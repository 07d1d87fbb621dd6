//! The central agency: from a distribution of quasi-identifiers and secrets to a plan that releases of several holders are
//! made by, so that joining them leaves at least l secrets for everybody (`docs/releases.md`).
//!
//! [`plan()`] counts earlier data or reads a table of counts or probabilities, computes the whole trade-off between classes and
//! rows, and chooses. A [`PlanFile`] is what is broadcast; `recoding.method = "planned"` makes a release by it.

mod answer;
mod choose;
mod distribution;
mod figures;
mod file;
mod problem;
mod request;
mod text;

pub use indistinct_core::Rational;
use std::path::Path;

use indistinct_core::parse_decimal;
use num_traits::{CheckedDiv, Zero};

use crate::error::Error;

pub use answer::{
    Chosen, EqualSizeFigures, Outcome, Planned, PointFigures, RobustnessFigures, TooFewRows,
};
pub use choose::plan;
pub use distribution::{Source, Weight, Weighted};
pub use figures::{Figures, figures};
pub(crate) use file::basis_name;
pub use file::{PlanColumn, PlanFile, Shared};
pub use indistinct_linkage::planned::Basis;
pub use problem::PlanProblem;
pub use request::{Choice, Failure, Order, Request, Secrets};
pub use text::PlanTexts;
pub(crate) use text::beside;

/// The exact value of a decimal number or a fraction such as `1/300`; `None` for anything else.
pub fn parse_fraction(text: &str) -> Option<Rational> {
    match text.split_once('/') {
        None => parse_decimal(text).ok(),
        Some((numerator, denominator)) => {
            let numerator = parse_decimal(numerator).ok()?;
            let denominator = parse_decimal(denominator).ok().filter(|it| !it.is_zero())?;
            numerator.checked_div(&denominator)
        }
    }
}

/// Creates a folder for the files of a plan.
///
/// # Errors
/// [`Error::Release`] if it is there or cannot be created.
pub fn create_folder(path: &Path) -> Result<(), Error> {
    std::fs::create_dir(path).map_err(|error| Error::io(path, &error))
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
