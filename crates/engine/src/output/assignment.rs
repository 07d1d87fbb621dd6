//! Which rows of a counted tuple go to which of its parts.
//!
//! Rows of one tuple differ in columns that were not counted alone. They are put in the order of these, so that the order of
//! the input is of no matter, and then dealt at random: by the key of the order of rows, or in a sorted release by a fixed key,
//! so that a sorted release depends on nothing but the rows.

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

/// What becomes of the rows of a counted tuple.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Share {
    /// All are released as one tuple, or dropped ([`DROPPED`]).
    All(u32),
    /// They are dealt to several released tuples.
    Assigned,
}

/// Stands for the released tuple of one that is dealt.
const ASSIGNED: u32 = u32::MAX - 1;

/// For each counted tuple the released ones that its rows go to.
#[derive(Debug)]
pub(super) struct Assignment<'a> {
    /// For each counted tuple the released one of all its rows (or [`DROPPED`]), or [`ASSIGNED`].
    shares: Cow<'a, [u32]>,
    /// For each counted tuple whose rows are dealt: the released ones (or [`DROPPED`]), ascending, with the rows that go to each.
    assigned: BTreeMap<u32, Vec<(u32, u64)>>,
    /// What decides which row goes where.
    key: [u8; 32],
}

impl<'a> Assignment<'a> {
    /// `released_of` has a released tuple (or [`DROPPED`]) for each part of a counted tuple, or for each counted tuple where
    /// all stay whole.
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

    /// What becomes of the rows of a counted tuple.
    pub(super) fn of(&self, tuple: u32) -> Share {
        match self.shares[tuple as usize] {
            ASSIGNED => Share::Assigned,
            released => Share::All(released),
        }
    }

    /// Whether there is a tuple whose rows are dealt.
    pub(super) fn divides(&self) -> bool {
        !self.assigned.is_empty()
    }

    /// A dealer for rows that come in any order and differ in nothing that is released: the first ones go to the first.
    pub(super) fn in_turn(&self) -> InTurn<'_> {
        InTurn { assignment: self, next: BTreeMap::new() }
    }

    /// A dealer for rows of counted tuples that come in ascending order.
    pub(super) fn hands(&self) -> Hands<'_> {
        let random = random(self.key, Purpose::Parts);
        Hands { assignment: self, random, tuple: None, left: Vec::new() }
    }
}

/// Deals rows of equal values, one after the other.
pub(super) struct InTurn<'a> {
    assignment: &'a Assignment<'a>,
    /// For each counted tuple that is dealt, which of its released ones is next, and how many rows that had.
    next: BTreeMap<u32, (usize, u64)>,
}

impl InTurn<'_> {
    /// The released tuple (or [`DROPPED`]) of the next row of a counted tuple.
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
        // A tuple with more rows than were counted has been found out before.
        released[*at].0
    }
}

/// Deals rows, tuple by tuple.
pub(super) struct Hands<'a> {
    assignment: &'a Assignment<'a>,
    random: ChaCha20Rng,
    tuple: Option<u32>,
    /// The released tuples of the rows of the current tuple that are still to come, the last one first.
    left: Vec<u32>,
}

impl Hands<'_> {
    /// Replaces the counted tuples of a batch of rows by released ones; rows that are dropped are left out.
    pub(super) fn assign(&mut self, batch: &RecordBatch) -> Result<RecordBatch, ArrowError> {
        let released: Vec<u32> =
            tuples_of(batch).values().iter().map(|&at| self.next(at)).collect();
        let retained: BooleanArray = released.iter().map(|&tuple| Some(tuple != DROPPED)).collect();
        let mut columns: Vec<ArrayRef> = batch.columns().to_vec();
        columns[0] = Arc::new(UInt32Array::from(released));
        filter_record_batch(&RecordBatch::try_new(batch.schema(), columns)?, &retained)
    }

    /// Where the next row of a counted tuple goes.
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
        // A tuple with more rows than were counted has been found out before.
        self.left.pop().expect("each tuple has as many rows as were counted")
    }
}
