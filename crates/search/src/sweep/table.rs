//! The sweep of a counted table under a policy.

use std::ops::RangeInclusive;
use std::sync::Arc;
use std::time::Instant;

use indistinct_core::loss::information;
use indistinct_core::model::{Branch, Taxonomy, to_f64};
use indistinct_core::principle::{DependsOn, Merging, ParameterValue, Subject, find};
use indistinct_core::{
    Cell, Classes, FrequencyTable, Generalization, Hierarchy, Observer, Others, Part, Policy,
    Rational, Recoding, Requirement, STAR, Secrets, Suppressed,
};

use super::engine::Swept;
use super::rows::{SweptAttribute, SweptRows, nodes_of_levels};
use super::{
    ASSUMPTION, Choice, Clock, Found, Infeasible, Options, Outcome, SweepError, TauL, run,
};
use crate::released;

/// What is swept.
#[derive(Debug, Clone)]
pub struct Problem<'a> {
    /// The counted table.
    pub table: &'a FrequencyTable,
    /// What a release must meet.
    pub policy: &'a Policy,
    /// The weight of each quasi-identifier: its importance in the order of classes, and in the loss.
    pub weights: Vec<f64>,
    /// For each quasi-identifier its lowest and highest level.
    pub bounds: Vec<RangeInclusive<usize>>,
    /// Which secrets are generalized.
    pub choice: Choice,
}

/// What the policy asks of a class.
struct Required<'a> {
    attribute: usize,
    taxonomy: Arc<Taxonomy>,
    tau_l: TauL,
    smallest_size: u64,
    policy: &'a Policy,
}

impl<'a> Required<'a> {
    fn of(problem: &Problem<'a>) -> Result<Self, SweepError> {
        let policy = problem.policy;
        let is_on_nodes = |requirement: &&Requirement| requirement.principle.taxonomy().is_some();
        let on_nodes: Vec<&Requirement> = policy.requirements.iter().filter(is_on_nodes).collect();
        let wrong = SweepError::NotOneTaxonomyRequirement { n_requirements: on_nodes.len() };
        let [requirement] = on_nodes[..] else { return Err(wrong) };
        for other in policy.requirements.iter().filter(|requirement| !is_on_nodes(requirement)) {
            let is_on_size = find(other.kind).is_some_and(|kind| kind.subject == Subject::Class)
                && other.principle.merging() == Merging::Keeps
                && other.principle.depends_on() == DependsOn::Class;
            if !is_on_size {
                return Err(SweepError::NotServed { kind: other.kind });
            }
        }
        if requirement.others == Others::QuasiIdentifier && problem.table.sensitive().len() > 1 {
            return Err(SweepError::OthersNotServed { kind: requirement.kind });
        }
        let not_served = || SweepError::NotServed { kind: requirement.kind };
        let attribute = requirement
            .attribute
            .as_deref()
            .and_then(|name| problem.table.sensitive_index(name))
            .ok_or_else(not_served)?;
        let taxonomy = requirement.taxonomy.clone().ok_or_else(not_served)?;
        let effective = requirement.principle.effective_parameters(&requirement.parameters);
        let number = |name: &str| match effective.0.get(name) {
            Some(ParameterValue::Number(number)) => Ok(*number),
            _ => Err(not_served()),
        };
        let Some(ParameterValue::Table(weights)) = effective.0.get("weights") else {
            return Err(not_served());
        };
        let weight = |leaf: &str| match weights.get(leaf) {
            Some(ParameterValue::Number(weight)) => *weight,
            _ => Rational::from_integer(0),
        };
        let weights = taxonomy.leaf_labels().map(weight).collect();
        let tau_l = TauL { tau: number("tau")?, l: number("l")?, weights };
        let on_size = policy.requirements.iter().filter(|requirement| !is_on_nodes(requirement));
        let smallest_size =
            on_size.map(|requirement| requirement.principle.smallest_size()).max().unwrap_or(1);
        Ok(Self { attribute, taxonomy, tau_l, smallest_size, policy })
    }

    fn has_equal_weights(&self) -> bool {
        let mut positive =
            self.tau_l.weights.iter().filter(|weight| **weight > Rational::from_integer(0));
        let first = positive.next();
        positive.all(|weight| Some(weight) == first)
    }
}

