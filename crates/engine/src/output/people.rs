//! Finds the person of each input row in a column that is neither counted nor released. The input
//! is streamed again or counted in place.

use indistinct_core::{FrequencyTable, Observer};

use super::layout::Progress;
use super::second_pass::{Matcher, SecondPass};
use crate::EngineError;
use crate::cell_text;

/// Calls a function with the counted tuple and the text of one column for each row. The column may
/// be an additional column or one of the counted columns. Rows are in input order, or in arbitrary
/// order if the table is counted elsewhere.
///
/// The dictionaries of `table` may contain additional values, but its tuples must be the counted
/// tuples.
///
/// # Errors
/// Returns [`EngineError`] if the input has changed since it was counted, cannot be read, or the
/// observer cancels.
pub fn each_row(
    source: &dyn SecondPass,
    table: &FrequencyTable,
    column: &str,
    observer: &dyn Observer,
    mut f: impl FnMut(u32, &str),
) -> Result<(), EngineError> {
    let counted: Vec<String> = table.columns().map(|column| column.name.clone()).collect();
    let place = counted.iter().position(|name| name == column);
    let more = place.is_none().then(|| column.to_owned());
    let names: Vec<String> = counted.iter().cloned().chain(more).collect();
    let mut matcher = Matcher::new(table);
    let mut matched = Vec::new();
    let mut progress = Progress::new(observer, table.n_rows());
    let place = place.unwrap_or(counted.len());
    if let Some(elsewhere) = source.table() {
        // The database counts the values of each person, so no rows are fetched.
        elsewhere.tuples(&names, observer, &mut |arrays, rows| {
            matcher.match_counted(arrays, rows, &mut matched)?;
            for (row, (&tuple, &n)) in matched.iter().zip(rows).enumerate() {
                let text = cell_text(&arrays[place], row, column)?;
                (0..n).for_each(|_| f(tuple, &text));
            }
            Ok(())
        })?;
        return matcher.finish();
    }
    for batch in source.batches(&names, &counted)? {
        let batch = batch?;
        matcher.match_rows(&batch, &mut matched)?;
        let texts = batch.column(place);
        for (row, &tuple) in matched.iter().enumerate() {
            f(tuple, &cell_text(texts, row, column)?);
        }
        progress.advance(batch.num_rows() as u64)?;
    }
    matcher.finish()?;
    source.verify_unchanged().map_err(EngineError::in_second_pass)
}
