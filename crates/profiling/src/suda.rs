//! # SUDA scores of the rows that combinations of columns single out
//!
//! **Definition.** With M columns, a minimal sample unique of k columns adds (M - k)! to the score
//! of its row, so fewer columns give a higher score. A row that is unique in all columns together
//! and in a smaller set of columns is a *special unique*. **DIS.** With U rows that are unique in
//! all columns, P classes of two rows, and a sampling fraction f, the probability that a match with
//! a unique row is correct is estimated as DIS = U f / (U f + 2 P (1 - f)). The scores distribute
//! DIS over the rows: 1 / (1 + (U / DIS - U) / (s^Q * sum of s^-Q over scored rows)), Q = 1 + (8 -
//! M) / 20. **Limits.** Sets of all sizes are examined within [`BUDGET`]. If the budget ends the
//! search early, scores lack the terms of larger sets, which are the smallest terms. The number of
//! special uniques is then a lower bound. The DIS of single rows is unknown, because the smallest
//! scores dominate the sum of s^-Q. **Does not protect against** anything: the scores only indicate
//! which rows to inspect. **Source.** Elliot, Manning, Mayes, Gurd and Bane, SUDA: a program for
//! detecting special uniques, UNECE 2005; Skinner and Elliot, JRSS B 64, 2002 (DIS); scores and DIS
//! of a row as in sdcMicro 5 (`suda2`, with original scores). Deviation: sdcMicro at about version
//! 5.5.1 (`Suda2.h`) counts a unique row in U only if no other row has the same hash value. This
//! affects only the DIS of the table: because U / DIS - U = 2 P (1 - f) / f, the DIS of rows does
//! not depend on U. If sdcMicro counts U as 0, its DIS of rows is not a number.

use crate::uniques::each_minimal_unique;

/// The maximum number of examined cells, which is about sufficient for all subsets of 12 columns
/// with 30,000 rows.
pub const BUDGET: u64 = 600_000_000;

/// The default sampling fraction, as in sdcMicro.
pub const USUAL_FRACTION: f64 = 0.01;

/// The scores of the tuples of a table.
#[derive(Debug, Clone, PartialEq)]
pub struct Suda {
    /// The score of each tuple, or 0 if no combination of columns singles out the tuple.
    pub scores: Vec<f64>,
    /// The estimated probability that a match with each tuple is correct, or 0 if the score is 0.
    /// `None` if not all sets of columns were examined.
    pub dis_scores: Option<Vec<f64>>,
    /// For each column, the fraction of the total score that is contributed by sets with this
    /// column. The fractions overlap.
    pub of_column: Vec<f64>,
    /// The number of rows that are unique in all columns together.
    pub n_unique: u64,
    /// The number of unique rows that are also unique in fewer columns. If not all sets of columns
    /// were examined, this is a lower bound.
    pub n_special: u64,
    /// The estimated probability that a match with a unique row is correct. `None` if no row is
    /// unique.
    pub dis: Option<f64>,
    /// The size of the largest examined sets of columns.
    pub depth: usize,
}

impl Suda {
    /// Returns whether all sets of columns were examined.
    pub fn is_complete(&self) -> bool {
        self.dis_scores.is_some()
    }

    /// Returns the highest probability that a match with a tuple is correct: 0 if no tuple is
    /// unique, and `None` if unknown.
    pub fn highest_dis(&self) -> Option<f64> {
        Some(self.dis_scores.as_ref()?.iter().copied().fold(0.0, f64::max))
    }
}

/// Scores the tuples of a table. The search examines as many sets of columns as a budget of
/// `budget` cells permits. The sampling fraction `fraction` is above 0 and at most 1.
///
/// # Panics
/// Panics under the same conditions as [`minimal_uniques`](crate::uniques::minimal_uniques).
pub fn suda(columns: &[&[u32]], counts: &[u64], budget: u64, fraction: f64) -> Suda {
    let (n, m) = (counts.len(), columns.len());
    let mut scores = vec![0.0; n];
    let mut sums = vec![0.0; m];
    let mut is_special = vec![false; n];
    let depth = each_minimal_unique(columns, counts, m, budget, |set, rows| {
        let weight = factorial(m - set.len());
        for row in rows {
            scores[*row] += weight;
            is_special[*row] |= set.len() < m;
        }
        set.iter().for_each(|column| sums[*column] += weight * rows.len() as f64);
    });
    let total: f64 = scores.iter().sum();
    let count = |size: u64| counts.iter().filter(|count| **count == size).count() as u64;
    let n_unique = count(1);
    let dis = dis(n_unique, count(2), fraction);
    let dis_scores = (depth == m).then(|| match dis {
        Some(dis) => dis_of_rows(&scores, n_unique, dis, m),
        None => vec![0.0; n],
    });
    Suda {
        dis_scores,
        of_column: sums.iter().map(|sum| if total > 0.0 { sum / total } else { 0.0 }).collect(),
        scores,
        n_unique,
        n_special: is_special.iter().filter(|special| **special).count() as u64,
        dis,
        depth,
    }
}

fn factorial(n: usize) -> f64 {
    (1..=n).map(|factor| factor as f64).product()
}

fn dis(n_unique: u64, n_pairs: u64, fraction: f64) -> Option<f64> {
    let (unique, pairs) = (n_unique as f64 * fraction, 2.0 * n_pairs as f64 * (1.0 - fraction));
    (n_unique > 0).then(|| unique / (unique + pairs))
}

