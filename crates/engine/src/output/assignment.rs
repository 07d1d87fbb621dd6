//! Assigns the rows of a divided tuple to the parts of the tuple.
//!
//! Rows of the same tuple differ only in columns that were not counted. The rows are sorted by
//! these columns, so the order of the input has no effect, and then assigned at random. The random
//! numbers depend on the key of the row order. A sorted release uses a fixed key, so it depends
//! only on the rows.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

use arrow_array::{ArrayRef, BooleanArray, RecordBatch, UInt32Array};
use arrow_schema::ArrowError;
use arrow_select::filter::filter_record_batch;
use indistinct_core::{DROPPED, FrequencyTable, Part};
use rand_chacha::ChaCha20Rng;

use super::layout::tuples_of;
use super::permutation::{Purpose, random, shuffled};

/// The released tuples to which the rows of a counted tuple belong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Share {
    /// All rows belong to the same released tuple, or are dropped ([`DROPPED`]).
    All(u32),
    /// The rows are divided among several released tuples.
    Assigned,
}

/// Marker for a counted tuple whose rows are divided.
const ASSIGNED: u32 = u32::MAX - 1;

/// The released tuples of each counted tuple.
#[derive(Debug)]
pub(super) struct Assignment<'a> {
    /// For each counted tuple, the released tuple of all rows of the tuple, or [`DROPPED`]
    /// or [`ASSIGNED`].
    shares: Cow<'a, [u32]>,
    /// For each divided tuple, the released tuples (or [`DROPPED`]) in ascending order, with their
    /// number of rows.
    assigned: BTreeMap<u32, Vec<(u32, u64)>>,
    /// Key that determines the assignment of rows.
    key: [u8; 32],
}

impl<'a> Assignment<'a> {
    /// Creates an assignment. `released_of` contains a released tuple (or [`DROPPED`]) for each
    /// part of a counted tuple, or for each counted tuple if no tuple is divided.
    pub(super) fn new(
        counted: &FrequencyTable,
        parts: Option<&[Part]>,
        released_of: &'a [u32],
        key: [u8; 32],
    ) -> Self {
        let Some(parts) = parts else {
            return Self { shares: Cow::Borrowed(released_of), assigned: BTreeMap::new(), key };
        };
        let mut shares = vec![DROPPED; counted.n_tuples()];
        let mut assigned = BTreeMap::new();
        let mut at = 0;
        for of_tuple in parts.chunk_by(|a, b| a.tuple == b.tuple) {
            let released = &released_of[at..at + of_tuple.len()];
            at += of_tuple.len();
            let tuple = of_tuple[0].tuple;
            if released.iter().all(|tuple| *tuple == released[0]) {
                shares[tuple as usize] = released[0];
                continue;
            }
            let mut rows_of: BTreeMap<u32, u64> = BTreeMap::new();
            for (part, &released) in of_tuple.iter().zip(released) {
                *rows_of.entry(released).or_default() += part.rows;
            }
            shares[tuple as usize] = ASSIGNED;
            assigned.insert(tuple, rows_of.into_iter().collect());
        }
        Self { shares: Cow::Owned(shares), assigned, key }
    }

    /// Returns the released tuples for the rows of a counted tuple.
    pub(super) fn of(&self, tuple: u32) -> Share {
        match self.shares[tuple as usize] {
            ASSIGNED => Share::Assigned,
            released => Share::All(released),
        }
    }

    /// Returns whether any tuple is divided.
    pub(super) fn divides(&self) -> bool {
        !self.assigned.is_empty()
    }

    /// Returns an assigner that assigns rows to the parts in sequence. The rows may be in any
    /// order, but must not differ in any released column.
    pub(super) fn in_turn(&self) -> InTurn<'_> {
        InTurn { assignment: self, next: BTreeMap::new() }
    }

    /// Returns a random assigner for rows whose counted tuples are in ascending order.
    pub(super) fn hands(&self) -> Hands<'_> {
        let random = random(self.key, Purpose::Parts);
        Hands { assignment: self, random, tuple: None, left: Vec::new() }
    }
}

/// Assigns rows to parts in sequence, which is sufficient if the rows are interchangeable.
pub(super) struct InTurn<'a> {
    assignment: &'a Assignment<'a>,
    /// Next released tuple of each divided tuple and the number of rows assigned to it.
    next: BTreeMap<u32, (usize, u64)>,
}

impl InTurn<'_> {
    /// Returns the released tuple (or [`DROPPED`]) of the next row of a counted tuple.
    pub(super) fn next(&mut self, tuple: u32) -> u32 {
        let released = match self.assignment.of(tuple) {
            Share::All(released) => return released,
            Share::Assigned => &self.assignment.assigned[&tuple],
        };
        let (at, n_rows) = self.next.entry(tuple).or_default();
        if *n_rows == released[*at].1 {
            (*at, *n_rows) = (*at + 1, 0);
        }
        *n_rows += 1;
        // Tuples that have more rows than expected were already rejected.
        released[*at].0
    }
}

/// Assigns rows to parts at random, tuple by tuple.
pub(super) struct Hands<'a> {
    assignment: &'a Assignment<'a>,
    random: ChaCha20Rng,
    tuple: Option<u32>,
    /// The released tuples of the remaining rows of the current tuple, in reverse order.
    left: Vec<u32>,
}

impl Hands<'_> {
    /// Replaces the counted tuples of a batch with released tuples and removes dropped rows.
    pub(super) fn assign(&mut self, batch: &RecordBatch) -> Result<RecordBatch, ArrowError> {
        let released: Vec<u32> =
            tuples_of(batch).values().iter().map(|&at| self.next(at)).collect();
        let retained: BooleanArray = released.iter().map(|&tuple| Some(tuple != DROPPED)).collect();
        let mut columns: Vec<ArrayRef> = batch.columns().to_vec();
        columns[0] = Arc::new(UInt32Array::from(released));
        filter_record_batch(&RecordBatch::try_new(batch.schema(), columns)?, &retained)
    }

    /// Returns the released tuple of the next row of a counted tuple.
    fn next(&mut self, tuple: u32) -> u32 {
        if self.tuple != Some(tuple) {
            let shares = self.assignment.assigned.get(&tuple);
            let slots: Vec<u32> = shares
                .into_iter()
                .flatten()
                .flat_map(|&(released, rows)| std::iter::repeat_n(released, rows as usize))
                .collect();
            let order = shuffled(slots.len() as u32, &mut self.random);
            self.left = order.into_iter().map(|at| slots[at as usize]).collect();
            self.tuple = Some(tuple);
        }
        // Tuples that have more rows than expected were already rejected.
        self.left.pop().expect("each tuple has the counted number of rows")
    }
}
