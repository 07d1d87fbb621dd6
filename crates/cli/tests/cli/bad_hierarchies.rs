//! Tests of hierarchies that are invalid or do not match the table. Messages name the attribute,
//! the problem, and the location, but no value from the table.

use insta::assert_snapshot;

use crate::folder::{Folder, TABLE};

/// Returns the policy with a hierarchy file for `city`.
fn cities(rows: &str) -> Folder {
    let new = "[attributes.city]\nhierarchy = { csv = \"city.csv\" }";
    Folder::new().replaced("policy.toml", "[attributes.city]", new).with("city.csv", rows)
}

#[test]
fn missing_values() {
    assert_snapshot!(cities("Rome;Italy;*\nParis;France;*\n").no_release());
}

#[test]
fn duplicate_rows() {
    assert_snapshot!(cities("Rome;Italy;*\nOslo;Norway;*\nRome;Italy;*\n").no_release());
}

#[test]
fn ambiguous_rows() {
    assert_snapshot!(cities("Rome;Italy;*\nOslo;Norway;*\nRome;Georgia;*\n").no_release());
}

#[test]
fn ragged_rows() {
    assert_snapshot!(cities("Rome;Italy;*\nOslo;*\n").no_release());
}

#[test]
fn non_nested_levels() {
    let rows = "Rome;I;South;*\nOslo;N;North;*\nMilan;I;North;*\n";
    assert_snapshot!(cities(rows).no_release());
}

#[test]
fn different_delimiter_is_reported() {
    assert_snapshot!(cities("Rome,Italy,*\nOslo,Norway,*\n").no_release());
}

#[test]
fn empty_file_is_rejected() {
    assert_snapshot!(cities("").no_release());
}

#[test]
fn missing_hierarchy_file() {
    assert_snapshot!(cities("").without("city.csv").no_release());
}

#[test]
fn intervals_on_text() {
    let new = "[attributes.city]\nhierarchy = { intervals = [10] }";
    assert_snapshot!(Folder::new().replaced("policy.toml", "[attributes.city]", new).no_release());
}

#[test]
fn non_nested_widths() {
    assert_snapshot!(Folder::new().replaced("policy.toml", "[10]", "[10, 15]").no_release());
}

#[test]
fn dates_on_numbers() {
    let folder = Folder::new();
    let folder = folder.replaced("policy.toml", "intervals = [10]", "dates = [\"year\"]");
    assert_snapshot!(folder.no_release());
}

#[test]
fn cell_equal_to_suppression_mark() {
    let folder = Folder::new().with("table.csv", format!("{TABLE}Eve,31,*,flu\n"));
    assert_snapshot!(folder.no_release());
}

#[test]
fn all_invalid_hierarchies_are_reported_together() {
    let folder = cities("Rome;Italy;*\n").with("table.csv", format!("{TABLE}Eve,old,Oslo,flu\n"));
    let message = folder.no_release();
    assert!(message.contains("hierarchy of 'age'") && message.contains("hierarchy of 'city'"));
    assert!(!message.contains("old"), "{message}");
}

#[test]
fn hierarchy_check_reports_unfit_hierarchy() {
    let folder = cities("Rome;Italy;*\nParis;France;*\n");
    let answer = folder.run(&["hierarchy", "check", "policy.toml"]).not_met();
    assert_eq!(answer.stderr, "");
    assert_snapshot!(answer.stdout);
    let arguments =
        ["hierarchy", "check", "city.csv", "--data", "table.csv", "--attribute", "city"];
    let alone = folder.run(&arguments).not_met();
    assert!(answer.stdout.contains(&alone.stdout), "{alone:?}");
    assert!(!alone.stdout.contains("Oslo"), "{alone:?}");
    let shown = folder.run(&[&["--show-values"], &arguments[..]].concat()).not_met();
    assert!(shown.stdout.contains("Oslo"), "{shown:?}");
}

#[test]
fn hierarchy_commands_report_missing_arguments() {
    let folder = cities("Rome;Italy;*\nOslo;Norway;*\n");
    assert_snapshot!(folder.refused(&["hierarchy", "check", "city.csv"]));
    assert_snapshot!(folder.refused(&["hierarchy", "show", "policy.toml"]));
}
