//! Finds the files of input tables, reads their columns, and streams their rows as record batches.

pub(crate) mod batches;
pub(crate) mod blocks;
mod columns;
mod conversion;
mod counted;
pub(crate) mod csv;
#[cfg(feature = "excel")]
mod excel;
mod files;
mod formats;
pub(crate) mod guard;
pub(crate) mod hashed;
mod header;
mod ipc;
mod ipc_sizes;
pub(crate) mod json;
mod memory;
mod null_values;
pub(crate) mod opened;
pub(crate) mod parquet;
mod plain;
mod records;
mod released_pages;
pub(crate) mod released_parquet;
#[cfg(feature = "excel")]
pub(crate) mod released_sheet;
mod residual_metadata;
mod spec;
#[cfg(feature = "stata")]
mod stata;
pub(crate) mod stream;
mod table;
pub(crate) mod text;
#[cfg(feature = "excel")]
mod xls_sizes;
mod zip;

use std::any::Any;
use std::collections::{HashMap, HashSet};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use arrow_array::RecordBatch;
use arrow_schema::{DataType, Field, Schema};
use indistinct_core::{Coarsening, Observer};

pub(crate) use conversion::Conversion;
pub(crate) use formats::Sharing;
pub use header::SecondHeader;
pub use indistinct_core::{Encoding, Format, Notation};
pub use memory::MemoryTable;
pub use null_values::NullValues;
pub use opened::Sources;
pub use residual_metadata::ResidualMetadata;
pub use spec::{InputSpec, SkippedRows, TableRef, Unsupported};
use spec::{Purpose, TextLayout};
pub use table::{ColumnScan, Question, Scan, Table, TakeTuples};
pub use text::cell_text;

use crate::cache::{CountCache, InputState};
use crate::objects::is_object;
use crate::{EngineError, TableError, scheme};
use blocks::{BlockReader, Records};
use columns::shared_columns;
use counted::CountedTable;
use hashed::{FileDigest, combine};
use stream::digest_file;

/// A column of an input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InputColumn {
    /// Name of the column.
    pub name: String,
    /// Type of the column; every column of a CSV file has the type `Utf8`.
    pub data_type: DataType,
}

impl InputColumn {
    /// Returns the columns of a schema.
    pub(crate) fn of_schema(schema: &Schema) -> Vec<Self> {
        let column = |field: &Arc<Field>| Self {
            name: field.name().clone(),
            data_type: field.data_type().clone(),
        };
        schema.fields().iter().map(column).collect()
    }

    /// Returns whether the values of the column are text.
    pub fn is_text(&self) -> bool {
        text::plain_type(&self.data_type) == DataType::Utf8
    }
}

/// Digest and size that identify the content of an input.
#[derive(
    Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize, schemars::JsonSchema,
)]
pub struct Fingerprint {
    /// SHA-256 in hexadecimal digits. For several files, this is the hash of the output of
    /// `sha256sum`. For Parquet or Arrow objects in a store, it covers the size and version instead
    /// of the bytes.
    pub sha256: String,
    /// Total size of all files in bytes.
    pub n_bytes: u64,
    /// Total number of rows in all files.
    pub n_rows: u64,
}

/// Record batches in the order of the input.
pub type Batches = Box<dyn Iterator<Item = Result<RecordBatch, EngineError>> + Send>;

/// Digests of the files, computed during a pass over them.
type ObservedDigests = Arc<Mutex<Option<Vec<FileDigest>>>>;

/// An opened table with its files, format, and columns.
#[derive(Debug, Clone)]
pub struct Input {
    sources: Sources,
    files: Vec<PathBuf>,
    format: Format,
    delimiter: u8,
    encoding: Encoding,
    /// The rows that are skipped around the column names, if the format permits such rows.
    skipped_rows: Option<SkippedRows>,
    /// Conversion of the values of each column.
    conversions: Vec<Conversion>,
    columns: Vec<InputColumn>,
    /// The type of each column in the files, which differs from its type in the table if the column
    /// is coarsened.
    stored: Vec<DataType>,
    n_bytes: u64,
    observed: ObservedDigests,
    /// The external table, if the input is in a database or another external source.
    table: Option<Arc<dyn Table>>,
    memory: Option<MemoryTable>,
    /// The cache for the counts of this input, if any.
    cache: Option<Arc<CountCache>>,
}

