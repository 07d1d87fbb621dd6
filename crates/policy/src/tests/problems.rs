//! Tests of every problem code, with its location.

use std::collections::BTreeSet;

use super::super::*;
use super::{SMALL, codes, errors, more, parse, small};

/// Returns invalid policies, each with the code of its only mistake and the text that the location
/// must cover.
fn mistakes() -> Vec<(Code, &'static str, String)> {
    let age = "[attributes.age]\nrole = \"quasi-identifier\"";
    let with_age = |line: &str| small(age, &format!("{age}\n{line}"));
    let disease = "[attributes.disease]\nrole = \"sensitive\"";
    let with_name = |line: &str| {
        let name = "[attributes.name]\nrole = \"identifier\"";
        small(name, &format!("{name}\n{line}"))
    };
    let principle = |text: &str| more(&format!("[[principles]]\n{text}"));
    let recoding = |text: &str| more(&format!("[recoding]\n{text}"));
    let linkage = |text: &str| more(&format!("[linkage]\n{text}"));
    let people = |text: &str| more(&format!("[people]\n{text}\n"));
    let noise =
        |domain: &str| recoding(&format!("method = \"perturbation\"\ndomain = {{ {domain} }}\n"));
    let tree = |text: &str| with_age(&format!("hierarchy = {{ tree = {text} }}"));
    let centers =
        |text: &str| recoding(&format!("method = \"microaggregation\"\naggregate = {text}\n"));
    let masked = |text: &str| {
        let without = small("[[principles]]\nkind = \"k-anonymity\"\nk = 2\n", "");
        format!("{without}[recoding]\nmethod = \"masking\"\nmasking = {text}\n")
    };
    vec![
        (Code::OutOfRange, "0", more("[population]\nsampling_fraction = 0\n")),
        (Code::OutOfRange, "1.5", more("[population]\nsampling_fraction = 1.5\n")),
        (Code::NotIdentifier, "\"age\"", more("[population]\nhousehold = \"age\"\n")),
        (Code::UnknownAttribute, "\"w\"", more("[population]\nweights = \"w\"\n")),
        (Code::UnknownKey, "weight", more("[population]\nweight = \"age\"\n")),
        (Code::Contradiction, "[\"disease\"]", centers("[\"disease\"]")),
        (Code::MissingKey, "recoding", recoding("method = \"microaggregation\"\n")),
        (Code::Contradiction, "masking", masked("{ disease = { shuffle = true } }")),
        (Code::Contradiction, "{ }", masked("{ age = { } }")),
        (
            Code::Contradiction,
            "{ swap = 0.1, pram = 0.5 }",
            masked("{ age = { swap = 0.1, pram = 0.5 } }"),
        ),
        (Code::Contradiction, "0", masked("{ age = { swap = 0 } }")),
        (Code::Contradiction, "1", masked("{ age = { pram = 1 } }")),
        (Code::Contradiction, "false", masked("{ age = { shuffle = false } }")),
        (Code::OutOfRange, "0", masked("{ age = { noise = 0 } }")),
        (Code::WrongType, "3", masked("{ age = 3 }")),
        (Code::UnknownKey, "swop", masked("{ age = { swop = 0.1, pram = 0.5 } }")),
        (
            Code::Contradiction,
            "\"k-anonymity\"",
            recoding("method = \"masking\"\nmasking = { age = { swap = 0.1 } }\n"),
        ),
        (Code::Syntax, "", small("k = 2", "k = [1")),
        (Code::DuplicateKey, "version", small("version = 1", "version = 1\nversion = 1")),
        (Code::DuplicateKey, "age", more("[attributes.age]\nrole = \"identifier\"")),
        (Code::UnknownKey, "recodng", more("[recodng]")),
        (Code::UnknownKey, "rol", with_age("rol = 1")),
        (Code::WrongType, "\"1\"", small("version = 1", "version = \"1\"")),
        (Code::WrongType, "5", small("\"t.csv\"", "5")),
        (Code::WrongType, "\"no\"", more("[search]\nall_minimal = \"no\"")),
        (Code::WrongType, "\"x.csv\"", with_age("hierarchy = \"x.csv\"")),
        (Code::WrongType, "3", small(age, "[attributes]\nage = 3")),
        (Code::WrongType, "\"5\"", with_age("hierarchy = { intervals = [\"5\"] }")),
        (Code::WrongType, "1", with_age("hierarchy = { dates = [1] }")),
        (Code::WrongType, "7", tree("{ a = [7] }")),
        (Code::WrongType, "\"b\"", tree("{ a = \"b\" }")),
        (Code::WrongType, "1.5", with_age("max_level = 1.5")),
        (Code::WrongType, "4", principle("kind = 4")),
        (Code::WrongType, "4", principle("kind = \"entropy-l-diversity\"\nl = 2\nattribute = 4")),
        (Code::WrongType, "true", small("k = 2", "k = true")),
        (Code::OutOfRange, "1.01", recoding("suppression_limit = 1.01")),
        (Code::OutOfRange, "-0.01", recoding("suppression_limit = -0.01")),
        (Code::OutOfRange, "-1", recoding("seed = -1")),
        (Code::OutOfRange, "-2", with_age("weight = -2")),
        (Code::OutOfRange, "-1", with_age("min_level = -1")),
        (Code::OutOfRange, "0", more("[search]\ntime_limit_seconds = 0")),
        (Code::OutOfRange, "\";;\"", more("[output]\ndelimiter = \";;\"")),
        (Code::OutOfRange, "\"\"", small("\"t.csv\"", "\"\"")),
        (Code::OutOfRange, "0", with_age("hierarchy = { intervals = [0] }")),
        (Code::OutOfRange, "[]", with_age("hierarchy = { intervals = [] }")),
        (Code::OutOfRange, "[]", with_age("hierarchy = { dates = [] }")),
        (Code::UnknownWord, "\"sensitve\"", small("\"sensitive\"", "\"sensitve\"")),
        (Code::UnknownWord, "\"global\"", recoding("method = \"global\"")),
        (Code::UnknownWord, "\"los\"", recoding("objective = \"los\"")),
        (Code::UnknownWord, "\"k-anon\"", small("\"k-anonymity\"", "\"k-anon\"")),
        (Code::UnknownWord, "\"up\"", with_age("hierarchy = { mask = \"up\" }")),
        (Code::UnknownWord, "\"week\"", with_age("hierarchy = { dates = [\"week\"] }")),
        (Code::UnknownKey, "minimun", linkage("minimun = { l = 3 }")),
        (Code::UnknownKey, "k", linkage("minimum = { l = 3, k = 2 }")),
        (Code::UnknownWord, "\"distinkt\"", linkage("minimum = { l = 3, measure = \"distinkt\" }")),
        (Code::WrongType, "3", linkage("minimum = 3")),
        (Code::WrongType, "\"3\"", linkage("minimum = { l = \"3\" }")),
        (Code::OutOfRange, "0.5", linkage("minimum = { l = 0.5 }")),
        (Code::OutOfRange, "\"\"", linkage("population = \"\"")),
        (Code::MissingKey, "minimum", linkage("minimum = { measure = \"entropy\" }")),
        (Code::NotIdentifier, "\"nam\"", linkage("person = \"nam\"")),
        (Code::NotIdentifier, "\"age\"", linkage("person = \"age\"")),
        (Code::MissingKey, "people", people("rows = \"independent\"")),
        (Code::NotIdentifier, "\"nam\"", people("id = \"nam\"")),
        (Code::NotIdentifier, "\"age\"", people("household = \"age\"")),
        (Code::UnknownWord, "\"near\"", people("id = \"name\"\nrows = \"near\"")),
        (Code::Contradiction, "\"name\"", people("id = \"name\"\nhousehold = \"name\"")),
        (Code::Contradiction, "\"uniform\"", people("household = \"name\"\nrows = \"uniform\"")),
        (
            Code::Contradiction,
            "\"entropy-l-diversity\"",
            people("id = \"name\"")
                + "[[principles]]\nkind = \"entropy-l-diversity\"\nl = 2\ndont_care = [\"flu\"]\n",
        ),
        (
            Code::Contradiction,
            "\"t-closeness\"",
            people("id = \"name\"")
                + "[[principles]]\nkind = \"t-closeness\"\nt = 0.2\ndistance = \"ordered\"\n",
        ),
        (
            Code::Contradiction,
            "\"quasi-identifier\"",
            people("id = \"name\"")
                + "[attributes.cost]\nrole = \"sensitive\"\n"
                + "[[principles]]\nkind = \"distinct-l-diversity\"\nattribute = \"disease\"\nl = \
                   2\nother_sensitive = \"quasi-identifier\"\n",
        ),
        (
            Code::Contradiction,
            "\"curve\"",
            people("id = \"name\"") + "[recoding]\nmethod = \"curve\"\n",
        ),
        (
            Code::Contradiction,
            "minimum",
            people("id = \"name\"") + "[linkage]\nminimum = { l = 3 }\n",
        ),
        (Code::NoSensitive, "minimum", small(disease, "") + "[linkage]\nminimum = { l = 3 }\n"),
        (Code::MissingKey, "recoding", recoding("method = \"planned\"")),
        (
            Code::Contradiction,
            "0.1",
            recoding("method = \"planned\"\nplan = \"p.toml\"\nsuppression_limit = 0.1"),
        ),
        (Code::Contradiction, "\"sweep\"", recoding("method = \"sweep\"")),
        (
            Code::Contradiction,
            "\"distinct-l-diversity\"",
            principle("kind = \"distinct-l-diversity\"\nl = 2\n")
                + "[recoding]\nmethod = \"partition\"\n",
        ),
        (
            Code::Contradiction,
            "1",
            small(age, &format!("{age}\nmax_level = 1")) + "[recoding]\nmethod = \"partition\"\n",
        ),
        (
            Code::Contradiction,
            "\"distinct-l-diversity\"",
            principle("kind = \"distinct-l-diversity\"\nl = 2\n")
                + "[[principles]]\nkind = \"tau-l-diversity\"\ntau = 0.5\nl = 2\n[recoding]\n\
                   method = \"sweep\"\n",
        ),
        (Code::MissingKey, "age", small(age, "[attributes.age]")),
        (Code::MissingKey, "recoding", recoding("method = \"perturbation\"")),
        (Code::MissingKey, "domain", noise("min = 1, max = 5")),
        (Code::UnknownKey, "steps", noise("min = 1, max = 5, step = 1, steps = 1")),
        (Code::OutOfRange, "0", noise("min = 1, max = 5, step = 0")),
        (Code::OutOfRange, "4", noise("min = 5, max = 4, step = 1")),
        (Code::OutOfRange, "domain", noise("min = 1, max = 5, step = 3")),
        (Code::OutOfRange, "domain", noise("min = 0, max = 1000000, step = 1")),
        (Code::NotExact, "domain", noise("min = 0, max = 1e25, step = 1e25")),
        (
            Code::Contradiction,
            "1",
            with_age("min_level = 1") + &noise("min = 1, max = 5, step = 1")[SMALL.len()..],
        ),
        (
            Code::Contradiction,
            "\"sorted\"",
            noise("min = 1, max = 5, step = 1")
                + "[output]\nrow_order = \"sorted\"\n[attributes.note]\nrole = \"insensitive\"\n",
        ),
        (Code::MissingKey, "input", small("path = \"t.csv\"", "")),
        (Code::MissingKey, "[[principles]]", principle("l = 2")),
        (Code::Version, "", small("version = 1\n", "")),
        (Code::Version, "2", small("version = 1", "version = 2")),
        (Code::UnknownParameter, "kk", small("k = 2", "k = 2\nkk = 2")),
        (Code::UnknownParameter, "attribute", small("k = 2", "k = 2\nattribute = \"disease\"")),
        (Code::MissingParameter, "[[principles]]", small("k = 2\n", "")),
        (Code::ParameterOutOfRange, "0", small("k = 2", "k = 0")),
        (Code::ParameterOutOfRange, "\"2\"", small("k = 2", "k = \"2\"")),
        (Code::ParameterOutOfRange, "1.5", principle("kind = \"distinct-l-diversity\"\nl = 1.5")),
        (Code::ParameterOutOfRange, "0.5", principle("kind = \"entropy-l-diversity\"\nl = 0.5")),
        (Code::ParameterOutOfRange, "0", principle("kind = \"recursive-diversity\"\nc = 0\nl = 2")),
        (Code::NoQuasiIdentifier, "attributes", SMALL.replace("quasi-identifier", "identifier")),
        (
            Code::NoSensitive,
            "[[principles]]",
            small(disease, "").as_str().to_owned()
                + "[[principles]]\nkind = \"distinct-l-diversity\"\nl = 2\n",
        ),
        (
            Code::AmbiguousSensitive,
            "[[principles]]",
            small(disease, &format!("{disease}\n[attributes.cost]\nrole = \"sensitive\""))
                + "[[principles]]\nkind = \"distinct-l-diversity\"\nl = 2\n",
        ),
        (
            Code::NotSensitive,
            "\"age\"",
            principle("kind = \"distinct-l-diversity\"\nl = 2\nattribute = \"age\""),
        ),
        (
            Code::UnknownAttribute,
            "\"diseas\"",
            principle("kind = \"distinct-l-diversity\"\nl = 2\nattribute = \"diseas\""),
        ),
        (Code::NoPrinciple, "", small("[[principles]]\nkind = \"k-anonymity\"\nk = 2\n", "")),
        (Code::NoPrinciple, "[]", {
            let none = small("[[principles]]\nkind = \"k-anonymity\"\nk = 2\n", "");
            none.replace("version = 1", "version = 1\nprinciples = []")
        }),
        (Code::Unanswered, "\"?\"", small(disease, &disease.replace("\"sensitive\"", "\"?\""))),
        (Code::DoesNotApply, "hierarchy", with_name("hierarchy = { mask = \"right\" }")),
        (Code::DoesNotApply, "2", with_name("weight = 2")),
        (Code::DoesNotApply, "\"error\"", with_name("missing = \"error\"")),
        (Code::DoesNotApply, "1", small(disease, &format!("{disease}\nmax_level = 1"))),
        (
            Code::Contradiction,
            "\"w\"",
            more(
                "[attributes.w]\nrole = \"insensitive\"\ncoarsen = { round = 10 }\n\
                 [population]\nweights = \"w\"",
            ),
        ),
        (Code::LevelsReversed, "3", with_age("min_level = 3\nmax_level = 2")),
        (Code::RepeatedPrinciple, "[[principles]]", principle("kind = \"k-anonymity\"\nk = 2.0")),
        (Code::ClassColumnTaken, "\"age\"", more("[output]\nclass_column = \"age\"")),
        (Code::Hierarchy, "hierarchy", with_age("hierarchy = {}")),
        (Code::Hierarchy, "hierarchy", with_age("hierarchy = { mask = \"left\", csv = \"x\" }")),
        (Code::Hierarchy, "3", with_age("hierarchy = { mask = \"left\", anchor = 3 }")),
        (Code::Hierarchy, "3", with_age("hierarchy = { mask = \"left\", top = 3 }")),
        (Code::Hierarchy, "3", with_age("hierarchy = { top = 5, min = 3 }")),
        (Code::Hierarchy, "3", with_age("hierarchy = { top = 5, anchor = 3 }")),
        (Code::Hierarchy, "3", with_age("hierarchy = { intervals = [5], top = 9, max = 3 }")),
        (Code::Hierarchy, "5", with_age("hierarchy = { bottom = 9, top = 5 }")),
        (Code::Hierarchy, "hierarchy", with_age("hierarchy = { round = [5, 10] }")),
        (Code::Hierarchy, "hierarchy", with_age("hierarchy = { round = [5], intervals = [5] }")),
        (Code::WrongType, "\"9\"", with_age("hierarchy = { top = \"9\" }")),
        (Code::Hierarchy, "7", with_age("hierarchy = { intervals = [5, 7] }")),
        (Code::Hierarchy, "5", with_age("hierarchy = { intervals = [10, 5] }")),
        (Code::Hierarchy, "5", with_age("hierarchy = { intervals = [5, 5] }")),
        (Code::Hierarchy, "3", with_age("hierarchy = { intervals = [5], min = 3, max = 3 }")),
        (Code::OutOfRange, "20", with_age("hierarchy = { boundaries = [30, 20] }")),
        (Code::OutOfRange, "[]", with_age("hierarchy = { boundaries = [] }")),
        (Code::Hierarchy, "1", with_age("hierarchy = { boundaries = [30], join = 1 }")),
        (Code::Hierarchy, "2", with_age("hierarchy = { intervals = [5], join = 2 }")),
        (Code::Hierarchy, "3", with_age("hierarchy = { boundaries = [30], min = 3 }")),
        (Code::Hierarchy, "3", with_age("hierarchy = { boundaries = [30], top = 3 }")),
        (Code::Hierarchy, "\"month\"", with_age("hierarchy = { dates = [\"year\", \"month\"] }")),
        (Code::Hierarchy, "\"b\"", tree("{ a = [\"b\", { c = [\"b\"] }] }")),
        (Code::Hierarchy, "[]", tree("{ a = [] }")),
        (Code::NotExact, "nan", recoding("suppression_limit = nan")),
        (Code::NotExact, "inf", principle("kind = \"entropy-l-diversity\"\nl = inf")),
        (Code::NotExact, "1e-99", with_age("hierarchy = { intervals = [1e-99] }")),
        (Code::NotExact, "1e40", with_age("weight = 1e40")),
    ]
}

