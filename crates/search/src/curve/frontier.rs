//! The heuristic for principles on sensitive values, which takes classes from the frontier. The
//! frontier consists of the next rows of each sensitive value.
//!
//! Every class starts with the first remaining row. Each step adds the cheapest row among the
//! sensitive values that are rarest in the class, until the class satisfies the principles. If the
//! remaining rows would then fail as one class, the class is rebuilt with the relative frequencies
//! that sensitive values have among the remaining rows (for frequency l-diversity, one row of each
//! of the most frequent sensitive values, as in the paper). The remaining rows therefore always
//! satisfy the principles, and all of them can join the last class. Because merging preserves the
//! principles, the heuristic finds classes whenever the whole table satisfies them.
//!
//! After the time limit, the rows are halved in the order of the curve as long as both halves
//! satisfy the principles.
//!
//! If the rows satisfy the principles as one class, all resulting classes satisfy them. The running
//! time is O(n log n).

use super::judge::{Counts, Judge};
use super::space::Space;
use crate::stop::Stop;

/// Maximum number of distinct sensitive values for which the first rows of each value are examined.
/// Otherwise, only the next rows of the order are examined.
const MOST_HEADS: usize = 256;

/// Total number of examined rows across all sensitive values.
const WINDOW: usize = 64;

/// A growing class that still fails is abandoned at this multiple of the minimum size, but not
/// below 64 rows.
const PATIENCE: u64 = 8;

/// The rows in the order of the curve, with the number of remaining rows.
pub(super) struct Frontier<'a> {
    space: &'a Space,
    judge: &'a Judge<'a>,
    points: &'a [&'a [u32]],
    /// The codes of each combination of evaluated sensitive values.
    values: &'a [Vec<u32>],
    rows: &'a [Row],
    left: Vec<u64>,
    /// The first row that is not yet completely assigned to classes.
    first: usize,
    /// For each sensitive value, its rows, and the first of these rows that is not yet completely
    /// assigned to classes.
    queues: Vec<(Vec<u32>, usize)>,
    left_of_value: Vec<u64>,
    counts: Counts,
}

/// A class under construction: rows by position, and the counts of their sensitive values.
struct PickedClass {
    rows: Vec<u32>,
    of_value: Vec<(u32, u64)>,
    counts: Counts,
}

impl PickedClass {
    fn new(n_attributes: usize) -> Self {
        Self { rows: Vec::new(), of_value: Vec::new(), counts: Counts::new(n_attributes) }
    }

    fn has_of(&self, value: u32) -> u64 {
        self.of_value.iter().find(|entry| entry.0 == value).map_or(0, |entry| entry.1)
    }

    fn take(&mut self, row: u32, value: u32, codes: &[u32]) {
        self.rows.push(row);
        self.counts.add(codes, 1);
        match self.of_value.iter_mut().find(|entry| entry.0 == value) {
            Some(entry) => entry.1 += 1,
            None => self.of_value.push((value, 1)),
        }
    }
}

