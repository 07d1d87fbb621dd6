//! # functional (tau, l)-diversity
//!
//! **Definition.** A generalized sensitive value induces each base value below it with a frequency in proportion to the
//! base value's weight. With F(k) the sum of the k largest induced frequencies of a class, the class is (tau,
//! l)-diverse iff F(k) <= psi(k) for all k.
//! **Formula.** psi(k) = tau + (1 - tau) (k - 1) / (l - 1) for k < l, and 1 from l on. Decided in whole numbers (reading E-6).
//! **Parameters.** `attribute`: sensitive; its hierarchy is the taxonomy, without one no value is generalized. `tau`: number
//! above 0, at most 1. `l`: number, at least 1. `weights`: `occurring` (default: 1 for base values that occur in the table,
//! else 0), `domain` (1 for all), or a table of base values and weights (0 for those it does not name).
//! **Level.** `tau`: the smallest tau for which the class would hold at this l; smaller is safer. `slack`: the minimum over
//! k < l of psi(k) - F(k); larger is safer; not defined for l = 1. The worst of each over all classes.
//! **Monotone.** Under merging: yes, F is convex in the frequencies (test `merging_keeps`). Under suppression of whole classes: yes for the classes that remain.
//! **Complexity.** O(m log m) for m base values, O(values * m) where sensitive values are generalized.
//! **Errors.** `Missing`, `OutOfRange`, `NotInTaxonomy`, `WeightOfNothing`, `NoWeight`.
//! **Does not protect against.** An adversary who knows the rule by which sensitive values were generalized (reading
//! E-13: assumes that the true value is distributed by the weights within a generalized one). Similar values. Linkage
//! of releases.
//! **Source.** The (tau, l)-diversity text, Definitions 2 to 4. Deviations: psi = 1 for l = 1, nothing is asked for tau = 1
//! (E-5); exact (E-6); zero weights are an error where they are all there is (E-4); depth as in the tree (F-3).

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::{AddAssign, Mul, Range};

use num_bigint::BigInt;
use num_traits::{One, ToPrimitive, Zero};
use rustc_hash::FxHashMap;

use super::{
    Bound, Context, DataError, Kind, Level, Merging, OfPeople, ParameterKind, ParameterSpec,
    ParameterValue, Parameters, Phrase, Presence, Principle, Quantity, Relation, Subject, When,
    histogram, nothing_together, rows_at_least,
};
use crate::Rational;
use crate::model::{ClassView, CountedColumn, Dictionary, Taxonomy, to_f64};

const WEIGHTS: ParameterSpec = ParameterSpec {
    name: "weights",
    kind: ParameterKind::Weights { one_of: &["occurring", "domain"] },
    presence: Presence::Default("occurring"),
    doc: "how likely each base value is the true one behind a generalized value: those that occur alike, all alike, or as stated",
};

const PARAMETERS: [ParameterSpec; 3] = [
    ParameterSpec {
        name: "tau",
        kind: ParameterKind::AboveZeroUpTo { at_most: 1 },
        presence: Presence::Required,
        doc: "largest share of a base value in a class",
    },
    ParameterSpec {
        name: "l",
        kind: ParameterKind::Real { at_least: 1 },
        presence: Presence::Required,
        doc: "the share of the k most frequent base values may grow from tau to 1 only when k reaches l",
    },
    WEIGHTS,
];

