//! # The minimum number of rows of a release
//!
//! **Definition.** The smallest N for which the probability that any designated value is missing is
//! at most delta, according to the union bound over all classes and their l designated values.
//! **Formula.** N = ceil(ln(m l / delta) / ln(1 / (1 - p))), at least 1, where m = min(|Q|, 1/(l
//! p), sum_{i>=l} p_i / p) is an upper bound on the number of classes. `Basis::ActualClasses` uses
//! the actual number of classes R instead of m. `Basis::ActualMasses` uses the smallest N for which
//! the sum of (1 - P(c, s))^N over designated cells is at most delta. If each designated value must
//! occur r times, P(Bin(N, p) < r) replaces (1 - p)^N.
//! **Parameters.** `l`, `delta`: see [`Target`]. `p`: 0 < p <= p_l.
//! **Complexity.** O(1); O(R l log N) for `Basis::ActualMasses`.
//! **Errors.** `LAboveSensitiveValues`, `POutOfRange`, `PTooLarge`, `TooManyRows`.
//! **Does not protect against.** Rows that are not independent and identically distributed; a
//! distribution other than the given distribution (see [`super::effect_of_error`]).
//! **Source.** Algorithm 1 and Lemma 4.3 of the linkage paper. Deviations: N is rounded up, and p =
//! 1 gives 1 (reading D-7); m remains real; near an integer, the comparison uses exact fractions,
//! or N is one larger.

use indistinct_core::Rational;
use indistinct_core::model::to_f64;
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Pow};

use super::exact::{Target, big, check_p, double};
use super::joint::Marginal;
use crate::LinkageError;

/// Sample sizes stay below this limit.
pub const MAX_ROWS: u64 = 1 << 53;

/// The largest N for which comparisons at the boundary use exact fractions.
const EXACT_ROWS: u64 = 20_000;

/// The sample size according to the paper, with intermediate results.
#[derive(Debug, Clone, PartialEq)]
pub struct SampleSize {
    /// p_l: the largest p that the sensitive values allow.
    pub p_l: BigRational,
    /// m: an upper bound on the number of classes, not necessarily an integer.
    pub m: BigRational,
    /// The sample size N.
    pub n_rows: u64,
}

/// Computes N of Algorithm 1.
///
/// # Errors
/// Returns [`LinkageError::LAboveSensitiveValues`], [`LinkageError::POutOfRange`],
/// [`LinkageError::PTooLarge`] with the largest valid p, or [`LinkageError::TooManyRows`].
pub fn sample_size(
    n_combinations: usize,
    values: &Marginal,
    target: &Target,
    p: &Rational,
) -> Result<SampleSize, LinkageError> {
    sample_size_of(n_combinations, values, target, &big(p))
}

/// Computes the N of Algorithm 1 for a probability p of arbitrary precision.
///
/// # Errors
/// Returns the same errors as [`sample_size`].
pub fn sample_size_of(
    n_combinations: usize,
    values: &Marginal,
    target: &Target,
    p: &BigRational,
) -> Result<SampleSize, LinkageError> {
    check_p(p)?;
    let l = target.l();
    let p_l = values.p_l(l)?;
    if *p > p_l {
        return Err(LinkageError::PTooLarge { l, got: double(p), largest: double(&p_l) });
    }
    let by_mass = BigRational::one() / (p * BigInt::from(l));
    let by_rare = values.tail(l) / p;
    let m = BigRational::from_integer(BigInt::from(n_combinations)).min(by_mass).min(by_rare);
    let n_rows = rows_by_union_bound(&(&m * BigInt::from(l)), target, p)?;
    Ok(SampleSize { p_l, m, n_rows })
}

/// Returns the smallest N >= 1 with `cells` * (1 - p)^N <= delta, or, if a designated value must
/// occur r times, with `cells` * P(Bin(N, p) < r) <= delta.
///
/// # Errors
/// Returns [`LinkageError::TooManyRows`] if N exceeds the limit.
pub fn rows_by_union_bound(
    cells: &BigRational,
    target: &Target,
    p: &BigRational,
) -> Result<u64, LinkageError> {
    if target.times() > 1 {
        let (cells, p) = (double(cells), double(p));
        let bound = |n| cells * fewer_than(target.times(), n, p) * (1.0 + 1e-9);
        return smallest_n(to_f64(&target.delta()), bound);
    }
    let ratio = cells / big(&target.delta());
    let ln_ratio = double(&ratio).ln();
    if p.is_one() || ln_ratio <= 0.0 {
        return Ok(1);
    }
    let real = ln_ratio / -(-double(p)).ln_1p();
    if real >= MAX_ROWS as f64 {
        return Err(LinkageError::TooManyRows { limit: MAX_ROWS });
    }
    let nearest = real.round();
    if (real - nearest).abs() > 1e-12 * real.max(1.0) {
        return Ok((real.ceil() as u64).max(1));
    }
    let nearest = (nearest as u64).max(1);
    let suffices = nearest <= EXACT_ROWS && {
        let left = Pow::pow(BigRational::one() - p, nearest as usize);
        ratio * left <= BigRational::one()
    };
    Ok(if suffices { nearest } else { nearest + 1 })
}

