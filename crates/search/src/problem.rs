//! Whether the parts of a problem fit together.

use std::ops::RangeInclusive;

use indistinct_core::{FrequencyTable, Policy};

use crate::SearchError;

/// Checks what has one entry for each quasi-identifier: hierarchies, weights and level bounds.
pub(crate) fn check(
    table: &FrequencyTable,
    policy: &Policy,
    weights: &[f64],
    bounds: &[RangeInclusive<usize>],
) -> Result<(), SearchError> {
    let columns = table.quasi_identifiers();
    let expect = |what, got| match got == columns.len() {
        true => Ok(()),
        false => Err(SearchError::Length { what, got, expected: columns.len() }),
    };
    expect("hierarchies", policy.hierarchies.len())?;
    expect("weights", weights.len())?;
    expect("level bounds", bounds.len())?;
    for (at, column) in columns.iter().enumerate() {
        let (min, max) = (*bounds[at].start(), *bounds[at].end());
        let n_levels = policy.hierarchies[at].n_levels();
        if min > max || max >= n_levels {
            let highest = n_levels.saturating_sub(1);
            return Err(SearchError::Bounds { attribute: column.name.clone(), min, max, highest });
        }
        let got = weights[at];
        if !got.is_finite() || got < 0.0 {
            return Err(SearchError::Weight { attribute: column.name.clone(), got });
        }
    }
    Ok(())
}
