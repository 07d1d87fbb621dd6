//! Minimal sample uniques against their definition.

use std::collections::BTreeMap;

use indistinct_columns::uniques::{BUDGET, minimal_uniques};
use indistinct_testkit::uniques_oracle;
use proptest::prelude::*;

proptest! {
    #[test]
    fn the_search_finds_what_the_definition_says(
        rows in prop::collection::vec(prop::collection::vec(0u32..4, 5), 1..40),
        most in 1usize..=4,
    ) {
        let mut counted: BTreeMap<Vec<u32>, u64> = BTreeMap::new();
        for row in &rows {
            *counted.entry(row.clone()).or_default() += 1;
        }
        let columns: Vec<Vec<u32>> =
            (0..5).map(|column| counted.keys().map(|tuple| tuple[column]).collect()).collect();
        let columns: Vec<&[u32]> = columns.iter().map(Vec::as_slice).collect();
        let counts: Vec<u64> = counted.values().copied().collect();
        let found = minimal_uniques(&columns, &counts, most, BUDGET);
        let sets: BTreeMap<Vec<usize>, u64> = found.sets.into_iter().collect();
        prop_assert_eq!(sets, uniques_oracle::minimal_uniques(&rows, most));
    }
}
