//! Runs the `sweep` method on a counted table under a policy.

use std::sync::Arc;

use indistinct_core::loss::information;
use indistinct_core::model::{Branch, Taxonomy, to_f64};
use indistinct_core::principle::{DependsOn, Merging, Subject, Weights, find};
use indistinct_core::{
    Cell, Hierarchy, Nearest, Observer, Optimality, Others, Part, Policy, Rational, Requirement,
    STAR, SensitiveLabels, SuppressionRule,
};

use super::engine::SweepResult;
use super::rows::{SweptAttribute, SweptRows, nodes_of_levels};
use super::shares::Piece;
use super::{Sweep, SweptTable, TauL, run};
use crate::stop::Stop;
use crate::{FoundRecoding, NotFound, Outcome, Problem, SearchError, released};

/// The requirements of the policy on a class.
struct ClassRequirement<'a> {
    attribute: usize,
    taxonomy: Arc<Taxonomy>,
    tau_l: TauL,
    smallest_size: u64,
    policy: &'a Policy,
}

impl<'a> ClassRequirement<'a> {
    fn new(problem: &Problem<'a>) -> Result<Self, SearchError> {
        let policy = problem.policy;
        let is_on_nodes = |requirement: &&Requirement| requirement.principle.taxonomy().is_some();
        let on_nodes: Vec<&Requirement> = policy.requirements.iter().filter(is_on_nodes).collect();
        let wrong = SearchError::NotOneTaxonomyRequirement { n_requirements: on_nodes.len() };
        let [requirement] = on_nodes[..] else { return Err(wrong) };
        for other in policy.requirements.iter().filter(|requirement| !is_on_nodes(requirement)) {
            let is_on_size = find(other.kind).is_some_and(|kind| kind.subject == Subject::Class)
                && other.principle.merging() == Merging::Keeps
                && other.principle.depends_on() == DependsOn::Class;
            if !is_on_size {
                return Err(SearchError::NotSwept { kind: other.kind });
            }
        }
        if requirement.others == Others::QuasiIdentifier && problem.table.sensitive().len() > 1 {
            return Err(SearchError::OthersNotServed { kind: requirement.kind });
        }
        let not_served = || SearchError::NotSwept { kind: requirement.kind };
        let attribute = requirement
            .attribute
            .as_deref()
            .and_then(|name| problem.table.sensitive_index(name))
            .ok_or_else(not_served)?;
        let taxonomy = requirement.taxonomy.clone().ok_or_else(not_served)?;
        let required = requirement.principle.shares().ok_or_else(not_served)?;
        let Weights::Stated(weights) = required.weights else { return Err(not_served()) };
        let weight = |leaf: &str| weights.get(leaf).copied().unwrap_or_default();
        let weights = taxonomy.leaf_labels().map(weight).collect();
        let tau_l = TauL { tau: required.tau, l: required.l, weights, growth: required.growth };
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

/// Runs the `sweep` method on a table.
pub(super) fn sweep(
    problem: &Problem<'_>,
    sweep: Sweep,
    observer: &dyn Observer,
) -> Result<Outcome<SweptTable>, SearchError> {
    problem.check()?;
    let required = ClassRequirement::new(problem)?;
    let stop = Stop::new(observer, problem.time_limit);
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
    let sensitive_nodes: Vec<u32> =
        values.map(|value| required.taxonomy.node_of(value).unwrap_or(0)).collect();
    let rows = SweptRows {
        quasi_identifiers: importance.iter().map(attribute).collect(),
        taxonomy: &required.taxonomy,
        sensitive: column.codes.iter().map(|&code| sensitive_nodes[code as usize]).collect(),
        counts: table.counts().to_vec(),
        level_weights: sweep.level_weights,
    };
    let swept = run(&rows, &required.tau_l, required.smallest_size, sweep.choice, &stop)?;
    let is_complete = !stop.has_struck();
    let is_unbounded = rows.quasi_identifiers.iter().all(|attribute| {
        attribute.top.iter().all(|&node| attribute.taxonomy.parent(node).is_none())
    });
    let Some(swept) = swept else {
        let is_proved = required.has_equal_weights() || table.n_rows() < required.smallest_size;
        return Ok(not_found(problem, is_proved, None));
    };
    let n_suppressed = swept.rest.iter().map(|piece| piece.rows).sum();
    let is_allowed = required.policy.suppressed == SuppressionRule::Dropped
        && required.policy.allows_suppressing(n_suppressed, table);
    if n_suppressed > 0 && !is_allowed {
        let is_proved = is_complete && is_unbounded && required.has_equal_weights();
        return Ok(not_found(problem, is_proved, Some(n_suppressed)));
    }
    let order = Order { importance: &importance, nodes: &nodes };
    let found = found(problem, &required, &rows, &order, swept);
    let optimality = stop.optimality();
    Ok(Outcome::Found(Box::new(FoundRecoding { optimality, ..found })))
}

/// Creates the result of a search that found no recoding within the suppression limit. The result
/// is not proved if base values have unequal weights, or if some attribute must not be generalized
/// to its root.
fn not_found(
    problem: &Problem<'_>,
    is_proved: bool,
    n_suppressed_needed: Option<u64>,
) -> Outcome<SweptTable> {
    let n_rows = problem.table.n_rows();
    let nearest = Nearest::new(problem.coarsest(), n_rows, n_suppressed_needed);
    Outcome::NotFound(NotFound::new(nearest, is_proved))
}

/// Maps the attributes, in order of importance, to the attributes of the table.
struct Order<'a> {
    importance: &'a [usize],
    /// The node for each attribute of the table, code, and level.
    nodes: &'a [Vec<Vec<u32>>],
}

impl Order<'_> {
    /// Returns the released label of each attribute, for a class with a row of the given unit.
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

/// A number of rows from one tuple, with their class and whether they are suppressed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct PlacedRows {
    unit: u32,
    is_suppressed: bool,
    class: u32,
    node: u32,
    rows: u64,
}

