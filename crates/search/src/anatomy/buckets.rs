//! Computes how many rows of each sensitive value are in every class, based only on the counts of
//! the sensitive values.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use crate::curve::judge::{Counts, Judge};

/// A growing class that still fails is abandoned at this multiple of the minimum size, but not
/// below `LEAST_PATIENCE` rows.
const PATIENCE: u64 = 8;
const LEAST_PATIENCE: u64 = 64;

/// The number of rows of each sensitive value, in ascending order of sensitive values.
pub(super) type OfValue = Vec<(u32, u64)>;

/// The rows of each bucket that are not yet in a class.
pub(super) struct Buckets<'a> {
    judge: &'a Judge<'a>,
    /// The codes of each sensitive value, which are the input for the principles.
    codes: &'a [Vec<u32>],
    left: Vec<u64>,
    n_left: u64,
    /// The sensitive values with remaining rows, in descending order of bucket size.
    order: BTreeSet<(Reverse<u64>, u32)>,
    classes: Vec<OfValue>,
}

/// Maximum number of classes that are formed between two evaluations of the remaining rows.
const MOST_AT_ONCE: usize = 4096;

/// The caller's decision on whether to continue forming classes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Continue {
    /// Continue to form classes.
    Yes,
    /// Form one class from the remaining rows.
    TimeIsUp,
    /// Stop without a result.
    Cancelled,
}

/// The classes, and whether the search was stopped early.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct BucketClasses {
    pub classes: Vec<OfValue>,
    pub is_cut_short: bool,
}

/// A class under construction.
struct PickedClass {
    of_value: OfValue,
    counts: Counts,
}

impl PickedClass {
    fn new(judge: &Judge<'_>) -> Self {
        Self { of_value: Vec::new(), counts: Counts::new(judge.attributes.len()) }
    }

    fn add(&mut self, value: u32, codes: &[u32]) {
        self.counts.add(codes, 1);
        add(&mut self.of_value, value);
    }
}

fn add(of_value: &mut OfValue, value: u32) {
    match of_value.binary_search_by_key(&value, |entry| entry.0) {
        Ok(at) => of_value[at].1 += 1,
        Err(at) => of_value.insert(at, (value, 1)),
    }
}

fn has(of_value: &OfValue, value: u32) -> bool {
    of_value.binary_search_by_key(&value, |entry| entry.0).is_ok()
}

impl<'a> Buckets<'a> {
    /// Creates buckets with the given number of rows of each sensitive value. All rows together
    /// must satisfy the principles as one class.
    pub fn new(judge: &'a Judge<'a>, codes: &'a [Vec<u32>], left: Vec<u64>) -> Self {
        let n_left = left.iter().sum();
        let rows = |value: u32| left[value as usize];
        let order = (0..left.len() as u32).filter(|&value| rows(value) > 0);
        let order = order.map(|value| (Reverse(rows(value)), value)).collect();
        Self { judge, codes, left, n_left, order, classes: Vec::new() }
    }

    /// Divides all rows into classes that satisfy the principles. Returns `None` if the search was
    /// cancelled.
    ///
    /// The remaining rows must also satisfy the principles, because they join the last class.
    /// Evaluating them takes time proportional to the number of sensitive values, so several
    /// classes are formed between two evaluations. Their number doubles after each success; after a
    /// failure, the classes are undone and formed one by one.
    pub fn classes(mut self, mut next: impl FnMut(u64) -> Continue) -> Option<BucketClasses> {
        let (mut is_cut_short, mut at_once) = (false, 1);
        while self.n_left > 0 && !is_cut_short {
            let n_before = self.classes.len();
            while self.n_left > 0 && self.classes.len() < n_before + at_once {
                match next(self.n_left) {
                    Continue::Yes => {}
                    Continue::Cancelled => return None,
                    Continue::TimeIsUp => {
                        is_cut_short = true;
                        break;
                    }
                }
                let Some(picked) = self.of_largest() else { break };
                self.take(picked.of_value);
            }
            let n_taken = self.classes.len() - n_before;
            if n_taken > 0 && (self.n_left == 0 || self.judge.holds(&self.rest())) {
                at_once = (2 * at_once).min(MOST_AT_ONCE);
                continue;
            }
            self.give_back(n_before);
            if n_taken > 1 {
                at_once = 1;
            } else if !is_cut_short {
                let Some(picked) = self.in_shares() else { break };
                self.take(picked.of_value);
            }
        }
        if self.n_left > 0 {
            self.close(is_cut_short);
        }
        Some(BucketClasses { classes: self.classes, is_cut_short })
    }

    /// Returns the counts for the remaining rows, which are the input for the principles.
    fn rest(&self) -> Counts {
        let mut counts = Counts::new(self.judge.attributes.len());
        for (codes, &rows) in self.codes.iter().zip(&self.left).filter(|(_, rows)| **rows > 0) {
            counts.add(codes, rows);
        }
        counts
    }

    fn can_spare(&self, class: &Counts) -> bool {
        if self.n_left == class.size {
            return true;
        }
        let mut rest = self.rest();
        rest.remove_all(class);
        self.judge.holds(&rest)
    }

