//! Tests of every registered principle with all its parameters, valid and invalid.

use std::collections::BTreeSet;
use std::sync::Arc;

use indistinct_core::model::Population;
use indistinct_core::principle::{
    BuildError, Context, DataError, Kind, Missing, NumberRange, ParameterKind, ParameterValue,
    Parameters, Presence, REGISTRY,
};
use indistinct_core::{FrequencyTable, Others, Rational};

use super::super::parameters::find;
use super::super::*;
use super::examples::{EXAMPLES, kind_of, lines_of, mistakes, spec_of, with, written};
use super::{codes, errors, more, parse, released, small};

fn without_files(kind: &Kind, parameters: &Parameters) -> Parameters {
    let mut parameters = parameters.clone();
    for spec in kind.parameters.iter().filter(|spec| spec.kind == ParameterKind::File) {
        parameters.0.remove(spec.name);
    }
    parameters
}

#[test]
fn every_parameter_of_every_kind_has_an_example() {
    let names: Vec<&str> = EXAMPLES.iter().map(|(name, _)| *name).collect();
    assert_eq!(names, REGISTRY.iter().map(|kind| kind.name).collect::<Vec<_>>());
    for (name, parameters) in EXAMPLES {
        let mut all = BTreeSet::new();
        for spec in kind_of(name).parameters {
            match spec.kind {
                ParameterKind::Table { fields } => {
                    all.extend(fields.iter().map(|field| format!("{}.{}", spec.name, field.name)));
                }
                _ => {
                    all.insert(spec.name.to_owned());
                }
            }
        }
        let there: BTreeSet<String> = lines_of(parameters).into_iter().map(|it| it.0).collect();
        assert_eq!(there, all, "{name}");
    }
}

#[test]
fn parameter_names_are_unambiguous_in_errors() {
    for kind in REGISTRY {
        let mut names = BTreeSet::new();
        for spec in kind.parameters {
            assert!(names.insert(spec.name), "{} has two {}", kind.name, spec.name);
            assert_eq!(find(kind.parameters, spec.name).1, [spec.name]);
            let ParameterKind::Table { fields } = spec.kind else { continue };
            for field in fields {
                assert!(names.insert(field.name), "{} has two {}", kind.name, field.name);
                assert_eq!(find(kind.parameters, field.name).1, [spec.name, field.name]);
            }
        }
    }
}

#[test]
fn every_principle_kind_is_parsed() {
    for (name, parameters) in EXAMPLES {
        let policy = parse(&with(name, &lines_of(parameters)));
        assert!(policy.warnings().is_empty(), "{}", policy.warnings());
        let spec = &policy.principles[1];
        assert_eq!(spec.kind.name, *name);
        assert_eq!(spec.parameters.0.len(), spec.kind.parameters.len(), "{name}");
        assert_eq!(spec.others, Others::Ignored);
        let is_on_population = name.contains("presence");
        assert_eq!(spec.population(), is_on_population.then_some("people.csv"));
    }
}

#[test]
fn parameter_values_of_all_types_are_parsed() {
    let number = |literal: &str| {
        ParameterValue::Number(indistinct_core::parse_decimal(literal).expect("a number"))
    };
    let texts = |texts: &[&str]| {
        ParameterValue::Values(texts.iter().map(|text| (*text).to_owned()).collect())
    };
    let table = |entries: &[(&str, ParameterValue)]| {
        let entries = entries.iter().map(|(name, value)| ((*name).to_owned(), value.clone()));
        ParameterValue::Table(entries.collect())
    };
    let read = |text: &str, name: &str| {
        let policy = parse(&more(&format!("[[principles]]\n{text}")));
        policy.principles[1].parameters.0.get(name).cloned()
    };
    let npd = table(&[("values", texts(&["flu"])), ("c2", number("0.2"))]);
    let recursive = "kind = \"recursive-diversity\"\nc = 3\nl = 3\n";
    for negative in [
        "negative = { c2 = 0.2, values = [\"flu\"] }",
        "[principles.negative]\nc2 = 0.2\nvalues = [\"flu\"]",
    ] {
        assert_eq!(read(&format!("{recursive}{negative}"), "negative"), Some(npd.clone()));
    }
    assert_eq!(read(recursive, "negative"), None);
    let tau = "kind = \"tau-l-diversity\"\ntau = 0.5\nl = 3\n";
    let weights = |text: &str| read(&format!("{tau}weights = {text}"), "weights");
    let wanted = table(&[("", number("0")), ("a.b", number("0.1")), ("flu", number("2"))]);
    assert_eq!(weights("{ flu = 2, \"a.b\" = 0.1, \"\" = 0 }"), Some(wanted));
    assert_eq!(weights("\"domain\""), Some(ParameterValue::Text("domain".to_owned())));
    // Omitted parameters have their default, because a release must state the effective value.
    let occurring = ParameterValue::Text("occurring".to_owned());
    assert_eq!(read(tau, "weights"), Some(occurring));
}

