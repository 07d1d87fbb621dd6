//! `method = "invariant"`: it needs to know who the rows are about, and classes whose sensitive values all differ.

use indistinct_core::Role;
use indistinct_core::principle::{M_INVARIANCE, invariant_m};

use super::{Check, Form, InLedger, MethodKind};
use crate::{Code, Problem, Purpose};

/// Versions of a growing table.
pub static INVARIANT: MethodKind = MethodKind {
    name: "invariant",
    summary: "For versions of a growing table (with `anonymize --ledger FILE`): everybody stays in classes with the same set of sensitive values, and rows about nobody replace people who left. The class is published.",
    keys: &["align"],
    form: Form::Versions,
    // Without one, classes with equal values would be one.
    class_column: Some("class"),
    ledger: InLedger::Series,
    check,
    ..MethodKind::ROWS
};

/// The keys of `[linkage]` that say who the rows are about.
const OF_PEOPLE: [(&str, &str); 3] = [
    ("series", "name the growing table: series = \"...\""),
    ("person", "name the identifier that says which person a row is about: person = \"...\""),
    (
        "key",
        "name the file with the key of the people: key = \"...\"; 'indistinct ledger init FILE --key KEYFILE' makes one",
    ),
];

const METHOD: &[&str] = &["recoding", "method"];

fn check(check: &mut Check<'_>) {
    if let Some(got) = check.n_sensitive().filter(|got| *got != 1) {
        check.refuse(
            METHOD,
            &format!("there are {got} sensitive attributes, expected one"),
            "give one attribute the role \"sensitive\", or take another method",
        );
    }
    if check.suppressed.is_released() {
        check.refuse(
            &["recoding", "suppressed"],
            "starred rows would make a class in which sensitive values repeat",
            "take suppressed = \"dropped\"",
        );
    }
    let principles = check.principles;
    let n_required = principles
        .iter()
        .filter(|(_, spec)| invariant_m(spec.kind, &spec.parameters).is_some())
        .count();
    if n_required != 1 && !principles.is_empty() {
        check.refuse(
            METHOD,
            &match n_required {
                0 => format!("the policy does not ask for the principle '{M_INVARIANCE}'"),
                n => format!("the policy asks {n} times for the principle '{M_INVARIANCE}'"),
            },
            "ask for it once: [[principles]] with kind = \"m-invariance\" and m",
        );
    }
    check.refuse_population("classes");
    for attribute in check.attributes() {
        let name = attribute.name.as_str();
        if attribute.role == Role::Insensitive {
            check.refuse(
                &["attributes", name, "role"],
                &format!("'{name}' is insensitive, and counterfeit rows would have no value of it"),
                "leave it out: role = \"identifier\", or declare it a quasi-identifier",
            );
        }
        if attribute.max_level.is_some() {
            check.refuse(
                &["attributes", name, "max_level"],
                &format!(
                    "the 'max_level' of '{name}' cannot be kept: whoever has the same set of sensitive values is put together"
                ),
                "remove it or choose another method",
            );
        }
    }
    if matches!(check.purpose, Purpose::Anonymize | Purpose::Given(_)) {
        require_people(check);
    }
}

fn require_people(check: &mut Check<'_>) {
    let linkage = check.linkage;
    let stated = [&linkage.series, &linkage.person, &linkage.key];
    for ((key, help), stated) in OF_PEOPLE.into_iter().zip(stated) {
        // A key that is there and wrong has been reported.
        if stated.is_none() && check.span(&["linkage", key]).is_none() {
            let message = format!(
                "method 'invariant' needs 'linkage.{key}', to know people of earlier versions"
            );
            let span = check.span(METHOD).unwrap_or_default();
            check.report(Problem::at(Code::MissingKey, span, message).help(help));
        }
    }
}