/// A cached answer with its key.
struct KeyedAnswer<T> {
    key: String,
    answer: Arc<T>,
}

impl Input {
    /// Opens a table in local files.
    ///
    /// # Errors
    /// Returns the same errors as [`Input::open_from`].
    pub fn open(spec: &InputSpec) -> Result<Self, EngineError> {
        Self::open_from(&Sources::default(), spec)
    }

    /// Finds the files and reads their columns.
    ///
    /// # Errors
    /// Returns [`EngineError`] if no file exists, if a file cannot be read, if the first line of a
    /// CSV file looks like a row, or if the columns of the files differ.
    pub fn open_from(sources: &Sources, spec: &InputSpec) -> Result<Self, EngineError> {
        let lines = Self::open_with(sources, spec, Purpose::Table)?;
        match &spec.counts {
            None => Ok(lines),
            Some(column) => {
                let name = lines.files[0].clone();
                Ok(Self::of_table(name, Arc::new(CountedTable::new(lines, column)?)))
            }
        }
    }

    /// Opens a file of a release like [`Input::open`], but without checking whether the first line
    /// looks like a header, because the certificate names the columns.
    ///
    /// # Errors
    /// Returns the same errors as [`Input::open_from`].
    pub fn open_released(spec: &InputSpec) -> Result<Self, EngineError> {
        Self::open_with(&Sources::default(), spec, Purpose::Released)
    }

    fn open_with(
        sources: &Sources,
        spec: &InputSpec,
        purpose: Purpose,
    ) -> Result<Self, EngineError> {
        spec.check_for_database()?;
        spec.check_credentials()?;
        if let Some(table) = &spec.memory {
            spec.check_skipped_rows()?;
            return Self::of_memory(table)?.with_written(spec);
        }
        let address = spec.path.to_str().filter(|address| !is_object(address));
        if let Some((scheme, _)) = address.and_then(scheme) {
            return Err(TableError::NoEngine { scheme: scheme.to_owned() }.into());
        }
        if spec.is_spreadsheet() && spec.query.is_none() {
            #[cfg(feature = "excel")]
            {
                let mut sheet = Self::of_memory(&excel::read(sources, spec, purpose)?)?;
                sheet.skipped_rows = Some(spec.skipped_rows);
                return sheet.with_written(spec);
            }
            #[cfg(not(feature = "excel"))]
            return Err(EngineError::NoSpreadsheets { path: spec.path.clone() });
        }
        if spec.table.is_some() || spec.query.is_some() {
            return Err(TableError::NoDatabase { path: spec.path.clone() }.into());
        }
        #[cfg(feature = "stata")]
        if spec.is_of_stata() {
            spec.check_skipped_rows()?;
            return Self::of_memory(&stata::read(sources, spec)?)?.with_written(spec);
        }
        let files::InputFiles { files, format, n_bytes } = files::resolve(sources, spec)?;
        let default = csv::default_delimiter(&files);
        let delimiter = csv::check_delimiter(spec.delimiter.unwrap_or(default))?;
        let encoding = spec.encoding;
        if !format.is_delimited() {
            spec.check_skipped_rows()?;
        }
        let (skipped, checks_header) = (spec.skipped_rows, purpose == Purpose::Table);
        let layout = TextLayout { delimiter, encoding, skipped, checks_header };
        let columns = (formats::reader(format).columns)(sources, &files, &layout)?;
        if columns.is_empty() {
            return Err(EngineError::NoRows { path: files[0].clone() });
        }
        let is_delimited = format.is_delimited();
        let opened = Self {
            sources: sources.clone(),
            delimiter,
            encoding: if is_delimited { encoding } else { Encoding::Utf8 },
            n_bytes,
            skipped_rows: is_delimited.then_some(skipped),
            ..Self::new(files, format, columns)
        };
        opened.with_written(spec)
    }

    fn new(files: Vec<PathBuf>, format: Format, columns: Vec<InputColumn>) -> Self {
        Self {
            sources: Sources::default(),
            files,
            format,
            delimiter: b',',
            encoding: Encoding::Utf8,
            skipped_rows: None,
            conversions: Vec::new(),
            stored: Vec::new(),
            columns,
            n_bytes: 0,
            observed: ObservedDigests::default(),
            memory: None,
            table: None,
            cache: None,
        }
    }

