//! Writes columns that were not counted. The input is streamed again, and each row is matched with
//! a counted tuple.

use std::hash::BuildHasher;
use std::path::Path;
use std::sync::Arc;

use arrow_array::{ArrayRef, RecordBatch, UInt32Array, UInt64Array};
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use arrow_select::take::take;
use hashbrown::HashTable;
use indistinct_core::{DROPPED, FrequencyTable, Observer};
use rayon::prelude::*;
use rustc_hash::FxBuildHasher;

use super::assignment::{Assignment, Share};
use super::choices::RowOrder;
use super::columns::{ColumnSource, plain_array};
use super::layout::{Layout, Limits, Progress, tuples_of};
use super::mapping::{self, Lines, Mapping, PendingRows};
use super::output_error::OutputError;
use super::packing::Packing;
use super::shuffle::Shuffle;
use super::sink::RowSink;
use super::sort::{Keys, Sort};
use super::spill::Scratch;
use crate::input::text::plain_type;
use crate::{Batches, EngineError, Fingerprint, Input, Lookup, Table};

/// Number of rows that a thread looks up at a time.
const PIECE_ROWS: usize = 4096;

/// A table that can be streamed a second time.
pub trait SecondPass {
    /// Streams the given columns in row order. Columns named in `dictionaries` may be returned as
    /// dictionary arrays.
    ///
    /// # Errors
    /// Returns [`EngineError`] if a column does not exist or a file cannot be opened.
    fn batches(&self, columns: &[String], dictionaries: &[String]) -> Result<Batches, EngineError>;

    /// Returns the external table, if the rows are not in files.
    fn table(&self) -> Option<&dyn Table> {
        None
    }

    /// Checks, after a complete pass, that the table has not changed since it was counted.
    ///
    /// # Errors
    /// Returns [`EngineError::Changed`] if the table differs, or another [`EngineError`] if a file
    /// cannot be read.
    fn verify_unchanged(&self) -> Result<(), EngineError>;
}

/// An input and its fingerprint at the time of counting.
#[derive(Debug, Clone, Copy)]
pub struct CountedInput<'a> {
    /// The input.
    pub input: &'a Input,
    /// Fingerprint computed in pass 1.
    pub fingerprint: &'a Fingerprint,
}

impl SecondPass for CountedInput<'_> {
    fn batches(&self, columns: &[String], dictionaries: &[String]) -> Result<Batches, EngineError> {
        self.input.batches_with_dictionaries(columns, dictionaries)
    }

    fn table(&self) -> Option<&dyn Table> {
        self.input.table()
    }

    fn verify_unchanged(&self) -> Result<(), EngineError> {
        self.input.verify_unchanged(self.fingerprint)
    }
}

/// The second pass over a table.
pub(super) struct Pass<'a> {
    pub(super) path: &'a Path,
    pub(super) source: &'a dyn SecondPass,
    pub(super) table: &'a FrequencyTable,
    /// The released tuples that correspond to each counted tuple.
    pub(super) assignment: Assignment<'a>,
    pub(super) layout: &'a Layout<'a>,
    pub(super) order: RowOrder,
    pub(super) scratch: &'a Path,
    pub(super) limits: Limits,
    /// Destination of the mapping from input rows to classes, if requested.
    pub(super) mapping: Option<&'a Mapping<'a>>,
}

/// Writes the mapping if every released column was counted. In that case, the rows of a tuple are
/// interchangeable.
pub(super) fn map_counted(
    mapping: &Mapping<'_>,
    source: &dyn SecondPass,
    table: &FrequencyTable,
    assignment: &Assignment<'_>,
    observer: &dyn Observer,
) -> Result<(), EngineError> {
    let counted: Vec<String> = table.columns().map(|column| column.name.clone()).collect();
    let mut matcher = Matcher::new(table);
    let mut matched = Vec::new();
    let mut in_turn = assignment.in_turn();
    let mut lines = mapping.lines()?;
    let mut progress = Progress::new(observer, table.n_rows());
    for batch in source.batches(&counted, &counted)? {
        let batch = batch?;
        matcher.match_rows(&batch, &mut matched)?;
        matched.iter().try_for_each(|&tuple| lines.push(in_turn.next(tuple)))?;
        progress.advance(batch.num_rows() as u64)?;
    }
    matcher.finish()?;
    source.verify_unchanged().map_err(EngineError::in_second_pass)?;
    lines.finish()
}

/// State of the mapping file while rows are read.
enum Track<'a> {
    Lines(Lines<'a>),
    Waiting(Lines<'a>, Box<PendingRows<'a>>),
}

