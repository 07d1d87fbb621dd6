//! Stretches of an axis: what an interval covers of the numbers, and a part of a date of time.

use super::Rational;

/// A place between positions: before or behind one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cut {
    /// Before everything.
    First,
    /// Right before a position.
    Before(Rational),
    /// Right behind a position.
    Behind(Rational),
    /// Behind everything.
    Last,
}

/// What lies from one cut to another; never empty.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stretch {
    /// Where it begins.
    pub from: Cut,
    /// Where it ends.
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
    /// One position.
    pub fn point(at: Rational) -> Self {
        Self { from: Cut::Before(at), to: Cut::Behind(at) }
    }

    /// What lies between two cuts; `None` if that is nothing.
    pub fn between(from: Cut, to: Cut) -> Option<Self> {
        (from < to).then_some(Self { from, to })
    }

    /// Whether all of it lies in another one.
    pub fn is_within(&self, other: &Stretch) -> bool {
        self.from >= other.from && self.to <= other.to
    }

    /// Whether two have a position in common.
    pub fn meets(&self, other: &Stretch) -> bool {
        self.from.max(other.from) < self.to.min(other.to)
    }
}
