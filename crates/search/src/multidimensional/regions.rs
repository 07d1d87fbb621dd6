//! Splits the table into regions as long as both halves could be released.
//!
//! If merging preserves all principles, a half is acceptable if it satisfies all of them.
//! Otherwise, a half is acceptable if its partition step, which is executed, satisfies all
//! principles. If no column distinguishes classes, it is sufficient that a partition of the half
//! may exist.

use rayon::prelude::*;

use super::Split;
use super::assignment::Assigner;
use crate::stop::Stop;

/// Regions with at least this number of tuples are split by several threads.
const PARALLEL: usize = 4096;
/// In regions of at most this number of tuples, sorting finds the median.
const SMALL: usize = 64;
/// Maximum number of attributes.
pub(super) const MOST_ATTRIBUTES: usize = 64;
/// The maximum number of positions per row for which counting sort is used.
const MOST_EMPTY: usize = 2;
/// Maximum number of cuts that are tried for a region.
const MOST_TRIED: usize = 64;

/// The cost of a region per row, computed from the lowest and highest position of each attribute.
pub(super) trait Measure: Sync {
    fn cost(&self, attribute: usize, low: u32, high: u32) -> f64;

    /// Returns the contribution of a part to the objective, given its cost per row.
    fn of_part(&self, cost: f64, rows: u64) -> f64 {
        cost * rows as f64
    }
}

/// The positions of the tuples in the order of an attribute.
#[derive(Debug)]
pub(super) struct Places<'a> {
    /// The code of each tuple.
    pub codes: &'a [u32],
    /// The position of each code.
    pub of_code: Vec<u32>,
}

/// The position of a tuple in the order of each attribute.
#[derive(Debug, Clone, Copy)]
struct Row<T, const L: usize> {
    places: [T; L],
    tuple: u32,
}

/// A region and the halves of its split.
#[derive(Debug)]
pub(super) struct Region {
    /// The tuples in the order of their sensitive values; empty if the region was split and its
    /// tuples are no longer needed.
    pub tuples: Vec<u32>,
    pub halves: Option<Box<[Region; 2]>>,
}

/// A position in a compact integer type.
trait TupleNumber: Copy + Ord + Send + Sync {
    const LEAST: Self;
    const MOST: Self;
    fn from_index(place: u32) -> Self;
    fn get(self) -> u32;
}

impl TupleNumber for i16 {
    const LEAST: Self = 0;
    const MOST: Self = i16::MAX;
    fn from_index(place: u32) -> Self {
        i16::try_from(place).unwrap_or(i16::MAX)
    }
    fn get(self) -> u32 {
        u32::try_from(self).unwrap_or(0)
    }
}

impl TupleNumber for u32 {
    const LEAST: Self = 0;
    const MOST: Self = u32::MAX;
    fn from_index(place: u32) -> Self {
        place
    }
    fn get(self) -> u32 {
        self
    }
}

/// The lowest and highest positions of some rows.
#[derive(Debug, Clone, Copy)]
struct Extent<T, const L: usize> {
    low: [T; L],
    high: [T; L],
}

impl<T: TupleNumber, const L: usize> Extent<T, L> {
    const EMPTY: Self = Self { low: [T::MOST; L], high: [T::LEAST; L] };

    #[inline]
    fn add(&mut self, places: &[T; L]) {
        self.low.iter_mut().zip(places).for_each(|(low, place)| *low = (*low).min(*place));
        self.high.iter_mut().zip(places).for_each(|(high, place)| *high = (*high).max(*place));
    }
}

/// A split of a region: the positions of an attribute up to `place`, and the positions above
/// `place`.
#[derive(Debug, Clone, Copy)]
struct Cut {
    loss: f64,
    attribute: usize,
    place: u32,
}

/// The parameters of splitting.
pub(super) struct Splitter<'a> {
    pub assigner: &'a Assigner<'a>,
    pub measure: &'a dyn Measure,
    pub split: Split,
    pub n_attributes: usize,
    pub stop: &'a Stop<'a>,
}

