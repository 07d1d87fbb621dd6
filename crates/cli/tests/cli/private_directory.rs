//! Tests of `anonymize --private`: another location of the private directory, and none.

#![cfg(unix)]

use std::os::unix::fs::PermissionsExt;

use insta::assert_snapshot;

use crate::folder::{Folder, TABLE};

const ELSEWHERE: [&str; 6] =
    ["anonymize", "policy.toml", "-o", "release", "--private", "vault/release"];
const NONE: [&str; 6] = ["anonymize", "policy.toml", "-o", "release", "--private", "none"];

fn with_vault() -> Folder {
    let folder = Folder::new();
    std::fs::create_dir(folder.path("vault")).expect("created");
    folder
}

fn names(folder: &Folder) -> Vec<String> {
    let names =
        folder.listing().into_keys().filter(|name| !name.trim_end_matches('/').contains('/'));
    names.collect()
}

#[test]
fn private_directory_is_written_to_the_given_location() {
    let default = Folder::new();
    default.run(&["anonymize", "policy.toml", "-o", "release"]).done();
    let folder = with_vault();
    let answer = folder.run(&ELSEWHERE).done();
    assert!(answer.stdout.contains("private  vault/release"), "{answer:?}");
    assert_eq!(names(&folder), ["policy.toml", "release/", "table.csv", "vault/"]);
    let mode = |name: &str| {
        let metadata = std::fs::metadata(folder.path(name)).expect("it exists");
        metadata.permissions().mode() & 0o777
    };
    assert_eq!(mode("vault/release"), 0o700);
    assert_eq!(mode("vault/release/policy.toml"), 0o600);
    let (of_default, of_vault) = (default.listing(), folder.listing());
    let files = |listing: &std::collections::BTreeMap<String, Vec<u8>>, prefix: &str| {
        let names = listing.keys().filter_map(|name| name.strip_prefix(prefix));
        names.map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(files(&of_vault, "vault/release/"), files(&of_default, "release.private/"));
    let published = of_default.iter().filter(|(name, _)| name.starts_with("release/"));
    for (name, content) in published {
        assert!(of_vault[name] == *content, "the release is the same: {name}");
    }
    folder.run(&["verify", "release"]).done();
}

/// The private directory of a release is replaced only with its release, and never another one.
#[test]
fn private_directory_elsewhere_is_replaced_only_with_its_release() {
    let folder = with_vault();
    folder.run(&ELSEWHERE).done();
    assert!(folder.refused(&ELSEWHERE).contains("E-OUTPUT-001"));
    folder.run(&[&ELSEWHERE[..], &["--force"]].concat()).done();
    let other =
        ["anonymize", "policy.toml", "-o", "other", "--private", "vault/release", "--force"];
    assert_snapshot!(folder.refused(&other));
    let inside = ["anonymize", "policy.toml", "-o", "other", "--private", "release/private"];
    assert!(folder.refused(&inside).contains("E-OUTPUT-013"));
    let same = ["anonymize", "policy.toml", "-o", "other", "--private", "./other"];
    assert_snapshot!(folder.refused(&same));
    let address = ["anonymize", "policy.toml", "-o", "other", "--private", "s3://bucket/private"];
    assert_snapshot!(folder.refused(&address));
}

#[test]
fn measure_uses_the_private_directory_of_the_given_policy() {
    let folder = with_vault();
    folder.run(&ELSEWHERE).done();
    let measure = ["measure", "release", "--original", "table.csv"];
    assert!(folder.refused(&measure).contains("E-ORIGINAL-007"));
    let with_policy = [&measure[..], &["--policy", "vault/release/policy.toml"]].concat();
    folder.run(&with_policy).done();
    // The digest in the private directory shows that the table is not the original.
    let folder = folder.with("table.csv", TABLE.replace("Ada,31", "Ada,32"));
    assert!(folder.refused(&with_policy).contains("E-ORIGINAL-001"));
}

#[test]
fn without_private_directory_the_answer_states_what_is_impossible_later() {
    let folder = Folder::new();
    let answer = folder.run(&NONE).done();
    let (_, written) = answer.stdout.split_once("\nWritten\n").expect("the files are listed");
    assert_snapshot!(written);
    assert_eq!(names(&folder), ["policy.toml", "release/", "table.csv"]);
    folder.run(&["verify", "release"]).done();
    let measure = ["measure", "release", "--original", "table.csv"];
    assert!(folder.refused(&measure).contains("E-ORIGINAL-007"));
    folder.run(&[&measure[..], &["--policy", "policy.toml"]].concat()).done();
    let folder = folder.replaced("policy.toml", "seed = 7", "").replaced(
        "policy.toml",
        "[recoding]",
        "[recoding]\nmethod = \"multidimensional\"",
    );
    let answer = folder.run(&[&NONE[..], &["--force", "--format", "json"]].concat()).done().json();
    let omitted = serde_json::json!(["report", "policy", "digest", "seed", "mapping"]);
    assert_eq!(answer["omitted_private"], omitted);
    assert_eq!(answer.get("private"), None);
}

/// Later commands would read the earlier private directory as the one of the new release.
#[test]
fn private_directory_of_an_earlier_release_is_neither_used_nor_deleted() {
    let folder = Folder::new();
    folder.run(&["anonymize", "policy.toml", "-o", "release"]).done();
    assert_snapshot!(folder.refused(&[&NONE[..], &["--force"]].concat()));
}

#[test]
fn ledger_records_a_release_with_a_private_directory_elsewhere() {
    let folder = with_vault();
    folder.run(&["ledger", "init", "ledger.db"]).done();
    folder.run(&[&ELSEWHERE[..], &["--ledger", "ledger.db"]].concat()).done();
    assert!(folder.path("vault/release/policy.toml").exists());
    assert!(!folder.path("release.private").exists());
    folder.run(&["ledger", "verify", "ledger.db"]).done();
}
