//! Tests of `indistinct compare`: its figures must equal those of the compared releases, and no
//! release is written.

use serde_json::Value;

use crate::folder::Folder;

fn hospital() -> Folder {
    let folder = Folder::empty();
    folder.run(&["generate", "hospital", "--rows", "400", "-o", "hospital.csv"]).done();
    folder
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value} is not a number"))
}

#[test]
fn choices_match_results_of_anonymize() {
    let folder = hospital();
    let before = folder.listing().len();
    let methods = "full-domain,curve";
    let compare = ["compare", "policy.toml", "-k", "4,9", "--methods", methods, "--limit", "0,0.1"];
    let compared = folder.run(&[&compare[..], &["--format", "json"]].concat()).done().json();
    assert_eq!(folder.listing().len(), before, "the command writes no file");
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
        assert_eq!(found["optimality"], released["recoding"]["optimality"]);
    }
    assert!(n_released >= 4, "{compared}");
    assert!(choices.iter().any(|choice| choice["release"]["on_frontier"] == true));
}

#[test]
fn page_shows_frontier_but_no_cells() {
    let folder = hospital();
    let text =
        folder.run(&["compare", "policy.toml", "-k", "3,12", "-o", "page.html"]).done().stdout;
    assert!(text.contains("full-domain") && text.contains("multidimensional"), "{text}");
    assert!(!text.contains("sweep"), "a method that does not support the policy: {text}");
    assert!(text.lines().any(|line| line.contains(" yes")), "{text}");
    let page = folder.text("page.html");
    assert!(page.contains("<svg"), "{page}");
    let diagnosis = folder.text("hospital.csv").lines().nth(1).expect("a row").to_owned();
    let name = diagnosis.split(',').next().expect("a name").to_owned();
    assert!(
        !page.contains(&name) && !text.contains(&name),
        "the page contains a cell from the table"
    );
    folder.run(&["compare", "policy.toml", "-o", "page.html"]).refused("E-FILE-001");
}

#[test]
fn additional_parameters_can_be_varied() {
    let folder = hospital();
    let compare = ["compare", "policy.toml", "-k", "4,8", "--methods", "full-domain"];
    let vary = ["--vary", "entropy-l-diversity.l=2,3.5"];
    let json = [&compare[..], &vary, &["--format", "json"]].concat();
    let compared = folder.run(&json).done().json();
    let policy = folder.text("policy.toml");
    let own: Vec<_> = policy.lines().filter(|line| line.starts_with("l = ")).collect();
    assert_eq!(own.len(), 1, "exactly one principle has an l");
    let mut tried = Vec::new();
    for choice in compared["choices"].as_array().expect("a list") {
        let l = number(&choice["parameters"]["entropy-l-diversity.l"]);
        tried.push((choice["k"].as_u64().expect("a number"), l));
        let k = format!("k = {}", choice["k"]);
        let changed = policy.replace("k = 5", &k).replace(own[0], &format!("l = {l}"));
        assert!(changed.contains(&k));
        std::fs::write(folder.path("changed.toml"), changed).expect("written");
        let arguments = ["anonymize", "changed.toml", "-o", "release", "--force"];
        let released = folder.run(&[&arguments[..], &["--format", "json"]].concat()).done().json();
        let loss = number(&choice["release"]["loss"]) - number(&released["loss"]["loss"]);
        assert!(loss.abs() < 1e-9, "{choice} {released}");
    }
    assert_eq!(tried, [(4, 2.0), (4, 3.5), (8, 2.0), (8, 3.5)]);
    let page = [&compare[..], &vary, &["-o", "page.html"]].concat();
    let text = folder.run(&page).done().stdout;
    assert!(text.contains("the same parameters"), "{text}");
    let page = folder.text("page.html");
    for l in ["2", "3.5"] {
        assert!(page.contains(&format!("The frontier with entropy-l-diversity.l = {l}")), "{l}");
    }
}

#[test]
fn invalid_comparisons_are_rejected() {
    let folder = hospital();
    for parameter in ["entropy-l-diversity.k=2", "t-closeness.t=0.1", "k-anonymity.k=2"] {
        let unknown = folder.run(&["compare", "policy.toml", "--vary", parameter]);
        let unknown = unknown.refused("E-COMPARE-002");
        assert!(
            unknown.stderr.contains("valid names: entropy-l-diversity.l"),
            "{}",
            unknown.stderr
        );
    }
    for wrong in
        ["l=2", "entropy-l-diversity.l", "entropy-l-diversity.l=2,,3", "entropy-l-diversity.l=nan"]
    {
        let refused = folder.refused(&["compare", "policy.toml", "--vary", wrong]);
        assert!(refused.contains("such as entropy-l-diversity.l=2,3,4"), "{refused}");
    }
    let unknown = folder.run(&["compare", "policy.toml", "--methods", "nothing"]);
    let unknown = unknown.refused("E-COMPARE-001");
    assert!(unknown.stderr.contains("full-domain"), "{}", unknown.stderr);
    let beyond = ["compare", "policy.toml", "--limit", "1.5"];
    assert!(folder.refused(&beyond).contains("from 0 to 1"));
    let none = ["compare", "policy.toml", "-k", "401", "--methods", "full-domain"];
    let none = folder.run(&[&none[..], &["--format", "json"]].concat()).not_met().json();
    assert!(none["choices"][0]["why_not"].is_string(), "{none}");
}
