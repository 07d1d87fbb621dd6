//! What a search answers.

use indistinct_core::{Optimality, SearchEffort};

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
    /// What is known about better recodings by the method.
    pub optimality: Optimality,
    /// The value of what was to be least; `None` where the search minimizes nothing of the registry.
    pub objective: Option<f64>,
    /// Rows suppressed.
    pub n_suppressed: u64,
    /// Classes of the release, as an adversary sees them, that of starred rows included.
    pub n_classes: u64,
    /// The effort.
    pub effort: SearchEffort,
}

/// No recoding was found.
#[derive(Debug, Clone, PartialEq)]
pub struct NotFound<N = Nearest> {
    /// What comes nearest; `None` if nothing was evaluated to the end.
    pub nearest: Option<N>,
    /// Whether it is proved that no recoding of the method satisfies the policy, whichever rows are suppressed.
    pub is_proved: bool,
    /// The effort.
    pub effort: SearchEffort,
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
