//! `[linkage]`: what must remain after a release is linked with earlier ones, and what a growing table needs.

use indistinct_core::remaining::RemainingRequirement;
use indistinct_core::{Rational, Role};

use super::attributes::DeclaredAttributes;
use super::keys::{LINKAGE, MINIMUM};
use super::walk::{Section, Walker};
use super::{Code, LinkageSection, Problem, suggest};

/// Reads `[linkage]`, and reports what is wrong with it.
pub(super) fn read(
    walker: &mut Walker,
    root: &Section<'_>,
    declared: &DeclaredAttributes,
) -> LinkageSection {
    let section = match root.table("linkage") {
        Some(table) => walker.section(&LINKAGE, &["linkage".to_owned()], table),
        None => return LinkageSection::default(),
    };
    let person = section.text("person");
    if let (Some(name), Some(span)) = (&person, section.span("person")) {
        check_identifier(walker, "linkage.person", name, span, declared);
    }
    LinkageSection {
        minimum: minimum(walker, &section, declared),
        population: section.text("population"),
        series: section.text("series"),
        person,
        key: section.text("key"),
    }
}

fn minimum(
    walker: &mut Walker,
    linkage: &Section<'_>,
    declared: &DeclaredAttributes,
) -> Option<RemainingRequirement> {
    let section = walker.section(&MINIMUM, &linkage.path_of("minimum"), linkage.table("minimum")?);
    walker.require(&section, "l", "say how many: minimum = { l = 3 }");
    let l = section.number("l")?;
    if let Some(span) = section.span("l")
        && l == Rational::from_integer(1)
    {
        let message = format!("'{}' is 1, which everybody has", section.path_of("l").join("."));
        let help = "ask for more than 1, or remove it";
        walker.report(Problem::at(Code::RequiresNothing, span, message).help(help));
    }
    if let Some(span) = linkage.span("minimum")
        && declared.sensitive().is_empty()
        && declared.unsettled.is_empty()
    {
        let message = "'linkage.minimum' is about sensitive attributes, and there is none";
        let help = "declare the sensitive attributes, or remove it";
        walker.report(Problem::at(Code::NoSensitive, span, message).help(help));
    }
    Some(RemainingRequirement { measure: section.choice_or_default("measure"), l })
}

/// Who a row is about must be a declared identifier: anything else could be released.
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
        let message = format!("'{key}' is '{name}', which is not declared an identifier");
        Problem::at(Code::NotIdentifier, span, message)
            .help("a column that says who a row is about has role = \"identifier\", which is never released")
    } else {
        let message = format!("'{key}' is '{name}', which the policy does not declare");
        let help = match known.is_empty() {
            true => format!("declare it: [attributes.{name}] with role = \"identifier\""),
            false => suggest::help(name, known.iter().copied()),
        };
        Problem::at(Code::NotIdentifier, span, message).help(help)
    };
    walker.report(problem);
}
