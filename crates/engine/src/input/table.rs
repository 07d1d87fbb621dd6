//! A table that is not in files, as its engine sees it.

use std::any::Any;

use arrow_array::ArrayRef;
use indistinct_core::Observer;

use super::{Batches, InputColumn};
use crate::{EngineError, Scan};

/// Takes distinct values of several columns, one array for each column, and how often each combination occurs.
pub type TakeTuples<'a> = &'a mut dyn FnMut(&[ArrayRef], &[u64]) -> Result<(), EngineError>;

/// What a table is going to be asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Question {
    /// [`Table::tuples`] of these columns.
    Tuples(Vec<String>),
    /// [`Table::scan`].
    Scan {
        /// The columns.
        columns: Vec<String>,
        /// Those among them that are published untouched.
        together: Vec<String>,
    },
}

/// A table that is counted where it is.
pub trait Table: std::fmt::Debug + Send + Sync {
    /// Its columns, in their order.
    fn columns(&self) -> &[InputColumn];

    /// Counts the combinations of values of some columns. One may come several times; its counts add up.
    ///
    /// # Errors
    /// Returns [`EngineError`] if the database refuses, or the observer cancels.
    fn tuples(
        &self,
        columns: &[String],
        observer: &dyn Observer,
        take: TakeTuples<'_>,
    ) -> Result<(), EngineError>;

    /// Looks at columns as [`crate::scan`] does, where the table does that itself; a sample is wanted of those in `together` alone.
    ///
    /// # Errors
    /// Returns [`EngineError`] if the database refuses, or the observer cancels.
    fn scan(
        &self,
        columns: &[String],
        together: &[String],
        observer: &dyn Observer,
    ) -> Result<Option<Scan>, EngineError> {
        let _ = (columns, together, observer);
        Ok(None)
    }

    /// Hears what it is going to be asked, for a table whose answers somebody has to fetch: all at once, and not one after the other.
    ///
    /// # Errors
    /// Returns [`EngineError`] if they are yet to be fetched.
    fn expect(&self, questions: &[Question]) -> Result<(), EngineError> {
        let _ = questions;
        Ok(())
    }

    /// Whether it can be asked for what is merely good to know: its answers cost nobody any work.
    fn answers_at_once(&self) -> bool {
        true
    }

    /// Streams some columns, in any order of the rows, with the types of [`Table::columns`].
    ///
    /// # Errors
    /// Returns [`EngineError`] if the database refuses.
    fn batches(&self, columns: &[String]) -> Result<Batches, EngineError>;

    /// A column, if there is one among these, with values that we take for one and others tell apart.
    ///
    /// # Errors
    /// Returns [`EngineError`] if the database refuses.
    fn distinguishable(&self, columns: &[String]) -> Result<Option<String>, EngineError>;

    /// For the engine that opened it.
    fn as_any(&self) -> &dyn Any;
}