/// P(Bin(n, p) < times).
pub(super) fn fewer_than(times: u64, n: u64, p: f64) -> f64 {
    if n < times {
        return 1.0;
    }
    if p >= 1.0 {
        return 0.0;
    }
    let (ln_odds, n) = (p.ln() - (-p).ln_1p(), n as f64);
    let mut ln_term = n * (-p).ln_1p();
    let mut sum = 0.0;
    for j in 0..times {
        sum += ln_term.exp();
        let j = j as f64;
        ln_term += ((n - j) / (j + 1.0)).ln() + ln_odds;
    }
    sum.min(1.0)
}

/// Returns the smallest N >= 1 with `failure(N)` <= delta, for a bound that does not increase with
/// N.
pub(super) fn smallest_n(delta: f64, failure: impl Fn(u64) -> f64) -> Result<u64, LinkageError> {
    let mut high = 1;
    while failure(high) > delta {
        high *= 2;
        if high > MAX_ROWS {
            return Err(LinkageError::TooManyRows { limit: MAX_ROWS });
        }
    }
    let mut low = high / 2;
    while low + 1 < high {
        let middle = low + (high - low) / 2;
        if failure(middle) > delta {
            low = middle;
        } else {
            high = middle;
        }
    }
    Ok(high)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn r(numerator: i128, denominator: i128) -> Rational {
        Rational::new(numerator, denominator)
    }

    fn target(l: u64, delta: Rational) -> Target {
        Target::new(l, delta).expect("valid")
    }

    #[test]
    fn sample_size_matches_section_5() {
        let uniform =
            Marginal::of_probabilities(&[r(1, 50); 50]).expect("the probabilities sum to 1");
        for l in [10, 30] {
            let size = sample_size(3000, &uniform, &target(l, r(1, 100)), &r(2, 10_000));
            let size = size.expect("p is small");
            assert_eq!(size.n_rows, 65_606);
            assert_eq!(&size.m * BigInt::from(l), big(&r(5000, 1)));
        }
    }

    #[test]
    fn d7_n_is_rounded_up_and_p_1_needs_one_row() {
        let coin =
            Marginal::of_probabilities(&[r(1, 2), r(1, 2)]).expect("the probabilities sum to 1");
        let size = sample_size(1, &coin, &target(2, r(1, 10)), &r(1, 2)).expect("p is small");
        assert_eq!((size.m, size.n_rows), (big(&r(1, 1)), 5));
        let sure = Marginal::of_probabilities(&[r(1, 1)]).expect("the probability is 1");
        let size = sample_size(1, &sure, &target(1, r(1, 10)), &r(1, 1)).expect("p is p_1");
        assert_eq!(size.n_rows, 1);
    }

    #[test]
    fn exact_integer_is_not_rounded_up() {
        // 2 (1/2)^N <= 1/8 holds exactly from N = 4.
        let coin =
            Marginal::of_probabilities(&[r(1, 2), r(1, 2)]).expect("the probabilities sum to 1");
        let size = sample_size(1, &coin, &target(2, r(1, 8)), &r(1, 2)).expect("p is small");
        assert_eq!(size.n_rows, 4);
        // In double precision, ln(125)/ln(5) may be above or below 3; (4/5)^N also requires the
        // exact comparison.
        let five =
            Marginal::of_probabilities(&[r(4, 5), r(1, 5)]).expect("the probabilities sum to 1");
        let size = sample_size(1, &five, &target(1, r(1, 125)), &r(4, 5)).expect("p is small");
        assert_eq!(size.n_rows, 3);
    }

    #[test]
    fn unattainable_p_reports_largest_p() {
        let coin =
            Marginal::of_probabilities(&[r(1, 4), r(3, 4)]).expect("the probabilities sum to 1");
        let error = sample_size(5, &coin, &target(2, r(1, 10)), &r(1, 2)).expect_err("too large");
        assert_eq!(error, LinkageError::PTooLarge { l: 2, got: 0.5, largest: 0.25 });
        let error = sample_size(5, &coin, &target(3, r(1, 10)), &r(1, 2)).expect_err("no third");
        assert_eq!(error, LinkageError::LAboveSensitiveValues { l: 3, n_sensitive_values: 2 });
        let error = sample_size(5, &coin, &target(1, r(1, 10)), &r(0, 1)).expect_err("p = 0");
        assert_eq!(error, LinkageError::POutOfRange { got: 0.0 });
        let error = Target::new(2, r(1, 1)).expect_err("delta = 1");
        assert_eq!(error, LinkageError::DeltaOutOfRange { got: 1.0 });
    }
}
