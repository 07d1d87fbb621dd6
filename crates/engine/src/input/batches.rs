//! The rows of an input as record batches, in input order.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError};

use arrow_array::{ArrayRef, RecordBatch, StringArray};
use arrow_buffer::{OffsetBuffer, ScalarBuffer};
use arrow_schema::{DataType, Field, Schema, SchemaRef};

use super::blocks::{Block, BlockError, BlockReader};
use super::csv::{self, Fields, Flaw, FlawAt, Slots, check_utf8, count_lines};
use super::json::{self, JsonParser};
use super::parquet::{ParquetFile, Selection};
use super::{Conversion, Format, Input, InputColumn, ObservedDigests, ipc, parquet};
use crate::EngineError;

/// Number of rows in each batch read from Parquet.
const BATCH_ROWS: usize = 16 * 1024;

enum Parser {
    Csv { delimiter: u8, slots: Slots, schema: SchemaRef },
    Json(JsonParser),
}

/// Iterator over the batches of CSV and JSON files, with one or more batches for each block.
pub(super) struct TextBatches {
    files: Vec<PathBuf>,
    blocks: BlockReader,
    parser: Parser,
    /// Name and conversion of each requested column.
    conversions: Vec<(String, Conversion)>,
    observed: ObservedDigests,
    buffer: Vec<u8>,
    pending: VecDeque<RecordBatch>,
    /// Position in the input: the index of the file, and the number of lines and rows that have
    /// been read from it.
    position: (usize, u64, u64),
    ended: bool,
}

impl TextBatches {
    pub(super) fn new(input: &Input, indices: &[usize]) -> Self {
        let columns: Vec<InputColumn> = input.stored_columns(indices);
        let parser = match input.delimiter() {
            Some(delimiter) => {
                let field = |column: &InputColumn| Field::new(&column.name, DataType::Utf8, false);
                let schema = Schema::new(columns.iter().map(field).collect::<Vec<_>>());
                Parser::Csv { delimiter, slots: input.slots(indices), schema: Arc::new(schema) }
            }
            None => Parser::Json(JsonParser::new(&columns)),
        };
        Self {
            files: input.files.clone(),
            blocks: input.blocks(),
            parser,
            conversions: indices
                .iter()
                .map(|&at| (input.columns[at].name.clone(), input.conversion(at)))
                .collect(),
            observed: Arc::clone(&input.observed),
            buffer: Vec::new(),
            pending: VecDeque::new(),
            position: (0, 0, 0),
            ended: false,
        }
    }

    /// Reads the next block; returns `false` at the end.
    fn advance(&mut self) -> Result<bool, EngineError> {
        let block = match self.blocks.next(&mut self.buffer) {
            Ok(Some(block)) => block,
            Ok(None) => {
                let digests = self.blocks.complete_digests().map(<[_]>::to_vec);
                *self.observed.lock().unwrap_or_else(PoisonError::into_inner) = digests;
                return Ok(false);
            }
            Err(BlockError::Engine(error)) => return Err(error),
            Err(BlockError::OpenQuote { file, offset, .. }) => {
                self.enter(file);
                let flaw = FlawAt::new(Flaw::OpenQuote, &self.buffer, offset, 0);
                return Err(self.located(flaw));
            }
        };
        self.enter(block.file);
        let rows = match self.parse(block) {
            Ok(rows) => rows?,
            Err(flaw) => return Err(self.located(flaw)),
        };
        self.position.1 += count_lines(&self.buffer);
        self.position.2 += rows;
        Ok(true)
    }

    fn enter(&mut self, file: usize) {
        if self.position.0 != file {
            self.position = (file, 0, 0);
        }
    }

    fn located(&self, flaw: FlawAt) -> EngineError {
        let (file, lines, rows) = self.position;
        flaw.locate(&self.files[file], lines, rows)
    }

    /// Parses a block and returns its number of rows, or an error if a value cannot be
    /// converted.
    fn parse(&mut self, block: Block) -> Result<Result<u64, EngineError>, FlawAt> {
        check_utf8(&self.buffer, block.body)?;
        match &self.parser {
            Parser::Csv { delimiter, slots, schema } => {
                let mut columns = TextColumns::new(&self.conversions);
                let rows = csv::parse(
                    &self.buffer,
                    block.body,
                    *delimiter,
                    block.quoted,
                    slots,
                    &mut columns,
                )?;
                if let Some(error) = columns.failure.take() {
                    return Ok(Err(error));
                }
                self.pending.push_back(columns.finish(schema, rows as usize));
                Ok(Ok(rows))
            }
            Parser::Json(parser) => {
                let batches = parser.parse(&self.buffer)?;
                let rows = batches.iter().map(|batch| batch.num_rows() as u64).sum();
                self.pending.extend(batches.iter().map(json::with_nulls));
                Ok(Ok(rows))
            }
        }
    }
}

impl Iterator for TextBatches {
    type Item = Result<RecordBatch, EngineError>;

    fn next(&mut self) -> Option<Self::Item> {
        while !self.ended {
            if let Some(batch) = self.pending.pop_front() {
                return Some(Ok(batch));
            }
            match self.advance() {
                Ok(true) => {}
                Ok(false) => self.ended = true,
                Err(error) => {
                    self.ended = true;
                    return Some(Err(error));
                }
            }
        }
        None
    }
}

