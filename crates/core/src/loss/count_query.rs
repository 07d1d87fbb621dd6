//! # count queries
//!
//! **Definition.** How many rows have values in given ranges: the answer of the original, and the estimate from a release.
//! **Formula.** From classes: the sum over classes of the rows with a secret in its range, times for each quasi-identifier in the
//! query the share of the whole numbers of the class's interval that are in the query's. From perturbed secrets:
//! [`reconstruction::count`](crate::recoding::perturbation::reconstruction::count) of the rows that match otherwise.
//! Relative error: |estimate - actual| / actual.
//! **Complexity.** O(classes * attributes).
//! **Errors.** None: the error relative to 0 is not defined.
//! **Source.** Li, Tao, Xiao, SIGMOD 2008, Section 6. Deviations: reading C-12.

use num_traits::{Signed, Zero};

use crate::Rational;

/// Whole numbers from one to another, both included.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Span {
    /// The lowest.
    pub low: i64,
    /// The highest, not below the lowest.
    pub high: i64,
}

impl Span {
    /// Whether a number is one of them.
    pub fn has(self, number: i64) -> bool {
        self.low <= number && number <= self.high
    }

    fn n_numbers(self) -> i128 {
        (i128::from(self.high) - i128::from(self.low) + 1).max(0)
    }

    /// The share of these numbers that are also in another span; 0 where there are none.
    pub fn share_in(self, other: Span) -> Rational {
        let both = Span { low: self.low.max(other.low), high: self.high.min(other.high) };
        match self.n_numbers() {
            0 => Rational::zero(),
            n => Rational::new(both.n_numbers(), n),
        }
    }
}

/// The estimated number of rows of a class in a query, of which `n_there` have a secret in its range: `intervals` are
/// for each quasi-identifier in the query that of the class and that of the query.
pub fn estimate_of_class(
    n_there: u64,
    intervals: impl IntoIterator<Item = (Span, Span)>,
) -> Rational {
    let shares = intervals.into_iter().map(|(class, query)| class.share_in(query));
    shares.fold(Rational::from_integer(n_there.into()), |rows, share| rows * share)
}

/// |estimate - actual| / actual; `None` where nothing is there.
pub fn relative_error(actual: u64, estimate: &Rational) -> Option<Rational> {
    let actual = Rational::from_integer(actual.into());
    (!actual.is_zero()).then(|| (estimate - actual).abs() / actual)
}

/// The same for an estimate in doubles.
pub fn relative(actual: u64, estimate: f64) -> Option<f64> {
    (actual > 0).then(|| (estimate - actual as f64).abs() / actual as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_share_whole_numbers() {
        let span = |low, high| Span { low, high };
        assert_eq!(span(1, 9).share_in(span(6, 7)), Rational::new(2, 9));
        assert_eq!(span(7, 7).share_in(span(6, 7)), Rational::from_integer(1));
        assert_eq!(span(0, 3).share_in(span(4, 9)), Rational::zero());
        assert!(span(-2, 0).has(0) && !span(-2, 0).has(1));
        let everything = span(i64::MIN, i64::MAX);
        assert_eq!(everything.share_in(everything), Rational::from_integer(1));
        let halves = [(span(1, 2), span(2, 9)), (span(1, 4), span(1, 2))];
        assert_eq!(estimate_of_class(5, halves), Rational::new(5, 4));
    }

    #[test]
    fn an_error_is_relative_to_something() {
        assert_eq!(relative_error(4, &Rational::from_integer(1)), Some(Rational::new(3, 4)));
        assert_eq!(relative_error(0, &Rational::from_integer(1)), None);
    }
}
