//! Tests distributions against row-by-row computations, and correlations against manual
//! computations.

mod support;

use std::collections::{BTreeMap, BTreeSet};

use indistinct_core::Silent;
use indistinct_measure::axes::Axes;
use indistinct_measure::marginals::{Connection, Marginals, marginals};
use proptest::prelude::*;
use support::{Case, How, ages, cases, letters};

type Shares = BTreeMap<(u32, char, String), f64>;

fn spread(case: &Case, rows: &indistinct_core::FrequencyTable) -> Shares {
    let occurring: BTreeSet<u32> = case.rows.iter().map(|row| row.0).collect();
    let mut shares = Shares::new();
    for tuple in 0..rows.n_tuples() {
        let texts: Vec<&str> =
            rows.columns().map(|column| column.dictionary.value(column.codes[tuple])).collect();
        let (own, others) = (ages(texts[0], &occurring), letters(texts[1]));
        let each = rows.counts()[tuple] as f64 / (own.len() * others.len()) as f64;
        for age in &own {
            for letter in &others {
                *shares.entry((*age, *letter, texts[2].to_owned())).or_default() +=
                    each / rows.n_rows() as f64;
            }
        }
    }
    shares
}

fn distance<K: Ord + Clone>(
    a: &Shares,
    b: &Shares,
    key: impl Fn(&(u32, char, String)) -> K,
) -> f64 {
    let mut sums: BTreeMap<K, f64> = BTreeMap::new();
    a.iter().for_each(|(of, share)| *sums.entry(key(of)).or_default() += share);
    b.iter().for_each(|(of, share)| *sums.entry(key(of)).or_default() -= share);
    sums.values().map(|difference| difference.abs()).sum::<f64>() / 2.0
}

fn near(a: f64, b: f64) -> bool {
    (a - b).abs() < 1e-9
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn marginals_match_evenly_spread_rows(case in cases()) {
        case.with(|_, _, _, pair| {
            let found = marginals(&pair, &Axes::new(&pair), &Silent);
            if pair.published.rows.n_rows() == 0 {
                return Ok(());
            }
            let mut original = Shares::new();
            for row in &case.rows {
                *original.entry(row.clone()).or_default() += 1.0 / case.rows.len() as f64;
            }
            let released = spread(&case, &pair.published.rows);
            let one = [
                distance(&original, &released, |row| row.0.to_string()),
                distance(&original, &released, |row| row.1.to_string()),
                distance(&original, &released, |row| row.2.clone()),
            ];
            for (found, expected) in found.attributes.iter().zip(one) {
                prop_assert!(near(found.total_variation, expected), "{:?} != {}", found, expected);
            }
            let two = [
                distance(&original, &released, |row| (row.0.to_string(), row.1.to_string())),
                distance(&original, &released, |row| (row.0.to_string(), row.2.clone())),
                distance(&original, &released, |row| (row.1.to_string(), row.2.clone())),
            ];
            for (found, expected) in found.pairs.iter().zip(two) {
                let got = found.total_variation.expect("few combinations");
                prop_assert!(near(got, expected), "{:?} != {}", found, expected);
            }
            Ok(())
        })?;
    }
}

fn of(rows: &[(u32, char, &str)], levels: [usize; 2]) -> Marginals {
    let rows: Vec<_> = rows.iter().map(|row| (row.0, row.1, row.2.to_owned())).collect();
    let case = Case {
        suppressed: vec![false; rows.len()],
        rows,
        how: How::Levels(levels),
        becomes: indistinct_core::SuppressionRule::Dropped,
    };
    case.with(|_, _, _, pair| marginals(&pair, &Axes::new(&pair), &Silent))
}

#[test]
fn earth_mover_distance_uses_numeric_distances() {
    // The ages are 0, 0, 1, and 4. In the release, the ages 0 and 1 are equally likely, which moves
    // 0.25 by 1 in a range of 4. The age 4 is unchanged.
    let found =
        of(&[(0, 'a', "1"), (0, 'a', "1"), (0, 'a', "1"), (1, 'a', "1"), (4, 'a', "1")], [1, 0]);
    let age = &found.attributes[0];
    // The fraction at 0 is 3/5 in the original and 2/5 in the release.
    assert!(near(age.total_variation, 0.2), "{age:?}");
    assert!(near(age.earth_mover.expect("numbers"), 0.2 * 1.0 / 4.0), "{age:?}");
    assert_eq!(
        (found.attributes[1].earth_mover, found.attributes[2].earth_mover),
        (None, Some(0.0))
    );
}

#[test]
fn correlations_match_textbook_formulas() {
    let rows = [(1, 'a', "1"), (2, 'a', "2"), (3, 'b', "2.5"), (4, 'b', "30"), (5, 'b', "10")];
    let found = of(&rows, [0, 0]);
    let [of_age_and_letter, of_age_and_number, of_letter_and_number] = &found.pairs[..] else {
        panic!("three pairs")
    };
    // Spearman's correlation is 1 - 6 * (1 + 1) / (5 * 24).
    let spearman = of_age_and_number.correlation.expect("numbers");
    assert_eq!(spearman.measure, Connection::Spearman);
    assert!(
        near(spearman.original, 0.9) && near(spearman.released.expect("defined"), 0.9),
        "{spearman:?}"
    );
    // Quarters 1-2 and 3-5 of the ages determine the letters exactly.
    let v = of_age_and_letter.correlation.expect("values");
    assert_eq!(v.measure, Connection::CramersV);
    assert!(near(v.original, 1.0), "{v:?}");
    assert!(of_letter_and_number.correlation.is_some());

    // Four rows for each of two letters and two numbers, in a ratio of 3 to 1: chi2/n = 1/4.
    let table: Vec<(u32, char, &str)> =
        [('a', "1", 3), ('a', "2", 1), ('b', "1", 1), ('b', "2", 3)]
            .into_iter()
            .flat_map(|(letter, value, n)| vec![(1, letter, value); n])
            .collect();
    let v = of(&table, [0, 0]).pairs[2].correlation.expect("each column has two values");
    assert!(near(v.original, 0.5) && near(v.released.expect("defined"), 0.5), "{v:?}");
    // Without distinguishable letters, the association is 0.
    let v = of(&table, [0, 3]).pairs[2].correlation.expect("the original correlation is defined");
    assert!(
        near(v.original, 0.5)
            && near(v.released.expect("the release may contain all letters"), 0.0),
        "{v:?}"
    );
    // Correlation is undefined for an attribute with a single value.
    assert_eq!(of(&table, [0, 0]).pairs[0].correlation, None);
}
