//! The order in which nodes are evaluated.

use std::cmp::Ordering;
use std::collections::BinaryHeap;
use std::sync::Mutex;

use indistinct_core::{Generalization, Observer, Phase, Recoding};
use rayon::prelude::*;

use super::bounds::BoundsBelow;
use super::cache::Cache;
use super::classes::{ClassTable, Scratch};
use super::evaluate::{Effort, Evaluation, Needs, Satisfied, evaluate, suppressed_tuples};
use super::frontier::{Direction, Frontier};
use super::keys::Layout;
use super::lattice::{Lattice, NodeId};
use super::model::Model;
use super::objective::Objective;
use super::people::People;
use super::{FullDomain, Minimal, Node};
use crate::stop::Stop;
use crate::{Found, Nearest, NotFound, Outcome, Problem, Quality, SearchError, Statistics};

/// Nodes evaluated at a time, fewer in small lattices: what one says may spare the others. Fixed by the lattice, so that
/// the order of events does not depend on the number of threads.
const LARGEST_ROUND: usize = 16;
const NODES_PER_ROUND: usize = 32;

const EVALUATED: u8 = 1;
/// The node and all below it fail the policy.
const FAILS: u8 = 2;
/// The node and all above it cannot beat the best one.
const DOMINATED: u8 = 4;
/// Strictly above a satisfying node, and so not minimal.
const NOT_MINIMAL: u8 = 8;
/// The node and all below it need no fewer suppressed rows than the nearest one.
const NOT_NEARER: u8 = 16;
/// The node was evaluated for the rows that it needs.
const COUNTED: u8 = 32;

/// What is searched for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Goal {
    Optimum,
    Minimal,
    Nearest,
}

/// How a sweep through the lattice ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum End {
    Done,
    TimeUp,
}

/// What nodes are compared by.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Rank {
    objective: f64,
    n_suppressed: u64,
    height: usize,
    node: NodeId,
}

impl Eq for Rank {}

impl PartialOrd for Rank {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Rank {
    fn cmp(&self, other: &Self) -> Ordering {
        let rest = |rank: &Self| (rank.n_suppressed, rank.height, rank.node);
        self.objective.total_cmp(&other.objective).then_with(|| rest(self).cmp(&rest(other)))
    }
}

struct Search<'a, const N: usize> {
    model: &'a Model<'a>,
    observer: &'a dyn Observer,
    stop: Stop<'a>,
    cache: Cache<N>,
    people: People<N>,
    scratch: Mutex<Vec<Scratch>>,
    state: Vec<u8>,
    bounds: BoundsBelow,
    best: Option<(Rank, Satisfied)>,
    satisfying: Vec<NodeId>,
    /// Where levels say nothing of the objective: the least rank of any node strictly above an evaluated one, which it
    /// names.
    bounded_above: BinaryHeap<Rank>,
    nearest: Option<((u64, u64), NodeId, Needs)>,
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
    let stop = Stop::new(observer, problem.time_limit);
    let model = Model::new(problem, lattice, layout);
    let n_nodes = model.lattice.n_nodes();
    let mut search = Search::<N> {
        model: &model,
        observer,
        stop,
        cache: Cache::new(model.base()),
        people: model.people(),
        scratch: Mutex::new(Vec::new()),
        state: vec![0; n_nodes],
        bounds: BoundsBelow::default(),
        best: None,
        satisfying: Vec::new(),
        bounded_above: BinaryHeap::new(),
        nearest: None,
        n_evaluated: 0,
    };
    // The top first, whatever the time: where anything satisfies the policy, it mostly does.
    search.evaluate_round(Goal::Optimum, &[model.lattice.top()])?;
    let end = search.sweep(Goal::Optimum)?;
    search.outcome(options, end)
}

