//! The random draws of a perturbation.

use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::{RngCore, SeedableRng};

use super::{DomainValues, Key, Retention};
use crate::model::FrequencyTable;
use crate::recoding::Part;

/// The result of perturbing a table: the parts of its tuples, and the domain value of each part.
pub(crate) struct DrawnRows {
    pub parts: Vec<Part>,
    pub codes: Vec<u32>,
    pub n_changed: u64,
}

/// Other random choices of a release use the same key with different streams.
const STREAM: u64 = u64::from_be_bytes(*b"perturb.");

/// Draws a value for each row, in the order of the table's tuples.
///
/// The rows of a tuple are interchangeable, so only the number of rows with each value matters.
pub(crate) fn draw(
    table: &FrequencyTable,
    values: &DomainValues,
    retention: Retention,
    key: &Key,
) -> DrawnRows {
    let mut rng = ChaCha20Rng::from_seed(key.0);
    rng.set_stream(STREAM);
    let (retained, of) = retention.odds();
    let n_values = values.dictionary.len() as u64;
    let mut drawn = DrawnRows { parts: Vec::new(), codes: Vec::new(), n_changed: 0 };
    let mut noise: Vec<u32> = Vec::new();
    for (tuple, &count) in table.counts().iter().enumerate() {
        let code = table.sensitive()[0].codes[tuple];
        if count == 0 {
            continue;
        }
        let own = values.of_code[code as usize];
        noise.clear();
        for _ in 0..count {
            if below(&mut rng, of) >= retained {
                noise.push(below(&mut rng, n_values) as u32);
            }
        }
        let n_retained = count - noise.len() as u64;
        noise.sort_unstable();
        let runs = noise.chunk_by(|a, b| a == b).map(|run| (run[0], run.len() as u64));
        let mut released: Vec<(u32, u64)> = runs.collect();
        match released.binary_search_by_key(&own, |entry| entry.0) {
            Ok(at) => released[at].1 += n_retained,
            Err(at) if n_retained > 0 => released.insert(at, (own, n_retained)),
            Err(_) => {}
        }
        for (value, rows) in released {
            drawn.parts.push(Part { tuple: tuple as u32, rows });
            drawn.codes.push(value);
            drawn.n_changed += if value == own { 0 } else { rows };
        }
    }
    drawn
}

/// Returns a uniformly distributed integer below n, which is at least 1.
fn below(rng: &mut ChaCha20Rng, n: u64) -> u64 {
    // The largest multiple of n in the range; larger numbers would make the result non-uniform.
    let rounds = u64::MAX - u64::MAX % n;
    loop {
        let x = rng.next_u64();
        if x < rounds {
            return x % n;
        }
    }
}
