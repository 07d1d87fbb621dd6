//! Times the sequential sweep on Adult: `cargo run --release -p indistinct-search --example
//! sweep_adult`.

#[path = "../tests/classes_support/mod.rs"]
mod classes_support;

use std::time::Instant;

use classes_support::{Adult, EIGHT, requirement};
use indistinct_core::{Silent, certify};
use indistinct_search::sweep::{Choice, Sweep};
use indistinct_search::{Outcome, Problem, Search};

fn time(name: &str, tau: &str, l: &str, choice: Choice) {
    let adult = Adult::new(&EIGHT, |table, taxonomy| {
        let numbers = [("tau", tau), ("l", l)];
        vec![requirement(table, "tau-l-diversity", Some(0), taxonomy, &numbers)]
    });
    let Some(adult) = adult else { return };
    let problem = Problem::new(&adult.table, &adult.policy);
    let mut ms: Vec<f64> = Vec::new();
    for round in 0..5 {
        let start = Instant::now();
        let outcome =
            Sweep { choice, ..Sweep::default() }.search(&problem, &Silent).expect("an answer");
        ms.push(start.elapsed().as_secs_f64() * 1000.0);
        match outcome {
            Outcome::Found(found) if round == 0 => {
                let certified = certify(&adult.table, &adult.policy, &found.proposal.recoding);
                println!(
                    "{name}: loss {:.4?}, utility {:.4}, {} classes, {} sensitive values generalized, certified: {}",
                    found.objective,
                    found.proposal.utility,
                    found.n_classes,
                    found.proposal.n_generalized,
                    certified.is_ok()
                );
            }
            Outcome::NotFound(infeasible) => println!("{name}: {infeasible:?}"),
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
