//! Invalid parameters and data: errors contain counts, but no cell from the table.

mod support;

use indistinct_core::hierarchy::{Hierarchy, HierarchyLevel, HierarchyProblem};
use indistinct_core::model::Population;
use indistinct_core::principle::{
    BuildError, BuildWarning, Context, DataError, Missing, ParameterError, ParameterValue,
    Parameters, find,
};
use indistinct_diagnostics::Coded;
use support::*;

#[test]
fn levels_must_be_nested() {
    let level = |map: [u32; 3], labels: &[&str]| HierarchyLevel {
        map: map.to_vec(),
        labels: labels.iter().map(|label| (*label).to_owned()).collect(),
        covered: (0..labels.len() as u32)
            .map(|label| map.iter().filter(|it| **it == label).count() as u64)
            .collect(),
    };
    let with = |third: [u32; 3]| {
        let levels = vec![
            level([0, 1, 2], &["a", "b", "c"]),
            level([0, 0, 1], &["a or b", "c"]),
            level(third, &["x", "y"]),
            level([0; 3], &["*"]),
        ];
        Hierarchy::new(levels, 3)
    };
    assert!(with([0, 0, 1]).is_ok());
    let torn = HierarchyProblem::NotNested { level: 2, n_labels: 1, labels: Vec::new() };
    assert_eq!(with([0, 1, 1]), Err(torn));
}

fn parameter_errors(kind: &str, parameters: &Parameters) -> Vec<ParameterError> {
    find(kind).expect("registered").check(parameters).err().unwrap_or_default()
}

fn refused(context: &Context<'_>, kind: &str, parameters: &Parameters) -> DataError {
    let errors = find(kind).expect("registered").build(context, parameters);
    match errors.expect_err("the table is invalid for the principle").remove(0) {
        BuildError::Data(error) => {
            assert!(
                error.help().is_some_and(|help| !help.is_empty()) && error.code().starts_with("E-")
            );
            let text = error.to_string();
            assert!(error.values().iter().all(|value| !text.contains(value)), "{text}");
            error
        }
        other => panic!("the parameters are valid, but building failed: {other}"),
    }
}

/// A kind, its parameters, and the name of the invalid parameter.
type Bad<'a> = (&'a str, &'a [(&'a str, ParameterValue)], &'a str);

#[test]
fn out_of_range_parameters_are_rejected() {
    let bad: [Bad<'_>; 32] = [
        ("k-anonymity", &[("k", int(0))], "k"),
        ("k-anonymity", &[("k", num("2.5"))], "k"),
        ("distinct-l-diversity", &[("l", num("1.5"))], "l"),
        ("frequency-l-diversity", &[("l", num("0.5"))], "l"),
        ("entropy-l-diversity", &[("l", int(2)), ("dont_care", word("x"))], "dont_care"),
        ("recursive-diversity", &[("c", int(0)), ("l", int(2))], "c"),
        (
            "recursive-diversity",
            &[("c", int(1)), ("l", int(2)), ("negative", word("x"))],
            "negative",
        ),
        ("alpha-k-anonymity", &[("alpha", int(0)), ("k", int(2))], "alpha"),
        ("alpha-k-anonymity", &[("alpha", num("1.1")), ("k", int(2))], "alpha"),
        ("k-e-anonymity", &[("k", int(2)), ("e", num("-1"))], "e"),
        ("variance-control", &[("variance", num("-1"))], "variance"),
        ("t-closeness", &[("t", num("1.1"))], "t"),
        ("t-closeness", &[("t", num("0.1")), ("distance", word("far"))], "distance"),
        ("beta-likeness", &[("beta", int(0))], "beta"),
        ("beta-likeness", &[("beta", int(1)), ("gain", word("large"))], "gain"),
        ("delta-disclosure", &[("delta", int(0))], "delta"),
        (
            "delta-presence",
            &[("min", num("0.5")), ("max", num("0.4")), ("population", word("p"))],
            "min",
        ),
        (
            "delta-presence",
            &[("min", int(0)), ("max", int(1)), ("population", word(""))],
            "population",
        ),
        ("epsilon-m-anonymity", &[("epsilon", num("-1")), ("m", int(2))], "epsilon"),
        ("epsilon-m-anonymity", &[("epsilon", int(1)), ("m", num("1.5"))], "m"),
        (
            "neighborhoods-m-anonymity",
            &[("neighborhoods", fields(&[("a", int(1))])), ("m", int(2))],
            "neighborhoods",
        ),
        (
            "neighborhoods-m-anonymity",
            &[("neighborhoods", fields(&[])), ("m", int(2))],
            "neighborhoods",
        ),
        (
            "neighborhoods-m-anonymity",
            &[("neighborhoods", fields(&[("1", int(1)), ("1.0", int(2))])), ("m", int(2))],
            "neighborhoods",
        ),
        (
            "neighborhoods-m-anonymity",
            &[
                ("neighborhoods", fields(&[("1", int(1))])),
                ("above", fields(&[("1", int(1)), ("1.0", int(2))])),
                ("m", int(2)),
            ],
            "above",
        ),
        ("bayes-optimal-privacy", &[("difference", num("1.1"))], "difference"),
        ("c-k-safety", &[("c", int(0)), ("k", int(1))], "c"),
        ("c-k-safety", &[("c", num("0.5")), ("k", int(11))], "k"),
        (
            "tau-l-diversity",
            &[("tau", num("0.5")), ("l", num("2.5")), ("psi", word("convex"))],
            "l",
        ),
        (
            "epsilon-m-anonymity",
            &[("epsilon", num("1.5")), ("m", int(2)), ("neighborhood", word("relative"))],
            "epsilon",
        ),
        (
            "delta-l-diversity",
            &[("delta", int(1)), ("l", int(2)), ("reading", word("x"))],
            "reading",
        ),
        ("tau-l-diversity", &[("tau", int(0)), ("l", int(2))], "tau"),
        (
            "tau-l-diversity",
            &[("tau", int(1)), ("l", int(2)), ("weights", fields(&[("a", num("-1"))]))],
            "weights",
        ),
    ];
    for (kind, parameters, name) in bad {
        let errors = parameter_errors(kind, &given(parameters));
        assert_eq!(errors.iter().map(ParameterError::name).collect::<Vec<_>>(), [name], "{kind}");
        assert!(matches!(errors[0], ParameterError::OutOfRange { .. }), "{kind} {name}");
    }
}

