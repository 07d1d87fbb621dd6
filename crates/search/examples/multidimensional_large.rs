//! Times the textbook split on large tables (a million rows similar to a census, and half a million
//! rows with a numeric sensitive attribute): `cargo run --release -p indistinct-search --example
//! multidimensional_large`.

#[path = "../tests/multidimensional_support/mod.rs"]
mod support;

use std::time::Instant;

use indistinct_core::model::CountedColumn;
use indistinct_core::recoding::{ClassColumn, Others};
use indistinct_core::{
    Dictionary, FrequencyTable, Hierarchy, Policy, Rational, Silent, SuppressionRule,
};
use indistinct_search::Outcome;
use indistinct_search::multidimensional::{GeneralizeTo, Split};
use support::{problem, requirement};

/// A linear congruential generator, which produces the same table on every machine.
struct Random(u64);

impl Random {
    fn below(&mut self, n: u32) -> u32 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (((self.0 >> 33) * u64::from(n)) >> 31) as u32
    }

    /// Returns a random number from a distribution in which small values are more likely.
    fn skewed(&mut self, n: u32) -> u32 {
        self.below(n).min(self.below(n))
    }
}

fn column(name: &str, n: u32, codes: Vec<u32>) -> CountedColumn {
    let dictionary = Dictionary::from_distinct((0..n).map(|value| value.to_string()).collect()).0;
    CountedColumn { name: name.to_owned(), dictionary, codes }
}

fn time(
    name: &str,
    table: &FrequencyTable,
    required: &[(&str, &[(&str, &str)])],
    published: ClassColumn,
) {
    let requirements = required
        .iter()
        .map(|(kind, numbers)| {
            let attribute = (*kind != "k-anonymity").then_some(0);
            requirement(table, kind, attribute, numbers, Others::Ignored)
        })
        .collect();
    let columns = table.quasi_identifiers();
    let policy = Policy {
        hierarchies: columns.iter().map(|column| Hierarchy::flat(&column.dictionary)).collect(),
        requirements,
        suppression_limit: Rational::new(0, 1),
        suppressed: SuppressionRule::Dropped,
        published,
    };
    let (align, split, n) = match published {
        ClassColumn::Absent if required.len() == 1 => (GeneralizeTo::Hierarchy, Split::Best, 1),
        _ => (GeneralizeTo::Bounds, Split::Median, 3),
    };
    let problem = problem(table, &policy, align, split);
    for _ in 0..n {
        let start = Instant::now();
        let outcome = problem.run(&Silent).expect("an answer");
        let seconds = start.elapsed().as_secs_f64();
        match outcome {
            Outcome::Found(found) => println!(
                "{name}: {} tuples, {seconds:.3} s, loss {:.5?}, {} classes",
                table.n_tuples(),
                found.objective,
                found.n_classes
            ),
            Outcome::NotFound(infeasible) => println!("{name}: {infeasible:?}"),
        }
    }
}

/// Times the best cuts on `n` rows, nearly all distinct: `... --example multidimensional_large
/// 1000000`.
fn distinct(n: usize) {
    let mut random = Random(3);
    let sizes = [64u32, 12, 5, 32, 100, 64, 12, 5];
    let column = |(at, &size): (usize, &u32)| {
        column(&format!("q{at}"), size, (0..n).map(|_| random.skewed(size)).collect())
    };
    let columns = sizes.iter().enumerate().map(column).collect();
    let table = FrequencyTable::new(columns, Vec::new(), vec![1; n]).expect("well-formed");
    time("distinct", &table, &[("k-anonymity", &[("k", "5")])], ClassColumn::Absent);
}

fn main() {
    if let Some(n) = std::env::args().nth(1) {
        return distinct(n.parse().expect("the argument is a number of rows"));
    }
    let mut random = Random(3);
    let n = 1_000_000;
    let sizes = [2u32, 90, 9, 7, 16, 60, 9, 12, 50];
    let columns = sizes
        .iter()
        .enumerate()
        .map(|(at, &size)| {
            column(&format!("q{at}"), size, (0..n).map(|_| random.skewed(size)).collect())
        })
        .collect();
    let value = column("sensitive", 14, (0..n).map(|_| random.skewed(14)).collect());
    let table = FrequencyTable::new(columns, vec![value], vec![1; n]).expect("well-formed");
    let required: &[(&str, &[(&str, &str)])] =
        &[("k-anonymity", &[("k", "5")]), ("entropy-l-diversity", &[("l", "3")])];
    time("census", &table, required, ClassColumn::Absent);

    let n = 500_000;
    let age: Vec<u32> = (0..n).map(|_| random.below(78)).collect();
    let birthplace = (0..n).map(|_| random.skewed(710)).collect();
    let occupation: Vec<u32> = (0..n).map(|_| random.skewed(983)).collect();
    let income =
        (0..n).map(|at| 1000 + 40 * age[at] * 10 + occupation[at] * 20 + random.skewed(48_000));
    let income: Vec<u32> = income.collect();
    let columns = vec![
        column("age", 78, age),
        column("birthplace", 710, birthplace),
        column("occupation", 983, occupation),
    ];
    let value = column("income", 100_001, income);
    let table = FrequencyTable::new(columns, vec![value], vec![1; n]).expect("well-formed");
    let required: &[(&str, &[(&str, &str)])] =
        &[("epsilon-m-anonymity", &[("epsilon", "4500"), ("m", "5")])];
    time("salary", &table, required, ClassColumn::Published);
}
