//! Tests of `ledger` and `anonymize --ledger`: the protection that remains after linking, and the
//! state after a stop at any step.

#[cfg(unix)]
use std::os::unix::fs::PermissionsExt;
#[cfg(unix)]
use std::os::unix::process::ExitStatusExt;

use serde_json::Value;

use crate::folder::Folder;

/// Two hospitals that share four patients. The names occur only in these tables.
const A: &str = "\
name,age,city,disease
Zebulon,21,Rome,flu
Ben,25,Rome,ulcer
Cem,31,Rome,flu
Dan,36,Rome,asthma
Eve,41,Oslo,ulcer
Fay,47,Oslo,asthma
Gus,52,Oslo,flu
Hal,58,Oslo,ulcer
";
const B: &str = "\
name,age,city,disease
Zebulon,21,Rome,flu
Ida,27,Rome,asthma
Cem,31,Rome,flu
Joe,38,Rome,ulcer
Eve,41,Oslo,ulcer
Kim,44,Oslo,flu
Gus,52,Oslo,flu
Lea,55,Oslo,asthma
";

fn policy(table: &str, age: &str, linkage: &str) -> String {
    format!(
        r#"version = 1
[input]
path = "{table}"
[attributes.name]
role = "identifier"
[attributes.age]
role = "quasi-identifier"
hierarchy = {{ intervals = [10, 20, 40] }}
{age}
[attributes.city]
role = "quasi-identifier"
[attributes.disease]
role = "sensitive"
[[principles]]
kind = "distinct-l-diversity"
l = 2
[recoding]
seed = 7
[linkage]
{linkage}
[output]
row_order = "sorted"
"#
    )
}

/// Creates a folder with both tables, their policies, and an empty ledger.
fn hospitals() -> Folder {
    let minimum = "minimum = { l = 2 }";
    let folder = Folder::empty()
        .with("a.csv", A)
        .with("b.csv", B)
        .with("a.toml", policy("a.csv", "", minimum))
        .with("b.toml", policy("b.csv", "", minimum));
    folder.run(&["ledger", "init", "releases.ledger"]).done();
    folder
}

fn recorded(folder: &Folder, policy: &str, output: &str) -> Value {
    let arguments =
        ["anonymize", policy, "-o", output, "--ledger", "releases.ledger", "--format", "json"];
    folder.run(&arguments).done().json()
}

fn listed(folder: &Folder) -> Vec<(String, String)> {
    let listing = folder.run(&["ledger", "list", "releases.ledger", "--format", "json"]).done();
    let text = |value: &Value| value.as_str().expect("a text").to_owned();
    let listing = listing.json();
    let releases = listing["releases"].as_array().expect("a list");
    releases.iter().map(|it| (text(&it["name"]), text(&it["state"]))).collect()
}

fn published(names: &[&str]) -> Vec<(String, String)> {
    names.iter().map(|name| ((*name).to_owned(), "published".to_owned())).collect()
}

