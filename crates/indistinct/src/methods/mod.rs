//! The methods, by which a table is recoded: one file or folder for each, one line in [`Registry::standard`].
//!
//! What a policy knows of a method is its [kind](crate::policy::MethodKind). Here is what it does: how it proposes a recoding, what it
//! states of a release and adds to the answer, and how a ledger can make it coarser. Nobody outside a method's file asks for its name.

pub(crate) mod curve;
pub(crate) mod full_domain;
pub(crate) mod multidimensional;
pub(crate) mod sweep;

mod answer;
mod task;

use std::fmt;

use indistinct_core::recoding::perturbation::Perturbation;
use indistinct_core::{Generalization, Observer, Recoding, Release};
use indistinct_release::certificate::Statement;
use indistinct_report::SearchEnd;
use indistinct_search::{self as search, Bound, Found, Nearest, Outcome, Statistics};

pub use answer::{NotPossible, OfMethod};
pub use task::{Bounds, Solution, Task};

use crate::anatomy::AnatomyMethod;
use crate::certified::Proposed;
use crate::error::Error;
use crate::invariant::{InvariantMethod, Version};
use crate::perturbation::PerturbationMethod;
use crate::planned::PlannedMethod;
use crate::policy;
use curve::CurveMethod;
use full_domain::FullDomainMethod;
use multidimensional::MultidimensionalMethod;
use sweep::SweepMethod;

/// A way to recode a table.
pub trait Method: fmt::Debug + Sync {
    /// What a policy knows of it.
    fn kind(&self) -> policy::Method;

    /// Searches for a recoding. It is untrusted: the certifier decides.
    ///
    /// # Errors
    /// [`Error`] if the search cannot be made, or the observer cancels.
    fn propose(&self, task: &Task<'_>, observer: &dyn Observer) -> Result<Answer, Error>;

    /// How a recoding is made coarser that leaves too little after linking with earlier releases.
    fn coarsening(&self) -> Coarsening {
        Coarsening::Never
    }

    /// The loss that it makes small.
    fn objective(&self, task: &Task<'_>) -> &'static str {
        task.objective().name
    }

    /// What it adds to the answer about a certified release.
    fn answer(&self, _solution: &Solution<'_>) -> Option<OfMethod> {
        None
    }

    /// What the holder should know before handing the release out.
    fn warnings(&self, _solution: &Solution<'_>) -> Vec<String> {
        Vec::new()
    }

    /// What only the holder can attest of such a release.
    fn statements(&self, _solution: &Solution<'_>) -> Vec<Statement> {
        Vec::new()
    }

    /// For each class of a release the number that is written, where the method gives it one.
    fn class_numbers(&self, _release: &Release<'_>, _recoding: &Recoding) -> Option<Vec<u32>> {
        None
    }

    /// How the search ended, for the holder's report, where the method has something of its own to say.
    fn search_end(&self, _solution: &Solution<'_>) -> Option<SearchEnd> {
        None
    }
}

/// The methods that a policy may name.
#[derive(Debug, Clone)]
pub struct Registry {
    methods: Vec<&'static dyn Method>,
}

impl Registry {
    /// All methods of Indistinct.
    pub fn standard() -> Self {
        Self {
            methods: vec![
                &FullDomainMethod,
                &MultidimensionalMethod,
                &CurveMethod,
                &SweepMethod,
                &AnatomyMethod,
                &PerturbationMethod,
                &PlannedMethod,
                &InvariantMethod,
            ],
        }
    }

    /// The same with one more.
    #[must_use]
    pub fn with(mut self, method: &'static dyn Method) -> Self {
        self.methods.push(method);
        self
    }

    /// What a policy knows of them.
    pub(crate) fn kinds(&self) -> Vec<policy::Method> {
        self.methods.iter().map(|method| method.kind()).collect()
    }

    /// The method of a kind that a policy names.
    ///
    /// # Panics
    /// If it has none.
    pub(crate) fn of_kind(&self, kind: policy::Method) -> &'static dyn Method {
        let found = self.methods.iter().find(|method| method.kind() == kind);
        *found.expect("a policy names a method that it was read with")
    }
}

/// What a search proposes.
#[derive(Debug)]
pub struct Proposal {
    pub(crate) recoding: Proposed,
    /// How sure it is that no other recoding of the method is better.
    pub(crate) quality: Quality,
    /// Where the lattice was searched: its minimal nodes, if they were asked for.
    pub(crate) minimal_nodes: Option<Vec<Vec<usize>>>,
    /// Where the lattice was searched: what that took.
    pub(crate) lattice: Option<Statistics>,
    /// What the guarantee rests on beyond the principles.
    pub(crate) assumes: Option<&'static str>,
    /// Where it is a recoding of another table than the counted one: that table, and what it is made of.
    pub(crate) version: Option<Box<Version>>,
}

/// How sure it is that no other recoding of the method has a lower objective.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Quality {
    /// Proved.
    Optimal,
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

impl<P> From<&Found<P>> for Quality {
    fn from(found: &Found<P>) -> Self {
        match found.quality {
            search::Quality::Optimal => Quality::Optimal,
            search::Quality::CutShort | search::Quality::Within { .. } => {
                Quality::Stopped { bound: found.bound() }
            }
            search::Quality::Heuristic => Quality::Heuristic,
        }
    }
}

impl Quality {
    /// Whether it is proved that no other recoding of the method is better.
    pub(crate) fn is_optimal(self) -> bool {
        match self {
            Quality::Optimal => true,
            Quality::Own { is_optimal, .. } => is_optimal,
            Quality::Stopped { .. } | Quality::Heuristic | Quality::Linked => false,
        }
    }

