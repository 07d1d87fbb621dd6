//! Reads and counts tables (pass 1), and then applies a recoding and writes the release (pass 2).
//! Tables are streamed with the Arrow crates.
//!
//! Principles and searches need only the distinct combinations of quasi-identifiers and sensitive
//! values, with their counts. Because pass 1 stores nothing else, memory grows with the number of
//! distinct combinations instead of the number of rows. The main type is [`Input`], a table in one
//! or several files; [`Engine::count`] converts it into an [`indistinct_core::FrequencyTable`].
//!
//! Key design decision: **all threads share one set of dictionaries and one counting table**. Each
//! thread caches the values that it has encountered and collects thousands of rows before acquiring
//! a lock. As a result, threads rarely wait for each other, and no merge is required. Dictionaries
//! and tuples are sorted at the end, so the result does not depend on the number of threads.

#![deny(missing_docs)]

mod cache;
mod count;
mod databases;
mod error;
pub mod files;
mod input;
pub mod objects;
mod order;
pub mod output;
mod packing;
mod within;

pub use cache::{CountCache, InputState};
pub use count::{
    CountRequest, CountedRows, Lookup, MissingRule, Spellings, UnifiedValue, check_n_columns,
    marginals, rows_digest, scan, unique_rows,
};
pub use databases::{EMIT, TableError, may_contain_credential, placed, scheme};
pub use error::EngineError;
pub use input::{
    Batches, ColumnScan, Encoding, Fingerprint, Format, Input, InputColumn, InputSpec, MemoryTable,
    Notation, NullValues, Question, ResidualMetadata, Scan, SecondHeader, SkippedRows, Sources,
    Table, TableRef, TakeTuples, Unsupported, cell_text,
};
pub use order::tuples_in_order;
pub use within::Within;

use std::path::Path;
use std::sync::Arc;

use indistinct_core::Observer;

use output::{Recode, StagedFile, StagedRows, Target};

/// An engine counts the rows of a table, recodes the rows, and checks the result before
/// publication. The search and the certifier use only counts, so policies, answers, and releases do
/// not depend on the engine.
///
/// An engine may delegate requests that it does not support to an inner engine.
pub trait Engine: std::fmt::Debug + Send + Sync {
    /// Returns the engine that handles requests that this engine does not support. An engine that
    /// supports all requests returns itself.
    fn inner(&self) -> &dyn Engine;

    /// Returns the sources that provide the bytes of files.
    fn sources(&self) -> &Sources {
        self.inner().sources()
    }

    /// Finds a table and reads its columns.
    ///
    /// # Errors
    /// Returns [`EngineError`] if the table cannot be opened.
    fn open(&self, spec: &InputSpec) -> Result<Input, EngineError>;

    /// Counts the distinct combinations of values in a table (pass 1).
    ///
    /// # Errors
    /// Returns [`EngineError`] if the input cannot be read, has no rows, lacks a column, or
    /// contains values that the request forbids, or if the observer cancels the operation.
    fn count(
        &self,
        input: &Input,
        request: &CountRequest,
        observer: &dyn Observer,
    ) -> Result<CountedRows, EngineError> {
        self.inner().count(input, request, observer)
    }

    /// Creates the rows of a certified release in a location that is not public yet (pass 2).
    ///
    /// # Errors
    /// Returns [`EngineError`] if the rows cannot be created. In that case, all created rows are
    /// removed.
    fn recode(
        &self,
        recode: &Recode<'_>,
        observer: &dyn Observer,
    ) -> Result<Box<dyn StagedRows>, EngineError> {
        self.inner().recode(recode, observer)
    }

    /// Opens the rows of a release that is stored in a database and writes its other files to an
    /// empty folder.
    ///
    /// # Errors
    /// Returns [`EngineError`] if the release does not exist.
    fn released(&self, spec: &InputSpec, folder: &Path) -> Result<Input, EngineError> {
        self.inner().released(spec, folder)
    }
}

/// An engine that runs in this process, for tables in files.
#[derive(Debug, Clone)]
pub struct EmbeddedEngine {
    /// Number of threads, at least 1.
    pub threads: usize,
    /// Sources that provide the bytes of files.
    pub sources: Sources,
}

impl EmbeddedEngine {
    /// Creates an engine for local files with the given number of threads.
    pub fn new(threads: usize) -> Self {
        Self { threads, sources: Sources::default() }
    }
}

impl Default for EmbeddedEngine {
    fn default() -> Self {
        Self::new(std::thread::available_parallelism().map_or(1, usize::from))
    }
}

impl Engine for EmbeddedEngine {
    fn inner(&self) -> &dyn Engine {
        self
    }

    fn sources(&self) -> &Sources {
        &self.sources
    }

    fn open(&self, spec: &InputSpec) -> Result<Input, EngineError> {
        Input::open_from(&self.sources, spec)
    }

    fn count(
        &self,
        input: &Input,
        request: &CountRequest,
        observer: &dyn Observer,
    ) -> Result<CountedRows, EngineError> {
        count::count(input, request, self.threads.max(1), observer)
    }

    fn recode(
        &self,
        recode: &Recode<'_>,
        observer: &dyn Observer,
    ) -> Result<Box<dyn StagedRows>, EngineError> {
        match recode.target {
            Target::File(path) => Ok(Box::new(StagedFile::write(path, recode, observer)?)),
            Target::Table { .. } => {
                let what = "writing rows from files to a database table";
                Err(TableError::NotServed { what }.into())
            }
        }
    }

    fn released(&self, spec: &InputSpec, _: &Path) -> Result<Input, EngineError> {
        spec.check_credentials()?;
        match spec.path.to_str().and_then(scheme) {
            Some((scheme, _)) => Err(TableError::NoEngine { scheme: scheme.to_owned() }.into()),
            None => Err(TableError::NoDatabase { path: spec.path.clone() }.into()),
        }
    }
}

/// An engine that caches counts. The rows of releases are counted without the cache.
#[derive(Debug)]
pub struct CachingEngine {
    /// The underlying engine.
    pub engine: Arc<dyn Engine>,
    /// The cache of counts.
    pub cache: Arc<CountCache>,
}

impl Engine for CachingEngine {
    fn inner(&self) -> &dyn Engine {
        &*self.engine
    }

    fn open(&self, spec: &InputSpec) -> Result<Input, EngineError> {
        Ok(self.engine.open(spec)?.with_cache(Arc::clone(&self.cache)))
    }
}
