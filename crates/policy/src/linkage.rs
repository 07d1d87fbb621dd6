//! Reads `[linkage]`, which contains requirements after linkage with earlier releases, and settings
//! for growing tables.

use indistinct_core::remaining::RemainingRequirement;
use indistinct_core::{Rational, Role};

use super::attributes::DeclaredAttributes;
use super::walk::{Section, Walker};
use super::{Code, LinkageSection, Problem, suggest};

/// Reads `[linkage]`, and reports problems.
pub(super) fn read(
    walker: &mut Walker,
    root: &Section<'_>,
    declared: &DeclaredAttributes,
) -> LinkageSection {
    let (section, linkage) = walker.table_or_default::<LinkageSection>(root, "linkage");
    if let (Some(name), Some(span)) = (&linkage.person, section.span("person")) {
        check_identifier(walker, "linkage.person", name, span, declared);
    }
    let minimum = minimum(walker, &section, declared);
    LinkageSection { minimum, ..linkage }
}

fn minimum(
    walker: &mut Walker,
    linkage: &Section<'_>,
    declared: &DeclaredAttributes,
) -> Option<RemainingRequirement> {
    let (section, minimum) = walker.table::<RemainingRequirement>(linkage, "minimum")?;
    walker.require(&section, "l", "state the minimum number: minimum = { l = 3 }");
    if let Some(span) = section.span("l")
        && minimum.l == Rational::from_integer(1)
    {
        let message =
            format!("'{}' is 1, so every release satisfies it", section.path_of("l").join("."));
        let help = "require more than 1, or remove the minimum";
        walker.wrong(Code::RequiresNothing, span, message, help);
    }
    if let Some(span) = linkage.span("minimum")
        && declared.sensitive().is_empty()
        && declared.unsettled.is_empty()
    {
        let message = "'linkage.minimum' requires a sensitive attribute, but none is declared";
        let help = "declare the sensitive attributes, or remove the minimum";
        walker.wrong(Code::NoSensitive, span, message, help);
    }
    section.span("l").map(|_| minimum)
}

/// Reports a column that identifies people but is not declared as an identifier. Columns with other
/// roles could be released.
pub(super) fn check_identifier(
    walker: &mut Walker,
    key: &str,
    name: &str,
    span: std::ops::Range<usize>,
    declared: &DeclaredAttributes,
) {
    let identifiers =
        declared.attributes.iter().filter(|attribute| attribute.role == Role::Identifier);
    let known: Vec<&str> = identifiers.map(|attribute| attribute.name.as_str()).collect();
    if known.contains(&name) || declared.unsettled.contains(name) {
        return;
    }
    let problem = if declared.has(name) {
        let message = format!("'{key}' is '{name}', which is not declared as an identifier");
        Problem::at(Code::NotIdentifier, span, message)
            .help("a column that identifies people has role = \"identifier\" and is never released")
    } else {
        let message = format!("'{key}' is '{name}', which the policy does not declare");
        let help = match known.is_empty() {
            true => format!("declare the column: [attributes.{name}] with role = \"identifier\""),
            false => suggest::help(name, known.iter().copied()),
        };
        Problem::at(Code::NotIdentifier, span, message).help(help)
    };
    walker.report(problem);
}
