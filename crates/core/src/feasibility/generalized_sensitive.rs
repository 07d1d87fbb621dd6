//! The reachable levels of (tau, l)-diversity, with and without generalization of sensitive values.

use num_rational::BigRational;
use num_traits::{One, Zero};

use crate::Rational;
use crate::model::FrequencyTable;
use crate::principle::{Growth, Weights};
use crate::recoding::Requirement;

/// Returns the smallest tau that the given frequencies satisfy for the given l. `frequencies` may
/// be shares that add up to 1, or weights.
///
/// The result is 0 if nothing is required (l = 1), and 1 if l exceeds the number of frequencies.
pub fn smallest_tau(frequencies: &[Rational], l: &Rational, growth: Growth) -> BigRational {
    let big = |value: &Rational| BigRational::new((*value.numer()).into(), (*value.denom()).into());
    let whole: BigRational = frequencies.iter().map(big).sum();
    let mut sorted: Vec<BigRational> = frequencies.iter().map(big).collect();
    sorted.sort_by(|a, b| b.cmp(a));
    let (l, one) = (big(l), BigRational::one());
    let (mut sum, mut tau) = (BigRational::zero(), BigRational::zero());
    for (at, frequency) in sorted.into_iter().enumerate() {
        let k = BigRational::from_integer((at + 1).into());
        if k >= l || whole.is_zero() {
            break;
        }
        sum += frequency;
        // The condition is F(k) <= tau + (1 - tau) share, with share = g((k - 1) / (l - 1)).
        let share = growth.of((&k - &one) / (&l - &one));
        tau = tau.max((&sum / &whole - &share) / (&one - share));
    }
    tau
}

/// The smallest tau that a table can reach for a given l.
#[derive(Debug, Clone, PartialEq)]
pub struct TauReach {
    /// The smallest tau with original sensitive values. A single class of all rows reaches this
    /// tau, and no recoding of quasi-identifiers reaches a smaller one.
    pub as_is: BigRational,
    /// The smallest tau if every sensitive value is generalized to the root.
    pub all_generalized: BigRational,
    /// Whether it is proved that generalizing only some sensitive values cannot reach a smaller tau
    /// than the minimum of the two values. True if all positive weights are equal (reading E-2);
    /// with unequal weights, a mixture may reach a smaller tau (reading E-3).
    pub is_exact: bool,
}

impl TauReach {
    /// Returns whether a required tau is reachable when sensitive values may be generalized.
    /// `false` is proved only if [`TauReach::is_exact`] is set.
    pub fn holds_generalized(&self, tau: &Rational) -> bool {
        let tau = BigRational::new((*tau.numer()).into(), (*tau.denom()).into());
        self.all_generalized <= tau || self.as_is <= tau
    }
}

/// Returns the reachable tau for `l` if a requirement limits the shares of base values, or `None`
/// for other requirements.
pub fn tau_reach_of(
    table: &FrequencyTable,
    requirement: &Requirement,
    l: &Rational,
) -> Option<TauReach> {
    let required = requirement.principle.shares()?;
    let Weights::Stated(weights) = required.weights else { return None };
    let at = table.sensitive_index(requirement.attribute.as_deref()?)?;
    let column = &table.sensitive()[at];
    let marginal = table.marginal(column);
    let rows =
        |label: &String| column.dictionary.code_of(label).map_or(0, |code| marginal[code as usize]);
    let rows: Vec<u64> = weights.keys().map(rows).collect();
    let weights: Vec<Rational> = weights.into_values().collect();
    Some(tau_reach(&rows, &weights, l, required.growth))
}

/// Returns the smallest tau for `l`, given the rows and weights of the base values.
///
/// Values that do not occur may have weights (reading E-4). In this case, generalization induces
/// frequencies for them.
pub fn tau_reach(rows: &[u64], weights: &[Rational], l: &Rational, growth: Growth) -> TauReach {
    let as_rational = |rows: &u64| Rational::from_integer(i128::from(*rows));
    let shares: Vec<Rational> = rows.iter().map(as_rational).collect();
    let mut positive = weights.iter().filter(|weight| **weight > Rational::from_integer(0));
    let first = positive.next();
    TauReach {
        as_is: smallest_tau(&shares, l, growth),
        all_generalized: smallest_tau(weights, l, growth),
        is_exact: first.is_none_or(|first| positive.all(|weight| weight == first)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(value: &BigRational) -> f64 {
        num_traits::ToPrimitive::to_f64(value).unwrap_or(f64::NAN)
    }

    fn whole(l: i128) -> Rational {
        Rational::from_integer(l)
    }

    #[test]
    fn generalization_reaches_inverse_number_of_base_values() {
        // For {a, a, b}, tau is at least 1/2 for every generalization (reading E-2).
        let reach = tau_reach(&[2, 1], &[whole(1), whole(1)], &whole(2), Growth::Linear);
        assert_eq!((shown(&reach.as_is), shown(&reach.all_generalized)), (2.0 / 3.0, 0.5));
        assert!(reach.is_exact);
        assert!(!reach.holds_generalized(&Rational::new(2, 5)));
        assert!(reach.holds_generalized(&Rational::new(1, 2)));
    }

    #[test]
    fn l_above_number_of_weighted_values_is_unreachable() {
        let reach = tau_reach(&[3, 0], &[whole(1), whole(0)], &whole(2), Growth::Linear);
        assert_eq!(shown(&reach.all_generalized), 1.0);
        let domain = tau_reach(&[3, 0], &[whole(1), whole(1)], &whole(2), Growth::Linear);
        assert_eq!(shown(&domain.all_generalized), 0.5);
    }

    #[test]
    fn original_table_may_be_better_than_root() {
        let weights = [Rational::new(9, 10), Rational::new(1, 20), Rational::new(1, 20)];
        let reach = tau_reach(&[1, 1, 1], &weights, &whole(3), Growth::Linear);
        assert!(!reach.is_exact);
        assert!(shown(&reach.as_is) < 0.4);
        assert!(shown(&reach.all_generalized) > 0.4);
    }

    #[test]
    fn l_1_requires_no_diversity() {
        assert_eq!(shown(&smallest_tau(&[whole(1)], &whole(1), Growth::Linear)), 0.0);
        assert_eq!(shown(&smallest_tau(&[whole(1)], &whole(3), Growth::Linear)), 1.0);
    }
}
