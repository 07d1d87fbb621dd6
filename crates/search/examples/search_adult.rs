//! Times the full-domain search on Adult: `cargo run --release -p indistinct-search --example search_adult [task]`.

#[path = "../tests/support/mod.rs"]
mod support;

use std::time::Instant;

use indistinct_core::Silent;
use indistinct_search::Search;
use indistinct_search::full_domain::FullDomain;
use support::{ALL_NINE, Adult, Wanted, k_anonymity, requirement};

fn time(name: &str, names: &[&str], limit: &str, objective: &str, requirements: Vec<Wanted>) {
    if std::env::args().nth(1).is_some_and(|only| only != name) {
        return;
    }
    let Some(adult) = Adult::new(names, limit, requirements) else { return };
    let problem = adult.problem(objective);
    let mut seconds: Vec<f64> = Vec::new();
    for _ in 0..7 {
        let start = Instant::now();
        let outcome = FullDomain::default().search(&problem, &Silent).expect("an answer");
        seconds.push(start.elapsed().as_secs_f64());
        if seconds.len() == 1 {
            match outcome {
                indistinct_search::Outcome::Found(found) => println!(
                    "{name}: {:?} objective {:.6?} suppressed {} classes {} {:?}",
                    found.proposal.levels,
                    found.objective,
                    found.n_suppressed,
                    found.n_classes,
                    found.statistics
                ),
                other => println!("{name}: {other:?}"),
            }
        }
    }
    seconds.sort_by(f64::total_cmp);
    println!(
        "    first to last {:.4} .. {:.4}, median {:.4} s",
        seconds[0], seconds[6], seconds[3]
    );
}

fn main() {
    let k = || vec![k_anonymity("5")];
    let on = Some(0);
    let recursive = || requirement("recursive-diversity", on, &[("c", "3"), ("l", "4")]);
    let entropy = || requirement("entropy-l-diversity", on, &[("l", "4")]);
    time("9, k = 5, 0.04, loss", &ALL_NINE, "0.04", "loss", k());
    time("9, k = 5, 1.0, entropy", &ALL_NINE, "1", "entropy", k());
    time("8, recursive, 0.04, loss", &ALL_NINE[..8], "0.04", "loss", vec![recursive()]);
    time("8, entropy, 0.04, loss", &ALL_NINE[..8], "0.04", "loss", vec![entropy()]);
    time("9, k = 5, 0.04, discernibility", &ALL_NINE, "0.04", "discernibility", k());
    time("9, k = 5, 1.0, average", &ALL_NINE, "1", "average-class-size", k());
    time("9, k = 5, 0, loss", &ALL_NINE, "0", "loss", k());
    time("8, recursive, 1, entropy", &ALL_NINE[..8], "1", "entropy", vec![recursive()]);
}
