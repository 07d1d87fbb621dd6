//! Tests of locations that must not be written, and of directories that are not releases.

use insta::assert_snapshot;

use crate::folder::Folder;

const FORCE: [&str; 5] = ["anonymize", "policy.toml", "-o", "release", "--force"];

#[test]
fn existing_release_is_not_replaced() {
    let folder = Folder::new();
    folder.run(&["anonymize", "policy.toml", "-o", "release"]).done();
    assert_snapshot!(folder.no_release());
}

#[test]
fn force_replaces_release_only_if_complete() {
    let folder = Folder::new();
    folder.run(&["anonymize", "policy.toml", "-o", "release"]).done();
    let first = folder.listing();
    let folder = folder.replaced("policy.toml", "k = 2", "k = 40");
    folder.run(&FORCE).not_met();
    let folder = folder.replaced("policy.toml", "k = 40", "k = 0");
    folder.refused(&FORCE);
    let folder = folder.replaced("policy.toml", "k = 0", "k = 2");
    assert_eq!(folder.listing(), first, "the first release is unchanged");
    let folder = folder.replaced("policy.toml", "k = 2", "k = 4");
    folder.run(&FORCE).done();
    let second = folder.listing();
    assert_ne!(second["release/data.csv"], first["release/data.csv"]);
    assert!(second.keys().eq(first.keys()), "no additional files remain");
    folder.run(&["verify", "release"]).done();
}

#[test]
fn existing_private_folder_is_not_replaced() {
    assert_snapshot!(Folder::new().with("release.private/keys.txt", "mine").no_release());
}

#[test]
fn unrelated_folder_is_never_replaced() {
    assert_snapshot!(Folder::new().with("release/thesis.txt", "years of work").refused(&FORCE));
}

#[test]
fn file_at_release_path() {
    assert_snapshot!(Folder::new().with("release", "years of work").refused(&FORCE));
}

#[test]
fn unrelated_private_folder_is_never_replaced() {
    let folder = Folder::new().with("release.private/thesis.txt", "years of work");
    assert_snapshot!(folder.refused(&FORCE));
}

#[test]
fn missing_parent_folder() {
    assert_snapshot!(Folder::new().refused(&["anonymize", "policy.toml", "-o", "no/such/release"]));
}

#[test]
fn existing_files_are_not_replaced() {
    let folder = Folder::new();
    assert_snapshot!(folder.refused(&["init", "table.csv", "-o", "policy.toml"]));
    folder.refused(&["hierarchy", "build", "policy.toml", "--attribute", "age", "-o", "table.csv"]);
    assert_snapshot!(folder.refused(&["generate", "hospital", "--rows", "5", "-o", "new.csv"]));
}

#[test]
fn generated_table_in_unknown_format() {
    let arguments = ["generate", "hospital", "--rows", "5", "-o", "hospital.xlsx"];
    assert_snapshot!(Folder::empty().refused(&arguments));
}

#[test]
fn verify_without_valid_release() {
    let folder = Folder::new().with("folder/file.txt", "");
    assert_snapshot!(folder.refused(&["verify", "folder"]));
    assert_snapshot!(folder.refused(&["verify", "nowhere"]));
    let folder = folder.with("folder/certificate.json", "{}");
    assert_snapshot!(folder.refused(&["verify", "folder"]));
}