#[test]
fn every_invalid_value_is_reported_at_its_location() {
    for (text, code, covered) in mistakes() {
        let errors = errors(&text);
        let [problem] = errors.problems.as_slice() else {
            panic!("expected one problem:\n{errors}\n{text}")
        };
        assert_eq!(problem.code, code, "{errors}\n{text}");
        assert_eq!(
            &text[problem.span.clone().expect("the problem has a location")],
            covered,
            "{errors}\n{text}"
        );
    }
}

#[test]
fn every_missing_parameter_is_reported() {
    for (name, parameters) in EXAMPLES {
        for (at, (parameter, _)) in parameters.iter().enumerate() {
            let spec = spec_of(kind_of(name), parameter);
            let mut lines = lines_of(parameters);
            lines.remove(at);
            let text = with(name, &lines);
            if spec.presence != Presence::Required {
                parse(&text);
                continue;
            }
            let errors = errors(&text);
            assert_eq!(codes(&errors), [Code::MissingParameter], "{errors}\n{text}");
            let place = &text[errors.problems[0].span.clone().expect("the problem has a location")];
            let around = parameter.split_once('.').map_or("[[principles]]", |(table, _)| table);
            assert_eq!(place, around, "{errors}\n{text}");
        }
    }
}

/// Returns the only problem of a principle, formatted without the file name, and the text at its
/// location.
fn only_problem(text: &str) -> (String, String) {
    let text = more(&format!("[[principles]]\n{text}"));
    let errors = errors(&text);
    assert_eq!(errors.problems.len(), 1, "{errors}\n{text}");
    let covered =
        text[errors.problems[0].span.clone().expect("the problem has a location")].to_owned();
    (errors.to_string(), covered)
}

#[test]
fn typos_in_tables_and_words_are_recognized() {
    let recursive = "kind = \"recursive-diversity\"\nc = 3\nl = 3\n";
    for (text, covered, says) in [
        (format!("{recursive}negative = {{ values = [], c2 = 1, c3 = 1 }}"), "c3", "'c2'"),
        (format!("{recursive}negative = {{ values = [], c2 = 1, k = 1 }}"), "k", "values or c2"),
        (
            format!("{recursive}[principles.negative]\nvalues = []\nc2 = 1\nvalue = 2"),
            "value",
            "'values'",
        ),
        (format!("{recursive}other = 3"), "other", "did you mean 'other_sensitive'?"),
        (
            format!("{recursive}other_sensitive = \"quasi\""),
            "\"quasi\"",
            "did you mean 'quasi-identifier'?",
        ),
        (format!("{recursive}other_sensitive = 3"), "3", "\"ignored\" or \"quasi-identifier\""),
        (
            "kind = \"t-closeness\"\nt = 0.1\ndistance = \"orderd\"".into(),
            "\"orderd\"",
            "'ordered'",
        ),
        (
            "kind = \"tau-l-diversity\"\ntau = 0.1\nl = 2\nweights = \"domains\"".into(),
            "\"domains\"",
            "'domain'",
        ),
        (
            "kind = \"k-anonymity\"\nk = 3\nother_sensitive = \"ignored\"".into(),
            "other_sensitive",
            "classes as a whole",
        ),
        (
            "kind = \"delta-presence\"\nmin = 0\nmax = 1\npopulation = \"p\"\nattribute = \
             \"disease\""
                .into(),
            "attribute",
            "a class and its population",
        ),
    ] {
        let (shown, place) = only_problem(&text);
        assert_eq!(place, covered, "{shown}");
        assert!(shown.contains(says), "{shown}");
    }
}

#[test]
fn contradictory_parameters_are_reported_once() {
    let (shown, place) =
        only_problem("kind = \"delta-presence\"\nmin = 0.75\nmax = 0.5\npopulation = \"p\"");
    assert!(place == "0.75" && shown.contains("at most max"), "{shown}");
    let relative =
        "kind = \"epsilon-m-anonymity\"\nm = 2\nneighborhood = \"relative\"\nepsilon = 1.5";
    let (shown, place) = only_problem(relative);
    assert!(place == "1.5" && shown.contains("relative"), "{shown}");
}

#[test]
fn all_problems_of_principle_are_reported_together() {
    let text = more(
        "[[principles]]\nkind = \"recursive-diversity\"\nl = true\ndont_care = [1, 2]\nnegative = \
         { c2 = 101, k = 1 }\nother_sensitive = 1",
    );
    let wanted = [
        Code::MissingParameter,
        Code::WrongType,
        Code::WrongType,
        Code::WrongType,
        Code::MissingParameter,
        Code::ParameterOutOfRange,
        Code::UnknownParameter,
        Code::WrongType,
    ];
    assert_eq!(codes(&errors(&text)), wanted, "{}", errors(&text));
}

