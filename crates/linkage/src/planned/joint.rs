//! The joint distribution of quasi-identifier combinations and sensitive values, as integer weights
//! with a common total.

use indistinct_core::Rational;
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{Signed, ToPrimitive, Zero};

use super::confidence::{Confidence, SCALE};
use super::exact::{big, ceil_of_share};
use crate::LinkageError;

/// The tolerance for the sum of probabilities.
pub const SUM_TOLERANCE: f64 = 1e-9;

/// The limit for the sum of weights, below which sums and differences cannot overflow.
const LIMIT: u64 = 1 << 62;

/// The largest common denominator. If a larger denominator were required, probabilities are rounded
/// to multiples of the inverse of this one, which is far below the tolerance of their sum.
const FINEST: i128 = 1_000_000_000_000_000;

/// A distribution over pairs (combination, sensitive value). In the numbering of the combinations,
/// each class is contiguous.
///
/// Probabilities are represented as weights divided by their total, so comparisons with a bound p
/// are exact.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Joint {
    /// The index of the first cell of each combination.
    offsets: Vec<usize>,
    /// The sensitive value of each cell, in ascending order within a combination.
    codes: Vec<u32>,
    weights: Vec<u64>,
    by_value: Vec<u64>,
    total: u64,
    /// The confidence level of probabilities, if they were estimated from counts.
    confidence: Option<Confidence>,
}

/// Converts probabilities to integer weights. The sum of the probabilities must be 1 within
/// [`SUM_TOLERANCE`].
fn weights_of(
    probabilities: impl Iterator<Item = Rational> + Clone,
) -> Result<Vec<u64>, LinkageError> {
    if let Some(entry) = probabilities.clone().position(|p| p.is_negative()) {
        return Err(LinkageError::Negative { entry });
    }
    let common = probabilities.clone().try_fold(1i128, |common, p| {
        let shared = gcd(common, *p.denom());
        common.checked_mul(p.denom() / shared).filter(|common| *common <= FINEST)
    });
    let unit = common.unwrap_or(FINEST);
    let mut weights = Vec::new();
    let mut sum = BigRational::zero();
    for p in probabilities {
        sum += big(&p);
        let scaled = (big(&p) * BigInt::from(unit)).round().to_integer();
        weights.push(scaled.to_u64().filter(|w| *w < LIMIT).ok_or(LinkageError::TooLarge)?);
    }
    let off = (sum.clone() - BigInt::from(1)).abs();
    if off > BigRational::new(BigInt::from(1), BigInt::from(1_000_000_000)) {
        let sum = sum.to_f64().unwrap_or(f64::INFINITY);
        return Err(LinkageError::SumIsNotOne { sum, tolerance: SUM_TOLERANCE });
    }
    Ok(weights)
}

fn gcd(a: i128, b: i128) -> i128 {
    if b == 0 { a } else { gcd(b, a % b) }
}

impl Joint {
    /// Creates a distribution from counted rows: (combination, sensitive value, count). Counts of
    /// the same pair are added. Ascending order is fastest.
    ///
    /// # Errors
    /// Returns [`LinkageError::NoCombinations`], [`LinkageError::TooLarge`], or, if no count is
    /// positive, [`LinkageError::NoSensitiveValues`].
    ///
    /// # Panics
    /// Panics if a combination or a sensitive value is out of range.
    pub fn of_counts(
        n_combinations: usize,
        n_sensitive_values: usize,
        entries: &[(u32, u32, u64)],
    ) -> Result<Self, LinkageError> {
        if n_combinations == 0 {
            return Err(LinkageError::NoCombinations);
        }
        let mut total: u64 = 0;
        for &(combination, value, count) in entries {
            assert!((combination as usize) < n_combinations, "combinations are known");
            assert!((value as usize) < n_sensitive_values, "sensitive values are known");
            let sum = total.checked_add(count).filter(|sum| *sum < LIMIT);
            total = sum.ok_or(LinkageError::TooLarge)?;
        }
        if total == 0 {
            return Err(LinkageError::NoSensitiveValues);
        }
        let is_sorted =
            entries.windows(2).all(|pair| (pair[0].0, pair[0].1) <= (pair[1].0, pair[1].1));
        let sorted;
        let entries = if is_sorted {
            entries
        } else {
            let mut copy = entries.to_vec();
            copy.sort_unstable();
            sorted = copy;
            &sorted
        };
        let mut joint = Self {
            offsets: Vec::with_capacity(n_combinations + 1),
            codes: Vec::with_capacity(entries.len()),
            weights: Vec::with_capacity(entries.len()),
            by_value: vec![0; n_sensitive_values],
            total,
            confidence: None,
        };
        joint.offsets.push(0);
        for &(combination, value, count) in entries.iter().filter(|entry| entry.2 > 0) {
            while joint.offsets.len() <= combination as usize {
                joint.offsets.push(joint.codes.len());
            }
            joint.by_value[value as usize] += count;
            let begins = joint.offsets[combination as usize];
            if joint.codes.len() > begins && joint.codes.last() == Some(&value) {
                *joint.weights.last_mut().expect("each code has a weight") += count;
            } else {
                joint.codes.push(value);
                joint.weights.push(count);
            }
        }
        joint.offsets.resize(n_combinations + 1, joint.codes.len());
        Ok(joint)
    }

