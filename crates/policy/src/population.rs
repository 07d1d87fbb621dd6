//! `[population]`: what is known of the people that a table is a sample of.

use super::attributes::DeclaredAttributes;
use super::keys::POPULATION;
use super::linkage::check_identifier;
use super::sections::PopulationSection;
use super::walk::{Section, Walker};
use super::{Code, Problem, suggest};

/// Reads `[population]`, and reports what is wrong with it.
pub(super) fn read(
    walker: &mut Walker,
    root: &Section<'_>,
    declared: &DeclaredAttributes,
) -> Option<PopulationSection> {
    let section =
        walker.section(&POPULATION, &["population".to_owned()], root.table("population")?);
    let household = section.text("household");
    if let (Some(name), Some(span)) = (&household, section.span("household")) {
        check_identifier(walker, "population.household", name, span, declared);
    }
    let weights = section.text("weights");
    if let (Some(name), Some(span)) = (&weights, section.span("weights"))
        && !declared.has(name)
    {
        let message =
            format!("'population.weights' is '{name}', which the policy does not declare");
        let known = declared.attributes.iter().map(|attribute| attribute.name.as_str());
        let help = match suggest::nearest(name, known) {
            Some(near) => format!("did you mean '{near}'?"),
            None => format!(
                "declare it: [attributes.{name}] with role = \"identifier\" if it is not to be released"
            ),
        };
        walker.report(Problem::at(Code::UnknownAttribute, span, message).help(help));
    }
    Some(PopulationSection {
        sampling_fraction: section.number("sampling_fraction"),
        weights,
        path: section.text("path"),
        household,
    })
}
