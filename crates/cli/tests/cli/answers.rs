//! Tests of the exit statuses, the fields of the JSON answers, and the output streams.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::folder::{Answer, Folder};

const ANONYMIZE: [&str; 6] = ["anonymize", "policy.toml", "-o", "release", "--format", "json"];
const CHECK: [&str; 6] = ["check", "table.csv", "--policy", "policy.toml", "--format", "json"];

/// A policy that causes a warning: `l = 1` has no effect.
fn warned() -> Folder {
    Folder::new().replaced("policy.toml", "l = 2", "l = 1")
}

/// A policy that causes a warning only with its table: no principle protects the sensitive
/// attribute.
fn warned_about_principles() -> Folder {
    let old = "[[principles]]\nkind = \"distinct-l-diversity\"\nl = 2\n";
    Folder::new().replaced("policy.toml", old, "")
}

fn keys(value: &Value) -> BTreeSet<&str> {
    value.as_object().expect("an object").keys().map(String::as_str).collect()
}

/// Asserts that an object contains the documented fields. Additional fields are allowed.
fn assert_fields(value: &Value, fields: &[&str]) {
    let missing: Vec<&&str> =
        fields.iter().filter(|field| !keys(value).contains(**field)).collect();
    assert!(missing.is_empty(), "{missing:?} missing in {value}");
}

fn assert_principles(principles: &Value) {
    let principles = principles.as_array().expect("a list");
    assert_eq!(principles.len(), 2);
    for principle in principles {
        let fields = [
            "kind",
            "required",
            "reached",
            "holds",
            "n_failing_classes",
            "n_failing_rows",
            "worst_class_size",
        ];
        assert_fields(principle, &fields);
    }
    assert_eq!(principles[0]["kind"], "k-anonymity");
    assert_eq!(principles[0]["required"], json!({ "k": 2 }));
    assert_eq!(principles[1]["kind"], "distinct-l-diversity");
    assert_eq!(principles[1]["attribute"], "disease");
    assert_eq!(principles[1]["required"], json!({ "l": 2 }));
}

fn assert_risk(risk: &Value) {
    assert_fields(risk, &["prosecutor_max", "prosecutor_mean", "marketer"]);
}

#[test]
fn anonymize_output_has_documented_fields() {
    let answer = Folder::new().run(&ANONYMIZE).done();
    assert_eq!(answer.stderr, "");
    let json = answer.json();
    assert_eq!(json["status"], "released");
    assert_eq!(json["release"], "release");
    assert_eq!(json["recoding"]["method"], "full-domain");
    assert_eq!(json["recoding"]["levels"], json!({ "age": 1, "city": 0 }));
    assert_eq!(json["recoding"]["optimality"]["status"], "proved");
    for (field, value) in [("n_rows", 4), ("n_released", 4), ("n_suppressed", 0), ("n_classes", 2)]
    {
        assert_eq!(json[field], value, "{field}");
    }
    // The release has two classes of two rows. Ages cover two of four values, and cities one of
    // two.
    let losses = [("discernibility", 8.0), ("average_class_size", 2.0), ("height", 1.0)];
    for (field, value) in losses {
        assert_eq!(json["loss"][field], value, "{field}");
    }
    assert!((json["loss"]["loss"].as_f64().expect("a number") - 1.0 / 6.0).abs() < 1e-12);
    assert_fields(&json["loss"], &["entropy"]);
    assert!(keys(&json["loss"]).iter().all(|name| !name.contains('-')), "{}", json["loss"]);
    assert_fields(&json["search"], &["n_nodes", "n_evaluated", "seconds"]);
    assert_eq!(json["search"]["n_nodes"], 6);
    assert_principles(&json["principles"]);
    assert_eq!(json["principles"][0]["reached"], json!({ "k": 2 }));
    assert_eq!(json["principles"][0]["holds"], true);
    assert!(json.get("minimal_nodes").is_none(), "minimal nodes are listed only on request");
}

