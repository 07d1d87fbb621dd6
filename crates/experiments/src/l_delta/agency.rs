//! The text's setting (Section 5): postal code x gender x age, 50 diseases, sensitive values independent of quasi-identifiers, and those
//! uniform.

use std::ops::Range;

use indistinct_core::Rational;
use indistinct_linkage::planned::{Joint, Marginal, Target, equal_size};

use crate::error::Error;

/// Postal codes, genders and ages; combinations are numbered in this order, ages fastest.
pub(super) const DOMAINS: [u32; 3] = [10, 3, 100];
/// Diseases.
pub(super) const N_DISEASES: usize = 50;

/// Quasi-identifier combinations.
pub(super) fn n_combinations() -> usize {
    DOMAINS.iter().map(|&n| n as usize).product()
}

/// How diseases are distributed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Diseases {
    /// All alike.
    Uniform,
    /// Each has 0.95 times the probability of the one before it.
    Geometric,
}

impl Diseases {
    /// Whole weights in proportion to the probabilities.
    pub(super) fn weights(self) -> Vec<u64> {
        let weight = |rank: usize| match self {
            Diseases::Uniform => 1,
            Diseases::Geometric => (1e9 * 0.95f64.powi(rank as i32)).round() as u64,
        };
        (0..N_DISEASES).map(weight).collect()
    }

    /// The distribution of sensitive values and quasi-identifiers, both independent.
    pub(super) fn joint(self) -> Result<Joint, Error> {
        let weights = self.weights();
        let cells = (0..n_combinations() as u32).flat_map(|combination| {
            let of_one = weights.iter().enumerate();
            of_one.map(move |(value, &weight)| (combination, value as u32, weight))
        });
        let cells: Vec<(u32, u32, u64)> = cells.collect();
        Ok(Joint::of_counts(n_combinations(), N_DISEASES, &cells)?)
    }

    /// p = beta p_l, with beta in hundredths.
    pub(super) fn p(self, l: u64, hundredths: u64) -> Rational {
        let weights = self.weights();
        let total: u64 = weights.iter().sum();
        let weight = i128::from(weights[l as usize - 1]) * i128::from(hundredths);
        Rational::new(weight, i128::from(total) * 100)
    }
}

/// The classes of equal size, which are as many as any contiguous ones here (Corollary 4.8 with readings D-1 and D-2).
pub(super) fn classes(joint: &Joint, l: u64, p: &Rational) -> Result<Vec<Range<usize>>, Error> {
    let n = n_combinations();
    let uniform = Marginal::of_probabilities(&vec![Rational::new(1, n as i128); n]);
    Ok(equal_size(&uniform?, &joint.marginal(), l, p)?.classes)
}

/// l and delta.
pub(super) fn target(l: u64, delta: Rational) -> Result<Target, Error> {
    Ok(Target::new(l, delta)?)
}