pub(super) static KIND: Kind = Kind {
    name: "tau-l-diversity",
    definition: "In every class the share of the most frequent base value is at most tau, and that of the k most frequent ones grows to 1 no faster than evenly up to k = l.",
    promise: &[
        Phrase {
            when: &[When::AtMost("l", 1)],
            text: "With l = 1, nothing is required of the shares of base values; a generalized sensitive value stands for ",
        },
        Phrase {
            when: &[When::Above("l", 1)],
            text: "In every class the share of the most frequent base value is at most {tau:%}, and that of the k most frequent ones grows to 100% no faster than evenly up to k = {l}; a generalized sensitive value stands for ",
        },
        Phrase {
            when: &[When::Word("weights", "occurring")],
            text: "each base value below it that occurs in the table, with equal chances.",
        },
        Phrase {
            when: &[When::Word("weights", "domain")],
            text: "each base value below it, with equal chances.",
        },
        Phrase {
            when: &[When::Table("weights")],
            text: "each base value below it, with chances in proportion to the weights that the policy states.",
        },
    ],
    of_people: OfPeople::Nothing(
        "which people have a value below a node does not follow from how many have each value",
    ),
    subject: Subject::SensitiveAttribute,
    parameters: &PARAMETERS,
    check_together: nothing_together,
    level: "tau, the smallest for which every class holds at this l, and slack, how far the shares stay below their limits",
    beside: &[],
    merging: Merging::Keeps,
    merging_keeps_when: &[],
    does_not_protect_against: "an adversary who knows the rule by which sensitive values were generalized, values that mean nearly the same, and joining several releases",
    source: "the (tau, l)-diversity text, Definitions 2 to 4",
    readings: &["E-4", "E-5", "E-6", "E-13", "F-3"],
    build,
};

/// What (tau, l)-diversity asks for.
#[derive(Debug, Clone, PartialEq)]
pub struct AskedShares {
    /// The largest share of a base value.
    pub tau: Rational,
    /// Where shares may be everything.
    pub l: Rational,
    /// How likely each base value is the true one behind a generalized value.
    pub weights: Weights,
}

/// The weights of base values.
#[derive(Debug, Clone, PartialEq)]
pub enum Weights {
    /// 1 for those that occur in the table, else 0.
    Occurring,
    /// 1 for all.
    Domain,
    /// As stated, one by one.
    Stated(BTreeMap<String, Rational>),
}

impl Weights {
    /// The word of a policy, or `stated`.
    pub fn name(&self) -> &'static str {
        match self {
            Weights::Occurring => "occurring",
            Weights::Domain => "domain",
            Weights::Stated(_) => "stated",
        }
    }
}

impl AskedShares {
    /// The same as the parameters of a policy.
    pub fn parameters(&self) -> Parameters {
        let weights = match &self.weights {
            Weights::Stated(weights) => {
                let weights = weights.iter();
                let number = |(value, of): (&String, &Rational)| {
                    (value.clone(), ParameterValue::Number(*of))
                };
                ParameterValue::Table(weights.map(number).collect())
            }
            named => ParameterValue::Text(named.name().to_owned()),
        };
        let named = [
            ("tau", ParameterValue::Number(self.tau)),
            ("l", ParameterValue::Number(self.l)),
            (WEIGHTS.name, weights),
        ];
        Parameters(named.map(|(name, value)| (name.to_owned(), value)).into())
    }
}

/// What (tau, l)-diversity asks for; `None` of any other kind.
pub fn asked_shares(kind: &Kind, parameters: &Parameters) -> Option<AskedShares> {
    std::ptr::eq(kind, &KIND).then(|| {
        let weight = |value: &ParameterValue| match value {
            ParameterValue::Number(weight) => *weight,
            _ => Rational::zero(),
        };
        let weights = match parameters.table(WEIGHTS.name) {
            Some(stated) => {
                let stated = stated.0.iter();
                Weights::Stated(stated.map(|(value, of)| (value.clone(), weight(of))).collect())
            }
            None if parameters.word(&WEIGHTS) == "domain" => Weights::Domain,
            None => Weights::Occurring,
        };
        AskedShares { tau: parameters.number("tau"), l: parameters.number("l"), weights }
    })
}

/// Without a declared taxonomy a root stands above all values that occur or have a weight: of released rows some may be
/// generalized to the root, and some values may be gone.
fn flat(column: &CountedColumn, parameters: &Parameters) -> Taxonomy {
    let stated = parameters.table(WEIGHTS.name).unwrap_or_default();
    let occurring = column.dictionary.values().iter();
    let leaves: BTreeSet<&String> = occurring.chain(stated.0.keys()).collect();
    Taxonomy::flat(leaves.into_iter().map(String::as_str).filter(|value| *value != crate::STAR))
}

