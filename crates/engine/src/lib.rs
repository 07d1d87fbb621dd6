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

mod count;
mod error;
pub mod files;
mod input;
mod leftovers;
mod order;
pub mod output;
mod plain;

pub use count::{CountRequest, Counted, Lookup, MissingRule, Scan, Scanned, Unified, scan};
pub use error::EngineError;
pub use input::{
    Batches, Fingerprint, Format, Input, InputColumn, InputSpec, MemoryTable, TableRef, cell_text,
};
pub use leftovers::{Leftover, leftovers};
pub use order::tuples_in_order;
pub use plain::check_plain;

use indistinct_core::Observer;

/// What streams tables. The embedded implementation is [`Embedded`].
pub trait Engine: Sync {
    /// Pass 1: streams the input and counts its distinct tuples.
    ///
    /// # Errors
    /// [`EngineError`] if the input cannot be read, has no rows, lacks a column, holds values that the request forbids,
    /// or the observer cancels.
    fn count(
        &self,
        input: &Input,
        request: &CountRequest,
        observer: &dyn Observer,
    ) -> Result<Counted, EngineError>;
}

/// The engine inside this process.
#[derive(Debug, Clone)]
pub struct Embedded {
    /// How many threads work; at least 1.
    pub threads: usize,
}

impl Default for Embedded {
    fn default() -> Self {
        Self { threads: std::thread::available_parallelism().map_or(1, usize::from) }
    }
}

impl Engine for Embedded {
    fn count(
        &self,
        input: &Input,
        request: &CountRequest,
        observer: &dyn Observer,
    ) -> Result<Counted, EngineError> {
        count::count(input, request, self.threads.max(1), observer)
    }
}
