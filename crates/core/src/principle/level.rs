//! The level that a class or a table reaches, and its comparison with what is required.

use std::cmp::Ordering;

use crate::model::{Rational, from_ratio, to_f64};

/// One quantity of a level.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Quantity {
    /// A number of rows or values.
    Count(u64),
    /// An exact fraction of two counts, not reduced; the denominator is not 0.
    Ratio {
        /// The numerator.
        numerator: u64,
        /// The denominator.
        denominator: u64,
    },
    /// An exact number. It need not be in lowest terms.
    Exact(Rational),
    /// A value that no fraction expresses: the nearest double for people, and the exactly decided comparison with
    /// the threshold of the principle that made it.
    Real {
        /// The nearest double.
        value: f64,
        /// How the exact value compares with the threshold.
        versus_required: Ordering,
    },
    /// No value of the parameter would do.
    Unreachable,
    /// Not defined for the parameters at hand; meets every bound.
    Undefined,
}

/// How a quantity must stand to its threshold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Relation {
    /// At least the threshold; more is safer.
    AtLeast,
    /// At most the threshold; less is safer.
    AtMost,
    /// Strictly below the threshold; less is safer.
    Below,
}

/// What is required of one quantity of a level.
#[derive(Debug, Clone, PartialEq)]
pub struct Bound {
    /// The quantity's name in JSON, such as `l` or `c_exceeds`.
    pub name: &'static str,
    /// How the quantity must stand to the threshold.
    pub relation: Relation,
    /// The threshold.
    pub threshold: Rational,
}

/// The level that a class or a table reaches: one quantity for each bound of the principle.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Level {
    /// The level of a principle with one bound.
    One(Quantity),
    /// The level of a principle with two bounds.
    Two(Quantity, Quantity),
}

/// Cross-multiplication; fractions with very long thresholds go through the slower comparison of fractions.
fn compare_fraction(numerator: u64, denominator: u64, threshold: &Rational) -> Ordering {
    let left = i128::from(numerator).checked_mul(*threshold.denom());
    let right = i128::from(denominator).checked_mul(*threshold.numer());
    match (left, right) {
        (Some(left), Some(right)) => left.cmp(&right),
        _ => from_ratio(numerator, denominator).cmp(threshold),
    }
}

/// How a quantity stands to a threshold.
enum Versus {
    Compared(Ordering),
    NothingDoes,
    NothingRequired,
}

impl Quantity {
    fn versus(&self, threshold: &Rational) -> Versus {
        match self {
            Quantity::Count(count) => {
                Versus::Compared(Rational::from_integer(i128::from(*count)).cmp(threshold))
            }
            Quantity::Ratio { numerator, denominator } => {
                Versus::Compared(compare_fraction(*numerator, *denominator, threshold))
            }
            Quantity::Exact(value) => Versus::Compared(value.cmp(threshold)),
            Quantity::Real { versus_required, .. } => Versus::Compared(*versus_required),
            Quantity::Unreachable => Versus::NothingDoes,
            Quantity::Undefined => Versus::NothingRequired,
        }
    }

    /// The exact value; `None` where it is no fraction or there is none.
    pub fn to_rational(&self) -> Option<Rational> {
        match self {
            Quantity::Count(count) => Some(Rational::from_integer(i128::from(*count))),
            Quantity::Ratio { numerator, denominator } => {
                Some(from_ratio(*numerator, *denominator))
            }
            Quantity::Exact(value) => Some(*value),
            Quantity::Real { .. } | Quantity::Unreachable | Quantity::Undefined => None,
        }
    }

    /// The nearest double; `None` where no value would do or it is not defined.
    pub fn to_f64(&self) -> Option<f64> {
        match self {
            Quantity::Count(count) => Some(*count as f64),
            Quantity::Ratio { numerator, denominator } => {
                Some(*numerator as f64 / *denominator as f64)
            }
            Quantity::Exact(value) => Some(to_f64(value)),
            Quantity::Real { value, .. } => Some(*value),
            Quantity::Unreachable | Quantity::Undefined => None,
        }
    }

