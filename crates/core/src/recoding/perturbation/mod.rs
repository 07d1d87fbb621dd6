//! # perturbation
//!
//! **Definition.** Each row keeps its sensitive value with probability p, else it gets a value drawn uniformly from the
//! domain. Quasi-identifiers stay as they are, no row is suppressed. p is the largest one that keeps the risk of every row
//! within 1/m.
//! **Formula.** risk(t) = P (p + (1 - p) L) / (P p + (1 - p) L) (Equation 3), with P the share of rows and L the share of
//! the domain in the neighborhood I(t) of the row's sensitive value. It rises with p; the largest p is L (1 - m P) / (L (1 - m P) + P
//! (m - 1)), and there is none iff P > 1/m (reading C-11). The p of the table is the least of its rows'. Exact
//! fractions.
//! **Domain.** What noise is drawn from, and so what L is counted in: [`Domain`]. [`breach::Interval`] is the text's, a length
//! on the number line, for comparison: nothing is released with it.
//! **Given.** Equation 3 is the risk of an adversary who learns that the released sensitive value lies in I(t). Whoever
//! sees the released value itself can do better where some values of I(t) are more frequent than others:
//! [`Observation::Value`] bounds that, with the smaller L = P / (F d), F the largest share of rows with one value of I(t), d
//! the size of the domain (test `each_value_is_stricter`).
//! **Rounding.** p is rounded down to millionths: it is published, and all its digits would tell of the rows it is computed from.
//! **Randomness.** ChaCha20 from a key; the draws depend on the key and the counted table alone, not on threads or the order of
//! rows. The certifier draws them itself: a search could not be trusted with what the guarantee is.
//! **Level.** The risk of the worst row at p, a probability over the draws; smaller is safer. Nothing of it shows in the rows.
//! **Serves.** (epsilon, m)- and (e1, e2, m)-anonymity of the only sensitive attribute, and (delta, l)-diversity in the reading `definition`,
//! which is (2 delta, l)-anonymity with any l (reading A-1); nothing else.
//! **Complexity.** O(d + v log v) for the largest p with v values in the table; O(rows) draws; a part for each released value
//! of a tuple, at most one for each row.
//! **Errors.** [`PerturbationProblem`].
//! **Does not protect against.** Identity disclosure and presence: quasi-identifiers are exact. An adversary who
//! expects of the victim something else than of the whole table (who knows how the sensitive value depends on the
//! quasi-identifiers). Several independent perturbations of the same rows. With [`Domain::Occurring`] the list of values that occur is public.
//! **Source.** Li, Tao, Xiao, SIGMOD 2008, Section 3.2, after Agrawal, Srikant, Thomas, SIGMOD 2005. Deviations: readings C-2, C-5, C-11, C-12.

use indistinct_diagnostics::{codes, words};

pub mod breach;
mod domain;
mod draw;
pub mod reconstruction;

pub use breach::{Breach, Observation};
pub use domain::{Domain, DomainValues, Grid, GridError};
pub(crate) use draw::draw;

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, ToPrimitive, Zero};

use crate::Rational;

/// The retention probability is published with that many decimal places.
pub const DECIMAL_PLACES: u32 = 6;

/// The probability with which a row keeps its sensitive value: a multiple of a millionth from 0 to 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Retention {
    millionths: u64,
}

const MILLION: u64 = 10u64.pow(DECIMAL_PLACES);

impl Retention {
    /// A probability; `None` if it is none, or no multiple of a millionth.
    pub fn new(p: &Rational) -> Option<Self> {
        let millionths = p.numer().checked_mul(i128::from(millionths_in(*p.denom())?))?;
        let millionths = u64::try_from(millionths).ok().filter(|&it| it <= MILLION)?;
        Some(Self { millionths })
    }

    /// The largest one that is not above a probability.
    pub fn rounded_down(p: &BigRational) -> Self {
        let millionths = (p * BigInt::from(MILLION)).floor().to_integer();
        let millionths =
            if millionths < BigInt::zero() { 0 } else { millionths.to_u64().unwrap_or(MILLION) };
        Self { millionths: millionths.min(MILLION) }
    }

    /// The probability, exactly.
    pub fn p(self) -> Rational {
        Rational::new(i128::from(self.millionths), i128::from(MILLION))
    }

    /// The same as a large fraction.
    pub fn exact(self) -> BigRational {
        if self.millionths == MILLION {
            return BigRational::one();
        }
        BigRational::new(self.millionths.into(), MILLION.into())
    }

    /// Its numerator and denominator, not in lowest terms.
    pub(crate) fn odds(self) -> (u64, u64) {
        (self.millionths, MILLION)
    }
}

/// How many millionths one part of that many is, if it is a whole number of them.
fn millionths_in(parts: i128) -> Option<u64> {
    let parts = u64::try_from(parts).ok()?;
    MILLION.is_multiple_of(parts).then(|| MILLION / parts)
}

/// The key of all draws. Does not show itself.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Key(pub [u8; 32]);

