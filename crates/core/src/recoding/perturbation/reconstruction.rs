//! Counts of the original, estimated from perturbed ones.
//!
//! Of n rows, n (1 - p) b are expected to get noise from a share b of the domain; what is there beyond that was kept with
//! probability p. So (y - n (1 - p) b) / p is an unbiased estimate of the rows that had such a sensitive value, where y have it now
//! (reading C-12).

use num_traits::{One, Zero};

use super::Retention;
use crate::Rational;
use crate::model::from_ratio;

/// The estimated number of original rows with a sensitive value in a part of the domain, of `n_rows` rows of which
/// `n_there` have such a sensitive value now. May be negative, or more than there are rows. `None` for p = 0: noise
/// alone tells nothing.
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

/// The estimated original histogram over all values of a domain, from the released one. It has as many rows. `None`
/// for p = 0.
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

    /// In the mean over what is released the estimate is what there was.
    #[test]
    fn expected_counts_give_the_original() {
        // 40 and 8 rows, p = 1/4, four values: 3/4 of 48 rows are noise, 9 for each value.
        let released = [10 + 9, 2 + 9, 9, 9];
        let original = [40, 8, 0, 0].map(Rational::from_integer);
        assert_eq!(histogram(&released, retention(1, 4)).as_deref(), Some(&original[..]));
    }

    #[test]
    fn estimates_keep_the_number_of_rows() {
        let sum = |released: &[u64]| {
            let estimated = histogram(released, retention(1, 100)).expect("p > 0");
            estimated.iter().sum::<Rational>()
        };
        assert_eq!(sum(&[5, 0, 2]), Rational::from_integer(7));
        assert_eq!(sum(&[0, 0]), Rational::zero());
    }

    #[test]
    fn noise_alone_tells_nothing() {
        assert_eq!(count(3, 9, Rational::new(1, 3), retention(0, 1)), None);
        assert_eq!(histogram(&[1, 2], retention(0, 1)), None);
    }
}