fn dis_of_rows(scores: &[f64], n_unique: u64, dis: f64, n_columns: usize) -> Vec<f64> {
    let power = 1.0 + (8.0 - n_columns as f64) / 20.0;
    let unique = n_unique as f64;
    let factor: f64 =
        scores.iter().filter(|score| **score > 0.0).map(|score| score.powf(-power)).sum();
    let of = |score: &f64| match *score > 0.0 {
        true => 1.0 / (1.0 + (unique / dis - unique) / (score.powf(power) * factor)),
        false => 0.0,
    };
    scores.iter().map(of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the result and the score of each row. Each letter of a row is the value of
    /// one column.
    fn scores(rows: &[&str]) -> (Suda, Vec<f64>) {
        let rows: Vec<Vec<u32>> =
            rows.iter().map(|row| row.bytes().map(u32::from).collect()).collect();
        let mut distinct = rows.clone();
        distinct.sort();
        distinct.dedup();
        let counts: Vec<u64> = distinct
            .iter()
            .map(|tuple| rows.iter().filter(|row| *row == tuple).count() as u64)
            .collect();
        let columns: Vec<Vec<u32>> =
            (0..rows[0].len()).map(|at| distinct.iter().map(|tuple| tuple[at]).collect()).collect();
        let columns: Vec<&[u32]> = columns.iter().map(Vec::as_slice).collect();
        let suda = suda(&columns, &counts, BUDGET, USUAL_FRACTION);
        let place = |row: &Vec<u32>| distinct.iter().position(|tuple| tuple == row);
        let of_rows = rows
            .iter()
            .map(|row| suda.scores[place(row).expect("the list contains every row")])
            .collect();
        (suda, of_rows)
    }

    /// The expected values are from sdcMicro, tests/testthat/test_suda2.R, "suda2 book example"
    /// (Templ 2017) and "suda2 sdc guideline".
    #[test]
    fn suda_scores_match_published_examples() {
        // The columns are age, gender, income, and education.
        let book = ["2m5h", "2m5h", "2m-h", "2m-h", "2f-u", "2f-h", "2f-m", "6m-u"];
        assert_eq!(scores(&book).1[4..], [4.0, 2.0, 6.0, 8.0]);
        // The columns are residence, gender, education, and labor.
        let guideline =
            ["uFie", "uFie", "uFpn", "uMce", "rFcu", "uMce", "uFPn", "uMsu", "uFin", "uFin"];
        let expected = [0.0, 0.0, 6.0, 0.0, 12.0, 0.0, 6.0, 10.0, 0.0, 0.0];
        assert_eq!(scores(&guideline).1, expected);
    }

    /// The expected values are 50, 37.5, and 37.5 percent, from sdcMicro, test_suda2.R, "simple
    /// example contribution".
    #[test]
    fn suda_contributions_match_published_example() {
        let (suda, of_rows) = scores(&["200", "136", "100"]);
        assert_eq!(of_rows, [2.0, 4.0, 2.0]);
        assert_eq!(suda.of_column, [0.5, 0.375, 0.375]);
    }

    /// The expected values are 61.54, 69.23, and 53.85 percent, from sdcMicro, issue 356.
    #[test]
    fn suda_results_match_sdcmicro_issue() {
        let (suda, of_rows) = scores(&["AXP", "BXQ", "AYQ", "CZR", "BYR", "AXP", "BZQ"]);
        assert_eq!(of_rows, [0.0, 2.0, 3.0, 3.0, 3.0, 0.0, 2.0]);
        let expected = [8.0, 9.0, 7.0].map(|sum| sum / 13.0);
        assert!(suda.of_column.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-12));
    }

    /// If a table is too large to examine all sets, the smallest scores are unknown. The DIS of all
    /// rows is therefore also unknown.
    #[test]
    fn dis_scores_are_unknown_beyond_budget() {
        let codes: Vec<u32> = (0..100).map(|n| n % 10).collect();
        let other: Vec<u32> = (0..100).map(|n| n / 10).collect();
        let columns: Vec<&[u32]> =
            (0..6).map(|at| if at == 0 { other.as_slice() } else { codes.as_slice() }).collect();
        let part = suda(&columns, &[1; 100], 10_000, USUAL_FRACTION);
        assert_eq!((part.depth, part.dis_scores.as_ref(), part.dis), (2, None, Some(1.0)));
        let whole = suda(&columns, &[1; 100], BUDGET, USUAL_FRACTION);
        assert_eq!((whole.depth, whole.dis_scores.map(|it| it.len())), (6, Some(100)));
        assert_eq!((part.n_special, whole.n_special), (100, 100));
    }

    #[test]
    fn dis_is_share_of_correct_unique_matches() {
        let (suda, _) = scores(&["aa", "bb", "bb", "cd", "cd", "ce"]);
        // With two unique rows and two pairs, DIS is 2 * 0.01 / (2 * 0.01 + 4 * 0.99).
        assert_eq!((suda.n_unique, suda.n_special), (2, 2));
        assert!((suda.dis.expect("the table has unique rows") - 0.02 / 3.98).abs() < 1e-12);
        let of_rows = suda.dis_scores.expect("the search examined all sets");
        assert!(of_rows.iter().all(|dis| (0.0..1.0).contains(dis)));
        // If every row is unique, every match is correct.
        assert_eq!(scores(&["a", "b"]).0.dis, Some(1.0));
        assert_eq!(scores(&["a", "a"]).0.dis, None);
        assert_eq!(scores(&["ab", "ab"]).0.scores, [0.0]);
    }

    #[test]
    fn row_needing_all_columns_is_not_special() {
        let (suda, _) = scores(&["aa", "ab", "ba", "bb"]);
        assert_eq!((suda.n_unique, suda.n_special), (4, 0));
    }
}
