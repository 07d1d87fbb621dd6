//! Times split-and-partition on Adult: `cargo run --release -p indistinct-search --example
//! multidimensional_adult [task [objective]]`.

#[path = "../tests/multidimensional_support/mod.rs"]
mod support;

use std::time::Instant;

use indistinct_core::{Rational, Silent, loss};
use indistinct_search::Outcome;
use indistinct_search::multidimensional::{GeneralizeTo, Split};
use support::{ALL_NINE, Adult};

fn time(
    name: &str,
    names: &[&str],
    (align, split): (GeneralizeTo, Split),
    principles: &[(&str, &[(&str, &str)])],
    n_suppressed: i128,
) {
    if std::env::args().nth(1).is_some_and(|only| only != name) {
        return;
    }
    let limit = Rational::new(n_suppressed, 30_162);
    let Some(adult) = Adult::new(names, limit, principles) else { return };
    let mut problem = adult.problem(align, split);
    if let Some(name) = std::env::args().nth(2) {
        problem.problem.objective = loss::find(&name).expect("an objective");
    }
    let mut seconds: Vec<f64> = Vec::new();
    for _ in 0..5 {
        let start = Instant::now();
        let outcome = problem.run(&Silent).expect("an answer");
        seconds.push(start.elapsed().as_secs_f64());
        match outcome {
            Outcome::Found(found) if seconds.len() == 1 => println!(
                "{name}: {} {:.5?}, {} rows suppressed, {} classes, {:?}",
                problem.problem.objective.name,
                found.objective,
                found.n_suppressed,
                found.n_classes,
                found.effort
            ),
            Outcome::NotFound(infeasible) => println!("{name}: {infeasible:?}"),
            Outcome::Found(_) => {}
        }
    }
    seconds.sort_by(f64::total_cmp);
    println!(
        "    {:.4} .. {:.4} s, median {:.4} s",
        seconds[0],
        seconds[seconds.len() - 1],
        seconds[seconds.len() / 2]
    );
}

fn main() {
    let k: &[(&str, &[(&str, &str)])] = &[("k-anonymity", &[("k", "5")])];
    let recursive: &[(&str, &[(&str, &str)])] =
        &[("recursive-diversity", &[("c", "3"), ("l", "4")])];
    let entropy: &[(&str, &[(&str, &str)])] = &[("entropy-l-diversity", &[("l", "4")])];
    let labels = (GeneralizeTo::Hierarchy, Split::Best);
    time("k", &ALL_NINE, labels, k, 3);
    time("k-values", &ALL_NINE, (GeneralizeTo::Bounds, Split::Best), k, 3);
    time("recursive", &ALL_NINE[..8], labels, recursive, 0);
    time("entropy", &ALL_NINE[..8], labels, entropy, 0);
    time("median", &ALL_NINE, (GeneralizeTo::Hierarchy, Split::Median), k, 0);
    time("median-values", &ALL_NINE, (GeneralizeTo::Bounds, Split::Median), k, 0);
}
