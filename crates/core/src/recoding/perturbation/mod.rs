//! # perturbation
//!
//! **Definition.** Each row keeps its sensitive value with probability p; otherwise, it gets a
//! value drawn uniformly from the domain. Quasi-identifiers do not change, and no row is
//! suppressed. p is the largest probability that keeps the risk of every row at or below 1/m.
//! **Formula.** risk(t) = P (p + (1 - p) L) / (P p + (1 - p) L) (Equation 3), where P is the share
//! of rows and L the share of the domain in the neighborhood I(t) of the row's sensitive value. The
//! risk increases with p. The largest p is L (1 - m P) / (L (1 - m P) + P (m - 1)); no p satisfies
//! the limit iff P > 1/m (reading C-11). The p of the table is the smallest p of its rows. Exact
//! fractions.
//! **Domain.** Noise is drawn from the [`Domain`], and L is the share of its values that are in
//! I(t). In contrast, the paper defines L as a length on the number line.
//! **Given.** Equation 3 is the risk for an adversary who learns that the released sensitive value
//! is in I(t). An adversary who sees the released value itself has a higher chance of success if
//! some values of I(t) are more frequent than others. [`Observation::Value`] bounds this risk with
//! the smaller L = P / (F d), where F is the largest share of rows with one value of I(t) and d is
//! the size of the domain (test `single_value_observation_is_stricter`).
//! **Rounding.** p is rounded down to millionths. Because p is published, further digits would
//! disclose information about the rows.
//! **Randomness.** ChaCha20 from a key. The draws depend only on the key and the frequency table,
//! not on threads or the order of rows. The certifier draws the values, because the guarantee
//! cannot rely on the draws of an untrusted search.
//! **Level.** The risk of the worst row at p, a probability over the draws; smaller is safer. The
//! released rows do not show this risk.
//! **Supported principles.** (epsilon, m)- and (e1, e2, m)-anonymity of the only sensitive
//! attribute, and (delta, l)-diversity in the reading `definition`, which is (2 delta, l)-anonymity
//! with any l (reading A-1); no other principles.
//! **Complexity.** O(d + v log v) for the largest p with v values in the table; O(rows) draws; one
//! part for each released value of a tuple, at most one for each row.
//! **Errors.** [`PerturbationProblem`].
//! **Does not protect against.** Identity and membership disclosure: quasi-identifiers are exact.
//! An adversary whose expectation for the victim differs from that for the whole table, for example
//! because the adversary knows how the sensitive value depends on the quasi-identifiers. Several
//! independent perturbations of the same rows. With [`Domain::Occurring`], the release discloses
//! which values occur.
//! **Source.** Li, Tao, Xiao, SIGMOD 2008, Section 3.2, after Agrawal, Srikant, Thomas,
//! SIGMOD 2005. Deviations: readings C-2, C-5, C-11, C-12.

use indistinct_diagnostics::{errors, words};

pub mod breach;
mod domain;
pub mod reconstruction;

pub use breach::{Breach, Observation};
pub(crate) use domain::draw;
pub use domain::{Domain, DomainValues, Grid, GridError};

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, ToPrimitive, Zero};

use crate::Rational;
use crate::recoding::random::Key;

/// The number of decimal places of the published retention probability.
pub const DECIMAL_PLACES: u32 = 6;

/// The probability with which a row keeps its sensitive value: a multiple of one millionth, from 0
/// to 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Retention {
    millionths: u64,
}

const MILLION: u64 = 10u64.pow(DECIMAL_PLACES);

impl Retention {
    /// Creates a retention probability, or returns `None` if `p` is not a probability or not a
    /// multiple of one millionth.
    pub fn new(p: &Rational) -> Option<Self> {
        let millionths = p.numer().checked_mul(i128::from(millionths_in(*p.denom())?))?;
        let millionths = u64::try_from(millionths).ok().filter(|&it| it <= MILLION)?;
        Some(Self { millionths })
    }

    /// Returns the largest retention probability that does not exceed `p`.
    pub fn rounded_down(p: &BigRational) -> Self {
        let millionths = (p * BigInt::from(MILLION)).floor().to_integer();
        let millionths =
            if millionths < BigInt::zero() { 0 } else { millionths.to_u64().unwrap_or(MILLION) };
        Self { millionths: millionths.min(MILLION) }
    }

    /// Returns the exact probability.
    pub fn p(self) -> Rational {
        Rational::new(i128::from(self.millionths), i128::from(MILLION))
    }

