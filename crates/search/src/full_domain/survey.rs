//! The data for a chart of the lattice: every node of a small lattice, or a path through the best
//! node of a large one.
//!
//! The classes of each examined node are counted completely, even if the node exceeds the
//! suppression limit. The survey does not suppress single rows.

use std::collections::BTreeMap;

use indistinct_core::Observer;

use super::boxes::Rank;
use super::evaluate::{Effort, Evaluation};
use super::lattice::{Lattice, is_above_or_equal};
use super::search::{Search, rank};
use super::{dispatch, keys, lattice};
use crate::{Problem, SearchError};

/// An overview of a lattice.
#[derive(Debug, Clone, PartialEq)]
pub struct Survey {
    /// Number of nodes of the lattice, saturating at the maximum of the type.
    pub n_nodes: u64,
    /// Number of nodes at each height, saturating at the maximum of the type. The height is the sum
    /// of the differences between the levels and the lowest levels.
    pub layers: Vec<u64>,
    /// The examined nodes, ordered by height and then by levels.
    pub nodes: Vec<SurveyedNode>,
    /// Whether all nodes were examined.
    pub is_whole: bool,
}

/// An examined node.
#[derive(Debug, Clone, PartialEq)]
pub struct SurveyedNode {
    /// The level of each quasi-identifier.
    pub levels: Vec<usize>,
    /// The sum of the differences between the levels of the node and the lowest levels.
    pub height: usize,
    /// Number of rows in classes that violate a principle.
    pub n_failing: u64,
    /// Number of rows that must be suppressed; `None` if suppression does not help (see
    /// [`indistinct_core::Nearest`]).
    pub n_needed: Option<u64>,
    /// The cost of the node, if it satisfies the policy.
    pub satisfied: Option<SatisfyingNode>,
    /// Whether the node satisfies the policy and no node strictly below it does. Set only if all
    /// nodes were examined.
    pub is_minimal: bool,
    /// Whether the node has the lowest objective of all examined nodes.
    pub is_best: bool,
    /// Whether the node is on the path from the lowest node through the best node to the highest
    /// node.
    pub is_on_way: bool,
}

pub use super::evaluate::SatisfyingNode;

/// Examines all nodes if there are at most `most`; otherwise searches for the best node and
/// examines the nodes on the path through the best node and its neighbors.
///
/// Each step of the path goes to the neighbor with the lowest objective or, if no neighbor
/// satisfies the policy, to the neighbor with the fewest rows in failing classes. If no node
/// satisfies the policy, the path leads down from the highest node. An observer that requests the
/// best result so far ends the survey early.
///
/// # Errors
/// See [`crate::Search::search`].
pub fn survey(
    problem: &Problem<'_>,
    most: u64,
    observer: &dyn Observer,
) -> Result<Survey, SearchError> {
    problem.check()?;
    let lattice = lattice::Lattice::new(&problem.bounds);
    let layout = keys::Layout::new(&problem.policy.hierarchies, &problem.bounds);
    dispatch!(layout.n_words(), problem, N => {
        Search::<N>::with(problem, observer, lattice, layout, |search| search.survey(most))
    })
}

/// The examined nodes, each with its rank if it satisfies the policy.
type KnownNodes = BTreeMap<Vec<usize>, (Evaluation, Option<Rank>)>;

