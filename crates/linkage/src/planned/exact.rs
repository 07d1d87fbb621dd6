//! Exact fractions of arbitrary size, and parameters that are validated on construction.

use indistinct_core::Rational;
use indistinct_core::model::to_f64;
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, ToPrimitive, Zero};

use crate::LinkageError;

pub(super) fn big(value: &Rational) -> BigRational {
    BigRational::new(BigInt::from(*value.numer()), BigInt::from(*value.denom()))
}

pub(super) fn double(value: &BigRational) -> f64 {
    value.to_f64().unwrap_or(f64::NAN)
}

/// ceil(p * total), saturating at `u64::MAX`.
pub(super) fn ceil_of_share(p: &Rational, total: u64) -> u64 {
    (big(p) * BigInt::from(total)).ceil().to_integer().to_u64().unwrap_or(u64::MAX)
}

/// The target of a plan. Every class must have at least l sensitive values and the properties in
/// `linked`, except with probability delta.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Target {
    l: u64,
    delta: Rational,
    linked: Linked,
}

/// What a plan guarantees for every class after linkage, in addition to l sensitive values.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Linked {
    /// At least k records.
    pub k: Option<u64>,
    /// Entropy l-diversity.
    pub entropy_l: Option<Rational>,
}

/// The largest k of a plan.
pub const MAX_K: u64 = 1_000_000;

impl Target {
    /// Creates a target.
    ///
    /// # Errors
    /// Returns [`LinkageError::LBelowOne`] if l is 0, and [`LinkageError::DeltaOutOfRange`] if
    /// delta is outside (0, 1).
    pub fn new(l: u64, delta: Rational) -> Result<Self, LinkageError> {
        if l == 0 {
            return Err(LinkageError::LBelowOne);
        }
        check_delta(&delta)?;
        Ok(Self { l, delta, linked: Linked::default() })
    }

    /// Adds guarantees for linked classes.
    ///
    /// # Errors
    /// Returns [`LinkageError::LinkedOutOfRange`] if k is outside [1, [`MAX_K`]], or if the l of
    /// the entropy is outside [1, l].
    pub fn with_linked(self, linked: Linked) -> Result<Self, LinkageError> {
        let check = |name, got: Rational, most: u64| {
            let is_valid = got >= Rational::one() && got <= Rational::from_integer(most.into());
            let got = to_f64(&got);
            if is_valid { Ok(()) } else { Err(LinkageError::LinkedOutOfRange { name, got, most }) }
        };
        if let Some(k) = linked.k {
            check("k", Rational::from_integer(k.into()), MAX_K)?;
        }
        if let Some(l) = linked.entropy_l {
            check("entropy l", l, self.l)?;
        }
        Ok(Self { linked, ..self })
    }

    /// Returns the guarantees for linked classes.
    pub fn linked(&self) -> Linked {
        self.linked
    }

    /// Returns how many rows of a release must have each designated value of a class: the linked
    /// class then has at least k records.
    pub fn times(&self) -> u64 {
        self.linked.k.map_or(1, |k| k.div_ceil(self.l))
    }

    /// Returns the number of sensitive values.
    pub fn l(&self) -> u64 {
        self.l
    }

    /// Returns the failure probability.
    pub fn delta(&self) -> Rational {
        self.delta
    }
}

pub(super) fn check_delta(delta: &Rational) -> Result<(), LinkageError> {
    if *delta <= Rational::zero() || *delta >= Rational::one() {
        return Err(LinkageError::DeltaOutOfRange { got: to_f64(delta) });
    }
    Ok(())
}

pub(super) fn check_p(p: &BigRational) -> Result<(), LinkageError> {
    if *p <= BigRational::zero() || *p > BigRational::one() {
        return Err(LinkageError::POutOfRange { got: double(p) });
    }
    Ok(())
}
