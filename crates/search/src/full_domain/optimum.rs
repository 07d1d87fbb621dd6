//! Branch and bound over boxes of the lattice, starting with the box that may contain the cheapest
//! node.
//!
//! Heuristics find a good node by a descent from the top, followed by descents from nodes around
//! the best node. After a stop, another descent leads to a node that no single lower level
//! improves.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};
use std::sync::Arc;

use super::boxes::{Next, Nodes, Rank, Upper};
use super::evaluate::{Effort, Evaluation};
use super::lattice::is_above_or_equal;
use super::search::{End, Search, rank};
use crate::SearchError;

/// Maximum number of open boxes. Beyond this limit, the search discards the boxes with the most
/// expensive nodes and loses the proof of optimality.
const MAX_OPEN: usize = 400_000;
/// Maximum number of evaluated nodes that each box is compared with.
const MAX_UPPER: usize = 256;
/// Number of boxes that are narrowed between two checks of the time limit.
const MAX_SETTLED: usize = 2_000;

/// A box in the queue, which is ordered by the best rank that a node in the box can have.
#[derive(Debug)]
struct OpenBox(Rank, Nodes);

impl PartialEq for OpenBox {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for OpenBox {}

impl PartialOrd for OpenBox {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for OpenBox {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.0.cmp(&other.0).then_with(|| self.1.hi.cmp(&other.1.hi))
    }
}

/// All boxes that may contain a node better than the best node.
#[derive(Debug)]
struct Frontier {
    heap: BinaryHeap<Reverse<OpenBox>>,
    /// A lower bound on the cost of the nodes in discarded boxes.
    forgotten: f64,
}

impl Frontier {
    fn push(&mut self, open: OpenBox) {
        self.heap.push(Reverse(open));
        if self.heap.len() > MAX_OPEN {
            let mut all = std::mem::take(&mut self.heap).into_vec();
            all.sort_unstable_by(|a, b| b.cmp(a));
            let dropped = all.split_off(MAX_OPEN / 2);
            let least = dropped.iter().map(|open| open.0.1.bound).fold(f64::INFINITY, f64::min);
            self.forgotten = self.forgotten.min(least);
            self.heap = all.into();
        }
    }

    fn at_least(&self) -> f64 {
        self.heap.peek().map_or(f64::INFINITY, |open| open.0.1.bound).min(self.forgotten)
    }
}

/// An evaluated node, and a lower bound on the cost of the nodes above it.
type Lower = (Vec<usize>, f64);

/// The node at which a box is evaluated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum At {
    Lo,
    Hi,
}

