//! Tests of `indistinct advise`: statuses, fields, streams, and text output.

use insta::assert_snapshot;
use serde_json::json;

use crate::folder::Folder;

const ADVISE: [&str; 2] = ["advise", "policy.toml"];
const JSON: [&str; 4] = ["advise", "policy.toml", "--format", "json"];

fn shown(folder: &Folder, arguments: &[&str]) -> String {
    let answer = folder.run(arguments);
    let (stdout, stderr) = (&answer.stdout, &answer.stderr);
    let text = format!("$ indistinct {}\n{stderr}{stdout}[{}]", arguments.join(" "), answer.status);
    assert!(stdout.lines().all(|line| line.chars().count() <= 100), "{text}");
    assert!(text.lines().all(|line| line == line.trim_end()), "{text}");
    text
}

fn hospital() -> Folder {
    let folder = Folder::empty();
    folder.run(&["generate", "hospital", "--rows", "300", "-o", "hospital.csv"]).done();
    folder
}

const NEAR: &str = "
[[principles]]
kind = \"epsilon-m-anonymity\"
attribute = \"cost\"
epsilon = 500
m = 4
[[principles]]
kind = \"tau-l-diversity\"
attribute = \"diagnosis\"
tau = 0.05
l = 4
weights = \"domain\"
[recoding]";

#[test]
fn feasible_policy_text() {
    assert_snapshot!(shown(&hospital(), &ADVISE));
}

#[test]
fn infeasible_policy_text_with_nearby_numbers() {
    let folder = hospital().replaced("policy.toml", "\n[recoding]", NEAR);
    assert_snapshot!(shown(&folder, &[&ADVISE[..], &["--show-values"]].concat()));
}

#[test]
fn json_fields_and_exit_status_reflect_feasibility() {
    let folder = Folder::new();
    let json = folder.run(&JSON).done().json();
    assert_eq!(json["verdict"], "proved");
    assert_eq!((&json["n_rows"], &json["largest_k"]), (&json!(4), &json!(4)));
    let [k, l] = [&json["principles"][0], &json["principles"][1]];
    assert_eq!((&k["best"], &k["best_is"]), (&json!({ "k": 4 }), &json!("one-class")));
    assert_eq!((&l["best"], &l["within_reach"]), (&json!({ "l": 3 }), &json!(true)));
    assert_eq!(json["attributes"][0]["largest_l"]["frequency"], 2.0);

    let folder = folder.replaced("policy.toml", "k = 2", "k = 5");
    let before = folder.listing();
    let answer = folder.run(&JSON).not_met();
    assert_eq!(answer.stderr, "");
    let json = answer.json();
    assert_eq!(
        (&json["verdict"], &json["principles"][0]["required_is"]),
        (&json!("beyond-reach"), &json!(null))
    );
    folder.run(&ADVISE).not_met();
    assert_eq!(folder.listing(), before, "the command writes no file");
}

#[test]
fn advise_shows_cells_only_with_show_values() {
    let folder = Folder::new();
    for arguments in [&ADVISE[..], &JSON[..]] {
        let hidden = folder.run(arguments).done();
        assert!(!hidden.stdout.contains("flu"), "{hidden:?}");
        let shown = folder.run(&[arguments, &["--show-values"]].concat()).done();
        assert!(shown.stdout.contains("flu"), "{shown:?}");
    }
}

#[test]
fn page_is_self_contained_and_not_overwritten() {
    let folder = hospital().replaced("policy.toml", "\n[recoding]", NEAR);
    let arguments = ["advise", "policy.toml", "--report", "advice.html", "--format", "json"];
    let answer = folder.run(&arguments).not_met();
    assert!(answer.json().is_object());
    let page = folder.text("advice.html");
    assert!(page.contains("<polygon") && page.contains("default-src 'none'"), "no picture");
    for loads in ["http://", "https://", "src=", "<script", "<link"] {
        assert!(!page.contains(loads), "{loads}");
    }
    for cell in ["influenza", "childbirth"] {
        assert!(!page.contains(cell), "{cell}");
    }
    assert_eq!(folder.run(&arguments).status, 2, "an existing file is not replaced");
    assert_eq!(folder.text("advice.html"), page);
}

#[test]
fn table_instead_of_policy_is_rejected() {
    let message = Folder::new().refused(&["advise", "table.csv"]);
    assert!(message.contains("E-USAGE-004"), "{message}");
}
