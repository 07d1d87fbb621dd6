//! Tests of principles that do not match the table. Messages name the attribute, the number of
//! rows, and a remedy, but no value from the table unless requested.

use insta::assert_snapshot;

use crate::folder::Folder;

const TABLE: &str = "\
age,city,disease,income
31,Rome,flu,1000
35,Rome,ulcer,1000.5
52,Oslo,flu,2000
58,Oslo,asthma,2500
";

const POLICY: &str = r#"version = 1
[input]
path = "table.csv"
[attributes.age]
role = "quasi-identifier"
[attributes.city]
role = "quasi-identifier"
[attributes.disease]
role = "sensitive"
[attributes.income]
role = "sensitive"
[recoding]
suppression_limit = 0.5
seed = 7
"#;

/// Creates the table and the policy with a principle.
fn with(kind: &str, parameters: &str) -> Folder {
    let principle = format!("[[principles]]\nkind = \"{kind}\"\n{parameters}\n");
    Folder::empty().with("table.csv", TABLE).with("policy.toml", format!("{POLICY}{principle}"))
}

/// Asserts that both the release and the check of the table are rejected, and returns the first
/// message.
fn refused(folder: &Folder) -> String {
    let message = folder.no_release();
    let checked = folder.refused(&["check", "table.csv", "--policy", "policy.toml"]);
    let without_call = |message: &str| message.split_once('\n').map(|(_, rest)| rest.to_owned());
    assert_eq!(without_call(&checked), without_call(&message));
    message
}

const NEAR: &str = "attribute = \"income\"\nepsilon = 10\nm = 2";

#[test]
fn text_in_numeric_attribute() {
    let folder = with("epsilon-m-anonymity", "attribute = \"disease\"\nepsilon = 10\nm = 2");
    let message = refused(&folder);
    assert!(!message.contains("flu") && !message.contains("ulcer"), "{message}");
    assert_snapshot!(message);
    let shown = folder.refused(&["--show-values", "check", "table.csv", "--policy", "policy.toml"]);
    assert!(shown.contains("ulcer"), "{shown}");
}

#[test]
fn missing_numeric_values() {
    let gaps = TABLE.replace(",1000\n", ",\n").replace(",2000\n", ",\n");
    let folder = with("epsilon-m-anonymity", NEAR).with("table.csv", gaps);
    assert_snapshot!(refused(&folder));
    let own = "[attributes.income]\nmissing = \"separate-value\"";
    let folder = folder.replaced("policy.toml", "[attributes.income]", own);
    folder.run(&["anonymize", "policy.toml", "-o", "release"]).done();
    folder.run(&["verify", "release"]).done();
}

#[test]
fn non_positive_numbers_with_relative_neighborhood() {
    let relative = "attribute = \"income\"\nepsilon = 0.1\nm = 2\nneighborhood = \"relative\"";
    let folder = with("epsilon-m-anonymity", relative);
    let folder = folder.with("table.csv", TABLE.replace(",1000\n", ",0\n").replace(",2000", ",-3"));
    assert_snapshot!(refused(&folder));
    let folder = folder.replaced("policy.toml", "\"relative\"", "\"relative-radius\"");
    folder.run(&["anonymize", "policy.toml", "-o", "release"]).done();
}

#[test]
fn taxonomy_with_missing_values() {
    let tree = "[attributes.disease]\nhierarchy = { tree = { \"lungs\" = [\"flu\", \"asthma\"] } }";
    let folder = with("tau-l-diversity", "attribute = \"disease\"\ntau = 0.6\nl = 2");
    let folder = folder.replaced("policy.toml", "[attributes.disease]", tree);
    let message = refused(&folder);
    assert!(!message.contains("ulcer"), "{message}");
    assert_snapshot!(message);
}

#[test]
fn hierarchical_distance_without_hierarchy() {
    let parameters = "attribute = \"disease\"\nt = 0.2\ndistance = \"hierarchical\"";
    assert_snapshot!(refused(&with("t-closeness", parameters)));
}

const PRESENCE: &str = "min = 0.1\nmax = 0.6\npopulation = \"people.csv\"";

#[test]
fn missing_population_is_rejected() {
    assert_snapshot!(refused(&with("delta-presence", PRESENCE)));
}

#[test]
fn population_without_required_column() {
    let folder = with("delta-presence", PRESENCE).with("people.csv", "age\n31\n35\n52\n58\n");
    assert_snapshot!(refused(&folder));
}

#[test]
fn population_that_does_not_contain_table() {
    let people = "city,age\nRome,31\nRome,35\nOslo,60\nOslo,58\n";
    let folder = with("delta-presence", PRESENCE).with("people.csv", people);
    assert_snapshot!(refused(&folder));
}

#[test]
fn multiple_populations_are_rejected() {
    let second =
        "[[principles]]\nkind = \"delta-presence\"\nmin = 0\nmax = 0.9\npopulation = \"b.csv\"";
    let people = "city,age\nRome,31\nRome,35\nOslo,52\nOslo,58\n";
    let folder = with("delta-presence", &format!("{PRESENCE}\n{second}"));
    assert_snapshot!(refused(&folder.with("people.csv", people).with("b.csv", people)));
}

#[test]
fn unknown_dont_care_value() {
    let parameters = "attribute = \"disease\"\nl = 1.5\ndont_care = [\"fluu\", \"flu\"]";
    let folder = with("entropy-l-diversity", parameters);
    let check = ["check", "table.csv", "--policy", "policy.toml"];
    let answer = folder.run(&check).not_met();
    assert!(
        answer.stderr.contains("'dont_care' has 1 value that 'disease' does not contain"),
        "{}",
        answer.stderr
    );
    assert!(!answer.stderr.contains("'fluu'") && !answer.stderr.contains("'flu'"));
    let shown = folder.run(&["--show-values", "check", "table.csv", "--policy", "policy.toml"]);
    assert!(shown.stderr.contains("'fluu' (did you mean 'flu'?)"), "{}", shown.stderr);
    let answer = folder.run(&["anonymize", "policy.toml", "-o", "release"]).done();
    assert!(
        answer.stderr.contains("'dont_care' has 1 value that 'disease' does not contain"),
        "{}",
        answer.stderr
    );
}

#[test]
fn principle_parameters_out_of_range() {
    let cases = [
        ("alpha-k-anonymity", "attribute = \"disease\"\nalpha = 1.5\nk = 0"),
        ("k-e-anonymity", "attribute = \"income\"\nk = 1.5\ne = -1"),
        ("t-closeness", "attribute = \"disease\"\nt = 2\ndistance = \"euclid\""),
        ("delta-presence", "min = 0.7\nmax = 0.2\npopulation = \"people.csv\""),
        ("epsilon-m-anonymity", "attribute = \"income\"\nepsilon = -1\nm = 2.5"),
        ("delta-l-diversity", "attribute = \"income\"\ndelta = -1\nl = 0.5\nreading = \"left\""),
        ("tau-l-diversity", "attribute = \"disease\"\ntau = 0\nl = 2\nweights = { flu = -1 }"),
        ("recursive-diversity", "attribute = \"disease\"\nc = 3\nl = 2\nnegative = { values = 3 }"),
    ];
    let messages = cases.map(|(kind, parameters)| refused(&with(kind, parameters)));
    assert_snapshot!(messages.join("\n\n"));
}