    /// Sets the number of remaining rows of a sensitive value.
    fn leave(&mut self, value: u32, rows: u64) {
        let left = &mut self.left[value as usize];
        self.order.remove(&(Reverse(*left), value));
        self.n_left = self.n_left - *left + rows;
        *left = rows;
        if rows > 0 {
            self.order.insert((Reverse(rows), value));
        }
    }

    fn take(&mut self, of_value: OfValue) {
        for &(value, rows) in &of_value {
            self.leave(value, self.left[value as usize] - rows);
        }
        self.classes.push(of_value);
    }

    /// Undoes all classes except the first `n_retained`.
    fn give_back(&mut self, n_retained: usize) {
        for (value, rows) in self.classes.split_off(n_retained).into_iter().flatten() {
            self.leave(value, self.left[value as usize] + rows);
        }
    }

    /// Picks one row of each of the largest buckets, round by round, until the picked rows satisfy
    /// the principles.
    fn of_largest(&self) -> Option<PickedClass> {
        let most = (self.judge.smallest_size * PATIENCE).max(LEAST_PATIENCE);
        let mut picked = PickedClass::new(self.judge);
        for round in 0.. {
            let size = picked.counts.size;
            for &(_, value) in &self.order {
                if self.left[value as usize] <= round {
                    break;
                }
                picked.add(value, &self.codes[value as usize]);
                if picked.counts.size >= self.judge.smallest_size
                    && self.judge.holds(&picked.counts)
                {
                    return Some(picked);
                }
                if picked.counts.size >= most {
                    return None;
                }
            }
            if picked.counts.size == size {
                return None;
            }
        }
        None
    }

    /// Picks rows of each sensitive value in proportion to the remaining rows, until both the
    /// picked rows and the others satisfy the principles.
    fn in_shares(&self) -> Option<PickedClass> {
        let mut picked = PickedClass::new(self.judge);
        let mut taken = vec![0u64; self.left.len()];
        let all = u128::from(self.n_left);
        let mut next_check = self.judge.smallest_size;
        while picked.counts.size < self.n_left {
            let size = u128::from(picked.counts.size) + 1;
            // Computes share * size - taken, multiplied by the number of remaining rows to stay in
            // integers.
            let lack = |value: u32| {
                let value = value as usize;
                (u128::from(self.left[value]) * size) as i128
                    - (u128::from(taken[value]) * all) as i128
            };
            let open = self.order.iter().map(|it| it.1);
            let open = open.filter(|&at| taken[at as usize] < self.left[at as usize]);
            let value = open.max_by_key(|&value| (lack(value), Reverse(value)))?;
            taken[value as usize] += 1;
            picked.add(value, &self.codes[value as usize]);
            if picked.counts.size < self.n_left && picked.counts.size >= next_check {
                if self.judge.holds(&picked.counts) && self.can_spare(&picked.counts) {
                    return Some(picked);
                }
                next_check = picked.counts.size + 1 + picked.counts.size / 64;
            }
        }
        None
    }

    /// Forms the last class: the fewest remaining rows that satisfy the principles, if all other
    /// rows fit into existing classes; otherwise all remaining rows.
    fn close(&mut self, is_cut_short: bool) {
        let open = (0u32..).zip(&self.left).filter(|(_, rows)| **rows > 0);
        let all: OfValue = open.map(|(value, rows)| (value, *rows)).collect();
        let n_before = self.classes.len();
        let small = if is_cut_short || n_before == 0 { None } else { self.of_largest() };
        if let Some(small) = small {
            self.take(small.of_value);
            if self.place_rest() {
                return;
            }
            self.classes.truncate(n_before);
        }
        self.left.fill(0);
        (self.n_left, self.order) = (0, BTreeSet::new());
        self.classes.push(all);
    }

    /// Adds each remaining row to a class that still satisfies the principles afterward, preferably
    /// a class without the row's sensitive value. If this is impossible for some row, nothing
    /// changes.
    fn place_rest(&mut self) -> bool {
        let mut placed: Vec<(usize, u32)> = Vec::new();
        let mut start = 0;
        for (_, value) in self.order.clone() {
            // Try every class once, then try the classes that accepted a row again.
            let n_classes = self.classes.len();
            let mut open: Vec<usize> = (0..n_classes).map(|at| (start + at) % n_classes).collect();
            open.sort_by_key(|&class| has(&self.classes[class], value));
            let mut missing = self.left[value as usize];
            while missing > 0 && !open.is_empty() {
                let mut still_open = Vec::new();
                for class in open {
                    if missing > 0 && self.holds_with(class, value) {
                        add(&mut self.classes[class], value);
                        placed.push((class, value));
                        still_open.push(class);
                        missing -= 1;
                        start = (class + 1) % n_classes;
                    }
                }
                open = still_open;
            }
            if missing > 0 {
                for (class, value) in placed {
                    let of_value = &mut self.classes[class];
                    if let Ok(at) = of_value.binary_search_by_key(&value, |entry| entry.0) {
                        of_value[at].1 -= 1;
                    }
                    of_value.retain(|entry| entry.1 > 0);
                }
                return false;
            }
        }
        true
    }

    fn holds_with(&self, class: usize, value: u32) -> bool {
        let mut counts = Counts::new(self.judge.attributes.len());
        for &(value, rows) in &self.classes[class] {
            counts.add(&self.codes[value as usize], rows);
        }
        counts.add(&self.codes[value as usize], 1);
        self.judge.holds(&counts)
    }
}
