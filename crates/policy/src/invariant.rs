//! What `method = "invariant"` needs, and cannot be had together with: all that can be seen without the table.

use indistinct_core::principle::{M_INVARIANCE, Subject};
use indistinct_core::{Role, Suppressed};

use super::attributes::Declared;
use super::walk::{Section, Walker};
use super::{Code, LinkageSection, PrincipleSpec, Problem, Purpose, RecodingSection};

/// The name of the class column where the policy gives none: without one, classes with equal values would be one.
pub(super) const CLASS_COLUMN: &str = "class";

/// The keys of `[linkage]` that say who the rows are about.
const OF_PEOPLE: [(&str, &str); 3] = [
    ("series", "name the growing table: series = \"...\""),
    ("person", "name the identifier that says who a row is about: person = \"...\""),
    (
        "key",
        "name the file with the key of the people: key = \"...\"; 'indistinct ledger init FILE --key KEYFILE' makes one",
    ),
];

/// Reports what is missing, and every principle and setting that does not go with classes whose secrets all differ.
pub(super) fn check(
    walker: &mut Walker,
    purpose: Purpose,
    recoding: &Section<'_>,
    (read, linkage): (&RecodingSection, &LinkageSection),
    principles: &[(usize, PrincipleSpec)],
    declared: &Declared,
) {
    let method = recoding.span("method").unwrap_or_default();
    let contradiction = |span: std::ops::Range<usize>, text: &str, help: &str| {
        let message = format!("with method 'invariant': {text}");
        Problem::at(Code::Contradiction, span, message).help(help)
    };
    let got = declared.sensitive().len();
    if got != 1 && declared.unsettled.is_empty() {
        let text = format!("there are {got} sensitive attributes, expected one");
        let help = "give one attribute the role \"sensitive\", or take another method";
        walker.report(contradiction(method.clone(), &text, help));
    }
    if read.suppressed == Suppressed::Starred {
        let span = recoding.span("suppressed").unwrap_or_default();
        let text = "starred rows would make a class in which sensitive values repeat";
        walker.report(contradiction(span, text, "take suppressed = \"dropped\""));
    }
    let n_asked = principles.iter().filter(|(_, spec)| spec.kind.name == M_INVARIANCE).count();
    if n_asked != 1 && !principles.is_empty() {
        let text = format!("the policy asks {n_asked} times for the principle '{M_INVARIANCE}'");
        let help = "ask for it once: [[principles]] with kind = \"m-invariance\" and m";
        walker.report(contradiction(method.clone(), &text, help));
    }
    for (at, spec) in principles.iter().filter(|(_, it)| it.kind.subject == Subject::Population) {
        let path = ["principles", &at.to_string(), "kind"].map(str::to_owned);
        let span = walker.spans.get(path.as_slice()).cloned().unwrap_or_default();
        let text = format!(
            "{} counts a population by released values, which classes may share",
            spec.kind.name
        );
        walker.report(contradiction(span, &text, "remove it or choose another method"));
    }
    for attribute in &declared.attributes {
        let span = |walker: &Walker, key: &str| {
            let path = ["attributes", &attribute.name, key].map(str::to_owned);
            walker.spans.get(path.as_slice()).cloned().unwrap_or_default()
        };
        if attribute.role == Role::Insensitive {
            let text = format!(
                "'{}' is insensitive, and counterfeit rows would have no value of it",
                attribute.name
            );
            let help = "leave it out: role = \"identifier\", or declare it a quasi-identifier";
            let span = span(walker, "role");
            walker.report(contradiction(span, &text, help));
        }
        if attribute.max_level.is_some() {
            let text = format!(
                "the 'max_level' of '{}' cannot be kept: whoever has the same set of secrets is put together",
                attribute.name
            );
            let span = span(walker, "max_level");
            walker.report(contradiction(span, &text, "remove it or choose another method"));
        }
    }
    if purpose != Purpose::Anonymize {
        return;
    }
    let stated = [&linkage.series, &linkage.person, &linkage.key];
    for ((key, help), stated) in OF_PEOPLE.into_iter().zip(stated) {
        let is_bad = walker.spans.contains_key(["linkage", key].map(str::to_owned).as_slice());
        if stated.is_none() && !is_bad {
            let message = format!(
                "method 'invariant' needs 'linkage.{key}', to know people of earlier versions"
            );
            walker.report(Problem::at(Code::MissingKey, method.clone(), message).help(help));
        }
    }
}