/// psi(k) for k = 1, ..., m. Exact.
pub fn psi(tau: &Rational, l: &Rational, m: usize) -> Vec<Rational> {
    let one = Rational::from_integer(1);
    (1..=m as i128)
        .map(|k| {
            if Rational::from_integer(k) >= *l {
                return one;
            }
            tau + (one - tau) * Rational::from_integer(k - 1) / (l - one)
        })
        .collect()
}

/// Weights as whole numbers, and how much of its weight each value gives to the base values below it.
#[derive(Debug, Clone)]
struct Shares<T> {
    /// For each leaf.
    weights: Vec<T>,
    /// For each code the common multiple over the weight of the leaves below it; 0 where that is 0.
    factors: Vec<T>,
    /// The common multiple of all weights below values that occur.
    common: T,
}

/// The base values that the values of a column induce.
#[derive(Debug, Clone)]
pub struct Induced {
    /// For each code the leaves below it.
    leaves: Vec<Range<usize>>,
    weights: Vec<Rational>,
    short: Option<Shares<i128>>,
    long: Shares<BigInt>,
}

/// The induced frequencies of one class.
#[derive(Debug, Clone, PartialEq)]
pub struct Frequencies {
    /// By leaf, in the order of the taxonomy.
    pub by_leaf: Vec<f64>,
    /// F(1), ..., F(m).
    pub cumulative: Vec<f64>,
}

trait Whole: Clone + Ord + Zero + AddAssign + Mul<Output = Self> + From<u64> + ToPrimitive {}
impl<T: Clone + Ord + Zero + AddAssign + Mul<Output = T> + From<u64> + ToPrimitive> Whole for T {}

/// In short arithmetic weights and their common multiple have at most this many bits; tables have fewer than 2^40 rows.
const SHORT_WEIGHT_BITS: u64 = 40;

/// And limits this many, so that rows * common multiple * limit fits into 127 bits.
const SHORT_LIMIT_BITS: u64 = 46;

fn gcd(a: &BigInt, b: &BigInt) -> BigInt {
    if b.is_zero() { a.clone() } else { gcd(b, &(a % b)) }
}

fn lcm(a: &BigInt, b: &BigInt) -> BigInt {
    if b.is_zero() { a.clone() } else { a / gcd(a, b) * b }
}

impl Induced {
    /// Looks up the values of a dictionary in a taxonomy, whose leaves have the given weights.
    ///
    /// # Errors
    /// The codes of values that the taxonomy does not know.
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
        let scale =
            weights.iter().fold(BigInt::one(), |scale, w| lcm(&scale, &(*w.denom()).into()));
        let whole: Vec<BigInt> =
            weights.iter().map(|w| &scale / w.denom() * BigInt::from(*w.numer())).collect();
        // A weight common to all is none.
        let divisor = whole.iter().fold(BigInt::zero(), |divisor, w| gcd(&divisor, w));
        let divisor = if divisor.is_zero() { BigInt::one() } else { divisor };
        let whole: Vec<BigInt> = whole.into_iter().map(|w| w / &divisor).collect();
        let totals: Vec<BigInt> =
            leaves.iter().map(|below| whole[below.clone()].iter().sum()).collect();
        let common = totals.iter().fold(BigInt::one(), |common, total| lcm(&common, total));
        let factors = totals
            .iter()
            .map(|total| if total.is_zero() { BigInt::zero() } else { &common / total })
            .collect();
        let long = Shares { weights: whole, factors, common };
        Ok(Self { leaves, weights: weights.to_vec(), short: long.short(), long })
    }

    /// The codes of values without any weight below them.
    pub fn without_weight(&self) -> Vec<u32> {
        let codes = 0..self.leaves.len() as u32;
        codes.filter(|&code| self.long.factors[code as usize].is_zero()).collect()
    }

    /// The induced frequencies of a class.
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
    /// The excessive protection (Definition 8): the sum over k of |psi(k) - F(k)|.
    pub fn excessive_protection(&self, psi: &[Rational]) -> f64 {
        psi.iter().zip(&self.cumulative).map(|(psi, f)| (to_f64(psi) - f).abs()).sum()
    }
}

