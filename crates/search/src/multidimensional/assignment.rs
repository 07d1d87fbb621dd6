//! The partition step, which assigns the rows of a region to buckets in the order of their
//! sensitive values.

use super::judge::{Judge, Tally, add_up};

/// A tuple and a number of its rows.
pub(super) type Rows = (u32, u64);

/// How the parts of a region can become classes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Parts {
    /// The parts become classes that a class column distinguishes.
    Assigned,
    /// The region is not divided and must satisfy all principles as a whole.
    Whole,
    /// The region may violate principles, as long as a partition of the region might satisfy them.
    Later,
}

/// Decides whether regions are acceptable.
#[derive(Debug)]
pub(super) struct Assigner<'a> {
    pub judge: &'a Judge<'a>,
    pub parts: Parts,
    /// For each tuple, its position among the tuples of equal sensitive values; `None` keeps the
    /// order of the tuples.
    pub order: Option<Vec<u32>>,
}

impl Assigner<'_> {
    /// Returns whether a region may have to be restored after it was split.
    pub fn needs_parent(&self) -> bool {
        self.parts == Parts::Later
    }

    /// Returns whether a region is acceptable.
    pub fn accepts(&self, tuples: &[u32]) -> bool {
        let judge = self.judge;
        let size: u64 = tuples.iter().map(|&tuple| judge.rows(tuple)).sum();
        if size < judge.smallest_size {
            return false;
        }
        let (tally, size) = judge.tally(tuples);
        match self.parts {
            Parts::Whole => judge.holds(size, &tally),
            Parts::Later => !judge.is_ruled_out(size, &tally),
            Parts::Assigned => {
                judge.is_generalizable(size, &tally)
                    && (judge.is_alone()
                        || judge.holds(size, &tally)
                        || self.assign(tuples, size, &tally).is_some())
            }
        }
    }

    /// Returns the classes of a region; `None` if no assignment satisfies all principles.
    pub fn classes(&self, tuples: &[u32]) -> Option<Vec<Vec<Rows>>> {
        let (tally, size) = self.judge.tally(tuples);
        if self.judge.holds(size, &tally) {
            return Some(vec![tuples.iter().map(|&at| (at, self.judge.rows(at))).collect()]);
        }
        self.assign(tuples, size, &tally)
    }

    /// Tries the assignment of each principle until all principles are satisfied.
    fn assign(&self, tuples: &[u32], size: u64, tally: &Tally) -> Option<Vec<Vec<Rows>>> {
        let assignments = self.judge.assignments(size, tally);
        assignments.into_iter().find_map(|(n_buckets, slot)| {
            let buckets = self.buckets(tuples, n_buckets, slot);
            buckets.iter().all(|bucket| self.bucket_holds(bucket)).then_some(buckets)
        })
    }

    fn bucket_holds(&self, bucket: &[Rows]) -> bool {
        let (tally, size) = self.judge.tally_of_rows(bucket);
        self.judge.holds(size, &tally)
    }

    /// Assigns the i-th row, counted from 1, to bucket i modulo the number of buckets.
    fn buckets(&self, tuples: &[u32], n_buckets: u64, slot: usize) -> Vec<Vec<Rows>> {
        let values = self.judge.values(slot);
        let place = |at: u32| self.order.as_ref().map_or(0, |order| order[at as usize]);
        let mut sorted = tuples.to_vec();
        sorted.sort_unstable_by_key(|&at| (values[at as usize], place(at), at));
        let mut buckets = vec![Vec::new(); usize::try_from(n_buckets).unwrap_or(usize::MAX)];
        let mut n_assigned = 0;
        for tuple in sorted {
            let count = self.judge.rows(tuple);
            for turn in 1..=count.min(n_buckets) {
                let bucket = ((n_assigned + turn) % n_buckets) as usize;
                let rows = count / n_buckets + u64::from(turn <= count % n_buckets);
                buckets[bucket].push((tuple, rows));
            }
            n_assigned += count;
        }
        buckets
    }
}

impl Judge<'_> {
    /// Returns the counts of sensitive values in the given rows, and the number of rows.
    pub fn tally_of_rows(&self, rows: &[Rows]) -> (Tally, u64) {
        let mut tally: Tally = Vec::with_capacity(rows.len() * self.n_slots());
        let mut base = 0;
        for slot in 0..self.n_slots() {
            let values = self.values(slot);
            tally.extend(rows.iter().map(|&(at, rows)| (base + values[at as usize], rows)));
            base += self.n_sensitive_values(slot);
        }
        tally.sort_unstable_by_key(|entry| entry.0);
        add_up(&mut tally);
        (tally, rows.iter().map(|entry| entry.1).sum())
    }
}
