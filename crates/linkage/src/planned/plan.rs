//! # A plan: classes, designated values and a sample size
//!
//! **Definition.** Classes each with at least l sensitive values of probability p; the *designated* ones of a class are the l most
//! probable, ties to the lower code; N rows such that all designated values of all classes occur, except with
//! probability delta.
//! **Formula.** N by [`Basis`].
//! **Parameters.** `target`: l, delta. `p`: 0 < p <= p_l. `basis`: what N rests on.
//! **Complexity.** O(R |S|), beyond the search for classes.
//! **Errors.** As [`super::sample_size`]; `NotDiverse` for classes that are none.
//! **Does not protect against.** Rows that are not independent and identically distributed, or follow another distribution; an
//! adversary who knows that some sensitive values are impossible; sensitive values that mean nearly the same.
//! **Source.** Algorithm 1 and Theorem 4.4 of the linkage text. Deviations: at least l instead of the largest l, classes without
//! rows ignored (reading D-8); designated values are part of the plan (D-10).

use std::ops::Range;

use indistinct_core::Rational;
use indistinct_core::model::to_f64;
use num_bigint::BigInt;
use num_rational::BigRational;

use super::exact::{Target, big};
use super::failure::{ClassCells, designated, of_cells};
use super::joint::Joint;
use super::samples;
use crate::LinkageError;

/// What a sample size rests on, from the largest to the smallest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Basis {
    /// The text's m, an upper bound of the number of classes.
    Text,
    /// The number of classes that there are.
    ActualClasses,
    /// The probability of every designated value.
    ActualMasses,
    /// The exact probability that a designated value is missing. Where it takes too long that is an error.
    ExactFailure,
}

/// A class of a plan.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlannedClass {
    /// The combinations, as positions in the order of the distribution.
    pub combinations: Range<usize>,
    /// The designated values, ascending.
    pub designated: Vec<u32>,
    /// Their probabilities.
    pub probabilities: Vec<BigRational>,
}

/// What the agency broadcasts.
#[derive(Debug, Clone, PartialEq)]
pub struct Plan {
    /// l and delta.
    pub target: Target,
    /// p.
    pub p: BigRational,
    /// The classes, in order.
    pub classes: Vec<PlannedClass>,
    /// N: releases wait for so many rows.
    pub n_rows: u64,
    /// What N rests on.
    pub basis: Basis,
    /// The number of sensitive values with a positive probability.
    pub n_sensitive_values: u64,
}

impl Plan {
    /// The plan with the given classes.
    ///
    /// # Errors
    /// [`LinkageError::NotDiverse`] if a class has fewer than l sensitive values of probability p; as
    /// [`super::sample_size`]; [`LinkageError::TooMuchWork`] for [`Basis::ExactFailure`].
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
        let total = BigInt::from(joint.total());
        let share = |weight: u64| BigRational::new(BigInt::from(weight), total.clone());
        let mut planned = Vec::with_capacity(classes.len());
        let mut n_not_diverse = 0;
        for combinations in classes {
            let weights = joint.weights_in(combinations.clone());
            let designated = designated(&weights, target.l());
            let probabilities: Vec<BigRational> =
                designated.iter().map(|&value| share(weights[value as usize])).collect();
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
            Basis::ExactFailure => {
                let cells: Vec<ClassCells> = classes
                    .iter()
                    .map(|class| ClassCells::new(joint, class.clone(), target.l()))
                    .collect();
                by_exact_failure(&cells, joint.total(), target, by_masses(&planned, target)?)?
            }
        };
        let n_sensitive_values = values.n_values();
        Ok(Self { target: target.clone(), p, classes: planned, n_rows, basis, n_sensitive_values })
    }

    /// N from the number of classes, whatever the plan's own rests on.
    ///
    /// # Errors
    /// [`LinkageError::TooManyRows`].
    pub fn rows_by_classes(&self) -> Result<u64, LinkageError> {
        let n_cells = BigInt::from(self.classes.len()) * BigInt::from(self.target.l());
        samples::rows_by_union_bound(&BigRational::from_integer(n_cells), &self.target, &self.p)
    }

    /// N from the probability of every designated value, whatever the plan's own rests on.
    ///
    /// # Errors
    /// [`LinkageError::TooManyRows`].
    pub fn rows_by_masses(&self) -> Result<u64, LinkageError> {
        by_masses(&self.classes, &self.target)
    }

    /// What the failure probability of a release is at most, counted for one person who is known to be in it: all rows but that
    /// person's are drawn, so that a release of N rows has N - 1 to show everything with. The smaller of two bounds: the union
    /// bound for N - 1 rows; and delta / (1 - P), P the largest probability of a designated value, since what is missing after
    /// N - 1 rows is missing after N with probability 1 - P at least. (delta / (1 - p) holds where N follows from p alone.)
    pub fn delta_of_one_person(&self) -> f64 {
        let all = self.classes.iter().flat_map(|class| &class.probabilities);
        let largest = all.map(super::exact::double).fold(0.0, f64::max);
        let by_one_row = to_f64(&self.target.delta()) / (1.0 - largest).max(0.0) * (1.0 + 1e-9);
        self.union_bound(self.n_rows.saturating_sub(1)).min(by_one_row).min(1.0)
    }

    /// The union bound over the designated values for a sample of `n_rows`.
    pub fn union_bound(&self, n_rows: u64) -> f64 {
        union_bound(&self.classes, n_rows)
    }
}

/// Sum over designated cells of (1 - P)^N, rounded up a little.
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
    // Equal probabilities in one go: they are many where the distribution is regular.
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

/// The smallest N whose exact failure is at most delta; `enough` is known to be.
fn by_exact_failure(
    cells: &[ClassCells],
    total: u64,
    target: &Target,
    enough: u64,
) -> Result<u64, LinkageError> {
    let delta = to_f64(&target.delta());
    let (mut low, mut high) = (0, enough);
    while low + 1 < high {
        let middle = low + (high - low) / 2;
        let exact = of_cells(cells, total, target.l(), middle)?.designated;
        if exact * (1.0 + 1e-9) > delta {
            low = middle;
        } else {
            high = middle;
        }
    }
    Ok(high)
}