impl Shares<BigInt> {
    /// The same in 128 bits, if all stays well below.
    fn short(&self) -> Option<Shares<i128>> {
        let mut all = self.weights.iter().chain(&self.factors).chain([&self.common]);
        if all.any(|number| number.bits() > SHORT_WEIGHT_BITS) {
            return None;
        }
        let short = |numbers: &[BigInt]| -> Option<Vec<i128>> {
            numbers.iter().map(ToPrimitive::to_i128).collect()
        };
        Some(Shares {
            weights: short(&self.weights)?,
            factors: short(&self.factors)?,
            common: self.common.to_i128()?,
        })
    }
}

impl<T: Whole> Shares<T> {
    /// For each leaf its induced frequency, times the rows of the class, times the common multiple.
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

    /// The largest of F(k) - psi(k) by sign, and the level in doubles.
    fn judge(
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

/// psi(k) for one k < l.
#[derive(Debug, Clone)]
struct Limit<T> {
    numerator: T,
    denominator: T,
    psi: f64,
    /// (k - 1) / (l - 1).
    share: f64,
}

#[derive(Debug)]
struct TauLDiversity {
    attribute: usize,
    l: Rational,
    induced: Induced,
    taxonomy: Taxonomy,
    smallest_size: u64,
    short: Option<Vec<Limit<i128>>>,
    long: Vec<Limit<BigInt>>,
    bounds: [Bound; 2],
}

fn build(context: &Context<'_>, parameters: &Parameters) -> Result<Box<dyn Principle>, DataError> {
    let column = context.column();
    let attribute = || column.name.clone();
    let taxonomy = context.taxonomy.cloned().unwrap_or_else(|| flat(column, parameters));
    let weights = weights(context, &taxonomy, parameters)?;
    let induced = Induced::new(&column.dictionary, &taxonomy, &weights).map_err(|codes| {
        let n_values = codes.len();
        let (n_rows, values) = context.rows_with(&codes);
        DataError::NotInTaxonomy { attribute: attribute(), n_values, n_rows, values }
    })?;
    let without = induced.without_weight();
    let (n_rows, values) = context.rows_with(&without);
    if n_rows > 0 {
        let n_values = without.len();
        return Err(DataError::NoWeight { attribute: attribute(), n_values, n_rows, values });
    }
    let (tau, l) = (parameters.number("tau"), parameters.number("l"));
    // k < l for k = 1, ..., ceil(l) - 1.
    let below_l = (rows_at_least(&l) - 1).min(weights.len() as u64) as usize;
    let limits = limits(&tau, &l, below_l);
    let is_generalized = induced.leaves.iter().any(|below| below.len() > 1);
    let needed = rows_at_least(&tau.recip());
    let zero = Rational::from_integer(0);
    Ok(Box::new(TauLDiversity {
        attribute: context.attribute(),
        l,
        smallest_size: if is_generalized || below_l == 0 { 1 } else { needed },
        short: induced.short.as_ref().and_then(|_| limits.iter().map(Limit::short).collect()),
        long: limits,
        taxonomy,
        induced,
        bounds: [
            Bound { name: "tau", relation: Relation::AtMost, threshold: tau },
            Bound { name: "slack", relation: Relation::AtLeast, threshold: zero },
        ],
    }))
}

/// psi(k) for k = 1, ..., n, all below l.
fn limits(tau: &Rational, l: &Rational, n: usize) -> Vec<Limit<BigInt>> {
    let one = Rational::from_integer(1);
    psi(tau, l, n)
        .into_iter()
        .enumerate()
        .map(|(at, psi)| Limit {
            numerator: BigInt::from(*psi.numer()),
            denominator: BigInt::from(*psi.denom()),
            psi: to_f64(&psi),
            share: at as f64 / to_f64(&(l - one)),
        })
        .collect()
}

impl Limit<BigInt> {
    fn short(&self) -> Option<Limit<i128>> {
        let fits = self.numerator.bits().max(self.denominator.bits()) <= SHORT_LIMIT_BITS;
        let (numerator, denominator) = (self.numerator.to_i128()?, self.denominator.to_i128()?);
        fits.then_some(Limit { numerator, denominator, psi: self.psi, share: self.share })
    }
}

fn weights(
    context: &Context<'_>,
    taxonomy: &Taxonomy,
    parameters: &Parameters,
) -> Result<Vec<Rational>, DataError> {
    let column = context.column();
    let (zero, one) = (Rational::from_integer(0), Rational::from_integer(1));
    if let Some(Parameters(stated)) = parameters.table("weights") {
        let leaves: Vec<&str> = taxonomy.leaf_labels().collect();
        let strangers: Vec<String> =
            stated.keys().filter(|label| !leaves.contains(&label.as_str())).cloned().collect();
        if !strangers.is_empty() {
            let attribute = column.name.clone();
            let n_values = strangers.len();
            return Err(DataError::WeightOfNothing { attribute, n_values, values: strangers });
        }
        let weight = |label: &&str| match stated.get(*label) {
            Some(ParameterValue::Number(weight)) => *weight,
            _ => zero,
        };
        return Ok(leaves.iter().map(weight).collect());
    }
    if parameters.word(&WEIGHTS) == "domain" {
        return Ok(vec![one; taxonomy.n_leaves()]);
    }
    let occurring: FxHashMap<&str, u64> = column
        .dictionary
        .values()
        .iter()
        .map(String::as_str)
        .zip(context.table.marginal(column))
        .collect();
    let occurs = |label: &str| occurring.get(label).is_some_and(|&rows| rows > 0);
    Ok(taxonomy.leaf_labels().map(|label| if occurs(label) { one } else { zero }).collect())
}

impl TauLDiversity {
    /// With all weights written out.
    fn asked(&self) -> AskedShares {
        let labels = self.taxonomy.leaf_labels().map(str::to_owned);
        let weights = Weights::Stated(labels.zip(self.induced.weights.iter().copied()).collect());
        AskedShares { tau: self.bounds[0].threshold, l: self.l, weights }
    }
}

impl Principle for TauLDiversity {
    fn of_class(&self, class: &ClassView<'_>) -> Level {
        let entries = histogram(class, self.attribute).entries;
        let (leaves, n) = (&self.induced.leaves, class.size);
        let (worst, tau, slack) = match (&self.induced.short, &self.short) {
            (Some(shares), Some(limits)) => shares.judge(leaves, entries, n, limits),
            _ => self.induced.long.judge(leaves, entries, n, &self.long),
        };
        // Where F meets psi the double of tau does not say that it is above.
        let tau = if worst.is_gt() { tau } else { tau.min(to_f64(&self.bounds[0].threshold)) };
        let tau = Quantity::Real { value: tau, versus_required: worst };
        let slack = match self.long.is_empty() {
            true => Quantity::Undefined,
            false => Quantity::Real { value: slack, versus_required: worst.reverse() },
        };
        Level::Two(tau, slack)
    }

    fn bounds(&self) -> &[Bound] {
        &self.bounds
    }

    fn shares(&self) -> Option<AskedShares> {
        Some(self.asked())
    }

    fn at_l(&self) -> Option<Rational> {
        Some(self.l)
    }

    fn smallest_size(&self) -> u64 {
        self.smallest_size
    }

    fn merging(&self) -> Merging {
        Merging::Keeps
    }

    fn taxonomy(&self) -> Option<&Taxonomy> {
        Some(&self.taxonomy)
    }

    /// With the weights written out, which may have been taken from the values that occur.
    fn effective_parameters(&self, _stated: &Parameters) -> Parameters {
        self.asked().parameters()
    }
}
