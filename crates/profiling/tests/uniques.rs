//! Tests minimal sample uniques and SUDA scores against their definitions.

use std::collections::BTreeMap;

use indistinct_profiling::suda::{self, suda};
use indistinct_profiling::uniques::{BUDGET, minimal_uniques};
use indistinct_testkit::uniques_oracle;
use proptest::prelude::*;

/// The distinct tuples of a table, column by column, with their counts.
struct Counted {
    tuples: Vec<Vec<u32>>,
    columns: Vec<Vec<u32>>,
    counts: Vec<u64>,
}

impl Counted {
    fn from_rows(rows: &[Vec<u32>]) -> Self {
        let mut counted: BTreeMap<Vec<u32>, u64> = BTreeMap::new();
        for row in rows {
            *counted.entry(row.clone()).or_default() += 1;
        }
        let (tuples, counts): (Vec<Vec<u32>>, Vec<u64>) = counted.into_iter().unzip();
        let columns = (0..rows[0].len())
            .map(|column| tuples.iter().map(|tuple| tuple[column]).collect())
            .collect();
        Self { tuples, columns, counts }
    }

    fn columns(&self) -> Vec<&[u32]> {
        self.columns.iter().map(Vec::as_slice).collect()
    }
}

/// Generates tables with three to seven columns, in which few or many rows are unique.
fn tables() -> impl Strategy<Value = Vec<Vec<u32>>> {
    (3usize..=7, 2u32..6).prop_flat_map(|(n_columns, n_values)| {
        prop::collection::vec(prop::collection::vec(0..n_values, n_columns), 1..40)
    })
}

proptest! {
    #[test]
    fn minimal_uniques_match_oracle(
        rows in prop::collection::vec(prop::collection::vec(0u32..4, 5), 1..40),
        most in 1usize..=5,
    ) {
        let counted = Counted::from_rows(&rows);
        let found = minimal_uniques(&counted.columns(), &counted.counts, most, BUDGET);
        let sets: BTreeMap<Vec<usize>, u64> = found.sets.into_iter().collect();
        prop_assert_eq!(sets, uniques_oracle::minimal_uniques(&rows, most));
    }

    #[test]
    fn suda_scores_match_oracle(rows in tables(), fraction in 0.01f64..=1.0) {
        let counted = Counted::from_rows(&rows);
        let found = suda(&counted.columns(), &counted.counts, suda::BUDGET, fraction);
        let expected = uniques_oracle::suda(&rows, fraction);
        let dis = found.dis_scores.as_ref().expect("the search examined all sets");
        for (row, expected) in rows.iter().zip(&expected) {
            let at = counted.tuples.binary_search(row).expect("every row was counted");
            prop_assert_eq!(found.scores[at], expected.score);
            prop_assert!((dis[at] - expected.dis).abs() < 1e-9, "{} {}", dis[at], expected.dis);
        }
        let n_special = expected.iter().filter(|row| row.is_special).count() as u64;
        prop_assert_eq!((found.n_special, found.depth), (n_special, rows[0].len()));
    }

    /// If a budget is too small for all set sizes, the results for smaller sizes are complete.
    #[test]
    fn budget_limits_only_larger_sets(rows in tables(), budget in 0u64..200_000) {
        let counted = Counted::from_rows(&rows);
        let columns = counted.columns();
        let found = minimal_uniques(&columns, &counted.counts, columns.len(), budget);
        let within = minimal_uniques(&columns, &counted.counts, found.depth, BUDGET);
        prop_assert_eq!(&found, &within);
        let scored = suda(&columns, &counted.counts, budget, 0.1);
        prop_assert_eq!(
            (scored.depth, scored.is_complete()),
            (found.depth, found.depth == columns.len())
        );
    }
}
