//! Streams tables on the Arrow project's crates: reads and counts them (pass 1), applies a recoding and writes it (pass 2).
//!
//! Everything that principles and searches need is the multiset of distinct (quasi-identifier × sensitive) tuples. Pass 1
//! keeps only that: memory grows with what is distinct, never with the number of rows. The main type is [`Input`], an
//! opened table in one or several files; [`Engine::count`] makes an [`indistinct_core::FrequencyTable`] of it.
//!
//! The key decision: **all threads share one set of dictionaries and one counting table**. Each thread remembers the
//! values that it has met and gathers thousands of rows before it takes a lock, so that threads hardly ever wait for each
//! other and nothing has to be merged. At the end dictionaries and tuples are sorted: the result does not depend on the
//! number of threads.

#![deny(missing_docs)]

mod cache;
mod caching;
mod count;
mod databases;
mod error;
pub mod files;
mod input;
pub mod objects;
mod order;
pub mod output;
mod scanned;
mod within;

pub use cache::{CountCache, InputState};
pub use caching::CachingEngine;
pub use count::{
    CountRequest, CountedRows, Lookup, MissingRule, Spellings, UnifiedValue, marginals, scan,
};
pub use databases::{EMIT, TableError, placed, scheme};
pub use error::EngineError;
pub use input::{
    Batches, Encoding, Fingerprint, Format, Input, InputColumn, InputSpec, MemoryTable, Notation,
    Question, ResidualMetadata, Sources, Table, TableRef, TakeTuples, cell_text,
};
pub use order::tuples_in_order;
pub use scanned::{ColumnScan, Scan};
pub use within::Within;

use std::path::Path;

use indistinct_core::Observer;

use output::{Recode, StagedFile, StagedRows, Target};

/// Where the rows of a table are, and what is done there with them: they are counted, recoded, and judged before they are published.
/// The search and the certifier see counts alone, so that policies, answers and releases are the same whichever engine ran.
///
/// An engine may leave questions to another one: what it does not answer itself, the inner engine does.
pub trait Engine: std::fmt::Debug + Send + Sync {
    /// The engine that this one leaves the other questions to; an engine that answers all of them gives itself.
    fn inner(&self) -> &dyn Engine;

    /// Where the bytes of files come from.
    fn sources(&self) -> &Sources {
        self.inner().sources()
    }

    /// Finds a table and reads its columns.
    ///
    /// # Errors
    /// [`EngineError`] if it cannot be opened.
    fn open(&self, spec: &InputSpec) -> Result<Input, EngineError>;

    /// Pass 1: counts the distinct tuples of a table.
    ///
    /// # Errors
    /// [`EngineError`] if the input cannot be read, has no rows, lacks a column, holds values that the request forbids,
    /// or the observer cancels.
    fn count(
        &self,
        input: &Input,
        request: &CountRequest,
        observer: &dyn Observer,
    ) -> Result<CountedRows, EngineError> {
        self.inner().count(input, request, observer)
    }

    /// Pass 2: makes the rows of a certified release, where nobody else sees them yet.
    ///
    /// # Errors
    /// [`EngineError`] if they cannot be made; nothing is left behind then.
    fn recode(
        &self,
        recode: &Recode<'_>,
        observer: &dyn Observer,
    ) -> Result<Box<dyn StagedRows>, EngineError> {
        self.inner().recode(recode, observer)
    }

    /// Opens the rows of a release that is in a database, and writes its other files into an empty folder.
    ///
    /// # Errors
    /// [`EngineError`] if there is no such release.
    fn released(&self, spec: &InputSpec, folder: &Path) -> Result<Input, EngineError> {
        self.inner().released(spec, folder)
    }
}

/// The engine inside this process: tables in files.
#[derive(Debug, Clone)]
pub struct EmbeddedEngine {
    /// How many threads work; at least 1.
    pub threads: usize,
    /// Where the bytes of files come from.
    pub sources: Sources,
}

impl EmbeddedEngine {
    /// An engine with so many threads, for files of this machine.
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
                let what = "a table of a database for rows that come from files";
                Err(TableError::NotServed { what }.into())
            }
        }
    }

    fn released(&self, spec: &InputSpec, _: &Path) -> Result<Input, EngineError> {
        match spec.path.to_str().and_then(scheme) {
            Some((scheme, _)) => Err(TableError::NoEngine { scheme: scheme.to_owned() }.into()),
            None => Err(TableError::NoDatabase { path: spec.path.clone() }.into()),
        }
    }
}
