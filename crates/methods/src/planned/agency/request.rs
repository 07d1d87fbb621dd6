//! What is asked of the central agency.

use indistinct_core::Rational;
use indistinct_linkage::planned::Basis;
use num_rational::BigRational;
use num_traits::ToPrimitive;

/// What is asked of the central agency.
#[derive(Debug, Clone)]
pub struct Request {
    /// What the plan is, for people.
    pub title: Option<String>,
    /// How many sensitive values must remain for everybody.
    pub l: u64,
    /// With what probability that may fail.
    pub failure: Failure,
    /// The order in which classes are contiguous.
    pub order: Order,
    /// Which point of the trade-off is taken.
    pub choice: Choice,
    /// What the number of rows rests on.
    pub basis: Basis,
    /// By how much the distribution may be wrong, where that is asked.
    pub eta: Option<Rational>,
    /// Whether sensitive values depend on quasi-identifiers.
    pub dependence: Dependence,
    /// Which combinations of quasi-identifiers get a class.
    pub cover: Cover,
    /// What else is to be said of the plan that is chosen.
    pub also: FurtherRequest,
}

/// What else is to be said of a plan's classes, beside what the plan promises.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct FurtherRequest {
    /// With what probability releases of so many rows fail.
    pub with_rows: Option<u64>,
    /// How many rows it takes until every class has k of them.
    pub k: Option<u64>,
    /// How many rows it takes until every class has entropy l-diversity, for this l.
    pub entropy_l: Option<Rational>,
}

/// Which combinations of quasi-identifiers get a class.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Cover {
    /// Those that occur: data with any other cannot be released by the plan.
    Occurring,
    /// All of the values that occur, that hierarchies list, and that are declared here: what was never counted has a class too.
    All(Vec<Domain>),
}

/// Values that a quasi-identifier may have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Domain {
    /// The quasi-identifier.
    pub column: String,
    /// The values.
    pub values: Vec<String>,
}

impl Domain {
    /// The most values that a range may have.
    const MOST_VALUES: i64 = 100_000;

    /// Reads `age=0..120` (whole numbers, both ends among them) or `sex=f,m`; `None` for anything else.
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

/// The probability that a promise fails.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Failure {
    /// Of each release: delta.
    OfEach(Rational),
    /// Of any of so many releases.
    OfAny {
        /// How many.
        releases: u64,
        /// The probability; each release gets an equal share.
        total: Rational,
    },
}

/// An order of the combinations of quasi-identifiers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Order {
    /// Along a Hilbert curve through the values: neighbors in it are near each other in every column.
    SpaceFilling,
    /// By the first of these columns, then by the next; the columns as they are if there are none.
    Lexicographic(Vec<String>),
}

/// Which point of the trade-off is taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Choice {
    /// The most classes for which as many rows suffice as were counted; for probabilities, as [`Request::DEFAULT_ROWS`].
    Default,
    /// This p.
    P(Rational),
    /// At least so many classes, with the largest p.
    Classes(u64),
    /// The most classes for which so many rows suffice.
    Rows(u64),
}

/// Whether sensitive values depend on quasi-identifiers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dependence {
    /// As they were counted.
    Dependent,
    /// They do not: only how frequent each is counts.
    Independent,
}

impl Request {
    /// The rows that a plan is chosen for where nothing says how many there will be.
    pub const DEFAULT_ROWS: u64 = 10_000;

    /// In which order classes are contiguous, if nobody says so.
    pub const DEFAULT_ORDER: Order = Order::SpaceFilling;

    /// Which combinations get a class, if nobody says so.
    pub const DEFAULT_COVER: Cover = Cover::Occurring;

    /// What the number of rows rests on, if nobody says so.
    pub const DEFAULT_BASIS: Basis = Basis::Text;
}

pub(super) fn exact(p: &BigRational) -> Rational {
    let part = |number: &num_bigint::BigInt| number.to_i128().expect("weights have 64 bits");
    Rational::new(part(p.numer()), part(p.denom()))
}

pub(super) fn double(p: &BigRational) -> f64 {
    p.to_f64().unwrap_or(f64::NAN)
}
