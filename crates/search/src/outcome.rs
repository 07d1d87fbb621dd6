//! What a search answers.

/// The answer of a search that proposes `P`, or else tells `N` of what comes nearest.
#[derive(Debug, Clone, PartialEq)]
pub enum Outcome<P, N = Nearest> {
    /// A recoding satisfies the policy.
    Found(Box<Found<P>>),
    /// None was found.
    NotFound(NotFound<N>),
}

/// A recoding that satisfies the policy; the certifier decides whether it does.
#[derive(Debug, Clone, PartialEq)]
pub struct Found<P> {
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

/// No recoding was found.
#[derive(Debug, Clone, PartialEq)]
pub struct NotFound<N = Nearest> {
    /// What comes nearest; `None` if nothing was evaluated to the end.
    pub nearest: Option<N>,
    /// Whether it is proved that no recoding of the method satisfies the policy.
    pub is_proved: bool,
    /// The effort.
    pub statistics: Statistics,
}

/// How sure it is that no other recoding of the method has a lower objective.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Quality {
    /// Proved.
    Optimal,
    /// The search was stopped first; it is proved that no recoding of the method has a lower objective than this.
    Within {
        /// The bound; at most the optimum.
        at_least: f64,
    },
    /// The search was stopped first, and nothing is proved.
    CutShort,
    /// The search does not look at all of them.
    Heuristic,
}

/// The recoding that needs the fewest suppressed rows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Nearest {
    /// The level of each quasi-identifier; the highest allowed where classes have released values of their own, and empty where
    /// no attribute has a level.
    pub levels: Vec<usize>,
    /// Rows that would have to be suppressed; `None` if that is not known or does not help: starred rows fail a principle
    /// however many there are, or people of a population without a released row do.
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
    pub fn found(self) -> Result<Found<P>, NotFound<N>> {
        match self {
            Outcome::Found(found) => Ok(*found),
            Outcome::NotFound(not_found) => Err(not_found),
        }
    }
}
