//! Streams the input again and matches each row with a counted tuple. The matches are used to write
//! columns that were not counted, and to find the person of each row.

use std::path::Path;
use std::sync::Arc;

use arrow_array::{ArrayRef, RecordBatch, UInt32Array, UInt64Array};
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use arrow_select::take::take;
use indistinct_core::model::CountedColumn;
use indistinct_core::{DROPPED, FrequencyTable, Observer};

use super::assignment::{Assignment, Share};
use super::choices::RowOrder;
use super::columns::{ColumnSource, plain_array};
use super::layout::{Layout, Limits, Progress, RowSink, tuples_of};
use super::mapping::{self, Lines, Mapping, PendingRows};
use super::output_error::OutputError;
use super::shuffle::Shuffle;
use super::sort::{Keys, Sort};
use super::spill::Scratch;
use crate::input::text::plain_type;
use crate::order::TupleIndex;
use crate::{Batches, EngineError, Fingerprint, Input, Lookup, Table, cell_text};

/// A table that can be streamed a second time.
pub trait SecondPass {
    /// Streams the given columns in row order. Columns named in `dictionaries` may be returned as
    /// dictionary arrays.
    ///
    /// # Errors
    /// Returns [`EngineError`] if a column does not exist or a file cannot be opened.
    fn batches(&self, columns: &[String], dictionaries: &[String]) -> Result<Batches, EngineError>;

    /// Returns the external table if the rows are not in files.
    fn table(&self) -> Option<&dyn Table> {
        None
    }

    /// Checks after a complete pass that the table has not changed since its rows were counted.
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
struct Track<'a> {
    lines: Lines<'a>,
    /// Rows whose class can be unknown until the complete input has been read, if any.
    pending: Option<Box<PendingRows<'a>>>,
}

impl Track<'_> {
    fn push(&mut self, share: Share) -> Result<(), EngineError> {
        match (&mut self.pending, share) {
            (None, Share::All(released)) => self.lines.push(released),
            (None, Share::Assigned) => unreachable!("assigned rows are always pending"),
            (Some(rows), Share::All(released)) => rows.push(Some(released)),
            (Some(rows), Share::Assigned) => rows.push(None),
        }
    }

    fn finish(mut self) -> Result<(), EngineError> {
        if let Some(rows) = self.pending {
            rows.finish(&mut self.lines)?;
        }
        self.lines.finish()
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

    /// Returns the schema of row batches, which is the released tuple followed by the columns that
    /// were not counted.
    fn schema(&self) -> SchemaRef {
        let tuple = Field::new("tuple", DataType::UInt32, false);
        Arc::new(Schema::new(
            std::iter::once(tuple).chain(self.extras().map(|(_, field)| field)).collect::<Vec<_>>(),
        ))
    }

    /// Streams all released rows and then verifies that the table has not changed since it was
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
        let divides = self.assignment.divides();
        let numbered = self.mapping.filter(|_| divides);
        let of_numbered =
            numbered.map(|_| Scratch::new(self.scratch, with_numbers(schema))).transpose()?;
        let of_assigned = of_numbered.as_ref().unwrap_or(scratch);
        let sort = || {
            let keys = Keys::of_any_tuples(self.layout, schema);
            keys.map(|keys| Sort::new(keys, of_assigned, self.limits))
        };
        let divided = divides.then(sort).transpose();
        let mut divided = divided.map_err(|error| EngineError::arrow(self.path, error))?;
        let of_waiting = numbered.map(|_| mapping::scratch_for(self.scratch)).transpose()?;
        let mut track = match self.mapping {
            None => None,
            Some(mapping) => {
                let waiting = of_waiting.as_ref();
                let pending = waiting.map(|it| PendingRows::new(self.layout, it, self.limits));
                let pending = pending.transpose()?.map(Box::new);
                Some(Track { lines: mapping.lines()?, pending })
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
                let schema = of_assigned.schema();
                divided.push(self.picked(schema, &batch, n_counted, to_assign, n_read)?)?;
            }
            n_read += batch.num_rows() as u64;
            progress.advance(n_rows)?;
        }
        if let Some(divided) = divided {
            self.assign(divided, track.as_mut(), progress, push)?;
        }
        matcher.finish()?;
        self.source.verify_unchanged().map_err(EngineError::in_second_pass)?;
        track.map_or(Ok(()), Track::finish)
    }

    /// Assigns the rows of divided tuples to their parts.
    fn assign(
        &self,
        divided: Sort<'_>,
        mut track: Option<&mut Track<'_>>,
        progress: &mut Progress<'_>,
        mut push: impl FnMut(RecordBatch) -> Result<(), EngineError>,
    ) -> Result<(), EngineError> {
        let mut hands = self.assignment.hands();
        divided.finish(&mut |batch| {
            let arrow = |error| EngineError::arrow(self.path, error);
            let mut batch = hands.assign(batch).map_err(arrow)?;
            let n_rows = batch.num_rows() as u64;
            if let Some(rows) = track.as_mut().and_then(|track| track.pending.as_mut()) {
                rows.decide(&batch)?;
                batch.remove_column(batch.num_columns() - 1);
            }
            if n_rows > 0 {
                push(batch)?;
            }
            progress.advance(n_rows)
        })
    }

    /// Selects rows from a batch of the input, whose first `n_counted` columns are the counted
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