#[test]
fn messages_contain_no_table_values() {
    for text in [
        "kind = \"tau-l-diversity\"\ntau = 0.5\nl = 2\nweights = { HIDDEN = -1 }",
        "kind = \"tau-l-diversity\"\ntau = 0.5\nl = 2\nweights = { HIDDEN = \"x\" }",
        "kind = \"tau-l-diversity\"\ntau = 0.5\nl = 2\nweights = { HIDDEN = nan }",
        "kind = \"entropy-l-diversity\"\nl = 2\ndont_care = [\"HIDDEN\", 2]",
        "kind = \"entropy-l-diversity\"\nl = 2\ndont_care = \"HIDDEN\"",
    ] {
        let (shown, _) = only_problem(text);
        assert!(!shown.contains("HIDDEN"), "{shown}");
    }
}

#[test]
fn repeated_principle_is_detected_despite_defaults() {
    let t = written("t-closeness", &lines_of(&[("t", "0.2")]));
    let same = written("t-closeness", &lines_of(&[("t", "0.20"), ("distance", "\"equal\"")]));
    assert_eq!(codes(&errors(&more(&format!("{t}{same}")))), [Code::RepeatedPrinciple]);
    let other = written("t-closeness", &lines_of(&[("t", "0.2"), ("distance", "\"ordered\"")]));
    parse(&more(&format!("{t}{other}")));
    let others = written(
        "t-closeness",
        &lines_of(&[("t", "0.2"), ("other_sensitive", "\"quasi-identifier\"")]),
    );
    parse(&more(&format!("{t}{others}")));
}

#[test]
fn other_sensitive_attributes_may_be_quasi_identifiers() {
    let text = more(
        "[[principles]]\nkind = \"t-closeness\"\nt = 0.2\nattribute = \"disease\"\nother_sensitive \
         = \"quasi-identifier\"",
    );
    let alone = parse(&text);
    assert_eq!(alone.principles[1].others, Others::QuasiIdentifier);
    assert_eq!(
        codes(&alone.warnings()),
        [Code::NoEffect],
        "the policy has no other sensitive attribute"
    );
    let two = text.replace(
        "[attributes.name]\nrole = \"identifier\"",
        "[attributes.name]\nrole = \"sensitive\"",
    );
    let two = parse(&two);
    assert!(two.warnings().is_empty(), "{}", two.warnings());
    assert_eq!(two.principles[1].others, Others::QuasiIdentifier);
}

/// Returns the limits of the range of a parameter, as far as the range has limits.
fn ends(kind: ParameterKind) -> Vec<i64> {
    match kind {
        ParameterKind::Integer { at_least }
        | ParameterKind::Number(NumberRange::AtLeast(at_least)) => vec![at_least],
        ParameterKind::Number(NumberRange::Within(_, at_most)) => vec![0, at_most],
        ParameterKind::Number(NumberRange::AboveUpTo(_, at_most)) => vec![at_most],
        _ => Vec::new(),
    }
}

#[test]
fn vacuous_parameters_are_detected_for_every_kind() {
    let mut idle = Vec::new();
    for (name, parameters) in EXAMPLES {
        for (at, (parameter, _)) in parameters.iter().enumerate() {
            for end in ends(spec_of(kind_of(name), parameter).kind) {
                let mut lines = lines_of(parameters);
                lines[at].1 = end.to_string();
                let text = with(name, &lines);
                // At one limit, `min` is larger than `max`.
                let Ok(policy) = PolicyFile::parse(&text, "p") else { continue };
                if codes(&policy.warnings()) == [Code::RequiresNothing] {
                    let warnings = policy.warnings();
                    let place =
                        warnings.problems[0].span.clone().expect("the problem has a location");
                    assert_eq!(text[place], end.to_string(), "{warnings}");
                    idle.push(format!("{name} {parameter} {end}"));
                } else {
                    assert!(policy.warnings().is_empty(), "{}", policy.warnings());
                }
            }
        }
    }
    let wanted = [
        "k-anonymity k 1",
        "distinct-l-diversity l 1",
        "frequency-l-diversity l 1",
        "entropy-l-diversity l 1",
        "recursive-diversity l 1",
        "alpha-k-anonymity alpha 1",
        "alpha-k-anonymity k 1",
        "c-k-safety c 1",
        "k-e-anonymity k 1",
        "variance-control variance 0",
        "t-closeness t 1",
        "bayes-optimal-privacy difference 1",
        "epsilon-m-anonymity m 1",
        "e1-e2-m-anonymity m 1",
        "neighborhoods-m-anonymity m 1",
        "delta-l-diversity l 1",
        "tau-l-diversity tau 1",
        "tau-l-diversity l 1",
    ];
    assert_eq!(idle, wanted);
}