#[test]
fn all_missing_and_unknown_parameters_are_reported() {
    let errors =
        parameter_errors("e1-e2-m-anonymity", &given(&[("e1", int(1)), ("epsilon", int(1))]));
    assert!(matches!(errors[0], ParameterError::Missing { name: "e2", .. }));
    assert!(matches!(errors[1], ParameterError::Missing { name: "m", .. }));
    assert!(matches!(&errors[2], ParameterError::Unknown { unknown, .. } if unknown == "epsilon"));
    let negative = fields(&[("values", list(&["x"])), ("c1", int(2))]);
    let nested = given(&[("c", int(1)), ("l", int(2)), ("negative", negative)]);
    let errors = parameter_errors("recursive-diversity", &nested);
    assert!(matches!(errors[0], ParameterError::Missing { name: "c2", .. }));
    assert!(matches!(errors[1], ParameterError::Unknown { name: "negative", .. }));
}

#[test]
fn numeric_principles_reject_text() {
    let table = one_class(&["1", "much", "much", "more", ""]);
    let kinds = [
        ("k-e-anonymity", given(&[("k", int(2)), ("e", int(1))])),
        ("variance-control", given(&[("variance", int(1))])),
        ("epsilon-m-anonymity", given(&[("epsilon", int(1)), ("m", int(2))])),
        ("e1-e2-m-anonymity", given(&[("e1", int(1)), ("e2", int(1)), ("m", int(2))])),
        (
            "neighborhoods-m-anonymity",
            given(&[("neighborhoods", fields(&[("0", int(1))])), ("m", int(2))]),
        ),
        ("delta-l-diversity", given(&[("delta", int(1)), ("l", int(2))])),
        ("t-closeness", given(&[("t", int(1)), ("distance", word("ordered"))])),
    ];
    for (kind, parameters) in kinds {
        let error = refused(&context(&table), kind, &parameters);
        let DataError::NotNumeric { n_rows, values, .. } = error else { panic!("{error}") };
        assert_eq!((n_rows, values), (3, vec!["more".to_owned(), "much".to_owned()]), "{kind}");
    }
}

#[test]
fn missing_numbers_are_rejected_unless_separate_value() {
    let table = one_class(&["1", "", "", "5"]);
    let near = given(&[("epsilon", int(10)), ("m", int(2))]);
    let error = refused(&context(&table), "epsilon-m-anonymity", &near);
    assert!(matches!(error, DataError::MissingNumbers { n_rows: 2, .. }));
    let own = context(&table).with_missing(Missing::OwnValue);
    // The class has two values that are near each other, and two missing values that are near each
    // other.
    let claim = claim(&own, "epsilon-m-anonymity", &near);
    assert_eq!((claim.holds, reached(&claim, "risk")), (true, Some(0.5)));
}

