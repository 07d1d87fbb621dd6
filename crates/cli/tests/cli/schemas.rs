//! Tests that the answer of every command matches its schema in `docs/schema`, and that the
//! certificates of all methods match theirs.
//!
//! [`Answer::json`](crate::folder::Answer::json) validates each answer against its schema, here and
//! in all other tests.

use serde_json::Value;

use crate::folder::{Folder, assert_schema};

fn with<'a>(arguments: &[&'a str]) -> Vec<&'a str> {
    [arguments, &["--format", "json"]].concat()
}

#[test]
fn command_output_matches_schema() {
    let folder = Folder::new();
    let ask = |arguments: &[&str]| folder.run(&with(arguments));
    let answers = [
        ask(&["init", "table.csv"]),
        ask(&["profile", "table.csv"]),
        ask(&["check", "table.csv", "--policy", "policy.toml"]),
        ask(&["advise", "policy.toml"]),
        ask(&["compare", "policy.toml", "--k", "2"]),
        ask(&["hierarchy", "build", "policy.toml", "--attribute", "age"]),
        ask(&["hierarchy", "check", "policy.toml"]),
        ask(&["hierarchy", "show", "policy.toml", "--attribute", "age"]),
        ask(&["ledger", "init", "a.ledger", "--key", "a.key"]),
        ask(&["ledger", "init", "b.ledger"]),
        ask(&["anonymize", "policy.toml", "-o", "one", "--ledger", "a.ledger"]),
        ask(&["anonymize", "policy.toml", "-o", "two"]),
        ask(&["drivers"]),
        ask(&["explain"]),
        ask(&["explain", "loss"]),
        ask(&["verify", "one"]),
        ask(&["measure", "one", "--original", "table.csv", "--queries", "10"]),
        ask(&["attack", "one"]),
        ask(&["attack", "one", "--original", "table.csv", "--register", "table.csv"]),
        ask(&["link", "one", "two"]),
        ask(&["ledger", "check", "a.ledger", "two"]),
        ask(&["ledger", "add", "b.ledger", "two"]),
        ask(&["ledger", "list", "a.ledger"]),
        ask(&["ledger", "verify", "a.ledger"]),
        ask(&["ledger", "remove", "b.ledger", "two", "--reason", "never sent", "--yes"]),
        Folder::empty().run(&with(&["generate", "hospital", "--rows", "50", "-o", "hospital.csv"])),
    ];
    for answer in answers {
        assert!(answer.status < 2, "{answer:?}");
        assert!(answer.json().is_object() || answer.json().is_array());
    }
}

#[test]
fn infeasible_output_matches_schema() {
    let folder = Folder::new().replaced("policy.toml", "k = 2", "k = 5");
    let answer = folder.run(&with(&["anonymize", "policy.toml", "-o", "release"])).not_met();
    assert_eq!(answer.json()["status"], "infeasible");
    folder.run(&with(&["advise", "policy.toml"])).not_met().json();
}

#[test]
fn certificates_of_all_forms_match_schema() {
    let methods = ["full-domain", "multidimensional", "curve"];
    let policies = methods.map(|method| {
        crate::folder::POLICY.replace("[recoding]", &format!("[recoding]\nmethod = \"{method}\""))
    });
    let k = "[[principles]]\nkind = \"k-anonymity\"\nk = 2\n";
    let anatomy = crate::folder::POLICY
        .replace("[recoding]", "[recoding]\nmethod = \"anatomy\"")
        .replace(k, "");
    for policy in policies.into_iter().chain([anatomy]) {
        let folder = Folder::new().with("policy.toml", &policy);
        folder.run(&with(&["anonymize", "policy.toml", "-o", "release"])).done().json();
        let certificate: Value =
            serde_json::from_str(&folder.text("release/certificate.json")).expect("JSON");
        assert_schema("certificate", &certificate);
        folder.run(&with(&["verify", "release"])).done().json();
    }
}

#[test]
fn schema_violation_is_detected() {
    let folder = Folder::new();
    let mut answer = folder.run(&with(&["profile", "table.csv"])).done().json();
    answer["n_rows"] = "four".into();
    let wrong = std::panic::catch_unwind(|| assert_schema("profile", &answer));
    assert!(wrong.is_err());
}
