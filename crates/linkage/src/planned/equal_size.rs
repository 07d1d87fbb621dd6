//! # Classes of equal size, for independent quasi-identifiers and sensitive values
//!
//! **Definition.** Classes of T consecutive combinations each. T is large enough for every class to
//! have l sensitive values with probability p each, regardless of its combinations.
//! **Formula.** T = ceil(|Q| p / (theta p_l)) with theta = |Q| min_q P_Q(q), that is, ceil(p /
//! (min_q P_Q(q) p_l)), clamped to [1, |Q|]; floor(|Q| / T) classes; the remaining combinations
//! join the last class.
//! **Parameters.** `l`: whole number, at least 1. `p`: 0 < p <= p_l. All combinations have a
//! positive probability.
//! **Complexity.** O(|Q| / T).
//! **Errors.** `LAboveSensitiveValues`, `POutOfRange`, `PTooLarge`, `ImpossibleCombinations`.
//! **Does not protect against.** Sensitive values that depend on the quasi-identifiers: the
//! guarantee holds only for P_Q P_S.
//! **Source.** Algorithm 3 and Lemma 4.7 of the linkage paper. Deviations: T is rounded up (D-1),
//! so there may be fewer than floor(theta p_l / p) classes (D-2); T is clamped, and no combination
//! is left without a class (D-3).

use std::ops::Range;

use indistinct_core::Rational;
use num_traits::ToPrimitive;

use super::exact::{big, check_p, double};
use super::joint::Marginal;
use crate::LinkageError;

/// Classes of equal size.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EqualSize {
    /// The class size T.
    pub size: usize,
    /// The classes, represented as ranges of positions in the order of combinations.
    pub classes: Vec<Range<usize>>,
}

/// Computes the classes of Algorithm 3.
///
/// # Errors
/// Returns [`LinkageError::PTooLarge`] with the largest valid p if p is too large, and
/// [`LinkageError::ImpossibleCombinations`] if min P_Q is 0.
pub fn equal_size(
    combinations: &Marginal,
    values: &Marginal,
    l: u64,
    p: &Rational,
) -> Result<EqualSize, LinkageError> {
    let p = big(p);
    check_p(&p)?;
    let p_l = values.p_l(l)?;
    if p > p_l {
        return Err(LinkageError::PTooLarge { l, got: double(&p), largest: double(&p_l) });
    }
    if combinations.n_zero() > 0 {
        return Err(LinkageError::ImpossibleCombinations { n: combinations.n_zero() });
    }
    let n = usize::try_from(combinations.n_values())
        .expect("the number of combinations fits in memory");
    let needed = (p / (combinations.smallest() * p_l)).ceil().to_integer();
    let size = needed.to_usize().unwrap_or(usize::MAX).clamp(1, n);
    let n_classes = n / size;
    let end = |class: usize| if class + 1 == n_classes { n } else { (class + 1) * size };
    let classes = (0..n_classes).map(|class| class * size..end(class)).collect();
    Ok(EqualSize { size, classes })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn uniform(n: usize) -> Marginal {
        Marginal::of_probabilities(&vec![Rational::new(1, n as i128); n])
            .expect("the probabilities sum to 1")
    }

    fn sizes(n: usize, p: (i128, i128)) -> (usize, Vec<usize>) {
        let found = equal_size(&uniform(n), &uniform(2), 2, &Rational::new(p.0, p.1));
        let found = found.expect("p is small");
        (found.size, found.classes.iter().map(ExactSizeIterator::len).collect())
    }

    #[test]
    fn d1_d2_t_is_rounded_up() {
        assert_eq!(sizes(10, (1, 8)), (3, vec![3, 3, 4]));
        assert_eq!(sizes(5, (1, 6)), (2, vec![2, 3]));
    }

    #[test]
    fn d3_t_is_clamped_without_remainder() {
        assert_eq!(sizes(2, (1, 100)), (1, vec![1, 1]));
        let few = [Rational::new(1, 10), Rational::new(9, 10)];
        let skewed = Marginal::of_probabilities(&few).expect("the probabilities sum to 1");
        let found = equal_size(&skewed, &uniform(2), 2, &Rational::new(1, 2)).expect("p is p_2");
        assert_eq!((found.size, &found.classes[..]), (2, &[Range { start: 0, end: 2 }][..]));
        let one = [Rational::new(0, 1), Rational::new(1, 1)];
        let one = Marginal::of_probabilities(&one).expect("the probabilities sum to 1");
        let error = equal_size(&one, &uniform(2), 2, &Rational::new(1, 2));
        assert_eq!(error, Err(LinkageError::ImpossibleCombinations { n: 1 }));
    }
}
