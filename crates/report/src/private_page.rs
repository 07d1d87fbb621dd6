//! `report.html` beside the release: what only the holder of the table may know.

use std::collections::BTreeMap;

use indistinct_core::{PrincipleClaim, Suppressed, loss};
use maud::{Markup, html};

use crate::advice::EpsilonUnit;
use crate::exhibits::{self, AttributeLoss, Reader, Report, TradeOff, gathered};
use crate::layout::{Column, Page, Section, cards, cell, label_cell, table};
use crate::parts::{self, fraction};
use crate::private_facts::{PrivatePage, Reason, SearchEnd, Suppression};
use crate::{why, words};

/// The most minimal nodes that the page lists.
const MOST_NODES: usize = 100;

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
            body: html! { (why::chosen(input)) (recoding(input)) div.grid { (down) } },
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
        Section { id: "search", heading: "The search", body: search(input) },
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
        div.note {
            p {
                strong { "Keep this page. " }
                "It tells about the original table more than the release does: do not hand it out."
            }
        }
        (why::in_short(input))
        (cards(&[
            ("rows read", words::thousands(input.input.n_rows)),
            ("rows released", words::thousands(input.after.n_released)),
            ("rows suppressed", format!("{} ({})", words::thousands(suppressed), words::share(suppressed, input.input.n_rows))),
            ("highest risk, before", fraction(input.before.risk.prosecutor_max)),
            ("highest risk, after", fraction(input.after.risk.prosecutor_max)),
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
        @if let Some(words) = words::risk(&input.after.risk) {
            p { "In the release: " (words.prosecutor) " " (words.marketer) }
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
                None if *name == crate::RECONSTRUCTION_ERROR => {
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

/// Whether the search looked at every node.
fn looked(end: &SearchEnd) -> words::Looked {
    match end {
        SearchEnd::Optimal => words::Looked::Everywhere,
        _ => words::Looked::NotEverywhere,
    }
}

/// What each attribute lost.
fn lost(input: &PrivatePage<'_>) -> exhibits::Exhibit {
    // With levels in their order; otherwise by name.
    match input.attributes {
        [] => {
            let to = match input.search.end {
                SearchEnd::LargestRetention { .. } => "the original value",
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
                    Suppressed::Dropped => "They are not in the release.",
                    Suppressed::Starred => {
                        "They are in the release, with * for every quasi-identifier, and form a class of their own that "
                        "satisfies every principle."
                    }
                    Suppressed::Cells => {
                        "They are in the release, with * in the place of the cells that stood in the way. * is a value like others, and "
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

fn recoding(input: &PrivatePage<'_>) -> Markup {
    if let SearchEnd::LargestRetention { .. } = input.search.end {
        return html! { p { "Quasi-identifiers are released as they are. Sensitive values are perturbed, as the next section says." } };
    }
    if let SearchEnd::Separated | SearchEnd::SeparatedUntilStopped = input.search.end {
        return html! {
            p {
                "Quasi-identifiers are released as they are, in a table of their own, and every released sensitive value is true. What is lost is "
                "which row of a class has which of its sensitive values. In which class the rows of each combination of values are is in the folder "
                code { "mapping" } " beside this page."
            }
        };
    }
    if input.attributes.is_empty() {
        return html! {
            p {
                "Every class has released values of its own, so there is no level of an attribute to explain. What each attribute "
                "lost stands above; what became of each combination of values, and of each row of the input, is in the folder "
                code { "mapping" } " beside this page."
            }
        };
    }
    let rows = input
        .attributes
        .iter()
        .map(|attribute| {
            vec![
                label_cell(&attribute.name),
                cell(words::level(attribute.level, Some(attribute.n_levels))),
                cell(words::percent(attribute.loss)),
                cell(words::one_level_down(
                    attribute,
                    input.input.n_rows,
                    looked(&input.search.end),
                )),
            ]
        })
        .collect();
    html! {
        p {
            "For each attribute: what would happen if it went down one level while all others stay as they are. Rows that would be "
            "in failing classes would have to be suppressed."
        }
        (table(
            "The level of each attribute, and what one level less would break",
            &[
                ("Attribute", Column::Plain),
                ("Generalized to", Column::Plain),
                ("Loss", Column::Number),
                ("One level less", Column::Text),
            ],
            rows,
        ))
    }
}

fn search(input: &PrivatePage<'_>) -> Markup {
    let facts = &input.search;
    html! {
        p {
            @match facts.end {
                SearchEnd::Optimal => {
                    "The search evaluated or ruled out every node of the lattice: no other combination of levels that satisfies the "
                    "policy has a lower " (input.objective) "."
                }
                SearchEnd::Stopped { at_least, gap_fraction } => {
                    strong { "The search was stopped. " }
                    "This is the best that it had found by then; there may be a better one."
                    @if let Some(gap) = gap_fraction {
                        " It is proved that its " (input.objective) " is at most " (words::percent(gap)) " above the optimum"
                        @if let Some(bound) = at_least { ", which is " (words::number(bound)) " or more" } "."
                    }
                }
                SearchEnd::Heuristic => {
                    "Every class has released values of its own. The method does not try all recodings: there may be one with a "
                    "lower " (input.objective) "."
                }
                SearchEnd::LargestRetention { n_changed } => {
                    "Sensitive values are perturbed: a row keeps its own with the largest probability that keeps the risk of every row within the "
                    "policy, rounded down to millionths. By the draws, the released sensitive value of " (words::rows(n_changed)) " ("
                    (words::share(n_changed, input.input.n_rows)) ") is not their own. Quasi-identifiers are released as they are; no "
                    "principle can be judged on the released rows."
                }
                SearchEnd::Masked => {
                    "Nothing was searched for: what became of which column the policy says. By how much values changed, the answer of "
                    code { "anonymize" } " tells; no principle can be judged on the released rows."
                }
                SearchEnd::Linked => {
                    "A recoding with less loss satisfies the policy by itself. This one was taken since more remains after linking with "
                    "earlier releases."
                }
                SearchEnd::Planned => {
                    "The classes and their released values are those of the plan; nothing was searched for."
                }
                SearchEnd::Separated => {
                    "Each class takes a row of each of the most frequent sensitive values that are left, as many as it needs to hold; what is left at "
                    "the end goes to classes that can take it. Which rows these are was drawn by chance. Many small classes lose least; the "
                    "method does not try all divisions."
                }
                SearchEnd::SeparatedUntilStopped => {
                    strong { "The search was stopped. " }
                    "All rows that were left then make one class, which tells little about their sensitive values; with more time there are more classes."
                }
            }
        }
        dl.terms {
            dt { "Minimized" } dd { (input.objective) }
            @if let Some(lattice) = facts.lattice {
                dt { "Nodes of the lattice" } dd { (words::thousands(lattice.n_nodes)) }
                dt { "Evaluated" } dd {
                    (words::thousands(lattice.n_evaluated)) " ("
                    (words::share(lattice.n_evaluated, lattice.n_nodes)) ")"
                }
                dt { "Ruled out by a proof" } dd { (words::thousands(lattice.n_pruned)) }
            }
            @if let Some(seconds) = facts.seconds { dt { "Time" } dd { (words::number(seconds)) " s" } }
        }
        @if let Some(nodes) = input.minimal_nodes { (minimal_nodes(input, nodes)) }
    }
}

fn minimal_nodes(input: &PrivatePage<'_>, nodes: &[BTreeMap<String, usize>]) -> Markup {
    let columns: Vec<(String, Column)> = std::iter::once(("Node".to_owned(), Column::Plain))
        .chain(
            input
                .attributes
                .iter()
                .map(|attribute| (words::label(&attribute.name), Column::Number)),
        )
        .collect();
    let columns: Vec<(&str, Column)> =
        columns.iter().map(|(name, column)| (name.as_str(), *column)).collect();
    let rows = nodes
        .iter()
        .take(MOST_NODES)
        .enumerate()
        .map(|(at, node)| {
            let levels = input.attributes.iter().map(|attribute| {
                cell(node.get(&attribute.name).map_or("–".to_owned(), ToString::to_string))
            });
            std::iter::once(cell((at + 1).to_string())).chain(levels).collect()
        })
        .collect();
    html! {
        p {
            (words::counted(nodes.len() as u64, "node is", "nodes are"))
            " minimal: the policy holds there, and at no node strictly below."
            @if nodes.len() > MOST_NODES { " The first " (MOST_NODES) " of them:" }
        }
        @if !nodes.is_empty() { (table("Minimal nodes: the level of each attribute", &columns, rows)) }
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
