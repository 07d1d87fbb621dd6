//! The heuristic for principles on sensitive values: classes are picked from the frontier, the next row of each
//! sensitive value.
//!
//! Every class starts with the first row left and takes rows of the sensitive values that it has least of, of these the one
//! that costs least, until it holds. If the rows left behind would not hold as one class, the class is picked anew, in the
//! shares that the sensitive values have among the rows left (for frequency l-diversity that is one row of each of the most
//! frequent sensitive values, as in the text). So the rows left always hold, and the last class takes them all: since
//! merging keeps the principles, classes are found wherever the table holds.

use super::halves::halves;
use super::judge::{Counts, Judge};
use super::rows::{Row, Times};
use super::space::Space;
use crate::stop::Stop;

/// With more distinct sensitive values than this, only the next rows of the order are looked at.
const MOST_HEADS: usize = 256;

/// How many rows are looked at, those of all sensitive values together.
const WINDOW: usize = 64;

/// A picked class stops growing, if it does not hold, at this multiple of the smallest size (and at least that many rows).
const PATIENCE: u64 = 8;

/// Rows in the order of the curve, and what is left of them.
pub(super) struct Frontier<'a> {
    space: &'a Space,
    judge: &'a Judge<'a>,
    points: &'a [&'a [u32]],
    /// For each combination of judged sensitive values the codes.
    values: &'a [Vec<u32>],
    rows: &'a [Row],
    left: Vec<u64>,
    /// The first row with something left.
    first: usize,
    /// For each sensitive value its rows, and the first of them with something left.
    queues: Vec<(Vec<u32>, usize)>,
    left_of_value: Vec<u64>,
    counts: Counts,
}

/// A class that is being picked: rows by their position, and what it holds.
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

    /// Divides all rows into classes; the rows as one class hold. What is left when it is told to stop is halved.
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

    /// Groups of equal quasi-identifiers that hold and that the others can do without.
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

    /// The first rows of a sensitive value with something left, beyond what was picked.
    fn heads(&mut self, value: usize, picked: &[u32], n: usize, heads: &mut Vec<u32>) {
        let (rows, start) = &mut self.queues[value];
        while rows.get(*start).is_some_and(|&row| self.left[row as usize] == 0) {
            *start += 1;
        }
        let taken = |row: u32| picked.iter().filter(|&&other| other == row).count() as u64;
        let open = rows[*start..].iter().copied();
        heads.extend(open.filter(|&row| self.left[row as usize] > taken(row)).take(n));
    }

    /// The rows to choose from.
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

    /// The first row left, and what goes with it at the least cost.
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

    /// The first rows of each sensitive value, in the shares of what is left.
    fn in_shares(&mut self) -> Option<PickedClass> {
        let mut picked = PickedClass::new(self.judge.attributes.len());
        let mut taken = vec![0u64; self.values.len()];
        let mut places: Vec<(usize, u64)> =
            self.queues.iter().map(|(_, start)| (*start, 0)).collect();
        let all = u128::from(self.counts.size);
        let mut next_check = self.judge.smallest_size;
        while picked.counts.size < self.counts.size {
            let size = u128::from(picked.counts.size) + 1;
            // share * size - taken, as a whole number.
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
