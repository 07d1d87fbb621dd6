//! Reading tables: which files, which columns, and their rows as record batches.

mod batches;
pub(crate) mod blocks;
mod columns;
mod counted;
pub(crate) mod csv;
mod encoding;
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
pub(crate) mod opened;
pub(crate) mod parquet;
mod plain;
mod records;
#[cfg(feature = "excel")]
pub(crate) mod released_sheet;
mod residual_metadata;
mod spec;
#[cfg(feature = "stata")]
mod stata;
pub(crate) mod stream;
mod table;
pub(crate) mod text;
mod utf16;
mod zip;

use std::any::Any;
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use arrow_array::RecordBatch;
use arrow_schema::DataType;
use indistinct_core::{MISSING, Observer};

pub(crate) use formats::Sharing;
pub use indistinct_core::{Encoding, Format, Notation};
pub use memory::MemoryTable;
pub use opened::Sources;
pub use residual_metadata::ResidualMetadata;
use spec::Purpose;
pub use spec::{InputSpec, TableRef};
pub use table::{Question, Table, TakeTuples};
pub use text::cell_text;

use crate::cache::{CountCache, InputState};
use crate::objects::is_object;
use crate::{EngineError, TableError, scheme};
use blocks::{BlockReader, Records};
use columns::shared_columns;
use counted::CountedTable;
use formats::TextLayout;
use hashed::{FileDigest, combine};
use stream::digest_file;

/// A column of an input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InputColumn {
    /// Its name.
    pub name: String,
    /// Its type; all columns of a CSV file are texts (`Utf8`).
    pub data_type: DataType,
}

impl InputColumn {
    /// Whether its values are texts.
    pub fn is_text(&self) -> bool {
        text::plain_type(&self.data_type) == DataType::Utf8
    }
}

/// What identifies the bytes of an input.
#[derive(
    Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize, schemars::JsonSchema,
)]
pub struct Fingerprint {
    /// SHA-256 in hexadecimal digits: of the file, or where there are several, of what `sha256sum` prints for them. Of an object in
    /// Parquet or Arrow it is that of its size and of the version that its store gives it.
    pub sha256: String,
    /// Bytes of all files together.
    pub n_bytes: u64,
    /// Rows of all files together.
    pub n_rows: u64,
}

/// Record batches in the order of the input.
pub type Batches = Box<dyn Iterator<Item = Result<RecordBatch, EngineError>> + Send>;

/// The digests of the files as a pass over them has seen them.
type ObservedDigests = Arc<Mutex<Option<Vec<FileDigest>>>>;

/// An opened table: its files, format and columns.
#[derive(Debug, Clone)]
pub struct Input {
    sources: Sources,
    files: Vec<PathBuf>,
    format: Format,
    delimiter: u8,
    encoding: Encoding,
    null_values: Vec<String>,
    /// For each column how its values are written, where that was declared.
    written: Vec<Option<Notation>>,
    columns: Vec<InputColumn>,
    n_bytes: u64,
    observed: ObservedDigests,
    /// The table, where it is not in files.
    table: Option<Arc<dyn Table>>,
    memory: Option<MemoryTable>,
    /// Where what is counted of it is kept, if anywhere.
    cache: Option<Arc<CountCache>>,
}

/// An answer with its question.
struct KeyedAnswer<T> {
    key: String,
    answer: Arc<T>,
}

impl Input {
    /// Opens a table in files of this machine.
    ///
    /// # Errors
    /// As [`Input::open_from`].
    pub fn open(spec: &InputSpec) -> Result<Self, EngineError> {
        Self::open_from(&Sources::default(), spec)
    }

    /// Finds the files and reads their columns.
    ///
    /// # Errors
    /// [`EngineError`] if there are no files, one cannot be read, the first line of a CSV file looks like a row, or their
    /// columns differ.
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

    /// As [`Input::open`] for a file of a release: its certificate names the columns, whatever they look like.
    ///
    /// # Errors
    /// As [`Input::open_from`].
    pub fn open_released(spec: &InputSpec) -> Result<Self, EngineError> {
        Self::open_with(&Sources::default(), spec, Purpose::Released)
    }