    /// Applies the notations and the null values that the specification declares for columns.
    ///
    /// # Errors
    /// Returns [`EngineError::WrittenOfType`] if a notation is declared for a column that is not
    /// text.
    fn with_written(mut self, spec: &InputSpec) -> Result<Self, EngineError> {
        // A spreadsheet or a Stata file becomes a table in memory, which has the columnar format.
        let is_spreadsheet = spec.memory.is_none() && spec.is_spreadsheet();
        let is_document = is_spreadsheet || spec.memory.is_none() && spec.is_of_stata();
        let is_read_as_text = !self.format.is_columnar() || is_document;
        let of_column = |column: &InputColumn| {
            let of_all: &[String] =
                if column.is_text() && is_read_as_text { &spec.null_values } else { &[] };
            let conversion = spec.conversion(&column.name, of_all);
            match conversion.notation {
                Some(_) if !column.is_text() => {
                    Err(EngineError::WrittenOfType { column: column.name.clone() })
                }
                // The reader of spreadsheets has already converted the cells that contain text.
                Some(_) if is_spreadsheet => Ok(Conversion { notation: None, ..conversion }),
                _ => Ok(conversion),
            }
        };
        self.conversions = self.columns.iter().map(of_column).collect::<Result<_, _>>()?;
        self.stored = self.columns.iter().map(|column| column.data_type.clone()).collect();
        Ok(self)
    }

    /// Coarsens columns of numbers, which become text. Every later pass over the input returns only
    /// coarse values. Names of columns that do not exist are ignored.
    ///
    /// # Errors
    /// Returns [`EngineError::CoarsenedElsewhere`] for a table in a database, because the database
    /// copies the exact values itself.
    pub fn coarsened(mut self, declared: &[(String, Coarsening)]) -> Result<Self, EngineError> {
        let Some((first, _)) = declared.first() else { return Ok(self) };
        if let Some(table) = &self.table {
            let Some(counted) = table.as_any().downcast_ref::<CountedTable>() else {
                return Err(EngineError::CoarsenedElsewhere { column: first.clone() });
            };
            let table: Arc<dyn Table> = Arc::new(counted.coarsened(declared)?);
            self.columns = table.columns().to_vec();
            self.table = Some(table);
            return Ok(self);
        }
        for (column, conversion) in self.columns.iter_mut().zip(&mut self.conversions) {
            let of_column = declared.iter().find(|(name, _)| *name == column.name);
            if let Some((_, coarsening)) = of_column {
                conversion.coarsening = Some(coarsening.clone());
                column.data_type = DataType::Utf8;
            }
        }
        Ok(self)
    }

    /// Renames the columns of a CSV table, which is possible because CSV readers locate columns
    /// by position.
    ///
    /// # Panics
    /// Panics if the format is not CSV.
    #[must_use]
    pub fn renamed(mut self, name: impl Fn(&str) -> String) -> Self {
        assert!(self.format.is_delimited(), "only delimited formats locate columns by position");
        for column in &mut self.columns {
            column.name = name(&column.name);
        }
        self
    }

    /// Creates an input for a table that is not stored in files; messages use `name`.
    pub fn of_table(name: PathBuf, table: Arc<dyn Table>) -> Self {
        let columns = table.columns().to_vec();
        Self { table: Some(table), ..Self::new(vec![name], Format::Csv, columns) }
    }

    /// Returns the external table, such as a database table.
    pub fn table(&self) -> Option<&dyn Table> {
        self.table.as_deref()
    }

    fn of_memory(table: &MemoryTable) -> Result<Self, EngineError> {
        let files = vec![table.name().to_owned()];
        let columns = shared_columns(&files, |_| Ok(table.columns()), |_| Ok(()))?;
        if columns.is_empty() {
            return Err(EngineError::NoRows { path: files[0].clone() });
        }
        Ok(Self { memory: Some(table.clone()), ..Self::new(files, Format::Arrow, columns) })
    }

    /// Returns the table if it is in memory. In that case, [`Input::files`] contains only its name.
    pub fn memory(&self) -> Option<&MemoryTable> {
        self.memory.as_ref()
    }

    /// Returns the input with a cache for its counts.
    pub(crate) fn with_cache(self, cache: Arc<CountCache>) -> Self {
        Self { cache: Some(cache), ..self }
    }

