//! Text about the answer of `anonymize`.

use std::collections::BTreeMap;

use indistinct_answers::release::{Outcome, WrittenRelease};
use indistinct_core::CountedUnit;
use indistinct_core::recoding::AttributeExplanation;
use indistinct_core::risk::Risk;
use indistinct_diagnostics::warning::Warning;
use indistinct_methods::anatomy::Separation;
use indistinct_methods::invariant::Invariance;
use indistinct_methods::{GeneratedColumn, OfMethod};
use indistinct_release::facts::Noise;
use indistinct_release::forms::ByPlan;

use crate::document::{left, right};
use crate::messages::Messages;
use crate::{
    Block, Document, Section, Table, Text, describe_linkage, describe_warning, facts, name,
    principle_levels, private, sample_risk, text, without_information, words,
};

mod infeasible;
pub(crate) use infeasible::describe_infeasible;

/// Describes the answer of `anonymize`. `verify` is the command that verifies the release.
pub fn describe_outcome(outcome: &Outcome, verify: &str) -> Document {
    match outcome {
        Outcome::Released(released) => describe_released(released, verify),
        Outcome::Infeasible(infeasible) => describe_infeasible(infeasible),
    }
}

fn describe_released(released: &WrittenRelease, verify: &str) -> Document {
    let mut document = Document::new();
    document.paragraph(text!(
        "Read {} from {}.",
        words::rows(released.n_rows),
        name(released.input.display().to_string())
    ));
    risk(&mut document, released);
    document.push(recoding(released)).push(cost(released));
    match &released.of_method {
        Some(OfMethod::Noise { perturbation }) => document.push(noise(perturbation)),
        _ => document.push(principle_levels(&released.principles)),
    };
    if let Some(generalized) = &released.generalized_values {
        let mut section = Section::new("Generalized values");
        section.paragraph(facts::generalized_values(generalized));
        document.push(section);
    }
    let of_method = match &released.of_method {
        Some(OfMethod::Version { invariance }) => version(invariance, released.n_released),
        Some(OfMethod::TwoTables { separation }) => two_tables(separation),
        Some(OfMethod::ByPlan { planned }) => by_plan(planned),
        Some(OfMethod::Generated { generated }) => generated_columns(generated),
        _ => Section::untitled(),
    };
    document.push(of_method);
    if let Some(linkage) = &released.linkage {
        document.push(describe_linkage(linkage));
    }
    if let Some(nodes) = released.minimal_nodes() {
        let heading = format!("Minimal nodes ({})", words::thousands(nodes.len() as u64));
        let mut section = Section::new(heading);
        nodes.iter().for_each(|node| _ = section.paragraph(levels(node)));
        document.push(section);
    }
    written(&mut document, released, verify);
    document
}

fn risk(document: &mut Document, released: &WrittenRelease) {
    let mut section = Section::new(match CountedUnit::from_claims(&released.principles) {
        CountedUnit::Rows => "Risk",
        CountedUnit::People => {
            "Risk of a single row; a person with several rows is easier to identify"
        }
    });
    section.push(Block::Facts(vec![
        ("input".into(), risk_of(&released.risk.before)),
        ("release".into(), risk_of(&released.risk.after)),
    ]));
    if let Some(unique) = facts::unique_values(&released.unique_rows) {
        section.paragraph(unique);
    }
    document.push(section);
    if let Some(risk) = &released.population {
        let mut of = |heading: &str, sentences: Vec<String>| {
            document.push(std::mem::take(Section::new(heading).list(sentences)));
        };
        of("Population risk of the input", sample_risk(&risk.before));
        of(
            "Population risk of the release",
            risk.after.as_ref().map(sample_risk).unwrap_or_default(),
        );
    }
}

fn risk_of(risk: &Risk) -> Text {
    match (risk.prosecutor_max, risk.prosecutor_mean, risk.unique_fraction) {
        (Some(highest), Some(mean), Some(unique)) => text!(
            "highest {}, on average {}; {} of the rows are unique by quasi-identifiers",
            words::percent(highest),
            words::percent(mean),
            words::percent(unique)
        ),
        _ => "no rows".into(),
    }
}

