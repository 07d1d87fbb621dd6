//! Reads `[people]`: people and households with several rows.

use indistinct_core::principle::{OTHERS, OfPeople};
use indistinct_core::{Others, RowsOfPerson};

use super::attributes::DeclaredAttributes;
use super::linkage::check_identifier;
use super::method::Counts;
use super::sections::PeopleSection;
use super::walk::{Section, Walker};
use super::{Code, InputSection, LinkageSection, Method, PrincipleSpec, Problem};

/// The settings with which `[people]` must be compatible.
pub(super) struct RestOfPolicy<'a> {
    pub(super) declared: &'a DeclaredAttributes,
    pub(super) principles: &'a [(usize, PrincipleSpec)],
    pub(super) method: Method,
    pub(super) linkage: &'a LinkageSection,
    pub(super) input: &'a InputSection,
}

/// Reads `[people]`, and reports problems.
pub(super) fn read(
    walker: &mut Walker,
    root: &Section<'_>,
    rest: &RestOfPolicy<'_>,
) -> Option<PeopleSection> {
    let (section, mut people) = walker.table::<PeopleSection>(root, "people")?;
    let is_bad = section.is_bad("id") || section.is_bad("household");
    let (key, column) = match (&people.id, &people.household) {
        (Some(id), _) => ("id", id),
        (None, Some(household)) => ("household", household),
        (None, None) => {
            if !is_bad {
                let help = "name the column that identifies the person of a row: id = \"COLUMN\", \
                            or household = \"COLUMN\"";
                walker.require(&section, "id", help);
            }
            return None;
        }
    };
    if let (Some(_), Some(_), Some(span)) =
        (&people.id, &people.household, section.span("household"))
    {
        let message = "'people.id' and 'people.household' cannot be combined";
        let help = "remove one of the two; with 'household', the members of a household count as \
                    one person";
        walker.report(Problem::at(Code::Contradiction, span, message).help(help));
    }
    if let Some(span) = section.span(key) {
        check_identifier(walker, &format!("people.{key}"), column, span, rest.declared);
    }
    match (key, section.span("rows")) {
        ("id", None) => people.rows = RowsOfPerson::Uniform,
        (_, None) => people.rows = RowsOfPerson::Independent,
        ("household", Some(span)) if people.rows == RowsOfPerson::Uniform => {
            let message = "rows = \"uniform\" is impossible for households, because the members of \
                           a household may have different values";
            let help = "remove 'rows', or write rows = \"independent\"";
            walker.report(Problem::at(Code::Contradiction, span, message).help(help));
        }
        _ => {}
    }
    check(walker, rest);
    Some(people)
}

/// Reports settings that do not support people with several rows.
fn check(walker: &mut Walker, rest: &RestOfPolicy<'_>) {
    for (at, spec) in rest.principles {
        let at = at.to_string();
        if let OfPeople::Nothing(why) = spec.kind.of_people {
            report(
                walker,
                &["principles", &at, "kind"],
                format!("'{}' does not support people with several rows: {why}", spec.kind.name),
                "use k-anonymity, alpha-k-anonymity, or a distinct, frequency, entropy, or \
                 recursive diversity; or prepare a table with one row for each person",
            );
        } else if !spec.kind.promises_of_people(&spec.parameters) {
            report(
                walker,
                &["principles", &at, "kind"],
                format!(
                    "with these parameters, '{}' does not support people with several rows",
                    spec.kind.name
                ),
                "remove dont_care, or prepare a table with one row for each person",
            );
        } else if spec.others == Others::QuasiIdentifier {
            report(
                walker,
                &["principles", &at, OTHERS.name],
                "with [people], a person may have several combinations of other sensitive values"
                    .to_owned(),
                "remove 'other_sensitive', or prepare a table with one row for each person",
            );
        }
    }
    if rest.method.counts == Counts::Rows {
        report(
            walker,
            &["recoding", "method"],
            format!(
                "the method '{}' counts rows, but [people] requires counting people",
                rest.method.name
            ),
            "use method \"full-domain\" or \"multidimensional\", or prepare a table with one row \
             for each person",
        );
    }
    if rest.input.count_column.is_some() {
        report(
            walker,
            &["input", "count_column"],
            "rows with a count do not identify the people that they represent, but [people] \
             requires an identifier"
                .to_owned(),
            "use a table with one line for each row, or remove one of the two",
        );
    }
    if rest.linkage.minimum.is_some() {
        report(
            walker,
            &["linkage", "minimum"],
            "'linkage.minimum' counts rows, but [people] requires counting people".to_owned(),
            "remove one of the two",
        );
    }
}

/// Reports a contradiction at a key, or at the table that would contain the key.
fn report(walker: &mut Walker, path: &[&str], message: String, help: &str) {
    let path: Vec<String> = path.iter().map(|key| (*key).to_owned()).collect();
    let span = (1..=path.len()).rev().find_map(|n| walker.spans.get(&path[..n]).cloned());
    let people = || walker.spans.get(&["people".to_owned()][..]).cloned();
    let problem =
        Problem { span: span.or_else(people), ..Problem::of_file(Code::Contradiction, message) };
    walker.report(problem.help(help));
}