    fn open_with(
        sources: &Sources,
        spec: &InputSpec,
        purpose: Purpose,
    ) -> Result<Self, EngineError> {
        spec.check_written()?;
        if let Some(table) = &spec.memory {
            return Self::of_memory(table)?.with_written(spec);
        }
        let address = spec.path.to_str().filter(|address| !is_object(address));
        if let Some((scheme, _)) = address.and_then(scheme) {
            return Err(TableError::NoEngine { scheme: scheme.to_owned() }.into());
        }
        if spec.is_spreadsheet() && spec.query.is_none() {
            #[cfg(feature = "excel")]
            return Self::of_memory(&excel::read(sources, spec, purpose)?)?.with_written(spec);
            #[cfg(not(feature = "excel"))]
            return Err(EngineError::NoSpreadsheets { path: spec.path.clone() });
        }
        if spec.table.is_some() || spec.query.is_some() {
            return Err(TableError::NoDatabase { path: spec.path.clone() }.into());
        }
        #[cfg(feature = "stata")]
        if spec.is_of_stata() {
            return Self::of_memory(&stata::read(sources, spec)?)?.with_written(spec);
        }
        let files::InputFiles { files, format, n_bytes } = files::resolve(sources, spec)?;
        let default = csv::default_delimiter(&files);
        let delimiter = csv::check_delimiter(spec.delimiter.unwrap_or(default))?;
        let encoding = spec.encoding;
        let layout = TextLayout { delimiter, encoding, checks_header: purpose == Purpose::Table };
        let columns = (formats::reader(format).columns)(sources, &files, &layout)?;
        if columns.is_empty() {
            return Err(EngineError::NoRows { path: files[0].clone() });
        }
        let is_delimited = format.kind().delimited;
        let null_values = spec.null_values.clone();
        let observed = ObservedDigests::default();
        let opened = Self {
            sources: sources.clone(),
            files,
            format,
            delimiter,
            encoding: if is_delimited { encoding } else { Encoding::Utf8 },
            null_values,
            written: Vec::new(),
            columns,
            n_bytes,
            observed,
            memory: None,
            table: None,
            cache: None,
        };
        opened.with_written(spec)
    }

    /// The same with what was declared of how columns are written.
    ///
    /// # Errors
    /// [`EngineError::WrittenOfType`] of a column whose values have a type.
    fn with_written(mut self, spec: &InputSpec) -> Result<Self, EngineError> {
        let of_column = |column: &InputColumn| {
            let declared = spec.written.iter().find(|(name, _)| *name == column.name);
            match declared {
                Some(_) if !column.is_text() => {
                    Err(EngineError::WrittenOfType { column: column.name.clone() })
                }
                declared => Ok(declared.map(|(_, written)| *written)),
            }
        };
        self.written = self.columns.iter().map(of_column).collect::<Result<_, _>>()?;
        Ok(self)
    }

    /// The same table with other names of its columns, where these are found by their places: in CSV.
    ///
    /// # Panics
    /// If it is no CSV.
    #[must_use]
    pub fn renamed(mut self, name: impl Fn(&str) -> String) -> Self {
        assert!(self.format.kind().delimited, "columns are found by their places");
        for column in &mut self.columns {
            column.name = name(&column.name);
        }
        self
    }

    /// A table that is not in files; `name` is for messages.
    pub fn of_table(name: PathBuf, table: Arc<dyn Table>) -> Self {
        Self {
            sources: Sources::default(),
            files: vec![name],
            format: Format::Csv,
            delimiter: b',',
            encoding: Encoding::Utf8,
            null_values: Vec::new(),
            written: Vec::new(),
            columns: table.columns().to_vec(),
            n_bytes: 0,
            observed: ObservedDigests::default(),
            memory: None,
            table: Some(table),
            cache: None,
        }
    }

    /// The table, where a database has it.
    pub fn table(&self) -> Option<&dyn Table> {
        self.table.as_deref()
    }

