//! Tests of policies that are invalid or do not match their table. The program reports all problems
//! with their locations, exits with status 2, and writes nothing.

use insta::assert_snapshot;

use crate::folder::{Folder, POLICY, TABLE};

fn policy(old: &str, new: &str) -> Folder {
    Folder::new().replaced("policy.toml", old, new)
}

#[test]
fn policy_column_missing_in_table() {
    assert_snapshot!(policy("[attributes.disease]", "[attributes.diseas]").no_release());
}

#[test]
fn table_column_missing_in_policy() {
    let table = TABLE.replace('\n', ",1\n").replace("disease,1", "disease,zip");
    assert_snapshot!(Folder::new().with("table.csv", table).no_release());
}

#[test]
fn only_direct_identifiers() {
    let text = POLICY
        .replace("\"quasi-identifier\"", "\"identifier\"")
        .replace("hierarchy = { intervals = [10] }\n", "");
    assert_snapshot!(Folder::new().with("policy.toml", text).no_release());
}

#[test]
fn diversity_without_a_sensitive_attribute() {
    assert_snapshot!(policy("\"sensitive\"", "\"insensitive\"").no_release());
}

#[test]
fn diversity_of_non_sensitive_column() {
    assert_snapshot!(policy("l = 2", "l = 2\nattribute = \"age\"").no_release());
}

#[test]
fn parameters_out_of_range() {
    let text = POLICY
        .replace("k = 2", "k = 0")
        .replace("l = 2", "l = 1.5")
        .replace("suppression_limit = 0.1", "suppression_limit = 1.5");
    assert_snapshot!(Folder::new().with("policy.toml", text).no_release());
}

#[test]
fn negative_suppression_limit() {
    assert_snapshot!(policy("suppression_limit = 0.1", "suppression_limit = -0.1").no_release());
}

#[test]
fn unknown_key_and_unknown_value() {
    let text = POLICY.replace("suppression_limit", "supression_limit").replace("sorted", "sort");
    assert_snapshot!(Folder::new().with("policy.toml", text).no_release());
}

#[test]
fn level_beyond_hierarchy_height() {
    assert_snapshot!(
        policy("intervals = [10] }", "intervals = [10] }\nmax_level = 5").no_release()
    );
}

#[test]
fn invalid_toml_policy() {
    assert_snapshot!(policy("version = 1", "version: 1").no_release());
}

#[test]
fn number_of_reported_errors_is_limited() {
    let message = Folder::new().with("policy.toml", "mistake\n".repeat(500)).no_release();
    assert!(message.lines().count() < 250, "{message}");
    assert!(message.ends_with("... and 480 more"), "{message}");
}

#[test]
fn anatomy_with_membership_protection() {
    let text = POLICY
        .replace("[recoding]", "[recoding]\nmethod = \"anatomy\"\nsuppression = \"star-rows\"")
        .replace("l = 2", "l = 2\nother_sensitive = \"quasi-identifier\"")
        .replace("[10] }", "[10] }\nmin_level = 1");
    assert_snapshot!(Folder::new().with("policy.toml", text).no_release());
}

#[test]
fn missing_policy_is_rejected() {
    assert_snapshot!(Folder::new().without("policy.toml").no_release());
}

#[test]
fn table_instead_of_policy() {
    assert_snapshot!(Folder::new().refused(&["anonymize", "table.csv", "-o", "release"]));
}

#[test]
fn attribute_without_hierarchy() {
    let arguments = ["hierarchy", "show", "policy.toml", "--attribute", "disease"];
    assert_snapshot!(Folder::new().refused(&arguments));
}
