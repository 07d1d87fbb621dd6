//! What a search answers.

use indistinct_core::{Nearest, Optimality, SearchEffort};

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
