//! `report.html` beside the release: what only the holder of the table may know.

use std::collections::BTreeMap;

use indistinct_answers::RECONSTRUCTION_ERROR;
use indistinct_answers::advice::{EpsilonUnit, TradeOff};
use indistinct_core::{CountedUnit, PrincipleClaim, SuppressionRule, loss};
use maud::{Markup, html};

use crate::exhibits::{self, AttributeLoss, Reader, Report, gathered};
use crate::layout::{Column, Page, Section, cards, cell, table};
use crate::parts::{self, fraction, keep_this_page};
use crate::private_facts::{PrivatePage, Reason, SensitiveValues, Suppression};
use crate::{search_section, why, words};

/// The holder's report: one HTML page, and the numbers behind its pictures.
pub fn private_page(input: &PrivatePage<'_>) -> Report {
    let mut files = Vec::new();
    let (before, after) = (input.before, input.after);
    let risks = vec![
        exhibits::risk_before_and_after(before, after),
        exhibits::risk_distributions(before, after),
        exhibits::class_sizes_before_and_after(before, after),
    ];
    let risks = gathered(risks, &mut files);
    let sensitive =
        input.sensitive.iter().map(|it| exhibits::sensitive_values(it, Reader::Holder)).collect();
    let sensitive = gathered(sensitive, &mut files);
    let lost = gathered(vec![lost(input)], &mut files);
    let marginals = gathered(input.marginals.iter().map(exhibits::marginal).collect(), &mut files);
    let down = match input.attributes {
        [] => Vec::new(),
        attributes => {
            let limit = input.suppression.limit_fraction;
            vec![exhibits::one_level_down(attributes, input.input.n_rows, limit)]
        }
    };
    let down = gathered(down, &mut files);
    let trade_offs = gathered(trade_offs(input.trade_offs), &mut files);

    let mut sections = Vec::new();
    if !input.warnings.is_empty() {
        sections.push(Section {
            id: "warnings",
            heading: "Warnings",
            body: html! { div.note { ul { @for warning in input.warnings { li { (words::label(warning)) } } } } },
        });
    }
    sections.extend([
        Section {
            id: "risk",
            heading: "Risk before and after",
            body: html! { (risk(input)) div.grid { (risks) } },
        },
        Section {
            id: "principles",
            heading: "Principles before and after",
            body: principles(input),
        },
    ]);
    if !input.population.is_empty() {
        sections.push(Section {
            id: "population",
            heading: "As a part of a population",
            body: population(input),
        });
    }
    if !input.sensitive.is_empty() {
        sections.push(Section {
            id: "sensitive",
            heading: "What classes tell about sensitive values",
            body: html! { div.grid { (sensitive) } },
        });
    }
    sections.extend([
        Section {
            id: "loss",
            heading: "What it cost",
            body: html! { (losses(input)) div.grid { (lost) } },
        },
        Section {
            id: "marginals",
            heading: "How often values occur, before and after",
            body: html! { div.grid { (marginals) } },
        },
        Section { id: "suppression", heading: "What was suppressed", body: suppression(input) },
        Section {
            id: "recoding",
            heading: "Why this recoding",
            body: html! { (why::chosen(input)) (search_section::recoding(input)) div.grid { (down) } },
        },
    ]);
    if !input.trade_offs.is_empty() {
        sections.push(Section {
            id: "trade-off",
            heading: "What else the policy could ask for",
            body: html! {
                p {
                    "How near to each other sensitive values may be (epsilon) and how many of them there must be (m) limit each other, whatever "
                    "the recoding: " code { "indistinct advise" } " tells more."
                }
                div.grid { (trade_offs) }
            },
        });
    }
    sections.extend([
        Section { id: "search", heading: "The search", body: search_section::search(input) },
        Section { id: "input", heading: "The original table", body: original(input) },
    ]);
    let page = Page {
        kicker: "Private report for the holder",
        title: input.title.unwrap_or("A release without a title"),
        opening: opening(input),
        sections,
        footer: "Written by Indistinct. Not part of the release.".to_owned(),
    };
    Report { page: page.render(), files }
}

