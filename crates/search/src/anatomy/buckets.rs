//! How many rows of each sensitive value every class has: from the counts of the sensitive values alone.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use crate::curve::judge::{Counts, Judge};

/// A class of one row of each of the largest buckets, then two of each and so on, stops growing, if it does not hold, at
/// this multiple of the smallest size (and at least that many rows).
const PATIENCE: u64 = 8;
const LEAST_PATIENCE: u64 = 64;

/// Rows of each sensitive value, ascending by sensitive value.
pub(super) type OfValue = Vec<(u32, u64)>;

/// The buckets, as far as they are not in classes.
pub(super) struct Buckets<'a> {
    judge: &'a Judge<'a>,
    /// For each sensitive value its codes, for the judge.
    codes: &'a [Vec<u32>],
    left: Vec<u64>,
    n_left: u64,
    /// The sensitive values with rows left, the largest buckets first.
    order: BTreeSet<(Reverse<u64>, u32)>,
    classes: Vec<OfValue>,
}

/// So many classes are taken at most between two looks at what is left.
const MOST_AT_ONCE: usize = 4096;

/// What is asked while classes are made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Continue {
    /// Go on.
    Yes,
    /// Make one class of what is left.
    TimeIsUp,
    /// There will be no answer.
    Cancelled,
}

/// How classes were made.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct BucketClasses {
    pub classes: Vec<OfValue>,
    pub is_cut_short: bool,
}

/// A class that is being picked.
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
    /// Buckets with so many rows of each sensitive value, which as one class hold.
    pub fn new(judge: &'a Judge<'a>, codes: &'a [Vec<u32>], left: Vec<u64>) -> Self {
        let n_left = left.iter().sum();
        let rows = |value: u32| left[value as usize];
        let order = (0..left.len() as u32).filter(|&value| rows(value) > 0);
        let order = order.map(|value| (Reverse(rows(value)), value)).collect();
        Self { judge, codes, left, n_left, order, classes: Vec::new() }
    }

    /// Divides all rows into classes that hold. `None` if it was cancelled.
    ///
    /// What is left must hold, too, or the last class could not. To look takes as long as there are sensitive values; so several classes
    /// are taken before, ever more as long as that goes well, and given back one look at a time where it does not.
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

    /// What is left, for the judge.
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

    /// Makes so many rows of a sensitive value be left.
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

    /// Undoes all classes but the first ones.
    fn give_back(&mut self, n_retained: usize) {
        for (value, rows) in self.classes.split_off(n_retained).into_iter().flatten() {
            self.leave(value, self.left[value as usize] + rows);
        }
    }

    /// One row of each of the largest buckets, round by round, until they hold.
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

    /// Rows of each sensitive value in the shares of what is left, until both these and the others hold.
    fn in_shares(&self) -> Option<PickedClass> {
        let mut picked = PickedClass::new(self.judge);
        let mut taken = vec![0u64; self.left.len()];
        let all = u128::from(self.n_left);
        let mut next_check = self.judge.smallest_size;
        while picked.counts.size < self.n_left {
            let size = u128::from(picked.counts.size) + 1;
            // share * size - taken, as a whole number.
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

    /// The last class: as few of the rows left as hold, if each other one has a place in some class; otherwise all.
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

    /// Puts each row that is left into a class that holds with it, without its sensitive value if there is one. If some
    /// row has no such class, all stays as it was.
    fn place_rest(&mut self) -> bool {
        let mut placed: Vec<(usize, u32)> = Vec::new();
        let mut start = 0;
        for (_, value) in self.order.clone() {
            // Every class is asked once, then those that took a row once more.
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
