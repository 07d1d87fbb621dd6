//! The trade-off between classes and rows in a plan for several releases.

use std::path::PathBuf;

use indistinct_methods::planned::agency::{FurtherFigures, PlanAnswer, TooFewRows};

use crate::document::{left, right};
use crate::messages::{Messages, plain};
use crate::plot::{Line, LinePlot};
use crate::{Block, Document, Section, Table, Text, name, text, words};

/// A point of the trade-off between classes and rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Point {
    /// The number of classes per release.
    pub n_classes: u64,
    /// The number of rows per release according to the published formula.
    pub n_rows_text: u64,
    /// The number of rows per release for the actual number of classes.
    pub n_rows_actual_classes: u64,
}

/// Returns the plot and the description of the trade-off for a plan with the given `l` and `delta`.
pub fn trade_off(l: u64, delta: f64, points: &[Point]) -> (LinePlot, String) {
    let line = |name: &str, of: fn(&Point) -> u64| Line {
        name: name.to_owned(),
        values: points.iter().map(|point| Some(of(point) as f64)).collect(),
    };
    let plot = LinePlot {
        labels: points.iter().map(|point| words::thousands(point.n_classes)).collect(),
        lines: vec![
            line("N by the formula", |it| it.n_rows_text),
            line("N for the actual number of classes", |it| it.n_rows_actual_classes),
        ],
        axes: ["classes", "rows needed"].map(str::to_owned),
    };
    let of_point = points.iter().map(|point| {
        format!(
            "{} {}, or {} for their actual number",
            words::counted(point.n_classes, "class needs", "classes need"),
            words::rows(point.n_rows_text),
            words::thousands(point.n_rows_actual_classes)
        )
    });
    let description = format!(
        "Number of rows that a release requires, by number of classes, for l = {l} and delta = {}. \
         {}.",
        words::number(delta),
        of_point.collect::<Vec<_>>().join("; ")
    );
    (plot, description)
}

/// The maximum number of points of the trade-off that are listed.
const MOST_LISTED: usize = 14;

/// Describes a plan, and the files that contain it.
pub fn describe_plan(planned: &PlanAnswer, files: &[PathBuf]) -> Document {
    let mut document = Document::new();
    document.paragraph(text!(
        "{} of {}, {} of {}.",
        words::counted(planned.n_combinations, "combination", "combinations"),
        Text::comma_separated(planned.quasi_identifiers.iter().map(name)),
        words::counted(planned.n_sensitive_values, "sensitive value", "sensitive values"),
        name(&planned.sensitive)
    ));
    document.push(choices(planned)).push(chosen(planned)).push(guarantees(planned));
    if let Some(further) = &planned.further {
        document.push(further_guarantees(planned.delta, further));
    }
    let mut written = Section::new("Written");
    files.iter().for_each(|file| _ = written.paragraph(name(file.display().to_string())));
    document.push(written);
    document
}

/// Explains why no plan exists for the given number of rows and l.
pub fn describe_too_few_rows(l: u64, too_few: &TooFewRows) -> Document {
    let mut document = Document::new();
    let found = Messages::about("plan", too_few).with("l", l);
    let mut remedy = Section::untitled();
    remedy.paragraph(plain("plan", "too-few-remedies"));
    document.paragraph(found.say("too-few").paragraph()).push(remedy);
    document
}

