//! The level that a class or a table reaches, and its comparison with the required level.

use std::cmp::Ordering;

use crate::model::{Rational, from_ratio, to_f64};

/// One quantity of a level.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Quantity {
    /// A number of rows or values.
    Count(u64),
    /// An exact fraction of two counts, not necessarily in lowest terms. The denominator is not 0.
    Ratio {
        /// The numerator.
        numerator: u64,
        /// The denominator.
        denominator: u64,
    },
    /// An exact number, not necessarily in lowest terms.
    Exact(Rational),
    /// A value that is not a fraction. It has a floating-point number for display and an exact
    /// comparison with the threshold.
    Real {
        /// The nearest floating-point number.
        value: f64,
        /// The result of comparing the exact value with the threshold.
        versus_required: Ordering,
    },
    /// No value of the parameter is sufficient.
    Unreachable,
    /// The quantity is undefined for the given parameters and therefore satisfies every bound.
    Undefined,
}

/// The required relation between a quantity and its threshold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Relation {
    /// The quantity must be at least the threshold. Larger values are safer.
    AtLeast,
    /// The quantity must be at most the threshold. Smaller values are safer.
    AtMost,
    /// The quantity must be strictly below the threshold. Smaller values are safer.
    Below,
}

/// The requirement on one quantity of a level.
#[derive(Debug, Clone, PartialEq)]
pub struct Bound {
    /// The name of the quantity in JSON, such as `l` or `c_exceeds`.
    pub name: &'static str,
    /// The required relation between the quantity and the threshold.
    pub relation: Relation,
    /// The threshold.
    pub threshold: Rational,
}

/// The level that a class or a table reaches, with one quantity for each bound of the principle.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Level {
    /// The level of a principle with one bound.
    One(Quantity),
    /// The level of a principle with two bounds.
    Two(Quantity, Quantity),
}

/// Compares fractions by cross-multiplication, or with a slower method if the product overflows.
fn compare_fraction(numerator: u64, denominator: u64, threshold: &Rational) -> Ordering {
    let left = i128::from(numerator).checked_mul(*threshold.denom());
    let right = i128::from(denominator).checked_mul(*threshold.numer());
    match (left, right) {
        (Some(left), Some(right)) => left.cmp(&right),
        _ => from_ratio(numerator, denominator).cmp(threshold),
    }
}

/// The result of comparing a quantity with a threshold.
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

    /// Returns the exact value, or `None` if the quantity has no value or its value is not a
    /// fraction.
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

    /// Returns the nearest floating-point number, or `None` if the quantity is undefined or
    /// unreachable.
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
    /// Creates a quantity that is not a fraction, given its exact comparison with the threshold.
    /// The floating-point value is adjusted to be consistent with this comparison.
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

    /// Returns whether a quantity satisfies the bound.
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
    /// Returns the quantities, in the order of the principle's bounds.
    pub fn quantities(&self) -> impl Iterator<Item = &Quantity> {
        let (first, second) = match self {
            Level::One(a) => (a, None),
            Level::Two(a, b) => (a, Some(b)),
        };
        std::iter::once(first).chain(second)
    }

    /// Returns whether every bound is satisfied. Only this function decides whether a level
    /// satisfies a principle.
    pub fn meets(&self, bounds: &[Bound]) -> bool {
        debug_assert_eq!(self.quantities().count(), bounds.len());
        self.quantities().zip(bounds).all(|(quantity, bound)| bound.is_met_by(quantity))
    }

    /// Orders levels from worst to best: failing levels first, then by the first quantity, then by
    /// the second quantity.
    pub fn severity(&self, other: &Level, bounds: &[Bound]) -> Ordering {
        let fails_first = self.meets(bounds).cmp(&other.meets(bounds));
        let quantities = self.quantities().zip(other.quantities()).zip(bounds);
        quantities.fold(fails_first, |order, ((a, b), bound)| {
            order.then_with(|| a.severity(b, bound.relation))
        })
    }

    /// Returns a level with the worse value of each quantity of two levels.
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