/// Returns all pieces of classes and all remaining pieces, in the order of their units.
fn placed(swept: &SweepResult) -> Vec<PlacedRows> {
    let classes = (0u32..).zip(&swept.classes);
    let of_classes = classes.flat_map(|(class, it)| it.pieces.iter().map(move |it| (class, it)));
    let place = |is_suppressed| {
        move |(class, piece): (u32, &Piece)| {
            let Piece { unit, node, rows, .. } = *piece;
            PlacedRows { unit, is_suppressed, class, node, rows }
        }
    };
    let rest = swept.rest.iter().map(|piece| (0, piece)).map(place(true));
    let mut placed: Vec<PlacedRows> = of_classes.map(place(false)).chain(rest).collect();
    placed.sort_unstable();
    placed
}

/// Returns the released labels of sensitive values, given their nodes.
fn released_sensitive(required: &ClassRequirement<'_>, nodes: &[u32]) -> SensitiveLabels {
    let mut labels: Vec<&str> = nodes.iter().map(|&node| required.taxonomy.label(node)).collect();
    labels.sort_unstable();
    labels.dedup();
    let position = |node: &u32| {
        let label = required.taxonomy.label(*node);
        labels.binary_search(&label).expect("the dictionary contains the label") as u32
    };
    SensitiveLabels {
        attribute: required.attribute,
        of: nodes.iter().map(position).collect(),
        labels: labels.iter().map(|label| (*label).to_owned()).collect(),
    }
}

fn found(
    problem: &Problem<'_>,
    required: &ClassRequirement<'_>,
    rows: &SweptRows<'_>,
    order: &Order<'_>,
    swept: SweepResult,
) -> FoundRecoding<SweptTable> {
    let cells = swept.classes.iter().map(|class| {
        let first = class.pieces.first().expect("every class has a piece").unit;
        order.cells(problem, &class.nodes, first)
    });
    let cells: Vec<Vec<Cell>> = cells.collect();
    let placed = placed(&swept);
    let values: Vec<u32> = placed.iter().map(|placed| placed.node).collect();
    let is_generalized = |placed: &&PlacedRows| {
        !placed.is_suppressed && rows.sensitive[placed.unit as usize] != placed.node
    };
    let n_generalized = placed.iter().filter(is_generalized).map(|placed| placed.rows).sum();
    let n_classes = cells.len();
    let entries = placed.iter().map(|it| {
        let class = (!it.is_suppressed).then_some(it.class);
        (Part { tuple: it.unit, rows: it.rows }, class)
    });
    let mut recoding = released::recoding(problem.table, entries, cells.into_iter().collect());
    recoding.sensitive = (n_generalized > 0).then(|| released_sensitive(required, &values));
    let objective = Some(released::loss(problem, &recoding));
    let utility = utility(rows, required, &swept);
    let proposal = SweptTable {
        n_generalized,
        utility,
        taxonomy: Arc::clone(&required.taxonomy),
        recoding,
        nodes: values,
    };
    let n_suppressed = swept.rest.iter().map(|piece| piece.rows).sum();
    let found = FoundRecoding::new(proposal, Optimality::Heuristic, n_suppressed, n_classes);
    FoundRecoding { objective, ..found }
}

/// Returns the fraction of the information that the classes retain.
fn utility(rows: &SweptRows<'_>, required: &ClassRequirement<'_>, swept: &SweepResult) -> f64 {
    let value = |node: u32| to_f64(&required.taxonomy.information(node));
    let mut retained = 0.0;
    for class in &swept.classes {
        let nodes = rows.quasi_identifiers.iter().zip(&class.nodes);
        let of_nodes: f64 =
            nodes.map(|(attribute, &node)| to_f64(&attribute.taxonomy.information(node))).sum();
        for piece in &class.pieces {
            retained += piece.rows as f64 * (of_nodes + value(piece.node));
        }
    }
    let all: f64 = rows
        .counts
        .iter()
        .zip(&rows.sensitive)
        .map(|(&n, &node)| n as f64 * (rows.quasi_identifiers.len() as f64 + value(node)))
        .sum();
    information::utility(all, retained).unwrap_or(1.0)
}

/// Creates a taxonomy that contains only `*`.
fn nothing() -> Taxonomy {
    Taxonomy::of_tree(&Branch::Leaf(STAR.to_owned()))
}
