//! The methods, by which a table is recoded: one folder for each, one line in [`Registry::standard`].
//!
//! What a policy knows of a method is its [kind](policy::MethodKind). Here is what it does: how it proposes a recoding, what it
//! states of a release and adds to the answer, what it has to do with a ledger, and how a ledger can make it coarser. The main
//! types are [`Method`] and the [`Task`] that it is given.
//!
//! The key decision: **a method is a value**. Whoever makes a release asks it; nobody outside a method's folder asks for its name. A
//! method proposes and the certifier of `indistinct-core` decides, so that a program may bring [its own](Registry::with).

#![deny(missing_docs)]

pub mod anatomy;
mod curve;
mod full_domain;
pub mod invariant;
mod multidimensional;
pub mod perturbation;
pub mod planned;
mod sweep;

mod answer;
mod bound;
mod coarser;
mod error;
mod key;
mod people;
mod prepared;
mod task;

use std::fmt;
use std::path::Path;

use indistinct_core::recoding::perturbation::Perturbation;
use indistinct_core::{Draft, FrequencyTable, Generalization, Observer, Recoding, Release};
use indistinct_ledger::{Entry, Ledger, ReleaseId};
pub use indistinct_policy as policy;
use indistinct_release::certificate::Statement;
use indistinct_release::plan::PlanFile;
use indistinct_release::statements;
use indistinct_report::SearchEnd;
use indistinct_search::{self as search, Bound, Found, Nearest, Outcome, Statistics};

pub use answer::{NotPossible, OfMethod};
pub use bound::{BoundPolicy, Bounds};
pub use coarser::{LinkedOutcome, LinkedSearch};
pub use error::Error;
pub use key::Key;
pub use people::{fewest_in_a_class, people_of};
pub use perturbation::NoiseAlone;
pub use prepared::{Prepared, RepeatedIdentifier};
pub use task::{Solution, Task};

use anatomy::AnatomyMethod;
use curve::CurveMethod;
use full_domain::FullDomainMethod;
use invariant::{InvariantMethod, SeriesCheck, Version};
use multidimensional::MultidimensionalMethod;
use perturbation::PerturbationMethod;
use planned::PlannedMethod;
use policy::PolicyFile;
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

    /// Reads what a policy names beside its table, and makes what that promises part of the policy.
    ///
    /// # Errors
    /// [`Error`] if it cannot be read, or does not go with the policy.
    fn read_plan(
        &self,
        _policy: &mut PolicyFile,
        _folder: &Path,
    ) -> Result<Option<PlanFile>, Error> {
        Ok(None)
    }

    /// What the holder should know of a counted table before it is released by this method.
    fn table_warnings(&self, _bound: &BoundPolicy, _table: &FrequencyTable) -> Vec<String> {
        Vec::new()
    }

    /// The counted table as the method takes it.
    ///
    /// # Errors
    /// [`Error`] if it has rows that the method has no place for.
    fn lay(&self, _bound: &BoundPolicy, table: FrequencyTable) -> Result<FrequencyTable, Error> {
        Ok(table)
    }

    /// What the ledger of earlier releases adds to a table before a recoding is searched.
    ///
    /// # Errors
    /// [`Error`] if the ledger cannot be read, or does not go with the table.
    fn with_ledger(
        &self,
        _bound: &BoundPolicy,
        prepared: Prepared,
        _ledger: &Ledger,
        _observer: &dyn Observer,
    ) -> Result<Prepared, Error> {
        Ok(prepared)
    }

    /// What it keeps in a ledger of a release that is being recorded.
    ///
    /// # Errors
    /// [`Error`] if the ledger cannot be written.
    fn record(&self, _: &Prepared, _: &Entry<'_>, _: ReleaseId) -> Result<(), Error> {
        Ok(())
    }

    /// What all recorded versions of a growing table keep, where it makes such.
    ///
    /// # Errors
    /// [`Error`] if the ledger cannot be read.
    fn check_series(&self, _: &Ledger, _series: &str) -> Result<Option<SeriesCheck>, Error> {
        Ok(None)
    }

    /// How a recoding is made coarser that leaves too little after linking with earlier releases.
    fn coarsening(&self) -> Coarsening {
        Coarsening::Never
    }

    /// The loss that it makes small.
    fn objective(&self, task: &Task<'_>) -> &'static str {
        task.objective().name
    }

    /// What it adds to the answer about a certified release.
    fn answer(&self, solution: &Solution<'_>) -> Option<OfMethod> {
        solution.proposal.adds.clone()
    }

    /// What the holder should know before handing the release out.
    fn warnings(&self, _solution: &Solution<'_>) -> Vec<String> {
        Vec::new()
    }

    /// What only the holder can attest of such a release.
    fn statements(&self, _solution: &Solution<'_>) -> Vec<Statement> {
        Vec::new()
    }

    /// Writes into a folder of the private part which class each row of the input is in, where the method decided that; otherwise the
    /// input is read again.
    ///
    /// # Errors
    /// [`Error`] if it cannot be written.
    fn write_mapping(&self, _: &Solution<'_>, _folder: &Path) -> Result<Mapping, Error> {
        Ok(Mapping::OfRows)
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

/// Where it is known which class each row of the input is in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mapping {
    /// It follows from the values of each row.
    OfRows,
    /// The method has written it.
    Written,
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
    pub fn kinds(&self) -> Vec<policy::Method> {
        self.methods.iter().map(|method| method.kind()).collect()
    }

    /// The method of a kind that a policy names.
    ///
    /// # Panics
    /// If it has none.
    pub fn of_kind(&self, kind: policy::Method) -> &'static dyn Method {
        let found = self.methods.iter().find(|method| method.kind() == kind);
        *found.expect("a policy names a method that it was read with")
    }
}

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
    pub fn found(self) -> statements::Found {
        match self {
            Quality::Optimal => statements::Found::Optimal,
            Quality::Stopped { .. } => statements::Found::Stopped,
            Quality::Heuristic => statements::Found::Heuristic,
            Quality::Linked => statements::Found::Linked,
            Quality::Own { is_optimal, text } => statements::Found::Own { text, is_optimal },
        }
    }

    /// What a method says in its own words.
    pub(crate) const fn own(found: statements::Found) -> Self {
        match found {
            statements::Found::Own { text, is_optimal } => Quality::Own { is_optimal, text },
            _ => panic!("these are words of its own"),
        }
    }
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
    pub fn is_optimal(self) -> bool {
        match self {
            Quality::Optimal => true,
            Quality::Own { is_optimal, .. } => is_optimal,
            Quality::Stopped { .. } | Quality::Heuristic | Quality::Linked => false,
        }
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
            Draft::Tables(_) | Draft::Noise(_) => false,
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
            Draft::Rows(_) | Draft::Tables(_) | Draft::Noise(_) => None,
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
        let search::NotFound { nearest, is_proved, .. } = not_found;
        Self::NotFound(Box::new(NotFound { nearest, is_proved, lattice: None, why: None }))
    }

    /// There is no recoding, for a reason that the method tells.
    pub(crate) fn because(why: NotPossible, is_proved: bool) -> Self {
        let why = Some(why);
        Self::NotFound(Box::new(NotFound { nearest: None, is_proved, lattice: None, why }))
    }
}