fn trade_offs(all: &[TradeOff]) -> Vec<exhibits::Exhibit> {
    let units = all.iter().flat_map(|it| {
        let absolute = Some((EpsilonUnit::Absolute, &it.numbers.absolute));
        let relative = it.numbers.relative.as_ref().map(|points| (EpsilonUnit::Relative, points));
        let asked = |unit| it.numbers.required.iter().any(move |required| required.unit == unit);
        [absolute, relative]
            .into_iter()
            .flatten()
            .filter(move |(unit, _)| asked(*unit))
            .map(move |(unit, points)| (it, unit, points))
    });
    units
        .map(|(it, unit, points)| exhibits::trade_off(&it.attribute, &it.numbers, unit, points))
        .collect()
}

fn opening(input: &PrivatePage<'_>) -> Markup {
    let suppressed = input.suppression.n_suppressed;
    let objective = value_of(input.losses, input.objective);
    html! {
        (keep_this_page("It tells about the original table more than the release does"))
        (why::in_short(input))
        (cards(&[
            ("rows read", words::thousands(input.input.n_rows)),
            ("rows released", words::thousands(input.after.n_released)),
            ("rows suppressed", format!("{} ({})", words::thousands(suppressed), words::share(suppressed, input.input.n_rows))),
            ("highest risk of a row, before", fraction(input.before.risk.prosecutor_max)),
            ("highest risk of a row, after", fraction(input.after.risk.prosecutor_max)),
            (input.objective, objective.map_or("–".to_owned(), words::number)),
        ]))
    }
}

/// A loss by name; JSON writes the names with underscores.
fn value_of(losses: &BTreeMap<&'static str, f64>, name: &str) -> Option<f64> {
    losses.get(name).or_else(|| losses.get(name.replace('-', "_").as_str())).copied()
}

fn risk(input: &PrivatePage<'_>) -> Markup {
    html! {
        @if let Some(words) = words::risk(&input.after.risk, CountedUnit::of(&input.after.principles)) {
            p { "In the release: " (words.prosecutor) " " (words.marketer) }
        }
    }
}

fn population(input: &PrivatePage<'_>) -> Markup {
    html! {
        p {
            "Estimates, by what the policy says of the population and of who lives together. They rest on models and are for you: no principle "
            "uses them."
        }
        @for (heading, sentences) in input.population {
            h3 { (heading) }
            ul { @for sentence in sentences { li { (sentence) } } }
        }
    }
}

fn principles(input: &PrivatePage<'_>) -> Markup {
    let before = &input.before.principles;
    let rows = input
        .after
        .principles
        .iter()
        .enumerate()
        .map(|(at, after)| {
            let original = before.get(at).filter(|before| {
                (&before.kind, &before.attribute, before.counts)
                    == (&after.kind, &after.attribute, after.counts)
            });
            vec![
                cell(words::claim_name(after)),
                quantities(after, |quantity| quantity.required.as_ref()),
                html! { @match original {
                    Some(claim) => { (quantities(claim, |quantity| quantity.reached.as_ref())) }
                    None => { "–" }
                } },
                cell(original.map_or("–".into(), |claim| failing(claim, input.input.n_rows))),
                html! { (quantities(after, |quantity| quantity.reached.as_ref())) (parts::badge(after)) },
            ]
        })
        .collect();
    html! {
        p { "In the original table, rows with equal quasi-identifiers as they were form the classes." }
        (table(
            "Required and reached, before and after",
            &[
                ("Principle", Column::Plain),
                ("Required", Column::Plain),
                ("Original table", Column::Plain),
                ("Rows in failing classes", Column::Number),
                ("Release", Column::Plain),
            ],
            rows,
        ))
    }
}

fn failing(claim: &PrincipleClaim, n_rows: u64) -> String {
    let n_failing = claim.n_failing_rows;
    format!("{} ({})", words::thousands(n_failing), words::share(n_failing, n_rows))
}

fn quantities(claim: &PrincipleClaim, value: fn(&words::Quantity) -> Option<&String>) -> Markup {
    let texts: Vec<String> = words::quantities(claim)
        .iter()
        .filter_map(|quantity| Some(format!("{}: {}", quantity.name, value(quantity)?)))
        .collect();
    cell(if texts.is_empty() { "–".to_owned() } else { texts.join(", ") })
}

