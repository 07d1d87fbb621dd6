//! # A plan: classes, designated values, and a sample size
//!
//! **Definition.** A plan consists of classes with at least l sensitive values of probability p
//! each, designated values, and a sample size N. The *designated* values of a class are the l most
//! probable values; among equal probabilities, lower codes take precedence. N is the number of rows
//! for which all designated values of all classes occur, except with probability delta.
//! **Formula.** N by [`Basis`].
//! **Parameters.** `target`: l, delta. `p`: 0 < p <= p_l. `basis`: the bound that determines N.
//! **Complexity.** O(R |S|), in addition to the search for classes.
//! **Errors.** The same errors as [`super::sample_size`]; `NotDiverse` for invalid classes.
//! **Does not protect against.** Rows that are not independent and identically distributed, or that
//! follow another distribution; an adversary who knows that some sensitive values are impossible;
//! sensitive values with nearly the same meaning.
//! **Source.** Algorithm 1 and Theorem 4.4 of the linkage paper. Deviations: at least l instead of
//! the largest l, classes without rows are ignored (reading D-8); designated values are part of the
//! plan (D-10).

use std::ops::Range;

use indistinct_core::Rational;
use indistinct_core::model::to_f64;
use num_bigint::BigInt;
use num_rational::BigRational;

use super::exact::{Target, big};
use super::failure::{designated, of_designated};
use super::joint::Joint;
use super::samples;
use crate::LinkageError;

/// The bound that determines a sample size. The variants are sorted by sample size in descending
/// order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Basis {
    /// The value m of the paper, which is an upper bound on the number of classes.
    Text,
    /// The actual number of classes.
    ActualClasses,
    /// The probability of every designated value.
    ActualMasses,
    /// The exact probability that a designated value is missing. An error occurs if its computation
    /// exceeds the limit.
    ExactFailure,
}

/// A class of a plan.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlannedClass {
    /// The combinations, represented as positions in the order of the distribution.
    pub combinations: Range<usize>,
    /// The designated values, in ascending order.
    pub designated: Vec<u32>,
    /// The probabilities of the designated values.
    pub probabilities: Vec<BigRational>,
}

/// The public content of a plan.
#[derive(Debug, Clone, PartialEq)]
pub struct Plan {
    /// The parameters l and delta.
    pub target: Target,
    /// The bound p.
    pub p: BigRational,
    /// The classes, in order.
    pub classes: Vec<PlannedClass>,
    /// The minimum number of rows of a release, N.
    pub n_rows: u64,
    /// The bound that determines N.
    pub basis: Basis,
    /// The number of sensitive values with positive probability.
    pub n_sensitive_values: u64,
}

impl Plan {
    /// Creates a plan with the given classes.
    ///
    /// # Errors
    /// Returns [`LinkageError::NotDiverse`] if a class has fewer than l sensitive values of
    /// probability p, the errors of [`super::sample_size`], or, for [`Basis::ExactFailure`],
    /// [`LinkageError::TooMuchWork`].
    pub fn of_classes(
        joint: &Joint,
        classes: &[Range<usize>],
        target: &Target,
        p: &Rational,
        basis: Basis,
    ) -> Result<Self, LinkageError> {
        let values = joint.marginal();
        let p = big(p);
        let of_text = samples::sample_size_of(joint.n_combinations(), &values, target, &p)?;
        let mut planned = Vec::with_capacity(classes.len());
        let mut n_not_diverse = 0;
        for combinations in classes {
            let weights = joint.weights_in(combinations.clone());
            let designated = designated(&weights, target.l());
            let probabilities: Vec<BigRational> =
                designated.iter().map(|&value| joint.share(weights[value as usize])).collect();
            let enough =
                designated.len() as u64 == target.l() && probabilities.iter().all(|q| *q >= p);
            n_not_diverse += usize::from(!enough);
            planned.push(PlannedClass {
                combinations: combinations.clone(),
                designated,
                probabilities,
            });
        }
        if n_not_diverse > 0 {
            return Err(LinkageError::NotDiverse { n_classes: n_not_diverse });
        }
        let cells = || {
            let n_cells = BigInt::from(planned.len()) * BigInt::from(target.l());
            BigRational::from_integer(n_cells)
        };
        let n_rows = match basis {
            Basis::Text => of_text.n_rows,
            Basis::ActualClasses => samples::rows_by_union_bound(&cells(), target, &p)?,
            Basis::ActualMasses => by_masses(&planned, target)?,
            Basis::ExactFailure => by_exact_failure(&planned, target)?,
        };
        let n_sensitive_values = values.n_values();
        Ok(Self { target: target.clone(), p, classes: planned, n_rows, basis, n_sensitive_values })
    }