    fn of_memory(table: &MemoryTable) -> Result<Self, EngineError> {
        let files = vec![table.name().to_owned()];
        let columns = shared_columns(&files, |_| Ok(table.columns()), |_| Ok(()))?;
        if columns.is_empty() {
            return Err(EngineError::NoRows { path: files[0].clone() });
        }
        Ok(Self {
            sources: Sources::default(),
            files,
            format: Format::Arrow,
            delimiter: b',',
            encoding: Encoding::Utf8,
            null_values: Vec::new(),
            written: Vec::new(),
            columns,
            n_bytes: 0,
            observed: ObservedDigests::default(),
            memory: Some(table.clone()),
            table: None,
            cache: None,
        })
    }

    /// The table itself, where it is in memory: then [`Input::files`] has nothing but its name.
    pub fn memory(&self) -> Option<&MemoryTable> {
        self.memory.as_ref()
    }

    /// The same, where what is counted of it is kept.
    pub(crate) fn with_cache(self, cache: Arc<CountCache>) -> Self {
        Self { cache: Some(cache), ..self }
    }

    /// An answer about this table that is kept under a key; else what `make` gives, an answer and its size in bytes, which is kept from
    /// then on if anything is kept of the table.
    ///
    /// # Errors
    /// Those of `make`, which are not kept.
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

    /// What there is of the table now: for [`Input::keep_answer`], before anything is read. `None` where nothing is kept.
    pub fn state(&self) -> Option<InputState> {
        self.cache().map(|(_, state)| state)
    }

    /// Keeps an answer that was found about the table as it was, with about how many bytes it takes, where the table is still that.
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

    /// Keeps what was found about the table as it was, where the table is still that.
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

    /// Where what is counted of it is kept, with what there is now; `None` of a table that is in no file.
    pub(crate) fn cache(&self) -> Option<(&CountCache, InputState)> {
        let cache =
            self.cache.as_deref().filter(|_| self.table.is_none() && self.memory.is_none())?;
        let (nulls, written) = (&self.null_values, &self.written);
        let read = InputState::new(
            &self.files,
            self.format,
            self.delimiter,
            self.encoding,
            nulls,
            written,
        )?;
        Some((cache, read))
    }

    /// The columns, in the order of the files.
    pub fn columns(&self) -> &[InputColumn] {
        &self.columns
    }

    /// Where the bytes of its files come from.
    pub(crate) fn sources(&self) -> &Sources {
        &self.sources
    }

    /// The files, sorted by name.
    pub fn files(&self) -> &[PathBuf] {
        &self.files
    }

    /// How they are stored.
    pub fn format(&self) -> Format {
        self.format
    }

    /// Bytes of all files together, when the input was opened.
    pub fn n_bytes(&self) -> u64 {
        self.n_bytes
    }

    /// The delimiter, where the format is CSV.
    pub fn delimiter(&self) -> Option<u8> {
        self.format.kind().delimited.then_some(self.delimiter)
    }

    /// Streams the given columns, in that order, in the order of the rows, with the types of [`Input::columns`].
    ///
    /// Texts that stand for a missing value come as empty texts in CSV and as nulls in JSON.
    ///
    /// # Errors
    /// [`EngineError`] if a column does not exist or is asked for twice.
    pub fn batches(&self, columns: &[String]) -> Result<Batches, EngineError> {
        self.batches_with_dictionaries(columns, &[])
    }

