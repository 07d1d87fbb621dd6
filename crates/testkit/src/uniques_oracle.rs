//! Minimal sample uniques from their definition: every set of columns, every row against every other.

use std::collections::BTreeMap;

/// For each set of columns the number of rows that are unique by it and by none of its proper subsets.
pub fn minimal_uniques(rows: &[Vec<u32>], most: usize) -> BTreeMap<Vec<usize>, u64> {
    let n_columns = rows.first().map_or(0, Vec::len);
    let sets: Vec<Vec<usize>> = (1u32..1 << n_columns)
        .map(|bits| (0..n_columns).filter(|column| bits >> column & 1 == 1).collect::<Vec<_>>())
        .filter(|set| set.len() <= most)
        .collect();
    let is_unique = |row: usize, set: &[usize]| {
        !(0..rows.len()).any(|other| {
            other != row && set.iter().all(|column| rows[row][*column] == rows[other][*column])
        })
    };
    let is_part = |part: &[usize], set: &[usize]| {
        part.len() < set.len() && part.iter().all(|column| set.contains(column))
    };
    let mut found = BTreeMap::new();
    for set in &sets {
        let n = (0..rows.len())
            .filter(|row| is_unique(*row, set))
            .filter(|row| !sets.iter().any(|part| is_part(part, set) && is_unique(*row, part)))
            .count() as u64;
        if n > 0 {
            found.insert(set.clone(), n);
        }
    }
    found
}
