//! Sections about the search and about the effect of a lower level of each attribute.

use std::collections::BTreeMap;

use indistinct_core::Optimality;

use super::input::{PrivatePage, SensitiveValues};
use crate::document::{Align, Block, Text, code, left, paragraph, right, strong, wide};
use crate::figures::{cell, label_cell, table};
use crate::messages::{fields, filled};
use crate::text;
use crate::words;

/// The maximum number of minimal nodes that the page lists.
const MAX_NODES: usize = 100;

/// Describes the level of each attribute, or explains why attributes have no levels.
pub(super) fn recoding(input: &PrivatePage<'_>) -> Vec<Block> {
    match input.sensitive_values {
        SensitiveValues::Perturbed { .. } => {
            return vec![paragraph(
                "Quasi-identifiers are released with their original values. The next section \
                 describes how sensitive values are perturbed.",
            )];
        }
        SensitiveValues::Separate => {
            return vec![paragraph(text!(
                "Quasi-identifiers are released with their original values in a separate table, \
                 and every released sensitive value is correct. The release does not show which \
                 row of a class has which sensitive value. The folder {} next to this page lists \
                 the class of each combination of values.",
                code("mapping")
            ))];
        }
        SensitiveValues::InRows => {}
    }
    if input.attributes.is_empty() {
        let why = match input.suppression.cells.is_some() && input.suppression.n_suppressed > 0 {
            true => {
                "Because single cells were suppressed, values of an attribute can have different \
                 levels."
            }
            false => {
                "Every class has its own released values, so attributes do not have a single level."
            }
        };
        return vec![paragraph(text!(
            "{} The loss of each attribute is shown above. The folder {} next to this page records \
             how each combination of values and each input row was recoded.",
            why,
            code("mapping")
        ))];
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
    vec![
        paragraph(
            "For each attribute, the table shows the effect of the next lower level while all \
             other levels stay the same. Failing classes would be suppressed.",
        ),
        Block::Table(table(
            "The level of each attribute and the effect of the next lower level",
            &[left("Attribute"), left("Generalized to"), right("Loss"), wide("One level lower")],
            rows,
        )),
    ]
}

/// Describes the result and the computational effort of the search.
pub(super) fn search(input: &PrivatePage<'_>) -> Vec<Block> {
    let mut facts: Vec<(Text, Text)> = vec![("Minimized".into(), input.objective.into())];
    if let Some(lattice) = input.effort.lattice {
        let evaluated = format!(
            "{} ({})",
            words::thousands(lattice.n_evaluated),
            words::share(lattice.n_evaluated, lattice.n_nodes)
        );
        facts.extend([
            ("Nodes of the lattice".into(), words::thousands(lattice.n_nodes).into()),
            ("Evaluated".into(), evaluated.into()),
            ("Excluded by a proof".into(), words::thousands(lattice.n_pruned).into()),
        ]);
    }
    if let Some(seconds) = input.effort.seconds {
        facts.push(("Time".into(), format!("{} s", words::number(seconds)).into()));
    }
    let mut blocks = vec![paragraph(result(input)), Block::Facts(facts)];
    blocks.extend(input.minimal_nodes.iter().flat_map(|nodes| minimal_nodes(input, nodes)));
    blocks
}

fn result(input: &PrivatePage<'_>) -> Text {
    let mut fields = fields(&input.optimality);
    fields.insert("objective".to_owned(), input.objective.into());
    let key = match input.optimality {
        Optimality::Stopped { .. } => return stopped(input),
        Optimality::Heuristic if !input.attributes.is_empty() => "heuristic-of-levels",
        Optimality::Heuristic if input.suppression.cells.is_none() => "heuristic-of-classes",
        Optimality::LargestRetention => {
            let changed = match input.sensitive_values {
                SensitiveValues::Perturbed { n_changed } => format!(
                    " In this release, {} ({}) received a different sensitive value.",
                    words::rows(n_changed),
                    words::share(n_changed, input.input.n_rows)
                ),
                _ => String::new(),
            };
            fields.insert("changed".to_owned(), changed.into());
            "largest-retention"
        }
        _ => fields["status"].as_str().unwrap_or_default(),
    };
    filled("search", key, &fields)
}

fn stopped(input: &PrivatePage<'_>) -> Text {
    let lead = strong("The search was stopped. ");
    if input.sensitive_values == SensitiveValues::Separate {
        return text!(
            "{}The remaining rows form a single class, which contains little information. With \
             more time, the search might have formed more classes.",
            lead
        );
    }
    let mut found =
        text!("{}This recoding is the best one that was found; a better one may exist.", lead);
    if let Optimality::Stopped { lower_bound, gap_fraction: Some(gap) } = input.optimality {
        let bound = lower_bound
            .map_or(String::new(), |bound| format!(", which is at least {}", words::number(bound)));
        found.push(format!(
            " Its {} is provably at most {} above the optimum{bound}.",
            input.objective,
            words::percent(gap)
        ));
    }
    found
}

fn minimal_nodes(input: &PrivatePage<'_>, nodes: &[BTreeMap<String, usize>]) -> Vec<Block> {
    let names: Vec<String> = input.attributes.iter().map(|it| words::label(&it.name)).collect();
    let attributes = names.iter().map(|name| right(name.as_str()));
    let columns: Vec<(&str, Align)> = std::iter::once(left("Node")).chain(attributes).collect();
    let rows: Vec<Vec<Text>> = nodes
        .iter()
        .take(MAX_NODES)
        .enumerate()
        .map(|(at, node)| {
            let levels = input.attributes.iter().map(|attribute| {
                cell(node.get(&attribute.name).map_or("–".to_owned(), ToString::to_string))
            });
            std::iter::once(cell((at + 1).to_string())).chain(levels).collect()
        })
        .collect();
    let first = match nodes.len() > MAX_NODES {
        true => format!(" The first {MAX_NODES} of them:"),
        false => String::new(),
    };
    let lead = format!(
        "{} minimal: a minimal node satisfies the policy, but no node strictly below it \
         does.{first}",
        words::counted(nodes.len() as u64, "node is", "nodes are")
    );
    let mut blocks = vec![paragraph(lead)];
    if !rows.is_empty() {
        let caption = "Minimal nodes: the level of each attribute";
        blocks.push(Block::Table(table(caption, &columns, rows)));
    }
    blocks
}