    /// What is proved of it, where the search was stopped.
    pub(crate) fn bound(self) -> Option<Bound> {
        match self {
            Quality::Stopped { bound } => bound,
            _ => None,
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

/// How a recoding is made coarser that leaves too little after linking with earlier releases.
#[derive(Debug, Clone, Copy)]
pub enum Coarsening {
    /// It is not: its classes are given.
    Never,
    /// Higher levels: searches a part of the lattice, between levels for each quasi-identifier.
    Levels(fn(&Task<'_>, &Bounds, &dyn Observer) -> Result<Answer, Error>),
    /// Larger classes.
    LargerClasses,
    /// The classes of an earlier release, or larger ones.
    EarlierOrLargerClasses,
    /// More different sensitive values in each class.
    MoreValues,
}

impl Proposal {
    /// A recoding of the counted table.
    pub fn new(recoding: Recoding, quality: Quality) -> Self {
        Self::of(Proposed::Rows(recoding), quality)
    }

    /// A perturbation, whose draws the certifier makes.
    pub(crate) fn of_perturbation(perturbation: Perturbation, quality: Quality) -> Self {
        Self::of(Proposed::Noise(perturbation), quality)
    }

    pub(crate) fn of(recoding: Proposed, quality: Quality) -> Self {
        Self { recoding, quality, minimal_nodes: None, lattice: None, assumes: None, version: None }
    }

    /// For each quasi-identifier its level, where the method gives it one.
    pub(crate) fn levels(&self) -> Option<&[usize]> {
        match &self.recoding {
            Proposed::Rows(Recoding {
                generalization: Generalization::FullDomain { levels },
                ..
            }) => Some(levels),
            Proposed::Rows(_) | Proposed::Tables(_) | Proposed::Noise(_) => None,
        }
    }
}

impl Answer {
    pub(crate) fn found(proposal: Proposal) -> Self {
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
        let search::NotFound { nearest, is_proved, .. } = not_found;
        Self::NotFound(Box::new(NotFound { nearest, is_proved, lattice: None, why: None }))
    }

    /// There is no recoding, for a reason that the method tells.
    pub(crate) fn because(why: NotPossible, is_proved: bool) -> Self {
        let why = Some(why);
        Self::NotFound(Box::new(NotFound { nearest: None, is_proved, lattice: None, why }))
    }
}
