//! A published plan, with all data required to create and verify a release that follows the plan.
//! Another crate chooses plans.

mod file;
mod text;

use indistinct_core::{Rational, parse_decimal};
use num_traits::{CheckedDiv, Zero};

pub use file::{PlanColumn, PlanConfidence, PlanFile, SharedFailure, basis_name};
pub use text::{PlanTexts, companion_files};

/// Parses a decimal number or a fraction such as `1/300` exactly; returns `None` for any other
/// text.
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

/// Formats bytes as hexadecimal digits.
pub fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