impl<const N: usize> Search<'_, N> {
    /// Searches for the best node.
    pub fn optimum(&mut self) -> Result<End, SearchError> {
        let model = self.model;
        // Evaluate the top node first, regardless of the time limit: if any node satisfies the
        // policy, the top node usually does.
        let top = self.evaluate(&[model.lattice.max().to_vec()], Effort::Decide)?;
        let top = Arc::new(self.upper(top.into_iter().next().expect("one node was evaluated")));
        let mut frontier = Frontier { heap: BinaryHeap::new(), forgotten: f64::INFINITY };
        let all = Nodes::all(model, Arc::clone(&top));
        frontier.push(OpenBox(all.rank(model), all));
        self.descend()?;
        let mut uppers: VecDeque<Arc<Upper>> = VecDeque::new();
        let mut lowers: VecDeque<Lower> = VecDeque::new();
        let round = self.round();
        loop {
            self.at_least = self.at_least.max(frontier.at_least().min(self.best_objective()));
            if self.is_over() {
                return Ok(End::Stopped);
            }
            let jobs = self.jobs(&mut frontier, (&uppers, &lowers), round);
            if jobs.is_empty() && frontier.heap.is_empty() {
                break;
            }
            let node = |(nodes, at): &(Nodes, At)| match at {
                At::Lo => nodes.lo.clone(),
                At::Hi => nodes.hi.clone(),
            };
            let levels: Vec<Vec<usize>> = jobs.iter().map(node).collect();
            let evaluations = self.evaluate(&levels, Effort::Decide)?;
            for ((mut nodes, at), evaluation) in jobs.into_iter().zip(evaluations) {
                let (n_rows, most) = (model.table().n_rows(), model.max_suppressed);
                if at == At::Lo {
                    nodes.is_lo_known = true;
                    nodes.above =
                        nodes.above.max(model.objective.above(&evaluation.all, n_rows, most));
                }
                if nodes.above > 0.0 && at == At::Lo {
                    lowers.push_back((nodes.lo.clone(), nodes.above));
                    if lowers.len() > MAX_UPPER {
                        lowers.pop_front();
                    }
                }
                let upper = Arc::new(self.upper(evaluation));
                if at == At::Hi {
                    nodes.upper = Arc::clone(&upper);
                }
                if upper.n_small > 0 && upper.added.is_some() {
                    uppers.push_back(upper);
                    if uppers.len() > MAX_UPPER {
                        uppers.pop_front();
                    }
                }
                frontier.push(OpenBox(nodes.rank(model), nodes));
            }
        }
        let is_proved = self.best.as_ref().is_none_or(|(best, _)| {
            model.objective.rounded_below(frontier.forgotten) > best.objective
        });
        self.at_least = self.at_least.max(frontier.forgotten.min(self.best_objective()));
        Ok(if is_proved && (self.best.is_some() || frontier.forgotten.is_infinite()) {
            End::Done
        } else {
            End::Stopped
        })
    }

    fn best_objective(&self) -> f64 {
        self.best.as_ref().map_or(f64::INFINITY, |(_, best)| best.objective)
    }

    fn upper(&self, evaluation: Evaluation) -> Upper {
        let Evaluation { levels, n_small, added, .. } = evaluation;
        let n_small = if self.model.sizes_count_below { n_small } else { 0 };
        Upper { levels, n_small, added }
    }

    /// Takes boxes from the frontier until enough of them need an evaluation.
    fn jobs(
        &self,
        frontier: &mut Frontier,
        (uppers, lowers): (&VecDeque<Arc<Upper>>, &VecDeque<Lower>),
        round: usize,
    ) -> Vec<(Nodes, At)> {
        let (model, best) = (self.model, self.best.as_ref().map(|best| &best.0));
        let mut jobs = Vec::with_capacity(round);
        for _ in 0..MAX_SETTLED {
            if jobs.len() == round {
                break;
            }
            let Some(Reverse(OpenBox(rank, mut nodes))) = frontier.heap.pop() else { break };
            if best.is_some_and(|best| rank >= *best) {
                // All other boxes have a higher rank.
                frontier.heap.clear();
                break;
            }
            uppers.iter().for_each(|upper| nodes.hear(upper));
            for (levels, above) in lowers {
                if is_above_or_equal(&nodes.lo, levels) {
                    nodes.above = nodes.above.max(*above);
                }
            }
            let at = match nodes.settle(model, &self.clauses, best) {
                Next::Nothing => continue,
                Next::Split(parts) => {
                    for mut part in parts {
                        part.look(model);
                        frontier.push(OpenBox(part.rank(model), part));
                    }
                    continue;
                }
                Next::EvaluateLo => At::Lo,
                Next::EvaluateHi => At::Hi,
            };
            let rank = nodes.rank(model);
            match frontier.heap.peek() {
                Some(Reverse(OpenBox(next, _))) if *next < rank && jobs.is_empty() => {
                    frontier.push(OpenBox(rank, nodes));
                }
                _ => jobs.push((nodes, at)),
            }
        }
        jobs
    }
}

/// The number of nodes below which a full search is faster than a descent.
const LEAST_NODES: u64 = 20_000;
/// Maximum number of evaluations around the best node.
const MOST_EVALUATIONS: usize = 3_000;

