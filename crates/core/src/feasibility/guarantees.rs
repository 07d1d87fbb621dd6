//! Simple and (c, l)-diversities that guarantee a (tau, l)-diversity where no sensitive value is generalized: the (tau, l) text, Section IV-C, which
//! gives no formulas.
//!
//! **Simple.** No value has more than 1/l' of a class, so that F(k) <= min(1, k/l'). That is at most psi(k) for all k < l iff l' >= k / psi(k) for
//! all of them.
//! **(c, l).** With T the share of the values from the l-th on, F(k) <= k r_1 < k c T and F(k) <= 1 - T for k < l; together F(k) < kc / (1 + kc). That
//! is at most psi(k) for all k < l iff c <= psi(k) / (k (1 - psi(k))) for all of them.

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Zero};

use crate::Rational;
use crate::principle::{RequiredShares, psi};

/// The largest l whose limits are looked at one by one.
const MOST: u64 = 100_000;

/// psi(k) for k < l, as far as it is below 1; `None` where that is too many, or none.
fn limits(required: &RequiredShares) -> Option<Vec<(BigInt, BigRational)>> {
    let below = u64::try_from(required.l.ceil().to_integer() - 1).ok().filter(|n| *n <= MOST)?;
    let exact = |x: Rational| BigRational::new((*x.numer()).into(), (*x.denom()).into());
    let each =
        psi(&required.tau, &required.l, required.growth, below as usize).into_iter().map(exact);
    let limits = (1..=below).map(BigInt::from).zip(each);
    let limits: Vec<_> = limits.filter(|(_, psi)| *psi < BigRational::one()).collect();
    (!limits.is_empty()).then_some(limits)
}

/// The smallest l' for which no value with more than 1/l' of a class guarantees what is asked; `None` where nothing is.
pub fn weakest_simple(required: &RequiredShares) -> Option<BigRational> {
    let each = limits(required)?;
    each.into_iter().map(|(k, psi)| BigRational::from_integer(k) / psi).max()
}

/// The largest c for which (c, l)-diversity, with the smallest whole l that is at least the one asked for, guarantees what is asked; `None` where
/// nothing is.
pub fn largest_c(required: &RequiredShares) -> Option<BigRational> {
    let one = BigRational::one();
    let each = limits(required)?.into_iter();
    let c = each.map(|(k, psi)| &psi / (BigRational::from_integer(k) * (&one - &psi))).min();
    c.filter(|c| !c.is_zero())
}
