//! Measures the time of linking two releases with a million rows each. To run the
//! example, use `cargo run --release -p indistinct-linkage --example link_large`.

// The example measures time.
#![allow(clippy::disallowed_methods, clippy::disallowed_types, clippy::disallowed_macros)]

use std::collections::BTreeMap;
use std::time::Instant;

use indistinct_linkage::post_linkage::{
    Candidates, Cover, Options, PublishedClass, PublishedRelease, Region, SensitiveDomain, Setting,
    link,
};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{RngCore, SeedableRng};

const N_ROWS: usize = 1_000_000;
/// Age, zip code, education, occupation, sex.
const N_CODES: [u32; 5] = [100, 1000, 16, 14, 2];
const N_SENSITIVE_VALUES: u32 = 50;

struct Rows {
    codes: Vec<u32>,
    sensitive: Vec<u32>,
}

fn draw(rng: &mut ChaCha8Rng, n: u32) -> u32 {
    // The smaller of two draws has a skewed distribution, like most attributes of people.
    (rng.next_u32() % n).min(rng.next_u32() % n)
}

/// Creates a full-domain recoding with intervals of the given widths.
fn full_domain(rows: &Rows, widths: [u32; 5]) -> PublishedRelease {
    let mut classes: BTreeMap<[u32; 5], BTreeMap<u32, u64>> = BTreeMap::new();
    for (codes, value) in rows.codes.chunks(5).zip(&rows.sensitive) {
        let label = std::array::from_fn(|at| codes[at] / widths[at]);
        *classes.entry(label).or_default().entry(*value).or_default() += 1;
    }
    let region = |label: [u32; 5]| -> Region {
        (0..5)
            .map(|at| Cover::Range {
                first: label[at] * widths[at],
                last: ((label[at] + 1) * widths[at] - 1).min(N_CODES[at] - 1),
            })
            .collect()
    };
    let class = |(label, counts): ([u32; 5], BTreeMap<u32, u64>)| PublishedClass {
        regions: vec![region(label)],
        sensitive: vec![counts.into_iter().collect()],
    };
    PublishedRelease { classes: classes.into_iter().map(class).collect() }
}

/// Creates an Anatomy release with classes of ten rows and exact quasi-identifiers.
fn anatomy(rows: &Rows) -> PublishedRelease {
    let class = |rows: (&[u32], &[u32])| {
        let mut regions: Vec<Region> = rows
            .0
            .chunks(5)
            .map(|codes| codes.iter().map(|&code| Cover::one(code)).collect())
            .collect();
        regions.dedup();
        let mut counts: BTreeMap<u32, u64> = BTreeMap::new();
        for &value in rows.1 {
            *counts.entry(value).or_default() += 1;
        }
        PublishedClass { regions, sensitive: vec![counts.into_iter().collect()] }
    };
    let classes = rows.codes.chunks(50).zip(rows.sensitive.chunks(10)).map(class).collect();
    PublishedRelease { classes }
}

fn main() {
    let mut rng = ChaCha8Rng::seed_from_u64(7);
    let codes: Vec<u32> = (0..N_ROWS).flat_map(|_| N_CODES).map(|n| draw(&mut rng, n)).collect();
    let values = (0..N_ROWS).map(|_| draw(&mut rng, N_SENSITIVE_VALUES)).collect();
    let rows = Rows { codes, sensitive: values };
    let mut people: BTreeMap<&[u32], u64> = BTreeMap::new();
    for codes in rows.codes.chunks(5) {
        *people.entry(codes).or_default() += 1;
    }
    let codes: Vec<u32> = people.keys().flat_map(|codes| codes.iter().copied()).collect();
    let counts: Vec<u64> = people.values().copied().collect();
    let known = Candidates::People { codes: &codes, people: &counts };
    println!("{} combinations of {N_ROWS} people", counts.len());
    let setting = Setting {
        n_codes: N_CODES.to_vec(),
        sensitive: vec![SensitiveDomain::flat(N_SENSITIVE_VALUES)],
    };
    let coarse = full_domain(&rows, [5, 100, 4, 7, 1]);
    let other = full_domain(&rows, [10, 20, 8, 14, 2]);
    let fine = full_domain(&rows, [2, 50, 4, 2, 1]);
    let buckets = anatomy(&rows);
    for (name, releases) in [
        ("two full-domain recodings", [&coarse, &other]),
        ("a fine and a coarse recoding", [&fine, &other]),
        ("a full-domain recoding and Anatomy", [&coarse, &buckets]),
    ] {
        let releases = releases.map(PublishedRelease::clone);
        let n_classes = releases.each_ref().map(|release| release.classes.len());
        for (who, candidates) in [("the originals", known), ("anybody", Candidates::Anybody)] {
            let start = Instant::now();
            let linked = link(&setting, &releases, candidates, &Options::default());
            let seconds = start.elapsed().as_secs_f64();
            match linked {
                Ok(linked) => println!(
                    "{name} ({n_classes:?} classes), {who}: {seconds:.2} s, {} combinations of \
                     classes, {} contradictory, least {:?}",
                    linked.linked.n_combinations,
                    linked.contradictory.n_combinations,
                    linked.sensitive[0].distinct_l
                ),
                Err(error) => println!("{name}, {who}: {seconds:.2} s, {error}"),
            }
        }
    }
}
