//! Snapshots of text answers. Other tests compare the numbers with oracles.

use insta::assert_snapshot;

use crate::folder::{Answer, Folder};

/// Creates the example table with its policy.
fn hospital() -> Folder {
    let folder = Folder::empty();
    folder.run(&["generate", "hospital", "--rows", "300", "-o", "hospital.csv"]).done();
    folder
}

/// Returns the call and its answer, without parts that differ between runs.
fn shown(folder: &Folder, arguments: &[&str]) -> String {
    let Answer { status, stdout, stderr, .. } = folder.run(arguments);
    let text = format!("$ indistinct {}\n{stderr}{stdout}[{status}]", arguments.join(" "));
    assert!(stdout.lines().all(|line| line.chars().count() <= 100), "{text}");
    assert!(text.lines().all(|line| line == line.trim_end()), "{text}");
    without_search_figures(&text)
}

/// Replaces `(70 of 900 nodes evaluated, 0.01 s)` by `(N of 900 nodes evaluated, TIME)`, because
/// the number of evaluated nodes is an implementation detail.
fn without_search_figures(text: &str) -> String {
    let redacted = |line: &str| {
        let Some(nodes) = line.find(" nodes evaluated") else { return line.to_owned() };
        let of = line[..nodes].rfind(" of ").expect("the line contains the number of nodes");
        let start = line[..of].rfind(['(', ' ']).map_or(0, |before| before + 1);
        let end = line[nodes..].find(", ").map_or(line.len(), |comma| nodes + comma);
        let time = if line.ends_with(" s).") { ", TIME)." } else { &line[end..] };
        format!("{}N{}{time}", &line[..start], &line[of..end])
    };
    text.lines().map(redacted).collect::<Vec<_>>().join("\n")
}

#[test]
fn generate() {
    assert_snapshot!(shown(
        &Folder::empty(),
        &["generate", "hospital", "--rows", "5", "-o", "new/hospital.csv"]
    ));
}

#[test]
fn init() {
    assert_snapshot!(shown(&hospital(), &["init", "hospital.csv", "-o", "new.toml"]));
}

#[test]
fn profile() {
    assert_snapshot!(shown(&hospital(), &["profile", "policy.toml"]));
    assert_snapshot!(shown(&hospital(), &["profile", "hospital.csv"]));
}

#[test]
fn anonymize_and_verify() {
    let folder = hospital();
    assert_snapshot!(shown(&folder, &["anonymize", "policy.toml", "-o", "release"]));
    assert_snapshot!(shown(&folder, &["verify", "release"]));
}

#[test]
fn anatomy_reports_loss_and_missing_protection() {
    let folder = hospital()
        .replaced("policy.toml", "method = \"full-domain\"", "method = \"anatomy\"")
        .replaced(
            "policy.toml",
            "kind = \"k-anonymity\"\nk = 5",
            "kind = \"t-closeness\"\nattribute = \"diagnosis\"\nt = 0.9",
        )
        .replaced(
            "policy.toml",
            "[attributes.cost]\nrole = \"sensitive\"",
            "[attributes.cost]\nrole = \"identifier\"",
        )
        .replaced("policy.toml", "coarsen = { round = 500, top = 15000 }", "");
    let text = shown(&folder, &["anonymize", "policy.toml", "-o", "release"]);
    for message in [
        "anatomy; original quasi-identifiers; sensitive values in a separate table (",
        "  loss 0, reconstruction-error ",
        "Original quasi-identifiers are published, so neither membership",
    ] {
        assert!(text.contains(message), "{message}\n{text}");
    }
    let verified = shown(&folder, &["verify", "release"]);
    assert!(verified.contains("  holds  reconstruction error") && verified.ends_with("[0]"));
    let beyond = folder.replaced("policy.toml", "\nl = 3", "\nl = 40");
    let text = shown(&beyond, &["anonymize", "policy.toml", "-o", "beyond"]);
    assert!(
        text.contains("the coarsest classes that the policy permits") && text.ends_with("[1]"),
        "{text}"
    );
}

#[test]
fn infeasible_policy_output() {
    let folder = hospital().replaced("policy.toml", "k = 5", "k = 301");
    assert_snapshot!(shown(&folder, &["anonymize", "policy.toml", "-o", "release"]));
}

#[test]
fn infeasible_policy_output_with_starred_rows() {
    let folder = hospital().replaced("policy.toml", "k = 5", "k = 301").replaced(
        "policy.toml",
        "\"drop-rows\"",
        "\"star-rows\"",
    );
    assert_snapshot!(shown(&folder, &["anonymize", "policy.toml", "-o", "release"]));
}

#[test]
fn minimal_nodes() {
    let folder = Folder::new();
    let folder =
        folder.replaced("policy.toml", "[output]", "[search]\nall_minimal = true\n[output]");
    assert_snapshot!(shown(&folder, &["anonymize", "policy.toml", "-o", "release"]));
}

#[test]
fn check() {
    let folder = Folder::new();
    assert_snapshot!(shown(&folder, &["check", "table.csv", "--policy", "policy.toml"]));
    let arguments = ["check", "table.csv", "--policy", "policy.toml", "--show-values"];
    assert_snapshot!(shown(&folder, &arguments));
}

#[test]
fn hierarchies() {
    let folder = hospital();
    assert_snapshot!(shown(&folder, &["hierarchy", "check", "policy.toml"]));
    let arguments = ["hierarchy", "show", "policy.toml", "--attribute", "zip", "--lines", "12"];
    assert_snapshot!(shown(&folder, &arguments));
    assert_snapshot!(shown(&folder, &["hierarchy", "show", "hierarchies/nationality.csv"]));
    let folder = Folder::new();
    let arguments = ["hierarchy", "build", "policy.toml", "--attribute", "age"];
    assert_snapshot!(shown(&folder, &arguments));
    let arguments = [&arguments[..], &["-o", "age.csv"]].concat();
    assert_snapshot!(shown(&folder, &arguments));
}
