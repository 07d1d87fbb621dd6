//! Reads `[population]`: the population from which the table was sampled.

use super::attributes::DeclaredAttributes;
use super::linkage::check_identifier;
use super::sections::PopulationSection;
use super::walk::{Section, Walker};
use super::{Code, Problem, suggest};

/// Reads `[population]`, and reports problems.
pub(super) fn read(
    walker: &mut Walker,
    root: &Section<'_>,
    declared: &DeclaredAttributes,
) -> Option<PopulationSection> {
    let (section, population) = walker.table::<PopulationSection>(root, "population")?;
    if let (Some(name), Some(span)) = (&population.household, section.span("household")) {
        check_identifier(walker, "population.household", name, span, declared);
    }
    if let (Some(name), Some(span)) = (&population.weights, section.span("weights"))
        && !declared.has(name)
    {
        let message =
            format!("'population.weights' is '{name}', which the policy does not declare");
        let known = declared.attributes.iter().map(|attribute| attribute.name.as_str());
        let help = match suggest::nearest(name, known) {
            Some(near) => format!("did you mean '{near}'?"),
            None => format!(
                "declare it: [attributes.{name}], with role = \"identifier\" if it must not be \
                 released"
            ),
        };
        walker.report(Problem::at(Code::UnknownAttribute, span, message).help(help));
    }
    Some(population)
}
