//! What a method answers: a proposal with how sure it is, or why there is none.

use indistinct_core::recoding::perturbation::Perturbation;
use indistinct_core::{Draft, Generalization, Optimality, Recoding, SearchEffort};
use indistinct_search::{self as search, FoundRecoding, Outcome};

use crate::answer::{OfMethod, Shortfall};
use crate::invariant::Version;

/// What a search proposes.
#[derive(Debug)]
pub struct Proposal {
    /// What the certifier is asked about.
    pub draft: Draft,
    /// What is known about better recodings by the method.
    pub optimality: Optimality,
    /// What the method adds to the answer, where it knows that before the certifier was asked.
    pub adds: Option<OfMethod>,
    /// The effort of the search.
    pub effort: SearchEffort,
    /// What the guarantee rests on beyond the principles.
    pub assumes: Option<&'static str>,
    /// Where it is a recoding of another table than the counted one: that table, and what it is made of.
    pub(crate) version: Option<Box<Version>>,
}

/// No recoding was found.
pub type NotFound = search::NotFound<Shortfall>;

/// The answer of a search.
#[derive(Debug)]
pub enum Answer {
    /// There is a recoding.
    Found(Box<Proposal>),
    /// There is none, or none was found.
    NotFound(Box<NotFound>),
}

impl Proposal {
    /// A recoding of the counted table.
    pub fn new(recoding: Recoding, optimality: Optimality) -> Self {
        Self::from_draft(Draft::Rows(recoding), optimality)
    }

    /// A perturbation, whose draws the certifier makes.
    pub(crate) fn of_perturbation(perturbation: Perturbation, optimality: Optimality) -> Self {
        Self::from_draft(Draft::Perturbed(perturbation), optimality)
    }

    /// Anything that the certifier takes.
    pub fn from_draft(draft: Draft, optimality: Optimality) -> Self {
        Self {
            draft,
            optimality,
            adds: None,
            effort: SearchEffort::default(),
            assumes: None,
            version: None,
        }
    }

    /// For each quasi-identifier its level, where what becomes of a row follows from its quasi-identifiers: released at these
    /// levels, or suppressed.
    pub fn follows_levels(&self) -> Option<&[usize]> {
        let is_divided = match &self.draft {
            Draft::Rows(recoding) => recoding.generalization.parts().is_some(),
            Draft::Tables(_) | Draft::Centers(_) | Draft::Masked(_) | Draft::Perturbed(_) => false,
        };
        self.levels().filter(|_| !is_divided)
    }

    /// For each quasi-identifier its level, where the method gives it one.
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
    /// There is a recoding.
    pub fn found(proposal: Proposal) -> Self {
        Self::Found(Box::new(proposal))
    }

    /// The answer of a search, whose proposal becomes a draft.
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

    /// There is no recoding; at most one that comes near.
    pub(crate) fn not_found(not_found: search::NotFound) -> Self {
        let search::NotFound { nearest, is_proved, effort } = not_found;
        let nearest = nearest.map(|nearest| Shortfall::Rows { nearest });
        Self::NotFound(Box::new(NotFound { nearest, is_proved, effort }))
    }

    /// There is no recoding, for a reason of the method.
    pub(crate) fn because(shortfall: Shortfall, is_proved: bool) -> Self {
        let (nearest, effort) = (Some(shortfall), SearchEffort::default());
        Self::NotFound(Box::new(NotFound { nearest, is_proved, effort }))
    }
}