impl std::fmt::Debug for Key {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Key(..)")
    }
}

/// How the only sensitive attribute of a table is to be perturbed.
#[derive(Debug, Clone, PartialEq)]
pub struct Perturbation {
    /// What noise is drawn from.
    pub domain: Domain,
    /// What the adversary learns.
    pub given: Observation,
    /// The probability to keep a sensitive value.
    pub retention: Retention,
    /// From the seed *and* a digest of the private input, so that a guessed seed undoes nothing.
    pub key: Key,
}

/// Why a table cannot be perturbed as asked.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum PerturbationProblem {
    /// Perturbation leaves quasi-identifiers as they are: further sensitive attributes would be open.
    #[error("there are {n_sensitive} sensitive attributes, expected 1")]
    NotOneSensitive {
        /// How many there are.
        n_sensitive: usize,
    },
    /// Nothing says how much is too much.
    #[error("the policy has no principle that sets the retention probability")]
    NoPrinciple,
    /// A principle that perturbation does not bring about.
    #[error("perturbation cannot achieve '{kind}'")]
    NotServed {
        /// The principle.
        kind: &'static str,
    },
    /// Values that the domain does not have.
    #[error("the sensitive values of {} are not in the domain", words::rows(*n_rows))]
    OutsideDomain {
        /// Number of rows.
        n_rows: u64,
    },
    /// Values are not numbers, or cannot be compared exactly.
    #[error("the domain cannot be used: {0}")]
    Numbers(#[from] crate::model::NotNumbers),
    /// A retention probability that lets the risk of some row exceed the limit.
    #[error("a retention probability of {p} is too large: the largest is {}", largest.map_or("none".to_owned(), |p| p.to_string()))]
    TooLarge {
        /// The one asked for.
        p: f64,
        /// The largest one; `None` if there is none, even with noise alone.
        largest: Option<f64>,
    },
}

codes! {
    PerturbationProblem {
        Self::NotOneSensitive { .. } => "E-PERTURB-001", "perturbation of a table with several sensitive attributes, or none",
            "quasi-identifiers are released as they are, so any other sensitive attribute would be open: release one sensitive attribute, or take another method";
        Self::NoPrinciple => "E-PERTURB-002", "no principle sets the retention probability",
            "ask for epsilon-m-anonymity, e1-e2-m-anonymity or delta-l-diversity of the sensitive attribute";
        Self::NotServed { .. } => "E-PERTURB-003", "a principle that perturbation does not bring about",
            "take it out of the policy, or take another method: perturbation achieves only epsilon-m-anonymity, e1-e2-m-anonymity, and delta-l-diversity with reading = \"definition\"";
        Self::OutsideDomain { .. } => "E-PERTURB-004", "values that the domain does not have",
            "widen the domain or make its step finer, or drop these rows";
        Self::Numbers(_) => "E-PERTURB-005", "values are not numbers, or cannot be compared exactly",
            "use a domain with fewer digits";
        Self::TooLarge { .. } => "E-PERTURB-006", "a retention probability that lets the risk of some row exceed the limit",
            "take the largest one, rounded down";
    }
}

/// What only the holder can attest of a perturbed release. Nothing of it shows in the released rows.
#[derive(Debug, Clone, PartialEq)]
pub struct PerturbationRecord {
    /// Position of the sensitive attribute.
    pub attribute: usize,
    /// The probability that a row keeps its sensitive value.
    pub retention: Retention,
    /// The number of values that noise was drawn from.
    pub n_domain_values: u64,
    /// What the adversary was assumed to learn when the retention probability was bounded.
    pub given: Observation,
    /// The risk of the worst row, by Equation 3.
    pub risk: f64,
    /// The risk of the worst row if the adversary sees the released value; at least `risk`.
    pub risk_given_value: f64,
    /// Both risks by each principle, in the order of the policy.
    pub by_principle: Vec<[f64; 2]>,
    /// Number of rows whose released sensitive value is not their own.
    pub n_changed: u64,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn retention_is_a_whole_number_of_millionths() {
        let new = |n, d| Retention::new(&Rational::new(n, d));
        assert_eq!(new(1, 4).map(Retention::p), Some(Rational::new(1, 4)));
        assert_eq!(new(1, 1).map(Retention::exact), Some(BigRational::one()));
        for (n, d) in [(1, 3), (-1, 4), (5, 4), (1, 10_000_000), (1_000_001, 1_000_000)] {
            assert_eq!(new(n, d), None, "{n}/{d}");
        }
        let third = BigRational::new(1.into(), 3.into());
        assert_eq!(Retention::rounded_down(&third).p(), Rational::new(333_333, 1_000_000));
        assert_eq!(Retention::rounded_down(&BigRational::one()).p(), Rational::from_integer(1));
        assert_eq!(Retention::rounded_down(&-third).p(), Rational::from_integer(0));
    }

    #[test]
    fn a_key_does_not_show_itself() {
        assert_eq!(format!("{:?}", Key([7; 32])), "Key(..)");
    }
}
