//! The result of a search.

use indistinct_core::{Nearest, Optimality, SearchEffort};

/// The result of a search: a proposal `P`, or a description `N` of the recoding that comes closest
/// to the policy.
#[derive(Debug, Clone, PartialEq)]
pub enum Outcome<P, N = Nearest> {
    /// The search found a recoding that satisfies the policy.
    Found(Box<FoundRecoding<P>>),
    /// The search found no such recoding.
    NotFound(NotFound<N>),
}

/// A recoding that satisfies the policy according to the search; the certifier makes the final
/// decision.
#[derive(Debug, Clone, PartialEq)]
pub struct FoundRecoding<P> {
    /// The proposal to certify.
    pub proposal: P,
    /// The proof, if any, that no better recoding of the same method exists.
    pub optimality: Optimality,
    /// The value of the objective; `None` if the search minimizes no objective of the registry.
    pub objective: Option<f64>,
    /// Number of suppressed rows.
    pub n_suppressed: u64,
    /// Number of classes that an adversary can distinguish, including the class of suppressed rows
    /// that are shown as `*`.
    pub n_classes: u64,
    /// The effort of the search.
    pub effort: SearchEffort,
}

/// The result of a search that found no recoding.
#[derive(Debug, Clone, PartialEq)]
pub struct NotFound<N = Nearest> {
    /// The recoding that comes closest to the policy; `None` if no recoding was fully evaluated.
    pub nearest: Option<N>,
    /// Whether it is proved that no recoding of the method satisfies the policy, whichever rows are
    /// suppressed.
    pub is_proved: bool,
    /// The effort of the search.
    pub effort: SearchEffort,
}

impl<P, N> Outcome<P, N> {
    /// Converts the outcome into a result.
    ///
    /// # Errors
    /// [`NotFound`] if the search found no recoding.
    pub fn found(self) -> Result<FoundRecoding<P>, NotFound<N>> {
        match self {
            Outcome::Found(found) => Ok(*found),
            Outcome::NotFound(not_found) => Err(not_found),
        }
    }
}
