//! The policies of `examples/` that are small enough to be released in every run of the tests.

use std::path::Path;

use crate::folder::{Answer, Folder};

const EXAMPLES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples");

/// A release of an example, in a folder of its own, with what `attack` says of it.
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

/// How often the nearest released row is the person's own.
fn share_right(attack: &Answer) -> f64 {
    let json = attack.json();
    let findings = json["findings"].as_array().expect("findings");
    let nearest = findings.iter().find(|it| it["attack"] == "distance-linkage");
    let share = &nearest.expect("it is tried")["figures"]["share_right"];
    share.as_f64().unwrap_or_else(|| panic!("{share}"))
}

#[test]
fn centers_hide_each_of_five() {
    let (folder, attack) = released("microaggregation");
    assert!(folder.text("release/certificate.json").contains("\"centers\""));
    let share = share_right(&attack);
    assert!(share <= 0.2, "{share}");
}

#[test]
fn noise_promises_nothing_and_its_attack_says_what_that_means() {
    let (folder, attack) = released("noise");
    let certificate = folder.text("release/certificate.json");
    assert!(certificate.contains("No principle is claimed"), "{certificate}");
    assert!(!folder.text("release/report.html").contains("k-anonymity holds"));
    assert_eq!(attack.json()["smallest_class"], 1);
    let share = share_right(&attack);
    assert!(share > 0.0 && share < 1.0, "{share}");
}