    /// Creates a distribution from (combination, sensitive value, probability) triples.
    ///
    /// # Errors
    /// Returns the same errors as [`Joint::of_counts`], and in addition [`LinkageError::Negative`]
    /// or [`LinkageError::SumIsNotOne`]. The sum may differ from 1 by [`SUM_TOLERANCE`].
    pub fn of_probabilities(
        n_combinations: usize,
        n_sensitive_values: usize,
        entries: &[(u32, u32, Rational)],
    ) -> Result<Self, LinkageError> {
        let weights = weights_of(entries.iter().map(|entry| entry.2))?;
        let counted: Vec<(u32, u32, u64)> =
            entries.iter().zip(weights).map(|(entry, weight)| (entry.0, entry.1, weight)).collect();
        Self::of_counts(n_combinations, n_sensitive_values, &counted)
    }

    /// Returns the number of quasi-identifier combinations, |Q|.
    pub fn n_combinations(&self) -> usize {
        self.offsets.len() - 1
    }

    /// Returns the number of sensitive values, including values with probability 0.
    pub fn n_sensitive_values(&self) -> usize {
        self.by_value.len()
    }

    /// Returns the number of (combination, sensitive value) pairs with positive probability.
    pub fn n_cells(&self) -> usize {
        self.codes.len()
    }

    /// Returns the divisor that converts weights to probabilities.
    pub fn total(&self) -> u64 {
        self.total
    }

    /// Returns the sensitive values of a combination with their weights, in ascending order of
    /// values.
    pub fn cells(&self, combination: usize) -> impl Iterator<Item = (u32, u64)> + '_ {
        let range = self.offsets[combination]..self.offsets[combination + 1];
        self.codes[range.clone()].iter().copied().zip(self.weights[range].iter().copied())
    }

    /// Returns the distribution of sensitive values.
    pub fn marginal(&self) -> Marginal {
        Marginal::of_weights(self.by_value.clone(), self.total)
    }

    /// Returns the distribution of combinations.
    pub fn of_combinations(&self) -> Marginal {
        let weight = |at: usize| self.cells(at).map(|cell| cell.1).sum();
        Marginal::of_weights((0..self.n_combinations()).map(weight).collect(), self.total)
    }

    /// Returns the weight of each sensitive value in the given combinations.
    pub fn weights_in(&self, combinations: impl Iterator<Item = usize>) -> Vec<u64> {
        let mut weights = vec![0; self.n_sensitive_values()];
        for combination in combinations {
            for (value, weight) in self.cells(combination) {
                weights[value as usize] += weight;
            }
        }
        weights
    }

    /// Returns the distribution with reordered combinations: position i contains combination
    /// `order[i]`.
    ///
    /// # Panics
    /// Panics if `order` is not a permutation.
    #[must_use]
    pub fn reordered(&self, order: &[u32]) -> Self {
        let n = self.n_combinations();
        let mut sorted = order.to_vec();
        sorted.sort_unstable();
        assert!(sorted.into_iter().eq(0..n as u32), "the order contains each combination once");
        let mut joint = Self {
            offsets: Vec::with_capacity(n + 1),
            codes: Vec::with_capacity(self.codes.len()),
            weights: Vec::with_capacity(self.weights.len()),
            by_value: self.by_value.clone(),
            total: self.total,
            confidence: self.confidence.clone(),
        };
        joint.offsets.push(0);
        for &at in order {
            let range = self.offsets[at as usize]..self.offsets[at as usize + 1];
            joint.codes.extend_from_slice(&self.codes[range.clone()]);
            joint.weights.extend_from_slice(&self.weights[range]);
            joint.offsets.push(joint.codes.len());
        }
        joint
    }

    /// Replaces probabilities by lower bounds that hold together with the given probability, if
    /// the weights are counts of independent rows; see [`super::Plan`].
    ///
    /// # Errors
    /// [`LinkageError::ConfidenceOutOfRange`].
    pub fn with_confidence(self, level: &Rational) -> Result<Self, LinkageError> {
        let size = (self.n_combinations(), self.n_sensitive_values());
        let confidence = Some(Confidence::new(level, size, self.total)?);
        Ok(Self { confidence, ..self })
    }

    /// Returns the total of the weights that represent probabilities in a plan.
    pub fn scale(&self) -> u64 {
        if self.confidence.is_some() { SCALE } else { self.total }
    }

    /// Returns the probability of consecutive combinations with one sensitive value (or with all
    /// sensitive values) of the given weight, or its lower confidence bound.
    pub fn share(&self, weight: u64) -> BigRational {
        let scaled = match &self.confidence {
            Some(confidence) => confidence.lower(weight),
            None => weight,
        };
        BigRational::new(BigInt::from(scaled), BigInt::from(self.scale()))
    }

    /// Returns the smallest weight whose [`Self::share`] is at least p.
    pub fn weight_of(&self, p: &Rational) -> u64 {
        if self.confidence.is_none() {
            return ceil_of_share(p, self.total);
        }
        let p = big(p);
        // Invariant: the share of `low` is below p; the share of `high` is at least p, if possible.
        let (mut low, mut high) = (0, self.total + 1);
        while low + 1 < high {
            let middle = low + (high - low) / 2;
            match self.share(middle) < p {
                true => low = middle,
                false => high = middle,
            }
        }
        high
    }
}

