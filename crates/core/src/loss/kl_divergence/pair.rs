//! The divergence of a published release.

use rustc_hash::FxHashMap;

use super::{Measure, ReleasedBoxes, densities, sensitive_values};
use crate::loss::{CellMeasure, HolderKnowledge, covered_share};
use crate::published::{Attachment, ReleaseWithOriginal};
use crate::recoding::{Cells, CellsOfAttribute};

/// Returns the divergence of a release, based on all classes that cover a combination. Returns
/// `None` if sensitive values are generalized, perturbed, or separated from the rows, or if it is
/// unknown which of the rows with `*` in every quasi-identifier are suppressed.
pub fn of_pair(pair: &ReleaseWithOriginal, known: &HolderKnowledge) -> Option<f64> {
    let (published, original) = (&pair.published, &pair.original);
    if published.attachment != Attachment::ToRows {
        return None;
    }
    let star = published.star_class().filter(|_| known.n_starred > 0);
    if let Some(star) = star
        && published.class_sizes()[star] != known.n_starred
    {
        return None;
    }
    let is_retained = |tuple: &usize| Some(published.class_of[*tuple] as usize) != star;
    let of_original = sensitive_values(original);
    let of_released = sensitive_values_of_released(pair, &of_original)?;
    let groups = published.rows.groups();
    let columns = published.rows.quasi_identifiers().iter().zip(&pair.cells);
    let cells = columns.map(|(column, cells)| {
        let codes = groups.iter().map(|tuples| column.codes[tuples.start]);
        CellsOfAttribute::of_keys(codes, |code| cells[code as usize].clone())
    });
    let cells = Cells::of_attributes(groups.len(), cells.collect());
    let measures = CellMeasure::of_table(covered_share::costs, original, &pair.hierarchies);
    let group_of = groups.of_tuples();
    let place = |tuple: usize| {
        (is_retained(&tuple) && of_released[tuple].is_some()).then(|| group_of[tuple] as usize)
    };
    let entry =
        |tuple: usize| (of_released[tuple].unwrap_or_default(), published.rows.counts()[tuple]);
    let all = (0..groups.len() as u32).collect();
    let boxes = ReleasedBoxes::new(&cells, all, &measures, (group_of.len(), place, entry));
    let measure = Measure::new(original, &pair.hierarchies);
    let mut sum = measure.sum(0);
    let n_retained: u64 = (0..published.rows.n_tuples())
        .filter(is_retained)
        .map(|tuple| published.rows.counts()[tuple])
        .sum();
    sum.spread = (original.n_rows() - n_retained.min(original.n_rows())) as f64 * measure.even;
    let densities = densities(&boxes, original, &pair.hierarchies, &of_original);
    for (&rows, density) in original.counts().iter().zip(densities) {
        sum.add_rows(rows, density / measure.n_rows);
    }
    Some(sum.divergence())
}

/// Returns a number that identifies the sensitive values of each released tuple, or `None` for a
/// combination that does not occur in the original. Returns `None` if a released value does not
/// occur in the original.
fn sensitive_values_of_released(
    pair: &ReleaseWithOriginal,
    of_original: &[u32],
) -> Option<Vec<Option<u32>>> {
    let (rows, original) = (&pair.published.rows, &pair.original);
    let columns = rows.sensitive().iter().zip(original.sensitive());
    let same: Vec<Vec<u32>> = columns
        .map(|(released, raw)| {
            let values = raw.dictionary.values().iter().zip(0..);
            let code_of: FxHashMap<&str, u32> =
                values.map(|(value, code)| (value.as_str(), code)).collect();
            let values = released.dictionary.values().iter();
            values.map(|value| code_of.get(value.as_str()).copied()).collect()
        })
        .collect::<Option<_>>()?;
    let of_original = original_numbers(pair, of_original);
    let of_tuple = |tuple: usize| {
        let codes = rows.sensitive().iter().zip(&same);
        let key: Vec<u32> =
            codes.map(|(column, same)| same[column.codes[tuple] as usize]).collect();
        of_original.get(&key).copied()
    };
    Some((0..rows.n_tuples()).map(of_tuple).collect())
}

fn original_numbers(pair: &ReleaseWithOriginal, of_original: &[u32]) -> FxHashMap<Vec<u32>, u32> {
    let columns = pair.original.sensitive();
    let numbered = of_original.iter().enumerate();
    numbered
        .map(|(tuple, &number)| {
            (columns.iter().map(|column| column.codes[tuple]).collect(), number)
        })
        .collect()
}