    /// As [`Input::batches`], but text columns named in `dictionaries` come as `Dictionary(Int32, Utf8)` where the format
    /// has them that way (Parquet): what recodes a column then looks at its distinct values only.
    ///
    /// # Errors
    /// As [`Input::batches`].
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
        let written: Vec<Option<Notation>> = indices.iter().map(|&at| self.written(at)).collect();
        if is_plain || written.iter().all(Option::is_none) {
            return Ok(batches);
        }
        Ok(Box::new(batches.map(move |batch| text::in_plain(&batch?, &written))))
    }

    /// How the threads of a count share its rows.
    pub(crate) fn sharing(&self) -> Sharing {
        formats::reader(self.format).sharing
    }

    /// Checks that every reader sees in these columns the values that we see.
    ///
    /// # Errors
    /// [`EngineError::Distinguishable`], or why the files cannot be read.
    pub fn check_plain(
        &self,
        columns: &[String],
        observer: &dyn Observer,
    ) -> Result<(), EngineError> {
        if let Some(table) = &self.table {
            return match table.distinguishable(columns)? {
                Some(column) => Err(EngineError::Distinguishable {
                    column,
                    what: "one value in several spellings",
                }),
                None => Ok(()),
            };
        }
        plain::check(columns, (formats::reader(self.format).ways)(self, columns, observer)?)
    }

    /// What its files hold besides their rows.
    ///
    /// # Errors
    /// [`EngineError`] if a file cannot be read, or the observer cancels.
    pub fn residual_metadata(
        &self,
        observer: &dyn Observer,
    ) -> Result<Vec<ResidualMetadata>, EngineError> {
        (formats::reader(self.format).residual_metadata)(self, observer)
    }

    /// Checks that the files are still those that were counted.
    ///
    /// After a whole pass over the batches of a CSV or JSON input, what that pass has read is compared; otherwise the files
    /// are read and hashed again.
    ///
    /// # Errors
    /// [`EngineError::Changed`], or that a file cannot be read.
    pub fn verify_unchanged(&self, counted: &Fingerprint) -> Result<(), EngineError> {
        // What a transaction sees does not change, and what another one writes by it is judged.
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

    /// Hashes one of the files, or the table in memory. `poll` hears of each step and may stop.
    pub(crate) fn digest(
        &self,
        file: usize,
        poll: &mut dyn FnMut(u64) -> Result<(), EngineError>,
    ) -> Result<FileDigest, EngineError> {
        if let Some(table) = &self.memory {
            return table.digest(poll);
        }
        let path = &self.files[file];
        // Of these not all is read: hashing would fetch it.
        let known = match self.format.kind().columnar {
            true => self.sources.version(path)?,
            false => None,
        };
        known.map_or_else(|| digest_file(&self.sources, path, poll), Ok)
    }

    fn forget_digests(&self) {
        *self.observed.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }

    /// The positions of columns, each asked for once.
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

    /// Texts that stand for a missing value in a column, besides the empty one.
    pub(crate) fn null_values(&self, column: usize) -> &[String] {
        let texts =
            !self.format.kind().columnar && self.columns[column].data_type == DataType::Utf8;
        if texts { &self.null_values } else { &[] }
    }

    /// How the values of a column are written, where that was declared.
    pub(crate) fn written(&self, column: usize) -> Option<Notation> {
        self.written.get(column).copied().flatten()
    }

    /// A reader of the blocks of a text format.
    pub(crate) fn blocks(&self) -> BlockReader {
        let records =
            self.delimiter().map_or(Records::Lines, |delimiter| Records::Csv { delimiter });
        BlockReader::new(self.sources.clone(), self.files.clone(), self.format, records)
            .with_encoding(self.encoding)
    }

    /// For each column of a file, its place among the given ones.
    pub(crate) fn slots(&self, indices: &[usize]) -> csv::Slots {
        let mut slots = vec![None; self.columns.len()];
        for (slot, &index) in indices.iter().enumerate() {
            slots[index] = Some(slot);
        }
        slots
    }
}

/// A value as hierarchies and principles read it, where it was declared how the column is written. A missing value stays one.
///
/// # Errors
/// [`EngineError::NotWritten`] if it is not written so.
pub(crate) fn plain<'a>(
    text: &'a str,
    written: Option<Notation>,
    column: &str,
) -> Result<Cow<'a, str>, EngineError> {
    match written {
        Some(written) if text != MISSING => match written.plain(text) {
            Some(plain) => Ok(Cow::Owned(plain)),
            None => Err(EngineError::NotWritten { column: column.to_owned(), written }),
        },
        _ => Ok(Cow::Borrowed(text)),
    }
}
