//! What the principles on close numbers share: which rows of a class are near each other, and the partition that keeps
//! near rows apart.

use std::collections::{BTreeMap, VecDeque};

use super::{OfPeople, ParameterKind, ParameterSpec, Presence, Quantity};
use crate::Rational;
use crate::model::{ClassView, Numbers, share_of};

/// The parameter m of these kinds.
pub(super) const M: ParameterSpec = ParameterSpec {
    name: "m",
    kind: ParameterKind::Integer { at_least: 1 },
    presence: Presence::Required,
    doc: "no more than a share of 1/m of a class has nearly the same sensitive value",
};

/// What their level is.
pub(super) const LEVEL: &str = "m, the largest for which every class holds, and risk, the largest share of a class near one of its rows";

/// What they do not protect against.
pub(super) const OPEN_TO: &str = "an adversary for whom the victim fits several classes, an adversary who can exclude some of the values, and joining several releases";

/// What they promise of people.
pub(super) const OF_PEOPLE: OfPeople = OfPeople::Nothing(
    "which people are near a value does not follow from how many have each value",
);

/// Which values count as near a value.
#[derive(Debug, Clone, PartialEq)]
pub enum Neighborhood {
    /// From `below` less to `above` more, both included.
    Absolute {
        /// How far below.
        below: Rational,
        /// How far above.
        above: Rational,
    },
    /// Within `epsilon` times the absolute value, both ends included (reading C-5).
    Relative {
        /// The factor, from 0 to 1.
        epsilon: Rational,
    },
    /// As far as is stated for values from some number on, both ends included (Definition 4).
    ByValue(Steps),
}

/// How wide neighborhoods are, from some numbers on.
#[derive(Debug, Clone, PartialEq)]
pub struct Steps(Vec<(Rational, Rational)>);

impl Steps {
    /// From numbers and what is near from there on; the last of several for one number counts.
    pub fn new(steps: impl IntoIterator<Item = (Rational, Rational)>) -> Self {
        Self(steps.into_iter().collect::<BTreeMap<_, _>>().into_iter().collect())
    }

    /// How many numbers there are at which the width changes.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether nothing is stated.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// How far the neighborhood of a number reaches to both sides.
    pub fn width(&self, number: &Rational) -> Rational {
        let after = self.0.partition_point(|(from, _)| from <= number);
        let step = self.0.get(after.saturating_sub(1));
        step.map_or_else(|| Rational::from_integer(0), |(_, width)| *width)
    }
}

/// No more than a share of 1/m may be near a row's sensitive value.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Limit<'a> {
    /// Which sensitive values are near.
    pub neighborhood: &'a Neighborhood,
    /// At least 1.
    pub m: Rational,
    /// What the principle calls it.
    pub letter: Letter,
}

/// What a principle calls the number by which it bounds the share of near rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Letter {
    /// A whole number (reading C-9).
    M,
    /// Any number of at least 1.
    L,
}

impl Letter {
    /// The parameter of the policy.
    pub fn name(self) -> &'static str {
        match self {
            Letter::M => "m",
            Letter::L => "l",
        }
    }

    /// The largest that holds where so many of all rows are near each other. No rows hold of anything: none.
    pub fn largest(self, n_near: u64, n_rows: u64) -> Option<Quantity> {
        match self {
            Letter::M => n_rows.checked_div(n_near).map(Quantity::Count),
            Letter::L if n_near == 0 => None,
            Letter::L => Some(Quantity::Ratio { numerator: n_rows, denominator: n_near }),
        }
    }
}

/// What epsilon is measured in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// The unit of the attribute. Also for (e1, e2, m)-anonymity, where it is the larger of the two (Lemma 3).
    Absolute,
    /// Shares of the value, which is positive.
    Relative,
}

/// What a principle asks of close numbers.
#[derive(Debug, Clone, PartialEq)]
pub struct NearnessBound {
    /// Which sensitive values are near.
    pub neighborhood: Neighborhood,
    /// The m, or the l of (delta, l)-diversity: no more than a share of 1/m may be near a row's sensitive value.
    pub m: Rational,
}

