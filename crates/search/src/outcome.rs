//! What a search answers.

/// The answer of a search that proposes `P`, or else tells `N` of what comes nearest.
#[derive(Debug, Clone, PartialEq)]
pub enum Outcome<P, N = Nearest> {
    /// A recoding satisfies the policy.
    Found(Box<FoundRecoding<P>>),
    /// None was found.
    NotFound(NotFound<N>),
}

/// A recoding that satisfies the policy; the certifier decides whether it does.
#[derive(Debug, Clone, PartialEq)]
pub struct FoundRecoding<P> {
    /// What to certify.
    pub proposal: P,
    /// How sure it is that no other recoding of the method is better.
    pub quality: Quality,
    /// The value of what was to be least; `None` where the search minimizes nothing of the registry.
    pub objective: Option<f64>,
    /// Rows suppressed.
    pub n_suppressed: u64,
    /// Classes of the release, as an adversary sees them, that of starred rows included.
    pub n_classes: u64,
    /// The effort.
    pub statistics: Statistics,
}

/// An objective that was reached, and what is proved that no recoding of the method has less than.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bound {
    /// What was reached.
    pub objective: f64,
    /// At most the optimum.
    pub at_least: f64,
}

impl Bound {
    /// By how much of the optimum what was reached lies above it at the most: 0.08 for 8%. `None` where the bound is 0 or less,
    /// so that it says nothing.
    pub fn gap_fraction(self) -> Option<f64> {
        let is_told = self.at_least > 0.0 && self.objective.is_finite();
        is_told.then(|| ((self.objective - self.at_least) / self.at_least).max(0.0))
    }
}

impl<P> FoundRecoding<P> {
    /// What is proved, where the search was stopped and could prove something.
    pub fn bound(&self) -> Option<Bound> {
        match (self.quality, self.objective) {
            (Quality::Within { at_least }, Some(objective)) => Some(Bound { objective, at_least }),
            _ => None,
        }
    }
}

/// No recoding was found.
#[derive(Debug, Clone, PartialEq)]
pub struct NotFound<N = Nearest> {
    /// What comes nearest; `None` if nothing was evaluated to the end.
    pub nearest: Option<N>,
    /// Whether it is proved that no recoding of the method satisfies the policy, whichever rows are suppressed.
    pub is_proved: bool,
    /// The effort.
    pub statistics: Statistics,
}

/// How sure it is that no other recoding of the method has a lower objective.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Quality {
    /// Proved, whichever rows are suppressed.
    Optimal,
    /// Proved of those that suppress whole classes as the search does. Where single rows are suppressed, or other classes, one may be better.
    OptimalLevels,
    /// The search was stopped first; it is proved that no recoding of the method has a lower objective than this.
    Within {
        /// The bound; at most the optimum.
        at_least: f64,
    },
    /// The search was stopped first, and nothing is proved.
    CutShort,
    /// The search does not look at all of them, or not at all sets of rows that may be suppressed.
    Heuristic,
}

/// The recoding that needs the fewest suppressed rows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Nearest {
    /// The level of each quasi-identifier; the highest allowed where classes have released values of their own, and empty where
    /// no attribute has a level.
    pub levels: Vec<usize>,
    /// Rows that the search would suppress, if it might; fewer others may do. `None` if
    /// that is not known or does not help: starred rows fail a principle however many there are, or people of a population without a
    /// released row do.
    pub n_suppressed_needed: Option<u64>,
    /// Rows in classes in which a principle fails.
    pub n_failing_rows: u64,
}

/// The effort of a search; 0 for what it does not do. The same on any number of threads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Statistics {
    /// Nodes of the lattice.
    pub n_nodes: u64,
    /// Nodes whose classes were formed.
    pub n_evaluated: u64,
    /// Nodes that were decided without.
    pub n_pruned: u64,
    /// Classes before any of them was improved.
    pub n_first_classes: u64,
    /// How often a few neighboring classes were formed anew.
    pub n_improvements: u64,
}

impl<P, N> Outcome<P, N> {
    /// What was found, or what comes nearest.
    ///
    /// # Errors
    /// [`NotFound`] where nothing was found.
    pub fn found(self) -> Result<FoundRecoding<P>, NotFound<N>> {
        match self {
            Outcome::Found(found) => Ok(*found),
            Outcome::NotFound(not_found) => Err(not_found),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_gap_is_a_share_of_the_bound() {
        let gap = |objective, at_least| Bound { objective, at_least }.gap_fraction();
        assert_eq!(gap(0.375, 0.25), Some(0.5));
        assert_eq!(gap(0.25, 0.25), Some(0.0));
        // Sums in another order may differ in the last digit; a bound of 0 says nothing.
        assert_eq!(gap(0.25, 0.250_000_1), Some(0.0));
        assert_eq!(gap(0.25, 0.0), None);
        assert_eq!(gap(f64::INFINITY, 0.25), None);
    }
}
