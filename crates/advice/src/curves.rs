//! The trade-off between epsilon and m, which depends only on the numbers in a sensitive attribute.

use indistinct_answers::advice::TradeOffPoint;
use indistinct_core::feasibility::{Supremum, Unit, trade_off, worthwhile_m};
use indistinct_core::model::{Numbers, to_f64};

/// Converts a limit to its representation in the advice. Returns `None` if the limit is undefined.
pub(crate) fn limit(supremum: Supremum) -> Option<Option<f64>> {
    match supremum {
        Supremum::Unbounded => Some(None),
        Supremum::Below(limit) => Some(Some(to_f64(&limit))),
        Supremum::Undefined => None,
    }
}

/// Returns the curve up to the first m for which no epsilon is feasible; `None` if the curve is
/// undefined.
fn curve(numbers: &Numbers, entries: &[(u32, u64)], unit: Unit) -> Option<Vec<TradeOffPoint>> {
    let n = entries.iter().map(|entry| entry.1).sum();
    let mut points = Vec::new();
    for m in worthwhile_m(n) {
        let (m, limit_of_m) = trade_off(numbers, entries, unit, &[m]).pop()?;
        let epsilon_below = limit(limit_of_m)?;
        points.push(TradeOffPoint { m, epsilon_below });
        if epsilon_below == Some(0.0) {
            break;
        }
    }
    Some(points)
}

/// The trade-off curves of a numeric attribute.
#[derive(Debug, Clone)]
pub(crate) struct Curves {
    pub(crate) absolute: Option<Vec<TradeOffPoint>>,
    pub(crate) relative: Option<Vec<TradeOffPoint>>,
}

impl Curves {
    pub(crate) fn new(numbers: &Numbers, entries: &[(u32, u64)]) -> Self {
        Self {
            absolute: curve(numbers, entries, Unit::Absolute),
            relative: curve(numbers, entries, Unit::Relative),
        }
    }
}
