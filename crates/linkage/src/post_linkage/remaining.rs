//! # The sensitive values that remain possible for a person
//!
//! **Definition.** The sensitive values that are possible for a person according to every release,
//! given the matching class in each. If a person matches several overlapping classes of a release,
//! their union is used (reading F-2).
//! **Formula.** The linked count of a sensitive value is the minimum over releases of the number of
//! records that may have the value: an upper bound on the records that the releases have in common
//! (reading D-11). A generalized record counts for each value that it may represent. Distinct l:
//! the number of sensitive values with a positive linked count. Frequency l: total / largest.
//! Entropy l: the exponential of the entropy. If generalized records increase the sum of the linked
//! counts above the size of the smallest class, the counts are reduced to that sum in the least
//! diverse way, starting with the rarest sensitive values. If a release shows several values only
//! by a more general value, such as `cancer`, they count as one value for its people.
//! **Level.** Smaller is worse.
//! **Complexity.** O(values of the classes).
//! **Does not protect against.** The results are counts, not beliefs: an adversary with other
//! knowledge can rule out more values.
//! **Source.** Section 2.3 of the linkage paper. Deviations: generalized sensitive values and
//! overlapping classes, which the paper does not consider.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

use indistinct_core::principle::adjust;
use indistinct_core::remaining::Measure;
use indistinct_core::{Rational, model::from_ratio};

use super::release::{PublishedRelease, SensitiveDomain};

/// The remaining values of one sensitive attribute.
#[derive(Debug, Clone, PartialEq)]
pub struct RemainingValues {
    /// The sensitive values with upper bounds on their linked counts, in ascending order of codes.
    /// A code that represents several values counts as one value.
    pub linked: Vec<(u32, u64)>,
    /// The sum of the counts, which is at most the size of the smallest class.
    pub total: u64,
    /// The largest count.
    pub largest: u64,
    /// The exponential of the entropy.
    pub entropy_l: f64,
    /// For a numeric sensitive attribute, the length of the shortest interval that contains all
    /// remaining values, in the unit of its numbers.
    pub width: Option<i128>,
    /// The counts from which the total and the entropy are computed, in descending order.
    counts: Vec<u64>,
}

impl RemainingValues {
    /// Returns the number of remaining sensitive values.
    pub fn distinct_l(&self) -> u64 {
        self.linked.len() as u64
    }

    /// Returns the ratio of the total count to the largest count.
    pub fn frequency_l(&self) -> Rational {
        from_ratio(self.total, self.largest)
    }

    /// Compares the level of `measure` with l exactly.
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

/// A reusable counter for the sensitive values of one domain.
pub(super) struct Counter<'a> {
    domain: &'a SensitiveDomain,
    here: Vec<u64>,
    linked: Vec<u64>,
    touched: Vec<u32>,
    allowed: Vec<u32>,
    /// For sets of releases, the code that represents each value
    /// ([`SensitiveDomain::merged_values`]).
    merged: BTreeMap<Vec<usize>, Option<Vec<u32>>>,
}

impl<'a> Counter<'a> {
    pub(super) fn new(domain: &'a SensitiveDomain) -> Self {
        let n = domain.n_codes() as usize;
        Self {
            domain,
            here: vec![0; n],
            linked: vec![0; n],
            touched: Vec::new(),
            allowed: Vec::new(),
            merged: BTreeMap::new(),
        }
    }

    /// Returns the number of sensitive values that may occur in one class of a release, or `None`
    /// if the class has no records.
    pub(super) fn n_possible(&mut self, release: usize, entries: &[(u32, u64)]) -> Option<u64> {
        let domain = self.domain;
        let merged = self.merged_values([release].into_iter());
        for &(code, _) in entries.iter().filter(|(_, count)| *count > 0) {
            for &value in domain.values_of(code) {
                let value = merged.as_ref().map_or(value, |merged| merged[value as usize]);
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

    /// Returns the code that represents each value in the given releases, or `None` if these
    /// releases distinguish all values.
    fn merged_values(&mut self, releases: impl Iterator<Item = usize>) -> Option<Vec<u32>> {
        let domain = self.domain;
        if domain.is_shown_by_value() {
            return None;
        }
        let merged = self.merged.entry(releases.collect());
        merged.or_insert_with_key(|at| domain.merged_values(at.iter().copied())).clone()
    }

    /// Returns whether a person may be in all of several contradictory classes because releases
    /// spell values differently. This is possible if, in each release, the person may have a value
    /// that every other release also shows or does not know.
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

    /// Computes the values of attribute `sensitive` that the classes leave; `None` if no value
    /// remains, in which case no person can be in all given classes. Releases without a matching
    /// class are skipped.
    pub(super) fn remaining<'b>(
        &mut self,
        releases: &[PublishedRelease],
        classes: impl Fn(usize) -> &'b [u32],
        sensitive: usize,
    ) -> Option<RemainingValues> {
        // The values that are possible according to all releases processed so far.
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
        let covering = (0..releases.len()).filter(|at| !classes(*at).is_empty());
        let linked: Vec<(u32, u64)> = match self.merged_values(covering) {
            None => {
                let count = |&value: &u32| (value, self.linked[value as usize]);
                self.allowed.iter().map(count).collect()
            }
            Some(merged) => self.linked_as(&merged, releases, &classes, sensitive),
        };
        let values = &self.allowed;
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

    /// Computes the linked counts of the allowed values, with values of the same merged code as one
    /// value.
    fn linked_as<'b>(
        &self,
        merged: &[u32],
        releases: &[PublishedRelease],
        classes: &impl Fn(usize) -> &'b [u32],
        sensitive: usize,
    ) -> Vec<(u32, u64)> {
        let mut linked: BTreeMap<u32, u64> =
            self.allowed.iter().map(|&value| (merged[value as usize], u64::MAX)).collect();
        let covering = (0..releases.len()).filter(|at| !classes(*at).is_empty());
        for at in covering {
            let mut here: BTreeMap<u32, u64> = BTreeMap::new();
            let of_class =
                |&class: &u32| &releases[at].classes[class as usize].sensitive[sensitive];
            for &(code, count) in classes(at).iter().flat_map(of_class) {
                let is_allowed = |value: &&u32| self.allowed.binary_search(value).is_ok();
                let values = self.domain.values_of(code).iter().filter(is_allowed);
                let codes: BTreeSet<u32> = values.map(|&value| merged[value as usize]).collect();
                codes.into_iter().for_each(|code| *here.entry(code).or_default() += count);
            }
            for (code, count) in &mut linked {
                *count = (*count).min(here.get(code).copied().unwrap_or(0));
            }
        }
        linked.into_iter().collect()
    }
}
