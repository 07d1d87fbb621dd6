//! Tests of the policies in `examples/` that are small enough to be released in every test run.

use std::path::Path;

use crate::folder::{Answer, Folder};

const EXAMPLES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples");

/// Releases an example in a separate folder, and attacks the release.
fn released(name: &str) -> (Folder, Answer) {
    let folder = Folder::empty();
    let example = |file: &str| Path::new(EXAMPLES).join(file).to_string_lossy().into_owned();
    let (policy, table) =
        (example(&format!("{name}/policy.toml")), example("hospital/hospital.csv"));
    folder.run(&["anonymize", &policy, "-o", "release"]).done();
    folder.run(&["verify", "release"]).done();
    let attack = ["attack", "release", "--original", &table, "--format", "json"];
    let answer = folder.run(&attack).done();
    (folder, answer)
}

/// Returns the frequency with which the nearest released row belongs to the person.
fn share_right(attack: &Answer) -> f64 {
    let json = attack.json();
    let findings = json["findings"].as_array().expect("findings");
    let nearest = findings.iter().find(|it| it["attack"] == "distance-linkage");
    let share = &nearest.expect("the answer contains distance linkage")["figures"]["share_right"];
    share.as_f64().unwrap_or_else(|| panic!("{share}"))
}

#[test]
fn microaggregation_limits_linkage_to_one_in_five() {
    let (folder, attack) = released("microaggregation");
    assert_eq!(folder.fact("aggregation")["basis"], "attested");
    let share = share_right(&attack);
    assert!(share <= 0.2, "{share}");
}

#[test]
fn noise_certifies_no_principles_and_allows_linkage() {
    let (folder, attack) = released("masking");
    let certificate: serde_json::Value =
        serde_json::from_str(&folder.text("release/certificate.json")).expect("JSON");
    assert_eq!(certificate["claims"]["rows"]["principles"], serde_json::json!([]));
    assert_eq!(attack.json()["smallest_class"], 1);
    let share = share_right(&attack);
    assert!(share > 0.0 && share < 1.0, "{share}");
}

/// Returns the sections of an output that begin with one of the given strings; `...` replaces the
/// others. A section begins with a line that is not indented, after an empty line.
fn excerpt(output: &str, beginnings: &[&str]) -> String {
    let mut sections: Vec<String> = Vec::new();
    for paragraph in output.trim_end().split("\n\n") {
        match sections.last_mut() {
            Some(section) if paragraph.starts_with(' ') => {
                section.push_str("\n\n");
                section.push_str(paragraph);
            }
            _ => sections.push(paragraph.to_owned()),
        }
    }
    for beginning in beginnings {
        let is_there = sections.iter().any(|section| section.starts_with(beginning));
        assert!(is_there, "no section begins with '{beginning}':\n{output}");
    }
    for section in &mut sections {
        if !beginnings.iter().any(|beginning| section.starts_with(beginning)) {
            "...".clone_into(section);
        }
    }
    sections.dedup_by(|section, before| section == "..." && before == "...");
    sections.join("\n\n") + "\n"
}

/// `UPDATE_DOCS=1` updates the answers in the README: excerpts from the output of the first command
/// and of `verify`.
#[test]
fn readme_output_is_up_to_date() {
    let readme = Path::new(EXAMPLES).join("../README.md");
    let text = std::fs::read_to_string(&readme).expect("the file exists");
    let example = |file: &str| {
        std::fs::read(Path::new(EXAMPLES).join("hospital").join(file)).expect("the file exists")
    };
    let folder = Folder::empty()
        .with("examples/hospital/policy.toml", example("policy.toml"))
        .with("examples/hospital/hospital.csv", example("hospital.csv"))
        .with(
            "examples/hospital/hierarchies/nationality.csv",
            example("hierarchies/nationality.csv"),
        )
        .with("target/.keep", "");
    let anonymize = ["anonymize", "examples/hospital/policy.toml", "-o", "target/hospital-release"];
    let released = folder.run(&anonymize).done().stdout;
    let released = excerpt(&released, &["Read 5,000 rows", "Risk", "Principles"]);
    let verified = folder.run(&["verify", "target/hospital-release"]).done().stdout;
    let verified = excerpt(&verified, &["Verification passed", "Levels"]);
    let verified = format!("$ indistinct verify target/hospital-release\n{verified}");
    let mut expected = text.clone();
    for (beginning, answer) in
        [("Read 5,000 rows", released), ("$ indistinct verify target", verified)]
    {
        let start = expected.find(&format!("```\n{beginning}")).expect("a block") + 4;
        let end = start + expected[start..].find("```").expect("its end");
        expected.replace_range(start..end, &answer);
    }
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::write(&readme, &expected).expect("written");
    } else {
        assert!(
            text == expected,
            "README.md is not up to date: UPDATE_DOCS=1 cargo test -p indistinct-cli\n{expected}"
        );
    }
}