/// Builds the text columns of a block.
struct TextColumns<'a> {
    columns: Vec<(Vec<u8>, Vec<i32>)>,
    conversions: &'a [(String, Conversion)],
    /// Error for the first value that cannot be converted.
    failure: Option<EngineError>,
}

impl<'a> TextColumns<'a> {
    fn new(conversions: &'a [(String, Conversion)]) -> Self {
        let columns = vec![(Vec::new(), vec![0]); conversions.len()];
        Self { columns, conversions, failure: None }
    }

    fn finish(self, schema: &SchemaRef, rows: usize) -> RecordBatch {
        let column = |(bytes, ends): (Vec<u8>, Vec<i32>)| {
            let ends = OffsetBuffer::new(ScalarBuffer::from(ends));
            Arc::new(StringArray::new(ends, bytes.into(), None)) as ArrayRef
        };
        let columns = self.columns.into_iter().map(column).collect();
        let options = arrow_array::RecordBatchOptions::new().with_row_count(Some(rows));
        RecordBatch::try_new_with_options(Arc::clone(schema), columns, &options)
            .expect("every row has a field for each column")
    }
}

impl Fields for TextColumns<'_> {
    fn field(&mut self, slot: usize, bytes: &[u8], start: usize, end: usize) {
        let field = &bytes[start..end];
        let (texts, ends) = &mut self.columns[slot];
        match &self.conversions[slot] {
            (_, conversion) if conversion.is_none() => texts.extend_from_slice(field),
            (name, conversion) => match conversion.apply(&String::from_utf8_lossy(field), name) {
                Ok(text) => texts.extend_from_slice(text.as_bytes()),
                Err(error) => {
                    self.failure.get_or_insert(error);
                }
            },
        }
        // The size of records is limited, so a block is always far smaller than 2 GiB.
        ends.push(texts.len() as i32);
    }
}

/// Returns the positions in ascending order and the index of each requested column in that order.
pub(crate) fn ascending(indices: &[usize]) -> (Vec<usize>, Vec<usize>) {
    let mut sorted = indices.to_vec();
    sorted.sort_unstable();
    let order = indices.iter().map(|at| sorted.partition_point(|other| other < at)).collect();
    (sorted, order)
}

/// Function that opens a file.
type Open<R> = Box<dyn FnMut(&Path) -> Result<R, EngineError> + Send>;

/// Iterator over the batches of files that have a schema. The files are read one after another.
pub(super) struct FileBatches<R> {
    files: Vec<PathBuf>,
    format: Format,
    next_file: usize,
    order: Vec<usize>,
    open: Open<R>,
    current: Option<R>,
}

/// Returns the batches of Parquet files.
pub(super) fn of_parquet(
    input: &Input,
    indices: &[usize],
    dictionaries: &[usize],
) -> FileBatches<parquet::Batches> {
    let (columns, order) = ascending(indices);
    let selection =
        Selection { columns, dictionaries: dictionaries.to_vec(), batch_rows: BATCH_ROWS };
    let sources = input.sources.clone();
    let open = move |path: &Path| ParquetFile::open(&sources, path)?.reader(&selection, None);
    FileBatches::new(&input.files, Format::Parquet, order, Box::new(open))
}

/// Returns the batches of Arrow IPC files.
pub(super) fn of_ipc(input: &Input, indices: &[usize]) -> FileBatches<ipc::IpcBatches> {
    let (columns, order) = ascending(indices);
    let sources = input.sources.clone();
    let open =
        move |path: &Path| ipc::open(&sources, path, Some(columns.clone())).map(|opened| opened.1);
    FileBatches::new(&input.files, Format::Arrow, order, Box::new(open))
}

impl<R: Iterator<Item = Result<RecordBatch, EngineError>>> FileBatches<R> {
    fn new(files: &[PathBuf], format: Format, order: Vec<usize>, open: Open<R>) -> Self {
        Self { files: files.to_vec(), format, next_file: 0, order, open, current: None }
    }

    fn step(&mut self) -> Result<Option<RecordBatch>, EngineError> {
        loop {
            if let Some(reader) = &mut self.current {
                if let Some(batch) = reader.next() {
                    return batch?.project(&self.order).map(Some).map_err(|error| {
                        EngineError::Corrupt {
                            path: self.files[self.next_file - 1].clone(),
                            format: self.format,
                            detail: error.to_string(),
                        }
                    });
                }
                self.current = None;
            }
            let Some(path) = self.files.get(self.next_file) else { return Ok(None) };
            self.next_file += 1;
            self.current = Some((self.open)(path)?);
        }
    }
}

impl<R: Iterator<Item = Result<RecordBatch, EngineError>>> Iterator for FileBatches<R> {
    type Item = Result<RecordBatch, EngineError>;

    fn next(&mut self) -> Option<Self::Item> {
        let step = self.step();
        if step.is_err() {
            self.current = None;
            self.next_file = self.files.len();
        }
        step.transpose()
    }
}