#[test]
fn every_mistake_has_code_location_and_help() {
    let mut helpless: Vec<String> = Vec::new();
    for (code, covered, text) in mistakes() {
        let errors = errors(&text);
        let [problem] = errors.problems.as_slice() else {
            panic!("expected one problem:\n{errors}\n{text}")
        };
        assert_eq!(problem.code, code, "{errors}\n{text}");
        let span = problem.span.clone().unwrap_or(0..0);
        let there = &text[span];
        assert!(
            if covered.is_empty() { there.is_empty() } else { there == covered },
            "{errors}\nthe location is {there:?}, expected {covered:?}"
        );
        assert_eq!(problem.severity(), Severity::Error);
        // The help or the message must state a remedy or the expected value.
        if problem.help.is_none() && !problem.message.contains("(expected") {
            helpless.push(errors.to_string());
        }
    }
    assert!(helpless.is_empty(), "{}", helpless.join("\n"));
}

#[test]
fn every_error_code_has_test() {
    let tested: BTreeSet<Code> = mistakes().into_iter().map(|(code, _, _)| code).collect();
    // These codes have tests elsewhere, or cannot occur in this version.
    let elsewhere = [
        Code::NotAvailable,
        Code::NoSuchColumn,
        Code::UnlistedColumn,
        Code::RequiresNothing,
        Code::NoEffect,
    ];
    for code in Code::ALL {
        assert!(tested.contains(code) || elsewhere.contains(code), "no test covers {code}");
    }
    let shown: BTreeSet<&str> = Code::ALL.iter().map(|code| code.as_str()).collect();
    assert_eq!(shown.len(), Code::ALL.len(), "codes differ");
}

