//! Tests of `link`: its exit statuses, the fields of its answer, the table cells that it shows, and
//! the requests that it rejects.

use insta::assert_snapshot;

use crate::folder::{Answer, Folder};

/// Another hospital, with the patients Ben and Dan of the default table.
const OTHER: &str = "\
name,age,city,disease
Ben,35,Rome,ulcer
Eva,33,Rome,asthma
Dan,58,Oslo,asthma
Fay,51,Oslo,ulcer
";

fn two_hospitals() -> Folder {
    let folder = Folder::new().with("other.csv", OTHER);
    folder.run(&["anonymize", "policy.toml", "-o", "one"]).done();
    let folder = folder.replaced("policy.toml", "\"table.csv\"", "\"other.csv\"");
    folder.run(&["anonymize", "policy.toml", "-o", "two"]).done();
    folder
}

const LINK: [&str; 3] = ["link", "one", "two"];

fn linked(folder: &Folder, more: &[&str]) -> Answer {
    folder.run(&[&LINK[..], more].concat())
}

const ORIGINALS: [&str; 4] = ["--original", "table.csv", "--original", "two=other.csv"];

fn text(answer: Answer) -> String {
    let text = answer.done().stdout;
    assert!(
        text.lines().all(|line| line.chars().count() <= 100 && line == line.trim_end()),
        "{text}"
    );
    text
}

#[test]
fn linking_diverse_releases_discloses_a_disease() {
    let folder = two_hospitals();
    let before = folder.listing();
    let answer = text(linked(&folder, &[]));
    assert_snapshot!(answer);
    assert_snapshot!(text(linked(&folder, &ORIGINALS)));
    assert_eq!(folder.listing(), before, "`link` writes no file");
    // The answer must contain neither cells of the tables nor labels of classes.
    for cell in ["Ben", "35", "Rome", "Oslo", "flu", "ulcer", "asthma", "[30, 40)"] {
        assert!(!answer.contains(cell), "{cell} in {answer}");
    }
}

#[test]
fn json_output_contains_all_figures() {
    let folder = two_hospitals();
    let answer = linked(&folder, &[&ORIGINALS[..], &["--format", "json"]].concat()).done();
    assert_snapshot!(answer.stdout);
    let json = answer.json();
    // In each city, Ben or Dan has a single disease that is common to both releases. All other
    // patients in the city have the same disease in common.
    assert_eq!(json["sensitive"][0]["distinct_l"], 1);
    assert_eq!(json["sensitive"][0]["revealed"]["n_people"], 6);
    assert_eq!(json["linked"]["n_combinations"], 2);
    assert!(json["sensitive"][0].get("worst").is_none());
}

#[test]
fn link_shows_cells_only_with_show_values() {
    let folder = two_hospitals();
    let more = ["--show-values", "--worst", "1"];
    assert_snapshot!(text(linked(&folder, &[&ORIGINALS[..], &more].concat())));
    let json = linked(&folder, &["--show-values", "--format", "json"]).done().json();
    let worst = json["sensitive"][0]["worst"].as_array().expect("a list");
    assert_eq!(worst.len(), 2);
    assert_eq!(worst[0]["remaining"].as_array().map(Vec::len), Some(1));
}

#[test]
fn required_minimum_determines_exit_status() {
    let folder = two_hospitals();
    linked(&folder, &["--minimum", "l=1"]).done();
    let answer = linked(&folder, &["--minimum", "l=2"]).not_met();
    assert!(answer.stdout.contains("fails"), "{answer:?}");
    assert_eq!(answer.stderr, "");
    let json = linked(&folder, &["--minimum", "l=2,measure=entropy", "--format", "json"]);
    let json = json.not_met().json();
    assert_eq!(json["holds"], false);
    assert_eq!(json["required"]["measure"], "entropy");
    linked(&folder, &["--sensitive", "disease", "--minimum", "l=2"]).not_met();
}

#[test]
fn unlinkable_releases_are_rejected() {
    let folder = two_hospitals();
    let refused = |arguments: &[&str]| folder.refused(&[&["link"], arguments].concat());
    assert_snapshot!(refused(&["one"]));
    assert_snapshot!(refused(&["one", "two", "./one"]));
    assert_snapshot!(refused(&["one", "table.csv"]));
    assert_snapshot!(refused(&["one", "two", "--minimum", "k=3"]));
    assert_snapshot!(refused(&["one", "two", "--sensitive", "city"]));
    assert!(refused(&["one", "two", "--original", "other.csv"]).contains("E-ORIGINAL-001"));
    assert!(
        refused(&["one", "two", "--original", "a", "--original", "b", "--original", "c"])
            .contains("E-LINK-007")
    );
    assert!(refused(&["one", "nowhere"]).contains("nowhere"));
}
