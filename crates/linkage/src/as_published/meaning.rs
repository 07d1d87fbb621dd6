//! What a released text says by itself on an axis: a number or an interval of numbers, a moment or a part of a date.
//!
//! Whether a text really means what it looks like is for [`words`](super::words) to decide, which also knows what stands above
//! and below it.

use indistinct_core::{Rational, parse_decimal};
use indistinct_labels::{Interval, Period, Stretch, moment};

/// What the positions of an attribute are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Axis {
    Numbers,
    Dates,
}

/// The position of a value, where it has one.
pub(super) fn position(text: &str, axis: Axis) -> Option<Rational> {
    match axis {
        Axis::Numbers => parse_decimal(text).ok(),
        Axis::Dates => moment(text),
    }
}

/// What a generalized text covers of an axis; of dates also a day, which may stand for moments of it.
pub(super) fn span(text: &str, axis: Axis) -> Option<Stretch> {
    match axis {
        Axis::Numbers => Interval::read(text)?.stretch(),
        Axis::Dates => Some(Period::read(text)?.stretch()),
    }
}

/// Whether a text can only be a part of a date: more than a year, which may be any number.
pub(super) fn is_of_a_date(text: &str) -> bool {
    text.len() > 4 && (span(text, Axis::Dates).is_some() || moment(text).is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_year_alone_may_be_any_number() {
        assert!(is_of_a_date("2024-02") && !is_of_a_date("2024") && !is_of_a_date("13053"));
        assert!(span("2024", Axis::Dates).is_some() && span("2024", Axis::Numbers).is_none());
        assert!(span("[20, 30)", Axis::Dates).is_none() && position("20", Axis::Dates).is_none());
    }
}
