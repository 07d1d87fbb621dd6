//! `[recoding.domain]`.

use indistinct_core::recoding::perturbation::{Grid, GridError};
use indistinct_diagnostics::Coded;

use super::keys::DOMAIN;
use super::walk::{Section, Walker};
use super::{Code, DomainSection, Problem};

/// What noise is drawn from; reports what is wrong with it.
pub(super) fn read(walker: &mut Walker, recoding: &Section<'_>) -> Option<DomainSection> {
    let table = recoding.table("domain")?;
    let section = walker.section(&DOMAIN, &recoding.path_of("domain"), table);
    for key in DOMAIN.keys {
        walker.require(&section, key.name, "a domain has min, max and step");
    }
    let number = |key| section.number(key);
    if let (Some(min), Some(max), Some(span)) = (number("min"), number("max"), section.span("max"))
        && max < min
    {
        let message = format!("'{}' lies below min", section.path_of("max").join("."));
        let help = "give the smallest number as min and the largest one as max";
        walker.report(Problem::at(Code::OutOfRange, span, message).help(help));
        return None;
    }
    let (min, max, step) = (number("min")?, number("max")?, number("step")?);
    match Grid::new(min, max, step) {
        Ok(grid) => Some(DomainSection { min, max, step, grid }),
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
