//! # A plan: classes, designated values, and a sample size
//!
//! **Definition.** A plan consists of classes with at least l sensitive values of probability p
//! each, designated values, and a sample size N. The *designated* values of a class are the l most
//! probable values; among equal probabilities, lower codes take precedence. N is the number of rows
//! for which all designated values of all classes occur, except with probability delta. If the plan
//! also guarantees k records in linked classes, each designated value occurs ceil(k / l) times. If
//! the plan also guarantees an entropy, the count of a designated value of probability p differs
//! from N p by at most slack * N sqrt(p), and no other value is more frequent than the least
//! probable designated one may be.
//! **Formula.** N by [`Basis`]. For the entropy, the sum of the union bound and the bound in
//! `entropy.rs` is at most delta, too.
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

use super::entropy::{self, Balanced, SLACK_PARTS};
use super::exact::{Target, big, double};
use super::failure::{designated, of_designated};
use super::joint::Joint;
use super::samples::{self, fewer_than};
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
    /// The maximum difference between the count of a designated value of probability p and its
    /// expected value, divided by N sqrt(p), if the plan guarantees an entropy.
    pub slack: Option<Rational>,
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
        let (target, slack) = (target.clone(), None);
        let mut plan =
            Self { target, p, classes: planned, n_rows, basis, n_sensitive_values, slack };
        if let Some(l) = plan.target.linked().entropy_l {
            plan.add_slack(to_f64(&l))?;
        }
        Ok(plan)
    }

    /// Chooses the slack that requires the fewest rows for entropy l-diversity.
    fn add_slack(&mut self, l: f64) -> Result<(), LinkageError> {
        let classes = self.balanced();
        let (of_others, delta) = (self.n_rows, to_f64(&self.target.delta()));
        let mut best: Option<(u64, Option<Rational>)> = None;
        for parts in entropy::slacks(entropy::largest_slack(&classes, l)) {
            self.slack = Some(Rational::new(parts.into(), SLACK_PARTS.into()));
            if best.is_none_or(|(n_rows, _)| self.bound(&classes, n_rows - 1, 0) <= delta) {
                best = Some((self.rows_with_entropy(of_others)?, self.slack));
            }
        }
        let has_none = |class: &&Balanced| !entropy::has_entropy(&class.frequent, l, 0.0);
        let n_classes = classes.iter().filter(has_none).count().max(1);
        (self.n_rows, self.slack) = best.ok_or(LinkageError::NotDiverse { n_classes })?;
        Ok(())
    }

    /// Returns the conditions on the counts of each class that guarantee its entropy.
    fn balanced(&self) -> Vec<Balanced> {
        let n_others = self.n_sensitive_values.saturating_sub(self.target.l());
        let of_class = |class: &PlannedClass| {
            let mut frequent: Vec<f64> = class.probabilities.iter().map(double).collect();
            frequent.sort_unstable_by(|a, b| b.total_cmp(a));
            // No other value of the class is more probable than a designated value.
            let least = frequent.last().copied().unwrap_or(0.0);
            Balanced { frequent, others: vec![(least, n_others)] }
        };
        self.classes.iter().map(of_class).collect()
    }

    /// Returns whether the slack guarantees the entropy of the plan in all classes; true if the
    /// plan guarantees no entropy.
    pub fn slack_guarantees_entropy(&self) -> bool {
        match (self.target.linked().entropy_l, &self.slack) {
            (None, None) => true,
            (Some(l), Some(slack)) => {
                let (l, slack) = (to_f64(&l), to_f64(slack));
                let has = |class: &Balanced| entropy::has_entropy(&class.frequent, l, slack);
                slack > 0.0 && slack < 1.0 && self.balanced().iter().all(has)
            }
            _ => false,
        }
    }

    /// Returns the number of rows for which the entropy is also guaranteed, if `n_rows` rows are
    /// otherwise sufficient.
    ///
    /// # Errors
    /// Returns [`LinkageError::TooManyRows`] if N exceeds the limit.
    pub fn rows_with_entropy(&self, n_rows: u64) -> Result<u64, LinkageError> {
        if self.slack.is_none() {
            return Ok(n_rows);
        }
        let classes = self.balanced();
        let delta = to_f64(&self.target.delta());
        let found = samples::smallest_n(delta, |n_rows| self.bound(&classes, n_rows, 0))?;
        Ok(found.max(n_rows))
    }

    /// Returns the union bound for a sample of `n_rows` rows that include `given` certain rows.
    fn bound(&self, classes: &[Balanced], n_rows: u64, given: u64) -> f64 {
        let of_designated =
            union_bound(&self.classes, n_rows.saturating_sub(given), self.target.times());
        let Some(slack) = &self.slack else { return of_designated };
        let slack = to_f64(slack);
        let of_entropy: f64 = classes.iter().map(|class| class.failure(slack, n_rows, given)).sum();
        of_designated + of_entropy * (1.0 + 1e-9)
    }

    /// Computes N from the number of classes, independently of the basis of the plan.
    ///
    /// # Errors
    /// Returns [`LinkageError::TooManyRows`] if N exceeds the limit.
    pub fn rows_by_classes(&self) -> Result<u64, LinkageError> {
        let n_cells = BigInt::from(self.classes.len()) * BigInt::from(self.target.l());
        let cells = BigRational::from_integer(n_cells);
        self.rows_with_entropy(samples::rows_by_union_bound(&cells, &self.target, &self.p)?)
    }

    /// Computes N from the probability of every designated value, regardless of the basis of the
    /// plan.
    ///
    /// # Errors
    /// Returns [`LinkageError::TooManyRows`] if N exceeds the limit.
    pub fn rows_by_masses(&self) -> Result<u64, LinkageError> {
        self.rows_with_entropy(by_masses(&self.classes, &self.target)?)
    }

    /// Bounds the failure probability of a release for one person who is known to be in it. All
    /// other rows are random, so only N - 1 of N rows contribute. The result is the smaller of two
    /// bounds: the union bound for N - 1 rows; and delta / (1 - P), where P is the largest
    /// probability of a designated value, because a value that is missing (or too rare) after N - 1
    /// rows is missing after N rows with probability at least 1 - P. (If N follows from p alone,
    /// delta / (1 - p) holds.) If the plan guarantees an entropy, only the first bound holds.
    pub fn delta_of_one_person(&self) -> f64 {
        let of_sum = self.bound(&self.balanced(), self.n_rows, 1).min(1.0);
        if self.slack.is_some() {
            return of_sum;
        }
        let all = self.classes.iter().flat_map(|class| &class.probabilities);
        let largest = all.map(double).fold(0.0, f64::max);
        let by_one_row = to_f64(&self.target.delta()) / (1.0 - largest).max(0.0) * (1.0 + 1e-9);
        of_sum.min(by_one_row)
    }

    /// Returns the exact probability that a designated value is missing, or occurs less often than
    /// the plan requires, in a sample of `n_rows` rows; `None` if the plan guarantees an entropy,
    /// whose failure probability is only bounded.
    ///
    /// # Errors
    /// [`LinkageError::TooMuchWork`] above the limit of steps.
    pub fn exact_failure(&self, n_rows: u64) -> Result<Option<f64>, LinkageError> {
        if self.slack.is_some() {
            return Ok(None);
        }
        let all = self.classes.iter().flat_map(|class| &class.probabilities);
        let all: Vec<f64> = all.map(double).collect();
        of_designated(&all, self.target.times(), n_rows).map(Some)
    }

    /// Returns the union bound on the failure probability of a sample of `n_rows` rows.
    pub fn union_bound(&self, n_rows: u64) -> f64 {
        self.bound(&self.balanced(), n_rows, 0)
    }
}

