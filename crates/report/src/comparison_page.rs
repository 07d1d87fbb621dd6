//! The page of `indistinct compare`: what each choice costs, for the holder.

use std::collections::BTreeMap;

use maud::{Markup, html};

use crate::comparison::{Choice, Comparison, RETAINED, RETAINED_MEANS};
use crate::layout::{Column, Page, Section, cards, cell, figure, table};
use crate::parts::keep_this_page;
use crate::plot::{Curve, curve};
use crate::words;

/// What each choice costs, as one HTML page for the holder.
pub fn comparison_page(comparison: &Comparison) -> String {
    let mut sections = Vec::new();
    if comparison.has_any() {
        sections.push(Section {
            id: "frontier",
            heading: "Risk against loss",
            body: frontier(comparison),
        });
    }
    sections.push(Section {
        id: "choices",
        heading: "All choices",
        body: choice_table(
            "All choices",
            &comparison.varied(),
            &comparison.choices.iter().collect::<Vec<_>>(),
        ),
    });
    if comparison.has_any() {
        sections.push(Section { id: "kept", heading: "What is kept", body: retained(comparison) });
    }
    let page = Page {
        kicker: "A comparison for the holder",
        title: comparison.title.as_deref().unwrap_or("A policy without a title"),
        opening: opening(comparison),
        sections,
        footer: "Written by Indistinct. Not part of any release.".to_owned(),
    };
    page.render()
}

fn opening(comparison: &Comparison) -> Markup {
    let (n, found) = (comparison.choices.len() as u64, comparison.releases().count() as u64);
    let on_frontier = comparison.releases().filter(|(_, release)| release.on_frontier).count();
    html! {
        (keep_this_page("It tells about the original table"))
        p.lead {
            "Each choice is the policy with another " @for name in comparison.varied() { (name) ", " } "k, method or suppression limit; "
            "everything else in it stays as it is. Every release behind these figures was certified, and none was written."
        }
        (cards(&[
            ("rows", words::thousands(comparison.n_rows)),
            ("choices", words::thousands(n)),
            ("that give a release", words::thousands(found)),
            ("on the frontier", words::thousands(on_frontier as u64)),
        ]))
    }
}

/// The frontier; one for each combination of other parameters, since a weaker requirement costs less and protects less.
pub(crate) fn frontier(comparison: &Comparison) -> Markup {
    let combinations = comparison.combinations();
    html! { @for parameters in &combinations { (frontier_of(comparison, parameters)) } }
}

fn frontier_of(comparison: &Comparison, parameters: &BTreeMap<String, f64>) -> Markup {
    let own = || comparison.releases().filter(|(choice, _)| choice.parameters == *parameters);
    let points = |on: bool| {
        let of = own().filter(move |(_, release)| release.on_frontier == on);
        // A picture with a logarithmic scale has no place for 0.
        let points = of.map(|(_, release)| (release.risk_max, release.loss));
        points.filter(|point| point.0 > 0.0 && point.1 > 0.0).collect::<Vec<(f64, f64)>>()
    };
    let (mut edge, marks) = (points(true), points(false));
    edge.sort_by(|a, b| a.0.total_cmp(&b.0));
    edge.dedup();
    let best: Vec<&Choice> =
        own().filter(|(_, release)| release.on_frontier).map(|(choice, _)| choice).collect();
    let assignments =
        parameters.iter().map(|(name, value)| format!("{name} = {}", words::number(*value)));
    let title = match parameters.is_empty() {
        true => "The frontier".to_owned(),
        false => format!("The frontier with {}", words::list(&assignments.collect::<Vec<_>>())),
    };
    let numbers = choice_table(&title, &comparison.varied(), &best);
    let drawn = Curve {
        points: &edge,
        marks: &marks,
        names: ["below what was tried", "other choices"],
        axes: ["highest risk of a row", "loss"],
    };
    let at = |risk| format!("at {}", words::percent(risk));
    let Some(description) = drawn.ends("Falling curve of loss against the highest risk", at) else {
        return numbers;
    };
    figure(
        &title,
        "The edge of the area is the least loss at each risk. A choice above the edge costs more than it must.",
        &curve(&drawn, &description),
        numbers,
    )
}

/// The figures that can be compared with any release of the table.
fn retained(comparison: &Comparison) -> Markup {
    let rows = comparison.releases().map(|(choice, release)| {
        let mut row = vec![cell(&choice.method), cell(words::thousands(choice.k))];
        row.extend(choice.parameters.values().map(|value| cell(words::number(*value))));
        row.push(cell(words::percent(choice.suppression_limit)));
        let shown = |value: Option<f64>| value.map_or("–".to_owned(), words::percent);
        row.extend(RETAINED.iter().map(|(_, of)| cell(shown(of(&release)))));
        row
    });
    let rows = rows.collect();
    let mut header = vec![("Method", Column::Plain), ("k", Column::Number)];
    header.extend(comparison.varied().iter().map(|name| (*name, Column::Number)));
    header.push(("Limit", Column::Number));
    header.extend(RETAINED.iter().map(|(name, _)| (*name, Column::Number)));
    html! {
        p { (RETAINED_MEANS) "." }
        (table("What is kept", &header, rows))
    }
}

fn choice_table(caption: &str, varied: &[&str], choices: &[&Choice]) -> Markup {
    let rows = choices.iter().map(|choice| {
        let mut row = vec![cell(&choice.method), cell(words::thousands(choice.k))];
        row.extend(choice.parameters.values().map(|value| cell(words::number(*value))));
        row.push(cell(words::percent(choice.suppression_limit)));
        match (&choice.release, &choice.why_not) {
            (Some(release), _) => row.extend([
                cell(words::percent(release.risk_max)),
                cell(words::percent(release.risk_mean)),
                cell(words::number(release.loss)),
                cell(words::thousands(release.n_suppressed)),
                cell(words::thousands(release.n_classes)),
                cell(choice.remark()),
            ]),
            (None, why_not) => {
                row.extend([(); 5].map(|()| cell("–")));
                row.push(cell(why_not.as_deref().unwrap_or_default()));
            }
        }
        row
    });
    let rows = rows.collect();
    let mut header = vec![("Method", Column::Plain), ("k", Column::Number)];
    header.extend(varied.iter().map(|name| (*name, Column::Number)));
    header.extend([
        ("Limit", Column::Number),
        ("Highest risk", Column::Number),
        ("Mean risk", Column::Number),
        ("Loss", Column::Number),
        ("Suppressed", Column::Number),
        ("Classes", Column::Number),
        ("", Column::Text),
    ]);
    table(caption, &header, rows)
}
