//! Tests losses of releases against the certified release and manual computations.

mod support;

use std::collections::BTreeMap;

use indistinct_core::loss::{self, Form, HolderKnowledge, of_release};
use indistinct_core::{Generalization, SuppressionRule};
use indistinct_measure::information::normalized;
use indistinct_measure::losses::losses;
use indistinct_measure::rilm::rilm;
use proptest::prelude::*;
use support::{Case, How, cases};

fn known(
    release: &indistinct_core::Release<'_>,
    recoding: &indistinct_core::Recoding,
    becomes: SuppressionRule,
) -> HolderKnowledge {
    let levels = match &recoding.generalization {
        Generalization::FullDomain { levels, .. } => Some(levels.clone()),
        Generalization::Classes(_) => None,
    };
    let n_starred = if becomes == SuppressionRule::Starred { release.n_suppressed() } else { 0 };
    HolderKnowledge { levels, n_starred }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    /// The losses of the release as published must equal those of the certified release.
    #[test]
    fn published_and_certified_losses_agree(case in cases(), weight in 0.5f64..3.0) {
        case.with(|release, policy, recoding, pair| {
            let weights = [1.0, weight];
            let known = known(release, recoding, case.becomes);
            let found = losses(&pair, &known, &weights, Some(2.0));
            for loss in loss::REGISTRY {
                let expected = of_release(loss, release, policy, recoding, &weights);
                let got = found.loss.get(loss.name).copied();
                // Rows of stars may be suppressed or not, and the published release does not
                // distinguish them.
                if matches!(loss.form, Form::Joint) && got.is_none() {
                    prop_assert!(known.n_starred > 0);
                    continue;
                }
                prop_assert_eq!(got.is_some(), expected.is_some(), "{}", loss.name);
                let (got, expected) = (got.unwrap_or(0.0), expected.unwrap_or(0.0));
                prop_assert!(
                    (got - expected).abs() <= 1e-9 * expected.abs().max(1.0),
                    "{}: {} != {}",
                    loss.name,
                    got,
                    expected
                );
            }
            let average = found.loss["average-class-size"];
            prop_assert_eq!(found.normalized_average_class_size, Some(average / 2.0));
            if known.levels.is_some() {
                prop_assert!(found.precision.is_some());
            }
            Ok(())
        })?;
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// Mutual information must equal its definition, pair by pair, and must be between 0 and 1.
    #[test]
    fn mutual_information_matches_pairwise_definition(case in cases()) {
        case.with(|_, _, _, pair| {
            let Some(found) = normalized(&pair) else { return Ok(()) };
            let links = pair.links.as_ref().expect("the links are known");
            let n: u64 = links.iter().map(|link| link.rows).sum();
            let columns = pair.original.quasi_identifiers().iter();
            for (column, released) in columns.zip(pair.published.rows.quasi_identifiers()) {
                let mut joint: BTreeMap<(&str, &str), f64> = BTreeMap::new();
                for link in links {
                    let value = column.dictionary.value(column.codes[link.original as usize]);
                    let label = link.released.map_or("(none)", |at| {
                        released.dictionary.value(released.codes[at as usize])
                    });
                    *joint.entry((value, label)).or_default() += link.rows as f64 / n as f64;
                }
                let of = |one: &dyn Fn(&(&str, &str)) -> bool| -> f64 {
                    joint.iter().filter(|entry| one(entry.0)).map(|entry| entry.1).sum()
                };
                let (mut information, mut entropy) = (0.0, 0.0);
                for (pair, p) in &joint {
                    let (x, y) = (of(&|other| other.0 == pair.0), of(&|other| other.1 == pair.1));
                    information += p * (p / (x * y)).ln();
                    entropy -= p * x.ln();
                }
                let expected = if entropy < 1e-12 { 1.0 } else { information / entropy };
                prop_assert!(
                    (found[&column.name] - expected).abs() < 1e-9,
                    "{}: {}",
                    column.name,
                    expected
                );
            }
            Ok(())
        })?;
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// The metric must equal its definition, row by row.
    #[test]
    fn rilm_matches_rowwise_definition(case in cases()) {
        case.with(|_, _, _, pair| {
            let Some(found) = rilm(&pair) else { return Ok(()) };
            let links = pair.links.as_ref().expect("the links are known");
            for column in pair.original.quasi_identifiers() {
                let number = |code: u32| column.dictionary.value(code).parse::<f64>().ok();
                let rows: Vec<(u32, f64)> = links
                    .iter()
                    .flat_map(|link| std::iter::repeat_n(link, link.rows as usize))
                    .filter_map(|link| {
                        let class = pair.published.class_of[link.released? as usize];
                        Some((class, number(column.codes[link.original as usize])?))
                    })
                    .collect();
                let range = |rows: &[f64]| {
                    let of = |pick: fn(f64, f64) -> f64| rows.iter().copied().reduce(pick);
                    of(f64::max).unwrap_or(0.0) - of(f64::min).unwrap_or(0.0)
                };
                let Some(got) = found.get(&column.name) else {
                    let has_text =
                        (0..column.dictionary.len() as u32).any(|code| number(code).is_none());
                    prop_assert!(rows.is_empty() || has_text, "{}", column.name);
                    continue;
                };
                let all = range(&rows.iter().map(|row| row.1).collect::<Vec<_>>());
                let of_row = |class: u32| {
                    let own = rows.iter().filter(|row| row.0 == class).map(|row| row.1);
                    1.0 - if all > 0.0 { range(&own.collect::<Vec<_>>()) / all } else { 0.0 }
                };
                let sum: f64 = rows.iter().map(|row| of_row(row.0)).sum();
                prop_assert!(
                    (got - sum / rows.len() as f64).abs() < 1e-9,
                    "{}: {got}",
                    column.name
                );
            }
            Ok(())
        })?;
    }
}

/// Four rows, with ages at level 1 of 3, letters at level 2, and one suppressed row.
#[test]
fn precision_matches_hand_computation() {
    let rows =
        [(0, 'a'), (1, 'b'), (2, 'c'), (4, 'e')].map(|(age, letter)| (age, letter, "1".to_owned()));
    for becomes in [SuppressionRule::Dropped, SuppressionRule::Starred] {
        let case = Case {
            rows: rows.to_vec(),
            how: How::Levels([1, 2]),
            suppressed: vec![false, false, false, true],
            becomes,
        };
        let (reported, read) = case.with(|release, _, recoding, pair| {
            let known = known(release, recoding, becomes);
            let unknown = HolderKnowledge { levels: None, ..known.clone() };
            let of = |known: &HolderKnowledge| {
                losses(&pair, known, &[1.0, 1.0], None).precision.expect("labels")
            };
            (of(&known), of(&unknown))
        });
        // Precision is 1 - (3 * 1/3 + 3 * 2/3 + 2) / 8.
        assert!((reported - 0.375).abs() < 1e-12, "{reported}");
        assert!((read - reported).abs() < 1e-12, "{read}");
    }
}

#[test]
fn precision_requires_labels() {
    let rows = [(0, 'a'), (1, 'b')].map(|(age, letter)| (age, letter, "1".to_owned()));
    let case = Case {
        rows: rows.to_vec(),
        how: How::Classes(vec![0, 0]),
        suppressed: vec![false; 2],
        becomes: SuppressionRule::Dropped,
    };
    let found =
        case.with(|_, _, _, pair| losses(&pair, &HolderKnowledge::default(), &[1.0, 1.0], None));
    assert_eq!((found.precision, found.normalized_average_class_size), (None, None));
    // The ages cover both occurring values, and the letters cover two of eight.
    assert_eq!(found.attribute_loss["age"], 1.0);
    assert!((found.attribute_loss["letter"] - 1.0 / 7.0).abs() < 1e-12);
}
