//! Boxes of the lattice: all nodes between two nodes, with the bounds that are known without
//! evaluating any of them.

use std::cmp::Ordering;
use std::sync::Arc;

use super::lattice::{Clauses, is_above_or_equal};
use super::model::Model;

/// The rank of a node, which determines the order of nodes. Nodes with equal ranks are identical.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Rank {
    /// The objective, rounded to make it independent of the order of summation.
    pub objective: f64,
    pub n_suppressed: u64,
    pub height: usize,
    pub levels: Vec<usize>,
}

impl Eq for Rank {}

impl PartialOrd for Rank {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Rank {
    fn cmp(&self, other: &Self) -> Ordering {
        self.objective.total_cmp(&other.objective).then_with(|| {
            let rest = |rank: &Self| (rank.n_suppressed, rank.height);
            rest(self).cmp(&rest(other)).then_with(|| self.levels.cmp(&other.levels))
        })
    }
}

/// The rows that all nodes below an evaluated node must also suppress.
#[derive(Debug)]
pub(super) struct Upper {
    pub levels: Vec<usize>,
    pub n_small: u64,
    /// The minimum cost that suppressing these rows adds, for each attribute and level, starting
    /// with the lowest level.
    pub added: Option<Vec<Vec<f64>>>,
}

/// The nodes from `lo` to `hi`, excluding `lo` if that node was evaluated.
#[derive(Debug, Clone)]
pub(super) struct Nodes {
    pub lo: Vec<usize>,
    pub hi: Vec<usize>,
    pub is_lo_known: bool,
    /// A lower bound on the cost of all nodes of the box; the most recently computed value.
    pub bound: f64,
    /// A lower bound on the cost of all nodes above an evaluated node that is below the box.
    pub above: f64,
    /// An evaluated node that is above all nodes of the box.
    pub upper: Arc<Upper>,
}

/// The next step for a box.
#[derive(Debug)]
pub(super) enum Next {
    /// Discard the box, because none of its nodes can be better than the best node.
    Nothing,
    /// Replace the box with these boxes, which contain the same candidate nodes.
    Split(Vec<Nodes>),
    /// Evaluate the lowest node of the box.
    EvaluateLo,
    /// Evaluate the highest node of the box, because the conclusion about the nodes below is worth
    /// the cost.
    EvaluateHi,
}

impl Nodes {
    /// Creates the box of all nodes of the lattice.
    pub fn all(model: &Model<'_>, upper: Arc<Upper>) -> Self {
        Self {
            lo: model.lattice.min().to_vec(),
            hi: model.lattice.max().to_vec(),
            is_lo_known: false,
            bound: 0.0,
            above: 0.0,
            upper,
        }
    }

    /// Returns the lowest rank that a node in the box can have.
    pub fn rank(&self, model: &Model<'_>) -> Rank {
        Rank {
            objective: model.objective.rounded_below(self.bound),
            n_suppressed: self.upper.n_small,
            height: self.lo.iter().sum(),
            levels: self.lo.clone(),
        }
    }

    /// Returns a lower bound on the sum of the costs. Also returns, by attribute and level
    /// (starting at `lo`), the minimum cost of the attribute at or above this level within the box.
    /// If the objective is not a sum over attributes, these costs are 0.
    fn costs(&self, model: &Model<'_>) -> (f64, Vec<Vec<f64>>) {
        let costs = (0..self.lo.len())
            .map(|at| {
                let lowest = model.lattice.min()[at];
                let added = self.upper.added.as_ref().map(|added| &added[at]);
                let cost = |level: usize| {
                    let added = added.map_or(0.0, |added| added[level - lowest]);
                    model.objective.term(at, level).map_or(0.0, |term| term + added)
                };
                let mut costs: Vec<f64> = (self.lo[at]..=self.hi[at]).map(cost).collect();
                for level in (1..costs.len()).rev() {
                    costs[level - 1] = costs[level - 1].min(costs[level]);
                }
                costs
            })
            .collect::<Vec<_>>();
        let sum: f64 = costs.iter().map(|costs| costs[0]).sum();
        (f64::max(sum, model.objective.floor(&self.lo)), costs)
    }

    /// Raises the bound to the lower bound that the levels of the box imply.
    pub fn look(&mut self, model: &Model<'_>) {
        self.bound = self.bound.max(self.costs(model).0);
    }

