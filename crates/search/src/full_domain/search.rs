//! The shared parts of the search: nodes are evaluated in rounds, and their results are stored.
//!
//! Two queries must examine every node: the minimal nodes, and the nearest node if no node
//! satisfies the policy. Nodes are visited in lexicographic order, which places every node after
//! the nodes below it (in reverse order, after the nodes above it).

use std::sync::Mutex;

use indistinct_core::{
    Generalization, Nearest, NodeCounts, Observer, Optimality, OptimalityGap, Phase, Recoding,
    SearchEffort,
};
use rayon::prelude::*;

use super::boxes::Rank;
use super::classes::{Cache, ClassTable, Scratch};
use super::evaluate::{
    Effort, Evaluation, SatisfyingNode, evaluate, small_rows_above, suppressed_tuples,
};
use super::keys::Layout;
use super::lattice::{Clauses, Lattice, is_above_or_equal};
use super::model::{Model, People};
use super::{FullDomain, Minimal, Node};
use crate::problem::Proof;
use crate::stop::Stop;
use crate::{FoundRecoding, NotFound, Outcome, Problem, SearchError};

/// Maximum number of nodes evaluated at a time; in smaller lattices, fewer nodes are evaluated at a
/// time, because the result of one node may make the evaluation of other nodes unnecessary. Only
/// the lattice determines the number, so the order of events does not depend on the number of
/// threads.
const LARGEST_ROUND: u64 = 16;
const NODES_PER_ROUND: u64 = 32;

/// How a search ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    /// The search found the optimum or proved that no node satisfies the policy.
    Done,
    /// The search was stopped early.
    Stopped,
}

/// A running search.
pub(super) struct Search<'a, const N: usize> {
    pub model: &'a Model<'a>,
    stop: Stop<'a>,
    cache: Cache<N>,
    people: People<N>,
    scratch: Mutex<Vec<Scratch>>,
    pub clauses: Clauses,
    pub best: Option<(Rank, SatisfyingNode)>,
    /// The proven lower bound on the cost of all nodes.
    pub at_least: f64,
    n_evaluated: u64,
}

/// Runs a search with keys of `N` words.
pub(super) fn run<const N: usize>(
    problem: &Problem<'_>,
    options: &FullDomain,
    observer: &dyn Observer,
    lattice: Lattice,
    layout: Layout<'_>,
) -> Result<Outcome<Node>, SearchError> {
    Search::<N>::with(problem, observer, lattice, layout, |search| {
        let end = search.optimum()?;
        if end == End::Stopped {
            search.settle()?;
        }
        search.outcome(options, end)
    })
}