    /// Returns the exact probability as a fraction of big integers.
    pub fn exact(self) -> BigRational {
        if self.millionths == MILLION {
            return BigRational::one();
        }
        BigRational::new(self.millionths.into(), MILLION.into())
    }

    /// Returns the numerator and denominator of the probability, which are not reduced to lowest
    /// terms.
    pub(crate) fn odds(self) -> (u64, u64) {
        (self.millionths, MILLION)
    }
}

/// Returns 1/`parts` in millionths, if the result is an integer.
fn millionths_in(parts: i128) -> Option<u64> {
    let parts = u64::try_from(parts).ok()?;
    MILLION.is_multiple_of(parts).then(|| MILLION / parts)
}

/// The perturbation of the only sensitive attribute of a table.
#[derive(Debug, Clone, PartialEq)]
pub struct Perturbation {
    /// The domain from which noise is drawn.
    pub domain: Domain,
    /// The information that the adversary is assumed to observe.
    pub given: Observation,
    /// The probability that a row keeps its sensitive value.
    pub retention: Retention,
    /// The key, derived from the seed *and* a digest of the private input, so a guessed seed does
    /// not reveal the draws.
    pub key: Key,
}

errors! {
    /// The reason why a table cannot be perturbed with the requested settings.
    #[derive(Clone, PartialEq)]
    pub enum PerturbationProblem {
        /// Perturbation requires exactly one sensitive attribute.
        #[error("the table has {n_sensitive} sensitive attributes, expected 1")]
        #[code("E-PERTURB-001", "release only one sensitive attribute, or use another method: \
                perturbation would release all other attributes unchanged")]
        NotOneSensitive {
            /// The number of sensitive attributes.
            n_sensitive: usize,
        },
        /// The policy has no principle that determines the retention probability.
        #[error("the policy has no principle that determines the retention probability")]
        #[code("E-PERTURB-002", "add epsilon-m-anonymity, e1-e2-m-anonymity, or delta-l-diversity \
                for the sensitive attribute")]
        NoPrinciple,
        /// Perturbation cannot satisfy the principle.
        #[error("perturbation cannot achieve '{kind}'")]
        #[code("E-PERTURB-003", "remove the principle, or use another method: perturbation \
                supports only epsilon-m-anonymity, e1-e2-m-anonymity, and delta-l-diversity with \
                reading = \"definition\"")]
        NotServed {
            /// The principle.
            kind: &'static str,
        },
        /// Some sensitive values are outside the domain.
        #[error("the sensitive values of {} are outside the domain", words::rows(*n_rows))]
        #[code("E-PERTURB-004", "extend the domain, decrease its step, or remove these rows")]
        OutsideDomain {
            /// The number of rows with values outside the domain.
            n_rows: u64,
        },
        /// The values of the domain are not numbers or have too many digits for an exact
        /// comparison.
        #[error("the domain is invalid: {0}")]
        #[code("E-PERTURB-005", "use a domain with fewer digits")]
        Numbers(#[from] crate::model::NotNumbers),
        /// The retention probability is too large, so the risk of a row exceeds its limit.
        #[error(
            "the retention probability {p} is too large, the largest allowed value is {}",
            largest.map_or("none".to_owned(), |p| p.to_string())
        )]
        #[code("E-PERTURB-006", "use the largest allowed value, rounded down")]
        TooLarge {
            /// The requested retention probability.
            p: f64,
            /// The largest allowed retention probability, or `None` if even pure noise exceeds the
            /// limit.
            largest: Option<f64>,
        },
    }
}

/// Facts about a perturbed release that only the data holder can attest, because the released rows
/// do not show them.
#[derive(Debug, Clone, PartialEq)]
pub struct PerturbationRecord {
    /// The index of the sensitive attribute.
    pub attribute: usize,
    /// The probability that a row keeps its sensitive value.
    pub retention: Retention,
    /// The number of domain values from which noise was drawn.
    pub n_domain_values: u64,
    /// The information that the adversary was assumed to observe when the retention probability was
    /// determined.
    pub given: Observation,
    /// The risk of the worst row, according to Equation 3.
    pub risk: f64,
    /// The risk of the worst row if the adversary observes the released value. This risk is at
    /// least `risk`.
    pub risk_given_value: f64,
    /// The values of `risk` and `risk_given_value` for each principle, in the order of the policy.
    pub by_principle: Vec<[f64; 2]>,
    /// The number of rows whose released sensitive value differs from the original value.
    pub n_changed: u64,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn retention_is_a_multiple_of_one_millionth() {
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
}
