//! The answer of a method: a proposal with its optimality, or the reason why there is no proposal.

use indistinct_core::recoding::perturbation::Perturbation;
use indistinct_core::{Draft, Generalization, Optimality, Recoding, SearchEffort};
use indistinct_search::{self as search, FoundRecoding, Outcome};

use crate::answer::{OfMethod, Shortfall};
use crate::invariant::Version;

/// The proposal of a search.
#[derive(Debug)]
pub struct Proposal {
    /// The input of the certifier.
    pub draft: Draft,
    /// The optimality among the recodings of the method.
    pub optimality: Optimality,
    /// Method-specific information for the answer that is known before certification.
    pub adds: Option<OfMethod>,
    /// The effort of the search.
    pub effort: SearchEffort,
    /// Whether sensitive values are generalized. If so, the guarantee assumes that the values
    /// within a generalized value are uniform.
    pub generalizes_values: bool,
    /// The table and the composition of a version, if the recoding is for a table other than the
    /// counted table.
    pub(crate) version: Option<Box<Version>>,
}

/// The result of a search without a recoding.
pub type NotFound = search::NotFound<Shortfall>;

/// The answer of a search.
#[derive(Debug)]
pub enum Answer {
    /// A recoding was found.
    Found(Box<Proposal>),
    /// No recoding exists, or no recoding was found.
    NotFound(Box<NotFound>),
}

impl Proposal {
    /// Creates a proposal with a recoding of the counted table.
    pub fn new(recoding: Recoding, optimality: Optimality) -> Self {
        Self::from_draft(Draft::Rows(recoding), optimality)
    }

    /// Creates a proposal with a perturbation; the certifier performs the draws.
    pub(crate) fn of_perturbation(perturbation: Perturbation, optimality: Optimality) -> Self {
        Self::from_draft(Draft::Perturbed(perturbation), optimality)
    }

    /// Creates a proposal from any draft that the certifier accepts.
    pub fn from_draft(draft: Draft, optimality: Optimality) -> Self {
        Self {
            draft,
            optimality,
            adds: None,
            effort: SearchEffort::default(),
            generalizes_values: false,
            version: None,
        }
    }

    /// Returns the level of each quasi-identifier, if a row's quasi-identifiers determine whether
    /// it is released at these levels or suppressed.
    pub fn follows_levels(&self) -> Option<&[usize]> {
        let is_divided = match &self.draft {
            Draft::Rows(recoding) => recoding.generalization.parts().is_some(),
            Draft::Tables(_) | Draft::Centers(_) | Draft::Masked(_) | Draft::Perturbed(_) => false,
        };
        self.levels().filter(|_| !is_divided)
    }

    /// Returns the level of each quasi-identifier, if the method assigns levels.
    pub fn levels(&self) -> Option<&[usize]> {
        match &self.draft {
            Draft::Rows(Recoding {
                generalization: Generalization::FullDomain { levels, .. },
                ..
            }) => Some(levels),
            Draft::Rows(_)
            | Draft::Tables(_)
            | Draft::Centers(_)
            | Draft::Masked(_)
            | Draft::Perturbed(_) => None,
        }
    }
}

impl Answer {
    /// Creates an answer with a proposal.
    pub fn found(proposal: Proposal) -> Self {
        Self::Found(Box::new(proposal))
    }

    /// Converts the outcome of a search into an answer, and its proposal into a draft.
    pub(crate) fn from_outcome<P>(outcome: Outcome<P>, draft: impl FnOnce(P) -> Draft) -> Self {
        match outcome {
            Outcome::Found(found) => {
                let FoundRecoding { proposal, optimality, effort, .. } = *found;
                Self::found(Proposal {
                    effort,
                    ..Proposal::from_draft(draft(proposal), optimality)
                })
            }
            Outcome::NotFound(not_found) => Self::not_found(not_found),
        }
    }

    /// Creates an answer from a search that found no recoding. The answer contains the closest
    /// recoding, if known.
    pub(crate) fn not_found(not_found: search::NotFound) -> Self {
        let search::NotFound { nearest, is_proved, effort } = not_found;
        let nearest = nearest.map(|nearest| Shortfall::Rows { nearest });
        Self::NotFound(Box::new(NotFound { nearest, is_proved, effort }))
    }

    /// Creates an answer that states a method-specific reason for not finding a recoding.
    pub(crate) fn because(shortfall: Shortfall, is_proved: bool) -> Self {
        let (nearest, effort) = (Some(shortfall), SearchEffort::default());
        Self::NotFound(Box::new(NotFound { nearest, is_proved, effort }))
    }
}
