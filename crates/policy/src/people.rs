//! Reads the sections `[people]`, for people and households with several rows, and `[population]`,
//! for the population from which the table was sampled.

use indistinct_core::principle::{Condition, OTHERS, OfPeople, Phrase};
use indistinct_core::{Others, RowsOfPerson};

use super::attributes::DeclaredAttributes;
use super::linkage::check_identifier;
use super::method::{Check, Counts};
use super::sections::{PeopleSection, PopulationSection};
use super::walk::{Section, Walker};
use super::{Code, Problem, suggest};

/// Reads `[people]`, and reports problems.
pub(super) fn read(
    walker: &mut Walker,
    root: &Section<'_>,
    declared: &DeclaredAttributes,
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
        walker.wrong(Code::Contradiction, span, message, help);
    }
    if let Some(span) = section.span(key) {
        check_identifier(walker, &format!("people.{key}"), column, span, declared);
    }
    match (key, section.span("rows")) {
        ("id", None) => people.rows = RowsOfPerson::Uniform,
        (_, None) => people.rows = RowsOfPerson::Independent,
        ("household", Some(span)) if people.rows == RowsOfPerson::Uniform => {
            let message = "rows = \"uniform\" is impossible for households, because the members of \
                           a household may have different values";
            let help = "remove 'rows', or write rows = \"independent\"";
            walker.wrong(Code::Contradiction, span, message, help);
        }
        _ => {}
    }
    Some(people)
}

/// Returns how to change the parameters such that the first phrase applies.
fn remedy(phrases: &[Phrase]) -> String {
    let changes = phrases.iter().take(1).flat_map(|phrase| phrase.when).map(|when| match when {
        Condition::Word(name, word) => format!("write {name} = \"{word}\""),
        Condition::LeftOut(name) => format!("remove {name}"),
        _ => "change the parameters".to_owned(),
    });
    changes.collect::<Vec<_>>().join(" and ")
}

/// Reports settings that are incompatible with people who have several rows.
pub(super) fn check(check: &mut Check<'_>) {
    for (at, spec) in check.principles {
        let at = at.to_string();
        if let OfPeople::Nothing(why) = spec.kind.of_people {
            report(
                check.walker,
                &["principles", &at, "kind"],
                format!("'{}' does not support people with several rows: {why}", spec.kind.name),
                "use k-anonymity, alpha-k-anonymity, t-closeness, or a distinct, frequency, \
                 entropy, or recursive diversity; or prepare a table with one row for each person",
            );
        } else if !spec.kind.promises_of_people(&spec.parameters) {
            report(
                check.walker,
                &["principles", &at, "kind"],
                format!(
                    "with these parameters, '{}' does not support people with several rows",
                    spec.kind.name
                ),
                &format!(
                    "{}, or prepare a table with one row for each person",
                    remedy(spec.kind.of_people.phrases())
                ),
            );
        } else if spec.others == Others::QuasiIdentifier {
            report(
                check.walker,
                &["principles", &at, OTHERS.name],
                "with [people], a person may have several combinations of other sensitive values"
                    .to_owned(),
                "remove 'other_sensitive', or prepare a table with one row for each person",
            );
        }
    }
    if check.recoding.method.counts == Counts::Rows {
        report(
            check.walker,
            &["recoding", "method"],
            format!(
                "the method '{}' counts rows, but [people] requires counting people",
                check.recoding.method.name
            ),
            "use method \"full-domain\" or \"multidimensional\", or prepare a table with one row \
             for each person",
        );
    }
    if check.input.count_column.is_some() {
        report(
            check.walker,
            &["input", "count_column"],
            "rows with a count do not identify the people that they represent, but [people] \
             requires an identifier"
                .to_owned(),
            "use a table with one line for each row, or remove one of the two",
        );
    }
    if check.linkage.minimum.is_some() {
        report(
            check.walker,
            &["linkage", "minimum"],
            "'linkage.minimum' counts rows, but [people] requires counting people".to_owned(),
            "remove one of the two",
        );
    }
}

/// Reports a contradiction at the location of a key or of the table that would contain the key.
fn report(walker: &mut Walker, path: &[&str], message: String, help: &str) {
    let path: Vec<String> = path.iter().map(|key| (*key).to_owned()).collect();
    let span = (1..=path.len()).rev().find_map(|n| walker.spans.get(&path[..n]).cloned());
    let people = || walker.spans.get(&["people".to_owned()][..]).cloned();
    let problem =
        Problem { span: span.or_else(people), ..Problem::of_file(Code::Contradiction, message) };
    walker.report(problem.help(help));
}

/// Reads `[population]`, and reports problems.
pub(super) fn read_population(
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
        walker.wrong(Code::UnknownAttribute, span, message, help);
    }
    let of_name = |name: &String| declared.attributes.iter().find(|it| it.name == *name);
    if let (Some(weights), Some(span)) =
        (population.weights.as_ref().and_then(of_name), section.span("weights"))
        && weights.coarsen.is_some()
    {
        let name = &weights.name;
        let message = format!(
            "'population.weights' is '{name}', but the policy coarsens this column, which would \
             change the estimated population"
        );
        let help = format!(
            "remove 'coarsen' from [attributes.{name}]; with role = \"identifier\", the weights \
             are used but not released"
        );
        walker.wrong(Code::Contradiction, span, message, help);
    }
    Some(population)
}
