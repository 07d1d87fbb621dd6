//! Valid and invalid parameters for every kind of principle.

use indistinct_core::principle::{self, Kind, NumberRange, ParameterKind, ParameterSpec};

use super::super::Code;
use super::more;

/// All parameters of each kind of principle, as written in a file. The parameters of nested tables
/// are dotted keys.
pub(super) const EXAMPLES: &[(&str, &[(&str, &str)])] = &[
    ("k-anonymity", &[("k", "5")]),
    ("distinct-l-diversity", &[("l", "3")]),
    ("frequency-l-diversity", &[("l", "2.5")]),
    ("entropy-l-diversity", &[("l", "2.5"), ("dont_care", r#"["flu", "", "a \"b\"\n"]"#)]),
    (
        "recursive-diversity",
        &[
            ("c", "2.5"),
            ("l", "3"),
            ("dont_care", "[]"),
            ("negative.values", "[\"flu\", \"ulcer\"]"),
            ("negative.c2", "12.5"),
        ],
    ),
    ("alpha-k-anonymity", &[("alpha", "0.5"), ("k", "3"), ("values", "[\"flu\"]")]),
    ("c-k-safety", &[("c", "0.75"), ("k", "2")]),
    ("k-e-anonymity", &[("k", "3"), ("e", "0.5")]),
    ("variance-control", &[("variance", "1e6")]),
    ("t-closeness", &[("t", "0.2"), ("distance", "\"ordered\"")]),
    ("beta-likeness", &[("beta", "2.5"), ("gain", "\"enhanced\"")]),
    ("delta-disclosure", &[("delta", "1.5")]),
    ("bayes-optimal-privacy", &[("difference", "0.3")]),
    ("delta-presence", &[("min", "0"), ("max", "0.5"), ("population", "\"people.csv\"")]),
    ("epsilon-m-anonymity", &[("epsilon", "0.5"), ("m", "3"), ("neighborhood", "\"relative\"")]),
    ("e1-e2-m-anonymity", &[("e1", "0"), ("e2", "10"), ("m", "3")]),
    (
        "neighborhoods-m-anonymity",
        &[("neighborhoods", "{ -5 = 1, \"2.5\" = 0.25 }"), ("above", "{ 0 = 2 }"), ("m", "3")],
    ),
    ("delta-l-diversity", &[("delta", "0.5"), ("l", "1.5"), ("reading", "\"window\"")]),
    (
        "tau-l-diversity",
        &[
            ("tau", "0.5"),
            ("l", "3"),
            ("weights", "{ flu = 2, \"a b\" = 0.25 }"),
            ("psi", "\"convex\""),
        ],
    ),
    ("m-invariance", &[("m", "3")]),
];

pub(super) type Lines = Vec<(String, String)>;

pub(super) fn lines_of(parameters: &[(&str, &str)]) -> Lines {
    parameters.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
}

/// Formats a principle as in a policy file.
pub(super) fn written(kind: &str, lines: &Lines) -> String {
    let lines: Vec<String> =
        lines.iter().map(|(name, value)| format!("{name} = {value}")).collect();
    format!("[[principles]]\nkind = \"{kind}\"\n{}\n", lines.join("\n"))
}

/// Returns a small policy with one additional principle, at index 1.
pub(super) fn with(kind: &str, lines: &Lines) -> String {
    more(&written(kind, lines))
}

pub(super) fn kind_of(name: &str) -> &'static Kind {
    principle::find(name).unwrap_or_else(|| panic!("no kind {name}"))
}

/// Returns the specification of a parameter, by its dotted key.
pub(super) fn spec_of(kind: &Kind, name: &str) -> ParameterSpec {
    let mut specs = kind.parameters;
    let mut found = None;
    for part in name.split('.') {
        let spec = specs.iter().find(|spec| spec.name == part);
        let spec = spec.unwrap_or_else(|| panic!("{} has no {name}", kind.name));
        if let ParameterKind::Table { fields } = spec.kind {
            specs = fields;
        }
        found = Some(*spec);
    }
    found.expect("a path has at least one part")
}

/// Returns invalid values, each with the code of the problem and the text at its location.
fn wrong_values(kind: ParameterKind) -> Vec<(String, Code, String)> {
    let outside = |values: &[String]| {
        values
            .iter()
            .map(|value| (value.clone(), Code::ParameterOutOfRange, value.clone()))
            .collect()
    };
    let mut wrong: Vec<(String, Code, String)> = match kind {
        ParameterKind::Integer { at_least } => outside(&[
            (at_least - 1).to_string(),
            format!("{at_least}.5"),
            "-1e30".to_owned(),
            "\"5\"".to_owned(),
        ]),
        ParameterKind::Number(NumberRange::Any) => outside(&["\"5\"".to_owned()]),
        ParameterKind::Number(NumberRange::AtLeast(at_least)) => {
            outside(&[format!("{}.999", at_least - 1), "-7".to_owned(), "\"5\"".to_owned()])
        }
        ParameterKind::Number(NumberRange::Above(limit)) => {
            outside(&[limit.to_string(), "-7".to_owned(), "\"5\"".to_owned()])
        }
        ParameterKind::Number(NumberRange::Within(_, at_most)) => {
            outside(&["-0.001".to_owned(), format!("{at_most}.001"), "\"0\"".to_owned()])
        }
        ParameterKind::Number(NumberRange::AboveUpTo(_, at_most)) => {
            outside(&["0".to_owned(), "-0.5".to_owned(), format!("{at_most}.001")])
        }
        ParameterKind::Word { .. } | ParameterKind::Weights { .. } => {
            let mut wrong: Vec<_> = outside(&["5".to_owned()]);
            wrong.push(("\"wrong\"".to_owned(), Code::UnknownWord, "\"wrong\"".to_owned()));
            wrong
        }
        ParameterKind::Values => outside(&["\"flu\"".to_owned(), "5".to_owned()]),
        ParameterKind::File => outside(&["\"\"".to_owned(), "5".to_owned()]),
        ParameterKind::Steps => outside(&["5".to_owned(), "\"5\"".to_owned()]),
        ParameterKind::Table { .. } => unreachable!("the fields of a table are tested separately"),
    };
    for value in ["true", "[[1]]"] {
        let is_in_list = kind == ParameterKind::Values && value.starts_with('[');
        let place = if is_in_list { "[1]" } else { value };
        wrong.push((value.to_owned(), Code::WrongType, place.to_owned()));
    }
    match kind {
        ParameterKind::Values => {
            wrong.push(("[\"a\", 55]".to_owned(), Code::WrongType, "55".to_owned()));
        }
        ParameterKind::Weights { .. } | ParameterKind::Steps => {
            for (value, code) in [
                ("-0.5", Code::ParameterOutOfRange),
                ("\"1\"", Code::WrongType),
                ("nan", Code::NotExact),
            ] {
                wrong.push((format!("{{ 0 = 1, 5 = {value} }}"), code, value.to_owned()));
            }
        }
        _ => wrong.push(("{}".to_owned(), Code::WrongType, "{}".to_owned())),
    }
    if !matches!(kind, ParameterKind::Values) {
        wrong.push(("nan".to_owned(), Code::NotExact, "nan".to_owned()));
    }
    wrong
}

/// Returns policies with one invalid value each, with the code and location of the problem.
pub(super) fn mistakes() -> Vec<(String, Code, String)> {
    let mut all = Vec::new();
    for (name, parameters) in EXAMPLES {
        for (at, (parameter, _)) in parameters.iter().enumerate() {
            for (value, code, covered) in wrong_values(spec_of(kind_of(name), parameter).kind) {
                let mut lines = lines_of(parameters);
                lines[at].1 = value;
                all.push((with(name, &lines), code, covered));
            }
        }
    }
    all
}

/// The generated example tables include policies.
#[test]
fn example_policies_are_parsed_without_errors() {
    use indistinct_generate::{Example, companion};
    for example in [
        Example::Hospital,
        Example::Census { distinct: None },
        Example::Salary,
        Example::Survey { n_attributes: 3 },
    ] {
        let policy = companion(&example, "x.csv").policy;
        let read = crate::PolicyFile::parse(&policy, "policy.toml");
        assert!(read.is_ok(), "{example:?}: {:?}", read.err());
    }
}