#[test]
fn all_problems_are_reported_at_once() {
    let text = "title = 1\n[attributes.a]\nrole = \"x\"\nweigth = 1\n[recoding]\nmethod = \"y\"\n";
    let wanted = [
        Code::Version,
        Code::WrongType,
        Code::UnknownWord,
        Code::UnknownKey,
        Code::UnknownWord,
        Code::MissingKey,
        Code::NoPrinciple,
    ];
    assert_eq!(codes(&errors(text)), wanted);
}

#[test]
fn duplicate_key_does_not_hide_other_problems() {
    let text = small("version = 1", "version = 1\nversion = 1").replace("k = 2", "k = 0");
    assert_eq!(codes(&errors(&text)), [Code::DuplicateKey, Code::ParameterOutOfRange]);
}

#[test]
fn duplicate_section_is_one_problem() {
    let again = "[attributes.age]\nrole = \"identifier\"\n";
    assert_eq!(codes(&errors(&more(again))), [Code::DuplicateKey]);
    assert_eq!(codes(&errors(&more(&again.repeat(2)))), [Code::DuplicateKey; 2]);
    let other = format!("{again}[attributes.sex]\nrole = \"identifier\"\n");
    assert_eq!(codes(&errors(&more(&other))), [Code::DuplicateKey; 2]);
    let key = "[search]\nall_minimal = true\nall_minimal = true\n";
    assert_eq!(codes(&errors(&more(&format!("{again}{key}")))), [Code::DuplicateKey; 2]);
}

