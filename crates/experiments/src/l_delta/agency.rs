//! The setting in Section 5, with postal code, gender, age, and 50 diseases. Sensitive values are
//! independent of the quasi-identifiers, which are uniformly distributed.

use std::ops::Range;

use indistinct_core::Rational;
use indistinct_linkage::planned::{Joint, Marginal, Target, equal_size};

use crate::error::Error;

/// The numbers of postal codes, genders, and ages. Combinations are numbered in this order, with
/// age varying fastest.
pub(super) const DOMAINS: [u32; 3] = [10, 3, 100];
/// The number of diseases.
pub(super) const N_DISEASES: usize = 50;

/// Returns the number of quasi-identifier combinations.
pub(super) fn n_combinations() -> usize {
    DOMAINS.iter().map(|&n| n as usize).product()
}

/// The distribution of diseases.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Diseases {
    /// All diseases are equally likely.
    Uniform,
    /// Each disease is 0.95 times as likely as the previous disease.
    Geometric,
}

impl Diseases {
    /// Integer weights proportional to the probabilities.
    pub(super) fn weights(self) -> Vec<u64> {
        let weight = |rank: usize| match self {
            Diseases::Uniform => 1,
            Diseases::Geometric => (1e9 * 0.95f64.powi(rank as i32)).round() as u64,
        };
        (0..N_DISEASES).map(weight).collect()
    }

    /// Returns a joint distribution in which sensitive values are independent of quasi-identifiers.
    pub(super) fn joint(self) -> Result<Joint, Error> {
        let weights = self.weights();
        let cells = (0..n_combinations() as u32).flat_map(|combination| {
            let of_one = weights.iter().enumerate();
            of_one.map(move |(value, &weight)| (combination, value as u32, weight))
        });
        let cells: Vec<(u32, u32, u64)> = cells.collect();
        Ok(Joint::of_counts(n_combinations(), N_DISEASES, &cells)?)
    }

    /// p = beta p_l, where beta is given in hundredths.
    pub(super) fn p(self, l: u64, hundredths: u64) -> Rational {
        let weights = self.weights();
        let total: u64 = weights.iter().sum();
        let weight = i128::from(weights[l as usize - 1]) * i128::from(hundredths);
        Rational::new(weight, i128::from(total) * 100)
    }
}

/// Classes of equal size. In this setting, no contiguous partition has more classes (Corollary 4.8
/// with readings D-1 and D-2).
pub(super) fn classes(joint: &Joint, l: u64, p: &Rational) -> Result<Vec<Range<usize>>, Error> {
    let n = n_combinations();
    let uniform = Marginal::of_probabilities(&vec![Rational::new(1, n as i128); n]);
    Ok(equal_size(&uniform?, &joint.marginal(), l, p)?.classes)
}

/// Creates a target from l and delta.
pub(super) fn target(l: u64, delta: Rational) -> Result<Target, Error> {
    Ok(Target::new(l, delta)?)
}