impl NearnessBound {
    /// How near is near, in one number and its unit: of two different distances the larger one decides (Lemma 3), of delta twice it. `None`
    /// where no one number says it.
    pub fn epsilon(&self) -> Option<(Rational, Unit)> {
        match &self.neighborhood {
            Neighborhood::Absolute { below, above } => Some((*below.max(above), Unit::Absolute)),
            Neighborhood::Relative { epsilon } => Some((*epsilon, Unit::Relative)),
            Neighborhood::ByValue(_) => None,
        }
    }
}

/// For each code of a column the codes that are near it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reach {
    ranges: Vec<(u32, u32)>,
}

/// How many rows of a class are near each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Nearness {
    /// Number of rows.
    pub n_rows: u64,
    /// The largest number of rows that are near one row, itself included: what an adversary guesses right.
    pub largest: u64,
    /// The largest number of rows that are near one row *on one side*, itself and its ties included: `maxsize` of
    /// Definitions 10 and 11. So many buckets hold near rows apart.
    pub maxsize: u64,
    /// The largest number of rows of which any part has one that is near all others of them in that part: no part holds more of
    /// them than near rows. This is `maxsize` unless the neighborhoods [depend on the value](Neighborhood::ByValue).
    pub inseparable: u64,
}

/// A partition of a class: its rows in ascending order of the sensitive value, dealt to buckets in turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Assignment {
    /// Number of buckets; the i-th row, counted from 1, goes to bucket i modulo this.
    pub n_buckets: u64,
}

impl Reach {
    /// The reach of all numbers of a column. Exact: no logarithms (reading C-6).
    pub fn new(numbers: &Numbers, neighborhood: &Neighborhood) -> Self {
        let ranges = match neighborhood {
            Neighborhood::Absolute { below, above } => {
                let (below, above) = (numbers.units_of(below), numbers.units_of(above));
                numbers.reach(|_| below, |_| above)
            }
            Neighborhood::Relative { epsilon } => {
                let radius = |x: i128| share_of(epsilon, x.abs());
                numbers.reach(radius, radius)
            }
            Neighborhood::ByValue(steps) => {
                let radius = |x: i128| numbers.units_of(&steps.width(&numbers.unscaled(x)));
                numbers.reach(radius, radius)
            }
        };
        Self { ranges }
    }

    /// The codes near a code: from the first one up to, but without, the second.
    pub fn of(&self, code: u32) -> (u32, u32) {
        self.ranges[code as usize]
    }

    /// Calls `f` for each entry with its count and the rows near its value: all, those not above, those not below.
    fn sweep(&self, entries: &[(u32, u64)], mut f: impl FnMut(u64, u64, u64)) {
        let (mut from, mut to) = (0, 0);
        let (mut before_from, mut before_to, mut before) = (0u64, 0u64, 0u64);
        for &(code, count) in entries {
            let (first, end) = self.of(code);
            // Back only where the neighborhoods depend on the value.
            while from > 0 && entries[from - 1].0 >= first {
                from -= 1;
                before_from -= entries[from].1;
            }
            while entries[from].0 < first {
                before_from += entries[from].1;
                from += 1;
            }
            while to > 0 && entries[to - 1].0 >= end {
                to -= 1;
                before_to -= entries[to].1;
            }
            while to < entries.len() && entries[to].0 < end {
                before_to += entries[to].1;
                to += 1;
            }
            f(before_to - before_from, before + count - before_from, before_to - before);
            before += count;
        }
    }

    /// How near the rows of a class are to each other. One sweep.
    pub fn nearness(&self, entries: &[(u32, u64)]) -> Nearness {
        let inseparable = self.inseparable(entries);
        let mut nearness = Nearness { n_rows: 0, largest: 0, maxsize: 0, inseparable };
        self.sweep(entries, |near, not_above, not_below| {
            nearness.largest = nearness.largest.max(near);
            nearness.maxsize = nearness.maxsize.max(not_above).max(not_below);
        });
        nearness.n_rows = entries.iter().map(|entry| entry.1).sum();
        nearness
    }

    /// The largest number of rows between two values all of which reach down to the lower one, or up to the higher one.
    fn inseparable(&self, entries: &[(u32, u64)]) -> u64 {
        let down = most_within(entries.iter().map(|&(code, rows)| {
            let lowest = self.of(code).0;
            (code, rows, lowest)
        }));
        // The same from the other end, with codes in descending order.
        let turned = |code: u32| u32::MAX - code;
        let up = most_within(entries.iter().rev().map(|&(code, rows)| {
            let highest = self.of(code).1 - 1;
            (turned(code), rows, turned(highest))
        }));
        down.max(up)
    }

