//! One search for each method of the policy, all with the same kind of answer.

use indistinct_core::recoding::perturbation::{Domain, Retention};
use indistinct_core::{Generalization, Observer, Recoding};
use indistinct_search::curve::Curve;
use indistinct_search::full_domain::FullDomain;
use indistinct_search::multidimensional::{self, Multidimensional};
use indistinct_search::sweep::{self, Sweep};
use indistinct_search::{self as search, Outcome, Problem, Search};

use crate::anatomy;
use crate::certified::Proposed;
use crate::error::Error;
use crate::invariant::{self, NoVersion, Version};
use crate::job::{Job, Prepared};
use crate::key::Key;
use crate::perturbation::{self, Largest, NoiseAlone};
use crate::planned::{self, NotByPlan};
use crate::policy::{Align, Choice, Method, Split};

/// What a search proposes.
#[derive(Debug)]
pub(crate) struct Proposal {
    pub(crate) recoding: Proposed,
    /// How sure it is that no other recoding of the method is better.
    pub(crate) quality: Quality,
    /// Where the lattice was searched: its minimal nodes, if they were asked for.
    pub(crate) minimal_nodes: Option<Vec<Vec<usize>>>,
    /// Where the lattice was searched: what that took.
    pub(crate) lattice: Option<search::Statistics>,
    /// What the guarantee rests on beyond the principles.
    pub(crate) assumes: Option<&'static str>,
}

/// How sure it is that no other recoding of the method has a lower objective.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Quality {
    /// Proved.
    Optimal,
    /// The time limit struck first.
    TimeLimit,
    /// The method does not look at all of them.
    Heuristic,
    /// Noise with the largest retention probability.
    LargestRetention,
    /// As many classes as the method finds; quasi-identifiers lose nothing.
    Separated,
    /// The classes of a plan, whatever they lose.
    Planned,
    /// Coarser than the method would have it, so that enough remains after linking with earlier releases.
    Linked,
}

/// Why there is no proposal.
#[derive(Debug)]
pub(crate) struct NotFound {
    /// The levels that come nearest, with what would have to be suppressed there; no levels where no attribute has one.
    pub(crate) nearest: Option<search::Nearest>,
    /// Whether it is proved that no recoding of the method satisfies the policy.
    pub(crate) is_proved: bool,
    /// Where the lattice was searched: what that took.
    pub(crate) lattice: Option<search::Statistics>,
}

/// The answer of a search.
#[derive(Debug)]
pub(crate) enum Answer {
    Found(Box<Proposal>),
    NotFound(NotFound),
    /// The largest retention probability; the certifier makes the draws itself.
    Perturb {
        domain: Domain,
        retention: Retention,
    },
    /// No retention probability satisfies the policy.
    NoiseAlone(Vec<NoiseAlone>),
    /// The table cannot be released by its plan.
    NotByPlan(NotByPlan),
    /// A version of a growing table, with the table that has its counterfeits.
    Version(Box<Version>),
    /// There is no version in which everybody keeps her set of secrets.
    NoVersion(NoVersion),
}

impl From<search::Quality> for Quality {
    fn from(quality: search::Quality) -> Self {
        match quality {
            search::Quality::Optimal => Quality::Optimal,
            search::Quality::CutShort => Quality::TimeLimit,
            search::Quality::Heuristic => Quality::Heuristic,
        }
    }
}

impl From<search::NotFound> for NotFound {
    fn from(not_found: search::NotFound) -> Self {
        let search::NotFound { nearest, is_proved, .. } = not_found;
        Self { nearest, is_proved, lattice: None }
    }
}

impl Proposal {
    /// For each quasi-identifier its level, where the method gives it one.
    pub(crate) fn levels(&self) -> Option<&[usize]> {
        match &self.recoding {
            Proposed::Rows(Recoding {
                generalization: Generalization::FullDomain { levels },
                ..
            }) => Some(levels),
            Proposed::Rows(_) | Proposed::Tables(_) => None,
        }
    }

    /// What a perturbation amounts to for the quasi-identifiers.
    pub(crate) fn of_perturbation(recoding: Recoding) -> Self {
        Self { quality: Quality::LargestRetention, ..Self::of_classes(recoding) }
    }

    pub(crate) fn of_classes(recoding: Recoding) -> Self {
        Self {
            recoding: Proposed::Rows(recoding),
            quality: Quality::Heuristic,
            minimal_nodes: None,
            lattice: None,
            assumes: None,
        }
    }
}