impl Track<'_> {
    fn push(&mut self, share: Share) -> Result<(), EngineError> {
        match (self, share) {
            (Self::Lines(lines), Share::All(released)) => lines.push(released),
            (Self::Lines(_), Share::Assigned) => unreachable!("assigned rows are always pending"),
            (Self::Waiting(_, rows), Share::All(released)) => rows.push(Some(released)),
            (Self::Waiting(_, rows), Share::Assigned) => rows.push(None),
        }
    }

    fn decide(&mut self, batch: &RecordBatch) -> Result<(), EngineError> {
        match self {
            Self::Lines(_) => Ok(()),
            Self::Waiting(_, rows) => rows.decide(batch),
        }
    }

    fn finish(self) -> Result<(), EngineError> {
        match self {
            Self::Lines(lines) => lines.finish(),
            Self::Waiting(mut lines, rows) => {
                rows.finish(&mut lines)?;
                lines.finish()
            }
        }
    }
}

impl Pass<'_> {
    /// Streams the table, orders its released rows, and passes them to the sink.
    pub(super) fn run<W>(
        &self,
        sink: &mut dyn RowSink<W>,
        observer: &dyn Observer,
    ) -> Result<(), EngineError> {
        let schema = self.schema();
        let scratch = Scratch::new(self.scratch, Arc::clone(&schema))?;
        let n_released = self.layout.tuples.n_rows();
        let mut read_progress = Progress::new(observer, 2 * n_released);
        let mut emit_progress = Progress::starting_at(observer, n_released, 2 * n_released);
        let mut emit = |batch: &RecordBatch| {
            sink.push(tuples_of(batch).values(), &batch.columns()[1..])?;
            emit_progress.advance(batch.num_rows() as u64)
        };
        match self.order {
            RowOrder::Sorted => {
                let keys = Keys::new(self.layout, &schema)
                    .map_err(|error| EngineError::arrow(self.path, error))?;
                let mut sort = Sort::new(keys, &scratch, self.limits);
                self.read(&schema, &scratch, &mut read_progress, |batch| sort.push(batch))?;
                sort.finish(&mut emit)
            }
            RowOrder::Shuffled { key } => {
                let mut shuffle = Shuffle::new(key, n_released, &scratch, self.limits)?;
                self.read(&schema, &scratch, &mut read_progress, |batch| shuffle.push(batch))?;
                shuffle.finish(&mut emit)
            }
        }
    }

    fn extras(&self) -> impl Iterator<Item = (&str, Field)> {
        self.layout.columns.iter().filter_map(|column| match &column.source {
            ColumnSource::Insensitive(name) => {
                let field = Field::new(&column.name, plain_type(&column.data_type), true);
                Some((name.as_str(), field))
            }
            _ => None,
        })
    }

    /// Returns the schema of row batches: the released tuple, followed by the columns that were not
    /// counted.
    fn schema(&self) -> SchemaRef {
        let tuple = Field::new("tuple", DataType::UInt32, false);
        Arc::new(Schema::new(
            std::iter::once(tuple).chain(self.extras().map(|(_, field)| field)).collect::<Vec<_>>(),
        ))
    }

    /// Streams all released rows, and then verifies that the table has not changed since it was
    /// counted.
    fn read(
        &self,
        schema: &SchemaRef,
        scratch: &Scratch,
        progress: &mut Progress<'_>,
        mut push: impl FnMut(RecordBatch) -> Result<(), EngineError>,
    ) -> Result<(), EngineError> {
        let counted: Vec<String> = self.table.columns().map(|column| column.name.clone()).collect();
        let n_counted = counted.len();
        let mut names = counted.clone();
        names.extend(self.extras().map(|(name, _)| name.to_owned()));
        let mut matcher = Matcher::new(self.table);
        let mut matched = Vec::new();
        // Rows of divided tuples include their row numbers, which are not used for sorting.
        let of_numbered = match self.mapping {
            Some(_) if self.assignment.divides() => {
                Some(Scratch::new(self.scratch, with_numbers(schema))?)
            }
            _ => None,
        };
        let of_assigned = of_numbered.as_ref().unwrap_or(scratch);
        let assigned_schema = Arc::clone(of_assigned.schema());
        let mut divided = match self.assignment.divides() {
            true => {
                let keys = Keys::of_any_tuples(self.layout, schema)
                    .map_err(|error| EngineError::arrow(self.path, error))?;
                Some(Sort::new(keys, of_assigned, self.limits))
            }
            false => None,
        };
        let of_waiting = match of_numbered {
            Some(_) => Some(mapping::scratch_for(self.scratch)?),
            None => None,
        };
        let mut track = match (self.mapping, &of_waiting) {
            (None, _) => None,
            (Some(mapping), None) => Some(Track::Lines(mapping.lines()?)),
            (Some(mapping), Some(scratch)) => {
                let waiting = PendingRows::new(self.layout, scratch, self.limits)?;
                Some(Track::Waiting(mapping.lines()?, Box::new(waiting)))
            }
        };
        let mut n_read = 0;
        for batch in self.source.batches(&names, &counted)? {
            let batch = batch?;
            matcher.match_rows(&batch, &mut matched)?;
            let mut whole = PickedRows::default();
            let mut to_assign = PickedRows::default();
            for (&tuple, row) in matched.iter().zip(0..) {
                let share = self.assignment.of(tuple);
                if let Some(track) = &mut track {
                    track.push(share)?;
                }
                match share {
                    Share::All(DROPPED) => {}
                    Share::All(released) => whole.push(row, released),
                    Share::Assigned => to_assign.push(row, tuple),
                }
            }
            let n_rows = whole.rows.len() as u64;
            if n_rows > 0 {
                push(self.picked(schema, &batch, n_counted, whole, n_read)?)?;
            }
            if let Some(divided) = divided.as_mut().filter(|_| !to_assign.rows.is_empty()) {
                divided.push(self.picked(
                    &assigned_schema,
                    &batch,
                    n_counted,
                    to_assign,
                    n_read,
                )?)?;
            }
            n_read += batch.num_rows() as u64;
            progress.advance(n_rows)?;
        }
        if let Some(divided) = divided {
            let mut hands = self.assignment.hands();
            divided.finish(&mut |batch| {
                let arrow = |error| EngineError::arrow(self.path, error);
                let mut batch = hands.assign(batch).map_err(arrow)?;
                let n_rows = batch.num_rows() as u64;
                if let Some(track @ Track::Waiting(..)) = &mut track {
                    track.decide(&batch)?;
                    batch.remove_column(batch.num_columns() - 1);
                }
                if n_rows > 0 {
                    push(batch)?;
                }
                progress.advance(n_rows)
            })?;
        }
        matcher.finish()?;
        self.source.verify_unchanged().map_err(EngineError::in_second_pass)?;
        track.map_or(Ok(()), Track::finish)
    }

    /// Selects rows from a batch of the input; `n_counted` is the number of leading counted
    /// columns. The result contains the tuple, the columns that were not counted, and the row
    /// number if the schema includes it.
    fn picked(
        &self,
        schema: &SchemaRef,
        batch: &RecordBatch,
        n_counted: usize,
        picked: PickedRows,
        n_before: u64,
    ) -> Result<RecordBatch, EngineError> {
        let rows = UInt32Array::from(picked.rows);
        let mut columns: Vec<ArrayRef> = vec![Arc::new(UInt32Array::from(picked.tuples))];
        for (array, field) in batch.columns()[n_counted..].iter().zip(&schema.fields()[1..]) {
            let array = take(array, &rows, None).and_then(|array| plain_array(&array));
            let array = array.map_err(|error| EngineError::arrow(self.path, error))?;
            if array.data_type() != field.data_type() {
                return Err(OutputError::InvalidColumn {
                    column: field.name().clone(),
                    reason: "the type of the column in the input differs from the requested type",
                }
                .into());
            }
            columns.push(array);
        }
        if columns.len() < schema.fields().len() {
            let numbers = rows.values().iter().map(|&row| n_before + u64::from(row));
            columns.push(Arc::new(UInt64Array::from_iter_values(numbers)));
        }
        RecordBatch::try_new(Arc::clone(schema), columns)
            .map_err(|error| EngineError::arrow(self.path, error))
    }
}

