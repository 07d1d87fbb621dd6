//! Times classes along the curve on Adult: `cargo run --release -p indistinct-search --example curve_adult`.

#[path = "../tests/classes_support/mod.rs"]
mod classes_support;

use std::time::Instant;

use classes_support::{Adult, EIGHT, requirement};
use indistinct_core::model::Taxonomy;
use indistinct_core::{FrequencyTable, Requirement, Silent, certify};
use indistinct_search::curve::{Align, Options, Outcome, Problem, curve};

fn time(
    name: &str,
    names: &[&str],
    requirements: impl Fn(&FrequencyTable, Option<&Taxonomy>) -> Vec<Requirement>,
) {
    let Some(adult) = Adult::new(names, requirements) else { return };
    for align in [Align::Hierarchy, Align::Values] {
        let hierarchies = &adult.policy.hierarchies;
        let problem = Problem {
            table: &adult.table,
            policy: &adult.policy,
            weights: vec![1.0; names.len()],
            bounds: hierarchies.iter().map(|hierarchy| 0..=hierarchy.n_levels() - 1).collect(),
            align,
        };
        let mut ms: Vec<f64> = Vec::new();
        for round in 0..7 {
            let start = Instant::now();
            let outcome = curve(&problem, &Options::default(), &Silent).expect("an answer");
            ms.push(start.elapsed().as_secs_f64() * 1000.0);
            match outcome {
                Outcome::Found(found) if round == 0 => {
                    let certified = certify(&adult.table, &adult.policy, &found.recoding);
                    println!(
                        "{name}, {align:?}: loss {:.4}, {} classes, {} suppressed, certified: {}",
                        found.loss,
                        found.n_classes,
                        found.n_suppressed,
                        certified.is_ok()
                    );
                }
                Outcome::Infeasible(infeasible) => println!("{name}: {infeasible:?}"),
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