impl<'a> Frontier<'a> {
    pub fn new(
        space: &'a Space,
        judge: &'a Judge<'a>,
        points: &'a [&'a [u32]],
        values: &'a [Vec<u32>],
        rows: &'a [Row],
    ) -> Self {
        let mut queues = vec![(Vec::new(), 0); values.len()];
        let mut left_of_value = vec![0; values.len()];
        let mut counts = Counts::new(judge.attributes.len());
        for (at, row) in (0u32..).zip(rows) {
            queues[row.value as usize].0.push(at);
            left_of_value[row.value as usize] += row.rows;
            counts.add(&values[row.value as usize], row.rows);
        }
        let left = rows.iter().map(|row| row.rows).collect();
        Self { space, judge, points, values, rows, left, first: 0, queues, left_of_value, counts }
    }

    /// Divides all rows into classes, provided that the rows satisfy the principles as one class.
    /// If the search is stopped, the remaining rows are halved repeatedly.
    pub fn classes(mut self, stop: &Stop<'_>) -> Vec<Vec<Times>> {
        let mut classes = self.whole_groups();
        while self.counts.size > 0 {
            if stop.is_requested() {
                let rest = self.close_all();
                classes.extend(halves(self.judge, self.values, self.rows, rest));
                break;
            }
            let picked = self.nearest().or_else(|| self.in_shares());
            let taken = match picked {
                Some(picked) => self.close(&picked),
                None => self.close_all(),
            };
            classes.push(taken);
        }
        classes
    }

    /// Returns the groups of rows with equal quasi-identifiers that satisfy the principles,
    /// provided that the other rows also satisfy the principles.
    fn whole_groups(&mut self) -> Vec<Vec<Times>> {
        let mut classes = Vec::new();
        let mut start = 0;
        while start < self.rows.len() {
            let at = self.rows[start].at;
            let end = start + self.rows[start..].iter().take_while(|row| row.at == at).count();
            let n_rows: u64 = self.rows[start..end].iter().map(|row| row.rows).sum();
            if n_rows >= self.judge.smallest_size {
                let mut own = Counts::new(self.judge.attributes.len());
                for row in &self.rows[start..end] {
                    own.add(&self.values[row.value as usize], row.rows);
                }
                if self.judge.holds(&own) && self.can_spare(&own) {
                    let times = (start..end).map(|row| (row as u32, self.left[row])).collect();
                    (start..end).for_each(|row| self.remove(row, self.left[row]));
                    classes.push(times);
                }
            }
            start = end;
        }
        classes
    }

    fn can_spare(&mut self, class: &Counts) -> bool {
        self.counts.remove_all(class);
        let can_spare = self.counts.size == 0 || self.judge.holds(&self.counts);
        self.counts.add_all(class);
        can_spare
    }

    fn remove(&mut self, row: usize, n: u64) {
        let value = self.rows[row].value as usize;
        self.left[row] -= n;
        self.left_of_value[value] -= n;
        self.counts.remove(&self.values[value], n);
    }

    /// Appends the first `n` remaining rows of a sensitive value that were not picked.
    fn heads(&mut self, value: usize, picked: &[u32], n: usize, heads: &mut Vec<u32>) {
        let (rows, start) = &mut self.queues[value];
        while rows.get(*start).is_some_and(|&row| self.left[row as usize] == 0) {
            *start += 1;
        }
        let taken = |row: u32| picked.iter().filter(|&&other| other == row).count() as u64;
        let open = rows[*start..].iter().copied();
        heads.extend(open.filter(|&row| self.left[row as usize] > taken(row)).take(n));
    }

    /// Collects the candidate rows.
    fn candidates(&mut self, picked: &PickedClass, candidates: &mut Vec<u32>) {
        candidates.clear();
        if self.queues.len() <= MOST_HEADS {
            let n = (WINDOW / self.queues.len()).max(1);
            for value in 0..self.queues.len() {
                self.heads(value, &picked.rows, n, candidates);
            }
            return;
        }
        let taken = |row: usize| picked.rows.iter().filter(|&&at| at as usize == row).count();
        let rows = self.first..self.rows.len();
        let open = rows.filter(|&row| self.left[row] > taken(row) as u64);
        candidates.extend(open.take(WINDOW).map(|row| row as u32));
    }

    fn point(&self, row: u32) -> &'a [u32] {
        self.points[self.rows[row as usize].at as usize]
    }

    /// Picks the first remaining row and the cheapest rows that complete the class.
    fn nearest(&mut self) -> Option<PickedClass> {
        while self.left.get(self.first).is_some_and(|&left| left == 0) {
            self.first += 1;
        }
        let pivot = self.first as u32;
        let most = (self.judge.smallest_size * PATIENCE).max(64);
        let mut picked = PickedClass::new(self.judge.attributes.len());
        let value = self.rows[self.first].value;
        picked.take(pivot, value, &self.values[value as usize]);
        let mut hull = self.space.hull(self.point(pivot));
        let mut candidates = Vec::new();
        while !self.judge.holds(&picked.counts) {
            if picked.counts.size >= most {
                return None;
            }
            self.candidates(&picked, &mut candidates);
            let fewest =
                candidates.iter().map(|&row| picked.has_of(self.rows[row as usize].value)).min()?;
            let mut cheapest: Option<(f64, u32)> = None;
            for &row in &candidates {
                if picked.has_of(self.rows[row as usize].value) > fewest {
                    continue;
                }
                let most = cheapest.map_or(f64::INFINITY, |cheapest| cheapest.0);
                if let Some(cost) = self.space.cost_with(&hull, self.point(row), most)
                    && cheapest.is_none_or(|best| cost < best.0 || row < best.1)
                {
                    cheapest = Some((cost, row));
                }
            }
            let (_, row) = cheapest?;
            let value = self.rows[row as usize].value;
            picked.take(row, value, &self.values[value as usize]);
            self.space.grow(&mut hull, self.point(row));
        }
        self.can_spare(&picked.counts).then_some(picked)
    }

    /// Picks the first rows of each sensitive value, in proportion to the remaining rows.
    fn in_shares(&mut self) -> Option<PickedClass> {
        let mut picked = PickedClass::new(self.judge.attributes.len());
        let mut taken = vec![0u64; self.values.len()];
        let mut places: Vec<(usize, u64)> =
            self.queues.iter().map(|(_, start)| (*start, 0)).collect();
        let all = u128::from(self.counts.size);
        let mut next_check = self.judge.smallest_size;
        while picked.counts.size < self.counts.size {
            let size = u128::from(picked.counts.size) + 1;
            // Computes share * size - taken, multiplied by the number of remaining rows to stay in
            // integers.
            let lack = |value: usize| {
                (u128::from(self.left_of_value[value]) * size) as i128
                    - (u128::from(taken[value]) * all) as i128
            };
            let open = (0..taken.len()).filter(|&at| taken[at] < self.left_of_value[at]);
            let value = open.max_by_key(|&value| (lack(value), std::cmp::Reverse(value)))?;
            let (place, used) = &mut places[value];
            let rows = &self.queues[value].0;
            while *used >= self.left[rows[*place] as usize] {
                (*place, *used) = (*place + 1, 0);
            }
            *used += 1;
            taken[value] += 1;
            picked.rows.push(rows[*place]);
            picked.counts.add(&self.values[value], 1);
            if picked.counts.size >= next_check {
                if self.judge.holds(&picked.counts) && self.can_spare(&picked.counts) {
                    return Some(picked);
                }
                next_check = picked.counts.size + 1 + picked.counts.size / 64;
            }
        }
        None
    }

    fn close(&mut self, picked: &PickedClass) -> Vec<Times> {
        let mut rows = picked.rows.clone();
        rows.sort_unstable();
        rows.iter().for_each(|&row| self.remove(row as usize, 1));
        rows.chunk_by(|a, b| a == b).map(|same| (same[0], same.len() as u64)).collect()
    }

    fn close_all(&mut self) -> Vec<Times> {
        let open = (0..self.rows.len()).filter(|&row| self.left[row] > 0);
        let rest: Vec<Times> = open.map(|row| (row as u32, self.left[row])).collect();
        rest.iter().for_each(|&(row, left)| self.remove(row as usize, left));
        rest
    }
}

