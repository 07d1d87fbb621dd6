//! Tests of `measure`: the fields of its answer, and the requests that it rejects.

use crate::folder::Folder;

fn release() -> Folder {
    let folder = Folder::new();
    folder.run(&["anonymize", "policy.toml", "-o", "release"]).done();
    folder
}

const MEASURE: [&str; 4] = ["measure", "release", "--original", "table.csv"];

#[test]
fn output_contains_all_measures() {
    let folder = release();
    let before = folder.listing();
    let json = folder
        .run(&[&MEASURE[..], &["--queries", "20", "--format", "json"]].concat())
        .done()
        .json();
    for field in [
        "n_rows",
        "n_released",
        "n_suppressed",
        "n_classes",
        "loss",
        "attribute_loss",
        "normalized_average_class_size",
        "precision",
        "information_utility",
        "mutual_information",
        "excessive_protection",
        "marginals",
        "queries",
        "classification",
        "notes",
    ] {
        assert!(json.get(field).is_some(), "{field} missing in {json}");
    }
    assert_eq!(json["n_rows"], 4);
    assert_eq!(json["queries"]["workload"]["n_queries"], 20);
    assert!(json["loss"].get("average_class_size").is_some());
    assert_eq!(folder.listing(), before, "`measure` writes no file");

    let text = folder.run(&MEASURE).done().stdout;
    for part in ["kl-divergence", "count queries on 3 attributes", "decision tree"] {
        assert!(text.contains(part), "{text}");
    }
    assert!(
        text.lines().all(|line| line.chars().count() <= 100 && line == line.trim_end()),
        "{text}"
    );
}

/// Every step after reading reports progress, in `measure` and for each choice of `compare`.
#[test]
fn measurements_report_progress() {
    let folder = release();
    let compare = ["compare", "policy.toml", "--k", "2"];
    for arguments in [&MEASURE[..], &compare] {
        let shown = folder.run(&[&["-v"], arguments].concat()).done().stderr;
        let steps: Vec<u64> = shown
            .lines()
            .filter(|line| line.contains("measuring ended after"))
            .filter_map(|line| line.split("; ").nth(1)?.split(' ').next()?.parse().ok())
            .collect();
        assert!(!steps.is_empty() && steps.iter().all(|n| *n > 3), "{shown}");
    }
}

#[test]
fn invalid_measurements_are_rejected() {
    let folder = release();
    let refused = |more: &[&str]| folder.refused(&[&MEASURE[..], more].concat());
    assert!(refused(&["--dimension", "4"]).contains("E-MEASURE-001"));
    assert!(refused(&["--volume", "2"]).contains("E-MEASURE-001"));
    assert!(refused(&["--target", "name"]).contains("E-MEASURE-002"));
    assert!(folder.refused(&["measure", "release"]).contains("--original"));
    assert!(folder.refused(&["measure", "nowhere", "--original", "table.csv"]).contains("nowhere"));
    let folder = release().replaced("table.csv", "ulcer", "acne");
    assert!(folder.refused(&MEASURE).contains("E-ORIGINAL-"));
}
