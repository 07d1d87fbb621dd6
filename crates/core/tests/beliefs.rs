//! Tests observed beliefs against an enumeration of all possible worlds.

mod support;

use indistinct_core::Rational;
use indistinct_core::belief::{Block, Prior};
use indistinct_testkit::belief_worlds;
use proptest::prelude::*;
use support::*;

#[test]
fn theorem_3_1_matches_world_enumeration() {
    let joint = prop::collection::vec(prop::collection::vec(0u32..6, 3), 3);
    let strategy = (joint, prop::collection::vec(0usize..3, 1..6), 0usize..3, 1usize..8);
    check(400, &strategy, |(joint, rows, person, more)| {
        let weights: Vec<Vec<f64>> =
            joint.iter().map(|row| row.iter().map(|&w| f64::from(w)).collect()).collect();
        let covers: Vec<usize> = (0..3).filter(|&q| q == person || more >> q & 1 == 1).collect();
        let mut counts = vec![0; 3];
        rows.iter().for_each(|&s| counts[s] += 1);
        let expected = belief_worlds::belief(&weights, &covers, &counts, person);

        let cells = joint.iter().enumerate().flat_map(|(q, row)| {
            row.iter().enumerate().map(move |(s, &weight)| {
                (q as u32, s as u32, Rational::from_integer(i128::from(weight)))
            })
        });
        let prior = Prior::new(cells);
        let covers: Vec<u32> = covers.iter().map(|&q| q as u32).collect();
        let counts: Vec<u64> = counts.iter().map(|&count| count as u64).collect();
        let block = Block::of_counts(&covers, &counts);
        match (observed(&prior, &block, person as u32), expected) {
            (Ok(beliefs), Some(expected)) => {
                for (value, expected) in (0u32..).zip(expected) {
                    let found = beliefs.get(&value).map_or(0.0, |belief| belief.1);
                    prop_assert!((found - expected).abs() < 1e-9, "{} {}", found, expected);
                }
            }
            (Err(_), None) => {}
            (found, expected) => prop_assert!(false, "{:?} {:?}", found, expected),
        }
        Ok(())
    });
}

#[test]
fn table_is_the_worst_case_prior() {
    let table = table(&[("a", "x"), ("a", "x"), ("a", "y"), ("b", "y")]);
    let prior = Prior::of_table(&table, 0);
    let block = Block::of_counts(&[0, 1], &[2, 2]);
    let beliefs =
        observed(&prior, &block, 0).expect("a table is consistent with its own distribution");
    assert!((beliefs[&0].0 - 2.0 / 3.0).abs() < 1e-12);
    // x: 2 * (2/3) / (2/2); y: 2 * (1/3) / (2/2).
    assert!((beliefs[&0].1 - 2.0 / 3.0).abs() < 1e-12);
    assert_eq!(observed(&prior, &block, 1).expect("possible").get(&0), None);
}
