//! Released labels: their formatting and parsing.
//!
//! | label | source | covers |
//! |---|---|---|
//! | `*` | every hierarchy | everything |
//! | `[20, 40)`, `< 18`, `>= 85` | intervals, ends | numbers |
//! | `35 +/- 2.5` | rounded numbers | numbers |
//! | `[20, 39]` | range of values of a column | numbers |
//! | `{a, b}` | set of values of a column | these values |
//! | `2024-03-05`, `2024-03`, `2024-Q1`, `2024`, `2020s` | parts of dates | dates and moments |
//! | `001**`, `**053` | masked characters | values of that length with the remaining characters |
//! | any other text | raw values, files, trees | the value itself; names are not interpreted |
//!
//! Labels are ambiguous strings: a value in the table may look like any label. `2024` may be a
//! year, a number, or a house number. A reader without further information must assume everything
//! that a string *may* cover, so [`Label::covers`] includes every value that the label was written
//! for. A reader who knows the possible values and the hierarchy of a label can parse it with
//! [`Interval`], [`Period`], [`set_values`], and [`masks`].

#![deny(missing_docs)]
#![deny(clippy::iter_over_hash_type)]

mod decimal;
pub mod formulas;
mod interval;
pub mod look_alikes;
mod mask;
mod period;

pub use decimal::{NotADecimal, Rational, decimal, from_ratio, parse_decimal, to_big, to_f64};
pub use interval::{Cut, Interval, Stretch, closed, closed_ends};
pub use mask::{Side, masked, masked_side, masks, set, set_values};
pub use period::{DateLevel, Period, moment};

/// The label of a value that covers the whole domain, and of every quasi-identifier of a starred
/// row.
pub const STAR: &str = "*";

/// The string of a missing value: an empty cell. Other null values are mapped to this string during
/// reading.
pub const MISSING: &str = "";

/// The meaning of a released string in the absence of a hierarchy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Label {
    /// Covers everything.
    Star,
    /// Numbers.
    Interval(Interval),
    /// A range of dates. A label that consists of a year is also a number.
    Period(Period),
    /// A set of values.
    Set(Vec<String>),
    /// A value with masked characters. Each `*` represents an arbitrary character.
    Masked(String),
    /// A value in the table, or a name that is not interpreted.
    Value(String),
}

impl Label {
    /// Parses a label. Every string is a valid label.
    pub fn read(text: &str) -> Self {
        if text == STAR {
            Label::Star
        } else if let Some(interval) = Interval::read(text) {
            Label::Interval(interval)
        } else if let Some(values) = set_values(text) {
            Label::Set(values)
        } else if let Some(period) = Period::read(text) {
            Label::Period(period)
        } else if text.contains('*') {
            Label::Masked(text.to_owned())
        } else {
            Label::Value(text.to_owned())
        }
    }

    /// Returns whether the label covers a value in the table completely.
    pub fn covers(&self, value: &str) -> bool {
        self.holds(value, Stretch::is_within)
    }

    /// Returns whether a person with the given value may have the label: as [`Label::covers`], but
    /// a value that is itself a part of a date or an interval only needs to overlap with the label.
    pub fn fits(&self, value: &str) -> bool {
        self.holds(value, Stretch::meets)
    }

    fn holds(&self, value: &str, on_axis: impl Fn(&Stretch, &Stretch) -> bool) -> bool {
        let lies_on = |of_value: Option<Stretch>, own: Option<Stretch>| {
            of_value.zip(own).is_some_and(|(value, own)| on_axis(&value, &own))
        };
        match self {
            Label::Star => true,
            Label::Interval(interval) => {
                let number = parse_decimal(value).ok().map(Stretch::point);
                lies_on(number.or_else(|| Interval::read(value)?.stretch()), interval.stretch())
            }
            Label::Period(period) => {
                let moment = moment(value).map(Stretch::point);
                let of_value = moment.or_else(|| Some(Period::read(value)?.stretch()));
                lies_on(of_value, Some(period.stretch()))
            }
            // A string in the notation of a set may also be a value in the table.
            Label::Set(values) => {
                values.iter().any(|own| own == value) || set_values(value).as_ref() == Some(values)
            }
            Label::Masked(mask) => mask::is_mask_of(mask, value),
            Label::Value(own) => own == value,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_cover_their_values() {
        let covers = |label: &str, value: &str| Label::read(label).covers(value);
        assert!(covers("*", "anything") && covers("[20, 30)", "20") && covers("[20, 30]", "30"));
        assert!(!covers("[20, 30)", "30") && !covers("[20, 30)", "x"));
        assert!(covers("< 18", "17.5") && covers(">= 65", "65") && !covers("< 18", "18"));
        assert!(covers(r"{a\, b, c}", "a, b") && covers("{a, c}", "c") && !covers("{a, c}", "b"));
        assert!(covers("130**", "13053") && !covers("130**", "1305") && !covers("130**", "13153"));
        assert!(covers("2024-03", "2024-03-05") && covers("2024", "2024-12-31T08:00"));
        assert!(!covers("2024", "20245") && covers("2024", "2024"));
        assert!(covers("2023-Q1", "2023-03-31") && !covers("2023-Q1", "2023-04-01"));
        assert!(
            covers("2020s", "2029-12-31") && covers("2020s", "2023") && !covers("2020s", "2030")
        );
        assert!(covers("paris", "paris") && !covers("paris", "lyon"));
    }

    #[test]
    fn less_exact_values_may_fit_label() {
        let fits = |label: &str, value: &str| Label::read(label).fits(value);
        assert!(
            fits("2023-02", "2023-Q1") && fits("2023-02", "2023") && !fits("2023-02", "2023-Q2")
        );
        assert!(fits("[20, 30)", "[25, 35]") && !fits("[20, 30)", "[30, 35]"));
        assert!(fits("2020s", "2023-02-01 10:00") && !fits("2020s", "2019"));
        assert!(!Label::read("2023-02").covers("2023-Q1"));
    }
}
