//! The conformance program. Each line on standard input is a JSON object `{"op": ..., "input":
//! ...}`, and the program writes each answer as one line to standard output, flushed. See
//! `vectors/FORMAT.md`.
//!
//! The program only translates tables and parameters into the library's types, and levels into the
//! keys of the format. No answer is hard-coded. An invalid request produces an error as its answer,
//! and processing continues with the next request.

mod belief;
mod divergence;
mod ell_delta;
mod generalize;
mod input;
mod ldiv;
mod metrics;
mod numeric;
mod perturb;
mod principles;
mod sweep;
mod tau;

use std::io::{BufRead, Write};
use std::panic::catch_unwind;

use serde_json::{Value, json};

fn answer(op: &str, input: &Value) -> Value {
    match op {
        "ldiv.check" => ldiv::check(input),
        "ldiv.measure" => ldiv::measure(input),
        "ldiv.adjusted" => ldiv::adjusted(input),
        "ldiv.multi" => ldiv::multi(input),
        "belief.observed" => belief::observed(input),
        "belief.disclosure" => belief::disclosure(input),
        "metrics.homogeneity" => metrics::homogeneity(input),
        "metrics.size" => metrics::size(input),
        "metrics.height" => metrics::height(input),
        "metrics.kl" => divergence::kl(input),
        "principle.k" => principles::k(input),
        "principle.alpha_k" => principles::alpha_k(input),
        "principle.k_e" => principles::k_e(input),
        "principle.variance" => principles::variance(input),
        "principle.t_closeness" => principles::t_closeness(input),
        "principle.delta_presence" => principles::delta_presence(input),
        "prox.risk" => numeric::risk(input),
        "prox.feasibility" => numeric::feasibility(input),
        "prox.generalize" => generalize::generalize(input),
        "perturb.risk" => perturb::risk(input),
        "perturb.best_p" => perturb::best_p(input),
        "perturb.table_best_p" => perturb::table_best_p(input),
        "perturb.count_uniform" => perturb::count_uniform(input),
        "perturb.count_perturbed" => perturb::count_perturbed(input),
        "delta_l.measure" => numeric::delta_l_measure(input),
        "delta_l.check" => numeric::delta_l_check(input),
        "tau_l.check" => tau::check(input),
        "tau_l.utility" => tau::utility(input),
        "tau_l.order" => sweep::order(input),
        "tau_l.sweep" => sweep::sweep(input),
        "ell_delta.worst_case" => ell_delta::worst_case(input),
        "ell_delta.linkage" => ell_delta::linkage(input),
        "ell_delta.samples" => ell_delta::samples(input),
        "ell_delta.greedy" => ell_delta::contiguous(input),
        "ell_delta.generalize_ind" => ell_delta::generalize_ind(input),
        "ell_delta.p_sweep" => ell_delta::p_sweep(input),
        "ell_delta.failure" => ell_delta::exact_failure(input),
        _ => json!({ "unsupported": true }),
    }
}

fn main() -> std::io::Result<()> {
    let mut out = std::io::stdout().lock();
    for line in std::io::stdin().lock().lines() {
        let line = line?;
        if line.trim().is_empty() {
            continue;
        }
        let answer = match serde_json::from_str::<Value>(&line) {
            Ok(request) => {
                let op = request["op"].as_str().unwrap_or_default();
                let answered = catch_unwind(|| answer(op, &request["input"]));
                answered.unwrap_or_else(|_| json!({ "error": "invalid request" }))
            }
            Err(error) => json!({ "error": error.to_string() }),
        };
        writeln!(out, "{answer}")?;
        out.flush()?;
    }
    Ok(())
}
