//! A plan as it is broadcast: what a release by it, and whoever checks one, needs. Which plan to make is chosen elsewhere.

mod file;
mod text;

use indistinct_core::{Rational, parse_decimal};
use indistinct_linkage::LinkageError;
use num_traits::{CheckedDiv, Zero};

pub use file::{PlanColumn, PlanFile, Shared, basis_name};
pub use text::{PlanTexts, beside};

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

/// The code of a parameter that no plan can have, or of a distribution that none can be made for.
pub fn code_of_parameter(error: &LinkageError) -> &'static str {
    match error {
        LinkageError::LAboveSecrets { .. } | LinkageError::LBelowOne => "E-PLAN-021",
        LinkageError::DeltaOutOfRange { .. } => "E-PLAN-022",
        LinkageError::POutOfRange { .. } => "E-PLAN-023",
        LinkageError::PTooLarge { .. } => "E-PLAN-024",
        LinkageError::SumIsNotOne { .. } | LinkageError::Negative { .. } => "E-PLAN-025",
        error => error.code(),
    }
}

/// Bytes as hexadecimal digits.
pub fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