#[test]
fn minimal_nodes_are_listed_on_request() {
    let folder = Folder::new();
    let old = "[output]";
    let folder = folder.replaced("policy.toml", old, "[search]\nall_minimal = true\n[output]");
    let json = folder.run(&ANONYMIZE).done().json();
    assert_eq!(json["minimal_nodes"], json!([{ "age": 1, "city": 0 }]));
}

#[test]
fn check_output_has_documented_fields() {
    let answer = Folder::new().run(&CHECK).not_met();
    assert_eq!(answer.stderr, "");
    let json = answer.json();
    for (field, value) in [("n_rows", 4), ("n_released", 4), ("n_suppressed", 0), ("n_classes", 4)]
    {
        assert_eq!(json[field], value, "{field}");
    }
    assert_eq!(json["smallest_class"], 1);
    assert_principles(&json["principles"]);
    assert_eq!(json["principles"][0]["holds"], false);
    assert_eq!(json["principles"][0]["reached"], json!({ "k": 1 }));
    assert_eq!(json["principles"][0]["n_failing_rows"], 4);
    assert_risk(&json["risk"]);
    assert_eq!(json["risk"]["prosecutor_max"], 1.0);
}

#[test]
fn check_exits_with_0_if_principles_hold() {
    let folder = Folder::new()
        .with("table.csv", "name,age,city,disease\nAda,31,Rome,flu\nBen,31,Rome,ulcer\n");
    let json = folder.run(&CHECK).done().json();
    assert!(json["principles"].as_array().expect("a list").iter().all(|it| it["holds"] == true));
    folder.run(&CHECK[..4]).done();
}

#[test]
fn check_shows_cells_only_with_show_values() {
    let folder = Folder::new();
    for arguments in [&CHECK[..], &CHECK[..4]] {
        let hidden = folder.run(arguments).not_met();
        assert!(!hidden.stdout.contains("Rome"), "{hidden:?}");
        let shown = folder.run(&[arguments, &["--show-values"]].concat()).not_met();
        assert!(shown.stdout.contains("Rome"), "{shown:?}");
    }
}

#[test]
fn infeasible_policy_reports_nearest_result() {
    let folder = Folder::new().replaced("policy.toml", "k = 2", "k = 5");
    let before = folder.listing();
    let answer = folder.run(&ANONYMIZE).not_met();
    assert_eq!(answer.stderr, "");
    let json = answer.json();
    assert_eq!(json["status"], "infeasible");
    let nearest = &json["nearest"];
    assert_eq!(nearest["n_suppressed_needed"], 4);
    let failing: Vec<&Value> = nearest["principles"]
        .as_array()
        .expect("a list")
        .iter()
        .filter(|principle| principle["holds"] == false)
        .map(|principle| &principle["kind"])
        .collect();
    assert_eq!(failing, ["k-anonymity"]);
    let text = folder.run(&ANONYMIZE[..4]).not_met();
    assert_eq!(text.stderr, "");
    assert!(text.stdout.contains("nothing was written"), "{text:?}");
    assert_eq!(folder.listing(), before, "the command writes no file");
}

#[test]
fn json_uses_stdout_and_warnings_use_stderr() {
    for (folder, warning) in
        [(warned(), "has no effect"), (warned_about_principles(), "no principle covers")]
    {
        let answer = folder.run(&ANONYMIZE).done();
        assert_eq!(answer.json()["status"], "released");
        assert!(answer.stderr.contains(warning), "{answer:?}");
    }
}

