//! What a method answers: a proposal with how sure it is, or why there is none.

use indistinct_core::recoding::perturbation::Perturbation;
use indistinct_core::{Draft, Generalization, Recoding};
use indistinct_release::statements;
use indistinct_search::{self as search, Bound, FoundRecoding, Nearest, Outcome, Statistics};

use crate::answer::{NotPossible, OfMethod};
use crate::invariant::Version;

/// What a search proposes.
#[derive(Debug)]
pub struct Proposal {
    /// What the certifier is asked about.
    pub draft: Draft,
    /// How sure it is that no other recoding of the method is better.
    pub quality: Quality,
    /// What the method adds to the answer, where it knows that before the certifier was asked.
    pub adds: Option<OfMethod>,
    /// Where the lattice was searched: what that took.
    pub lattice: Option<Statistics>,
    /// What the guarantee rests on beyond the principles.
    pub assumes: Option<&'static str>,
    /// Where it is a recoding of another table than the counted one: that table, and what it is made of.
    pub(crate) version: Option<Box<Version>>,
}

/// How sure it is that no other recoding of the method has a lower objective.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Quality {
    /// Proved.
    Optimal,
    /// Proved of those that suppress whole classes as the search does.
    OptimalLevels,
    /// The search was stopped first, by its time limit or since somebody asked for the best so far.
    Stopped {
        /// What is proved nevertheless.
        bound: Option<Bound>,
    },
    /// The method does not look at all of them.
    Heuristic,
    /// Coarser than the method would have it, so that enough remains after linking with earlier releases.
    Linked,
    /// As the method says.
    Own {
        /// Whether no other recoding of the method is better.
        is_optimal: bool,
        /// What is stated of it.
        text: &'static str,
    },
}

impl Quality {
    /// The same in the words of the certificate.
    pub fn found(self) -> statements::Provenance {
        match self {
            Quality::Optimal => statements::Provenance::Optimal,
            Quality::OptimalLevels => statements::Provenance::OptimalLevels,
            Quality::Stopped { .. } => statements::Provenance::Stopped,
            Quality::Heuristic => statements::Provenance::Heuristic,
            Quality::Linked => statements::Provenance::Linked,
            Quality::Own { is_optimal, text } => statements::Provenance::Own { text, is_optimal },
        }
    }

    /// What a method says in its own words.
    pub(crate) const fn own(found: statements::Provenance) -> Self {
        match found {
            statements::Provenance::Own { text, is_optimal } => Quality::Own { is_optimal, text },
            _ => panic!("these are words of its own"),
        }
    }

    /// Whether it is proved that no other recoding of the method is better.
    pub fn is_optimal(self) -> bool {
        match self {
            Quality::Optimal => true,
            Quality::Own { is_optimal, .. } => is_optimal,
            Quality::OptimalLevels
            | Quality::Stopped { .. }
            | Quality::Heuristic
            | Quality::Linked => false,
        }
    }

    /// Whether it is proved that no other levels are better, where whole classes are suppressed as the search does.
    pub fn has_optimal_levels(self) -> bool {
        matches!(self, Quality::Optimal | Quality::OptimalLevels)
    }

    /// Whether the search was stopped first.
    pub fn is_stopped(self) -> bool {
        matches!(self, Quality::Stopped { .. })
    }

    /// What is proved of it, where the search was stopped.
    pub fn bound(self) -> Option<Bound> {
        match self {
            Quality::Stopped { bound } => bound,
            _ => None,
        }
    }
}

impl<P> From<&FoundRecoding<P>> for Quality {
    fn from(found: &FoundRecoding<P>) -> Self {
        match found.quality {
            search::Quality::Optimal => Quality::Optimal,
            search::Quality::OptimalLevels => Quality::OptimalLevels,
            search::Quality::CutShort | search::Quality::Within { .. } => {
                Quality::Stopped { bound: found.bound() }
            }
            search::Quality::Heuristic => Quality::Heuristic,
        }
    }
}

/// Why there is no proposal.
#[derive(Debug)]
pub struct NotFound {
    /// The levels that come nearest, with what would have to be suppressed there; no levels where no attribute has one.
    pub nearest: Option<Nearest>,
    /// Whether it is proved that no recoding of the method satisfies the policy.
    pub is_proved: bool,
    /// Where the lattice was searched: what that took.
    pub lattice: Option<Statistics>,
    /// What the method has to say about it.
    pub why: Option<NotPossible>,
}

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
    pub fn new(recoding: Recoding, quality: Quality) -> Self {
        Self::of(Draft::Rows(recoding), quality)
    }

    /// A perturbation, whose draws the certifier makes.
    pub(crate) fn of_perturbation(perturbation: Perturbation, quality: Quality) -> Self {
        Self::of(Draft::Noise(perturbation), quality)
    }

    /// Anything that the certifier takes.
    pub fn of(draft: Draft, quality: Quality) -> Self {
        Self { draft, quality, adds: None, lattice: None, assumes: None, version: None }
    }

    /// For each quasi-identifier its level, where what becomes of a row follows from its quasi-identifiers: released at these
    /// levels, or suppressed.
    pub fn follows_levels(&self) -> Option<&[usize]> {
        let is_divided = match &self.draft {
            Draft::Rows(recoding) => recoding.generalization.parts().is_some(),
            Draft::Tables(_) | Draft::Centers(_) | Draft::Masked(_) | Draft::Noise(_) => false,
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
            | Draft::Noise(_) => None,
        }
    }
}

impl Answer {
    /// There is a recoding.
    pub fn found(proposal: Proposal) -> Self {
        Self::Found(Box::new(proposal))
    }

    /// The answer of a search whose classes have released values of their own.
    pub(crate) fn of_classes(outcome: Outcome<Recoding>) -> Self {
        match outcome {
            Outcome::Found(found) => {
                let quality = Quality::from(&*found);
                Self::found(Proposal::new(found.proposal, quality))
            }
            Outcome::NotFound(not_found) => Self::not_found(not_found),
        }
    }

    pub(crate) fn not_found(not_found: search::NotFound) -> Self {
        let is_proved = not_found.is_proved;
        let nearest = not_found.nearest;
        Self::NotFound(Box::new(NotFound { nearest, is_proved, lattice: None, why: None }))
    }

    /// There is no recoding, for a reason that the method tells.
    pub(crate) fn because(why: NotPossible, is_proved: bool) -> Self {
        let why = Some(why);
        Self::NotFound(Box::new(NotFound { nearest: None, is_proved, lattice: None, why }))
    }
}
