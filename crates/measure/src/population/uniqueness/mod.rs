//! Estimates the number of people who are unique in the population, from the classes of a sample
//! and the sampling fraction.
//!
//! Each estimator has one file and one line in [`ESTIMATORS`]. The estimators often disagree,
//! because each is inaccurate if its model does not fit. [`estimate`] returns all estimates and
//! names the one that the rule of Dankar and others selects.

mod pitman;
mod snb;
mod zayatz;

use std::collections::BTreeMap;

use serde::Serialize;

use pitman::PITMAN;
use snb::SNB;
use zayatz::ZAYATZ;

/// Information about a sample that the estimators use.
#[derive(Debug, Clone, PartialEq)]
pub struct Sample {
    /// The number of classes of each size.
    pub class_sizes: BTreeMap<u64, u64>,
    /// The fraction of the population that the sample contains, above 0 and at most 1.
    pub fraction: f64,
}

impl Sample {
    /// Returns the number of rows.
    pub fn n_rows(&self) -> f64 {
        self.class_sizes.iter().map(|(size, n)| (size * n) as f64).sum()
    }

    /// Returns the number of classes.
    pub fn n_classes(&self) -> f64 {
        self.class_sizes.values().map(|n| *n as f64).sum()
    }

    /// Returns the number of people in the population.
    pub fn n_people(&self) -> f64 {
        self.n_rows() / self.fraction
    }

    /// Returns the number of classes with the given number of rows.
    pub fn classes_of(&self, size: u64) -> f64 {
        self.class_sizes.get(&size).map_or(0.0, |n| *n as f64)
    }
}

/// Estimates the number of people who are unique in the population.
#[derive(Debug)]
pub struct Estimator {
    /// The name of the estimator.
    pub name: &'static str,
    /// The publication that defines the estimator.
    pub source: &'static str,
    /// Returns the estimate, from 0 to the number of people in the population, or `None` if the
    /// equations have no solution. The sample must have a class of one row, and the population must
    /// be larger than the sample.
    pub n_unique: fn(&Sample) -> Option<f64>,
}

/// All estimators, in the order of the documentation.
pub static ESTIMATORS: &[&Estimator] = &[&PITMAN, &ZAYATZ, &SNB];

/// The maximum sampling fraction for which the rule of Dankar and others selects Pitman's estimate.
const SMALL_FRACTION: f64 = 0.1;

/// The number of people who are unique in the population.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct Uniqueness {
    /// The fraction of the population that the table contains.
    pub sampling_fraction: f64,
    /// The number of people in the population: the number of rows divided by the sampling fraction.
    pub n_people: f64,
    /// The fraction of rows that are unique in the sample.
    pub sample_unique_fraction: f64,
    /// The estimate of each estimator.
    pub estimates: Vec<Estimate>,
    /// The estimator that the rule selects. `None` if no estimate is required, or none is
    /// available.
    pub chosen: Option<&'static str>,
    /// The fraction of people who are unique in the population, according to the selected
    /// estimator.
    pub population_unique_fraction: Option<f64>,
}

/// The estimate of one estimator.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, schemars::JsonSchema)]
pub struct Estimate {
    /// The name of the estimator.
    pub estimator: &'static str,
    /// The publication that defines the estimator.
    pub source: &'static str,
    /// The number of people who are unique in the population. `None` if the equations have no
    /// solution.
    pub n_unique: Option<f64>,
}

/// Computes the estimates of all estimators, and selects one by the rule of Dankar, El Emam, Neisa
/// and Roffey (BMC Medical Informatics and Decision Making 12:66, 2012) as implemented in ARX:
/// Pitman's estimate for a sampling fraction of at most 0.1, and otherwise the smaller of Zayatz's
/// and SNB's estimates. If the required estimate has no solution, Zayatz's estimate is selected.
///
/// Returns `None` for an empty sample. If the sample is the whole population, its unique rows are
/// those of the population, and no estimate is required.
///
/// # Panics
/// Panics if the fraction is not above 0 and at most 1.
pub fn estimate(sample: &Sample) -> Option<Uniqueness> {
    assert!(
        sample.fraction > 0.0 && sample.fraction <= 1.0,
        "the sampling fraction is above 0 and at most 1"
    );
    let n_rows = sample.n_rows();
    if n_rows == 0.0 {
        return None;
    }
    let alone = sample.classes_of(1);
    let n_people = sample.n_people();
    let is_known = alone == 0.0 || sample.fraction == 1.0;
    let of = |estimator: &&'static Estimator| Estimate {
        estimator: estimator.name,
        source: estimator.source,
        n_unique: match is_known {
            true => Some(alone),
            false => (estimator.n_unique)(sample).filter(|n| (0.0..=n_people).contains(n)),
        },
    };
    let estimates: Vec<Estimate> = ESTIMATORS.iter().map(of).collect();
    let by = |estimator: &Estimator| {
        let found = estimates.iter().find(|it| it.estimator == estimator.name);
        found.and_then(|it| it.n_unique.map(|n| (it.estimator, n)))
    };
    let (pitman, zayatz, snb) = (by(&PITMAN), by(&ZAYATZ), by(&SNB));
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