#[test]
fn every_command_outputs_only_json() {
    let folder = warned();
    folder.run(&ANONYMIZE).done();
    folder.run(&["hierarchy", "build", "policy.toml", "--attribute", "age", "-o", "a.csv"]).done();
    let json = |arguments: &[&str]| -> Answer {
        let answer = folder.run(&[arguments, &["--format", "json", "-v"]].concat());
        assert!(answer.json().is_object() || answer.json().is_array(), "{answer:?}");
        assert!(answer.status < 2, "{answer:?}");
        answer
    };
    json(&["verify", "release"]);
    json(&["profile", "policy.toml"]);
    json(&["profile", "table.csv"]);
    json(&["init", "table.csv"]);
    json(&["init", "table.csv", "-o", "new.toml"]);
    json(&["hierarchy", "show", "policy.toml", "--attribute", "age"]);
    json(&["hierarchy", "check", "policy.toml"]);
    json(&["hierarchy", "check", "a.csv", "--data", "table.csv", "--attribute", "age"]);
    let build = json(&["hierarchy", "build", "policy.toml", "--attribute", "age"]);
    assert_eq!(build.json()["csv"], folder.text("a.csv"));
    json(&["generate", "census", "--rows", "5", "-o", "census/table.csv"]);
    json(&["check", "table.csv", "--policy", "policy.toml"]);
}

#[test]
fn standard_output_can_be_piped() {
    let folder = Folder::new();
    let policy = folder.run(&["init", "table.csv"]).done().stdout;
    let folder = folder.with("proposed.toml", policy.replace("k = 5", "k = 2"));
    folder.run(&["init", "table.csv", "-o", "written.toml"]).done();
    assert_eq!(folder.text("written.toml"), policy);
    folder.run(&["anonymize", "proposed.toml", "-o", "release"]);
    let csv = folder.run(&["hierarchy", "build", "policy.toml", "--attribute", "age"]).done();
    let folder = folder.with("age.csv", csv.stdout);
    let arguments = ["hierarchy", "check", "age.csv", "--data", "table.csv", "--attribute", "age"];
    folder.run(&arguments).done();
}

/// Creates a table with two sexes, where `f` has six rows with flu and five with cold, and a policy
/// with suppression.
fn two_sexes(principle: &str) -> Folder {
    let rows = |sex: &str, disease: &str, n: usize| format!("{sex},{disease}\n").repeat(n);
    let table = ["sex,disease\n".to_owned(), rows("m", "flu", 10), rows("m", "cold", 10)];
    let table = table.concat() + &rows("f", "flu", 6) + &rows("f", "cold", 5);
    let policy = format!(
        "version = 1\n[input]\npath = \"table.csv\"\n[attributes.sex]\nrole = \
         \"quasi-identifier\"\n[attributes.disease]\nrole = \"sensitive\"\n[[principles]]\n\
         {principle}\n[recoding]\nmethod = \"full-domain\"\nsuppression_limit = 0.4\n"
    );
    Folder::new().with("table.csv", &table).with("policy.toml", &policy)
}

/// The policy also holds without one of the rows with flu, so the answer claims only that no other
/// levels have a lower loss.
#[test]
fn optimality_is_not_claimed_over_row_suppression() {
    let message = |principle: &str| {
        let folder = two_sexes(principle);
        let json = folder.run(&ANONYMIZE).done().json();
        let shown = folder.run(&[&ANONYMIZE[..], &["--force"]].concat()).done().json();
        assert_eq!(json["recoding"], shown["recoding"]);
        let recoding = &json["recoding"];
        (recoding["optimality"]["status"].clone(), folder.fact("recoding"))
    };
    let (optimality, fact) = message("kind = \"frequency-l-diversity\"\nl = 2");
    assert_eq!(optimality, "proved-for-levels");
    // The certificate must not disclose whether single rows were suppressed.
    assert!(fact.get("optimality").is_none(), "{fact}");
    let (optimality, fact) = message("kind = \"distinct-l-diversity\"\nl = 2");
    assert_eq!(optimality, "proved");
    assert!(fact.get("optimality").is_none(), "{fact}");
    // Suppressing other rows would change the reference distribution of the classes, so the result
    // is only heuristic.
    let (optimality, _) = message("kind = \"t-closeness\"\nt = 0.4");
    assert_eq!(optimality, "heuristic");
}
