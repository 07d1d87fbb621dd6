//! `[recoding.domain]`, and what a perturbation cannot be had together with.

use indistinct_core::Role;
use indistinct_core::recoding::perturbation::{Grid, GridError};

use super::keys::DOMAIN;
use super::walk::{Section, Walker};
use super::words::{Method, RowOrder};
use super::{Code, DomainSection, OutputSection, Problem, attributes, untouched};

/// What noise is drawn from; reports what is wrong with it. It must be there where the method is a perturbation.
pub(super) fn read(
    walker: &mut Walker,
    recoding: &Section<'_>,
    method: Method,
) -> Option<DomainSection> {
    let Some(table) = recoding.table("domain") else {
        if method == Method::Perturbation {
            walker.require(
                recoding,
                "domain",
                "say what noise is drawn from: domain = { min = 1000, max = 100000, step = 1 } in [recoding]",
            );
        }
        return None;
    };
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
            let (code, help) = match error {
                GridError::Step => {
                    (Code::OutOfRange, "change max or step, so that steps from min end at max")
                }
                GridError::TooManyValues => (Code::OutOfRange, "take a larger step"),
                _ => (Code::NotExact, "write the numbers with fewer digits"),
            };
            let span = recoding.span("domain").unwrap_or_default();
            let message = format!("'{}': {error}", recoding.path_of("domain").join("."));
            walker.report(Problem::at(code, span, message).help(help));
            None
        }
    }
}

/// Reports settings that contradict a perturbation: it leaves quasi-identifiers as they are, and nothing may tell rows
/// that keep their secret from rows that do not.
pub(super) fn check_beside(
    walker: &mut Walker,
    output: &Section<'_>,
    written: &OutputSection,
    declared: &attributes::Declared,
) {
    untouched::check(walker, Method::Perturbation, declared);
    let has_insensitive = declared.attributes.iter().any(|it| it.role == Role::Insensitive);
    if let Some(span) = output.span("order")
        && written.order == RowOrder::Sorted
        && has_insensitive
    {
        // Rows that differ in insensitive columns alone would be dealt the values of their tuple in an order that anyone knows.
        let message = "'output.order' is 'sorted': with insensitive columns beside it, the order would \
                       tell which secrets a perturbation has replaced";
        let help = "take order = \"shuffled\", or leave the insensitive columns out of the release";
        walker.report(Problem::at(Code::Contradiction, span, message).help(help));
    }
}
