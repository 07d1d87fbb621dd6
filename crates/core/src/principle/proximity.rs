//! Shared code of the principles on close numbers, which finds the rows of a class that are near
//! each other and partitions a class to separate near rows.

use std::collections::{BTreeMap, VecDeque};

use super::*;
use crate::model::share_of;

/// The parameter m of the principles that limit rows with close sensitive numbers.
pub(super) const M: ParameterSpec = parameters! {
    /// at most 1/m of the rows of a class may have sensitive values that count as equal
    "m" => Integer { at_least: 1 }, Required;
}[0];

/// The description of the level of principles that limit rows with close sensitive numbers.
pub(super) const LEVEL: &str = "m, the largest value that all classes reach, and risk, the largest \
                                share of a class that is near one of its rows";

/// The attacks that are not prevented by limiting rows with close sensitive numbers.
pub(super) const OPEN_TO: &str = "adversaries who cannot tell which of several classes contains \
    the victim, adversaries who can rule out some of the values, inference of finer values from \
    the choice of classes and labels, or linkage of several releases";

/// The guarantee for people that principles on close sensitive numbers provide.
pub(super) const OF_PEOPLE: OfPeople = OfPeople::Nothing(
    "counts of people for each value do not determine how many people have values near each other",
);

/// The definition of the values that are near a given value.
#[derive(Debug, Clone, PartialEq)]
pub enum Neighborhood {
    /// Values in the closed interval from (value - `below`) to (value + `above`).
    Absolute {
        /// The distance below the value.
        below: Rational,
        /// The distance above the value.
        above: Rational,
    },
    /// Values whose distance is at most `epsilon` times the absolute value (reading C-5).
    Relative {
        /// The factor, from 0 to 1.
        epsilon: Rational,
    },
    /// Values within distances below and above the given value that depend on this value and are
    /// stated in steps, including both ends (Definition 4).
    ByValue {
        /// The distances below the values.
        below: Steps,
        /// The distances above the values.
        above: Steps,
    },
}

/// The widths of neighborhoods, as a step function of the value.
#[derive(Debug, Clone, PartialEq)]
pub struct Steps(Vec<(Rational, Rational)>);

impl Steps {
    /// Creates steps from pairs (start, width). If several steps have the same start, the last one
    /// is used.
    pub fn new(steps: impl IntoIterator<Item = (Rational, Rational)>) -> Self {
        Self(steps.into_iter().collect::<BTreeMap<_, _>>().into_iter().collect())
    }

    /// Returns the number of steps.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Returns whether the list of steps is empty.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the width of the neighborhood of a number, on one side.
    pub fn width(&self, number: &Rational) -> Rational {
        let after = self.0.partition_point(|(from, _)| from <= number);
        let step = self.0.get(after.saturating_sub(1));
        step.map_or_else(|| Rational::from_integer(0), |(_, width)| *width)
    }
}

/// The requirement that at most a share of 1/m of the rows may be near the sensitive value of any
/// row.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Limit<'a> {
    /// The definition of near sensitive values.
    pub neighborhood: &'a Neighborhood,
    /// The limit m, at least 1.
    pub m: Rational,
    /// The name of the parameter m in the principle.
    pub letter: Letter,
}

/// The parameter with which a principle bounds the share of near rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Letter {
    /// An integer (reading C-9).
    M,
    /// Any number that is at least 1.
    L,
}

impl Letter {
    /// Returns the name of the parameter in the policy.
    pub fn name(self) -> &'static str {
        match self {
            Letter::M => "m",
            Letter::L => "l",
        }
    }

    /// Returns the largest value of the parameter that holds if `n_near` of `n_rows` rows are near
    /// each other. Returns `None` if no rows are near each other, because every value of the
    /// parameter holds.
    pub fn largest(self, n_near: u64, n_rows: u64) -> Option<Quantity> {
        match self {
            Letter::M => n_rows.checked_div(n_near).map(Quantity::Count),
            Letter::L if n_near == 0 => None,
            Letter::L => Some(Quantity::Ratio { numerator: n_rows, denominator: n_near }),
        }
    }
}

/// The unit of epsilon.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// The unit is that of the attribute. For (e1, e2, m)-anonymity, epsilon is the larger of e1
    /// and e2 (Lemma 3).
    Absolute,
    /// The unit is a fraction of the value, which is positive.
    Relative,
}

/// The limit that a principle sets for rows with close sensitive numbers.
#[derive(Debug, Clone, PartialEq)]
pub struct NearnessBound {
    /// The definition of near sensitive values.
    pub neighborhood: Neighborhood,
    /// The parameter m, or the l of (delta, l)-diversity: at most a share of 1/m of the rows may be
    /// near the sensitive value of a row.
    pub m: Rational,
}