/// The distribution of one variable, represented as integer weights with a common total.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Marginal {
    /// Positive weights in descending order.
    descending: Vec<u64>,
    n_zero: usize,
    total: u64,
}

impl Marginal {
    fn of_weights(mut weights: Vec<u64>, total: u64) -> Self {
        weights.sort_unstable_by(|a, b| b.cmp(a));
        let n = weights.len();
        weights.retain(|weight| *weight > 0);
        Self { n_zero: n - weights.len(), descending: weights, total }
    }

    /// Creates a distribution from probabilities.
    ///
    /// # Errors
    /// Returns [`LinkageError::Negative`], [`LinkageError::SumIsNotOne`], or
    /// [`LinkageError::NoSensitiveValues`].
    pub fn of_probabilities(probabilities: &[Rational]) -> Result<Self, LinkageError> {
        let weights = weights_of(probabilities.iter().copied())?;
        let total = weights.iter().try_fold(0u64, |sum, &weight| sum.checked_add(weight));
        match total.filter(|total| *total < LIMIT) {
            None => Err(LinkageError::TooLarge),
            Some(0) => Err(LinkageError::NoSensitiveValues),
            Some(total) => Ok(Self::of_weights(weights, total)),
        }
    }

    /// Returns the number of values with positive probability.
    pub fn n_values(&self) -> u64 {
        self.descending.len() as u64
    }

    /// Returns the number of values with probability 0.
    pub fn n_zero(&self) -> usize {
        self.n_zero
    }

    /// p_l: the probability of the l-th most frequent value.
    ///
    /// # Errors
    /// Returns [`LinkageError::LBelowOne`] or [`LinkageError::LAboveSensitiveValues`].
    pub fn p_l(&self, l: u64) -> Result<BigRational, LinkageError> {
        Ok(self.share(self.weight_l(l)?))
    }

    /// Returns the weight of the l-th most frequent value.
    ///
    /// # Errors
    /// Returns the same errors as [`Marginal::p_l`].
    pub fn weight_l(&self, l: u64) -> Result<u64, LinkageError> {
        let at = l.checked_sub(1).ok_or(LinkageError::LBelowOne)?;
        let weight = usize::try_from(at).ok().and_then(|at| self.descending.get(at));
        weight
            .copied()
            .ok_or(LinkageError::LAboveSensitiveValues { l, n_sensitive_values: self.n_values() })
    }

    /// Returns the total probability of the l-th most frequent value and all rarer values.
    pub(super) fn tail(&self, l: u64) -> BigRational {
        let from = usize::try_from(l - 1).expect("l is at most the number of values");
        self.share(self.descending[from..].iter().sum())
    }