fn losses(input: &PrivatePage<'_>) -> Markup {
    let rows = input
        .losses
        .iter()
        .map(|(name, value)| {
            let registered = loss::find(name).or_else(|| loss::find(&name.replace('_', "-")));
            let (definition, source) = match registered {
                Some(loss) => (parts::sentence(loss.definition), loss.source),
                None if *name == RECONSTRUCTION_ERROR => {
                    let (definition, source) = parts::RECONSTRUCTION_ERROR;
                    (definition.to_owned(), source)
                }
                None => (String::new(), ""),
            };
            vec![
                html! {
                    (name)
                    @if *name == input.objective { " " span.badge { "minimized" } }
                },
                cell(words::number(*value)),
                cell(definition),
                cell(source),
            ]
        })
        .collect();
    html! {
        p { "Lower is better for every loss. Each one measures something else; none of them says how well your own analysis will work." }
        (table(
            "Losses of the release",
            &[
                ("Loss", Column::Plain),
                ("Value", Column::Number),
                ("Definition", Column::Text),
                ("Source", Column::Plain),
            ],
            rows,
        ))
    }
}

/// What each attribute lost.
fn lost(input: &PrivatePage<'_>) -> exhibits::Exhibit {
    // With levels in their order; otherwise by name.
    match input.attributes {
        [] => {
            let to = match input.sensitive_values {
                SensitiveValues::Perturbed { .. } => "the original value",
                _ => "values of each class",
            };
            let each = input.attribute_losses.iter();
            let lost: Vec<AttributeLoss<'_>> = each
                .map(|(name, loss)| AttributeLoss {
                    attribute: name,
                    to: to.to_owned(),
                    loss: *loss,
                })
                .collect();
            exhibits::losses(&lost)
        }
        attributes => {
            let lost: Vec<AttributeLoss<'_>> = attributes
                .iter()
                .map(|it| AttributeLoss {
                    attribute: &it.name,
                    to: words::level(it.level, Some(it.n_levels)),
                    loss: it.loss,
                })
                .collect();
            exhibits::losses(&lost)
        }
    }
}

fn suppression(input: &PrivatePage<'_>) -> Markup {
    let Suppression { n_suppressed, limit_fraction, treatment, cells } = input.suppression;
    let limit = words::percent(limit_fraction);
    html! {
        @if n_suppressed == 0 {
            p { "No row was suppressed; the policy allows " (limit) " of the rows." }
        } @else {
            p {
                (words::rows(n_suppressed)) " of " (words::thousands(input.input.n_rows)) " ("
                (words::share(n_suppressed, input.input.n_rows)) ") "
                (if n_suppressed == 1 { "was" } else { "were" })
                " suppressed, because "
                (if n_suppressed == 1 { "its class" } else { "their classes" })
                " would not satisfy every principle. The policy allows " (limit) " of the rows."
            }
            p {
                @match treatment {
                    SuppressionRule::Dropped => "They are not in the release.",
                    SuppressionRule::Starred => {
                        "They are in the release, with * for every quasi-identifier, and form a class of their own that "
                        "satisfies every principle."
                    }
                    SuppressionRule::Cells => {
                        "They are in the release, with * in place of the cells that stood in the way. * is a value like others, and "
                        "every principle holds in the classes that it makes."
                    }
                }
            }
            @if let Some(cells) = cells {
                p {
                    "Suppressed cells, by column: "
                    (words::list(&cells.iter().map(|(name, rows)| format!("{name} in {}", words::rows(*rows))).collect::<Vec<_>>()))
                    "."
                }
            }
        }
    }
}

fn original(input: &PrivatePage<'_>) -> Markup {
    let facts = &input.input;
    let dropped = |reason| -> Vec<String> {
        let columns = input.dropped_columns.iter().filter(|column| column.reason == reason);
        columns.map(|column| words::label(column.name)).collect()
    };
    let identifiers = dropped(Reason::Identifier);
    let unlisted = dropped(Reason::Unlisted);
    html! {
        dl.terms {
            @if let Some(location) = facts.location { dt { "Read from" } dd { code { (words::label(location)) } } }
            dt { "Rows" } dd { (words::thousands(facts.n_rows)) }
            dt { "Columns" } dd { (words::thousands(facts.n_columns)) }
            @if let Some(digest) = facts.digest { dt { "Digest" } dd { code { (digest) } } }
            dt { "Direct identifiers left out" }
            dd { (if identifiers.is_empty() { "none".to_owned() } else { words::list(&identifiers) }) }
            dt { "Columns left out that the policy does not name" }
            dd { (if unlisted.is_empty() { "none".to_owned() } else { words::list(&unlisted) }) }
        }
    }
}