fn recoding(released: &WrittenRelease) -> Section {
    let (recoding, search) = (&released.recoding, &released.search);
    let is_stopped = recoding.optimality.is_stopped();
    let quality = match &released.of_method {
        Some(OfMethod::Noise { .. }) => {
            "original quasi-identifiers; sensitive values with noise".to_owned()
        }
        Some(OfMethod::ByPlan { .. }) => "classes and released values from the plan".to_owned(),
        Some(OfMethod::Generated { .. }) => format!(
            "released values are generated for each class or row{}",
            if is_stopped { "; the search was stopped" } else { "" }
        ),
        Some(OfMethod::TwoTables { .. }) => format!(
            "original quasi-identifiers; sensitive values in a separate table{}",
            if is_stopped {
                "; the search was stopped, and more classes may be possible"
            } else {
                ""
            }
        ),
        _ => quality_of_search(released),
    };
    let nodes = words::nodes_evaluated(search.lattice);
    let nodes = nodes.map_or(String::new(), |nodes| nodes + ", ");
    let seconds = search.seconds.unwrap_or_default();
    let mut section = Section::new("Recoding");
    section.paragraph(format!("{}; {quality} ({nodes}{seconds:.2} s).", recoding.method));
    section.push(Block::Table(attributes(released)));
    section
}

/// Describes the quality of the recoding that the search found.
fn quality_of_search(released: &WrittenRelease) -> String {
    let (optimality, objective) = (&released.recoding.optimality, &released.recoding.objective);
    if optimality.is_proved() {
        return format!("no node of the lattice has a lower {objective}");
    }
    if optimality.is_stopped() {
        let best = "the best recoding found before the search was stopped";
        return match optimality.gap_fraction() {
            Some(gap) => format!(
                "{best}; its {objective} is at most {} above the lowest possible {objective}",
                words::percent(gap)
            ),
            None => format!("{best}; a better one may exist"),
        };
    }
    if optimality.is_proved_for_levels() {
        return format!(
            "these levels minimize the {objective}, provided that failing classes are suppressed \
             as a whole"
        );
    }
    match (released.search.lattice, &released.linkage) {
        (Some(_), None) => format!(
            "not proved to have the lowest {objective}, because suppressing other rows might be \
             better"
        ),
        (Some(_), Some(_)) => format!("not proved to have the lowest {objective}"),
        (None, _) => {
            "every class has its own released values; not all recodings were tried".to_owned()
        }
    }
}

/// Returns the loss of each attribute and, if attributes have levels, the effect of a lower level.
fn attributes(released: &WrittenRelease) -> Table {
    if released.explanation.is_empty() {
        let losses = released.attribute_loss.iter();
        let rows = losses.map(|(it, loss)| vec![name(it).into(), words::number(*loss).into()]);
        return Table::new([left("attribute"), right("loss")]).with_rows(rows);
    }
    let row = |attribute: &AttributeExplanation| {
        vec![
            name(&attribute.name).into(),
            format!("{} of {}", attribute.level, attribute.n_levels - 1).into(),
            words::number(attribute.loss).into(),
            words::level_below(attribute, released.n_rows).into(),
        ]
    };
    let columns = [left("attribute"), right("level"), right("loss"), left("one level lower")];
    Table::new(columns).with_rows(released.explanation.iter().map(row))
}

/// Describes the suppressed rows and cells, and the losses.
fn cost(released: &WrittenRelease) -> Section {
    let mut section = Section::new("Cost");
    section.paragraph(format!(
        "{} {} ({}), {} released in {}.",
        words::rows(released.n_suppressed),
        match released.suppressed_cells {
            Some(_) => "with suppressed cells",
            None => "suppressed",
        },
        words::share(released.n_suppressed, released.n_rows),
        words::rows(released.n_released),
        words::classes(released.n_classes)
    ));
    let cells = released.suppressed_cells.iter().flatten().filter(|(_, rows)| **rows > 0);
    let cells = cells.map(|(column, rows)| text!("{} {}", name(column), words::thousands(*rows)));
    let cells = Text::comma_separated(cells);
    if !cells.is_empty() {
        section.paragraph(text!("Suppressed cells, by column: {}.", cells));
    }
    let loss = |(loss, value): (&&str, &f64)| format!("{loss} {}", words::number(*value));
    section.paragraph(released.loss.iter().map(loss).collect::<Vec<_>>().join(", "));
    let lost = without_information(&released.attribute_loss);
    let coarsened = facts::coarsening_loss(&released.coarsening_loss);
    for sentence in lost.into_iter().chain(coarsened) {
        section.paragraph(sentence);
    }
    section
}

/// Describes the effect of perturbation on the sensitive values and the resulting protection.
fn noise(noise: &Noise) -> Section {
    let found = Messages::about("anonymize", noise);
    section("Perturbation", found.say("noise").say("noise-risk").say("identities"))
}

