//! Counts columns separately, with many columns in each pass.

use arrow_schema::DataType;
use indistinct_core::{FrequencyTable, Observer};

use super::pass::{CountedGroup, Pass, Together};
use super::{CountRequest, count, sources, tuples};
use crate::{EngineError, Input, Question};

/// Maximum size in bytes of the input columns that are counted in one pass.
const AT_ONCE_BYTES: u64 = 256 << 20;

/// Returns the number of columns that are counted in one pass. During the pass, most of their
/// distinct values are held in memory.
fn n_at_once(n_bytes: u64, n_columns: usize) -> usize {
    let bytes_of_column = n_bytes / (n_columns.max(1) as u64);
    let n = AT_ONCE_BYTES / bytes_of_column.max(1);
    usize::try_from(n).unwrap_or(usize::MAX).clamp(1, tuples::MAX_COLUMNS)
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
