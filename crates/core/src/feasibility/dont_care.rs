//! The effect of adding frequent values to the don't-care list.

use crate::model::{ClassView, Histogram};
use crate::principle::{BuildError, Context, Kind, Level, Parameters};

/// The best level that can be reached if some of the most frequent values are put on the don't-care
/// list.
#[derive(Debug, Clone, PartialEq)]
pub struct DontCareStep {
    /// How many of the most frequent values are on the list.
    pub n_values: usize,
    /// The number of rows with a value on the list.
    pub n_rows: u64,
    /// The level of the class of all rows, which is the best that any recoding without suppression
    /// could reach.
    pub best: Level,
}

/// Returns the best level that can be reached if the 0, 1, ..., `most` most frequent values are put
/// on the don't-care list, which replaces any list in the parameters. At least one value is always
/// left off the list.
///
/// # Errors
/// [`BuildError`] if the parameters are invalid or the kind has no don't-care list.
///
/// # Panics
/// If the context has no sensitive attribute.
pub fn effect_of_dont_care(
    kind: &'static Kind,
    context: &Context<'_>,
    parameters: &Parameters,
    most: usize,
) -> Result<Vec<DontCareStep>, Vec<BuildError>> {
    let attribute = context.attribute.expect("a don't-care list requires a sensitive attribute");
    let columns = context.table.sensitive();
    let rows: Vec<Vec<(u32, u64)>> =
        columns.iter().map(|column| context.table.occurring(column)).collect();
    let histograms: Vec<Histogram<'_>> = rows
        .iter()
        .zip(columns)
        .map(|(entries, column)| Histogram { entries, dictionary: &column.dictionary })
        .collect();
    let mut by_frequency = rows[attribute].clone();
    by_frequency.sort_by_key(|&(code, rows)| (std::cmp::Reverse(rows), code));
    let mut steps = Vec::new();
    for n_values in 0..by_frequency.len().min(most + 1) {
        let chosen = &by_frequency[..n_values];
        let value = |entry: &(u32, u64)| columns[attribute].dictionary.value(entry.0).to_owned();
        let with_list = kind.with_dont_care(parameters, chosen.iter().map(value).collect());
        let principle = kind.build(context, &with_list)?;
        steps.push(DontCareStep {
            n_values,
            n_rows: chosen.iter().map(|entry| entry.1).sum(),
            best: principle.of_class(&ClassView::new(context.table.n_rows(), &histograms)),
        });
    }
    Ok(steps)
}
