//! Measures all principles on numbers for one class of a million rows with a million distinct
//! numbers. The figures in `docs/performance.md` are from this example.
//!
//! `cargo run --release -p indistinct-core --example one_large_class [ROWS]`

// The example measures time.
#![allow(clippy::disallowed_methods, clippy::disallowed_types, clippy::disallowed_macros)]

use std::collections::BTreeMap;
use std::time::Instant;

use indistinct_core::model::CountedColumn;
use indistinct_core::principle::{Context, ParameterValue, Parameters, find};
use indistinct_core::{ClassView, Dictionary, FrequencyTable, Histogram, Rational};

/// The name of a principle, its numeric parameters, and an optional word parameter.
type Wanted = (&'static str, &'static [(&'static str, i128)], Option<(&'static str, &'static str)>);

const PRINCIPLES: &[Wanted] = &[
    ("k-e-anonymity", &[("k", 2), ("e", 10)], None),
    ("variance-control", &[("variance", 10)], None),
    ("t-closeness", &[("t", 1)], Some(("distance", "ordered"))),
    ("epsilon-m-anonymity", &[("epsilon", 100), ("m", 3)], None),
    ("epsilon-m-anonymity", &[("epsilon", 1), ("m", 3)], Some(("neighborhood", "relative-radius"))),
    ("e1-e2-m-anonymity", &[("e1", 50), ("e2", 100), ("m", 3)], None),
    ("delta-l-diversity", &[("delta", 50), ("l", 3)], None),
    ("delta-l-diversity", &[("delta", 50), ("l", 3)], Some(("reading", "window"))),
];

fn main() {
    let n: u32 = std::env::args().nth(1).map_or(1_000_000, |n| n.parse().expect("a number"));
    let values = (0..u64::from(n)).map(|at| format!("{}.5", (at * 7_919) % 100_000_007)).collect();
    let (dictionary, codes) = Dictionary::from_distinct(values);
    let income = CountedColumn { name: "income".to_owned(), dictionary, codes };
    let table = FrequencyTable::new(Vec::new(), vec![income], vec![1; n as usize]).expect("valid");
    let column = &table.sensitive()[0];
    let entries: Vec<(u32, u64)> = (0..n).map(|code| (code, 1)).collect();
    let histograms = [Histogram { entries: &entries, dictionary: &column.dictionary }];
    let class = ClassView::new(u64::from(n), &histograms);
    let (mut built, mut judged) = (0.0, 0.0);
    for (name, numbers, word) in PRINCIPLES {
        let mut parameters: BTreeMap<String, ParameterValue> = numbers
            .iter()
            .map(|&(name, value)| {
                (name.to_owned(), ParameterValue::Number(Rational::from_integer(value)))
            })
            .collect();
        parameters.extend(
            word.map(|(name, word)| (name.to_owned(), ParameterValue::Text(word.to_owned()))),
        );
        let start = Instant::now();
        let kind = find(name).expect("the registry contains the kind");
        let principle = kind
            .build(&Context::new(&table, Some(0)), &Parameters(parameters))
            .expect("the parameters are valid");
        let seconds = start.elapsed().as_secs_f64();
        let start = Instant::now();
        let level = principle.of_class(&class);
        let of_class = start.elapsed().as_secs_f64();
        println!("{name}: built in {seconds:.3} s, evaluated in {of_class:.3} s, {level:?}");
        built += seconds;
        judged += of_class;
    }
    println!("{n} rows: built in {built:.3} s, evaluated in {judged:.3} s");
}