/// Describes the protection that the separation into two tables provides, and its limits.
fn two_tables(separation: &Separation) -> Section {
    let is_known = separation.reconstruction_error_per_row.is_some();
    let found = Messages::about("anonymize", separation).say_if(is_known, "separation-error");
    section("Separation", found.say("separation-limits"))
}

/// Describes the guarantees of the plan for this release and for other releases that follow the
/// plan.
fn by_plan(planned: &ByPlan) -> Section {
    let event = match (planned.n_designated_missing, planned.n_violations()) {
        (0, 0) => "plan-complete",
        (0, _) => "plan-unbalanced",
        _ => "plan-incomplete",
    };
    let found = Messages::about("anonymize", planned).say(event).say("plan-promise");
    let found = found.say_if(planned.k.is_some(), "plan-promise-k");
    section("Plan", found.say_if(planned.entropy_l.is_some(), "plan-promise-entropy"))
}

/// Describes how many rows of a version are new, unchanged, or counterfeit.
fn version(invariance: &Invariance, n_released: u64) -> Section {
    let rows = match invariance.n_counterfeits {
        0 => "version-rows",
        _ => "version-counterfeits",
    };
    let found = Messages::about("anonymize", invariance).with("n_released", n_released);
    section("Version of a growing table", found.say("version").say(rows))
}

/// Creates a section in which each message is a paragraph.
pub(crate) fn section(heading: &str, messages: Messages) -> Section {
    let mut section = Section::new(heading);
    messages.texts().into_iter().for_each(|text| _ = section.paragraph(text));
    section
}

/// Returns the information loss in columns with generated values.
fn generated_columns(generated: &BTreeMap<String, GeneratedColumn>) -> Section {
    let row = |(attribute, column): (&String, &GeneratedColumn)| {
        let lost = column.variance_lost.map_or("-".to_owned(), words::percent);
        vec![name(attribute).into(), words::thousands(column.n_changed).into(), lost.into()]
    };
    let columns = [left("attribute"), right("rows changed"), right("variance lost")];
    let mut section = Section::new("Generated values");
    section.push(Block::Table(Table::new(columns).with_rows(generated.iter().map(row))));
    section
}

fn written(document: &mut Document, released: &WrittenRelease, verify: &str) {
    let path = |path: &std::path::Path| -> Text { name(path.display().to_string()).into() };
    let mut files: Vec<(Text, Text)> = vec![
        ("release".into(), path(&released.release)),
        ("report".into(), path(&released.release.join("report.html"))),
    ];
    match &released.private {
        Some(private) => {
            files.push(("private".into(), path(private)));
            let note = "do not publish this folder: it contains information and a report for the \
                        data holder only";
            files.push((Text::default(), note.into()));
        }
        None => files.push(("private".into(), "none".into())),
    }
    if let Some(address) = &released.uploaded {
        files.push(("uploaded".into(), name(address).into()));
    }
    let mut section = Section::new("Written");
    section.push(Block::Facts(files));
    let mut omitted = Section::new("Without the private directory");
    omitted.list(released.omitted_private.iter().map(|content| private::without(*content)));
    let mut next = Section::untitled();
    next.push(Block::Code(format!("To verify the release, anyone can run: {verify}")));
    document.push(section).push(omitted).push(next_step(&released.warnings)).push(next);
}

/// Returns the step that publishes the rows, if the data holder must run it. The answer contains it
/// because warnings are not shown with `--quiet`.
fn next_step(warnings: &[Warning]) -> Section {
    let mut section = Section::new("Next step");
    let is_publication = |it: &&Warning| matches!(it, Warning::RowsNotPublished { .. });
    for step in warnings.iter().filter(is_publication) {
        section.paragraph(words::sentence(&describe_warning(step)));
    }
    section
}

/// Formats the levels of a node of the lattice.
pub(crate) fn levels(node: &BTreeMap<String, usize>) -> Text {
    Text::comma_separated(node.iter().map(|(column, level)| text!("{} {}", name(column), *level)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answer_states_step_that_publishes_rows() {
        let (script, table) = ("5-publish-0f.sql".to_owned(), "staged".to_owned());
        let mut document = Document::new();
        document.push(next_step(&[Warning::RowsNotPublished { script, table }]));
        let shown = format!("{document:?}");
        assert!(shown.contains("Next step") && shown.contains("5-publish-0f.sql"), "{shown}");
        let mut without = Document::new();
        without.push(next_step(&[]));
        assert!(!format!("{without:?}").contains("Next step"));
    }
}