/// Appends the row number in the input to a schema.
fn with_numbers(schema: &Schema) -> SchemaRef {
    let number = Arc::new(Field::new("row", DataType::UInt64, false));
    Arc::new(Schema::new(schema.fields().iter().cloned().chain([number]).collect::<Vec<_>>()))
}

/// Selected rows of a batch with their tuples.
#[derive(Debug, Default)]
struct PickedRows {
    rows: Vec<u32>,
    tuples: Vec<u32>,
}

impl PickedRows {
    fn push(&mut self, row: u32, tuple: u32) {
        self.rows.push(row);
        self.tuples.push(tuple);
    }
}

/// Matches rows with counted tuples, and checks that the frequency of each tuple is unchanged.
pub(super) struct Matcher<'a> {
    lookups: Vec<Lookup>,
    packing: Packing,
    words: Vec<u64>,
    index: HashTable<u32>,
    left: Vec<u64>,
    codes: Vec<Vec<u32>>,
    table: &'a FrequencyTable,
}

impl<'a> Matcher<'a> {
    pub(super) fn new(table: &'a FrequencyTable) -> Self {
        let sizes: Vec<usize> = table.columns().map(|column| column.dictionary.len()).collect();
        let packing = Packing::new(&sizes);
        let mut words = vec![0; packing.n_words * table.n_tuples()];
        for (field, column) in packing.fields.iter().zip(table.columns()) {
            for (packed, &code) in words.chunks_exact_mut(packing.n_words).zip(&column.codes) {
                packed[field.word] |= field.put(code);
            }
        }
        let n_words = packing.n_words;
        let hash = |tuple: &u32| hash_of(&words[*tuple as usize * n_words..][..n_words]);
        let mut index = HashTable::with_capacity(table.n_tuples());
        for tuple in 0..table.n_tuples() as u32 {
            index.insert_unique(hash(&tuple), tuple, hash);
        }
        Self {
            lookups: Lookup::of_table(table),
            packing,
            index,
            left: table.counts().to_vec(),
            codes: vec![Vec::new(); sizes.len()],
            words,
            table,
        }
    }

