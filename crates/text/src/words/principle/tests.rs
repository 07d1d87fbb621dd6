use indistinct_core::{Figure, PrincipleClaim};

use super::*;

fn claim_of(
    kind: &str,
    required: &[(&str, Figure)],
    reached: &[(&str, Option<Figure>)],
) -> PrincipleClaim {
    PrincipleClaim {
        kind: kind.into(),
        attribute: (kind != "k-anonymity").then(|| "diagnosis".into()),
        counts: Default::default(),
        required: required.iter().map(|(n, v)| ((*n).into(), v.clone())).collect(),
        reached: Some(reached.iter().map(|(n, v)| ((*n).into(), v.clone())).collect()),
        holds: true,
        n_failing_classes: 0,
        n_failing_rows: 0,
        worst_class_size: Some(6),
    }
}

#[test]
fn claims_are_complete_sentences() {
    let k = claim_of("k-anonymity", &[("k", Figure::Count(5))], &[("k", Some(Figure::Count(6)))]);
    assert_eq!(claim(&k), "Every class has at least 5 rows; required k = 5, reached k = 6.");
    let recursive = claim_of(
        "recursive-diversity",
        &[("c", Figure::Count(3)), ("l", Figure::Count(2))],
        &[("c_exceeds", Some(Figure::Real(2.5)))],
    );
    assert_eq!(
        claim(&recursive),
        "diagnosis: In every class, the most frequent sensitive value occurs less than 3 times as \
         often as the 2nd most frequent value and all rarer values combined; required c = 3 and \
         l = 2, reached c: any above 2.5."
    );
    let fails = PrincipleClaim {
        holds: false,
        n_failing_classes: 1,
        n_failing_rows: 1_204,
        ..claim_of(
            "recursive-diversity",
            &[("c", Figure::Count(3)), ("l", Figure::Count(4))],
            &[("c_exceeds", None)],
        )
    };
    let text = claim(&fails);
    assert!(text.contains("as the 4th most frequent value"), "{text}");
    assert!(
        text.ends_with(
            "reached c: no c suffices. The principle does not hold in 1 class with 1,204 rows."
        ),
        "{text}"
    );
    let none = PrincipleClaim { reached: None, ..k };
    assert!(claim(&none).ends_with("no level reached because there are no rows."));
}

fn count(value: u64) -> Figure {
    Figure::Count(value)
}

fn values(values: &[&str]) -> Figure {
    Figure::Values(values.iter().map(|value| (*value).to_owned()).collect())
}

fn word(word: &str) -> Figure {
    Figure::Text(word.to_owned())
}

fn table(fields: &[(&str, Figure)]) -> Figure {
    Figure::Table(fields.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect())
}

/// The guarantee of every kind of principle, in all forms.
#[test]
fn guarantees_of_all_kinds_match_snapshot() {
    let real = Figure::Real;
    let healthy = || values(&["healthy", "cold"]);
    let negative = || table(&[("values", values(&["cancer"])), ("c2", real(0.5))]);
    let cases: Vec<(&str, Vec<(&str, Figure)>)> = vec![
        ("k-anonymity", vec![("k", count(1))]),
        ("k-anonymity", vec![("k", count(5_000))]),
        ("distinct-l-diversity", vec![("l", count(3))]),
        ("frequency-l-diversity", vec![("l", real(2.5))]),
        ("entropy-l-diversity", vec![("l", count(3))]),
        ("entropy-l-diversity", vec![("l", real(2.5)), ("dont_care", healthy())]),
        ("recursive-diversity", vec![("c", count(3)), ("l", count(4))]),
        ("recursive-diversity", vec![("c", real(0.5)), ("l", count(1))]),
        (
            "recursive-diversity",
            vec![
                ("c", count(3)),
                ("l", count(2)),
                ("dont_care", healthy()),
                ("negative", negative()),
            ],
        ),
        ("alpha-k-anonymity", vec![("alpha", real(0.35)), ("k", count(5))]),
        (
            "alpha-k-anonymity",
            vec![("alpha", count(1)), ("k", count(1)), ("values", values(&["HIV"]))],
        ),
        ("c-k-safety", vec![("c", real(0.75)), ("k", count(0))]),
        ("c-k-safety", vec![("c", real(0.75)), ("k", count(2))]),
        ("k-e-anonymity", vec![("k", count(4)), ("e", real(1_500.5))]),
        ("variance-control", vec![("variance", count(250_000))]),
        ("t-closeness", vec![("t", real(0.15))]),
        ("t-closeness", vec![("t", real(0.15)), ("distance", word("ordered"))]),
        ("t-closeness", vec![("t", real(0.15)), ("distance", word("hierarchical"))]),
        ("bayes-optimal-privacy", vec![("difference", real(0.3))]),
        ("beta-likeness", vec![("beta", real(2.5))]),
        ("beta-likeness", vec![("beta", count(1)), ("gain", word("enhanced"))]),
        ("delta-disclosure", vec![("delta", real(1.5))]),
        ("delta-presence", vec![("min", count(0)), ("max", real(0.125))]),
        ("epsilon-m-anonymity", vec![("epsilon", count(4_500)), ("m", count(5))]),
        (
            "epsilon-m-anonymity",
            vec![("epsilon", real(0.1)), ("m", count(5)), ("neighborhood", word("relative"))],
        ),
        (
            "epsilon-m-anonymity",
            vec![
                ("epsilon", real(0.1)),
                ("m", count(5)),
                ("neighborhood", word("relative-radius")),
            ],
        ),
        ("e1-e2-m-anonymity", vec![("e1", count(0)), ("e2", count(20)), ("m", count(3))]),
        (
            "neighborhoods-m-anonymity",
            vec![
                ("neighborhoods", table(&[("0", count(100)), ("9000", count(500))])),
                ("m", count(3)),
            ],
        ),
        (
            "neighborhoods-m-anonymity",
            vec![
                ("neighborhoods", table(&[("0", count(100))])),
                ("above", table(&[("0", count(0)), ("9000", count(500))])),
                ("m", count(3)),
            ],
        ),
        ("delta-l-diversity", vec![("delta", count(15)), ("l", count(2))]),
        (
            "delta-l-diversity",
            vec![("delta", count(15)), ("l", count(2)), ("reading", word("window"))],
        ),
        ("tau-l-diversity", vec![("tau", real(0.4)), ("l", count(4))]),
        ("tau-l-diversity", vec![("tau", real(0.4)), ("l", count(1)), ("weights", word("domain"))]),
        (
            "tau-l-diversity",
            vec![("tau", real(0.4)), ("l", real(2.5)), ("weights", table(&[("flu", count(2))]))],
        ),
        ("m-invariance", vec![("m", count(3))]),
        (
            "entropy-l-diversity",
            vec![("l", count(2)), ("other_sensitive", word("quasi-identifier"))],
        ),
        ("entropy-l-diversity", vec![("l", count(2)), ("other_sensitive", word("ignored"))]),
    ];
    for kind in principle::REGISTRY {
        assert!(cases.iter().any(|(name, _)| *name == kind.name), "{} has no case", kind.name);
    }
    let shown: Vec<String> = cases
        .iter()
        .map(|(kind, required)| format!("{kind}: {}", meaning(&claim_of(kind, required, &[]))))
        .collect();
    assert!(shown.iter().all(|text| !text.contains(['{', '}']) && text.ends_with('.')));
    insta::assert_snapshot!(shown.join("\n"));
}

