//! A request to the central agency.

use indistinct_core::Rational;
use indistinct_linkage::planned::{Basis, Linked};
use num_rational::BigRational;
use num_traits::ToPrimitive;

/// A request to the central agency.
#[derive(Debug, Clone)]
pub struct Request {
    /// A human-readable title of the plan.
    pub title: Option<String>,
    /// The number of sensitive values that must remain for every person.
    pub l: u64,
    /// The further guarantees for linked classes.
    pub linked: Linked,
    /// The allowed failure probability.
    pub failure: Failure,
    /// The order of the combinations, in which the combinations of each class are consecutive.
    pub order: Order,
    /// The choice of a point in the trade-off.
    pub choice: Choice,
    /// The bound that determines the number of rows.
    pub basis: Basis,
    /// The confidence level of probabilities that are estimated from counts. The plan states this
    /// level if it covers all combinations. `None` if the counts or probabilities are
    /// the distribution itself.
    pub confidence: Option<Rational>,
    /// The assumed error of the distribution, if robustness is requested.
    pub eta: Option<Rational>,
    /// Whether sensitive values depend on quasi-identifiers.
    pub dependence: Dependence,
    /// The combinations of quasi-identifiers to assign to classes.
    pub cover: Cover,
    /// Additional figures to compute for the chosen plan.
    pub also: FurtherRequest,
}

/// Additional figures about a plan's classes that are not part of the guarantee of the plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct FurtherRequest {
    /// The number of rows for which to compute the failure probability.
    pub with_rows: Option<u64>,
    /// The value of k for which to compute the number of rows required for k-anonymity.
    pub k: Option<u64>,
    /// The value of l for which to compute the number of rows required for entropy l-diversity.
    pub entropy_l: Option<Rational>,
}

/// The combinations of quasi-identifiers to assign to classes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Cover {
    /// Combinations that occur. Tables with other combinations cannot be released with the plan.
    Occurring,
    /// All combinations of values that occur, are listed in hierarchies, or are declared here.
    /// Combinations that were never counted are also assigned to classes.
    All(Vec<Domain>),
}

/// The possible values of a quasi-identifier.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Domain {
    /// The quasi-identifier.
    pub column: String,
    /// The values.
    pub values: Vec<String>,
}

impl Domain {
    /// The maximum number of values in a range.
    const MOST_VALUES: i64 = 100_000;

    /// Parses `age=0..120` (integers, both ends included) or `sex=f,m`; returns `None` for any
    /// other text.
    pub fn parse(text: &str) -> Option<Self> {
        let (column, values) = text.split_once('=').filter(|(column, _)| !column.is_empty())?;
        let values: Vec<String> = match values.split_once("..") {
            Some((min, max)) => {
                let (min, max): (i64, i64) = (min.parse().ok()?, max.parse().ok()?);
                let n = max.checked_sub(min).filter(|n| (0..Self::MOST_VALUES).contains(n))?;
                (0..=n).map(|step| (min + step).to_string()).collect()
            }
            None => values.split(',').map(|value| value.trim().to_owned()).collect(),
        };
        let is_full = values.iter().all(|value| !value.is_empty());
        is_full.then(|| Self { column: column.trim().to_owned(), values })
    }
}

/// The failure probability of a guarantee.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Failure {
    /// The failure probability delta of each release.
    OfEach(Rational),
    /// The probability that any of several releases fails.
    OfAny {
        /// The number of releases.
        releases: u64,
        /// The total probability, divided equally among the releases.
        total: Rational,
    },
}

/// An order of the combinations of quasi-identifiers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Order {
    /// The order of a Hilbert curve through the values; adjacent combinations have similar values
    /// in every column.
    SpaceFilling,
    /// The order of the listed columns, the first column first; if the list is empty, all columns
    /// in their original order.
    Lexicographic(Vec<String>),
}

/// The choice of a point in the trade-off.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Choice {
    /// The point with the most classes for which the number of counted rows is sufficient. For
    /// probabilities, the number of rows is [`Request::DEFAULT_ROWS`].
    Default,
    /// The given p.
    P(Rational),
    /// The point with the largest p among those with at least the given number of classes.
    Classes(u64),
    /// The point with the most classes for which the given number of rows is sufficient.
    Rows(u64),
}

/// Whether sensitive values depend on quasi-identifiers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dependence {
    /// The joint distribution as counted.
    Dependent,
    /// Independence of sensitive values and quasi-identifiers; only the frequencies of sensitive
    /// values are used.
    Independent,
}

impl Request {
    /// The default number of rows for choosing a plan.
    pub const DEFAULT_ROWS: u64 = 10_000;

    /// The default confidence level of probabilities that are estimated from counts.
    pub const DEFAULT_CONFIDENCE: Rational = Rational::new_raw(19, 20);

    /// The default order of combinations.
    pub const DEFAULT_ORDER: Order = Order::SpaceFilling;

    /// The default set of combinations to assign to classes.
    pub const DEFAULT_COVER: Cover = Cover::Occurring;

    /// The default bound that determines the number of rows.
    pub const DEFAULT_BASIS: Basis = Basis::Text;

    /// Returns the confidence level for the options of a user: none for a known distribution, and
    /// by default [`Self::DEFAULT_CONFIDENCE`].
    pub fn confidence(is_known: bool, level: Option<Rational>) -> Option<Rational> {
        (!is_known).then(|| level.unwrap_or(Self::DEFAULT_CONFIDENCE))
    }
}

pub(super) fn exact(p: &BigRational) -> Rational {
    let part = |number: &num_bigint::BigInt| number.to_i128().expect("weights fit in 64 bits");
    Rational::new(part(p.numer()), part(p.denom()))
}

pub(super) fn double(p: &BigRational) -> f64 {
    p.to_f64().unwrap_or(f64::NAN)
}
