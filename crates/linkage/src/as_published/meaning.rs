//! The meaning of a released text on an axis, such as a number, a numeric interval, or a part of a
//! date.
//!
//! [`words`](super::words) decides whether a text actually has this meaning, based on the words
//! above and below it.

use indistinct_core::{Rational, parse_decimal};
use indistinct_labels::{Interval, Period, Stretch, moment};

/// The kind of positions of an attribute.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Axis {
    Numbers,
    Dates,
}

/// The position of a value, if any.
pub(super) fn position(text: &str, axis: Axis) -> Option<Rational> {
    match axis {
        Axis::Numbers => parse_decimal(text).ok(),
        Axis::Dates => moment(text),
    }
}

/// The interval that a generalized text covers. On the axis of dates, a day is also an interval
/// because it may represent any moment of that day.
pub(super) fn span(text: &str, axis: Axis) -> Option<Stretch> {
    match axis {
        Axis::Numbers => Interval::read(text)?.stretch(),
        Axis::Dates => Some(Period::read(text)?.stretch()),
    }
}

/// Returns whether a text can only be a part of a date. A year could be any number.
pub(super) fn is_of_a_date(text: &str) -> bool {
    text.len() > 4 && (span(text, Axis::Dates).is_some() || moment(text).is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lone_year_is_not_classified_as_date() {
        assert!(is_of_a_date("2024-02") && !is_of_a_date("2024") && !is_of_a_date("13053"));
        assert!(span("2024", Axis::Dates).is_some() && span("2024", Axis::Numbers).is_none());
        assert!(span("[20, 30)", Axis::Dates).is_none() && position("20", Axis::Dates).is_none());
    }
}
