//! Heuristics that find a good node: a descent from the top, and descents from nodes around the
//! best node. After a stop, another descent leads to a node that no single lower level improves.

use super::evaluate::Effort;
use super::search::{Search, rank};
use crate::SearchError;

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
