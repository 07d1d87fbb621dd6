//! Counts columns separately, with many columns in each pass.

use arrow_schema::DataType;
use indistinct_core::{FrequencyTable, Observer};

use super::pass::{CountedGroup, Pass, Together};
use super::{CountRequest, count, sources, tuples};
use crate::{EngineError, Input, Question};

/// Maximum size in bytes of the input columns that are counted in one pass.
const AT_ONCE_BYTES: u64 = 256 << 20;

/// Maximum size in bytes of the input columns in one pass over more than [`tuples::MAX_COLUMNS`]
/// columns.
const WIDE_BYTES: u64 = 16 << 20;

/// Maximum number of columns in one pass. The memory for an empty column is about 4 KiB.
const MOST_AT_ONCE: u64 = 4096;

/// Returns the number of columns that are counted in one pass. During the pass, most of their
/// distinct values are held in memory, and so are the rows that the threads collect. If a table has
/// few rows, more columns are counted at once, because each pass reads the whole table.
fn n_at_once(n_bytes: u64, n_columns: usize) -> usize {
    let bytes_of_column = (n_bytes / (n_columns.max(1) as u64)).max(1);
    let n = (AT_ONCE_BYTES / bytes_of_column).clamp(1, tuples::MAX_COLUMNS as u64);
    n.max((WIDE_BYTES / bytes_of_column).min(MOST_AT_ONCE)) as usize
}

/// Counts the values of each column separately, in as few passes as memory allows. For each column
/// in order, `take` receives a table with the column as the only quasi-identifier.
///
/// # Errors
/// Returns [`EngineError`] if the input cannot be read, has no rows, or lacks a column, or if the
/// observer cancels the operation.
pub fn marginals(
    input: &Input,
    columns: &[String],
    threads: usize,
    observer: &dyn Observer,
    take: &mut dyn FnMut(FrequencyTable),
) -> Result<(), EngineError> {
    // Report all unsupported columns, not only those of the first pass.
    super::countable(input, columns)?;
    if let Some(table) = input.table() {
        let each = columns.iter().map(|column| Question::Tuples(vec![column.clone()]));
        table.expect(&each.collect::<Vec<_>>())?;
        for column in columns {
            let request =
                CountRequest { quasi_identifiers: vec![column.clone()], ..CountRequest::default() };
            take(count(input, &request, threads, observer)?.table);
        }
        return Ok(());
    }
    for columns in columns.chunks(n_at_once(input.n_bytes(), input.columns().len())) {
        let indices = super::countable(input, columns)?;
        let type_of = |index: &usize| input.columns()[*index].data_type.clone();
        let types: Vec<DataType> = indices.iter().map(type_of).collect();
        let pass = Pass::new(input, indices, Together::None, observer);
        if sources::run(&pass, threads)?.n_rows == 0 {
            return Err(EngineError::NoRows { path: input.files()[0].clone() });
        }
        for (CountedGroup { columns, counts }, data_type) in
            pass.finish(threads)?.into_iter().zip(&types)
        {
            let table = FrequencyTable::new(columns, Vec::new(), counts)
                .expect("every tuple has a code in each dictionary");
            super::check_values(&table, std::slice::from_ref(data_type), &CountRequest::default())?;
            take(table);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wide_tables_with_few_rows_need_few_passes() {
        assert_eq!(n_at_once(1_000_000, 100_000), 4096);
        assert_eq!(n_at_once(16 << 20, 1000), 1000);
        // Large columns are limited by the memory of their values and of the collected rows.
        assert_eq!(n_at_once(1 << 30, 1000), 250);
        assert_eq!(n_at_once(256 << 20, 4096), tuples::MAX_COLUMNS);
        assert_eq!((n_at_once(1 << 40, 1), n_at_once(0, 0)), (1, 4096));
    }
}