/// Returns the sum over designated cells of the probability that a value occurs fewer than `times`
/// times, rounded up slightly to account for rounding errors.
fn union_bound(classes: &[PlannedClass], n_rows: u64, times: u64) -> f64 {
    let sum: f64 = classes
        .iter()
        .flat_map(|class| &class.probabilities)
        .map(|p| rare(double(p), n_rows, times))
        .sum();
    sum * (1.0 + 1e-9)
}

/// Returns the probability that a value of probability p occurs fewer than `times` times.
pub(super) fn rare(p: f64, n_rows: u64, times: u64) -> f64 {
    match times {
        1 => (n_rows as f64 * (-p.min(1.0)).ln_1p()).exp(),
        _ => fewer_than(times, n_rows, p.min(1.0)),
    }
}

fn by_masses(classes: &[PlannedClass], target: &Target) -> Result<u64, LinkageError> {
    // Equal probabilities are grouped, because they are numerous in regular distributions.
    let mut probabilities: Vec<f64> =
        classes.iter().flat_map(|class| &class.probabilities).map(double).collect();
    probabilities.sort_unstable_by(f64::total_cmp);
    let grouped: Vec<(f64, f64)> =
        probabilities.chunk_by(|a, b| a == b).map(|equal| (equal[0], equal.len() as f64)).collect();
    samples::smallest_n(to_f64(&target.delta()), |n_rows| {
        let rare = |&(p, n_cells): &(f64, f64)| n_cells * rare(p, n_rows, target.times());
        let sum: f64 = grouped.iter().map(rare).sum();
        sum * (1.0 + 1e-9)
    })
}

/// Finds the smallest N with an exact failure probability of at most delta.
///
/// The union bound U(N) is an upper bound on the probability, and U - U^2 / 2 is a lower bound: two
/// values are both missing (or too rare) with probability at most the product of their single
/// probabilities (Bonferroni; the counts are negatively associated). Both are close to each other,
/// so few exact probabilities are computed.
fn by_exact_failure(classes: &[PlannedClass], target: &Target) -> Result<u64, LinkageError> {
    let delta = to_f64(&target.delta());
    let probabilities: Vec<f64> =
        classes.iter().flat_map(|class| &class.probabilities).map(double).collect();
    let times = target.times();
    let least_union = 1.0 - (1.0 - 2.0 * delta).max(0.0).sqrt();
    let mut high = by_masses(classes, target)?;
    let mut low =
        samples::smallest_n(least_union, |n_rows| union_bound(classes, n_rows, times))? - 1;
    // The lower bound rises with U only up to 1. The exact probability falls with N, so a smaller N
    // is insufficient, too.
    if delta >= 0.5 || union_bound(classes, low, times) > 1.0 {
        low = 0;
    }
    low = low.min(high - 1);
    while low + 1 < high {
        let middle = low + (high - low) / 2;
        let exact = of_designated(&probabilities, times, middle)?;
        if exact * (1.0 + 1e-9) > delta {
            low = middle;
        } else {
            high = middle;
        }
    }
    Ok(high)
}