/// An entry of the order, with the number of its rows in a class.
pub(super) type Times = (u32, u64);

/// A number of rows with equal quasi-identifiers and sensitive values.
#[derive(Debug, Clone, Copy)]
pub(super) struct Row {
    /// The position of the group in the order.
    pub at: u32,
    /// The combination of evaluated sensitive values.
    pub value: u32,
    /// Number of rows.
    pub rows: u64,
}

/// Divides rows into classes, provided that the rows satisfy the principles as one class. `values`
/// contains the codes of each combination of evaluated sensitive values.
pub(super) fn halves(
    judge: &Judge<'_>,
    values: &[Vec<u32>],
    rows: &[Row],
    all: Vec<Times>,
) -> Vec<Vec<Times>> {
    let holds = |times: &[Times]| {
        let mut counts = Counts::new(judge.attributes.len());
        for &(row, n) in times {
            counts.add(&values[rows[row as usize].value as usize], n);
        }
        judge.holds(&counts)
    };
    let mut classes = Vec::new();
    let mut open = vec![all];
    while let Some(times) = open.pop() {
        let (first, second) = halved(&times);
        if holds(&first) && holds(&second) {
            open.extend([second, first]);
        } else if !times.is_empty() {
            classes.push(times);
        }
    }
    classes
}

/// Returns the first and the second half of some rows. Rows of one tuple may be in both halves.
fn halved(times: &[Times]) -> (Vec<Times>, Vec<Times>) {
    let n_rows: u64 = times.iter().map(|times| times.1).sum();
    let mut wanted = n_rows / 2;
    let (mut first, mut second) = (Vec::new(), Vec::new());
    for &(row, n) in times {
        let taken = n.min(wanted);
        wanted -= taken;
        first.extend((taken > 0).then_some((row, taken)));
        second.extend((n > taken).then_some((row, n - taken)));
    }
    (first, second)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_differ_by_at_most_one_row() {
        assert_eq!(halved(&[(0, 2), (1, 3), (2, 1)]), (vec![(0, 2), (1, 1)], vec![(1, 2), (2, 1)]));
        assert_eq!(halved(&[(7, 1)]), (vec![], vec![(7, 1)]));
        assert_eq!(halved(&[(7, 5)]), (vec![(7, 2)], vec![(7, 3)]));
        assert_eq!(halved(&[]), (vec![], vec![]));
    }
}
