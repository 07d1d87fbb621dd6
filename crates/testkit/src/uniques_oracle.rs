//! Oracles for minimal sample uniques and SUDA scores by their definitions: every set of columns,
//! and all pairs of rows.

use std::collections::BTreeMap;

/// For each set of up to `most` columns, the number of rows that are unique in these columns but in
/// none of their proper subsets.
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

/// The SUDA results of a row.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ScoredRow {
    /// The sum of (M - k)! over the minimal sample uniques of the row, which have k of M columns
    /// each.
    pub score: f64,
    /// Whether the row is unique in all columns and also in a proper subset.
    pub is_special: bool,
    /// The probability that a match with the row is correct, derived from the score.
    pub dis: f64,
}

/// SUDA and DIS-SUDA of each row at a sampling fraction. The bits of an integer represent a set of
/// columns.
pub fn suda(rows: &[Vec<u32>], fraction: f64) -> Vec<ScoredRow> {
    let m = rows.first().map_or(0, Vec::len);
    let all = (1u32 << m) - 1;
    let agree = |a: &[u32], b: &[u32], set: u32| {
        (0..m).all(|column| set >> column & 1 == 0 || a[column] == b[column])
    };
    let alike = |row: &[u32], set: u32| rows.iter().filter(|it| agree(row, it, set)).count();
    let minimal = |row: &Vec<u32>| -> Vec<u32> {
        let unique: Vec<u32> = (1..=all).filter(|set| alike(row, *set) == 1).collect();
        let has_part = |set: u32| unique.iter().any(|part| *part != set && part & set == *part);
        unique.iter().copied().filter(|set| !has_part(*set)).collect()
    };
    let of_rows: Vec<Vec<u32>> = rows.iter().map(minimal).collect();
    let term = |set: &u32| (1..=m - set.count_ones() as usize).map(|n| n as f64).product::<f64>();
    let scores: Vec<f64> = of_rows.iter().map(|sets| sets.iter().map(term).sum()).collect();
    let n_in_pairs = rows.iter().filter(|row| alike(row, all) == 2).count() as f64;
    let q = 1.0 + (8.0 - m as f64) / 20.0;
    let sum: f64 = scores.iter().filter(|score| **score > 0.0).map(|score| score.powf(-q)).sum();
    let dis = |score: f64| match score > 0.0 {
        true => 1.0 / (1.0 + n_in_pairs * (1.0 - fraction) / fraction / (score.powf(q) * sum)),
        false => 0.0,
    };
    let scored = |(sets, &score): (&Vec<u32>, &f64)| ScoredRow {
        score,
        is_special: sets.iter().any(|set| *set != all),
        dis: dis(score),
    };
    of_rows.iter().zip(&scores).map(scored).collect()
}
