//! Tests of the messages about problems.

use super::errors;

#[test]
fn invalid_policy_errors_match_snapshot() {
    insta::assert_snapshot!(errors(include_str!("bad.toml")).to_string());
}

#[test]
fn invalid_toml_errors_match_snapshot() {
    insta::assert_snapshot!(errors("version = 1\nk = \n[a\nx = [1, 2\n").to_string());
}

#[test]
fn empty_policy_errors_match_snapshot() {
    insta::assert_snapshot!(errors("").to_string());
}

#[test]
fn binding_errors_match_snapshot() {
    let columns = ["Age", "sex", "disease", "zip", "name", "x"].map(str::to_owned);
    let errors =
        super::parse(super::SMALL).bind(&columns).expect_err("the columns do not match the policy");
    insta::assert_snapshot!(errors.to_string());
}