fn choices(planned: &PlanAnswer) -> Section {
    let row = |at: usize| {
        let point = &planned.trade_off[at];
        let mark = if point.n_classes == planned.chosen.n_classes { "chosen" } else { "" };
        let about = if point.is_largest { "" } else { "at least " };
        vec![
            words::thousands(point.n_classes).into(),
            format!("{about}{}", words::number(point.p)).into(),
            words::thousands(point.n_rows_text).into(),
            words::thousands(point.n_rows_actual_classes).into(),
            mark.into(),
        ]
    };
    let columns = [
        right("classes"),
        right("largest p"),
        right("rows (text)"),
        right("rows (actual classes)"),
        left(""),
    ];
    let sample = planned.sample(MOST_LISTED);
    let found = Messages::about("plan", &())
        .with("releases", planned.releases)
        .with("l", planned.l)
        .with("delta", planned.delta)
        .with("n_shown", sample.len())
        .with("n_points", planned.trade_off.len());
    let is_part = planned.trade_off.len() > MOST_LISTED;
    let shared = if planned.releases.is_some() { "choices-shared" } else { "choices" };
    let mut section = Section::new("Choices");
    section.paragraph(
        found.say(shared).say("choices-detail").say_if(is_part, "choices-part").paragraph(),
    );
    section.push(Block::Table(Table::new(columns).with_rows(sample.into_iter().map(row))));
    section
}

fn chosen(planned: &PlanAnswer) -> Section {
    let chosen = &planned.chosen;
    let exact = chosen.n_rows_exact_failure.map_or("takes too long".to_owned(), words::thousands);
    let rows = [
        ("text", "an upper bound on the number of classes", words::thousands(chosen.n_rows_text)),
        ("actual-classes", "the number of classes", words::thousands(chosen.n_rows_actual_classes)),
        (
            "actual-masses",
            "the probability of every designated value",
            words::thousands(chosen.n_rows_actual_masses),
        ),
        ("exact-failure", "the exact failure probability", exact),
    ];
    let rows = rows.map(|(basis, from, rows)| vec![basis.into(), from.into(), rows.into()]);
    let columns = [left("basis"), left("computed from"), right("rows required")];
    let found = Messages::about("plan", chosen).with("order", planned.order.as_str());
    let mut section = Section::new("The plan");
    section.paragraph(found.say("chosen").paragraph());
    section.push(Block::Table(Table::new(columns).with_rows(rows)));
    if let Some(equal) = &planned.equal_size {
        let found = Messages::about("plan", equal).with("n_chosen", chosen.n_classes);
        section.paragraph(found.say("equal-size").paragraph());
    }
    section
}

fn guarantees(planned: &PlanAnswer) -> Section {
    let found = Messages::about("plan", &planned.chosen)
        .with("l", planned.l)
        .with("delta", planned.delta)
        .with("confidence", planned.confidence)
        .with("k", planned.k)
        .with("entropy_l", planned.entropy_l)
        .say("guarantee")
        .say_if(planned.k.is_some(), "guarantee-k")
        .say_if(planned.entropy_l.is_some(), "guarantee-entropy")
        .say("guarantee-of-one-person")
        .say("guarantee-assumes")
        .say_if(planned.confidence.is_some(), "guarantee-confidence");
    let robustness = planned.robustness.as_ref().map(|found| {
        Messages::about("plan", found)
            .with("plan_l", planned.l)
            .with("plan_delta", planned.delta)
            .say(if found.l == 0 { "robustness-nothing" } else { "robustness" })
            .say(if found.n_rows.is_some() { "robustness-rows" } else { "robustness-no-rows" })
            .paragraph()
    });
    let mut section = Section::new("Guarantees and assumptions");
    section.list(found.extend(robustness).texts());
    section
}

fn further_guarantees(delta: f64, further: &FurtherFigures) -> Section {
    let mut sentences = Vec::new();
    if let Some(with) = &further.with_rows {
        let exact = if with.exact.is_some() { "with-rows-exact" } else { "with-rows-too-long" };
        sentences.extend(Messages::about("plan", with).say(exact).texts());
    }
    if let Some(found) = &further.k_anonymity {
        sentences
            .extend(Messages::about("plan", found).with("delta", delta).say("k-anonymity").texts());
    }
    if let Some(found) = &further.entropy {
        let key = if found.n_rows.is_some() { "entropy" } else { "entropy-unknown" };
        sentences.extend(Messages::about("plan", found).with("delta", delta).say(key).texts());
    }
    let mut section = Section::new("Other guarantees of these classes");
    section.list(sentences);
    section
}