    /// Narrows the box with all known bounds and clauses, and returns the next step for the
    /// narrowed box.
    ///
    /// **Clauses.** If `lo` violates a clause, some attribute in which `hi` exceeds the clause must
    /// satisfy it. Without such an attribute, all nodes of the box violate the policy. With exactly
    /// one such attribute, every satisfying node has a higher level in this attribute.
    /// **Bound.** For each violated clause, some attribute pays for the step above the clause. Each
    /// clause takes the part of the step costs of its attributes that no previous clause has taken.
    /// Every node that satisfies all clauses pays at least the sum of the taken parts. This is the
    /// dual of a covering problem: the highest step of an attribute contains its lower steps, and
    /// the clauses take at most the cost of the highest step. The bound requires costs that do not
    /// fall as the level rises, like the costs that `costs` returns.
    /// **Levels.** Levels whose additional cost exceeds the best node are removed from `hi`.
    pub fn settle(&mut self, model: &Model<'_>, clauses: &Clauses, best: Option<&Rank>) -> Next {
        let n = self.lo.len();
        loop {
            let (base, costs) = self.costs(model);
            let step =
                |lo: &[usize], at: usize, level: usize| costs[at][level - lo[at]] - costs[at][0];
            let mut taken = vec![0.0; n];
            let mut bound = base;
            let mut branch: Option<(f64, Vec<usize>, &[usize])> = None;
            let mut raised: Option<(usize, usize)> = None;
            for clause in clauses.violated_by(&self.lo) {
                let open: Vec<usize> = (0..n).filter(|&at| self.hi[at] > clause[at]).collect();
                match open[..] {
                    [] => return Next::Nothing,
                    [at] => {
                        raised = Some((at, clause[at] + 1));
                        break;
                    }
                    _ => {}
                }
                let least_of = |cost: &dyn Fn(usize) -> f64| {
                    open.iter().map(|&at| cost(at)).fold(f64::INFINITY, f64::min)
                };
                let full = |at: usize| step(&self.lo, at, clause[at] + 1);
                let rest = least_of(&|at| (full(at) - taken[at]).max(0.0));
                bound += rest;
                open.iter().for_each(|&at| taken[at] += rest);
                let least = least_of(&full);
                let is_better = branch.as_ref().is_none_or(|(other, attributes, _)| {
                    (least, std::cmp::Reverse(open.len()))
                        > (*other, std::cmp::Reverse(attributes.len()))
                });
                if is_better {
                    branch = Some((least, open, clause));
                }
            }
            if let Some((at, level)) = raised {
                self.lo[at] = level;
                self.is_lo_known = false;
                continue;
            }
            self.bound = self.bound.max(bound).max(self.above);
            let Some(best) = best else { return self.next(model, &costs, branch) };
            if self.rank(model) >= *best {
                return Next::Nothing;
            }
            let mut is_narrower = false;
            for (at, taken) in taken.iter().enumerate() {
                let too_high = |level: usize| {
                    let more = (step(&self.lo, at, level) - taken).max(0.0);
                    model.objective.rounded_below(bound + more) > best.objective
                };
                let highest = (self.lo[at]..=self.hi[at]).rev().find(|&level| !too_high(level));
                let Some(highest) = highest else { return Next::Nothing };
                is_narrower |= highest < self.hi[at];
                self.hi[at] = highest;
            }
            if !is_narrower {
                return self.next(model, &costs, branch);
            }
        }
    }

    fn next(
        &self,
        model: &Model<'_>,
        costs: &[Vec<f64>],
        branch: Option<(f64, Vec<usize>, &[usize])>,
    ) -> Next {
        if let Some((_, attributes, clause)) = branch {
            return Next::Split(self.above_clause(costs, attributes, clause));
        }
        let width: usize = self.hi.iter().zip(&self.lo).map(|(hi, lo)| hi - lo).sum();
        let is_hi_known = self.upper.levels == self.hi;
        if width == 0 {
            return if self.is_lo_known { Next::Nothing } else { Next::EvaluateLo };
        }
        // Conclusions about the nodes below are possible only from the cost of suppressed rows.
        let is_informative = model.least_costs.is_some();
        let is_near = width <= self.lo.len();
        if !is_hi_known && is_informative && (self.is_lo_known || is_near) {
            return Next::EvaluateHi;
        }
        if !self.is_lo_known {
            return Next::EvaluateLo;
        }
        let cost = |at: &usize| costs[*at].get(1).map_or(0.0, |next| next - costs[*at][0]);
        let can_rise = (0..self.lo.len()).filter(|&at| self.hi[at] > self.lo[at]);
        let at = can_rise.max_by(|a, b| cost(a).total_cmp(&cost(b)).then(b.cmp(a)));
        let at = at.expect("the box contains more than one node");
        let (mut low, mut high) = (self.clone(), self.clone());
        low.hi[at] = self.lo[at];
        high.lo[at] += 1;
        high.is_lo_known = false;
        Next::Split(vec![low, high])
    }

    /// Returns the nodes that exceed a clause in some attribute, starting with the most expensive
    /// attribute.
    fn above_clause(
        &self,
        costs: &[Vec<f64>],
        mut attributes: Vec<usize>,
        clause: &[usize],
    ) -> Vec<Nodes> {
        let cost = |at: usize| costs[at][clause[at] + 1 - self.lo[at]] - costs[at][0];
        attributes.sort_by(|&a, &b| cost(b).total_cmp(&cost(a)).then(a.cmp(&b)));
        let mut rest = self.clone();
        let above = attributes.into_iter().map(|at| {
            let mut above = rest.clone();
            above.lo[at] = clause[at] + 1;
            above.is_lo_known = false;
            rest.hi[at] = clause[at];
            above
        });
        above.collect()
    }

    /// Adopts the conclusion of an evaluated node if this node is above all nodes of the box and
    /// the conclusion is stronger.
    pub fn hear(&mut self, upper: &Arc<Upper>) {
        let is_more_informative = upper.n_small > self.upper.n_small;
        if is_more_informative && is_above_or_equal(&upper.levels, &self.hi) {
            self.upper = Arc::clone(upper);
        }
    }
}
