//! How many people are unique in the population, estimated from the classes of a sample and the sampling fraction.
//!
//! One file an estimator and one line in [`ESTIMATORS`]. They disagree, and each is off where its model does not fit; [`estimate`] names
//! the one that the rule of Dankar and others takes, and gives all.

mod pitman;
mod snb;
mod zayatz;

use std::collections::BTreeMap;
use std::fmt::Debug;

use serde::Serialize;

pub use pitman::Pitman;
pub use snb::Snb;
pub use zayatz::Zayatz;

/// A sample as estimators see it.
#[derive(Debug, Clone, PartialEq)]
pub struct Sample {
    /// For each size of a class the number of classes that have it.
    pub class_sizes: BTreeMap<u64, u64>,
    /// The share of the population that is in the sample, above 0 and at most 1.
    pub fraction: f64,
}

impl Sample {
    /// Rows.
    pub fn n_rows(&self) -> f64 {
        self.class_sizes.iter().map(|(size, n)| (size * n) as f64).sum()
    }

    /// Classes.
    pub fn n_classes(&self) -> f64 {
        self.class_sizes.values().map(|n| *n as f64).sum()
    }

    /// People of the population.
    pub fn n_people(&self) -> f64 {
        self.n_rows() / self.fraction
    }

    /// Classes of so many rows.
    pub fn classes_of(&self, size: u64) -> f64 {
        self.class_sizes.get(&size).map_or(0.0, |n| *n as f64)
    }
}

/// Estimates the number of people who are unique in the population.
pub trait Estimator: Debug + Sync {
    /// Its name.
    fn name(&self) -> &'static str;

    /// Where it is from.
    fn source(&self) -> &'static str;

    /// The estimate, from 0 to the people of the population; `None` where its equations have no solution. The sample has a class of one
    /// row, and the population is larger than the sample.
    fn n_unique(&self, sample: &Sample) -> Option<f64>;
}

/// All of them, in the order of the documentation.
pub static ESTIMATORS: &[&dyn Estimator] = &[&Pitman, &Zayatz, &Snb];

/// The sampling fraction up to which the rule takes Pitman's estimate.
const SMALL_FRACTION: f64 = 0.1;

/// How many people are unique in the population.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct Uniqueness {
    /// The share of the population that is in the table.
    pub sampling_fraction: f64,
    /// People of the population: rows by the sampling fraction.
    pub n_people: f64,
    /// The fraction of the rows that are alone in their class.
    pub sample_unique_fraction: f64,
    /// By each estimator.
    pub estimates: Vec<Estimate>,
    /// The estimator that the rule takes; `None` where no estimate is needed, or none is to be had.
    pub chosen: Option<&'static str>,
    /// The fraction of the people that are unique by it.
    pub population_unique_fraction: Option<f64>,
}

/// The estimate of one estimator.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, schemars::JsonSchema)]
pub struct Estimate {
    /// Its name.
    pub estimator: &'static str,
    /// Where it is from.
    pub source: &'static str,
    /// People who are unique in the population; `None` where its equations have no solution.
    pub n_unique: Option<f64>,
}

/// Estimates by all estimators, and chooses by the rule of Dankar, El Emam, Neisa and Roffey (BMC Medical Informatics and Decision Making
/// 12:66, 2012) as ARX has it: up to a sampling fraction of 0.1 Pitman's estimate, above it the smaller of Zayatz's and SNB's; Zayatz's
/// where the one that is wanted has no solution.
///
/// `None` without rows. Where the sample is the population, its uniques are those of the population, and nothing is estimated.
///
/// # Panics
/// If the fraction is not above 0 and at most 1.
pub fn estimate(sample: &Sample) -> Option<Uniqueness> {
    assert!(sample.fraction > 0.0 && sample.fraction <= 1.0, "a fraction of the population");
    let n_rows = sample.n_rows();
    if n_rows == 0.0 {
        return None;
    }
    let alone = sample.classes_of(1);
    let n_people = sample.n_people();
    let is_known = alone == 0.0 || sample.fraction == 1.0;
    let of = |estimator: &&'static dyn Estimator| Estimate {
        estimator: estimator.name(),
        source: estimator.source(),
        n_unique: match is_known {
            true => Some(alone),
            false => estimator.n_unique(sample).filter(|n| (0.0..=n_people).contains(n)),
        },
    };
    let estimates: Vec<Estimate> = ESTIMATORS.iter().map(of).collect();
    let by = |estimator: &dyn Estimator| {
        let found = estimates.iter().find(|it| it.estimator == estimator.name());
        found.and_then(|it| it.n_unique.map(|n| (it.estimator, n)))
    };
    let (pitman, zayatz, snb) = (by(&Pitman), by(&Zayatz), by(&Snb));
    let chosen = match (sample.fraction <= SMALL_FRACTION, snb, zayatz) {
        (true, ..) => pitman.or(zayatz),
        (false, Some(snb), Some(zayatz)) if zayatz.1 < snb.1 => Some(zayatz),
        (false, snb, zayatz) => snb.or(zayatz),
    };
    Some(Uniqueness {
        sampling_fraction: sample.fraction,
        n_people,
        sample_unique_fraction: alone / n_rows,
        chosen: chosen.map(|it| it.0).filter(|_| !is_known),
        population_unique_fraction: chosen.map(|it| it.1 / n_people),
        estimates,
    })
}

#[cfg(test)]
mod tests;