impl<const N: usize> Search<'_, N> {
    /// Descends from the top to the best-ranked neighbor as long as a neighbor is better. The same
    /// descent then starts from the nodes one or two steps above the best node, without reversing
    /// these steps.
    pub fn descend(&mut self) -> Result<(), SearchError> {
        let Some((best, _)) = &self.best else { return Ok(()) };
        if self.model.lattice.n_nodes() < LEAST_NODES {
            return Ok(());
        }
        let (n, max) = (best.levels.len(), self.model.lattice.max());
        let mut effort = MOST_EVALUATIONS;
        self.down_from(best.levels.clone(), &[], &mut usize::MAX.clone())?;
        let singles = (0..n).map(|at| vec![at]);
        let pairs = (0..n).flat_map(|a| (0..a).map(move |b| vec![a, b]));
        let raises: Vec<Vec<usize>> = singles.chain(pairs).collect();
        let mut at = 0;
        while at < raises.len() && effort > 0 && !self.is_over() {
            let Some((best, _)) = self.best.clone() else { return Ok(()) };
            let raise = &raises[at];
            at += 1;
            if raise.iter().any(|&attribute| best.levels[attribute] == max[attribute]) {
                continue;
            }
            let mut levels = best.levels.clone();
            raise.iter().for_each(|&attribute| levels[attribute] += 1);
            self.down_from(levels, raise, &mut effort)?;
            if self.best.as_ref().is_some_and(|(now, _)| *now < best) {
                at = 0;
            }
        }
        Ok(())
    }

    /// Descends from the best node by single levels after a stop, the most expensive levels first,
    /// until no single lower level satisfies the policy and is better. A path needs at most as many
    /// evaluations as it has levels and attributes. The number of evaluations has no other limit,
    /// because the result must not leave an obvious improvement in any attribute.
    pub fn settle(&mut self) -> Result<(), SearchError> {
        let min = self.model.lattice.min();
        while let Some((before, _)) = self.best.clone() {
            let saved = |at: usize| {
                let term = |level: usize| self.model.objective.term(at, level).unwrap_or(0.0);
                let level = before.levels[at];
                term(level) - term(level.saturating_sub(1))
            };
            let mut order: Vec<usize> = (0..before.levels.len()).collect();
            order.sort_by(|&a, &b| saved(b).total_cmp(&saved(a)).then(a.cmp(&b)));
            let mut here = before.clone();
            for at in order {
                while here.levels[at] > min[at] {
                    let mut below = here.levels.clone();
                    below[at] -= 1;
                    if self.clauses.rule_out(&below) {
                        break;
                    }
                    self.evaluate(&[below], Effort::DecideAlone)?;
                    match &self.best {
                        Some((best, _)) if *best < here => here = best.clone(),
                        _ => break,
                    }
                }
            }
            if here >= before {
                break;
            }
        }
        Ok(())
    }

    fn down_from(
        &mut self,
        mut levels: Vec<usize>,
        but: &[usize],
        effort: &mut usize,
    ) -> Result<(), SearchError> {
        let min = self.model.lattice.min();
        let mut here = None;
        while *effort > 0 && !self.is_over() {
            let below = |at: usize| {
                let mut below = levels.clone();
                below[at] -= 1;
                below
            };
            let can = |at: &usize| levels[*at] > min[*at] && !but.contains(at);
            let below = (0..levels.len()).filter(can).map(below);
            let below: Vec<_> = below.filter(|levels| !self.clauses.rule_out(levels)).collect();
            *effort = effort.saturating_sub(below.len());
            let evaluations = self.evaluate(&below, Effort::Decide)?;
            let ranks = evaluations
                .iter()
                .filter_map(|one| Some(rank(self.model, one, one.satisfied.as_ref()?)));
            let Some(first) = ranks.min() else { return Ok(()) };
            if here.as_ref().is_some_and(|here| first >= *here) {
                return Ok(());
            }
            levels.clone_from(&first.levels);
            here = Some(first);
        }
        Ok(())
    }
}
