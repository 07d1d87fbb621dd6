//! The page of `indistinct compare`: what each choice costs, for the holder.

use maud::{Markup, html};

use crate::comparison::{Choice, Comparison};
use crate::layout::{Column, Page, Section, cards, cell, figure, table};
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
        body: choices(&comparison.choices),
    });
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
        div.note {
            p {
                strong { "Keep this page. " }
                "It tells about the original table: do not hand it out."
            }
        }
        p.lead {
            "Each choice is the policy with another k, method or suppression limit; everything else in it stays as it is. Every release behind "
            "these figures was certified, and none was written."
        }
        (cards(&[
            ("rows", words::thousands(comparison.n_rows)),
            ("choices", words::thousands(n)),
            ("that give a release", words::thousands(found)),
            ("on the frontier", words::thousands(on_frontier as u64)),
        ]))
    }
}

pub(crate) fn frontier(comparison: &Comparison) -> Markup {
    let mut edge: Vec<(f64, f64)> = comparison
        .releases()
        .filter(|(_, release)| release.on_frontier)
        .map(|(_, release)| (release.risk_max, release.loss))
        .collect();
    edge.sort_by(|a, b| a.0.total_cmp(&b.0));
    edge.dedup();
    let marks: Vec<(f64, f64)> = comparison
        .releases()
        .filter(|(_, release)| !release.on_frontier)
        .map(|(_, release)| (release.risk_max, release.loss))
        .collect();
    // A picture with a logarithmic scale has no place for 0.
    let is_shown = |point: &(f64, f64)| point.0 > 0.0 && point.1 > 0.0;
    let (edge, marks): (Vec<_>, Vec<_>) =
        (edge.into_iter().filter(is_shown).collect(), marks.into_iter().filter(is_shown).collect());
    let best: Vec<&Choice> = comparison
        .choices
        .iter()
        .filter(|choice| choice.release.is_some_and(|release| release.on_frontier))
        .collect();
    let numbers = choice_table("The frontier", &best);
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
        "The frontier",
        "The edge of the area is the least loss at each risk. A choice above the edge costs more than it must.",
        &curve(&drawn, &description),
        numbers,
    )
}

fn choices(all: &[Choice]) -> Markup {
    choice_table("All choices", &all.iter().collect::<Vec<_>>())
}

fn choice_table(caption: &str, choices: &[&Choice]) -> Markup {
    let rows = choices.iter().map(|choice| {
        let mut row = vec![
            cell(&choice.method),
            cell(words::thousands(choice.k)),
            cell(words::percent(choice.suppression_limit)),
        ];
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
    table(
        caption,
        &[
            ("Method", Column::Plain),
            ("k", Column::Number),
            ("Limit", Column::Number),
            ("Highest risk", Column::Number),
            ("Mean risk", Column::Number),
            ("Loss", Column::Number),
            ("Suppressed", Column::Number),
            ("Classes", Column::Number),
            ("", Column::Text),
        ],
        rows.collect(),
    )
}