/// Searches for a recoding by the policy's method.
pub(crate) fn propose(
    job: &Job,
    prepared: &Prepared,
    key: &Key,
    observer: &dyn Observer,
) -> Result<Answer, Error> {
    match job.policy().recoding.method {
        Method::FullDomain => full_domain(job, prepared, observer),
        Method::Multidimensional => by_region(job, prepared, observer),
        Method::Curve => along_curve(job, prepared, observer),
        Method::Sweep => by_sweep(job, prepared, key, observer),
        Method::Planned => planned::follow(job, prepared),
        Method::Anatomy => anatomy::separate(job, prepared, key, observer),
        Method::Invariant => invariant::republish(job, prepared, key, observer),
        Method::Perturbation => Ok(match perturbation::largest(job, prepared)? {
            Largest::P { domain, retention } => Answer::Perturb { domain, retention },
            Largest::None(reached) => Answer::NoiseAlone(reached),
        }),
    }
}

/// For each quasi-identifier the levels that are allowed.
pub(crate) type Bounds = Vec<std::ops::RangeInclusive<usize>>;

fn full_domain(job: &Job, prepared: &Prepared, observer: &dyn Observer) -> Result<Answer, Error> {
    full_domain_within(job, prepared, &job.level_bounds(&prepared.policy)?, observer)
}

/// Searches a part of the lattice.
pub(crate) fn full_domain_within(
    job: &Job,
    prepared: &Prepared,
    bounds: &Bounds,
    observer: &dyn Observer,
) -> Result<Answer, Error> {
    let problem = Problem { bounds: bounds.clone(), ..problem(job, prepared)? };
    let search = FullDomain { all_minimal: job.minimal_nodes() };
    Ok(match search.search(&problem, observer)? {
        Outcome::Found(found) => Answer::Found(Box::new(Proposal {
            recoding: Proposed::Rows(found.proposal.recoding),
            quality: found.quality.into(),
            minimal_nodes: found.proposal.minimal_nodes,
            lattice: Some(found.statistics),
            assumes: None,
        })),
        Outcome::NotFound(not_found) => {
            Answer::NotFound(NotFound { lattice: Some(not_found.statistics), ..not_found.into() })
        }
    })
}

/// What every search is asked for.
pub(crate) fn problem<'a>(job: &'a Job, prepared: &'a Prepared) -> Result<Problem<'a>, Error> {
    Ok(Problem {
        objective: job.objective(),
        weights: job.weights(),
        bounds: job.level_bounds(&prepared.policy)?,
        time_limit: job.policy().search.time_limit(),
        ..Problem::new(&prepared.counted.table, &prepared.policy)
    })
}

pub(crate) fn align(align: Align) -> multidimensional::Align {
    match align {
        Align::Hierarchy => multidimensional::Align::Hierarchy,
        Align::Values => multidimensional::Align::Values,
    }
}

fn by_region(job: &Job, prepared: &Prepared, observer: &dyn Observer) -> Result<Answer, Error> {
    let recoding = &job.policy().recoding;
    let search = Multidimensional {
        align: align(recoding.align),
        split: match recoding.split {
            Split::Best => multidimensional::Split::Best,
            Split::Median => multidimensional::Split::Median,
        },
    };
    Ok(of_classes(search.search(&problem(job, prepared)?, observer)?))
}

fn along_curve(job: &Job, prepared: &Prepared, observer: &dyn Observer) -> Result<Answer, Error> {
    let search = Curve { align: align(job.policy().recoding.align) };
    Ok(of_classes(search.search(&problem(job, prepared)?, observer)?))
}

fn of_classes(outcome: Outcome<Recoding>) -> Answer {
    match outcome {
        Outcome::Found(found) => Answer::Found(Box::new(Proposal::of_classes(found.proposal))),
        Outcome::NotFound(not_found) => Answer::NotFound(not_found.into()),
    }
}

fn by_sweep(
    job: &Job,
    prepared: &Prepared,
    key: &Key,
    observer: &dyn Observer,
) -> Result<Answer, Error> {
    let search = Sweep {
        choice: match job.policy().recoding.choice {
            Choice::Dominant => sweep::Choice::Dominant,
            Choice::Random => sweep::Choice::Random { key: key.for_secrets() },
        },
    };
    Ok(match search.search(&problem(job, prepared)?, observer)? {
        Outcome::Found(found) => Answer::Found(Box::new(Proposal {
            assumes: found.proposal.assumes,
            ..Proposal::of_classes(found.proposal.recoding)
        })),
        Outcome::NotFound(not_found) => Answer::NotFound(not_found.into()),
    })
}
