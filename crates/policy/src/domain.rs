//! Reads `[recoding.domain]`.

use indistinct_core::recoding::perturbation::{Grid, GridError};
use indistinct_diagnostics::Coded;

use super::walk::KeyTable;
use super::walk::{Section, Walker};
use super::{Code, DomainSection, Problem};

/// Reads the domain for perturbation, and reports problems.
pub(super) fn read(walker: &mut Walker, recoding: &Section<'_>) -> Option<DomainSection> {
    let (section, domain) = walker.table::<DomainSection>(recoding, "domain")?;
    for key in DomainSection::SPEC.keys {
        walker.require(&section, key.name, "a domain has min, max, and step");
    }
    let DomainSection { min, max, step } = domain;
    let is_valid = |key: &str| section.span(key).is_some();
    if let Some(span) = section.span("max").filter(|_| is_valid("min") && max < min) {
        let message = format!("'{}' is less than 'min'", section.path_of("max").join("."));
        let help = "specify the smallest number as min and the largest number as max";
        walker.report(Problem::at(Code::OutOfRange, span, message).help(help));
        return None;
    }
    if !DomainSection::SPEC.keys.iter().all(|key| is_valid(key.name)) {
        return None;
    }
    match Grid::new(min, max, step) {
        Ok(_) => Some(domain),
        Err(error) => {
            let code = match error {
                GridError::Step | GridError::TooManyValues => Code::OutOfRange,
                _ => Code::NotExact,
            };
            let help = error.help().unwrap_or_default();
            let span = recoding.span("domain").unwrap_or_default();
            let message = format!("'{}': {error}", recoding.path_of("domain").join("."));
            walker.report(Problem::at(code, span, message).help(help));
            None
        }
    }
}
