//! Estimates of original counts from perturbed counts.
//!
//! The expected number of rows among n rows that receive noise from a share b of the domain is
//! n (1 - p) b. Original rows with these values keep them with probability p. If y released rows
//! have a sensitive value in this part of the domain, (y - n (1 - p) b) / p is therefore an
//! unbiased estimate of the number of original rows with such a value (reading C-12).

use num_traits::{One, Zero};

use super::Retention;
use crate::Rational;
use crate::model::from_ratio;

/// Estimates the number of original rows with a sensitive value in a part of the domain, given that
/// `n_there` of `n_rows` released rows have such a value. The estimate may be negative or exceed
/// the number of rows. Returns `None` for p = 0, because pure noise contains no information.
pub fn count(
    n_there: u64,
    n_rows: u64,
    domain_share: Rational,
    retention: Retention,
) -> Option<Rational> {
    let p = retention.p();
    let noise = Rational::from_integer(n_rows.into()) * (Rational::one() - p) * domain_share;
    (!p.is_zero()).then(|| (Rational::from_integer(n_there.into()) - noise) / p)
}

/// Estimates the original histogram over all values of a domain from the released histogram. The
/// total number of rows is the same. Returns `None` for p = 0.
pub fn histogram(released: &[u64], retention: Retention) -> Option<Vec<Rational>> {
    let n_rows = released.iter().sum();
    let each = from_ratio(1, released.len().max(1) as u64);
    released.iter().map(|&rows| count(rows, n_rows, each, retention)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn retention(numerator: i128, denominator: i128) -> Retention {
        Retention::new(&Rational::new(numerator, denominator)).expect("a probability")
    }

    /// The expected value of the estimate, over all possible releases, equals the original count.
    #[test]
    fn expected_counts_reconstruct_original() {
        // With 40 and 8 rows, p = 1/4, and four values, 3/4 of the 48 rows are noise, which is 9
        // rows for each value.
        let released = [10 + 9, 2 + 9, 9, 9];
        let original = [40, 8, 0, 0].map(Rational::from_integer);
        assert_eq!(histogram(&released, retention(1, 4)).as_deref(), Some(&original[..]));
    }

    #[test]
    fn estimates_preserve_row_count() {
        let sum = |released: &[u64]| {
            let estimated = histogram(released, retention(1, 100))
                .expect("the retention probability is positive");
            estimated.iter().sum::<Rational>()
        };
        assert_eq!(sum(&[5, 0, 2]), Rational::from_integer(7));
        assert_eq!(sum(&[0, 0]), Rational::zero());
    }

    #[test]
    fn pure_noise_has_no_estimate() {
        assert_eq!(count(3, 9, Rational::new(1, 3), retention(0, 1)), None);
        assert_eq!(histogram(&[1, 2], retention(0, 1)), None);
    }
}
