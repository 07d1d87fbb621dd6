//! Intervals of numbers: `[20, 40)`, `[20, 39]`, `< 18`, `>= 85`, `35 +/- 2.5`.

use num_traits::{CheckedAdd, CheckedSub};

use super::{Cut, Rational, Stretch, decimal, parse_decimal};

/// An interval of numbers in a hierarchy. Its ends have finitely many digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Interval {
    /// `[low, high)`: includes `low`, excludes `high`.
    HalfOpen(Rational, Rational),
    /// `[low, high]`: includes both ends.
    Closed(Rational, Rational),
    /// `< high`.
    Below(Rational),
    /// `>= low`.
    From(Rational),
    /// `center +/- half`, the numbers that are rounded to `center`: includes `center - half`,
    /// excludes `center + half`.
    Around(Rational, Rational),
}

/// The separator between a center and half a width.
const AROUND: &str = " +/- ";

impl Interval {
    /// Parses an interval; `None` for any other text and for an empty interval.
    pub fn read(text: &str) -> Option<Self> {
        let number = |text: &str| parse_decimal(text).ok();
        let interval = if let Some(high) = text.strip_prefix("< ") {
            Interval::Below(number(high)?)
        } else if let Some(low) = text.strip_prefix(">= ") {
            Interval::From(number(low)?)
        } else if let Some((center, half)) = text.split_once(AROUND) {
            Interval::Around(number(center)?, number(half)?)
        } else if let Some((low, high)) = closed_ends(text) {
            Interval::Closed(number(low)?, number(high)?)
        } else {
            let (low, high) = ends(text, ')')?;
            Interval::HalfOpen(number(low)?, number(high)?)
        };
        interval.stretch().map(|_| interval)
    }

    /// Formats the interval; `None` if an end has no finite decimal form.
    pub fn text(&self) -> Option<String> {
        Some(match self {
            Interval::HalfOpen(low, high) => format!("[{}, {})", decimal(low)?, decimal(high)?),
            Interval::Closed(low, high) => closed(&decimal(low)?, &decimal(high)?),
            Interval::Below(high) => format!("< {}", decimal(high)?),
            Interval::From(low) => format!(">= {}", decimal(low)?),
            Interval::Around(center, half) => {
                format!("{}{AROUND}{}", decimal(center)?, decimal(half)?)
            }
        })
    }

    /// Returns the numbers in the interval; `None` if it is empty.
    pub fn stretch(&self) -> Option<Stretch> {
        let (from, to) = match *self {
            Interval::HalfOpen(low, high) => (Cut::Before(low), Cut::Before(high)),
            Interval::Closed(low, high) => (Cut::Before(low), Cut::Behind(high)),
            Interval::Below(high) => (Cut::First, Cut::Before(high)),
            Interval::From(low) => (Cut::Before(low), Cut::Last),
            Interval::Around(center, half) => {
                (Cut::Before(center.checked_sub(&half)?), Cut::Before(center.checked_add(&half)?))
            }
        };
        Stretch::between(from, to)
    }
}

/// Formats a closed interval between two values of a numeric column, as written in the table: `[20,
/// 39]`.
pub fn closed(low: &str, high: &str) -> String {
    format!("[{low}, {high}]")
}

/// Returns the two texts in `[low, high]`. Numbers do not contain commas.
pub fn closed_ends(text: &str) -> Option<(&str, &str)> {
    ends(text, ']')
}

fn ends(text: &str, closing: char) -> Option<(&str, &str)> {
    text.strip_prefix('[')?.strip_suffix(closing)?.split_once(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn interval_labels_round_trip() {
        let at = |n| Rational::from_integer(n);
        for (text, interval) in [
            ("[20, 30)", Interval::HalfOpen(at(20), at(30))),
            ("[-5, -5]", Interval::Closed(at(-5), at(-5))),
            ("[0.05, 0.5)", Interval::HalfOpen(Rational::new(1, 20), Rational::new(1, 2))),
            ("< 18", Interval::Below(at(18))),
            (">= 85", Interval::From(at(85))),
            ("-5 +/- 2.5", Interval::Around(at(-5), Rational::new(5, 2))),
        ] {
            assert_eq!(Interval::read(text), Some(interval), "{text}");
            assert_eq!(interval.text().as_deref(), Some(text));
        }
        for text in [
            "20",
            "[20, 20)",
            "[30, 20]",
            "[a, b]",
            "20-29",
            "[20, 30[",
            "<18",
            "*",
            "[1, 2, 3]",
            "5 +/- 0",
            "5 +/- -1",
            "5+/-1",
        ] {
            assert_eq!(Interval::read(text), None, "{text}");
        }
        assert_eq!(Interval::Below(Rational::new(1, 3)).text(), None);
    }

    #[test]
    fn interval_bounds_determine_containment_and_overlap() {
        let stretch = |text: &str| Interval::read(text).and_then(|it| it.stretch()).expect("one");
        assert!(stretch("[20, 29]").is_within(&stretch("[20, 30)")));
        assert!(!stretch("[20, 30]").is_within(&stretch("[20, 30)")));
        assert!(stretch("< 20").meets(&stretch("[19, 20)")));
        assert!(!stretch("< 20").meets(&stretch("[20, 30)")));
        assert!(stretch("[10, 20]").meets(&stretch(">= 20")));
        assert!(stretch("[17.5, 20)").is_within(&stretch("20 +/- 2.5")));
        assert!(!stretch("15 +/- 2.5").meets(&stretch("20 +/- 2.5")));
    }
}