    /// Finds the counted tuple of each row of a batch whose first columns are the counted columns.
    pub(super) fn match_rows(
        &mut self,
        batch: &RecordBatch,
        matched: &mut Vec<u32>,
    ) -> Result<(), EngineError> {
        self.match_each(batch.columns(), batch.num_rows(), |_| 1, matched)
    }

    /// Finds the counted tuples of values that each represent several rows.
    pub(super) fn match_counted(
        &mut self,
        arrays: &[ArrayRef],
        rows: &[u64],
        matched: &mut Vec<u32>,
    ) -> Result<(), EngineError> {
        self.match_each(arrays, rows.len(), |row| rows[row], matched)
    }

    fn match_each(
        &mut self,
        arrays: &[ArrayRef],
        n: usize,
        rows: impl Fn(usize) -> u64,
        matched: &mut Vec<u32>,
    ) -> Result<(), EngineError> {
        for ((lookup, codes), array) in self.lookups.iter_mut().zip(&mut self.codes).zip(arrays) {
            codes.clear();
            lookup.codes(array, codes).map_err(EngineError::in_second_pass)?;
        }
        matched.clear();
        matched.resize(n, DROPPED);
        // Several threads perform lookups in parallel, because most of the time is spent waiting
        // for memory.
        let pieces = matched.par_chunks_mut(PIECE_ROWS).enumerate();
        pieces.for_each(|(piece, matched)| self.find(piece * PIECE_ROWS, matched));
        for (row, &tuple) in matched.iter().enumerate() {
            let left = self.left.get_mut(tuple as usize).ok_or(OutputError::InputChanged {
                what: "a combination of values was not counted in the first pass",
            })?;
            *left = left.checked_sub(rows(row)).ok_or(OutputError::InputChanged {
                what: "a combination of values occurs more often than in the first pass",
            })?;
        }
        Ok(())
    }

    /// Finds the counted tuples of consecutive rows of the batch, starting at `first`; the result
    /// is [`DROPPED`] if no tuple matches.
    fn find(&self, first: usize, matched: &mut [u32]) {
        let n_words = self.packing.n_words;
        let mut packed = vec![0; n_words];
        for (row, tuple) in (first..).zip(matched) {
            packed.fill(0);
            for (field, codes) in self.packing.fields.iter().zip(&self.codes) {
                packed[field.word] |= field.put(codes[row]);
            }
            let same =
                |tuple: &u32| self.words[*tuple as usize * n_words..][..n_words] == packed[..];
            *tuple = self.index.find(hash_of(&packed), same).copied().unwrap_or(DROPPED);
        }
    }

    pub(super) fn finish(&self) -> Result<(), EngineError> {
        debug_assert_eq!(self.left.len(), self.table.n_tuples());
        if self.left.iter().all(|&left| left == 0) {
            return Ok(());
        }
        Err(OutputError::InputChanged {
            what: "a combination of values occurs less often than in the first pass",
        }
        .into())
    }
}

fn hash_of(words: &[u64]) -> u64 {
    FxBuildHasher.hash_one(words)
}