impl<const N: usize> Search<'_, N> {
    /// Prepares a problem and calls `f` with a search in which no node has been evaluated yet.
    pub fn with<T>(
        problem: &Problem<'_>,
        observer: &dyn Observer,
        lattice: Lattice,
        layout: Layout<'_>,
        f: impl FnOnce(&mut Search<'_, N>) -> Result<T, SearchError>,
    ) -> Result<T, SearchError> {
        let stop = Stop::new(observer, problem.time_limit);
        let model = Model::new(problem, lattice, layout);
        let mut search = Search::<N> {
            model: &model,
            stop,
            cache: Cache::new(model.base()),
            people: model.people(),
            scratch: Mutex::new(Vec::new()),
            clauses: Clauses::default(),
            best: None,
            at_least: 0.0,
            n_evaluated: 0,
        };
        f(&mut search)
    }

    fn outcome(&mut self, options: &FullDomain, end: End) -> Result<Outcome<Node>, SearchError> {
        let Some((rank, satisfied)) = self.best.take() else {
            if end == End::Stopped {
                return Err(self.stop.error());
            }
            let nearest = self.nearest()?;
            let effort = self.effort();
            let is_proved = self.model.problem.proof() == Proof::AnyRows;
            return Ok(Outcome::NotFound(NotFound { nearest, is_proved, effort }));
        };
        let minimal_nodes = match (options.all_minimal, end) {
            (Minimal::List, End::Done) => self.minimal_nodes()?,
            _ => None,
        };
        let levels = rank.levels;
        let suppressed =
            suppressed_tuples(self.model, levels.clone(), self.cache.base(), &self.people);
        let generalization = Generalization::of_levels(levels.clone());
        let recoding = Recoding { generalization, suppressed, sensitive: None };
        Ok(Outcome::Found(Box::new(FoundRecoding {
            proposal: Node { levels, recoding, minimal_nodes },
            optimality: match (end, self.model.problem.best_optimality()) {
                (End::Done, optimality) => optimality,
                (End::Stopped, Optimality::Proved) => {
                    Optimality::stopped_at(self.gap(satisfied.objective))
                }
                (End::Stopped, _) => Optimality::STOPPED,
            },
            objective: Some(satisfied.objective),
            n_suppressed: satisfied.n_suppressed,
            n_classes: satisfied.n_classes,
            effort: self.effort(),
        })))
    }

    fn effort(&self) -> SearchEffort {
        let n_nodes = self.model.lattice.n_nodes();
        let n_evaluated = self.n_evaluated.min(n_nodes);
        let n_pruned = n_nodes - n_evaluated;
        let lattice = Some(NodeCounts { n_nodes, n_evaluated, n_pruned });
        SearchEffort { lattice, ..SearchEffort::default() }
    }

    /// Returns the number of nodes to evaluate in one round.
    pub fn round(&self) -> usize {
        self.model.lattice.n_nodes().div_ceil(NODES_PER_ROUND).min(LARGEST_ROUND) as usize
    }

    /// Returns whether the search must return the best result so far, because of the time limit or
    /// a request of the observer.
    pub fn is_over(&self) -> bool {
        self.stop.is_over()
    }

    /// Evaluates nodes in parallel, then processes the results in order.
    pub fn evaluate(
        &mut self,
        nodes: &[Vec<usize>],
        effort: Effort,
    ) -> Result<Vec<Evaluation>, SearchError> {
        let (model, observer) = (self.model, self.stop.observer);
        if observer.is_cancelled() {
            return Err(SearchError::Cancelled);
        }
        let (cache, people, pool) = (&self.cache, &self.people, &self.scratch);
        let one = |levels: &Vec<usize>| {
            if observer.is_cancelled() {
                return None;
            }
            let reused = pool.lock().ok().and_then(|mut all| all.pop());
            let mut scratch = reused.unwrap_or_default();
            let (evaluation, table) =
                evaluate(model, levels.clone(), effort, (cache, people), &mut scratch);
            let mut learned = None;
            if effort == Effort::Decide && fails_below(model, &evaluation) {
                learned = Some(highest_failing(model, &table, (cache, people), &mut scratch));
            }
            if let Ok(mut all) = pool.lock() {
                all.push(scratch);
            }
            Some((evaluation, table, learned))
        };
        let results: Vec<Option<(Evaluation, ClassTable<N>, Option<LearnedNode>)>> =
            nodes.par_iter().map(one).collect();
        let mut evaluations = Vec::with_capacity(results.len());
        for result in results {
            let (evaluation, table, learned) = result.ok_or(SearchError::Cancelled)?;
            self.n_evaluated += 1;
            self.cache.add(table);
            if let Some(learned) = learned {
                self.n_evaluated += learned.n_evaluated;
                self.clauses.add(learned.levels);
            }
            self.take_in(&evaluation);
            evaluations.push(evaluation);
        }
        let n_nodes = model.lattice.n_nodes();
        observer.progress(Phase::Search, self.n_evaluated.min(n_nodes), n_nodes);
        if let Some((_, best)) = &self.best {
            observer.best_so_far(self.gap(best.objective));
        }
        Ok(evaluations)
    }

    /// Returns the proven lower bound for a recoding with this objective; 0 if the suppression of
    /// other rows may be better.
    fn gap(&self, objective: f64) -> OptimalityGap {
        let lower_bound = match self.model.problem.best_optimality() {
            // The order of summation may change the last digit.
            Optimality::Proved => self.at_least.min(objective),
            _ => 0.0,
        };
        OptimalityGap { objective, lower_bound }
    }

    fn take_in(&mut self, evaluation: &Evaluation) {
        let Some(satisfied) = evaluation.satisfied else { return };
        let rank = rank(self.model, evaluation, &satisfied);
        if self.best.as_ref().is_none_or(|(best, _)| rank < *best) {
            self.best = Some((rank, satisfied));
        }
    }
}

/// Returns the rank of a node that satisfies the policy.
pub(super) fn rank(model: &Model<'_>, evaluation: &Evaluation, satisfied: &SatisfyingNode) -> Rank {
    Rank {
        objective: model.objective.rounded(satisfied.objective),
        n_suppressed: satisfied.n_suppressed,
        height: evaluation.levels.iter().sum(),
        levels: evaluation.levels.clone(),
    }
}

/// Returns whether all nodes below an evaluated node fail as well: either too many rows are in
/// classes below the minimum size, which are even smaller at lower nodes, or the node fails and all
/// nodes above a satisfying node also satisfy the policy.
fn fails_below(model: &Model<'_>, evaluation: &Evaluation) -> bool {
    (model.sizes_count_below && evaluation.n_small > model.max_suppressed)
        || (model.is_monotone && evaluation.satisfied.is_none())
}

/// A node that fails together with all nodes below it, and the number of evaluations that found it.
struct LearnedNode {
    levels: Vec<usize>,
    n_evaluated: u64,
}

