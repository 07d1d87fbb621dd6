//! Tests of the text of claims from the core, for every kind of principle in the registry.

use std::sync::Arc;

use indistinct_core::model::{CountedColumn, Population};
use indistinct_core::principle::{
    Context, Kind, NumberRange, ParameterKind, ParameterSpec, ParameterValue, Parameters, Presence, REGISTRY,
    Subject,
};
use indistinct_core::{
    Dictionary, FrequencyTable, Others, PrincipleClaim, Rational, Requirement, check_rows,
};
use indistinct_report::words;

/// A table with two classes, each with the sensitive values 1, 2, 2, and 3.
fn table() -> FrequencyTable {
    let column = |name: &str, values: &[&str], codes: &[u32]| {
        let values = values.iter().map(|value| (*value).to_owned()).collect();
        let (dictionary, permutation) = Dictionary::from_distinct(values);
        let codes = codes.iter().map(|&code| permutation[code as usize]).collect();
        CountedColumn { name: name.to_owned(), dictionary, codes }
    };
    let quasi = column("q", &["a", "b"], &[0, 0, 0, 1, 1, 1]);
    let sensitive = column("s", &["1", "2", "3"], &[0, 1, 2, 0, 1, 2]);
    FrequencyTable::new(vec![quasi], vec![sensitive], vec![1, 2, 1, 1, 2, 1])
        .expect("a valid table")
}

/// A valid parameter value that is easy to satisfy.
fn value(spec: &ParameterSpec, word: usize) -> ParameterValue {
    let number = |value: i128| ParameterValue::Number(Rational::from_integer(value));
    let text = |words: &[&str]| ParameterValue::Text(words[word % words.len()].to_owned());
    match spec.kind {
        ParameterKind::Integer { at_least } => number(i128::from(at_least).max(2)),
        ParameterKind::Number(NumberRange::Any) => number(1),
        ParameterKind::Number(NumberRange::AtLeast(at_least)) => number(i128::from(at_least)),
        ParameterKind::Number(NumberRange::Above(limit)) => number(i128::from(limit) + 3),
        // This parameter is a minimum percentage or a maximum frequency.
        ParameterKind::Number(NumberRange::Within(0, 100)) => number(5),
        ParameterKind::Number(NumberRange::Within(_, at_most)) | ParameterKind::Number(NumberRange::AboveUpTo(_, at_most)) => {
            number(i128::from(at_most))
        }
        ParameterKind::Word { one_of } | ParameterKind::Weights { one_of } => text(one_of),
        ParameterKind::Steps => ParameterValue::Table([("0".to_owned(), number(0))].into()),
        ParameterKind::Values => ParameterValue::Values(vec!["2".to_owned()]),
        ParameterKind::File => ParameterValue::Text("people.csv".to_owned()),
        ParameterKind::Table { fields } => ParameterValue::Table(given(fields, word).0),
    }
}

fn given(specs: &[ParameterSpec], word: usize) -> Parameters {
    // The hierarchical distance requires a hierarchy, which this table does not have.
    let needs_more =
        |value: &ParameterValue| *value == ParameterValue::Text("hierarchical".to_owned());
    let values = specs.iter().map(|spec| (spec.name.to_owned(), value(spec, word)));
    Parameters(values.filter(|(_, value)| !needs_more(value)).collect())
}

fn claim(kind: &'static Kind, parameters: Parameters) -> PrincipleClaim {
    let table = table();
    let (table, population) =
        Population::join(&table, &table).expect("a table is its own population");
    let attribute = (kind.subject == Subject::SensitiveAttribute).then_some(0);
    let context = Context::new(&table, attribute).with_population(Arc::new(population));
    let requirement = Requirement::new(kind, &context, parameters, Others::Ignored)
        .unwrap_or_else(|errors| panic!("{}: {errors:?}", kind.name));
    check_rows(&table, &[requirement]).claims.principles.remove(0)
}

#[test]
fn reached_levels_are_shown_with_requirements() {
    for kind in REGISTRY {
        for word in 0..3 {
            let claim = claim(kind, given(kind.parameters, word));
            let reached = claim.reached.as_ref().expect("the table has rows");
            let quantities = words::quantities(&claim);
            let shown = quantities.iter().filter(|quantity| quantity.reached.is_some()).count();
            assert_eq!(shown, reached.len(), "{}: {quantities:?}", kind.name);
            assert!(
                quantities.iter().any(|it| it.required.is_some() && it.reached.is_some()),
                "{}: a parameter has no additional quantity",
                kind.name
            );
            for companions in kind.companions {
                assert!(reached.contains_key(companions.quantity), "{}: {companions:?}", kind.name);
            }
            for quantity in &quantities {
                assert!(!quantity.name.ends_with("_exceeds"), "{}: {quantity:?}", kind.name);
                let explained = kind.level.split(|c: char| !c.is_alphanumeric());
                let is_explained = explained.into_iter().any(|word| word == quantity.name);
                assert!(quantity.required.is_some() || is_explained, "{}: {quantity:?}", kind.name);
            }
            let sentence = words::claim(&claim);
            assert!(sentence.contains("; required ") && sentence.contains(", reached "));
        }
    }
}

/// Set only the required parameters, to test the defaults.
#[test]
fn guarantees_are_complete_with_default_parameters() {
    for kind in REGISTRY {
        let all = given(kind.parameters, 0);
        let required = kind.parameters.iter().filter(|spec| spec.presence == Presence::Required);
        let least = required.map(|spec| (spec.name.to_owned(), all.0[spec.name].clone()));
        let text = words::meaning(&claim(kind, Parameters(least.collect())));
        assert!(text.ends_with('.') && !text.contains(['{', '}']), "{}: {text}", kind.name);
        assert_eq!(text.matches('.').count(), 1, "{}: {text}", kind.name);
    }
}
