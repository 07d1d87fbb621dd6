//! `method = "invariant"`: requires a column that identifies people and classes without repeated
//! sensitive values.

use indistinct_core::principle::{M_INVARIANCE, invariant_m};
use indistinct_core::{Role, Status};

use super::{Check, Form, InLedger, MethodKind};
use crate::{Code, Purpose};

/// The method that publishes the versions of a growing table.
pub static INVARIANT: MethodKind = MethodKind {
    name: "invariant",
    summary: "Publishes versions of a growing table (with `anonymize --ledger FILE`). Every person \
              remains in classes with the same set of sensitive values, and counterfeit rows \
              replace people who left. The release contains the class of each row.",
    status: Status::Experimental {
        reason: "The method depends on a ledger with all earlier versions, and no published \
                 release is available for comparison.",
    },
    keys: &["generalize_to"],
    form: Form::Versions,
    // Without the class column, recipients could not distinguish classes with equal released
    // values.
    class_column: Some("class"),
    ledger: InLedger::Series,
    check,
    ..MethodKind::ROWS
};

/// The keys of `[linkage]` that identify people, with a help text for each key.
const OF_PEOPLE: [(&str, &str); 3] = [
    ("series", "name the growing table: series = \"...\""),
    ("person", "name the column that identifies the person of a row: person = \"...\""),
    (
        "key_file",
        "name the file with the key for recognizing people: key_file = \"...\"; 'indistinct ledger \
         init FILE --key KEYFILE' creates one",
    ),
];

const METHOD: &[&str] = &["recoding", "method"];

fn check(check: &mut Check<'_>) {
    if let Some(got) = check.n_sensitive().filter(|got| *got != 1) {
        check.refuse(
            METHOD,
            &format!("there are {got} sensitive attributes, expected one"),
            "set role = \"sensitive\" for exactly one attribute, or choose another method",
        );
    }
    if check.recoding.suppression.is_released() {
        check.refuse(
            &["recoding", "suppression"],
            "suppressed rows in the release would form a class with repeated sensitive values",
            "set suppression = \"drop-rows\"",
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
                0 => format!("the policy does not require the principle '{M_INVARIANCE}'"),
                n => format!("the policy requires the principle '{M_INVARIANCE}' {n} times"),
            },
            "require this principle once: [[principles]] with kind = \"m-invariance\" and m",
        );
    }
    check.refuse_population("classes");
    for attribute in check.attributes() {
        let name = attribute.name.as_str();
        if attribute.role == Role::Insensitive {
            check.refuse(
                &["attributes", name, "role"],
                &format!(
                    "'{name}' has the role insensitive, so counterfeit rows would have no value \
                     for it"
                ),
                "omit the column with role = \"identifier\", or declare it a quasi-identifier",
            );
        }
        if attribute.max_level.is_some() {
            check.refuse(
                &["attributes", name, "max_level"],
                &format!(
                    "'max_level' of '{name}' cannot be guaranteed, because classes consist of \
                     people with the same set of sensitive values"
                ),
                "remove 'max_level', or choose another method",
            );
        }
    }
    if matches!(check.purpose, Purpose::Anonymize | Purpose::Given(_)) {
        require_people(check);
    }
}

fn require_people(check: &mut Check<'_>) {
    let linkage = check.linkage;
    let stated = [&linkage.series, &linkage.person, &linkage.key_file];
    for ((key, help), stated) in OF_PEOPLE.into_iter().zip(stated) {
        // Invalid keys were already reported.
        if stated.is_none() && check.span(&["linkage", key]).is_none() {
            let message = format!(
                "method 'invariant' requires 'linkage.{key}' to identify people of earlier versions"
            );
            let span = check.span(METHOD).unwrap_or_default();
            check.wrong(Code::MissingKey, span, message, help);
        }
    }
}