    pub(super) fn smallest(&self) -> BigRational {
        self.share(self.descending.last().copied().unwrap_or(0))
    }

    fn share(&self, weight: u64) -> BigRational {
        BigRational::new(BigInt::from(weight), BigInt::from(self.total))
    }
}

/// Returns the lexicographic order of combinations, which are lists of codes. Position i contains
/// combination `order[i]`. The sort is stable.
pub fn lexicographic(combinations: &[Vec<u32>]) -> Vec<u32> {
    let mut order: Vec<u32> = (0..combinations.len() as u32).collect();
    order.sort_by(|&a, &b| combinations[a as usize].cmp(&combinations[b as usize]));
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    fn r(numerator: i128, denominator: i128) -> Rational {
        Rational::new(numerator, denominator)
    }

    #[test]
    fn joint_cells_add_up_in_any_order() {
        let a = Joint::of_counts(4, 3, &[(2, 1, 4), (0, 2, 1), (2, 1, 1), (2, 0, 7)]);
        let b = Joint::of_counts(4, 3, &[(0, 2, 1), (2, 0, 7), (2, 1, 5), (3, 0, 0)]);
        let a = a.expect("valid");
        assert_eq!(Ok(&a), b.as_ref());
        assert_eq!(a.cells(2).collect::<Vec<_>>(), [(0, 7), (1, 5)]);
        assert_eq!((a.total(), a.n_cells(), a.n_combinations()), (13, 3, 4));
        assert_eq!(a.weights_in(1..4), [7, 5, 0]);
        let reversed = a.reordered(&[3, 2, 1, 0]);
        assert_eq!(reversed.cells(1).collect::<Vec<_>>(), [(0, 7), (1, 5)]);
        assert!(std::panic::catch_unwind(|| a.reordered(&[0, 1, 1, 2])).is_err());
    }

    #[test]
    fn probabilities_must_sum_to_one() {
        let thirds = [(0, 0, r(333_333_333, 1_000_000_000)), (0, 1, r(666_666_667, 1_000_000_000))];
        assert!(Joint::of_probabilities(1, 2, &thirds).is_ok());
        let error = Joint::of_probabilities(1, 2, &[(0, 0, r(1, 2)), (0, 1, r(49, 100))]);
        assert_eq!(error, Err(LinkageError::SumIsNotOne { sum: 0.99, tolerance: SUM_TOLERANCE }));
        let error = Joint::of_probabilities(1, 2, &[(0, 0, r(3, 2)), (0, 1, r(-1, 2))]);
        assert_eq!(error, Err(LinkageError::Negative { entry: 1 }));
        assert_eq!(Joint::of_counts(0, 1, &[]), Err(LinkageError::NoCombinations));
        assert_eq!(Joint::of_counts(1, 1, &[]), Err(LinkageError::NoSensitiveValues));
        let unknown = std::panic::catch_unwind(|| Joint::of_counts(1, 1, &[(0, 1, 1)]));
        assert!(unknown.is_err());
    }

    #[test]
    fn probabilities_without_a_small_common_denominator_are_rounded() {
        let primes = [999_983, 999_979, 999_961, 999_959, 999_953];
        let mut entries: Vec<(u32, u32, Rational)> =
            primes.iter().enumerate().map(|(at, &n)| (0, at as u32, r(1, n))).collect();
        let rest = primes.iter().fold(r(1, 1), |rest, &n| rest - r(1, n));
        entries.push((0, 5, rest));
        let joint = Joint::of_probabilities(1, 6, &entries).expect("the probabilities sum to 1");
        assert!(joint.total().abs_diff(FINEST as u64) < 10);
    }

    #[test]
    fn l_th_largest_probability() {
        let marginal = Marginal::of_probabilities(&[r(1, 4), r(0, 1), r(3, 4)]).expect("valid");
        assert_eq!(marginal.p_l(2), Ok(big(&r(1, 4))));
        assert_eq!((marginal.n_values(), marginal.n_zero()), (2, 1));
        assert_eq!(marginal.p_l(0), Err(LinkageError::LBelowOne));
        assert_eq!(
            marginal.p_l(3),
            Err(LinkageError::LAboveSensitiveValues { l: 3, n_sensitive_values: 2 })
        );
    }

    #[test]
    fn first_code_is_most_significant() {
        let combinations = vec![vec![1, 0], vec![0, 9], vec![0, 2], vec![1, 0]];
        assert_eq!(lexicographic(&combinations), [2, 1, 0, 3]);
    }
}
