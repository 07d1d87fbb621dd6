//! `[people]`: whom rows are about, where a person or a household may have several.

use indistinct_core::principle::OfPeople;
use indistinct_core::{Others, RowsOfPerson};

use super::attributes::DeclaredAttributes;
use super::keys::PEOPLE;
use super::linkage::check_identifier;
use super::method::Counts;
use super::sections::{PeopleSection, Unit};
use super::walk::{Section, Walker};
use super::{Code, InputSection, LinkageSection, Method, PrincipleSpec, Problem};

/// What `[people]` must go with.
pub(super) struct RestOfPolicy<'a> {
    pub(super) declared: &'a DeclaredAttributes,
    pub(super) principles: &'a [(usize, PrincipleSpec)],
    pub(super) method: Method,
    pub(super) linkage: &'a LinkageSection,
    pub(super) input: &'a InputSection,
}

/// Reads `[people]`, and reports what is wrong with it.
pub(super) fn read(
    walker: &mut Walker,
    root: &Section<'_>,
    rest: &RestOfPolicy<'_>,
) -> Option<PeopleSection> {
    let section = walker.section(&PEOPLE, &["people".to_owned()], root.table("people")?);
    let by = [("id", Unit::Person), ("household", Unit::Household)];
    let stated: Vec<(&str, Unit, String)> =
        by.into_iter().filter_map(|(key, unit)| Some((key, unit, section.text(key)?))).collect();
    if stated.is_empty() && !section.is_bad("id") && !section.is_bad("household") {
        let help = "name the column that says whom a row is about: id = \"COLUMN\", or household = \"COLUMN\"";
        walker.require(&section, "id", help);
    }
    if let (2.., Some(span)) = (stated.len(), section.span("household")) {
        let message =
            "'people.id' and 'people.household' are both given, and one of them says who counts";
        let help = "keep one of the two: with household, the people of a household count once";
        walker.report(Problem::at(Code::Contradiction, span, message).help(help));
    }
    let (key, unit, column) = stated.into_iter().next()?;
    if let Some(span) = section.span(key) {
        check_identifier(walker, &format!("people.{key}"), &column, span, rest.declared);
    }
    let rows = section.choice("rows").unwrap_or(match unit {
        Unit::Person => RowsOfPerson::Together,
        Unit::Household => RowsOfPerson::Apart,
    });
    if let (Unit::Household, RowsOfPerson::Together, Some(span)) =
        (unit, rows, section.span("rows"))
    {
        let message =
            "the rows of a household are about several people, who need not have the same values";
        let help = "remove 'rows', or write rows = \"apart\"";
        walker.report(Problem::at(Code::Contradiction, span, message).help(help));
    }
    check(walker, rest);
    Some(PeopleSection { column, unit, rows })
}

/// What else of the policy says nothing of people, or cannot be done for them.
fn check(walker: &mut Walker, rest: &RestOfPolicy<'_>) {
    for (at, spec) in rest.principles {
        let at = at.to_string();
        if let OfPeople::Nothing(why) = spec.kind.of_people {
            report(
                walker,
                &["principles", &at, "kind"],
                format!("'{}' says nothing of people with several rows: {why}", spec.kind.name),
                "k-anonymity, alpha-k-anonymity and the distinct, frequency, entropy and recursive diversities do; or prepare a table with one row for each person",
            );
        } else if !spec.kind.promises_of_people(&spec.parameters) {
            report(
                walker,
                &["principles", &at, "kind"],
                format!(
                    "with these parameters '{}' says nothing of people with several rows",
                    spec.kind.name
                ),
                "leave dont_care out, or prepare a table with one row for each person",
            );
        } else if spec.others == Others::QuasiIdentifier {
            report(
                walker,
                &["principles", &at, "others"],
                "with [people], a person has several combinations of the other sensitive values"
                    .to_owned(),
                "remove 'others', or prepare a table with one row for each person",
            );
        }
    }
    if rest.method.counts == Counts::Rows {
        report(
            walker,
            &["recoding", "method"],
            format!("the method '{}' counts rows, and [people] asks for people", rest.method.name),
            "the methods \"full-domain\" and \"multidimensional\" count people; or prepare a table with one row for each person",
        );
    }
    if rest.input.counts.is_some() {
        report(
            walker,
            &["input", "counts"],
            "a row that stands for several others does not say whom those are about, and [people] asks for that".to_owned(),
            "give a table with a row for each, or remove one of the two",
        );
    }
    if rest.linkage.minimum.is_some() {
        report(
            walker,
            &["linkage", "minimum"],
            "what remains after linking is counted for rows, and [people] asks for people"
                .to_owned(),
            "remove one of the two",
        );
    }
}

/// Reports a contradiction at a key, or at what would hold it.
fn report(walker: &mut Walker, path: &[&str], message: String, help: &str) {
    let path: Vec<String> = path.iter().map(|key| (*key).to_owned()).collect();
    let span = (1..=path.len()).rev().find_map(|n| walker.spans.get(&path[..n]).cloned());
    let people = || walker.spans.get(&["people".to_owned()][..]).cloned();
    let problem =
        Problem { span: span.or_else(people), ..Problem::of_file(Code::Contradiction, message) };
    walker.report(problem.help(help));
}