    /// Computes N from the number of classes, independently of the basis of the plan.
    ///
    /// # Errors
    /// Returns [`LinkageError::TooManyRows`] if N exceeds the limit.
    pub fn rows_by_classes(&self) -> Result<u64, LinkageError> {
        let n_cells = BigInt::from(self.classes.len()) * BigInt::from(self.target.l());
        samples::rows_by_union_bound(&BigRational::from_integer(n_cells), &self.target, &self.p)
    }

    /// Computes N from the probability of every designated value, regardless of the basis of the
    /// plan.
    ///
    /// # Errors
    /// Returns [`LinkageError::TooManyRows`] if N exceeds the limit.
    pub fn rows_by_masses(&self) -> Result<u64, LinkageError> {
        by_masses(&self.classes, &self.target)
    }

    /// Bounds the failure probability of a release for one person who is known to be in it. All
    /// other rows are random, so only N - 1 of N rows contribute. The result is the smaller of two
    /// bounds: the union bound for N - 1 rows; and delta / (1 - P), where P is the largest
    /// probability of a designated value, because a value that is missing after N - 1 rows is
    /// missing after N rows with probability at least 1 - P. (If N follows from p alone, delta /
    /// (1 - p) holds.)
    pub fn delta_of_one_person(&self) -> f64 {
        let all = self.classes.iter().flat_map(|class| &class.probabilities);
        let largest = all.map(super::exact::double).fold(0.0, f64::max);
        let by_one_row = to_f64(&self.target.delta()) / (1.0 - largest).max(0.0) * (1.0 + 1e-9);
        self.union_bound(self.n_rows.saturating_sub(1)).min(by_one_row).min(1.0)
    }

    /// Returns the exact probability that a designated value is missing in a sample of `n_rows` rows.
    ///
    /// # Errors
    /// [`LinkageError::TooMuchWork`] above the limit of steps.
    pub fn exact_failure(&self, n_rows: u64) -> Result<f64, LinkageError> {
        let all = self.classes.iter().flat_map(|class| &class.probabilities);
        of_designated(&all.map(super::exact::double).collect::<Vec<_>>(), n_rows)
    }

    /// Returns the union bound over the designated values for a sample of `n_rows` rows.
    pub fn union_bound(&self, n_rows: u64) -> f64 {
        union_bound(&self.classes, n_rows)
    }
}

/// Returns the sum of (1 - P)^N over designated cells, rounded up slightly to account for rounding
/// errors.
fn union_bound(classes: &[PlannedClass], n_rows: u64) -> f64 {
    let sum: f64 = classes
        .iter()
        .flat_map(|class| &class.probabilities)
        .map(|p| missing(super::exact::double(p), n_rows))
        .sum();
    sum * (1.0 + 1e-9)
}

/// (1 - p)^N.
pub(super) fn missing(p: f64, n_rows: u64) -> f64 {
    (n_rows as f64 * (-p.min(1.0)).ln_1p()).exp()
}

fn by_masses(classes: &[PlannedClass], target: &Target) -> Result<u64, LinkageError> {
    // Equal probabilities are grouped, because they are numerous in regular distributions.
    let mut probabilities: Vec<f64> =
        classes.iter().flat_map(|class| &class.probabilities).map(super::exact::double).collect();
    probabilities.sort_unstable_by(f64::total_cmp);
    let grouped: Vec<(f64, f64)> =
        probabilities.chunk_by(|a, b| a == b).map(|equal| (equal[0], equal.len() as f64)).collect();
    samples::smallest_n(to_f64(&target.delta()), |n_rows| {
        let sum: f64 = grouped.iter().map(|&(p, times)| times * missing(p, n_rows)).sum();
        sum * (1.0 + 1e-9)
    })
}

/// Finds the smallest N with an exact failure probability of at most delta.
///
/// The union bound U(N) is an upper bound on the probability, and U - U^2 / 2 is a lower bound: two
/// values are both missing with probability at most the product of their single probabilities
/// (Bonferroni). Both are close to each other, so few exact probabilities are computed.
fn by_exact_failure(classes: &[PlannedClass], target: &Target) -> Result<u64, LinkageError> {
    let delta = to_f64(&target.delta());
    let probabilities: Vec<f64> =
        classes.iter().flat_map(|class| &class.probabilities).map(super::exact::double).collect();
    let least_union = 1.0 - (1.0 - 2.0 * delta).max(0.0).sqrt();
    let mut high = by_masses(classes, target)?;
    let mut low = samples::smallest_n(least_union, |n_rows| union_bound(classes, n_rows))? - 1;
    // The lower bound rises with U only up to 1. The exact probability falls with N, so a smaller N
    // is insufficient, too.
    if delta >= 0.5 || union_bound(classes, low) > 1.0 {
        low = 0;
    }
    low = low.min(high - 1);
    while low + 1 < high {
        let middle = low + (high - low) / 2;
        let exact = of_designated(&probabilities, middle)?;
        if exact * (1.0 + 1e-9) > delta {
            low = middle;
        } else {
            high = middle;
        }
    }
    Ok(high)
}
