//! What a release loses: as the certified release says, and by hand.

mod support;

use indistinct_core::loss::{self, Form, HolderKnowledge, of_release};
use indistinct_core::{Generalization, Suppressed};
use indistinct_measure::losses::losses;
use proptest::prelude::*;
use support::{Case, How, cases};

fn known(
    release: &indistinct_core::Release<'_>,
    recoding: &indistinct_core::Recoding,
    becomes: Suppressed,
) -> HolderKnowledge {
    let levels = match &recoding.generalization {
        Generalization::FullDomain { levels, .. } => Some(levels.clone()),
        Generalization::Classes(_) => None,
    };
    let n_starred = if becomes == Suppressed::Starred { release.n_suppressed() } else { 0 };
    HolderKnowledge { levels, n_starred }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    /// The release that everybody sees costs what the certified one costs.
    #[test]
    fn both_ways_agree(case in cases(), weight in 0.5f64..3.0) {
        case.with(|release, policy, recoding, beside| {
            let weights = [1.0, weight];
            let known = known(release, recoding, case.becomes);
            let found = losses(&beside, &known, &weights, Some(2.0));
            for loss in loss::REGISTRY {
                let expected = of_release(loss, release, policy, recoding, &weights);
                let got = found.loss.get(loss.name).copied();
                // Rows with stars may be suppressed or not: which ones is not known then.
                if matches!(loss.form, Form::Joint) && got.is_none() {
                    prop_assert!(known.n_starred > 0);
                    continue;
                }
                prop_assert_eq!(got.is_some(), expected.is_some(), "{}", loss.name);
                let (got, expected) = (got.unwrap_or(0.0), expected.unwrap_or(0.0));
                prop_assert!((got - expected).abs() <= 1e-9 * expected.abs().max(1.0), "{}: {} != {}", loss.name, got, expected);
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

/// Four rows, ages one level up of three, letters two; one row suppressed.
#[test]
fn precision_by_hand() {
    let rows =
        [(0, 'a'), (1, 'b'), (2, 'c'), (4, 'e')].map(|(age, letter)| (age, letter, "1".to_owned()));
    for becomes in [Suppressed::Dropped, Suppressed::Starred] {
        let case = Case {
            rows: rows.to_vec(),
            how: How::Levels([1, 2]),
            suppressed: vec![false, false, false, true],
            becomes,
        };
        let (told, read) = case.with(|release, _, recoding, beside| {
            let known = known(release, recoding, becomes);
            let unknown = HolderKnowledge { levels: None, ..known.clone() };
            let of = |known: &HolderKnowledge| {
                losses(&beside, known, &[1.0, 1.0], None).precision.expect("labels")
            };
            (of(&known), of(&unknown))
        });
        // 1 - (3 * 1/3 + 3 * 2/3 + 2) / 8.
        assert!((told - 0.375).abs() < 1e-12, "{told}");
        assert!((read - told).abs() < 1e-12, "{read}");
    }
}

#[test]
fn precision_needs_labels() {
    let rows = [(0, 'a'), (1, 'b')].map(|(age, letter)| (age, letter, "1".to_owned()));
    let case = Case {
        rows: rows.to_vec(),
        how: How::Classes(vec![0, 0]),
        suppressed: vec![false; 2],
        becomes: Suppressed::Dropped,
    };
    let found = case
        .with(|_, _, _, beside| losses(&beside, &HolderKnowledge::default(), &[1.0, 1.0], None));
    assert_eq!((found.precision, found.normalized_average_class_size), (None, None));
    // Both ages that there are, and two letters of eight.
    assert_eq!(found.attribute_loss["age"], 1.0);
    assert!((found.attribute_loss["letter"] - 1.0 / 7.0).abs() < 1e-12);
}