    /// Returns the answer that is cached under `key`. Otherwise, calls `make`, which returns an
    /// answer and its size in bytes, and caches the answer if the input has a cache.
    ///
    /// # Errors
    /// Returns any error from `make`. Errors are not cached.
    pub fn cached_answer<T: Any + Send + Sync, E>(
        &self,
        key: String,
        make: impl FnOnce() -> Result<(T, usize), E>,
    ) -> Result<Arc<T>, E> {
        let Some((cache, read)) = self.cache() else { return Ok(Arc::new(make()?.0)) };
        let known = cache.all::<KeyedAnswer<T>>(&read);
        if let Some(found) = known.into_iter().find(|known| known.key == key) {
            cache.used(&found);
            return Ok(Arc::clone(&found.answer));
        }
        let (answer, n_bytes) = make()?;
        let answer = Arc::new(answer);
        self.keep_answer(Some(read), key, Arc::clone(&answer), n_bytes);
        Ok(answer)
    }

    /// Returns the current state of the files, which [`Input::keep_answer`] needs and which must be
    /// obtained before reading. Returns `None` if the input has no cache.
    pub fn state(&self) -> Option<InputState> {
        self.cache().map(|(_, state)| state)
    }

    /// Caches an answer of about `n_bytes` bytes, provided that the files are still in the state
    /// `was`.
    pub fn keep_answer<T: Any + Send + Sync>(
        &self,
        was: Option<InputState>,
        key: String,
        answer: Arc<T>,
        n_bytes: usize,
    ) {
        let Some(was) = was else { return };
        let n_bytes = n_bytes + key.len();
        self.keep_if_still(&was, Arc::new(KeyedAnswer { key, answer }), n_bytes);
    }

    /// Caches a result if the files are still in the state `was`.
    pub(crate) fn keep_if_still<T: Any + Send + Sync>(
        &self,
        was: &InputState,
        found: Arc<T>,
        n_bytes: usize,
    ) {
        if let Some((cache, now)) = self.cache().filter(|(_, now)| now == was) {
            cache.keep(now, found, n_bytes);
        }
    }

    /// Returns the cache and the current state of the files, or `None` if the table is not stored
    /// in files.
    pub(crate) fn cache(&self) -> Option<(&CountCache, InputState)> {
        let cache =
            self.cache.as_deref().filter(|_| self.table.is_none() && self.memory.is_none())?;
        let text = (self.delimiter, self.encoding, self.skipped_rows);
        let read =
            InputState::new(&self.files, format!("{:?}", (self.format, text, &self.conversions)))?;
        Some((cache, read))
    }

    /// Returns the rows below the column names of a CSV file or a spreadsheet that look like a part
    /// of the header, or `None` if there are none or the first rows cannot be read.
    pub fn second_header(&self) -> Option<SecondHeader> {
        self.skipped_rows?;
        let names: Vec<String> = self.columns.iter().map(|it| it.name.clone()).collect();
        let batch = self.batches(&names).ok()?.next()?.ok()?;
        let batch = batch.slice(0, batch.num_rows().min(header::SAMPLE_ROWS));
        let name = self.files[0].to_string_lossy().into_owned();
        let rows = MemoryTable::new(&name, batch.schema(), [Ok(batch)]).ok()?.texts().ok()?;
        header::second_header(&rows)
    }

    /// Returns the columns in the order in which they appear in the files.
    pub fn columns(&self) -> &[InputColumn] {
        &self.columns
    }

    /// Returns the columns whose types are unsupported, each with the name of its type.
    pub fn unsupported_columns(&self) -> Vec<(String, String)> {
        let columns = self.columns.iter().filter(|it| !text::is_supported(&it.data_type));
        columns.map(|it| (it.name.clone(), text::type_name(&it.data_type))).collect()
    }

    /// Returns the sources that provide the bytes of the files.
    pub(crate) fn sources(&self) -> &Sources {
        &self.sources
    }

    /// Returns the files, sorted by name.
    pub fn files(&self) -> &[PathBuf] {
        &self.files
    }

    /// Returns the format of the files.
    pub fn format(&self) -> Format {
        self.format
    }

    /// Returns the total size of all files in bytes when the input was opened.
    pub fn n_bytes(&self) -> u64 {
        self.n_bytes
    }

