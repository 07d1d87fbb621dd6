//! Tests of policies that are invalid or do not match their table. The program reports all problems
//! with their locations, exits with status 2, and writes nothing.

use insta::assert_snapshot;

use crate::folder::{Folder, POLICY, TABLE};

fn policy(old: &str, new: &str) -> Folder {
    Folder::new().replaced("policy.toml", old, new)
}

#[test]
fn a_column_that_the_table_does_not_have() {
    assert_snapshot!(policy("[attributes.disease]", "[attributes.diseas]").no_release());
}

#[test]
fn a_column_that_the_policy_does_not_name() {
    let table = TABLE.replace('\n', ",1\n").replace("disease,1", "disease,zip");
    assert_snapshot!(Folder::new().with("table.csv", table).no_release());
}

#[test]
fn identifiers_only() {
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
fn diversity_of_a_column_that_is_not_sensitive() {
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
fn a_limit_below_zero() {
    assert_snapshot!(policy("suppression_limit = 0.1", "suppression_limit = -0.1").no_release());
}

#[test]
fn an_unknown_key_and_an_unknown_word() {
    let text = POLICY.replace("suppression_limit", "supression_limit").replace("sorted", "sort");
    assert_snapshot!(Folder::new().with("policy.toml", text).no_release());
}

#[test]
fn a_level_that_the_hierarchy_does_not_have() {
    assert_snapshot!(
        policy("intervals = [10] }", "intervals = [10] }\nmax_level = 5").no_release()
    );
}

#[test]
fn a_file_that_is_not_toml() {
    assert_snapshot!(policy("version = 1", "version: 1").no_release());
}

#[test]
fn a_file_with_very_many_mistakes_does_not_flood_the_terminal() {
    let message = Folder::new().with("policy.toml", "mistake\n".repeat(500)).no_release();
    assert!(message.lines().count() < 250, "{message}");
    assert!(message.ends_with("... and 480 more"), "{message}");
}

#[test]
fn two_tables_that_are_to_protect_membership() {
    let text = POLICY
        .replace("[recoding]", "[recoding]\nmethod = \"anatomy\"\nsuppression = \"star-rows\"")
        .replace("l = 2", "l = 2\nother_sensitive = \"quasi-identifier\"")
        .replace("[10] }", "[10] }\nmin_level = 1");
    assert_snapshot!(Folder::new().with("policy.toml", text).no_release());
}

#[test]
fn no_policy() {
    assert_snapshot!(Folder::new().without("policy.toml").no_release());
}

#[test]
fn a_table_in_the_place_of_the_policy() {
    assert_snapshot!(Folder::new().refused(&["anonymize", "table.csv", "-o", "release"]));
}

#[test]
fn an_attribute_that_has_no_hierarchy() {
    let arguments = ["hierarchy", "show", "policy.toml", "--attribute", "disease"];
    assert_snapshot!(Folder::new().refused(&arguments));
}
