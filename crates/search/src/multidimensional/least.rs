//! Stores the proposal with the lowest objective compactly while the search continues.

use super::assignment::Rows;
use super::clusters::Context;
use super::outcome::{EvaluatedProposal, evaluated};
use super::{Task, starred};

/// The class number of a tuple without a class.
const NONE: u32 = u32::MAX;

/// The stored form of a proposal.
enum LeastProposal {
    Evaluated(EvaluatedProposal),
    /// The class number of each tuple.
    Numbers {
        class_of: Vec<u32>,
        objective: f64,
    },
}

/// The best proposal so far; the first one in case of ties.
pub(super) struct Least<'a> {
    context: &'a Context<'a>,
    problem: &'a Task<'a>,
    /// Number of rows that may be suppressed.
    allowed: u64,
    retained: Option<LeastProposal>,
    /// Whether anything was proposed, including invalid proposals.
    pub is_any_proposed: bool,
}

impl<'a> Least<'a> {
    pub fn new(context: &'a Context<'a>, problem: &'a Task<'a>, allowed: u64) -> Self {
        Self { context, problem, allowed, retained: None, is_any_proposed: false }
    }

    /// Compares a proposal with the best one so far.
    pub fn propose(&mut self, classes: Vec<Vec<Rows>>) {
        self.is_any_proposed = true;
        let Some(classes) = starred::complete(self.context, self.problem, classes, self.allowed)
        else {
            return;
        };
        let next = evaluated(self.context, self.problem, classes);
        let is_less = match &self.retained {
            None => true,
            Some(LeastProposal::Evaluated(before)) => next.objective < before.objective,
            Some(LeastProposal::Numbers { objective, .. }) => next.objective < *objective,
        };
        if is_less {
            self.retained = Some(LeastProposal::Evaluated(next));
        }
    }

    /// Frees memory for another search. Proposals in which classes share a tuple are not converted.
    pub fn make_room(&mut self) {
        let Some(LeastProposal::Evaluated(best)) = &self.retained else { return };
        let counts = self.problem.table.counts();
        let mut class_of = vec![NONE; counts.len()];
        for (class, list) in (0u32..).zip(best.lists()) {
            for &(tuple, rows) in list {
                if rows != counts[tuple as usize] {
                    return;
                }
                class_of[tuple as usize] = class;
            }
        }
        self.retained = Some(LeastProposal::Numbers { class_of, objective: best.objective });
    }

    /// Returns the best proposal.
    pub fn into_best(self) -> Option<EvaluatedProposal> {
        let class_of = match self.retained? {
            LeastProposal::Evaluated(best) => return Some(best),
            LeastProposal::Numbers { class_of, .. } => class_of,
        };
        let n_classes = class_of.iter().filter(|class| **class != NONE).max();
        let mut classes = vec![Vec::new(); n_classes.map_or(0, |last| *last as usize + 1)];
        for (tuple, &class) in (0u32..).zip(&class_of).filter(|it| *it.1 != NONE) {
            classes[class as usize].push((tuple, self.problem.table.counts()[tuple as usize]));
        }
        drop(class_of);
        Some(evaluated(self.context, self.problem, classes))
    }
}
