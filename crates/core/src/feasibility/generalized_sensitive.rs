//! The reachable levels of (tau, l)-diversity, with and without generalization of sensitive values.
//!
//! Parameters of simple l-diversity and (c, l)-diversity that guarantee (tau, l)-diversity if no
//! sensitive value is generalized. Section IV-C of the (tau, l) paper gives no formulas for them.
//!
//! **Simple.** The share of each value in a class is at most 1/l', so F(k) <= min(1, k/l'). This is
//! at most psi(k) for all k < l iff l' >= k / psi(k) for all k < l.
//! **(c, l).** Let T be the share of the values from the l-th value on. Then F(k) <= k r_1 < k c T
//! and F(k) <= 1 - T for k < l, and therefore F(k) < kc / (1 + kc). This is at most psi(k) for all
//! k < l iff c <= psi(k) / (k (1 - psi(k))) for all k < l.

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Zero};

use crate::Rational;
use crate::model::{FrequencyTable, to_big};
use crate::principle::{Growth, RequiredShares, Weights, psi};
use crate::recoding::Requirement;

/// Returns the smallest tau that the given frequencies satisfy for the given l. `frequencies` may
/// be shares that add up to 1, or weights.
///
/// The result is 0 if l = 1, because nothing is required, and 1 if l exceeds the number of
/// frequencies.
pub fn smallest_tau(frequencies: &[Rational], l: &Rational, growth: Growth) -> BigRational {
    let whole: BigRational = frequencies.iter().map(to_big).sum();
    let mut sorted: Vec<BigRational> = frequencies.iter().map(to_big).collect();
    sorted.sort_by(|a, b| b.cmp(a));
    let (l, one) = (to_big(l), BigRational::one());
    let (mut sum, mut tau) = (BigRational::zero(), BigRational::zero());
    for (at, frequency) in sorted.into_iter().enumerate() {
        let k = BigRational::from_integer((at + 1).into());
        if k >= l || whole.is_zero() {
            break;
        }
        sum += frequency;
        // The condition is F(k) <= tau + (1 - tau) * share, where share = g((k - 1) / (l - 1)).
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
    /// Returns whether a required tau is reachable when sensitive values may be generalized. The
    /// result `false` is proved only if [`TauReach::is_exact`] is set.
    pub fn holds_generalized(&self, tau: &Rational) -> bool {
        let tau = to_big(tau);
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

/// The largest l for which the limits of all k are evaluated.
const MOST: u64 = 100_000;

/// Returns psi(k) for all k < l with psi(k) < 1, or `None` if no k or too many k satisfy this
/// condition.
fn limits(required: &RequiredShares) -> Option<Vec<(BigInt, BigRational)>> {
    let below = u64::try_from(required.l.ceil().to_integer() - 1).ok().filter(|n| *n <= MOST)?;
    let psi = psi(&required.tau, &required.l, required.growth, below as usize);
    let each = psi.iter().map(to_big);
    let limits = (1..=below).map(BigInt::from).zip(each);
    let limits: Vec<_> = limits.filter(|(_, psi)| *psi < BigRational::one()).collect();
    (!limits.is_empty()).then_some(limits)
}

/// Returns the smallest l' for which simple l'-diversity guarantees the requirement. Simple
/// l'-diversity limits the share of each value in a class to 1/l'. Returns `None` if nothing is
/// required.
pub fn weakest_simple(required: &RequiredShares) -> Option<BigRational> {
    let each = limits(required)?;
    each.into_iter().map(|(k, psi)| BigRational::from_integer(k) / psi).max()
}

/// Returns the largest c for which (c, l)-diversity guarantees the requirement, with the required l
/// rounded up to an integer. Returns `None` if nothing is required.
pub fn largest_c(required: &RequiredShares) -> Option<BigRational> {
    let one = BigRational::one();
    let each = limits(required)?.into_iter();
    let c = each.map(|(k, psi)| &psi / (BigRational::from_integer(k) * (&one - &psi))).min();
    c.filter(|c| !c.is_zero())
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