impl<const N: usize> Search<'_, N> {
    fn survey(&mut self, most: u64) -> Result<Survey, SearchError> {
        let model = self.model;
        let n_nodes = model.lattice.n_nodes();
        let mut known = KnownNodes::new();
        let mut next = (n_nodes <= most).then(|| model.lattice.min().to_vec());
        while next.is_some() && !self.is_over() {
            let mut nodes = Vec::with_capacity(self.round());
            while let Some(levels) = next.take_if(|_| nodes.len() < self.round()) {
                next = model.lattice.next_after(&levels, levels.len());
                nodes.push(levels);
            }
            self.look_at(nodes, &mut known)?;
        }
        if n_nodes > most {
            self.optimum()?;
        }
        let best = self.best.as_ref().map(|(best, _)| best.levels.clone());
        let way = self.way(best.clone(), &mut known)?;
        let is_whole = known.len() as u64 == n_nodes;
        let satisfying: Vec<&Vec<usize>> =
            known.iter().filter(|(_, (it, _))| it.satisfied.is_some()).map(|it| it.0).collect();
        let is_minimal = |levels: &Vec<usize>| {
            let is_below =
                |other: &&Vec<usize>| *other != levels && is_above_or_equal(levels, other);
            is_whole && !satisfying.iter().any(is_below)
        };
        let of = |(levels, (it, _)): (&Vec<usize>, &(Evaluation, Option<Rank>))| SurveyedNode {
            levels: levels.clone(),
            height: height(&model.lattice, levels),
            n_failing: it.needs.map_or(0, |needs| needs.n_failing),
            n_needed: it.needs.and_then(|needs| needs.n_suppressed),
            satisfied: it.satisfied,
            is_minimal: it.satisfied.is_some() && is_minimal(levels),
            is_best: best.as_ref() == Some(levels),
            is_on_way: way.contains(levels),
        };
        let mut nodes: Vec<SurveyedNode> = known.iter().map(of).collect();
        nodes.sort_by(|a, b| (a.height, &a.levels).cmp(&(b.height, &b.levels)));
        Ok(Survey { n_nodes, layers: model.lattice.layers(), nodes, is_whole })
    }

    /// Counts the classes of all nodes that are not yet in `known`.
    fn look_at(
        &mut self,
        nodes: Vec<Vec<usize>>,
        known: &mut KnownNodes,
    ) -> Result<(), SearchError> {
        let new: Vec<Vec<usize>> =
            nodes.into_iter().filter(|levels| !known.contains_key(levels)).collect();
        for evaluation in self.evaluate(&new, Effort::Count)? {
            let rank = evaluation.satisfied.map(|it| rank(self.model, &evaluation, &it));
            known.insert(evaluation.levels.clone(), (evaluation, rank));
        }
        Ok(())
    }

    /// Returns the nodes of the path, from the best node upwards and downwards.
    fn way(
        &mut self,
        best: Option<Vec<usize>>,
        known: &mut KnownNodes,
    ) -> Result<Vec<Vec<usize>>, SearchError> {
        let model = self.model;
        let lattice = &model.lattice;
        let start = best.unwrap_or_else(|| lattice.max().to_vec());
        self.look_at(vec![start.clone()], known)?;
        let mut way = vec![start.clone()];
        for step in [Step::Up, Step::Down] {
            let mut here = start.clone();
            while !self.is_over() {
                let neighbors = step.from(lattice, &here);
                self.look_at(neighbors.clone(), known)?;
                // Order satisfying nodes by cost, followed by the other nodes by the number of
                // failing rows.
                let order = |levels: &Vec<usize>| {
                    let (evaluation, rank) = &known[levels];
                    let failing = evaluation.needs.map_or(u64::MAX, |needs| needs.n_failing);
                    (rank.is_none(), rank.clone(), failing, levels.clone())
                };
                let Some(next) = neighbors.into_iter().min_by_key(order) else { break };
                way.push(next.clone());
                here = next;
            }
        }
        // If not all nodes are shown, discard the nodes that were only examined for comparison,
        // except the neighbors of the best node.
        if known.len() as u64 != lattice.n_nodes() {
            let near = [Step::Up, Step::Down].map(|step| step.from(lattice, &start)).concat();
            known.retain(|levels, _| way.contains(levels) || near.contains(levels));
        }
        Ok(way)
    }
}

/// A step to a neighbor.
#[derive(Debug, Clone, Copy)]
enum Step {
    Up,
    Down,
}

impl Step {
    /// Returns the nodes that are one step above or below the given node.
    fn from(self, lattice: &Lattice, levels: &[usize]) -> Vec<Vec<usize>> {
        let moved = |at: usize| {
            let mut moved = levels.to_vec();
            let is_end = match self {
                Self::Up => levels[at] == lattice.max()[at],
                Self::Down => levels[at] == lattice.min()[at],
            };
            match self {
                _ if is_end => return None,
                Self::Up => moved[at] += 1,
                Self::Down => moved[at] -= 1,
            }
            Some(moved)
        };
        (0..levels.len()).filter_map(moved).collect()
    }
}

fn height(lattice: &Lattice, levels: &[usize]) -> usize {
    levels.iter().zip(lattice.min()).map(|(level, min)| level - min).sum()
}
