//! Interface to tables that are not stored in files.

use std::any::Any;

use arrow_array::ArrayRef;
use indistinct_core::Observer;

use super::{Batches, InputColumn};
use crate::EngineError;

/// Receives distinct combinations of values, with one array for each column, and the number of rows
/// of each combination.
pub type TakeTuples<'a> = &'a mut dyn FnMut(&[ArrayRef], &[u64]) -> Result<(), EngineError>;

/// Statistics on a column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ColumnScan {
    /// Name of the column.
    pub column: String,
    /// Number of rows with a value.
    pub n_present: u64,
    /// Number of distinct values; approximate if the number is very large.
    pub n_distinct: u64,
    /// Number of rows with a unique value; approximate if the number of distinct values is very
    /// large.
    pub n_unique: u64,
    /// Number of rows that contain the most frequent of the counted values.
    pub most_rows: u64,
    /// Sample of distinct values with their number of rows. The sample contains the values with the
    /// smallest hashes, so it is deterministic.
    pub sample: Vec<(String, u64)>,
}

/// Statistics on columns, individually and combined.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Scan {
    /// Statistics for each requested column, in the order of the request.
    pub columns: Vec<ColumnScan>,
    /// Number of rows with a unique combination of values in the columns requested as `together`.
    pub n_unique_together: u64,
    /// Number of rows in the table.
    pub n_rows: u64,
}

/// A request that a table will receive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Question {
    /// A call of [`Table::tuples`] with these columns.
    Tuples(Vec<String>),
    /// A call of [`Table::scan`].
    Scan {
        /// Requested columns.
        columns: Vec<String>,
        /// Columns that are published unchanged.
        together: Vec<String>,
    },
}

/// A table that is counted where it is stored, such as in a database.
pub trait Table: std::fmt::Debug + Send + Sync {
    /// Returns the columns in order.
    fn columns(&self) -> &[InputColumn];

    /// Counts the combinations of values of columns. A combination may occur repeatedly, in which
    /// case its counts are added.
    ///
    /// # Errors
    /// Returns [`EngineError`] if the database reports an error or the observer cancels the
    /// operation.
    fn tuples(
        &self,
        columns: &[String],
        observer: &dyn Observer,
        take: TakeTuples<'_>,
    ) -> Result<(), EngineError>;

    /// Computes column statistics like [`crate::scan`], but in the database. Samples are required
    /// only for columns in `together`.
    ///
    /// # Errors
    /// Returns [`EngineError`] if the database reports an error or the observer cancels the
    /// operation.
    fn scan(
        &self,
        columns: &[String],
        together: &[String],
        observer: &dyn Observer,
    ) -> Result<Option<Scan>, EngineError> {
        let _ = (columns, together, observer);
        Ok(None)
    }

    /// Announces all upcoming requests. If answers must be fetched manually, the table can then ask
    /// for all answers at once.
    ///
    /// # Errors
    /// Returns [`EngineError`] if the answers have not been fetched yet.
    fn expect(&self, questions: &[Question]) -> Result<(), EngineError> {
        let _ = questions;
        Ok(())
    }

    /// Returns whether the table answers immediately. Optional requests are sent only to such
    /// tables, because other tables require manual work for each answer.
    fn answers_at_once(&self) -> bool {
        true
    }

    /// Streams columns in arbitrary row order, with the types of [`Table::columns`].
    ///
    /// # Errors
    /// Returns [`EngineError`] if the database reports an error.
    fn batches(&self, columns: &[String]) -> Result<Batches, EngineError>;

    /// Returns a column with values that Indistinct treats as equal but other programs distinguish,
    /// if any.
    ///
    /// # Errors
    /// Returns [`EngineError`] if the database reports an error.
    fn distinguishable(&self, columns: &[String]) -> Result<Option<String>, EngineError>;

    /// Returns the table for downcasting by the engine that opened it.
    fn as_any(&self) -> &dyn Any;
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use arrow_schema::DataType;
    use indistinct_core::{Coarsening, Rational};
    use indistinct_diagnostics::Coded;

    use super::*;
    use crate::Input;

    /// A table that is not stored in files and has no counts.
    #[derive(Debug)]
    struct Elsewhere([InputColumn; 1]);

    impl Table for Elsewhere {
        fn columns(&self) -> &[InputColumn] {
            &self.0
        }

        fn tuples(
            &self,
            _: &[String],
            _: &dyn Observer,
            _: TakeTuples<'_>,
        ) -> Result<(), EngineError> {
            Ok(())
        }

        fn batches(&self, _: &[String]) -> Result<Batches, EngineError> {
            Ok(Box::new(std::iter::empty()))
        }

        fn distinguishable(&self, _: &[String]) -> Result<Option<String>, EngineError> {
            Ok(None)
        }

        fn as_any(&self) -> &dyn Any {
            self
        }
    }

    #[test]
    fn columns_in_a_database_are_not_coarsened() {
        let column = InputColumn { name: "cost".to_owned(), data_type: DataType::Float64 };
        let input = || Input::of_table("table".into(), Arc::new(Elsewhere([column.clone()])));
        let unit = Some(Rational::from_integer(100));
        let round = Coarsening::Numbers { unit, bottom: None, top: None };
        let error = input().coarsened(&[("cost".to_owned(), round)]).expect_err("a database");
        assert_eq!(error.code(), "E-INPUT-048");
        assert!(input().coarsened(&[]).is_ok());
    }
}
