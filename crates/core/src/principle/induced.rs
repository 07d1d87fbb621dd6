//! The arithmetic of (tau, l)-diversity: the frequencies that generalized sensitive values induce
//! on base values, and how far their sums are from psi. All computations use 128-bit integers if
//! the numbers fit, and big integers otherwise (reading E-6).

use std::cmp::Ordering;
use std::ops::{AddAssign, Mul, Range, SubAssign};

use indistinct_diagnostics::words;
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{Num, One, ToPrimitive, Zero};

use crate::Rational;
use crate::model::{Dictionary, Taxonomy, to_f64};

words! {
    /// The growth of psi from tau at k = 1 to 1 at k = l: psi(k) = tau + (1 - tau) g(x), with
    /// x = (k - 1) / (l - 1). The paper requires an increasing function with these end points
    /// (Definition 4), and uses a linear one.
    #[derive(Default)]
    pub enum Growth {
        /// g(x) = x, as in the paper.
        Linear = "linear" {default},
        /// g(x) = x^2: stricter limits between the end points.
        Convex = "convex",
        /// g(x) = x (2 - x): weaker limits between the end points.
        Concave = "concave",
    }
}

impl Growth {
    /// Returns g(x), for x from 0 to 1.
    pub fn of<T: Num + Clone>(self, x: T) -> T {
        match self {
            Growth::Linear => x,
            Growth::Convex => x.clone() * x,
            Growth::Concave => x.clone() * (T::one() + T::one() - x),
        }
    }
}

/// Returns the exact values of psi(k) for k = 1, ..., m.
pub fn psi(tau: &Rational, l: &Rational, growth: Growth, m: usize) -> Vec<Rational> {
    let one = Rational::from_integer(1);
    (1..=m as i128)
        .map(|k| {
            if Rational::from_integer(k) >= *l {
                return one;
            }
            tau + (one - tau) * growth.of(Rational::from_integer(k - 1) / (l - one))
        })
        .collect()
}

/// Integer weights, and the factors for distributing each value over its base values.
#[derive(Debug, Clone)]
pub struct WholeWeights<T> {
    /// The weight of each leaf.
    pub weights: Vec<T>,
    /// The common multiple divided by the weight of the leaves below each value, or 0 if that
    /// weight is 0.
    pub factors: Vec<T>,
    /// The common multiple of the weights below each value that occurs.
    pub common: T,
}

/// The base values below each value of a column.
#[derive(Debug, Clone)]
pub struct InducedValues {
    /// The leaves below each code.
    pub(super) leaves: Vec<Range<usize>>,
    pub(super) weights: Vec<Rational>,
    pub(super) short: Option<WholeWeights<i128>>,
    pub(super) long: WholeWeights<BigInt>,
}

/// The induced frequencies of one class.
#[derive(Debug, Clone, PartialEq)]
pub struct Frequencies {
    /// The frequencies of the leaves, in the order of the taxonomy.
    pub by_leaf: Vec<f64>,
    /// The cumulative frequencies F(1), ..., F(m).
    pub cumulative: Vec<f64>,
}

/// An integer type for computing induced frequencies: 128-bit integers or big integers.
pub trait Whole:
    Clone + Ord + Zero + AddAssign + SubAssign + Mul<Output = Self> + From<u64> + ToPrimitive
{
}
impl Whole for i128 {}
impl Whole for BigInt {}

/// The maximum number of bits in weights and their common multiple for 128-bit arithmetic, if
/// tables have fewer than 2^40 rows.
const SHORT_WEIGHT_BITS: u64 = 40;

/// The maximum number of bits in limits for 128-bit arithmetic. With this maximum, rows * common
/// multiple * limit fits into 127 bits.
const SHORT_LIMIT_BITS: u64 = 46;

impl InducedValues {
    /// Looks up the values of a dictionary in a taxonomy whose leaves have the given weights.
    ///
    /// # Errors
    /// Returns the codes of values that are not in the taxonomy.
    pub fn new(
        dictionary: &Dictionary,
        taxonomy: &Taxonomy,
        weights: &[Rational],
    ) -> Result<Self, Vec<u32>> {
        let nodes: Vec<Option<u32>> =
            dictionary.values().iter().map(|value| taxonomy.node_of(value)).collect();
        let unknown: Vec<u32> =
            (0..nodes.len() as u32).filter(|&code| nodes[code as usize].is_none()).collect();
        if !unknown.is_empty() {
            return Err(unknown);
        }
        let leaves: Vec<Range<usize>> =
            nodes.into_iter().flatten().map(|node| taxonomy.leaves(node)).collect();
        let whole = whole_weights(weights);
        let totals: Vec<BigInt> =
            leaves.iter().map(|below| whole[below.clone()].iter().sum()).collect();
        let long = WholeWeights::new(whole, &totals);
        Ok(Self { leaves, weights: weights.to_vec(), short: long.short(), long })
    }

    /// Returns the codes of values whose base values all have weight 0.
    pub fn without_weight(&self) -> Vec<u32> {
        let codes = 0..self.leaves.len() as u32;
        codes.filter(|&code| self.long.factors[code as usize].is_zero()).collect()
    }

    /// Returns the induced frequencies of a class.
    pub fn frequencies(&self, entries: &[(u32, u64)]) -> Frequencies {
        let numerators = self.long.numerators(&self.leaves, entries);
        let n: u64 = entries.iter().map(|entry| entry.1).sum();
        let whole = &self.long.common * n;
        let share = |part: &BigInt| ratio(part, &whole);
        let by_leaf = numerators.iter().map(share).collect();
        let mut sorted = numerators;
        sorted.sort_unstable_by(|a, b| b.cmp(a));
        let mut sum = BigInt::zero();
        let cumulative = sorted
            .into_iter()
            .map(|part| {
                sum += part;
                share(&sum)
            })
            .collect();
        Frequencies { by_leaf, cumulative }
    }
}