    fn compare(&self, other: &Quantity) -> Ordering {
        use Quantity::{Count, Exact, Ratio, Real};
        match (self, other) {
            (Count(a), Count(b)) => a.cmp(b),
            (Ratio { numerator: a, denominator: b }, Ratio { numerator: c, denominator: d }) => {
                (u128::from(*a) * u128::from(*d)).cmp(&(u128::from(*c) * u128::from(*b)))
            }
            (Exact(a), Exact(b)) => a.cmp(b),
            (Real { value: a, versus_required: x }, Real { value: b, versus_required: y }) => {
                x.cmp(y).then(a.total_cmp(b))
            }
            (a, b) => {
                a.to_f64().unwrap_or(f64::INFINITY).total_cmp(&b.to_f64().unwrap_or(f64::INFINITY))
            }
        }
    }

    fn severity(&self, other: &Quantity, relation: Relation) -> Ordering {
        use Quantity::{Undefined, Unreachable};
        match (self, other) {
            (Unreachable, Unreachable) | (Undefined, Undefined) => Ordering::Equal,
            (Unreachable, _) | (_, Undefined) => Ordering::Less,
            (_, Unreachable) | (Undefined, _) => Ordering::Greater,
            (a, b) => match relation {
                Relation::AtLeast => a.compare(b),
                Relation::AtMost | Relation::Below => b.compare(a),
            },
        }
    }

    fn worse(self, other: Quantity, relation: Relation) -> Quantity {
        if self.severity(&other, relation).is_le() { self } else { other }
    }
}

impl Bound {
    /// A quantity that is no fraction, of which it was decided exactly how it compares with the threshold: its double never
    /// says otherwise.
    pub fn decided(&self, value: f64, versus_required: Ordering) -> Quantity {
        let threshold = to_f64(&self.threshold);
        let value = match versus_required {
            Ordering::Equal => threshold,
            Ordering::Greater => value.max(threshold),
            Ordering::Less if value >= threshold => threshold.next_down(),
            Ordering::Less => value,
        };
        Quantity::Real { value, versus_required }
    }

    /// Whether a quantity meets the bound.
    pub fn is_met_by(&self, quantity: &Quantity) -> bool {
        match (quantity.versus(&self.threshold), self.relation) {
            (Versus::NothingDoes, _) => false,
            (Versus::NothingRequired, _) => true,
            (Versus::Compared(order), Relation::AtLeast) => order.is_ge(),
            (Versus::Compared(order), Relation::AtMost) => order.is_le(),
            (Versus::Compared(order), Relation::Below) => order.is_lt(),
        }
    }
}

impl Level {
    /// The quantities, in the order of the principle's bounds.
    pub fn quantities(&self) -> impl Iterator<Item = &Quantity> {
        let (first, second) = match self {
            Level::One(a) => (a, None),
            Level::Two(a, b) => (a, Some(b)),
        };
        std::iter::once(first).chain(second)
    }

    /// Whether every bound is met. The one place where a level becomes a verdict.
    pub fn meets(&self, bounds: &[Bound]) -> bool {
        debug_assert_eq!(self.quantities().count(), bounds.len());
        self.quantities().zip(bounds).all(|(quantity, bound)| bound.is_met_by(quantity))
    }

    /// Orders levels by how bad they are: one that fails first, then by the first quantity, then by the second.
    pub fn severity(&self, other: &Level, bounds: &[Bound]) -> Ordering {
        let fails_first = self.meets(bounds).cmp(&other.meets(bounds));
        let quantities = self.quantities().zip(other.quantities()).zip(bounds);
        quantities.fold(fails_first, |order, ((a, b), bound)| {
            order.then_with(|| a.severity(b, bound.relation))
        })
    }

    /// The level that a table reaches of which one class reaches `self` and another `other`.
    pub fn worst(self, other: Level, bounds: &[Bound]) -> Level {
        match (self, other) {
            (Level::One(a), Level::One(b)) => Level::One(a.worse(b, bounds[0].relation)),
            (Level::Two(a, b), Level::Two(c, d)) => {
                Level::Two(a.worse(c, bounds[0].relation), b.worse(d, bounds[1].relation))
            }
            _ => unreachable!("levels of one principle have the same number of quantities"),
        }
    }
}
