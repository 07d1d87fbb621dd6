//! Times the full-domain search on a table similar to 10 million rows of a census: `cargo run
//! --release -p indistinct-search --example search_census [distinct tuples]`.

#[path = "../tests/support/mod.rs"]
mod support;

use std::collections::HashMap;
use std::time::Instant;

use indistinct_core::{FrequencyTable, Silent};
use indistinct_search::Search;
use indistinct_search::full_domain::FullDomain;
use support::{ALL_NINE, Adult, k_anonymity, problem, requirement};

/// A linear congruential generator, which produces the same table on every machine.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((u128::from(self.0 >> 16) * n as u128) >> 48) as usize
    }
}

fn main() {
    let wanted: usize = std::env::args()
        .nth(1)
        .map_or(450_000, |n| n.parse().expect("the argument is a number of tuples"));
    let on = Some(0);
    let requirements =
        vec![k_anonymity("5"), requirement("recursive-diversity", on, &[("c", "3"), ("l", "4")])];
    let Some(mut adult) = Adult::new(&ALL_NINE[..8], "0.04", requirements) else { return };
    let columns: Vec<_> = adult.table.columns().cloned().collect();
    let n = adult.table.n_tuples();
    let mut random = Random(7);
    let mut counts: HashMap<Vec<u32>, u64> = HashMap::new();
    let mut n_rows = 0u64;
    while counts.len() < wanted {
        // Combine a row of Adult with two attribute values from other rows.
        let row = random.below(n);
        let mut codes: Vec<u32> = columns.iter().map(|column| column.codes[row]).collect();
        for _ in 0..2 {
            let at = random.below(columns.len());
            codes[at] = columns[at].codes[random.below(n)];
        }
        *counts.entry(codes).or_default() += 1;
        n_rows += 1;
    }
    let mut tuples: Vec<(Vec<u32>, u64)> = counts.into_iter().collect();
    tuples.sort_unstable();
    let scale = 10_000_000 / n_rows;
    let mut columns = columns;
    for (at, column) in columns.iter_mut().enumerate() {
        column.codes = tuples.iter().map(|tuple| tuple.0[at]).collect();
    }
    let sensitive = columns.split_off(8);
    let counts = tuples.iter().map(|tuple| tuple.1 * scale.max(1)).collect();
    adult.table = FrequencyTable::new(columns, sensitive, counts).expect("well-formed");
    println!("{} rows, {} tuples", adult.table.n_rows(), adult.table.n_tuples());
    let problem = problem(&adult.table, &adult.policy, "loss");
    for _ in 0..3 {
        let start = Instant::now();
        let outcome = FullDomain::default().search(&problem, &Silent).expect("an answer");
        let seconds = start.elapsed().as_secs_f64();
        if let indistinct_search::Outcome::Found(found) = outcome {
            println!(
                "{seconds:.3} s {:?} {:.5?} {} {} {:?}",
                found.proposal.levels,
                found.objective,
                found.n_suppressed,
                found.n_classes,
                found.effort
            );
        }
    }
}