#[test]
fn consequential_problems_are_not_reported() {
    // The role of the only sensitive attribute is misspelled, so the parser cannot determine
    // whether the attribute of the principle is valid.
    let text = small("\"sensitive\"", "\"sensitve\"")
        + "[[principles]]\nkind = \"entropy-l-diversity\"\nl = 2\n";
    assert_eq!(codes(&errors(&text)), [Code::UnknownWord]);
    let text = SMALL.replace("\"quasi-identifier\"", "\"qid\"");
    assert_eq!(codes(&errors(&text)), [Code::UnknownWord, Code::UnknownWord]);
}

#[test]
fn vacuous_requirement_is_a_warning() {
    for (text, asks) in [
        (small("k = 2", "k = 1"), true),
        (more("[[principles]]\nkind = \"entropy-l-diversity\"\nl = 1.0"), true),
        (more("[[principles]]\nkind = \"recursive-diversity\"\nc = 2\nl = 1"), true),
        (more("[[principles]]\nkind = \"entropy-l-diversity\"\nl = 1.01"), false),
        (more("[linkage]\nminimum = { l = 1 }"), true),
        (more("[linkage]\nminimum = { l = 1.5 }"), false),
    ] {
        let warnings = parse(&text).warnings();
        let wanted: &[Code] = if asks { &[Code::RequiresNothing] } else { &[] };
        assert_eq!(codes(&warnings), wanted, "{text}");
        assert!(warnings.problems.iter().all(|it| it.severity() == Severity::Warning));
    }
}

