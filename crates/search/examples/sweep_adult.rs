//! Times the sequential sweep on Adult: `cargo run --release -p indistinct-search --example sweep_adult`.

#[path = "../tests/classes_support/mod.rs"]
mod classes_support;

use std::time::Instant;

use classes_support::{Adult, EIGHT, requirement};
use indistinct_core::{Silent, certify};
use indistinct_search::sweep::{Choice, Options, Outcome, Problem, sweep};

fn time(name: &str, tau: &str, l: &str, choice: Choice) {
    let adult = Adult::new(&EIGHT, |table, taxonomy| {
        let numbers = [("tau", tau), ("l", l)];
        vec![requirement(table, "tau-l-diversity", Some(0), taxonomy, &numbers)]
    });
    let Some(adult) = adult else { return };
    let hierarchies = &adult.policy.hierarchies;
    let problem = Problem {
        table: &adult.table,
        policy: &adult.policy,
        weights: vec![1.0; EIGHT.len()],
        bounds: hierarchies.iter().map(|hierarchy| 0..=hierarchy.n_levels() - 1).collect(),
        choice,
    };
    let mut ms: Vec<f64> = Vec::new();
    for round in 0..5 {
        let start = Instant::now();
        let outcome = sweep(&problem, &Options::default(), &Silent).expect("an answer");
        ms.push(start.elapsed().as_secs_f64() * 1000.0);
        match outcome {
            Outcome::Found(found) if round == 0 => {
                let certified = certify(&adult.table, &adult.policy, &found.recoding);
                println!(
                    "{name}: loss {:.4}, utility {:.4}, {} classes, {} secrets generalized, certified: {}",
                    found.loss,
                    found.utility,
                    found.n_classes,
                    found.n_generalized,
                    certified.is_ok()
                );
            }
            Outcome::Infeasible(infeasible) => println!("{name}: {infeasible:?}"),
            _ => {}
        }
    }
    ms.sort_by(f64::total_cmp);
    println!("    median {:.0} ms, {:.0} .. {:.0}", ms[2], ms[0], ms[4]);
}

fn main() {
    let random = Choice::Random { key: [7; 32] };
    time("(0.4, 4)", "0.4", "4", Choice::Dominant);
    time("(0.4, 4), random choice", "0.4", "4", random);
    time("(0.1, 12)", "0.1", "12", Choice::Dominant);
    time("(0.1, 12), random choice", "0.1", "12", random);
}