impl Splitter<'_> {
    /// Splits some tuples, given in the order of their sensitive values. `places` contains the
    /// positions for each attribute.
    pub fn split(&self, places: &[Places<'_>], tuples: Vec<u32>) -> Region {
        let most = places.iter().flat_map(|of| &of.of_code).copied().max().unwrap_or(0);
        match (self.n_attributes, most) {
            (0..=8, 0..=32_766) => self.run::<i16, 8>(places, tuples),
            (0..=16, 0..=32_766) => self.run::<i16, 16>(places, tuples),
            (0..=16, _) => self.run::<u32, 16>(places, tuples),
            _ => self.run::<u32, 64>(places, tuples),
        }
    }

    fn run<T: TupleNumber, const L: usize>(
        &self,
        of_all: &[Places<'_>],
        tuples: Vec<u32>,
    ) -> Region {
        let row = |&tuple: &u32| {
            let mut places = [T::LEAST; L];
            for (place, of) in places.iter_mut().zip(of_all) {
                *place = T::from_index(of.of_code[of.codes[tuple as usize] as usize]);
            }
            Row { places, tuple }
        };
        let rows: Vec<Row<T, L>> = tuples.iter().map(row).collect();
        self.region(rows, tuples)
    }

    /// Splits rows. `tuples` contains the tuples of the same rows.
    fn region<T: TupleNumber, const L: usize>(
        &self,
        mut rows: Vec<Row<T, L>>,
        mut tuples: Vec<u32>,
    ) -> Region {
        if self.stop.is_requested() {
            return Region { tuples, halves: None };
        }
        let mut cuts = match self.split {
            Split::Median => self.medians(&rows),
            Split::Best => self.all_cuts(&rows),
        };
        // The order of summation may change the last digits, which must not affect the decision.
        cuts.sort_by_key(|cut| ((cut.loss.to_bits() + 0x8000) >> 16, cut.attribute, cut.place));
        cuts.truncate(MOST_TRIED);
        let chosen = cuts.into_iter().find_map(|cut| {
            let halves =
                divided(&rows, |row| row.places[cut.attribute] <= T::from_index(cut.place));
            halves.iter().all(|half| self.assigner.accepts(half)).then_some((cut, halves))
        });
        let Some((cut, [of_left, of_right])) = chosen else {
            // Release unused memory, because there are many final regions and all of them are
            // stored.
            tuples.shrink_to_fit();
            return Region { tuples, halves: None };
        };
        // Keep the order of the rows, and keep the left half in place.
        let mut right = Vec::with_capacity(of_right.len());
        let mut n_left = 0;
        for at in 0..rows.len() {
            let row = rows[at];
            if row.places[cut.attribute] <= T::from_index(cut.place) {
                rows[n_left] = row;
                n_left += 1;
            } else {
                right.push(row);
            }
        }
        rows.truncate(n_left);
        if n_left + right.len() >= PARALLEL {
            rows.shrink_to_fit();
        }
        let left = rows;
        if !self.assigner.needs_parent() {
            tuples = Vec::new();
        }
        let halves = if left.len() + right.len() >= PARALLEL {
            let (left, right) =
                rayon::join(|| self.region(left, of_left), || self.region(right, of_right));
            [left, right]
        } else {
            [self.region(left, of_left), self.region(right, of_right)]
        };
        Region { tuples, halves: Some(Box::new(halves)) }
    }

    fn cost<T: TupleNumber, const L: usize>(&self, extent: &Extent<T, L>) -> f64 {
        (0..self.n_attributes)
            .map(|at| self.measure.cost(at, extent.low[at].get(), extent.high[at].get()))
            .sum()
    }

    /// Returns the contribution of both parts to the objective.
    fn of_cut<T: TupleNumber, const L: usize>(
        &self,
        left: (&Extent<T, L>, u64),
        right: (&Extent<T, L>, u64),
    ) -> f64 {
        let of = |part: (&Extent<T, L>, u64)| self.measure.of_part(self.cost(part.0), part.1);
        of(left) + of(right)
    }

    fn rows_of<T, const L: usize>(&self, rows: &[Row<T, L>]) -> u64 {
        rows.iter().map(|row| self.assigner.judge.rows(row.tuple)).sum()
    }

    /// Returns the cut after the lower median of each attribute, if higher positions exist.
    fn medians<T: TupleNumber, const L: usize>(&self, rows: &[Row<T, L>]) -> Vec<Cut> {
        let d = self.n_attributes;
        let n_rows = self.rows_of(rows);
        if n_rows < 2 * self.assigner.judge.smallest_size {
            return Vec::new();
        }
        let whole = extent_of(rows);
        let medians: Vec<Option<u32>> = (0..d)
            .map(|at| {
                let median = self.median(rows, at, &whole, n_rows);
                (median < whole.high[at].get()).then_some(median)
            })
            .collect();
        // For an attribute that cannot be cut, the right half is empty.
        let mut thresholds = [T::MOST; L];
        for (threshold, median) in thresholds.iter_mut().zip(&medians) {
            *threshold = median.map_or(T::MOST, T::from_index);
        }
        let fold = |rows: &[Row<T, L>]| {
            let mut halves = vec![([Extent::<T, L>::EMPTY; 2], 0u64); d];
            for row in rows {
                let n = self.assigner.judge.rows(row.tuple);
                for (at, (extents, left)) in halves.iter_mut().enumerate() {
                    let is_right = row.places[at] > thresholds[at];
                    extents[usize::from(is_right)].add(&row.places);
                    *left += if is_right { 0 } else { n };
                }
            }
            halves
        };
        let halves = if rows.len() >= 4 * PARALLEL {
            rows.par_chunks(rows.len().div_ceil(8)).map(fold).reduce_with(|mut a, b| {
                for ((extents, left), (others, more)) in a.iter_mut().zip(b) {
                    for (extent, other) in extents.iter_mut().zip(others) {
                        *extent = merged(extent, &other);
                    }
                    *left += more;
                }
                a
            })
        } else {
            Some(fold(rows))
        };
        let Some(halves) = halves else { return Vec::new() };
        let cut = |(attribute, ([left, right], n_left)): (usize, ([Extent<T, L>; 2], u64))| {
            let place = medians[attribute]?;
            let loss = self.of_cut((&left, n_left), (&right, n_rows - n_left));
            Some(Cut { loss, attribute, place })
        };
        halves.into_iter().enumerate().filter_map(cut).collect()
    }

    /// Returns the position of the median row, or of the lower of two middle rows.
    fn median<T: TupleNumber, const L: usize>(
        &self,
        rows: &[Row<T, L>],
        at: usize,
        whole: &Extent<T, L>,
        n_rows: u64,
    ) -> u32 {
        let judge = self.assigner.judge;
        let wanted = (n_rows - 1) / 2;
        let mut before = 0;
        let (low, high) = (whole.low[at].get(), whole.high[at].get());
        if rows.len() <= SMALL || (high - low) as usize > 4 * rows.len() {
            let mut places: Vec<(u32, u64)> =
                rows.iter().map(|row| (row.places[at].get(), judge.rows(row.tuple))).collect();
            places.sort_unstable();
            for (place, rows) in places {
                before += rows;
                if before > wanted {
                    return place;
                }
            }
            return high;
        }
        let mut counts = vec![0u64; (high - low) as usize + 1];
        for row in rows {
            counts[(row.places[at].get() - low) as usize] += judge.rows(row.tuple);
        }
        for (place, rows) in (low..).zip(counts) {
            before += rows;
            if before > wanted {
                return place;
            }
        }
        high
    }

    /// Returns all cuts of all attributes.
    fn all_cuts<T: TupleNumber, const L: usize>(&self, rows: &[Row<T, L>]) -> Vec<Cut> {
        let smallest = self.assigner.judge.smallest_size;
        let counts: Vec<u64> = rows.iter().map(|row| self.assigner.judge.rows(row.tuple)).collect();
        let n_rows: u64 = counts.iter().sum();
        if n_rows < 2 * smallest {
            return Vec::new();
        }
        let whole = extent_of(rows);
        let cuts_of = |attribute: usize| {
            let (low, high) = (whole.low[attribute].get(), whole.high[attribute].get());
            let parts = match (high - low) as usize <= MOST_EMPTY * rows.len() {
                true => by_place(rows, &counts, (attribute, low, high)),
                false => sorted_by_place(rows, &counts, attribute),
            };
            let mut behind = vec![Extent::<T, L>::EMPTY; parts.len() + 1];
            for at in (0..parts.len()).rev() {
                behind[at] = merged(&behind[at + 1], &parts[at].extent);
            }
            let mut cuts = Vec::new();
            let (mut left, mut n_left) = (Extent::<T, L>::EMPTY, 0);
            for (part, behind) in parts.iter().zip(&behind[1..]) {
                left = merged(&left, &part.extent);
                n_left += part.n_rows;
                if n_left < smallest || n_rows - n_left < smallest {
                    continue;
                }
                let loss = self.of_cut((&left, n_left), (behind, n_rows - n_left));
                cuts.push(Cut { loss, attribute, place: part.place });
            }
            cuts
        };
        if rows.len() >= PARALLEL {
            return (0..self.n_attributes).into_par_iter().flat_map_iter(cuts_of).collect();
        }
        (0..self.n_attributes).flat_map(cuts_of).collect()
    }
}

/// The rows at one position of an attribute.
struct AtPlace<T, const L: usize> {
    place: u32,
    extent: Extent<T, L>,
    n_rows: u64,
}

/// Groups the rows by position in ascending order, which is efficient if there are many rows for
/// each position.
fn by_place<T: TupleNumber, const L: usize>(
    rows: &[Row<T, L>],
    counts: &[u64],
    (attribute, low, high): (usize, u32, u32),
) -> Vec<AtPlace<T, L>> {
    let mut parts: Vec<AtPlace<T, L>> =
        (low..=high).map(|place| AtPlace { place, extent: Extent::EMPTY, n_rows: 0 }).collect();
    for (row, count) in rows.iter().zip(counts) {
        let part = &mut parts[(row.places[attribute].get() - low) as usize];
        part.extent.add(&row.places);
        part.n_rows += count;
    }
    parts.retain(|part| part.n_rows > 0);
    parts
}

/// Like [`by_place`], for few rows.
fn sorted_by_place<T: TupleNumber, const L: usize>(
    rows: &[Row<T, L>],
    counts: &[u64],
    attribute: usize,
) -> Vec<AtPlace<T, L>> {
    let mut sorted: Vec<(u32, usize)> =
        rows.iter().enumerate().map(|(at, row)| (row.places[attribute].get(), at)).collect();
    sorted.sort_unstable();
    let mut parts: Vec<AtPlace<T, L>> = Vec::new();
    for (place, at) in sorted {
        if parts.last().is_none_or(|part| part.place != place) {
            parts.push(AtPlace { place, extent: Extent::EMPTY, n_rows: 0 });
        }
        if let Some(part) = parts.last_mut() {
            part.extent.add(&rows[at].places);
            part.n_rows += counts[at];
        }
    }
    parts
}

/// Returns the tuples of the rows on the left and of the remaining rows, in the original order.
fn divided<T: TupleNumber, const L: usize>(
    rows: &[Row<T, L>],
    is_left: impl Fn(&Row<T, L>) -> bool,
) -> [Vec<u32>; 2] {
    let (mut left, mut right) = (Vec::with_capacity(rows.len()), Vec::new());
    for row in rows {
        if is_left(row) {
            left.push(row.tuple);
        } else {
            right.push(row.tuple);
        }
    }
    [left, right]
}

fn merged<T: TupleNumber, const L: usize>(a: &Extent<T, L>, b: &Extent<T, L>) -> Extent<T, L> {
    let mut both = *a;
    both.low.iter_mut().zip(&b.low).for_each(|(low, other)| *low = (*low).min(*other));
    both.high.iter_mut().zip(&b.high).for_each(|(high, other)| *high = (*high).max(*other));
    both
}

fn extent_of<T: TupleNumber, const L: usize>(rows: &[Row<T, L>]) -> Extent<T, L> {
    let mut extent = Extent::EMPTY;
    for row in rows {
        extent.add(&row.places);
    }
    extent
}

impl Region {
    /// Returns the regions that were not split, in the order of the splits.
    pub fn leaves(self) -> Vec<Vec<u32>> {
        let mut leaves = Vec::new();
        let mut open = vec![self];
        while let Some(region) = open.pop() {
            match region.halves {
                Some(halves) => {
                    let [left, right] = *halves;
                    open.push(right);
                    open.push(left);
                }
                None => leaves.push(region.tuples),
            }
        }
        leaves
    }
}