#[test]
fn every_released_principle_round_trips() {
    for (name, parameters) in EXAMPLES {
        let policy = parse(&with(name, &lines_of(parameters)));
        let released = released(&policy);
        assert!(!released.contains("people"), "the released policy names a file:\n{released}");
        let again = PolicyFile::parse_released(&released, "p")
            .unwrap_or_else(|errors| panic!("{errors}\n{released}"));
        assert!(again.warnings().is_empty(), "{}", again.warnings());
        assert_eq!(again.principles.len(), policy.principles.len());
        for (again, spec) in again.principles.iter().zip(&policy.principles) {
            let parameters = without_files(spec.kind, &spec.parameters);
            assert_eq!(*again, PrincipleSpec { parameters, ..spec.clone() });
        }
    }
}

#[test]
fn parameters_derived_from_table_are_released() {
    let policy = parse(&more("[[principles]]\nkind = \"tau-l-diversity\"\ntau = 0.5\nl = 2"));
    let mut effective: Vec<Parameters> =
        policy.principles.iter().map(|spec| spec.parameters.clone()).collect();
    let weights = [("flu", 1), ("", 0), ("a \"b\"", 1)];
    let weights = weights.map(|(label, weight)| {
        (label.to_owned(), ParameterValue::Number(Rational::from_integer(weight)))
    });
    effective[1].0.insert("weights".to_owned(), ParameterValue::Table(weights.into()));
    let released = released_policy(&policy, &Default::default(), &effective);
    let again = PolicyFile::parse_released(&released, "p").expect("the released policy is valid");
    assert_eq!(again.principles[1].parameters, effective[1]);
}

#[test]
fn only_released_policies_omit_file_paths() {
    let text = more("[[principles]]\nkind = \"delta-presence\"\nmin = 0\nmax = 0.5");
    for purpose in [Purpose::Anonymize, Purpose::Check] {
        let errors = PolicyFile::parse_for(purpose, &text, "p")
            .expect_err("the population file is required");
        assert_eq!(codes(&errors), [Code::MissingParameter]);
    }
    let policy = PolicyFile::parse_released(&text, "p").expect("the released policy is valid");
    assert_eq!(policy.principles[1].population(), None);
    let text = text.replace("min = 0\n", "min = 0.75\n");
    let errors = PolicyFile::parse_released(&text, "p").expect_err("min is above max");
    assert_eq!(codes(&errors), [Code::ParameterOutOfRange]);
}

fn empty_table() -> FrequencyTable {
    FrequencyTable::new(Vec::new(), Vec::new(), Vec::new()).expect("an empty table is valid")
}

#[test]
fn requirement_is_built_for_table() {
    let table = empty_table();
    let policy = parse(super::SMALL);
    let built = policy.principles[0].requirement(&Context::new(&table, None)).expect("it fits");
    assert_eq!((built.kind, built.others), ("k-anonymity", Others::Ignored));
    assert_eq!(built.parameters, policy.principles[0].parameters);
}

#[test]
fn released_principle_requires_population_not_path() {
    let table = empty_table();
    let text = more("[[principles]]\nkind = \"delta-presence\"\nmin = 0\nmax = 0.5");
    let policy = PolicyFile::parse_released(&text, "p").expect("the released policy is valid");
    let errors = policy.principles[1].requirement(&Context::new(&table, None)).err();
    assert_eq!(errors, Some(vec![BuildError::Data(DataError::NoPopulation)]));
    let (table, population) =
        Population::join(&table, &table).expect("the population contains the table");
    let context = Context::new(&table, None).with_population(Arc::new(population));
    let built = policy.principles[1].requirement(&context).expect("it fits");
    assert_eq!(
        built.parameters, policy.principles[1].parameters,
        "parameters as stated, without a path"
    );
}

#[test]
fn missing_numbers_are_errors_unless_declared() {
    let disease = "[attributes.disease]\nrole = \"sensitive\"";
    for (line, stated, counted, numbers) in [
        ("", None, MissingValues::SeparateValue, Missing::Error),
        (
            "\nmissing = \"separate-value\"",
            Some(MissingValues::SeparateValue),
            MissingValues::SeparateValue,
            Missing::OwnValue,
        ),
        ("\nmissing = \"error\"", Some(MissingValues::Error), MissingValues::Error, Missing::Error),
    ] {
        let policy = parse(&small(disease, &format!("{disease}{line}")));
        let again = PolicyFile::parse_released(&released(&policy), "p")
            .expect("the released policy is valid");
        for policy in [policy, again] {
            let disease = policy.attribute("disease").expect("the policy declares the attribute");
            assert_eq!(disease.missing, stated);
            assert_eq!(disease.missing_rule(), counted);
            assert_eq!(disease.missing_numbers(), numbers);
        }
    }
}