fn check(problem: &Problem<'_>) -> Result<(), SweepError> {
    let expected = problem.table.quasi_identifiers().len();
    let lists = [
        ("hierarchies", problem.policy.hierarchies.len()),
        ("weights", problem.weights.len()),
        ("bounds", problem.bounds.len()),
    ];
    for (what, got) in lists {
        if got != expected {
            return Err(SweepError::Length { what, got, expected });
        }
    }
    let columns = problem.table.quasi_identifiers().iter();
    for ((column, hierarchy), bounds) in
        columns.zip(&problem.policy.hierarchies).zip(&problem.bounds)
    {
        let (min, max) = (*bounds.start(), *bounds.end());
        if min > max || max >= hierarchy.n_levels() {
            let (attribute, highest) = (column.name.clone(), hierarchy.n_levels() - 1);
            return Err(SweepError::Bounds { attribute, min, max, highest });
        }
    }
    Ok(())
}

/// Sweeps a table.
///
/// # Errors
/// [`SweepError`] if the problem is not well-formed or too large, the policy has principles that a sweep cannot serve, the
/// observer cancels or the time is up. That no recoding satisfies the policy is an [`Outcome`], not an error.
pub fn sweep(
    problem: &Problem<'_>,
    options: &Options,
    observer: &dyn Observer,
) -> Result<Outcome, SweepError> {
    check(problem)?;
    let required = Required::of(problem)?;
    let clock = Clock { observer, end: options.deadline.map(|limit| Instant::now() + limit) };
    let table = problem.table;
    let mut importance: Vec<usize> = (0..problem.weights.len()).collect();
    importance.sort_by(|&a, &b| problem.weights[b].total_cmp(&problem.weights[a]));
    let taxonomies: Vec<Taxonomy> = problem
        .policy
        .hierarchies
        .iter()
        .map(|hierarchy| Taxonomy::of_hierarchy(hierarchy).unwrap_or_else(nothing))
        .collect();
    let nodes: Vec<Vec<Vec<u32>>> = problem
        .policy
        .hierarchies
        .iter()
        .zip(&taxonomies)
        .map(|(hierarchy, taxonomy)| nodes_of_levels(hierarchy, taxonomy))
        .collect();
    let attribute = |&at: &usize| {
        let level = |level: usize| nodes[at].iter().map(|nodes| nodes[level]).collect();
        SweptAttribute {
            taxonomy: &taxonomies[at],
            base: level(*problem.bounds[at].start()),
            top: level(*problem.bounds[at].end()),
            codes: table.quasi_identifiers()[at].codes.clone(),
        }
    };
    let column = &table.sensitive()[required.attribute];
    let values = column.dictionary.values().iter();
    let secret_nodes: Vec<u32> =
        values.map(|value| required.taxonomy.node_of(value).unwrap_or(0)).collect();
    let rows = SweptRows {
        quasi_identifiers: importance.iter().map(attribute).collect(),
        taxonomy: &required.taxonomy,
        secrets: column.codes.iter().map(|&code| secret_nodes[code as usize]).collect(),
        counts: table.counts().to_vec(),
    };
    let swept = run(&rows, &required.tau_l, required.smallest_size, problem.choice, &clock)?;
    let is_unbounded = rows.quasi_identifiers.iter().all(|attribute| {
        attribute.top.iter().all(|&node| attribute.taxonomy.parent(node).is_none())
    });
    let Some(swept) = swept else {
        let is_proved = required.has_equal_weights() || table.n_rows() < required.smallest_size;
        return Ok(Outcome::Infeasible(Infeasible { is_proved, n_suppressed_needed: None }));
    };
    let n_suppressed = swept.rest.iter().map(|piece| piece.rows).sum();
    let is_allowed = required.policy.suppressed == Suppressed::Dropped
        && required.policy.allows_suppressing(n_suppressed, table);
    if n_suppressed > 0 && !is_allowed {
        let is_proved = is_unbounded && required.has_equal_weights();
        let n_suppressed_needed = Some(n_suppressed);
        return Ok(Outcome::Infeasible(Infeasible { is_proved, n_suppressed_needed }));
    }
    let order = Order { importance: &importance, nodes: &nodes };
    Ok(Outcome::Found(Box::new(found(problem, &required, &rows, &order, swept))))
}

/// The way back from the attributes by importance to those of the table.
struct Order<'a> {
    importance: &'a [usize],
    /// For each attribute of the table, code and level the node.
    nodes: &'a [Vec<Vec<u32>>],
}

impl Order<'_> {
    /// The released label of each attribute, for a class with a row of the given unit.
    fn cells(&self, problem: &Problem<'_>, nodes: &[u32], unit: u32) -> Vec<Cell> {
        let mut by_attribute = vec![0; nodes.len()];
        for (&at, &node) in self.importance.iter().zip(nodes) {
            by_attribute[at] = node;
        }
        let columns = problem.table.quasi_identifiers().iter().zip(&problem.policy.hierarchies);
        columns
            .enumerate()
            .map(|(at, (column, hierarchy)): (usize, (_, &Hierarchy))| {
                let code = column.codes[unit as usize] as usize;
                let bounds = problem.bounds[at].clone();
                let highest = *bounds.end();
                let level = bounds
                    .into_iter()
                    .find(|&level| self.nodes[at][code][level] == by_attribute[at])
                    .unwrap_or(highest);
                Cell::Label { level, label: hierarchy.level(level).map[code] }
            })
            .collect()
    }
}

