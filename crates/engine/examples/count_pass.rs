//! Counts columns of a file and prints the running time: `count_pass FILE [THREADS] [COLUMN...]`
//! (all columns by default).

use std::time::Instant;

use indistinct_core::Silent;
use indistinct_engine::{CountRequest, EmbeddedEngine, Engine, Input, InputSpec};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().ok_or("usage: count_pass FILE [THREADS] [COLUMN...]")?;
    let engine = match arguments.next() {
        Some(threads) => EmbeddedEngine::new(threads.parse()?),
        None => EmbeddedEngine::default(),
    };
    let start = Instant::now();
    let input = Input::open(&InputSpec { path: path.into(), ..InputSpec::default() })?;
    let mut columns: Vec<String> = arguments.collect();
    if columns.is_empty() {
        columns = input.columns().iter().map(|column| column.name.clone()).collect();
    }
    let request = CountRequest { quasi_identifiers: columns, ..CountRequest::default() };
    let counted = engine.count(&input, &request, &Silent)?;
    let seconds = start.elapsed().as_secs_f64();
    println!(
        "{} rows, {} tuples, {seconds:.3} s, sha256 {}",
        counted.table.n_rows(),
        counted.table.n_tuples(),
        counted.fingerprint.sha256
    );
    Ok(())
}
