//! Tests of `method = "anatomy"`: the settings that it does not support.

use super::super::*;
use super::{SMALL, codes, errors, parse, released};

const DIVERSE: &str = "[[principles]]\nkind = \"distinct-l-diversity\"\nl = 2\n";

/// Returns [`SMALL`] with other principles and the method Anatomy.
fn anatomy(principles: &str, more: &str) -> String {
    let start = SMALL.find("[[principles]]").expect("a principle");
    format!("{}{principles}[recoding]\nmethod = \"anatomy\"\n{more}", &SMALL[..start])
}

/// Returns the text at the location of each error, in the order of the file.
fn places(text: &str) -> Vec<String> {
    let errors = errors(text);
    let of = |problem: &Problem| {
        assert_eq!(problem.code, Code::Contradiction, "{errors}");
        assert!(problem.help.is_some(), "{errors}");
        text[problem.span.clone().expect("a place")].to_owned()
    };
    errors.problems.iter().filter(|it| it.severity() == Severity::Error).map(of).collect()
}

#[test]
fn all_unsupported_settings_are_reported_together() {
    let principles = "[[principles]]\nkind = \"k-anonymity\"\nk = 2\n[[principles]]\nkind = \
                      \"delta-presence\"\nmin = 0\nmax = 0.5\npopulation = \"p.csv\"\n\
                      [[principles]]\nkind = \"entropy-l-diversity\"\nl = 2\nother_sensitive = \
                      \"quasi-identifier\"\n[[principles]]\nkind = \"epsilon-m-anonymity\"\n\
                      epsilon = 1\nm = 2\n[[principles]]\nkind = \"alpha-k-anonymity\"\nalpha = \
                      0.5\nk = 2\n";
    let text = anatomy(principles, "suppression = \"star-rows\"\n");
    let text = text.replace("[attributes.disease]", "min_level = 1\n[attributes.disease]");
    let wanted = [
        "1",
        "\"k-anonymity\"",
        "\"delta-presence\"",
        "\"quasi-identifier\"",
        "\"epsilon-m-anonymity\"",
        "\"alpha-k-anonymity\"",
        "\"star-rows\"",
    ];
    assert_eq!(places(&text), wanted);
}

#[test]
fn unreadable_principle_does_not_shift_error_locations() {
    let principles = "[[principles]]\nkind = \"k-anonymity\"\nk = 0\n\
        [[principles]]\nkind = \"k-anonymity\"\nk = 2\n";
    let text = anatomy(&(principles.to_owned() + DIVERSE), "");
    let errors = errors(&text);
    assert_eq!(codes(&errors), [Code::ParameterOutOfRange, Code::Contradiction], "{errors}");
    let span = errors.problems[1].span.clone().expect("a place");
    assert_eq!(span.start, text.rfind("\"k-anonymity\"").expect("the text contains the principle"));
}

#[test]
fn anatomy_requires_exactly_one_sensitive_attribute() {
    let two = anatomy(DIVERSE, "").replace("\nkind", "\nattribute = \"disease\"\nkind")
        + "[attributes.cost]\nrole = \"sensitive\"\n";
    assert_eq!(places(&two), ["\"anatomy\""]);
    // If a role is invalid, the parser cannot determine the number of sensitive attributes.
    let unknown = two.replace("cost]\nrole = \"sensitive\"", "cost]\nrole = \"sensitve\"");
    assert_eq!(codes(&errors(&unknown)), [Code::UnknownWord]);
}

#[test]
fn anatomy_accepts_supported_policy() {
    let text = anatomy(
        "[[principles]]\nkind = \"alpha-k-anonymity\"\nalpha = 0.5\nk = 1\n\
         [[principles]]\nkind = \"t-closeness\"\nt = 0.5\n",
        "suppression_limit = 0.1\nsuppression = \"drop-rows\"\n",
    );
    let policy = parse(&text);
    assert!(policy.warnings().problems.iter().all(|it| it.code == Code::RequiresNothing));
    assert_eq!(policy.recoding.method.name, "anatomy");
}

#[test]
fn anatomy_always_has_class_column() {
    let column = |text: &str| parse(text).output.class_column;
    let text = anatomy(DIVERSE, "");
    assert_eq!(column(&text).as_deref(), Some("class"));
    let named = format!("{text}[output]\nclass_column = \"group\"\n");
    assert_eq!(column(&named).as_deref(), Some("group"));
    for (text, covered) in [
        (format!("{text}[output]\nclass_column = \"value\"\n"), "\"value\""),
        (format!("{text}[output]\nclass_column = \"count\"\n"), "\"count\""),
        (format!("{text}[attributes.class]\nrole = \"insensitive\"\n"), "\"anatomy\""),
    ] {
        let errors = errors(&text);
        assert_eq!(codes(&errors), [Code::ClassColumnTaken], "{errors}");
        assert_eq!(&text[errors.problems[0].span.clone().expect("a place")], covered);
    }
}

#[test]
fn generalization_settings_have_no_effect() {
    let quasi = "[attributes.disease]";
    for (text, n) in [
        (anatomy(DIVERSE, "objective = \"entropy\"\n"), 1),
        (anatomy(DIVERSE, "generalize_to = \"bounds\"\nsplit = \"median\"\n"), 2),
        (anatomy(DIVERSE, "").replace(quasi, &format!("max_level = 1\nweight = 2\n{quasi}")), 2),
    ] {
        let policy = parse(&text);
        assert_eq!(codes(&policy.warnings()), vec![Code::NoEffect; n], "{text}");
        let released = released(&policy);
        let again = PolicyFile::parse_released(&released, "policy.toml");
        assert!(again.expect("the released policy is valid").warnings().is_empty(), "{released}");
    }
}