/// Some rows of a tuple, and what becomes of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Placed {
    unit: u32,
    is_suppressed: bool,
    class: u32,
    node: u32,
    rows: u64,
}

fn found(
    problem: &Problem<'_>,
    required: &Required<'_>,
    rows: &SweptRows<'_>,
    order: &Order<'_>,
    swept: Swept,
) -> Found {
    let mut placed: Vec<Placed> = Vec::new();
    let mut cells = Vec::with_capacity(swept.classes.len());
    for (class, of_class) in (0u32..).zip(&swept.classes) {
        let first = of_class.pieces.first().expect("no class is empty").unit;
        cells.push(order.cells(problem, &of_class.nodes, first));
        placed.extend(of_class.pieces.iter().map(|piece| Placed {
            unit: piece.unit,
            is_suppressed: false,
            class,
            node: piece.node,
            rows: piece.rows,
        }));
    }
    placed.extend(swept.rest.iter().map(|piece| Placed {
        unit: piece.unit,
        is_suppressed: true,
        class: 0,
        node: piece.node,
        rows: piece.rows,
    }));
    placed.sort_unstable();
    let suppressed: Vec<bool> = placed.iter().map(|placed| placed.is_suppressed).collect();
    let secrets: Vec<u32> = placed.iter().map(|placed| placed.node).collect();
    let is_generalized = |placed: &&Placed| {
        !placed.is_suppressed && rows.secrets[placed.unit as usize] != placed.node
    };
    let n_generalized = placed.iter().filter(is_generalized).map(|placed| placed.rows).sum();
    let is_divided = placed.len() > rows.secrets.len();
    let parts = || {
        let part = |placed: &Placed| Part { tuple: placed.unit, rows: placed.rows };
        placed.iter().map(part).collect()
    };
    let n_classes = cells.len() as u64;
    let classes = Classes {
        parts: is_divided.then(parts),
        class_of: placed.iter().map(|placed| placed.class).collect(),
        cells,
    };
    let utility = utility(rows, required, &swept);
    let loss =
        released::loss(problem.table, problem.policy, &problem.weights, &classes, &suppressed);
    let released_secrets = || {
        let mut labels: Vec<&str> =
            secrets.iter().map(|&node| required.taxonomy.label(node)).collect();
        labels.sort_unstable();
        labels.dedup();
        let position = |node: &u32| {
            let label = required.taxonomy.label(*node);
            labels.binary_search(&label).expect("it is among them") as u32
        };
        Secrets {
            attribute: required.attribute,
            of: secrets.iter().map(position).collect(),
            labels: labels.iter().map(|label| (*label).to_owned()).collect(),
        }
    };
    Found {
        n_suppressed: swept.rest.iter().map(|piece| piece.rows).sum(),
        n_classes,
        n_generalized,
        loss,
        utility,
        assumes: (n_generalized > 0).then_some(ASSUMPTION),
        taxonomy: Arc::clone(&required.taxonomy),
        recoding: Recoding {
            secrets: (n_generalized > 0).then(released_secrets),
            generalization: Generalization::Classes(classes),
            suppressed,
        },
        secrets,
    }
}

/// The share of the information that the classes retain.
fn utility(rows: &SweptRows<'_>, required: &Required<'_>, swept: &Swept) -> f64 {
    let secret = |node: u32| to_f64(&required.taxonomy.information(node));
    let mut retained = 0.0;
    for class in &swept.classes {
        let nodes = rows.quasi_identifiers.iter().zip(&class.nodes);
        let of_nodes: f64 =
            nodes.map(|(attribute, &node)| to_f64(&attribute.taxonomy.information(node))).sum();
        for piece in &class.pieces {
            retained += piece.rows as f64 * (of_nodes + secret(piece.node));
        }
    }
    let all: f64 = rows
        .counts
        .iter()
        .zip(&rows.secrets)
        .map(|(&n, &node)| n as f64 * (rows.quasi_identifiers.len() as f64 + secret(node)))
        .sum();
    information::utility(all, retained).unwrap_or(1.0)
}

/// The taxonomy of an attribute without values.
fn nothing() -> Taxonomy {
    Taxonomy::of_tree(&Branch::Leaf(STAR.to_owned()))
}
