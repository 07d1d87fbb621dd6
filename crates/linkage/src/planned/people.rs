//! # (k, delta)-anonymity, for one release and after linkage
//!
//! **Definition.** Every class has at least k rows, except with probability delta. After linkage of
//! releases that follow the same plan, every class of the linked table has at least k records.
//! **Formula.** One release: classes of probability p, and the smallest N with R P(Bin(N, p) < k)
//! <= delta. Linked: every designated value occurs at least r = ceil(k / l) times in every release,
//! so the minimum of its counts is at least r and the linked class has l r >= k records: the
//! smallest N with R l P(Bin(N, p) < r) <= delta.
//! **Parameters.** `times`: k, or r; at least 1. `n_cells`: R, or R l. `p`: 0 < p <= 1.
//! **Complexity.** O(times log N).
//! **Errors.** `KBelowOne`, `DeltaOutOfRange`, `POutOfRange`, `TooManyRows`.
//! **Does not protect against.** See [`super::Plan`].
//! **Source.** Open problem in Section 5 of the linkage paper; the proof is in `docs/releases.md`.
//! If `times` is 1, the result is the union bound of Theorem 4.4.

use indistinct_core::Rational;
use indistinct_core::model::to_f64;

use super::exact::{big, check_delta, check_p};
use super::samples::{fewer_than, smallest_n};
use crate::LinkageError;

/// Returns the smallest N such that, except with probability delta, each of `n_cells` events of
/// probability at least p occurs at least `times` times in N rows.
///
/// # Errors
/// Returns [`LinkageError::KBelowOne`], [`LinkageError::DeltaOutOfRange`],
/// [`LinkageError::POutOfRange`], or [`LinkageError::TooManyRows`].
pub fn rows_for_counts(
    n_cells: u64,
    p: &Rational,
    times: u64,
    delta: &Rational,
) -> Result<u64, LinkageError> {
    if times == 0 {
        return Err(LinkageError::KBelowOne);
    }
    check_delta(delta)?;
    check_p(&big(p))?;
    let p = to_f64(p);
    let bound = |n: u64| n_cells as f64 * fewer_than(times, n, p) * (1.0 + 1e-9);
    smallest_n(to_f64(delta), bound)
}

/// Returns the smallest N such that the linked classes of `n_classes` classes have at least k
/// records, except with probability delta for each release.
///
/// # Errors
/// Returns the same errors as [`rows_for_counts`], or [`LinkageError::LBelowOne`].
pub fn rows_for_linked_k(
    n_classes: u64,
    l: u64,
    p: &Rational,
    k: u64,
    delta: &Rational,
) -> Result<u64, LinkageError> {
    if l == 0 {
        return Err(LinkageError::LBelowOne);
    }
    rows_for_counts(n_classes * l, p, k.div_ceil(l), delta)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn binomial_tail_is_accurate() {
        assert!((fewer_than(2, 3, 0.5) - 0.5).abs() < 1e-15);
        assert!((fewer_than(1, 5, 0.25) - 0.75f64.powi(5)).abs() < 1e-15);
        assert_eq!((fewer_than(3, 2, 0.9), fewer_than(1, 2, 1.0)), (1.0, 0.0));
        // Compare the sum of 50 terms with the complement at N = 100, p = 1/2, where the
        // distribution is symmetric except for the middle term.
        assert!((fewer_than(50, 100, 0.5) - 0.460_205_381_306_413_5).abs() < 1e-12);
    }

    #[test]
    fn single_occurrence_matches_union_bound() {
        let n = rows_for_counts(10, &Rational::new(1, 20), 1, &Rational::new(1, 100));
        let union = ((10.0f64 / 0.01).ln() / -(0.95f64).ln()).ceil();
        assert_eq!(n, Ok(union as u64));
        let more = rows_for_linked_k(5, 2, &Rational::new(1, 20), 3, &Rational::new(1, 100));
        assert!(more.expect("some N") > n.expect("some N"));
        let zero = rows_for_counts(1, &Rational::new(1, 2), 0, &Rational::new(1, 100));
        assert_eq!(zero, Err(LinkageError::KBelowOne));
    }

    /// A linked class has k rows if each of its l designated values has k / l rows, rounded up.
    #[test]
    fn linked_k_rounds_number_of_rows_up() {
        let (p, delta) = (Rational::new(1, 20), Rational::new(1, 100));
        for (k, l, times) in [(1, 3, 1), (3, 3, 1), (4, 3, 2), (10, 3, 4), (3, 2, 2)] {
            let expected = rows_for_counts(5 * l, &p, times, &delta);
            assert_eq!(rows_for_linked_k(5, l, &p, k, &delta), expected, "k = {k}, l = {l}");
        }
    }
}
