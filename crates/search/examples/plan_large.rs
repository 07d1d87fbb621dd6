//! Times the whole trade-off over a million combinations and fifty sensitive values: `cargo run
//! --release -p indistinct-search --example plan_large`.

use std::time::Instant;

use indistinct_core::Rational;
use indistinct_linkage::planned::{Basis, Joint, Target};
use indistinct_search::planned::{Detail, greedy_plan, trade_off};
use num_traits::ToPrimitive;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{RngCore, SeedableRng};

const N_COMBINATIONS: u32 = 1_000_000;
const N_SENSITIVE_VALUES: u32 = 50;

/// Returns the processor time in seconds; wall time is not informative on a busy machine.
fn cpu() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields: Vec<&str> = stat.rsplit(')').next().unwrap_or("").split(' ').collect();
    let ticks =
        |at: usize| fields.get(at).and_then(|it| it.parse::<f64>().ok()).unwrap_or(f64::NAN);
    (ticks(12) + ticks(13)) / 100.0
}

fn time(name: &str, entries: &[(u32, u32, u64)], l: u64) {
    let start = Instant::now();
    let joint = Joint::of_counts(N_COMBINATIONS as usize, N_SENSITIVE_VALUES as usize, entries)
        .expect("a distribution");
    let built = start.elapsed().as_secs_f64();
    let target = Target::new(l, Rational::new(1, 100)).expect("a target");
    let (start, before) = (Instant::now(), cpu());
    let points = trade_off(&joint, &target, Detail::default()).expect("the trade-off exists");
    let (seconds, busy) = (start.elapsed().as_secs_f64(), cpu() - before);
    println!(
        "{name}, {} cells, l = {l}: read in {built:.2} s, trade-off in {seconds:.2} s (CPU \
         {busy:.2} s): {} points",
        joint.n_cells(),
        points.len()
    );
    for point in [&points[0], &points[points.len() / 2], &points[points.len() - 1]] {
        println!(
            "    {} classes, p = {:.3e}, N = {} ({} from the actual classes)",
            point.n_classes,
            point.p.to_f64().unwrap_or(f64::NAN),
            point.n_rows,
            point.n_rows_actual_classes
        );
    }
    let point = &points[points.len() / 2];
    let p = Rational::new(
        point.p.numer().to_i128().expect("a weight"),
        point.p.denom().to_i128().expect("a total"),
    );
    let start = Instant::now();
    let plan = greedy_plan(&joint, &target, &p, Basis::ActualMasses).expect("a plan");
    let seconds = start.elapsed().as_secs_f64();
    println!("    plan with {} classes in {seconds:.2} s: N = {}", plan.classes.len(), plan.n_rows);
}

fn main() {
    let mut rng = ChaCha8Rng::seed_from_u64(7);
    let mut sparse = Vec::new();
    let mut dense = Vec::new();
    for combination in 0..N_COMBINATIONS {
        for value in 0..N_SENSITIVE_VALUES {
            let weight = u64::from(rng.next_u32() % 100) / u64::from(1 + value / 5) + 1;
            dense.push((combination, value, weight));
            if rng.next_u32() % 10 == 0 {
                sparse.push((combination, value, weight));
            }
        }
    }
    time("five sensitive values for each combination", &sparse, 10);
    drop(sparse);
    time("all sensitive values for each combination", &dense, 10);
    time("all sensitive values for each combination", &dense, 3);
}