/// Returns a maximal node above a failing node that still fails together with all nodes below it.
/// Attributes are raised in ascending order of the cost of the next level, which leaves the
/// expensive steps to the nodes that satisfy the policy.
fn highest_failing<const N: usize>(
    model: &Model<'_>,
    failing: &ClassTable<N>,
    (cache, people): (&Cache<N>, &People<N>),
    scratch: &mut Scratch,
) -> LearnedNode {
    let mut n_evaluated = 0;
    let mut fails = |levels: Vec<usize>, source: &ClassTable<N>| {
        n_evaluated += 1;
        if model.sizes_count_below {
            let (n_small, table) = small_rows_above(model, levels.clone(), source, scratch);
            if n_small > model.max_suppressed {
                return Some(table);
            }
        }
        if !model.is_monotone {
            return None;
        }
        let (evaluation, table) = evaluate(model, levels, Effort::Decide, (cache, people), scratch);
        evaluation.satisfied.is_none().then_some(table)
    };
    let max = model.lattice.max();
    let mut levels = failing.levels.clone();
    let mut higher: Option<ClassTable<N>> = None;
    let cost = |at: usize| -> f64 {
        let term = |level: usize| model.objective.term(at, level).unwrap_or(0.0);
        term(failing.levels[at] + 1) - term(failing.levels[at])
    };
    let mut order: Vec<usize> = (0..levels.len()).filter(|&at| levels[at] < max[at]).collect();
    order.sort_by(|&a, &b| cost(a).total_cmp(&cost(b)).then(a.cmp(&b)));
    for at in order {
        // Try the highest level first, which removes an attribute that has no influence. Otherwise,
        // bisection finds the highest failing level; all levels above it satisfy the policy.
        let (mut low, mut high) = (levels[at], max[at] + 1);
        let mut next = max[at];
        while low + 1 < high {
            let mut raised = levels.clone();
            raised[at] = next;
            match fails(raised, higher.as_ref().unwrap_or(failing)) {
                Some(table) => {
                    levels[at] = next;
                    higher = Some(table);
                    low = next;
                }
                None => high = next,
            }
            next = low + (high - low) / 2;
        }
    }
    LearnedNode { levels, n_evaluated }
}

/// Maximum number of evaluations for the nearest node. In larger lattices, the result is the
/// nearest of the examined nodes.
const MOST_FOR_NEAREST: usize = 50_000;

impl<const N: usize> Search<'_, N> {
    /// Returns all satisfying nodes that have no satisfying node strictly below them; `None` if the
    /// time limit expires.
    pub fn minimal_nodes(&mut self) -> Result<Option<Vec<Vec<usize>>>, SearchError> {
        let (model, round) = (self.model, self.round());
        let n = model.lattice.n_attributes();
        let mut minimal: Vec<Vec<usize>> = Vec::new();
        let mut next = Some(model.lattice.min().to_vec());
        while next.is_some() {
            if self.is_over() {
                return Ok(None);
            }
            let mut nodes = Vec::with_capacity(round);
            while let Some(levels) = next.take_if(|_| nodes.len() < round) {
                if minimal.iter().any(|known| is_above_or_equal(&levels, known)) {
                    // Nodes that differ only in the last attribute's level are not minimal either.
                    next = model.lattice.next_after(&levels, n.saturating_sub(1));
                } else {
                    next = model.lattice.next_after(&levels, n);
                    if !self.clauses.rule_out(&levels) {
                        nodes.push(levels);
                    }
                }
            }
            for evaluation in self.evaluate(&nodes, Effort::Decide)? {
                let is_above = |known: &Vec<usize>| is_above_or_equal(&evaluation.levels, known);
                if evaluation.satisfied.is_some() && !minimal.iter().any(is_above) {
                    minimal.push(evaluation.levels);
                }
            }
        }
        Ok(Some(minimal))
    }

    /// Returns the node that needs the fewest suppressed rows.
    pub fn nearest(&mut self) -> Result<Option<Nearest>, SearchError> {
        let (model, round) = (self.model, self.round());
        let n = model.lattice.n_attributes();
        let mut nearest: Option<Nearest> = None;
        let needs = |nearest: &Nearest| {
            (nearest.n_suppressed_needed.unwrap_or(u64::MAX), nearest.n_failing_rows)
        };
        // Nodes that need at least as many suppressed rows as the nearest node, as do all nodes
        // below them.
        let mut farther: Vec<Vec<usize>> = Vec::new();
        let mut next = Some(model.lattice.max().to_vec());
        let mut effort = MOST_FOR_NEAREST;
        while next.is_some() && effort > 0 && !self.is_over() {
            let mut nodes = Vec::with_capacity(round);
            while let Some(levels) = next.take_if(|_| nodes.len() < round) {
                if farther.iter().any(|known| is_above_or_equal(known, &levels)) {
                    next = model.lattice.next_before(&levels, n.saturating_sub(1));
                } else {
                    next = model.lattice.next_before(&levels, n);
                    nodes.push(levels);
                }
            }
            effort = effort.saturating_sub(nodes.len());
            for evaluation in self.evaluate(&nodes, Effort::Count)? {
                let Some(found) = evaluation.needs else { continue };
                let levels = evaluation.levels.clone();
                let found = Nearest::new(levels, found.n_failing, found.n_suppressed);
                if nearest.as_ref().is_none_or(|nearest| needs(&found) < needs(nearest)) {
                    nearest = Some(found);
                }
                let fewest = nearest.as_ref().map_or(u64::MAX, |nearest| needs(nearest).0);
                if model.sizes_count_below && evaluation.n_small >= fewest {
                    farther.push(evaluation.levels);
                }
            }
        }
        Ok(nearest)
    }
}