    /// For each entry the number of rows near its value.
    pub fn near(&self, entries: &[(u32, u64)]) -> Vec<u64> {
        let mut near = Vec::with_capacity(entries.len());
        self.sweep(entries, |rows, _, _| near.push(rows));
        near
    }
}

/// Of places in ascending order, with their rows and the lowest place that each reaches: the most rows from one place to another such that all
/// between them reach the first.
fn most_within(places: impl Iterator<Item = (u32, u64, u32)>) -> u64 {
    let mut window: VecDeque<(u32, u64)> = VecDeque::new();
    let (mut rows_within, mut most) = (0, 0);
    for (place, rows, lowest) in places {
        window.push_back((place, rows));
        rows_within += rows;
        while let Some(&(_, rows)) = window.front().filter(|first| first.0 < lowest) {
            window.pop_front();
            rows_within -= rows;
        }
        most = most.max(rows_within);
    }
    most
}

impl Assignment {
    /// The parts as histograms, by bucket.
    pub fn parts(&self, entries: &[(u32, u64)]) -> Vec<Vec<(u32, u64)>> {
        let n = self.n_buckets.max(1);
        let mut parts = vec![Vec::new(); n as usize];
        let mut n_assigned = 0;
        for &(code, count) in entries {
            for turn in 1..=count.min(n) {
                let bucket = (n_assigned + turn) % n;
                let rows = count / n + u64::from(turn <= count % n);
                parts[bucket as usize].push((code, rows));
            }
            n_assigned += count;
        }
        parts
    }
}

/// Whether the rows can be partitioned so that each part has at most a share of 1/m near any of its rows (Theorem 1).
pub(super) fn is_feasible(nearness: &Nearness, m: u64) -> bool {
    u128::from(nearness.maxsize) * u128::from(m) <= u128::from(nearness.n_rows)
}

/// Dealing to as many buckets as there are rows near each other on one side holds all near rows apart.
pub(super) fn assignment(nearness: &Nearness) -> Assignment {
    Assignment { n_buckets: nearness.maxsize.max(1) }
}

pub(super) fn nearness_of(reach: &Reach, class: &ClassView<'_>, attribute: usize) -> Nearness {
    reach.nearness(class.histograms[attribute].entries)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Dictionary;

    fn numbers(values: &[&str]) -> Numbers {
        let values = values.iter().map(|value| (*value).to_owned()).collect();
        Numbers::from_dictionary(&Dictionary::from_distinct(values).0).expect("numbers")
    }

    fn all(n: u32) -> Vec<(u32, u64)> {
        (0..n).map(|code| (code, 1)).collect()
    }

    #[test]
    fn the_running_example_of_the_text() {
        let values = ["1000", "1010", "1020", "16000", "24000", "31000", "33000", "50000"];
        let neighborhood = Neighborhood::Absolute {
            below: Rational::from_integer(20),
            above: Rational::from_integer(10000),
        };
        let reach = Reach::new(&numbers(&values), &neighborhood);
        let nearness = reach.nearness(&all(8));
        assert_eq!(nearness.maxsize, 3);
        assert!(is_feasible(&nearness, 2) && !is_feasible(&nearness, 3));
    }

    #[test]
    fn closed_ends_are_kept_where_logarithms_lose_them() {
        let neighborhood = Neighborhood::Relative { epsilon: Rational::new(1, 5) };
        let reach = Reach::new(&numbers(&["12", "15"]), &neighborhood);
        assert_eq!(reach.near(&all(2)), [1, 2]);
    }

    #[test]
    fn rows_are_dealt_in_turn() {
        let parts = Assignment { n_buckets: 3 }.parts(&[(0, 2), (1, 1), (2, 5)]);
        assert_eq!(parts, [vec![(1, 1), (2, 1)], vec![(0, 1), (2, 2)], vec![(0, 1), (2, 2)]]);
        assert_eq!(Assignment { n_buckets: 1 }.parts(&[(4, 2)]), [[(4, 2)]]);
    }
}
