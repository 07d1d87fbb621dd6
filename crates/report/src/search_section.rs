//! How the recoding was found, and what one level less of each attribute would break.

use std::collections::BTreeMap;

use indistinct_core::Optimality;
use maud::{Markup, html};

use crate::layout::{Column, cell, label_cell, table};
use crate::private_facts::{PrivatePage, SensitiveValues};
use crate::words;

/// The most minimal nodes that the page lists.
const MOST_NODES: usize = 100;

/// The level of each attribute, or why there is none.
pub(crate) fn recoding(input: &PrivatePage<'_>) -> Markup {
    if let SensitiveValues::Perturbed { .. } = input.sensitive_values {
        return html! { p { "Quasi-identifiers are released as they are. Sensitive values are perturbed, as the next section says." } };
    }
    if input.sensitive_values == SensitiveValues::Separate {
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
                @if input.suppression.cells.is_some() && input.suppression.n_suppressed > 0 {
                    "Single cells were suppressed, so that values of an attribute may have several levels: there is none to explain. "
                } @else { "Every class has released values of its own, so there is no level of an attribute to explain. " }
                "What each attribute "
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
                cell(words::one_level_down(attribute, input.input.n_rows)),
            ]
        })
        .collect();
    html! {
        p {
            "For each attribute: what would happen if it went down one level while all others stay as they are. Classes that would "
            "fail would be suppressed."
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

/// How the search ended, and what it looked at.
pub(crate) fn search(input: &PrivatePage<'_>) -> Markup {
    let is_separate = input.sensitive_values == SensitiveValues::Separate;
    html! {
        p {
            @match input.optimality {
                Optimality::Proved => {
                    "The search evaluated or ruled out every node of the lattice: no other combination of levels that satisfies the "
                    "policy has a lower " (input.objective) "."
                }
                Optimality::ProvedForLevels => {
                    "The search evaluated or ruled out every node of the lattice: no other combination of levels that satisfies the "
                    "policy has a lower " (input.objective) " where the classes that fail are suppressed whole. Where single rows or "
                    "other classes are suppressed, there may be one."
                }
                Optimality::Stopped { .. } if is_separate => {
                    strong { "The search was stopped. " }
                    "All rows that were left then make one class, which tells little about their sensitive values; with more time there are more classes."
                }
                Optimality::Stopped { lower_bound, gap_fraction } => {
                    strong { "The search was stopped. " }
                    "This is the best that it had found by then; there may be a better one."
                    @if let Some(gap) = gap_fraction {
                        " It is proved that its " (input.objective) " is at most " (words::percent(gap)) " above the optimum"
                        @if let Some(bound) = lower_bound { ", which is " (words::number(bound)) " or more" } "."
                    }
                }
                Optimality::Heuristic if !input.attributes.is_empty() => {
                    "The method does not try all sets of rows to suppress: where others are suppressed, there may be a recoding with a "
                    "lower " (input.objective) "."
                }
                Optimality::Heuristic => {
                    @if input.suppression.cells.is_none() { "Every class has released values of its own. " }
                    "The method does not try all recodings: there may be one with a lower " (input.objective) "."
                }
                Optimality::LargestRetention => {
                    "Sensitive values are perturbed: a row keeps its own with the largest probability that keeps the risk of every row within the "
                    "policy, rounded down to millionths. "
                    @if let SensitiveValues::Perturbed { n_changed } = input.sensitive_values {
                        "By the draws, the released sensitive value of " (words::rows(n_changed)) " ("
                        (words::share(n_changed, input.input.n_rows)) ") is not their own. "
                    }
                    "Quasi-identifiers are released as they are; no "
                    "principle can be judged on the released rows."
                }
                Optimality::AsRequested => {
                    "Nothing was searched for: what became of which column the policy says. By how much values changed, the answer of "
                    code { "anonymize" } " tells; no principle can be judged on the released rows."
                }
                Optimality::CoarsenedForLinkage => {
                    "A recoding with less loss satisfies the policy by itself. This one was taken since more remains after linking with "
                    "earlier releases."
                }
                Optimality::ByPlan => {
                    "The classes and their released values are those of the plan; nothing was searched for."
                }
                Optimality::Separated => {
                    "Each class takes a row of each of the most frequent sensitive values that are left, as many as it needs to hold; what is left at "
                    "the end goes to classes that can take it. Which rows these are was drawn by chance. Many small classes lose least; the "
                    "method does not try all divisions."
                }
            }
        }
        dl.terms {
            dt { "Minimized" } dd { (input.objective) }
            @if let Some(lattice) = input.effort.lattice {
                dt { "Nodes of the lattice" } dd { (words::thousands(lattice.n_nodes)) }
                dt { "Evaluated" } dd {
                    (words::thousands(lattice.n_evaluated)) " ("
                    (words::share(lattice.n_evaluated, lattice.n_nodes)) ")"
                }
                dt { "Ruled out by a proof" } dd { (words::thousands(lattice.n_pruned)) }
            }
            @if let Some(seconds) = input.effort.seconds { dt { "Time" } dd { (words::number(seconds)) " s" } }
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
