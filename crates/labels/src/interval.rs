//! Intervals of numbers: `[20, 40)`, `[20, 39]`, `< 18`, `>= 85`, `35 +/- 2.5`.
//!
//! A segment of an axis contains the numbers in an interval, or the points in time within a period.

use num_traits::{CheckedAdd, CheckedSub};

use super::{Rational, decimal, parse_decimal};

/// An interval of numbers in a hierarchy. The endpoints have finitely many digits.
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

/// The separator between the center and the half-width of an interval.
const AROUND: &str = " +/- ";

impl Interval {
    /// Parses an interval. Returns `None` for any other text and for an empty interval.
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

    /// Formats the interval. Returns `None` if an endpoint has no finite decimal form.
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

    /// Returns the numbers in the interval, or `None` if the interval is empty.
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

/// Returns the two strings in `[low, high]`, which must not contain commas.
pub fn closed_ends(text: &str) -> Option<(&str, &str)> {
    ends(text, ']')
}

fn ends(text: &str, closing: char) -> Option<(&str, &str)> {
    text.strip_prefix('[')?.strip_suffix(closing)?.split_once(", ")
}

/// A boundary before or after a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cut {
    /// Before all positions.
    First,
    /// Immediately before a position.
    Before(Rational),
    /// Immediately after a position.
    Behind(Rational),
    /// After all positions.
    Last,
}

/// The nonempty range of positions between two boundaries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stretch {
    /// The lower boundary.
    pub from: Cut,
    /// The upper boundary.
    pub to: Cut,
}

impl Cut {
    fn key(self) -> (u8, Option<Rational>, u8) {
        match self {
            Cut::First => (0, None, 0),
            Cut::Before(at) => (1, Some(at), 0),
            Cut::Behind(at) => (1, Some(at), 1),
            Cut::Last => (2, None, 0),
        }
    }
}

impl Ord for Cut {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.key().cmp(&other.key())
    }
}

impl PartialOrd for Cut {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Stretch {
    /// Creates a segment of one position.
    pub fn point(at: Rational) -> Self {
        Self { from: Cut::Before(at), to: Cut::Behind(at) }
    }

    /// Creates the segment between two boundaries. Returns `None` if the segment is empty.
    pub fn between(from: Cut, to: Cut) -> Option<Self> {
        (from < to).then_some(Self { from, to })
    }

    /// Returns whether another segment contains this segment.
    pub fn is_within(&self, other: &Stretch) -> bool {
        self.from >= other.from && self.to <= other.to
    }

    /// Returns whether two segments overlap.
    pub fn meets(&self, other: &Stretch) -> bool {
        self.from.max(other.from) < self.to.min(other.to)
    }
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
