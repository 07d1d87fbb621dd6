//! Queries that must examine every node: the minimal nodes, and the nearest node if none satisfies
//! the policy. Nodes are visited in lexicographic order, which places every node after the nodes
//! below it (in reverse order, after the nodes above it).

use super::evaluate::Effort;
use super::lattice::is_above_or_equal;
use super::search::Search;
use crate::SearchError;
use indistinct_core::Nearest;

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
                    // The nodes that differ only in the last attribute are not minimal either.
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