impl<const N: usize> Search<'_, N> {
    fn outcome(mut self, options: &FullDomain, end: End) -> Result<Outcome<Node>, SearchError> {
        let Some((rank, satisfied)) = self.best else {
            if end == End::TimeUp {
                return Err(SearchError::TimeLimit);
            }
            self.sweep(Goal::Nearest)?;
            let nearest = self.nearest.map(|(_, node, needs)| Nearest {
                levels: self.model.lattice.levels(node),
                n_suppressed_needed: needs.n_suppressed,
                n_failing_rows: needs.n_failing,
            });
            let statistics = self.statistics();
            return Ok(Outcome::NotFound(NotFound { nearest, is_proved: true, statistics }));
        };
        let minimal_nodes = match (options.all_minimal, end) {
            (Minimal::List, End::Done) => self.minimal_nodes()?,
            _ => None,
        };
        let levels = self.model.lattice.levels(rank.node);
        let recoding = Recoding {
            generalization: Generalization::FullDomain { levels: levels.clone() },
            suppressed: suppressed_tuples(self.model, rank.node, self.cache.base(), &self.people),
            secrets: None,
        };
        Ok(Outcome::Found(Box::new(Found {
            proposal: Node { levels, recoding, minimal_nodes },
            quality: if end == End::Done { Quality::Optimal } else { Quality::CutShort },
            objective: Some(satisfied.objective),
            n_suppressed: satisfied.n_suppressed,
            n_classes: satisfied.n_classes,
            statistics: self.statistics(),
        })))
    }

    fn statistics(&self) -> Statistics {
        let n_nodes = self.model.lattice.n_nodes() as u64;
        let n_known = self.state.iter().filter(|state| **state & EVALUATED != 0).count() as u64;
        let n_pruned = n_nodes - n_known;
        Statistics { n_nodes, n_evaluated: self.n_evaluated, n_pruned, ..Statistics::default() }
    }

    fn minimal_nodes(&mut self) -> Result<Option<Vec<Vec<usize>>>, SearchError> {
        for node in std::mem::take(&mut self.satisfying) {
            self.mark_not_minimal(node);
            self.satisfying.push(node);
        }
        if self.sweep(Goal::Minimal)? == End::TimeUp {
            return Ok(None);
        }
        let mut minimal: Vec<NodeId> = self.satisfying.clone();
        minimal.retain(|node| self.state[*node] & NOT_MINIMAL == 0);
        minimal.sort_unstable();
        Ok(Some(minimal.into_iter().map(|node| self.model.lattice.levels(node)).collect()))
    }

    /// Goes through the lattice until every node is decided.
    fn sweep(&mut self, goal: Goal) -> Result<End, SearchError> {
        let model = self.model;
        let height = |levels: &[usize]| levels.iter().sum::<usize>() as f64;
        let place = |levels: &[usize]| match (goal, &model.objective) {
            (Goal::Nearest, _) => -height(levels),
            (Goal::Optimum, Objective::Cells(_) | Objective::Levels(_) | Objective::Joint(_)) => {
                model.objective.floor(levels)
            }
            _ => height(levels),
        };
        let direction = if goal == Goal::Nearest { Direction::Down } else { Direction::Up };
        let mut frontier = Frontier::new(direction, &model.lattice, place);
        let round = model.lattice.n_nodes().div_ceil(NODES_PER_ROUND).min(LARGEST_ROUND);
        let mut open: Vec<NodeId> = Vec::with_capacity(round);
        loop {
            open.retain(|&node| !self.is_decided(goal, node));
            while open.len() < round {
                let Some((place_of_node, node)) = frontier.pop() else { break };
                if goal == Goal::Optimum && self.is_too_high(place_of_node) {
                    frontier.clear();
                    break;
                }
                let state = self.state[node];
                let ends_here = match goal {
                    Goal::Optimum => DOMINATED,
                    Goal::Minimal => NOT_MINIMAL,
                    Goal::Nearest => NOT_NEARER,
                };
                if state & ends_here != 0 {
                    continue;
                }
                frontier.follow(&model.lattice, node, place);
                if !self.is_decided(goal, node) {
                    open.push(node);
                }
            }
            if open.is_empty() {
                return Ok(End::Done);
            }
            let mut probes: Vec<NodeId> = Vec::with_capacity(open.len());
            for &node in &open {
                let probe = self.probe(goal, node);
                if !probes.contains(&probe) {
                    probes.push(probe);
                }
            }
            if self.stop.is_time_up() {
                return Ok(End::TimeUp);
            }
            self.evaluate_round(goal, &probes)?;
        }
    }

    /// Whether nodes from this place on cannot beat the best one.
    fn is_too_high(&self, place: f64) -> bool {
        let best = self.best.as_ref().map(|(rank, _)| rank.objective);
        match self.model.objective {
            Objective::Classes(_) => false,
            _ => best.is_some_and(|best| self.model.objective.rounded_below(place) > best),
        }
    }

    /// Whether a node needs no evaluation.
    fn is_decided(&self, goal: Goal, node: NodeId) -> bool {
        let state = self.state[node];
        match goal {
            Goal::Optimum => {
                state & (EVALUATED | FAILS | DOMINATED) != 0 || self.cannot_beat_best(node)
            }
            Goal::Minimal => state & (EVALUATED | FAILS | NOT_MINIMAL) != 0,
            Goal::Nearest => state & (NOT_NEARER | COUNTED) != 0,
        }
    }

    /// Whether no objective within the bounds of a node beats the best one.
    fn cannot_beat_best(&self, node: NodeId) -> bool {
        let Some((best, _)) = &self.best else { return false };
        let model = self.model;
        let levels = model.lattice.levels(node);
        let (added, n_suppressed) = self.bounds.of(&levels, model.lattice.min());
        let objective = model.objective.rounded_below(model.objective.floor(&levels) + added);
        let height = levels.iter().sum();
        Rank { objective, n_suppressed, height, node } >= *best
    }

    /// The node to evaluate next in order to decide a node: half way up a path from it that ends where something is known.
    /// Too small classes half way decide all below; otherwise the path gets shorter.
    fn probe(&self, goal: Goal, node: NodeId) -> NodeId {
        if goal == Goal::Nearest || !self.model.sizes_count_below {
            return node;
        }
        let model = self.model;
        let mut path = vec![node];
        let mut levels = model.lattice.levels(node);
        let mut at = node;
        loop {
            let next = (0..levels.len())
                .filter_map(|attribute| {
                    let above = model.lattice.above(at, &levels, attribute)?;
                    let mut levels = levels.clone();
                    levels[attribute] += 1;
                    Some((model.objective.floor(&levels), above, levels))
                })
                .min_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
            let Some((floor, above, its_levels)) = next else { break };
            let (known, is_too_high) = match goal {
                Goal::Minimal => (EVALUATED | FAILS | NOT_MINIMAL, false),
                _ => (EVALUATED | FAILS | DOMINATED, self.is_too_high(floor)),
            };
            if self.state[above] & known != 0 || is_too_high {
                break;
            }
            path.push(above);
            (at, levels) = (above, its_levels);
        }
        path[path.len() / 2]
    }

    /// Evaluates nodes in parallel, then takes in what they say one after the other.
    fn evaluate_round(&mut self, goal: Goal, nodes: &[NodeId]) -> Result<(), SearchError> {
        if self.observer.is_cancelled() {
            return Err(SearchError::Cancelled);
        }
        let effort = if goal == Goal::Nearest { Effort::Count } else { Effort::Decide };
        let results: Vec<Option<(Evaluation, ClassTable<N>)>> = nodes
            .par_iter()
            .map(|&node| {
                if self.observer.is_cancelled() {
                    return None;
                }
                let reused = self.scratch.lock().ok().and_then(|mut all| all.pop());
                let mut scratch = reused.unwrap_or_default();
                let sources = (&self.cache, &self.people);
                let result = evaluate(self.model, node, effort, sources, &mut scratch);
                if let Ok(mut all) = self.scratch.lock() {
                    all.push(scratch);
                }
                Some(result)
            })
            .collect();
        for result in results {
            let (evaluation, table) = result.ok_or(SearchError::Cancelled)?;
            self.n_evaluated += u64::from(self.state[evaluation.node] & EVALUATED == 0);
            self.cache.add(evaluation.node, table);
            self.take_in(goal, evaluation);
        }
        let n_nodes = self.model.lattice.n_nodes() as u64;
        self.observer.progress(Phase::Search, self.n_evaluated, n_nodes);
        Ok(())
    }

    fn take_in(&mut self, goal: Goal, evaluation: Evaluation) {
        let model = self.model;
        let Evaluation { node, levels, n_small, all, satisfied, needs, added } = evaluation;
        self.state[node] |= EVALUATED;
        if goal == Goal::Nearest {
            self.state[node] |= COUNTED;
            if let Some(needs) = needs {
                self.take_in_needs(node, n_small, needs);
            }
            return;
        }
        if (model.sizes_count_below && n_small > model.max_suppressed)
            || (model.is_monotone && satisfied.is_none())
        {
            self.mark_down(node, FAILS);
        }
        if let Some(added) = added {
            self.bounds.add(levels.clone(), n_small, added);
        }
        if let Some(satisfied) = satisfied {
            self.satisfying.push(node);
            if goal == Goal::Minimal {
                self.mark_not_minimal(node);
            }
            let rank = Rank {
                objective: model.objective.rounded(satisfied.objective),
                n_suppressed: satisfied.n_suppressed,
                height: levels.iter().sum(),
                node,
            };
            if self.best.as_ref().is_none_or(|(best, _)| rank < *best) {
                self.best = Some((rank, satisfied));
            }
        }
        let bounds_above = matches!(model.objective, Objective::Classes(_) | Objective::Joint(_));
        if goal == Goal::Optimum && bounds_above {
            let n_rows = model.table().n_rows();
            let above = model.objective.above(&all, n_rows, model.max_suppressed);
            let above = model.objective.rounded_below(above);
            let height = levels.iter().sum::<usize>() + 1;
            self.bounded_above.push(Rank { objective: above, n_suppressed: 0, height, node });
            self.mark_dominated();
        }
    }

    fn take_in_needs(&mut self, node: NodeId, n_small: u64, needs: Needs) {
        let rank = (needs.n_suppressed.unwrap_or(u64::MAX), needs.n_failing);
        if self.nearest.as_ref().is_none_or(|(nearest, _, _)| rank < *nearest) {
            self.nearest = Some((rank, node, needs));
        }
        let nearest = self.nearest.as_ref().map_or(u64::MAX, |nearest| nearest.0.0);
        if self.model.sizes_count_below && n_small >= nearest {
            self.mark_down(node, NOT_NEARER);
        }
    }

    /// Marks what lies above nodes whose bound does not beat the best one.
    fn mark_dominated(&mut self) {
        let Some((best, _)) = self.best else { return };
        while self.bounded_above.peek().is_some_and(|above| *above >= best) {
            let Some(above) = self.bounded_above.pop() else { break };
            let state = &mut self.state;
            self.model.lattice.walk_up(above.node, |at| mark(&mut state[at], DOMINATED));
        }
    }

    fn mark_down(&mut self, node: NodeId, flag: u8) {
        let state = &mut self.state;
        self.model.lattice.walk_down(node, |at| mark(&mut state[at], flag));
    }

    fn mark_not_minimal(&mut self, node: NodeId) {
        let levels = self.model.lattice.levels(node);
        for attribute in 0..levels.len() {
            if let Some(above) = self.model.lattice.above(node, &levels, attribute) {
                let state = &mut self.state;
                self.model.lattice.walk_up(above, |at| mark(&mut state[at], NOT_MINIMAL));
            }
        }
    }
}

/// Sets a flag; whether it is new.
fn mark(state: &mut u8, flag: u8) -> bool {
    let new = *state & flag == 0;
    *state |= flag;
    new
}