/// Selected rows of a batch and their tuples.
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

/// A matcher of rows and counted tuples. The matcher checks that the frequency of each tuple is
/// unchanged.
struct Matcher {
    index: TupleIndex,
    /// Number of rows of each tuple that have not been matched yet.
    left: Vec<u64>,
}

impl Matcher {
    fn new(table: &FrequencyTable) -> Self {
        let columns: Vec<&CountedColumn> = table.columns().collect();
        let index = TupleIndex::new(&columns, table.n_tuples(), Lookup::of_table(table));
        Self { index, left: table.counts().to_vec() }
    }

    /// Finds the counted tuple of each row of a batch whose first columns are the counted columns.
    fn match_rows(
        &mut self,
        batch: &RecordBatch,
        matched: &mut Vec<u32>,
    ) -> Result<(), EngineError> {
        self.match_each(batch.columns(), batch.num_rows(), |_| 1, matched)
    }

    /// Finds the counted tuple of each row of values. Each row of values represents
    /// `rows(index)` rows.
    fn match_each(
        &mut self,
        arrays: &[ArrayRef],
        n: usize,
        rows: impl Fn(usize) -> u64,
        matched: &mut Vec<u32>,
    ) -> Result<(), EngineError> {
        self.index.find_rows(arrays, n, matched).map_err(EngineError::in_second_pass)?;
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

    fn finish(&self) -> Result<(), EngineError> {
        match self.left.iter().all(|&left| left == 0) {
            true => Ok(()),
            false => Err(OutputError::InputChanged {
                what: "a combination of values occurs less often than in the first pass",
            }
            .into()),
        }
    }
}

/// Calls a function with the counted tuple and the text of one column for each row. The column may
/// be an additional column or one of the counted columns. Rows are in input order, or in arbitrary
/// order if the table is counted elsewhere.
///
/// The dictionaries of `table` may contain additional values, but its tuples must be the counted
/// tuples.
///
/// # Errors
/// Returns [`EngineError`] if the input has changed since it was counted or cannot be read, or if
/// the observer cancels the operation.
pub fn each_row(
    source: &dyn SecondPass,
    table: &FrequencyTable,
    column: &str,
    observer: &dyn Observer,
    mut f: impl FnMut(u32, &str),
) -> Result<(), EngineError> {
    let counted: Vec<String> = table.columns().map(|column| column.name.clone()).collect();
    let place = counted.iter().position(|name| name == column);
    let more = place.is_none().then(|| column.to_owned());
    let names: Vec<String> = counted.iter().cloned().chain(more).collect();
    let mut matcher = Matcher::new(table);
    let mut matched = Vec::new();
    let mut progress = Progress::new(observer, table.n_rows());
    let place = place.unwrap_or(counted.len());
    if let Some(elsewhere) = source.table() {
        // The database counts the combinations of values, so no individual rows are fetched.
        elsewhere.tuples(&names, observer, &mut |arrays, rows| {
            matcher.match_each(arrays, rows.len(), |row| rows[row], &mut matched)?;
            for (row, (&tuple, &n)) in matched.iter().zip(rows).enumerate() {
                let text = cell_text(&arrays[place], row, column)?;
                (0..n).for_each(|_| f(tuple, &text));
            }
            Ok(())
        })?;
        return matcher.finish();
    }
    for batch in source.batches(&names, &counted)? {
        let batch = batch?;
        matcher.match_rows(&batch, &mut matched)?;
        let texts = batch.column(place);
        for (row, &tuple) in matched.iter().enumerate() {
            f(tuple, &cell_text(texts, row, column)?);
        }
        progress.advance(batch.num_rows() as u64)?;
    }
    matcher.finish()?;
    source.verify_unchanged().map_err(EngineError::in_second_pass)
}