fn ratio<T: Whole>(part: &T, whole: &T) -> f64 {
    part.to_f64().unwrap_or(f64::NAN) / whole.to_f64().unwrap_or(f64::NAN)
}

impl Frequencies {
    /// Returns the excessive protection (Definition 8), which is the sum of |psi(k) - F(k)| over k.
    pub fn excessive_protection(&self, psi: &[Rational]) -> f64 {
        psi.iter().zip(&self.cumulative).map(|(psi, f)| (to_f64(psi) - f).abs()).sum()
    }
}

/// Converts weights to integers without a common divisor.
pub fn whole_weights(weights: &[Rational]) -> Vec<BigInt> {
    let scale = weights.iter().fold(BigInt::one(), |scale, w| scale.lcm(&(*w.denom()).into()));
    let whole: Vec<BigInt> =
        weights.iter().map(|w| &scale / w.denom() * BigInt::from(*w.numer())).collect();
    let divisor = whole.iter().fold(BigInt::zero(), |divisor, w| divisor.gcd(w));
    let divisor = if divisor.is_zero() { BigInt::one() } else { divisor };
    whole.into_iter().map(|w| w / &divisor).collect()
}

impl WholeWeights<BigInt> {
    /// Creates the weights, given the total weight below each value, which is 0 for values that do
    /// not occur.
    pub fn new(weights: Vec<BigInt>, totals: &[BigInt]) -> Self {
        let occurring = totals.iter().filter(|total| !total.is_zero());
        let common = occurring.fold(BigInt::one(), |common, total| common.lcm(total));
        let factor =
            |total: &BigInt| if total.is_zero() { BigInt::zero() } else { &common / total };
        Self { weights, factors: totals.iter().map(factor).collect(), common }
    }

    /// Converts the weights to 128-bit integers. Returns `None` if a number is too large.
    pub fn short(&self) -> Option<WholeWeights<i128>> {
        let mut all = self.weights.iter().chain(&self.factors).chain([&self.common]);
        if all.any(|number| number.bits() > SHORT_WEIGHT_BITS) {
            return None;
        }
        let short = |numbers: &[BigInt]| -> Option<Vec<i128>> {
            numbers.iter().map(ToPrimitive::to_i128).collect()
        };
        Some(WholeWeights {
            weights: short(&self.weights)?,
            factors: short(&self.factors)?,
            common: self.common.to_i128()?,
        })
    }
}

impl<T: Whole> WholeWeights<T> {
    /// Returns, for each leaf, its induced frequency times the number of rows of the class times
    /// the common multiple.
    fn numerators(&self, leaves: &[Range<usize>], entries: &[(u32, u64)]) -> Vec<T> {
        let mut numerators = vec![T::zero(); self.weights.len()];
        for &(code, count) in entries {
            let share = self.factors[code as usize].clone() * T::from(count);
            for leaf in leaves[code as usize].clone() {
                numerators[leaf] += self.weights[leaf].clone() * share.clone();
            }
        }
        numerators
    }

    /// Returns the sign of the maximum of F(k) - psi(k), and the floating-point levels `tau` and
    /// `slack`.
    pub(super) fn judge(
        &self,
        leaves: &[Range<usize>],
        entries: &[(u32, u64)],
        n: u64,
        limits: &[Limit<T>],
    ) -> (Ordering, f64, f64) {
        let mut sorted = self.numerators(leaves, entries);
        sorted.sort_unstable_by(|a, b| b.cmp(a));
        let whole = self.common.clone() * T::from(n);
        let mut sum = T::zero();
        let (mut worst, mut tau, mut slack) = (Ordering::Less, 0f64, f64::INFINITY);
        for (part, limit) in sorted.into_iter().zip(limits) {
            sum += part;
            let left = sum.clone() * limit.denominator.clone();
            worst = worst.max(left.cmp(&(whole.clone() * limit.numerator.clone())));
            let frequency = ratio(&sum, &whole);
            tau = tau.max((frequency - limit.share) / (1.0 - limit.share));
            slack = slack.min(limit.psi - frequency);
        }
        (worst, tau, slack)
    }
}

/// The limit psi(k) for one k < l.
#[derive(Debug, Clone)]
pub struct Limit<T> {
    /// The numerator of psi(k).
    pub numerator: T,
    /// The denominator of psi(k).
    pub denominator: T,
    psi: f64,
    /// The value of g((k - 1) / (l - 1)).
    share: f64,
}

/// Returns psi(k) for k = 1, ..., n, all below l.
pub fn limits_of_psi(tau: &Rational, l: &Rational, growth: Growth, n: usize) -> Vec<Limit<BigInt>> {
    let one = Rational::from_integer(1);
    psi(tau, l, growth, n)
        .into_iter()
        .enumerate()
        .map(|(at, psi)| Limit {
            numerator: BigInt::from(*psi.numer()),
            denominator: BigInt::from(*psi.denom()),
            psi: to_f64(&psi),
            share: growth.of(at as f64 / to_f64(&(l - one))),
        })
        .collect()
}

impl Limit<BigInt> {
    /// Converts the limit to 128-bit integers. Returns `None` if a number is too large.
    pub fn short(&self) -> Option<Limit<i128>> {
        let fits = self.numerator.bits().max(self.denominator.bits()) <= SHORT_LIMIT_BITS;
        let (numerator, denominator) = (self.numerator.to_i128()?, self.denominator.to_i128()?);
        fits.then_some(Limit { numerator, denominator, psi: self.psi, share: self.share })
    }
}
