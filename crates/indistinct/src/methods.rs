//! One search for each method of the policy, all with the same kind of answer.

use indistinct_core::recoding::ClassColumn;
use indistinct_core::recoding::perturbation::{Domain, Retention};
use indistinct_core::{Generalization, Observer, Recoding};
use indistinct_search::{self as search, curve, multidimensional, sweep};

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
    let problem = search::Problem {
        table: &prepared.counted.table,
        policy: &prepared.policy,
        objective: job.objective(),
        weights: job.weights(),
        bounds: bounds.clone(),
    };
    let options = search::Options {
        all_minimal: job.minimal_nodes(),
        deadline: job.policy().search.time_limit(),
    };
    Ok(match search::full_domain(&problem, &options, observer)? {
        search::Outcome::Found(found) => Answer::Found(Box::new(Proposal {
            recoding: Proposed::Rows(found.recoding),
            quality: if found.optimal { Quality::Optimal } else { Quality::TimeLimit },
            minimal_nodes: found.minimal_nodes,
            lattice: Some(found.statistics),
            assumes: None,
        })),
        search::Outcome::Infeasible(infeasible) => Answer::NotFound(NotFound {
            nearest: infeasible.nearest,
            is_proved: true,
            lattice: Some(infeasible.statistics),
        }),
    })
}

pub(crate) fn align(align: Align) -> multidimensional::Align {
    match align {
        Align::Hierarchy => multidimensional::Align::Hierarchy,
        Align::Values => multidimensional::Align::Values,
    }
}

/// The coarsest levels that the policy allows: what comes nearest where classes do not work out.
fn coarsest(
    job: &Job,
    prepared: &Prepared,
    n_failing_rows: u64,
) -> Result<Option<search::Nearest>, Error> {
    let bounds = job.level_bounds(&prepared.policy)?;
    Ok(Some(search::Nearest {
        levels: bounds.iter().map(|levels| *levels.end()).collect(),
        n_suppressed_needed: None,
        n_failing_rows,
    }))
}

fn by_region(job: &Job, prepared: &Prepared, observer: &dyn Observer) -> Result<Answer, Error> {
    let recoding = &job.policy().recoding;
    let problem = multidimensional::Problem {
        table: &prepared.counted.table,
        policy: &prepared.policy,
        objective: job.objective(),
        weights: job.weights(),
        bounds: job.level_bounds(&prepared.policy)?,
        align: align(recoding.align),
        split: match recoding.split {
            Split::Best => multidimensional::Split::Best,
            Split::Median => multidimensional::Split::Median,
        },
        classes: match job.policy().output.class_column {
            Some(_) => ClassColumn::Published,
            None => ClassColumn::Absent,
        },
    };
    let options = multidimensional::Options { deadline: job.policy().search.time_limit() };
    Ok(match multidimensional::multidimensional(&problem, &options, observer)? {
        multidimensional::Outcome::Found(found) => {
            Answer::Found(Box::new(Proposal::of_classes(Recoding {
                generalization: Generalization::Classes(found.classes),
                suppressed: found.suppressed,
                secrets: None,
            })))
        }
        multidimensional::Outcome::Infeasible(infeasible) => Answer::NotFound(NotFound {
            nearest: coarsest(job, prepared, infeasible.n_failing_rows)?,
            is_proved: infeasible.proof == multidimensional::NoRecoding::Proved,
            lattice: None,
        }),
    })
}

fn along_curve(job: &Job, prepared: &Prepared, observer: &dyn Observer) -> Result<Answer, Error> {
    let problem = curve::Problem {
        table: &prepared.counted.table,
        policy: &prepared.policy,
        weights: job.weights(),
        bounds: job.level_bounds(&prepared.policy)?,
        align: align(job.policy().recoding.align),
    };
    let options = curve::Options { deadline: job.policy().search.time_limit() };
    Ok(match curve::curve(&problem, &options, observer)? {
        curve::Outcome::Found(found) => {
            Answer::Found(Box::new(Proposal::of_classes(found.recoding)))
        }
        curve::Outcome::Infeasible(infeasible) => Answer::NotFound(NotFound {
            nearest: coarsest(job, prepared, infeasible.n_failing_rows)?,
            is_proved: infeasible.is_proved,
            lattice: None,
        }),
    })
}

fn by_sweep(
    job: &Job,
    prepared: &Prepared,
    key: &Key,
    observer: &dyn Observer,
) -> Result<Answer, Error> {
    let problem = sweep::Problem {
        table: &prepared.counted.table,
        policy: &prepared.policy,
        weights: job.weights(),
        bounds: job.level_bounds(&prepared.policy)?,
        choice: match job.policy().recoding.choice {
            Choice::Dominant => sweep::Choice::Dominant,
            Choice::Random => sweep::Choice::Random { key: key.for_secrets() },
        },
    };
    let options = sweep::Options { deadline: job.policy().search.time_limit() };
    Ok(match sweep::sweep(&problem, &options, observer)? {
        sweep::Outcome::Found(found) => Answer::Found(Box::new(Proposal {
            assumes: found.assumes,
            ..Proposal::of_classes(found.recoding)
        })),
        sweep::Outcome::Infeasible(infeasible) => {
            let mut nearest = coarsest(job, prepared, prepared.counted.table.n_rows())?;
            if let Some(nearest) = &mut nearest {
                nearest.n_suppressed_needed = infeasible.n_suppressed_needed;
            }
            let is_proved = infeasible.is_proved;
            Answer::NotFound(NotFound { nearest, is_proved, lattice: None })
        }
    })
}
