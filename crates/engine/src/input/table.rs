//! A table that is not in files, as its engine sees it.

use std::any::Any;

use arrow_array::ArrayRef;
use indistinct_core::Observer;

use super::{Batches, InputColumn};
use crate::EngineError;

/// Takes distinct values of several columns, one array for each column, and how often each combination occurs.
pub type TakeTuples<'a> = &'a mut dyn FnMut(&[ArrayRef], &[u64]) -> Result<(), EngineError>;

/// A table that is counted where it is.
pub trait Table: std::fmt::Debug + Send + Sync {
    /// Its columns, in their order.
    fn columns(&self) -> &[InputColumn];

    /// Counts the combinations of values of some columns. One may come several times; its counts add up.
    ///
    /// # Errors
    /// [`EngineError`] if the database refuses, or the observer cancels.
    fn tuples(
        &self,
        columns: &[String],
        observer: &dyn Observer,
        take: TakeTuples<'_>,
    ) -> Result<(), EngineError>;

    /// Streams some columns, in any order of the rows, with the types of [`Table::columns`].
    ///
    /// # Errors
    /// [`EngineError`] if the database refuses.
    fn batches(&self, columns: &[String]) -> Result<Batches, EngineError>;

    /// A column, if there is one among these, with values that we take for one and others tell apart.
    ///
    /// # Errors
    /// [`EngineError`] if the database refuses.
    fn told_apart(&self, columns: &[String]) -> Result<Option<String>, EngineError>;

    /// For the engine that opened it.
    fn as_any(&self) -> &dyn Any;
}