#[test]
fn ineffective_setting_is_a_warning() {
    let perturbed = |line: &str| {
        let domain = "domain = { min = 1, max = 5, step = 1 }";
        more(&format!("[recoding]\nmethod = \"perturbation\"\n{domain}\n{line}"))
    };
    for text in [
        more("[recoding]\ngeneralize_to = \"bounds\""),
        more("[recoding]\nsplit = \"median\""),
        more("[recoding]\nplan = \"plan.toml\""),
        more("[recoding]\ndomain = { min = 1, max = 5, step = 1 }"),
        perturbed("suppression_limit = 0.1"),
        more("[recoding]\nmethod = \"partition\"\nsuppression_limit = 0.1"),
        perturbed("suppression = \"star-rows\""),
        perturbed("objective = \"entropy\""),
        perturbed("generalize_to = \"bounds\""),
        more("[output]\nformat = \"parquet\"\ndelimiter = \";\""),
        small("path = \"t.csv\"", "path = \"t\"\nformat = \"parquet\"\ndelimiter = \";\""),
    ] {
        assert_eq!(codes(&parse(&text).warnings()), [Code::NoEffect], "{text}");
    }
}

#[test]
fn class_column_in_input_table_is_an_error() {
    let policy = parse(&more("[output]\nclass_column = \"class\""));
    let columns = ["age", "sex", "disease", "name", "class"].map(str::to_owned);
    let errors = policy.bind(&columns).expect_err("the policy does not declare the column");
    assert_eq!(codes(&errors), [Code::UnlistedColumn]);
}

#[test]
fn positions_count_characters() {
    let text = "# größe\nü = 1\r\nx";
    let at =
        |needle: &str| position_of(text, text.find(needle).expect("the text contains the word"));
    assert_eq!(at("größe"), Position { line: 1, column: 3 });
    assert_eq!(at("= 1"), Position { line: 2, column: 3 });
    assert_eq!(at("x"), Position { line: 3, column: 1 });
    assert_eq!(position_of(text, 5), Position { line: 1, column: 5 });
    assert_eq!(position_of(text, 10_000), Position { line: 3, column: 2 });
    assert_eq!(position_of("\u{feff}ab", 4), Position { line: 1, column: 2 });
}
