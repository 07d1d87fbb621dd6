//! Parameters of simple l-diversity and (c, l)-diversity that guarantee (tau, l)-diversity if no
//! sensitive value is generalized. Section IV-C of the (tau, l) text gives no formulas for them.
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
use crate::principle::{RequiredShares, psi};

/// The largest l for which all limits are evaluated.
const MOST: u64 = 100_000;

/// Returns psi(k) for all k < l with psi(k) < 1, or `None` if no k or too many k satisfy this
/// condition.
fn limits(required: &RequiredShares) -> Option<Vec<(BigInt, BigRational)>> {
    let below = u64::try_from(required.l.ceil().to_integer() - 1).ok().filter(|n| *n <= MOST)?;
    let exact = |x: Rational| BigRational::new((*x.numer()).into(), (*x.denom()).into());
    let each =
        psi(&required.tau, &required.l, required.growth, below as usize).into_iter().map(exact);
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
