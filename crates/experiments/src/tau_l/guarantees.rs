//! The weakest simple l'-diversity and (c, l)-diversity that guarantee (tau, l)-diversity. Section
//! IV-C does not give the formulas.
//!
//! **Simple.** No value has a frequency above 1/l' in a class, and therefore F(k) <= min(1, k/l').
//! This bound and psi are both linear until they reach 1. The bound is at most psi iff this holds
//! for k = 1 and the bound reaches 1 no earlier than psi: l' = max(l, 1/tau). **(c, l).** See
//! `core::feasibility`.

use indistinct_core::Rational;
use indistinct_core::feasibility;
use indistinct_core::principle::{Growth, RequiredShares, Weights};
use num_traits::ToPrimitive;

/// Returns the smallest integer l' for which simple l'-diversity guarantees (tau, l). For arbitrary
/// l', see `core::feasibility::weakest_simple`.
pub(super) fn simple(tau: Rational, l: Rational) -> Rational {
    l.max(tau.recip())
}

/// Returns the largest c for which (c, l)-diversity guarantees (tau, l), or `None` if (tau, l)
/// always holds (l = 1 or tau = 1).
pub(super) fn largest_c(tau: Rational, l: u64) -> Option<Rational> {
    let l = Rational::from_integer(i128::from(l));
    let required = RequiredShares { tau, l, weights: Weights::Occurring, growth: Growth::Linear };
    let c = feasibility::largest_c(&required)?;
    Some(Rational::new(c.numer().to_i128()?, c.denom().to_i128()?))
}

#[cfg(test)]
mod tests {
    use indistinct_testkit::categorical_oracles as oracle;
    use num_rational::BigRational;

    use super::*;

    /// Generates all classes with up to five values and up to six rows for each value.
    fn classes() -> Vec<Vec<u64>> {
        let mut all = vec![Vec::new()];
        for _ in 0..5 {
            all = all
                .iter()
                .flat_map(|class: &Vec<u64>| {
                    let most = class.last().copied().unwrap_or(6);
                    (0..=most).map(|count| [class.as_slice(), &[count]].concat())
                })
                .collect();
        }
        all.into_iter().filter(|class| class[0] > 0).collect()
    }

    fn holds(class: &[u64], tau: Rational, l: Rational) -> bool {
        let big = |of: Rational| BigRational::new((*of.numer()).into(), (*of.denom()).into());
        let n: u64 = class.iter().sum();
        let shares: Vec<BigRational> =
            class.iter().map(|&count| BigRational::new(count.into(), n.into())).collect();
        oracle::tau_l(&shares, &big(tau), &big(l))
    }

    #[test]
    fn implied_principles_are_guaranteed_and_tight() {
        let all = classes();
        let simple_holds = |class: &[u64], l: Rational| {
            let (most, n) = (i128::from(class[0]), i128::from(class.iter().sum::<u64>()));
            Rational::from_integer(most) * l <= Rational::from_integer(n)
        };
        let c_l_holds = |class: &[u64], c: Rational, l: u64| {
            let counted: Vec<(u64, bool)> = class.iter().map(|&count| (count, false)).collect();
            oracle::pd_recursive(&counted, (*c.numer() as u64, *c.denom() as u64), l as usize)
        };
        let (mut weaker_simple, mut weaker_c) = (0, 0);
        for (numerator, l) in [(1, 2), (1, 3), (2, 3), (3, 4), (3, 5), (5, 4), (7, 2), (8, 5)] {
            let tau = Rational::new(numerator, 10);
            let whole = Rational::from_integer(i128::from(l));
            let (of_simple, c) =
                (simple(tau, whole), largest_c(tau, l).expect("the requirement has a value"));
            for class in &all {
                let is_required = holds(class, tau, whole);
                assert!(is_required || !simple_holds(class, of_simple), "{class:?} {tau} {l}");
                assert!(is_required || !c_l_holds(class, c, l), "{class:?} {tau} {l} {c}");
                let less = Rational::new(7, 10);
                weaker_simple += u32::from(!is_required && simple_holds(class, of_simple * less));
                weaker_c += u32::from(!is_required && c_l_holds(class, c / less, l));
            }
        }
        assert!(
            weaker_simple > 0 && weaker_c > 0,
            "weaker requirements do not imply tau-l-diversity"
        );
        assert_eq!(largest_c(Rational::new(1, 2), 1), None);
    }
}
