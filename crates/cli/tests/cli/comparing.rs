//! `indistinct compare`: its figures are those of the releases that it compares, and it writes none.

use serde_json::Value;

use crate::folder::Folder;

fn hospital() -> Folder {
    let folder = Folder::empty();
    folder.run(&["generate", "hospital", "--rows", "400", "-o", "hospital.csv"]).done();
    folder
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value} is no number"))
}

#[test]
fn each_choice_is_what_anonymize_would_release() {
    let folder = hospital();
    let before = folder.listing().len();
    let methods = "full-domain,curve";
    let compare = ["compare", "policy.toml", "-k", "4,9", "--methods", methods, "--limit", "0,0.1"];
    let compared = folder.run(&[&compare[..], &["--format", "json"]].concat()).done().json();
    assert_eq!(folder.listing().len(), before, "nothing is written");
    assert_eq!(compared["n_rows"], 400);
    let choices = compared["choices"].as_array().expect("a list");
    assert_eq!(choices.len(), 8);
    let policy = folder.text("policy.toml");
    let mut n_released = 0;
    for choice in choices {
        let changed = policy.lines().map(|line| match line.split(' ').next() {
            Some("method") => format!("method = {}\n", choice["method"]),
            Some("suppression_limit") => {
                format!("suppression_limit = {}\n", choice["suppression_limit"])
            }
            Some("k") => format!("k = {}\n", choice["k"]),
            _ => format!("{line}\n"),
        });
        let changed: String = changed.collect();
        assert!(
            ["method = ", "suppression_limit = ", "k = "].iter().all(|key| changed.contains(key))
        );
        std::fs::write(folder.path("changed.toml"), changed).expect("written");
        let arguments = ["anonymize", "changed.toml", "-o", "release", "--force"];
        let answer = folder.run(&[&arguments[..], &["--format", "json"]].concat());
        let Some(found) = choice.get("release") else {
            assert!(choice["why_not"].is_string(), "{choice}");
            answer.not_met();
            continue;
        };
        n_released += 1;
        let released = answer.done().json();
        for (ours, theirs) in [
            (&found["loss"], &released["loss"]["loss"]),
            (&found["risk_max"], &released["risk"]["after"]["prosecutor_max"]),
            (&found["risk_mean"], &released["risk"]["after"]["marketer"]),
            (&found["n_suppressed"], &released["n_suppressed"]),
            (&found["n_classes"], &released["n_classes"]),
        ] {
            assert!((number(ours) - number(theirs)).abs() < 1e-9, "{choice} {released}");
        }
        assert_eq!(found["optimal"], released["recoding"]["optimal"]);
    }
    assert!(n_released >= 4, "{compared}");
    assert!(choices.iter().any(|choice| choice["release"]["on_frontier"] == true));
}

#[test]
fn the_page_shows_the_frontier_and_no_value() {
    let folder = hospital();
    let text =
        folder.run(&["compare", "policy.toml", "-k", "3,12", "-o", "page.html"]).done().stdout;
    assert!(text.contains("full-domain") && text.contains("multidimensional"), "{text}");
    assert!(!text.contains("sweep"), "a method that the policy cannot have: {text}");
    assert!(text.lines().any(|line| line.contains('*')), "{text}");
    let page = folder.text("page.html");
    for part in ["<svg", "The frontier", "highest risk", "Keep this page."] {
        assert!(page.contains(part), "{part}");
    }
    let diagnosis = folder.text("hospital.csv").lines().nth(1).expect("a row").to_owned();
    let name = diagnosis.split(',').next().expect("a name").to_owned();
    assert!(!page.contains(&name) && !text.contains(&name), "a value of a person");
    folder.run(&["compare", "policy.toml", "-o", "page.html"]).refused("E-FILE-001");
}

#[test]
fn what_cannot_be_compared_is_refused() {
    let folder = hospital();
    let unknown = folder.run(&["compare", "policy.toml", "--methods", "nothing"]);
    let unknown = unknown.refused("E-COMPARE-001");
    assert!(unknown.stderr.contains("full-domain"), "{}", unknown.stderr);
    let beyond = ["compare", "policy.toml", "--limit", "1.5"];
    assert!(folder.refused(&beyond).contains("from 0 to 1"));
    let none = folder.run(&["compare", "policy.toml", "-k", "401", "--methods", "full-domain"]);
    assert!(none.not_met().stdout.contains("no recoding"));
}