    /// Returns the delimiter if the format is CSV.
    pub fn delimiter(&self) -> Option<u8> {
        self.format.is_delimited().then_some(self.delimiter)
    }

    /// Streams the requested columns in the requested order, with the types of [`Input::columns`].
    /// Rows keep the order of the input.
    ///
    /// Text that represents a missing value becomes an empty string in CSV and null in JSON.
    ///
    /// # Errors
    /// Returns [`EngineError`] if a column does not exist or is requested twice.
    pub fn batches(&self, columns: &[String]) -> Result<Batches, EngineError> {
        self.batches_with_dictionaries(columns, &[])
    }

    /// Streams batches like [`Input::batches`], but returns the text columns named in
    /// `dictionaries` as `Dictionary(Int32, Utf8)` if the format stores dictionaries (Parquet).
    /// Recoding a dictionary column then processes only its distinct values.
    ///
    /// # Errors
    /// Returns the same errors as [`Input::batches`].
    pub fn batches_with_dictionaries(
        &self,
        columns: &[String],
        dictionaries: &[String],
    ) -> Result<Batches, EngineError> {
        let indices = self.positions(columns)?;
        let dictionaries = self.positions(dictionaries)?;
        if let Some(table) = &self.table {
            return table.batches(columns);
        }
        self.forget_digests();
        let reader = formats::reader(self.format);
        let (batches, is_plain) = match &self.memory {
            Some(table) => (table.batches(&indices), false),
            None => ((reader.batches)(self, &indices, &dictionaries), reader.reads_written),
        };
        let conversions: Vec<Conversion> = indices.iter().map(|&at| self.conversion(at)).collect();
        if is_plain || conversions.iter().all(Conversion::is_none) {
            return Ok(batches);
        }
        Ok(Box::new(batches.map(move |batch| text::converted(&batch?, &conversions))))
    }

    /// Returns how the work of a counting pass is divided among threads.
    pub(crate) fn sharing(&self) -> Sharing {
        formats::reader(self.format).sharing
    }

    /// Checks that other programs read the same values from these columns as Indistinct does.
    ///
    /// # Errors
    /// Returns [`EngineError::Distinguishable`] if values are ambiguous, or another [`EngineError`]
    /// if the files cannot be read.
    pub fn check_plain(
        &self,
        columns: &[String],
        observer: &dyn Observer,
    ) -> Result<(), EngineError> {
        if let Some(table) = &self.table {
            return match table.distinguishable(columns)? {
                Some(column) => Err(EngineError::Distinguishable {
                    column,
                    what: "several spellings of one value",
                }),
                None => Ok(()),
            };
        }
        (formats::reader(self.format).check_plain)(self, columns, observer)
    }

    /// Returns the residual metadata of the files, which is all their content except the rows.
    ///
    /// # Errors
    /// Returns [`EngineError`] if a file cannot be read or the observer cancels the operation.
    pub fn residual_metadata(
        &self,
        observer: &dyn Observer,
    ) -> Result<Vec<ResidualMetadata>, EngineError> {
        (formats::reader(self.format).residual_metadata)(self, observer)
    }

    /// Checks that the files have not changed since they were counted.
    ///
    /// After a complete pass over the batches of a CSV or JSON input, the digests of that pass are
    /// compared. Otherwise, the files are read and hashed again.
    ///
    /// # Errors
    /// Returns [`EngineError::Changed`] if the files differ, or another [`EngineError`] if a file
    /// cannot be read.
    pub fn verify_unchanged(&self, counted: &Fingerprint) -> Result<(), EngineError> {
        // A table in a database cannot change between the passes, because a transaction reads a
        // constant snapshot.
        if self.table.is_some() {
            return Ok(());
        }
        let observed = self.observed.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let digests = match observed {
            Some(digests) => digests,
            None => {
                let digest = |at: usize| self.digest(at, &mut |_| Ok(()));
                (0..self.files.len()).map(digest).collect::<Result<Vec<_>, _>>()?
            }
        };
        let (sha256, n_bytes) = combine(&self.files, &digests);
        if sha256 == counted.sha256 && n_bytes == counted.n_bytes {
            return Ok(());
        }
        Err(EngineError::Changed { counted_bytes: counted.n_bytes, n_bytes })
    }