/// Joins the lines of a string.
fn flat(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Returns hidden folders and files, which are incomplete output.
fn hidden(folder: &Folder) -> Vec<String> {
    folder.listing().into_keys().filter(|name| name.starts_with('.')).collect()
}

#[test]
fn revealing_release_is_coarsened() {
    let folder = hospitals();
    let first = recorded(&folder, "a.toml", "a");
    assert_eq!(first["recoding"]["levels"]["age"], 1);
    assert_eq!(first["linkage"]["name"], "a");
    assert_eq!(first["linkage"]["effect"]["linked_with"], serde_json::json!([]));
    // Without the ledger, the second release would have the same levels as the first, and flu would
    // be the only common value of Zebulon's classes.
    let plain = folder.run(&["anonymize", "b.toml", "-o", "plain"]).refused("E-LEDGER-101");
    assert!(plain.stderr.contains("--ledger FILE"), "{plain:?}");
    let without = policy("b.csv", "", "");
    let folder = folder.with("plain.toml", without);
    let plain = folder.run(&["anonymize", "plain.toml", "-o", "plain", "--format", "json"]).done();
    assert_eq!(plain.json()["recoding"]["levels"]["age"], 1);
    let check = ["ledger", "check", "releases.ledger", "plain", "--minimum", "l=2"];
    let harmful = folder.run(&check).not_met();
    assert!(!harmful.stdout.contains("Zebulon") && !harmful.stdout.contains("flu"));
    let harmful = folder.run(&[&check[..], &["--format", "json"]].concat()).not_met().json();
    assert!(harmful["effect"]["sensitive"][0]["harmed"]["n_people"].as_u64() > Some(0));

    let second = recorded(&folder, "b.toml", "b");
    assert_eq!(second["recoding"]["levels"]["age"], 2);
    assert_eq!(second["recoding"]["optimality"]["status"], "coarsened-for-linkage");
    let linkage = &second["linkage"];
    assert_eq!(linkage["effect"]["linked_with"], serde_json::json!(["a"]));
    assert_eq!(linkage["effect"]["holds"], true);
    assert_eq!(linkage["effect"]["sensitive"][0]["distinct_l"], 2);
    assert!(linkage["coarser"]["n_harmed_without"].as_u64() > Some(0));
    assert!(linkage["coarser"]["with"].as_f64() > linkage["coarser"]["without"].as_f64());
    folder.run(&["verify", "b"]).done();
    assert!(folder.text("b/policy.toml").contains("[linkage]"));
    let checked = folder.run(&["ledger", "check", "releases.ledger", "b"]).done();
    assert!(checked.stdout.contains("recorded as b,"), "{checked:?}");
    let verified = folder.run(&["ledger", "verify", "releases.ledger"]).done();
    assert!(verified.stdout.starts_with("The ledger is intact."), "{verified:?}");
    assert_eq!(listed(&folder), published(&["a", "b"]));
}

#[test]
fn revealing_release_is_rejected_if_not_coarsenable() {
    let folder = hospitals();
    recorded(&folder, "a.toml", "a");
    let linkage = "minimum = { l = 2 }\npopulation = \"patients\"";
    let folder = folder.with("b.toml", policy("b.csv", "max_level = 1", linkage));
    let before = folder.listing();
    let arguments = ["anonymize", "b.toml", "-o", "b", "--ledger", "releases.ledger"];
    let refused = folder.run(&arguments).not_met();
    assert!(flat(&refused.stdout).contains("fails"), "{refused:?}");
    for cell in ["Zebulon", "flu", "Rome", "[20"] {
        assert!(!refused.stdout.contains(cell), "{cell}: {refused:?}");
    }
    assert_eq!(folder.listing(), before, "no release and no record are written");
    let json = folder.run(&[&arguments[..], &["--format", "json"]].concat()).not_met().json();
    assert_eq!(json["status"], "infeasible");
    let harmed_with = &json["linkage"]["effect"]["sensitive"][0]["harmed_with"];
    assert_eq!(
        (&harmed_with[0]["release"], harmed_with.as_array().map(Vec::len)),
        (&"a".into(), Some(1))
    );
    let check = ["ledger", "check", "releases.ledger", "b.toml"];
    folder.run(&check).not_met();
    // Releases of other populations are not linked.
    let add = ["ledger", "remove", "releases.ledger", "a", "--reason", "recorded wrongly"];
    folder.run(&add).refused("E-USAGE-010");
    folder.run(&[&add[..], &["--yes"]].concat()).done();
    folder.run(&["ledger", "add", "releases.ledger", "a", "--population", "staff"]).done();
    recorded(&folder, "b.toml", "b");
    assert_eq!(listed(&folder), published(&["a", "b"]));
    folder.run(&["ledger", "add", "releases.ledger", "a"]).refused("E-LEDGER-010");
}

#[test]
fn every_method_finds_recoding_that_meets_minimum() {
    for method in ["multidimensional", "curve", "anatomy"] {
        let by_method = |table: &str| {
            let text = policy(table, "", "minimum = { l = 2 }");
            text.replace("seed = 7", &format!("seed = 7\nmethod = \"{method}\""))
        };
        let folder =
            hospitals().with("a.toml", by_method("a.csv")).with("b.toml", by_method("b.csv"));
        recorded(&folder, "a.toml", "a");
        let second = recorded(&folder, "b.toml", "b");
        assert_eq!(second["linkage"]["effect"]["linked_with"], serde_json::json!(["a"]));
        // The command `link` must agree for the people in the second table.
        let link =
            ["link", "a", "b", "--original", "b=b.csv", "--minimum", "l=2", "--format", "json"];
        folder.run(&link).done();
        folder.run(&["verify", "b"]).done();
        folder.run(&["ledger", "check", "releases.ledger", "b"]).done();
        if method != "anatomy" {
            assert!(second["linkage"]["coarser"].is_object(), "{method}: {second}");
        }
    }
}

#[test]
fn ledger_minimum_applies_to_single_release() {
    let folder = hospitals().with("a.toml", policy("a.csv", "", "minimum = { l = 3 }"));
    let first = recorded(&folder, "a.toml", "a");
    assert_eq!(
        first["recoding"]["levels"]["age"], 2,
        "classes with 2 sensitive values do not suffice"
    );
}

#[test]
fn abort_at_any_step_preserves_ledger_consistency() {
    for step in [
        "healed",
        "staged",
        "checked",
        "recorded",
        "settled",
        "journaled",
        "part-in-place",
        "in-place",
        "published",
    ] {
        let folder = hospitals();
        recorded(&folder, "a.toml", "a");
        let arguments = ["anonymize", "b.toml", "-o", "b", "--ledger", "releases.ledger"];
        let mut process = folder.process(&arguments);
        let stopped = process.env("INDISTINCT_STOP_AT", step).output().expect("it runs");
        #[cfg(unix)]
        assert!(stopped.status.signal().is_some(), "{step}: {stopped:?}");

        // Every existing release must be in the ledger, where later checks find it.
        let is_there = folder.path("b").exists();
        let names: Vec<String> = listed(&folder).into_iter().map(|it| it.0).collect();
        assert!(!is_there || names.contains(&"b".to_owned()), "{step}: {names:?}");

        let verified = folder.run(&["ledger", "verify", "releases.ledger"]).done();
        let is_there = folder.path("b").exists();
        let expected = if is_there { published(&["a", "b"]) } else { published(&["a"]) };
        assert_eq!(listed(&folder), expected, "{step}: {verified:?}");

        let again = folder.run(&arguments);
        assert_eq!(again.status, if is_there { 2 } else { 0 }, "{step}: {again:?}");
        assert_eq!(listed(&folder), published(&["a", "b"]), "{step}");
        assert_eq!(hidden(&folder), Vec::<String>::new(), "{step}");
        folder.run(&["verify", "b"]).done();
        let checked = folder.run(&["ledger", "check", "releases.ledger", "b"]).done();
        assert!(
            checked.stdout.contains("recorded as b,"),
            "{step}: the check finds the recorded release"
        );
        let verified = folder.run(&["ledger", "verify", "releases.ledger"]).done();
        assert!(!verified.stdout.contains("repaired"), "{step}: {verified:?}");
    }
}

#[test]
fn moved_unconfirmed_release_counts_as_published() {
    let folder = hospitals();
    let arguments = ["anonymize", "a.toml", "-o", "a", "--ledger", "releases.ledger"];
    let mut process = folder.process(&arguments);
    process.env("INDISTINCT_STOP_AT", "in-place").output().expect("it runs");
    std::fs::rename(folder.path("a"), folder.path("handed-out")).expect("moved");
    let verified = folder.run(&["ledger", "verify", "releases.ledger"]).done();
    assert!(
        flat(&verified.stdout).contains("the ledger treats the release as published"),
        "{verified:?}"
    );
    assert_eq!(listed(&folder), published(&["a"]));
}

#[test]
fn concurrent_runs_account_for_each_other() {
    let folder = hospitals();
    let start = |policy: &str, output: &str| {
        let arguments =
            ["anonymize", policy, "-o", output, "--ledger", "releases.ledger", "--format", "json"];
        let mut process = folder.process(&arguments);
        process.stdout(std::process::Stdio::piped()).spawn().expect("it starts")
    };
    let (a, b) = (start("a.toml", "a"), start("b.toml", "b"));
    let answer = |process: std::process::Child| -> Value {
        let output = process.wait_with_output().expect("it ends");
        assert!(output.status.success(), "{output:?}");
        serde_json::from_slice(&output.stdout).expect("JSON")
    };
    let answers = [answer(a), answer(b)];
    let order = listed(&folder);
    assert_eq!(order.len(), 2);
    let linked_with = |name: &str| {
        let answer = answers.iter().find(|it| it["linkage"]["name"] == name);
        answer.expect("the release exists")["linkage"]["effect"]["linked_with"].clone()
    };
    assert_eq!(linked_with(&order[0].0), serde_json::json!([]));
    assert_eq!(linked_with(&order[1].0), serde_json::json!([order[0].0]));
}

#[cfg(unix)]
#[test]
fn ledger_is_private_and_contains_no_rows() {
    let folder = hospitals();
    recorded(&folder, "a.toml", "a");
    let path = folder.path("releases.ledger");
    let mode = std::fs::metadata(&path).expect("the ledger exists").permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    let bytes = std::fs::read(&path).expect("read");
    for name in ["Zebulon", "21,Rome"] {
        assert!(!bytes.windows(name.len()).any(|part| part == name.as_bytes()), "{name}");
    }
}

#[test]
fn invalid_ledgers_are_rejected() {
    let folder = hospitals().with("table.ledger", "name,disease\n");
    folder.run(&["ledger", "init", "releases.ledger"]).refused("E-LEDGER-002");
    folder.run(&["ledger", "list", "nowhere.ledger"]).refused("E-LEDGER-001");
    folder.run(&["ledger", "verify", "table.ledger"]).refused("E-LEDGER-003");
    let before = folder.listing();
    let arguments = ["anonymize", "a.toml", "-o", "a", "--ledger", "nowhere.ledger"];
    folder.run(&arguments).refused("E-LEDGER-001");
    folder.run(&["ledger", "check", "releases.ledger", "nowhere"]).refused("E-FILE-001");
    assert_eq!(folder.listing(), before);
    recorded(&folder, "a.toml", "a");
    let folder = folder.replaced("a/data.csv", "flu", "gout");
    let changed = folder.run(&["ledger", "verify", "releases.ledger"]).not_met();
    assert!(changed.stdout.contains("a: 1 file is changed or missing"), "{changed:?}");
}