#[test]
fn quantities_are_shown_with_their_parameters() {
    let npd = claim_of(
        "recursive-diversity",
        &[
            ("l", count(2)),
            ("c", count(3)),
            ("other_sensitive", word("quasi-identifier")),
            ("negative", table(&[("values", values(&["a", "b"])), ("c2", count(5))])),
        ],
        &[("c_exceeds", Some(Figure::Real(2.5))), ("c2", Some(Figure::Real(7.25)))],
    );
    let quantity = |name: &str, required: Option<&str>, reached: Option<&str>| Quantity {
        name: name.to_owned(),
        required: required.map(str::to_owned),
        reached: reached.map(str::to_owned),
    };
    assert_eq!(
        quantities(&npd),
        [
            quantity("c", Some("3"), Some("any above 2.5")),
            quantity("l", Some("2"), None),
            quantity("negative.values", Some("a and b"), None),
            quantity("negative.c2", Some("5"), Some("7.25")),
            quantity("other_sensitive", Some("quasi-identifier"), None),
        ]
    );
    assert!(
        claim(&npd).ends_with(
            "required c = 3, l = 2, negative.c2 = 5, and other_sensitive = quasi-identifier, \
             reached c: any above 2.5 and negative.c2 = 7.25."
        ),
        "{}",
        claim(&npd)
    );
    let reached = [("definition", Some(Figure::Real(1.5))), ("window", Some(Figure::Real(2.0)))];
    for (reading, companions, other) in
        [("definition", "1.5", "window"), ("window", "2", "definition")]
    {
        let required = [("delta", count(1)), ("l", count(2)), ("reading", word(reading))];
        let claim = claim_of("delta-l-diversity", &required, &reached);
        let shown = quantities(&claim);
        assert_eq!(shown[1], quantity("l", Some("2"), Some(companions)));
        assert_eq!((shown[3].name.as_str(), &shown[3].required), (other, &None));
        assert_eq!(shown.len(), 4);
    }
}

#[test]
fn undefined_quantity_is_not_unreachable() {
    let required = [("tau", Figure::Real(0.4)), ("l", count(1))];
    let claim = claim_of("tau-l-diversity", &required, &[("tau", Some(count(0))), ("slack", None)]);
    let slack = quantities(&claim).pop().expect("the quantities include a slack");
    assert_eq!(slack.reached.as_deref(), Some("no constraint"));
    let fails = PrincipleClaim {
        holds: false,
        ..claim_of("delta-presence", &[("max", Figure::Real(0.5))], &[("max", None)])
    };
    assert_eq!(quantities(&fails)[0].reached.as_deref(), Some("no max suffices"));
}

#[test]
fn required_values_preserve_digits() {
    let claim = claim_of(
        "t-closeness",
        &[("t", Figure::Real(0.123_456))],
        &[("t", Some(Figure::Real(0.123_455_9)))],
    );
    let t = quantities(&claim).remove(0);
    assert_eq!(
        (t.required.as_deref(), t.reached.as_deref()),
        (Some("0.123456"), Some("0.1234559"))
    );
}

#[test]
fn long_lists_and_weights_are_truncated() {
    let many: Vec<String> = (0..100).map(|at| format!("v{at}")).collect();
    let text = figure(&Figure::Values(many));
    assert!(text.starts_with("v0, v1, ") && text.ends_with("v11, and 88 others"), "{text}");
    let weights = table(&[("flu\u{202e}", count(2)), ("", Figure::Real(0.5))]);
    assert_eq!(figure(&weights), "(missing) = 0.5 and flu\u{fffd} = 2");
}
