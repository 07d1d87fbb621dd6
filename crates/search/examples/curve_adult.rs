//! Times classes along the curve on Adult: `cargo run --release -p indistinct-search --example
//! curve_adult`.

#[path = "../tests/classes_support/mod.rs"]
mod classes_support;

use std::time::Instant;

use classes_support::{Adult, EIGHT, requirement};
use indistinct_core::model::Taxonomy;
use indistinct_core::{FrequencyTable, Requirement, Silent, certify};
use indistinct_search::curve::{Curve, GeneralizeTo};
use indistinct_search::{Outcome, Problem, Search};

fn time(
    name: &str,
    names: &[&str],
    requirements: impl Fn(&FrequencyTable, Option<&Taxonomy>) -> Vec<Requirement>,
) {
    let Some(adult) = Adult::new(names, requirements) else { return };
    for align in [GeneralizeTo::Hierarchy, GeneralizeTo::Bounds] {
        let problem = Problem::new(&adult.table, &adult.policy);
        let mut ms: Vec<f64> = Vec::new();
        for round in 0..7 {
            let start = Instant::now();
            let outcome = Curve { align }.search(&problem, &Silent).expect("an answer");
            ms.push(start.elapsed().as_secs_f64() * 1000.0);
            match outcome {
                Outcome::Found(found) if round == 0 => {
                    let certified = certify(&adult.table, &adult.policy, &found.proposal);
                    println!(
                        "{name}, {align:?}: loss {:.4?}, {} classes, {} suppressed, certified: {}",
                        found.objective,
                        found.n_classes,
                        found.n_suppressed,
                        certified.is_ok()
                    );
                }
                Outcome::NotFound(infeasible) => println!("{name}: {infeasible:?}"),
                _ => {}
            }
        }
        ms.sort_by(f64::total_cmp);
        println!("    median {:.1} ms, {:.1} .. {:.1}", ms[3], ms[0], ms[6]);
    }
}

fn main() {
    let mut nine = EIGHT.to_vec();
    nine.push("occupation");
    let on = |kind: &'static str, numbers: &'static [(&str, &str)]| {
        move |table: &FrequencyTable, _: Option<&Taxonomy>| {
            vec![requirement(table, kind, Some(0), None, numbers)]
        }
    };
    time("9, k = 5", &nine, |table, _| {
        vec![requirement(table, "k-anonymity", None, None, &[("k", "5")])]
    });
    time("8, frequency 4", &EIGHT, on("frequency-l-diversity", &[("l", "4")]));
    time("8, entropy 4", &EIGHT, on("entropy-l-diversity", &[("l", "4")]));
    time("8, recursive (3, 4)", &EIGHT, on("recursive-diversity", &[("c", "3"), ("l", "4")]));
    time("8, frequency 7", &EIGHT, on("frequency-l-diversity", &[("l", "7")]));
}
