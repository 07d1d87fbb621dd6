//! Segments of an axis: the numbers of an interval, or the times of a part of a date.

use super::Rational;

/// A boundary between positions: before or after a position.
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

/// The positions between two boundaries; never empty.
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

    /// Creates the segment between two boundaries; `None` if it is empty.
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