#[test]
fn relative_neighborhood_requires_positive_numbers() {
    let table = one_class(&["-3", "0", "0", "4"]);
    let with = |neighborhood: &str| {
        let neighborhood = ("neighborhood", word(neighborhood));
        given(&[("epsilon", num("0.2")), ("m", int(2)), neighborhood])
    };
    let error = refused(&context(&table), "epsilon-m-anonymity", &with("relative"));
    assert!(matches!(error, DataError::NotPositive { n_rows: 3, .. }));
    assert!(claim(&context(&table), "epsilon-m-anonymity", &with("relative-radius")).holds);
    let positive = one_class(&["3", "4"]);
    assert!(claim(&context(&positive), "epsilon-m-anonymity", &with("relative")).holds);
}

#[test]
fn taxonomy_must_contain_all_values() {
    let table = one_class(&["flu", "cold", "xenon", "xenon", "ytterbium"]);
    let tree = taxonomy(&[&["flu", "top"], &["cold", "top"]]);
    let hierarchical = given(&[("t", int(1)), ("distance", word("hierarchical"))]);
    assert!(matches!(
        refused(&context(&table), "t-closeness", &hierarchical),
        DataError::NoTaxonomy { .. }
    ));
    for (kind, parameters) in [
        ("t-closeness", hierarchical),
        ("tau-l-diversity", given(&[("tau", int(1)), ("l", int(2))])),
    ] {
        let error = refused(&context(&table).with_taxonomy(&tree), kind, &parameters);
        let DataError::NotInTaxonomy { values, n_rows, .. } = error else { panic!("{error}") };
        assert_eq!((values.len(), n_rows), (2, 3), "{kind}");
    }
}

#[test]
fn hierarchical_distance_rejects_generalized_values() {
    let table = one_class(&["a", "top"]);
    let tree = taxonomy(&[&["a", "top"], &["b", "top"]]);
    let hierarchical = given(&[("t", int(1)), ("distance", word("hierarchical"))]);
    let error = refused(&context(&table).with_taxonomy(&tree), "t-closeness", &hierarchical);
    assert!(
        matches!(&error, DataError::NotInTaxonomy { values, n_rows: 1, .. } if values.len() == 1)
    );
}

#[test]
fn weights_must_cover_base_values_of_rows() {
    let table = one_class(&["flu", "top", "top"]);
    let tree = taxonomy(&[&["flu", "top"], &["cold", "top"]]);
    let context = context(&table).with_taxonomy(&tree);
    let with = |weights: &[(&str, ParameterValue)]| {
        given(&[("tau", int(1)), ("l", int(2)), ("weights", fields(weights))])
    };
    let strange = refused(&context, "tau-l-diversity", &with(&[("top", int(1)), ("flu", int(1))]));
    assert!(matches!(&strange, DataError::WeightOfNothing { values, .. } if values.len() == 1));
    let none = refused(&context, "tau-l-diversity", &with(&[("cold", int(1))]));
    assert!(matches!(&none, DataError::NoWeight { values, n_rows: 1, .. } if values.len() == 1));
    assert!(claim(&context, "tau-l-diversity", &with(&[("flu", int(1))])).holds);
}

#[test]
fn presence_requires_population_containing_table() {
    let rows = |names: &[&str]| {
        let rows: Vec<_> = names.iter().map(|q| (vec![(*q).to_owned()], Vec::new())).collect();
        table_of(&rows, 1, 0)
    };
    let table = rows(&["a"]);
    let parameters = given(&[("min", int(0)), ("max", int(1)), ("population", word("people"))]);
    let error = refused(&Context::new(&table, None), "delta-presence", &parameters);
    assert_eq!(error, DataError::NoPopulation);
    assert!(Population::join(&rows(&["a", "b"]), &table).is_err());
}

#[test]
fn unknown_parameter_values_produce_a_warning() {
    let table = one_class(&["healthy", "flu", "hepatitis"]);
    let negative = fields(&[("values", list(&["flue"])), ("c2", int(1))]);
    let dont_care = ("dont_care", list(&["Helthy", "flu", "qqqq"]));
    let parameters = given(&[("c", int(2)), ("l", int(2)), dont_care, ("negative", negative)]);
    let kind = find("recursive-diversity").expect("registered");
    let warnings = kind.warnings(&context(&table), &parameters);
    let BuildWarning::DoesNotOccur { parameter, n_values, values, .. } = &warnings[0];
    assert_eq!((parameter.as_str(), *n_values), ("dont_care", 2));
    assert_eq!(values[0], ("Helthy".to_owned(), Some("healthy".to_owned())));
    assert_eq!(values[1].1, None);
    assert!(!warnings[0].to_string().contains("ealthy"));
    assert!(warnings[1].to_string().contains("negative.values"));
    assert_eq!(warnings.len(), 2);
}
