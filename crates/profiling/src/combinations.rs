//! Descriptions of the column combinations that single out rows.

use crate::uniques::{self, MinimalUniques};
use crate::{ColumnProfile, proposal};
use indistinct_diagnostics::words;

/// Returns sentences that describe the combinations that single out the most rows.
pub fn in_words(columns: &[ColumnProfile], combined: &MinimalUniques) -> Vec<String> {
    let n_rows = columns.first().map_or(0, |column| column.n_rows);
    if combined.n_rows == 0 || n_rows == 0 {
        return Vec::new();
    }
    let places = proposal::to_combine(columns);
    let mut sets: Vec<&(Vec<usize>, u64)> = combined.sets.iter().collect();
    sets.sort_by_key(|(set, n)| (std::cmp::Reverse(*n), set.len()));
    let mut sentences = vec![format!(
        "Combinations of up to {} that others may know single out {} ({}). The following sets of \
         columns single out the most rows, excluding rows that a subset already singles out:",
        words::counted(combined.depth as u64, "column", "columns"),
        words::rows(combined.n_rows),
        words::share(combined.n_rows, n_rows),
    )];
    for (set, n) in sets.into_iter().take(5) {
        let names: Vec<&str> = set.iter().map(|at| columns[places[*at]].name.as_str()).collect();
        sentences.push(format!("  {}: {}", words::list(&names), words::rows(*n)));
    }
    if combined.depth < uniques::MOST_COLUMNS.min(places.len()) {
        sentences.push(format!(
            "  Larger sets of the {} were not examined, because this would exceed the limit of {} \
             cells.",
            words::counted(places.len() as u64, "column", "columns"),
            words::thousands(uniques::BUDGET),
        ));
    }
    sentences
}
