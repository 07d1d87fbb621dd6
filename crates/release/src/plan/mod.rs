//! A plan as it is broadcast: what a release by it, and whoever checks one, needs. Which plan to make is chosen elsewhere.

mod file;
mod text;

use indistinct_core::{Rational, parse_decimal};
use num_traits::{CheckedDiv, Zero};

pub use file::{PlanColumn, PlanFile, SharedFailure, basis_name};
pub use text::{PlanTexts, companion_files};

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

/// Bytes as hexadecimal digits.
pub fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
