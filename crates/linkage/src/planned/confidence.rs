//! # Confidence bounds for the probabilities of a plan
//!
//! **Definition.** A distribution was estimated from n independent rows. With a probability of at
//! least `level` over these rows, the true probability of every sensitive value in every set of
//! consecutive combinations is at least the bound computed from its count. The classes and the
//! designated values of a plan may therefore be chosen after the rows are counted.
//! **Formula.** For a count c, the bound is the smallest q with n KL(c/n || q) <= ln(M / r),
//! rounded down to a multiple of 10^-12. Here, r is 1 minus the level,
//! KL(x || q) = x ln(x/q) + (1 - x) ln((1 - x)/(1 - q)), and M = (|S| + 1) K (K + 1) / 2. M is the
//! number of sets of consecutive combinations among K, each with every sensitive value and with all
//! sensitive values together. A single bound fails with probability at most r / M (Chernoff), and
//! any of the bounds with probability at most r.
//! **Parameters.** `level`: 0 < level < 1.
//! **Complexity.** O(1) per bound.
//! **Errors.** `ConfidenceOutOfRange`.
//! **Does not protect against.** Counted rows that are not an independent sample of the
//! distribution of later releases; combinations that were chosen because they occur in the counted
//! rows.
//! **Source.** The linkage paper assumes a known distribution (Section 4.1). Chernoff, Annals of
//! Mathematical Statistics 23, 1952.

use indistinct_core::Rational;
use indistinct_core::model::to_f64;
use num_traits::{One, Zero};

use crate::LinkageError;

/// The total of the weights that represent confidence bounds.
pub(super) const SCALE: u64 = 1_000_000_000_000;

/// A confidence level for distributions that were estimated from counts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Confidence {
    level: Rational,
    /// The number of combinations and of sensitive values.
    n_combinations: u64,
    n_sensitive_values: u64,
    /// The number of counted rows.
    n_rows: u64,
}

impl Confidence {
    pub(super) fn new(
        level: &Rational,
        (n_combinations, n_sensitive_values): (usize, usize),
        n_rows: u64,
    ) -> Result<Self, LinkageError> {
        if *level <= Rational::zero() || *level >= Rational::one() {
            return Err(LinkageError::ConfidenceOutOfRange { got: to_f64(level) });
        }
        let (n_combinations, n_sensitive_values) =
            (n_combinations as u64, n_sensitive_values as u64);
        Ok(Self { level: *level, n_combinations, n_sensitive_values, n_rows })
    }

    /// Returns ln(M / (1 - level)), rounded up. The second summand exceeds the rounding errors of
    /// the divergence, which grow with the number of rows.
    fn threshold(&self) -> f64 {
        let k = self.n_combinations as f64;
        let n_sets = k * (k + 1.0) / 2.0 * (self.n_sensitive_values as f64 + 1.0);
        let risk = to_f64(&(Rational::one() - self.level));
        (n_sets / risk).ln() * (1.0 + 1e-9) + self.n_rows as f64 * 1e-15
    }

    /// Returns the bound for a count, as a weight with the total [`SCALE`].
    pub(super) fn lower(&self, count: u64) -> u64 {
        let (n, x) = (self.n_rows as f64, count as f64 / self.n_rows as f64);
        let threshold = self.threshold();
        let is_excluded = |weight: u64| {
            let q = weight as f64 / SCALE as f64;
            let rest = if x < 1.0 { (1.0 - x) * ((1.0 - x) / (1.0 - q)).ln() } else { 0.0 };
            n * (x * (x / q).ln() + rest) >= threshold
        };
        // Invariant: the weight `low` is at most the bound, and `high` exceeds the bound.
        let (mut low, mut high) = (0, (x * SCALE as f64) as u64);
        while low + 1 < high {
            let middle = low + (high - low) / 2;
            match is_excluded(middle) {
                true => low = middle,
                false => high = middle,
            }
        }
        low
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(level: (i128, i128), n_rows: u64) -> Confidence {
        let level = Rational::new(level.0, level.1);
        Confidence::new(&level, (10, 4), n_rows).expect("the level is between 0 and 1")
    }

    #[test]
    fn bounds_rise_with_the_count_and_the_number_of_rows_and_fall_with_the_level() {
        let bounds: Vec<u64> = (0..=1000).map(|count| of((19, 20), 1000).lower(count)).collect();
        assert!(bounds.is_sorted());
        assert_eq!(bounds[0], 0);
        let share = |confidence: Confidence, count| confidence.lower(count) as f64 / SCALE as f64;
        assert!(share(of((19, 20), 1000), 100) < 0.1);
        assert!(share(of((19, 20), 100_000), 10_000) > share(of((19, 20), 1000), 100));
        assert!(share(of((1, 2), 1000), 100) > share(of((19, 20), 1000), 100));
        assert!(share(of((19, 20), 100_000_000), 10_000_000) > 0.0998);
    }

    /// The binomial probability of at least `count` successes is at most the error of one bound.
    #[test]
    fn chance_of_a_count_above_its_bound_is_within_the_error() {
        let confidence = of((9, 10), 200);
        let error = 0.1 / (55.0 * 5.0);
        for count in [1u64, 5, 20, 60, 150, 200] {
            let q = confidence.lower(count) as f64 / SCALE as f64;
            let mut ln_choose = 0.0;
            let mut tail = 0.0;
            for k in 0..=200u64 {
                if k > 0 {
                    ln_choose += ((201 - k) as f64 / k as f64).ln();
                }
                if k >= count {
                    let ln = ln_choose + k as f64 * q.ln() + (200 - k) as f64 * (1.0 - q).ln();
                    tail += ln.exp();
                }
            }
            assert!(q == 0.0 || tail <= error, "{count}: {tail} > {error}");
        }
    }
}