    /// Hashes a file or the in-memory table. `poll` is called after each step and can stop the
    /// computation.
    pub(crate) fn digest(
        &self,
        file: usize,
        poll: &mut dyn FnMut(u64) -> Result<(), EngineError>,
    ) -> Result<FileDigest, EngineError> {
        if let Some(table) = &self.memory {
            return table.digest(poll);
        }
        let path = &self.files[file];
        // Only parts of columnar formats are read, so hashing would require fetching the complete
        // object.
        let known = match self.format.is_columnar() {
            true => self.sources.version(path)?,
            false => None,
        };
        known.map_or_else(|| digest_file(&self.sources, path, poll), Ok)
    }

    fn forget_digests(&self) {
        *self.observed.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }

    /// Returns the positions of columns and rejects duplicate names.
    pub(crate) fn positions(&self, names: &[String]) -> Result<Vec<usize>, EngineError> {
        let mut positions = Vec::with_capacity(names.len());
        let columns = self.columns.iter().enumerate();
        let known: HashMap<&str, usize> =
            columns.map(|(at, column)| (column.name.as_str(), at)).collect();
        let mut requested = HashSet::new();
        for name in names {
            let at = known.get(name.as_str()).copied().ok_or_else(|| {
                EngineError::UnknownColumn { column: name.clone(), nearest: self.nearest(name) }
            })?;
            if !requested.insert(at) {
                return Err(EngineError::RequestedTwice { column: name.clone() });
            }
            positions.push(at);
        }
        Ok(positions)
    }

    fn nearest(&self, name: &str) -> Option<String> {
        let wanted = name.to_lowercase();
        let score =
            |column: &InputColumn| strsim::jaro_winkler(&wanted, &column.name.to_lowercase());
        let best = self.columns.iter().max_by(|a, b| score(a).total_cmp(&score(b)))?;
        (score(best) > 0.7).then(|| best.name.clone())
    }

    /// Returns how the values of a column are converted.
    pub(crate) fn conversion(&self, column: usize) -> Conversion {
        self.conversions.get(column).cloned().unwrap_or_default()
    }

    /// Adds the row to an error about a value that cannot be converted.
    pub(crate) fn located(&self, mut error: EngineError) -> EngineError {
        if let EngineError::NotWritten { column, row, .. }
        | EngineError::NotCoarsened { column, row } = &mut error
            && row.is_none()
        {
            *row = self.first_unconvertible(column);
        }
        error
    }

    /// Returns the number of the first row in which the value of a column cannot be converted.
    fn first_unconvertible(&self, column: &str) -> Option<u64> {
        let at = self.columns.iter().position(|it| it.name == column)?;
        let (conversion, observed) = (self.conversion(at), ObservedDigests::default());
        let stored = Self { conversions: Vec::new(), observed, ..self.clone() };
        let mut n_rows = 0;
        for batch in stored.batches(&[column.to_owned()]).ok()? {
            let batch = batch.ok()?;
            for row in 0..batch.num_rows() {
                n_rows += 1;
                let text = cell_text(batch.column(0), row, column).ok()?;
                if conversion.apply(&text, column).is_err() {
                    return Some(n_rows);
                }
            }
        }
        None
    }

    /// Returns the given columns with their types in the files.
    pub(crate) fn stored_columns(&self, indices: &[usize]) -> Vec<InputColumn> {
        let column = |&at: &usize| {
            let column = self.columns[at].clone();
            InputColumn {
                data_type: self.stored.get(at).cloned().unwrap_or(column.data_type),
                ..column
            }
        };
        indices.iter().map(column).collect()
    }

    /// Returns a reader for the blocks of a text format.
    pub(crate) fn blocks(&self) -> BlockReader {
        let n_before_table = self.skipped_rows.unwrap_or_default().n_before_table();
        let records = self
            .delimiter()
            .map_or(Records::Lines, |delimiter| Records::Csv { delimiter, n_before_table });
        BlockReader::new(self.sources.clone(), self.files.clone(), self.format, records)
            .with_encoding(self.encoding)
    }

    /// Returns the index of each file column among the requested columns.
    pub(crate) fn slots(&self, indices: &[usize]) -> csv::Slots {
        let mut slots = vec![None; self.columns.len()];
        for (slot, &index) in indices.iter().enumerate() {
            slots[index] = Some(slot);
        }
        slots
    }
}
