//! # What remains possible for a person
//!
//! **Definition.** Of the sensitive values in the classes that a person fits, one class (or union of overlapping classes,
//! reading F-2) in each release, those that every release allows.
//! **Formula.** The linked count of a sensitive value is the minimum over releases of the records that may have it: an upper
//! bound of the records that the releases share (reading D-11). A generalized record counts for each value that it may mean.
//! Distinct l: the number of sensitive values with a positive linked count. Frequency l: total / largest; entropy l: the
//! exponential of the entropy. Where generalized records make the linked counts sum to more than the smallest class, they are
//! cut to that sum in the least diverse way, the rarest sensitive values first.
//! **Level.** Smaller is worse.
//! **Complexity.** O(values of the classes).
//! **Does not protect against.** These are figures about counts, not beliefs: an adversary with other knowledge excludes more.
//! **Source.** Section 2.3 of the linkage text. Deviations: generalized sensitive values and overlapping classes, of which it
//! has none.

use std::cmp::Ordering;
use std::collections::BTreeSet;

use indistinct_core::principle::adjust;
use indistinct_core::remaining::Measure;
use indistinct_core::{Rational, model::from_ratio};

use super::release::{PublishedRelease, SensitiveDomain};

/// What remains possible of one sensitive attribute.
#[derive(Debug, Clone, PartialEq)]
pub struct RemainingValues {
    /// The sensitive values with their linked counts, ascending by code; upper bounds.
    pub linked: Vec<(u32, u64)>,
    /// The sum of the counts, at most the size of the smallest class.
    pub total: u64,
    /// The largest count.
    pub largest: u64,
    /// The exponential of the entropy.
    pub entropy_l: f64,
    /// For a numeric sensitive attribute the length of the shortest interval that holds all remaining values, in the
    /// unit of its numbers.
    pub width: Option<i128>,
    /// The counts that total and entropy are taken of, in descending order.
    counts: Vec<u64>,
}

impl RemainingValues {
    /// The number of sensitive values that remain.
    pub fn distinct_l(&self) -> u64 {
        self.linked.len() as u64
    }

    /// Total / largest.
    pub fn frequency_l(&self) -> Rational {
        from_ratio(self.total, self.largest)
    }

    /// How the level by `measure` compares with l. Exact.
    pub fn compare(&self, measure: Measure, l: &Rational) -> Ordering {
        match measure {
            Measure::Distinct => Rational::from_integer(i128::from(self.distinct_l())).cmp(l),
            Measure::Frequency => self.frequency_l().cmp(l),
            Measure::Entropy => adjust(&self.counts, &[]).compare(l),
        }
    }

    pub(super) fn frequency_order(&self, other: &Self) -> Ordering {
        let product = |a: u64, b: u64| u128::from(a) * u128::from(b);
        product(self.total, other.largest).cmp(&product(other.total, self.largest))
    }
}

/// Counts sensitive values of one domain, again and again.
pub(super) struct Counter<'a> {
    domain: &'a SensitiveDomain,
    here: Vec<u64>,
    linked: Vec<u64>,
    touched: Vec<u32>,
    allowed: Vec<u32>,
}

impl<'a> Counter<'a> {
    pub(super) fn new(domain: &'a SensitiveDomain) -> Self {
        let n = domain.n_values() as usize;
        Self {
            domain,
            here: vec![0; n],
            linked: vec![0; n],
            touched: Vec::new(),
            allowed: Vec::new(),
        }
    }

    /// How many sensitive values one class may hold; `None` if it has no records.
    pub(super) fn n_possible(&mut self, entries: &[(u32, u64)]) -> Option<u64> {
        for &(code, _) in entries.iter().filter(|(_, count)| *count > 0) {
            for &value in self.domain.values_of(code) {
                if std::mem::replace(&mut self.here[value as usize], 1) == 0 {
                    self.touched.push(value);
                }
            }
        }
        let n = self.touched.len() as u64;
        for value in self.touched.drain(..) {
            self.here[value as usize] = 0;
        }
        (n > 0).then_some(n)
    }

