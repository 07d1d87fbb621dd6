//! Text about the answers of `check` and `profile`.

use indistinct_answers::check::{CheckAnswer, WorstClass};
use indistinct_answers::profile::{PeopleFacts, ProfileAnswer};
use indistinct_core::CountedUnit;
use indistinct_core::risk::Risk;
use indistinct_profiling::checklist::ChecklistItem;

use crate::document::{left, right};
use crate::messages::{Messages, plain};
use crate::{
    Block, Document, Section, Table, Text, class_sizes, name, population_risk, principle_levels,
    text, words,
};

/// Describes the answer of `check`.
pub fn describe_checked(checked: &CheckAnswer) -> Document {
    let mut document = Document::new();
    document.paragraph(class_sizes(checked.n_rows, checked.n_classes, checked.smallest_class));
    document.push(principle_levels(&checked.principles)).push(worst_classes(checked));
    let mut risk = Section::new("Re-identification risk");
    risk.list(risk_sentences(&checked.risk, CountedUnit::from_claims(&checked.principles)));
    document.push(risk);
    document
}

fn worst_classes(checked: &CheckAnswer) -> Section {
    let shown = checked.worst_classes.iter().flatten().any(|class| class.values.is_some());
    let mut section = Section::new(match shown {
        true => "Worst classes",
        false => "Worst classes (to show their quasi-identifier values, use --show-values)",
    });
    for (claim, classes) in checked.principles.iter().zip(&checked.worst_classes) {
        let claim = words::claim_name(claim);
        if shown {
            let classes = classes.iter().map(|class| Block::Paragraph(worst_class(class)));
            section.push(Block::Group(claim.into(), classes.collect()));
            continue;
        }
        let sizes: Vec<String> = classes.iter().map(|class| words::thousands(class.size)).collect();
        let of = if classes.iter().all(|class| class.size == 1) { "row" } else { "rows" };
        section.paragraph(format!("{claim}: classes of {} {of}", words::list(&sizes)));
    }
    section
}

fn worst_class(class: &WorstClass) -> Text {
    let cells = class.values.iter().flatten();
    let cells = cells.map(|(column, value)| text!("{} {}", name(column), name(value)));
    text!("{}: {}", words::rows(class.size), Text::comma_separated(cells))
}

/// Describes each kind of re-identification risk in one sentence.
fn risk_sentences(risk: &Risk, counts: CountedUnit) -> Vec<String> {
    let Some(risk) = words::risk(risk, counts) else { return Vec::new() };
    vec![risk.unique, risk.prosecutor, risk.journalist, risk.marketer]
}

/// Describes the answer of `profile`.
pub fn describe_profile(profiled: &ProfileAnswer) -> Document {
    let mut document = Document::new();
    let n_columns = profiled.columns.len() as u64;
    document.paragraph(format!(
        "{}, {}.",
        words::rows(profiled.n_rows),
        words::counted(n_columns, "column", "columns")
    ));
    if !profiled.skipped.is_empty() {
        let skipped = profiled.skipped.iter();
        let skipped = skipped.map(|(column, kind)| text!("{} ({})", name(column), kind.as_str()));
        document.paragraph(text!("Skipped because of unsupported types: {}.", Text::list(skipped)));
    }
    let mut content = Section::new("Content of the columns");
    for column in profiled.columns.iter().filter(|column| !column.notes.is_empty()) {
        content.paragraph(text!("{}: {}.", name(&column.name), column.notes.join("; ")));
    }
    document.push(columns(profiled)).push(content);
    if profiled.roles_are_proposed {
        document.paragraph(plain("profile", "roles-are-guessed"));
    }
    document.push(risk(profiled));
    if let Some(risk) = &profiled.population {
        document.push(std::mem::take(Section::new("Population risk").list(population_risk(risk))));
    }
    if let Some(items) = &profiled.checklist {
        document.push(checklist(items));
    }
    document
}

fn columns(profiled: &ProfileAnswer) -> Section {
    let heads = [left("column"), left("role"), right("distinct"), right("once"), right("missing")];
    let rows = profiled.columns.iter().map(|column| {
        let counts = [column.n_distinct, column.n_unique, column.n_missing];
        let texts = [name(&column.name).into(), column.role.name().into()];
        texts.into_iter().chain(counts.map(|n| words::thousands(n).into())).collect()
    });
    let mut section = Section::untitled();
    section.push(Block::Table(Table::new(heads).with_rows(rows)));
    section
}

fn risk(profiled: &ProfileAnswer) -> Section {
    let mut section = Section::new("Re-identification risk");
    let key = if profiled.smallest_class.is_some() { "classes" } else { "no-rows" };
    let grouped = Messages::about("profile", &())
        .with("quasi_identifiers", profiled.quasi_identifiers.clone())
        .with("n_classes", profiled.n_classes)
        .with("smallest_class", profiled.smallest_class);
    section.paragraph(grouped.say(key).paragraph());
    let counts = profiled.people.as_ref().map_or(CountedUnit::Rows, |_| CountedUnit::People);
    let people = profiled.people.as_ref().map(people);
    section.list(risk_sentences(&profiled.risk, counts).into_iter().map(Text::from).chain(people));
    section
}

fn people(people: &PeopleFacts) -> Text {
    let of_household = people.unit == "household";
    let key = if of_household { "households" } else { "people" };
    Messages::about("profile", people).say(key).paragraph()
}

fn checklist(items: &[ChecklistItem]) -> Section {
    let mut section = Section::new("The 18 identifiers of HIPAA Safe Harbor");
    for item in items {
        let found = item.found.iter().map(|found| {
            let mark = if found.is_met { "met" } else { "NOT MET" };
            text!(
                "{}: {}. {}: {}.",
                name(&found.column),
                found.what.as_str(),
                mark,
                found.release.as_str()
            )
        });
        let mut found: Vec<Block> = found.map(Block::Paragraph).collect();
        if found.is_empty() {
            let searched = format!("Not found. Searched for: {}.", item.looked_for);
            found.push(Block::Paragraph(searched.into()));
        }
        section.push(Block::Group(format!("({}) {}", item.letter, item.identifier).into(), found));
    }
    let n_open = items.iter().flat_map(|item| &item.found).filter(|found| !found.is_met).count();
    let key = if n_open == 0 { "all-met" } else { "open" };
    section.paragraph(Messages::about("profile", &()).with("n_open", n_open).say(key).paragraph());
    section
}