impl NearnessBound {
    /// Returns the neighborhood as one number and its unit: the larger of two different distances
    /// (Lemma 3), or twice delta. Returns `None` if one number cannot describe the neighborhood.
    pub fn epsilon(&self) -> Option<(Rational, Unit)> {
        match &self.neighborhood {
            Neighborhood::Absolute { below, above } => Some((*below.max(above), Unit::Absolute)),
            Neighborhood::Relative { epsilon } => Some((*epsilon, Unit::Relative)),
            Neighborhood::ByValue { .. } => None,
        }
    }
}

/// The range of codes that are near each code of a column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reach {
    ranges: Vec<(u32, u32)>,
}

/// The maximum number of close rows in a class, according to several definitions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Nearness {
    /// The number of rows.
    pub n_rows: u64,
    /// The largest number of rows that are near one row, including the row itself. An adversary who
    /// guesses the neighborhood of this row is right for this number of rows.
    pub largest: u64,
    /// The largest number of rows that are near one row *on one side*, including the row itself and
    /// its ties: `maxsize` of Definitions 10 and 11. This number of buckets is sufficient to
    /// separate near rows.
    pub maxsize: u64,
    /// The size of the largest set of rows with the following property: every subset contains a row
    /// that is near all others of the subset. In any partition, a part with r rows of this set has
    /// a row with r near rows. This is `maxsize` unless the neighborhoods [depend on the
    /// value](Neighborhood::ByValue).
    pub inseparable: u64,
}

/// A partition of a class: its rows in ascending order of the sensitive value, assigned to buckets
/// in turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Assignment {
    /// The number of buckets; the i-th row, counted from 1, is assigned to bucket i modulo this
    /// number.
    pub n_buckets: u64,
}

impl Reach {
    /// Computes the near codes of all numbers of a column. The computation is exact and does not
    /// use logarithms (reading C-6).
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
            Neighborhood::ByValue { below, above } => {
                let width = |steps: &Steps, x| numbers.units_of(&steps.width(&numbers.unscaled(x)));
                numbers.reach(|x| width(below, x), |x| width(above, x))
            }
        };
        Self { ranges }
    }

    /// Returns the half-open range of codes that are near a code.
    pub fn of(&self, code: u32) -> (u32, u32) {
        self.ranges[code as usize]
    }

    /// Calls `f` for each entry with three numbers of rows near its value: all near rows, the near
    /// rows not above the value, and the near rows not below the value.
    fn sweep(&self, entries: &[(u32, u64)], mut f: impl FnMut(u64, u64, u64)) {
        let (mut from, mut to) = (0, 0);
        let (mut before_from, mut before_to, mut before) = (0u64, 0u64, 0u64);
        for &(code, count) in entries {
            let (first, end) = self.of(code);
            // The window moves back only if the width of a neighborhood depends on the value.
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

    /// Computes the nearness of the rows in a class in a single pass.
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

    /// Returns the largest number of rows in a range of values for which all values are near the
    /// lowest value, or all values are near the highest value.
    fn inseparable(&self, entries: &[(u32, u64)]) -> u64 {
        let down = most_within(entries.iter().map(|&(code, rows)| {
            let lowest = self.of(code).0;
            (code, rows, lowest)
        }));
        // Repeat the computation from the other end, with codes in descending order.
        let turned = |code: u32| u32::MAX - code;
        let up = most_within(entries.iter().rev().map(|&(code, rows)| {
            let highest = self.of(code).1 - 1;
            (turned(code), rows, turned(highest))
        }));
        down.max(up)
    }

    /// Returns, for each entry, the number of rows near its value.
    pub fn near(&self, entries: &[(u32, u64)]) -> Vec<u64> {
        let mut near = Vec::with_capacity(entries.len());
        self.sweep(entries, |rows, _, _| near.push(rows));
        near
    }
}

/// Returns the largest number of rows in a range of places that all reach the first place of the
/// range. The places are given in ascending order, with their rows and the lowest place that each
/// reaches.
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
    /// Returns the parts as histograms, in the order of buckets.
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

/// Returns whether the rows can be partitioned such that, in each part, at most a share of 1/m is
/// near any of its rows (Theorem 1).
pub(super) fn is_feasible(nearness: &Nearness, m: u64) -> bool {
    u128::from(nearness.maxsize) * u128::from(m) <= u128::from(nearness.n_rows)
}

/// Returns the assignment to `maxsize` buckets. No bucket contains two rows that are near each
/// other.
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
    fn running_example_is_reproduced() {
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
    fn closed_endpoints_are_included_exactly() {
        let neighborhood = Neighborhood::Relative { epsilon: Rational::new(1, 5) };
        let reach = Reach::new(&numbers(&["12", "15"]), &neighborhood);
        assert_eq!(reach.near(&all(2)), [1, 2]);
    }

    #[test]
    fn rows_are_assigned_round_robin() {
        let parts = Assignment { n_buckets: 3 }.parts(&[(0, 2), (1, 1), (2, 5)]);
        assert_eq!(parts, [vec![(1, 1), (2, 1)], vec![(0, 1), (2, 2)], vec![(0, 1), (2, 2)]]);
        assert_eq!(Assignment { n_buckets: 1 }.parts(&[(4, 2)]), [[(4, 2)]]);
    }
}