    /// Of classes that leave nothing, whether somebody may be in all of them nevertheless, because releases write her value in
    /// different ways: in each release she may have a value that every other one shows too, or does not know.
    pub(super) fn may_differ_in_writing<'b>(
        &self,
        releases: &[PublishedRelease],
        classes: impl Fn(usize) -> &'b [u32],
        sensitive: usize,
    ) -> bool {
        if self.domain.is_written_in_one_way() {
            return false;
        }
        let shown = |at: usize| -> BTreeSet<u32> {
            let of_class =
                |class: &u32| &releases[at].classes[*class as usize].sensitive[sensitive];
            let codes = classes(at).iter().flat_map(of_class).filter(|entry| entry.1 > 0);
            codes.flat_map(|entry| self.domain.values_of(entry.0)).copied().collect()
        };
        let covering = (0..releases.len()).filter(|at| !classes(*at).is_empty());
        let shown: Vec<(usize, BTreeSet<u32>)> = covering.map(|at| (at, shown(at))).collect();
        let is_possible = |value: &u32| {
            shown
                .iter()
                .all(|(at, here)| here.contains(value) || !self.domain.is_known(*at, *value))
        };
        shown.iter().all(|(_, here)| here.iter().any(is_possible))
    }

    /// What the classes leave of sensitive value `sensitive`; `None` if nothing: nobody can be in all of them. Releases without a
    /// class are left out.
    pub(super) fn remaining<'b>(
        &mut self,
        releases: &[PublishedRelease],
        classes: impl Fn(usize) -> &'b [u32],
        sensitive: usize,
    ) -> Option<RemainingValues> {
        // The values that all releases so far allow.
        self.allowed.clear();
        let mut is_first = true;
        let mut smallest = u64::MAX;
        for (at, release) in releases.iter().enumerate() {
            let classes = classes(at);
            if classes.is_empty() {
                continue;
            }
            let mut size = 0;
            for &class in classes {
                for &(code, count) in &release.classes[class as usize].sensitive[sensitive] {
                    size += count;
                    for &value in self.domain.values_of(code) {
                        let sum = &mut self.here[value as usize];
                        if *sum == 0 && count > 0 {
                            self.touched.push(value);
                        }
                        *sum += count;
                    }
                }
            }
            smallest = smallest.min(size);
            let (here, linked) = (&self.here, &mut self.linked);
            if is_first {
                is_first = false;
                self.allowed.extend(&self.touched);
                for &value in &self.allowed {
                    linked[value as usize] = here[value as usize];
                }
            } else {
                self.allowed.retain(|&value| {
                    let (here, linked) = (here[value as usize], &mut linked[value as usize]);
                    *linked = here.min(*linked);
                    here > 0
                });
            }
            for value in self.touched.drain(..) {
                self.here[value as usize] = 0;
            }
        }
        if self.allowed.is_empty() {
            return None;
        }
        self.allowed.sort_unstable();
        let values = &self.allowed;
        let linked: Vec<(u32, u64)> =
            values.iter().map(|&value| (value, self.linked[value as usize])).collect();
        let width = self.domain.numbers().map(|numbers| {
            let numbers = values.iter().map(|&value| numbers[value as usize]);
            let (low, high) = (numbers.clone().min(), numbers.max());
            high.zip(low).map_or(0, |(high, low)| high - low)
        });
        let mut counts: Vec<u64> = linked.iter().map(|entry| entry.1).collect();
        counts.sort_unstable_by(|a, b| b.cmp(a));
        let mut left = smallest;
        for count in &mut counts {
            *count = (*count).min(left);
            left -= *count;
        }
        counts.retain(|count| *count > 0);
        let total = counts.iter().sum();
        let largest = counts[0];
        let n_log_n = |n: u64| n as f64 * (n as f64).ln();
        let mean = counts.iter().map(|&n| n_log_n(n)).sum::<f64>() / total as f64;
        let entropy_l = ((total as f64).ln() - mean).max(0.0).exp();
        Some(RemainingValues { linked, total, largest, entropy_l, width, counts })
    }
}
