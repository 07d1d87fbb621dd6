//! What the gate costs: for a CSV file the milliseconds that it takes to judge each column, once its distinct values are known.
//!
//! `cargo run --release -p indistinct-columns --example gate_cost -- FILE [DELIMITER]`

use std::collections::BTreeMap;
use std::time::Instant;

use indistinct_columns::{Sample, findings};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().ok_or("name a CSV file")?;
    let delimiter = arguments.next().and_then(|text| text.bytes().next()).unwrap_or(b',');
    let mut reader = csv::ReaderBuilder::new().delimiter(delimiter).from_path(&path)?;
    let names: Vec<String> = reader.headers()?.iter().map(str::to_owned).collect();
    let mut values: Vec<BTreeMap<String, u64>> = vec![BTreeMap::new(); names.len()];
    let mut n_rows = 0;
    for record in reader.records() {
        n_rows += 1;
        for (counts, field) in values.iter_mut().zip(&record?) {
            *counts.entry(field.to_owned()).or_insert(0) += 1;
        }
    }
    let mut all = 0.0;
    for (name, counts) in names.iter().zip(&values) {
        let counted: Vec<(&str, u64)> =
            counts.iter().map(|(value, n)| (value.as_str(), *n)).collect();
        let start = Instant::now();
        let found = findings(&Sample::of_values(name, n_rows, &counted));
        let milliseconds = start.elapsed().as_secs_f64() * 1e3;
        all += milliseconds;
        let kinds: Vec<&str> = found.iter().map(|finding| finding.kind.name).collect();
        println!(
            "{milliseconds:9.2} ms  {:>9} values  {name}  {}",
            counted.len(),
            kinds.join(", ")
        );
    }
    println!("{all:9.2} ms  {n_rows} rows, {} columns", names.len());
    Ok(())
}
