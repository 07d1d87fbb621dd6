//! Tests of `verify` on modified releases: the claim does not hold, so the status is 1 and the
//! answer is printed to standard output.

use insta::assert_snapshot;

use crate::folder::{Answer, Folder};

fn release() -> Folder {
    let folder = Folder::new();
    folder.run(&["anonymize", "policy.toml", "-o", "release"]).done();
    folder
}

/// Returns the answer for a release that does not satisfy its claims.
fn fails(folder: &Folder) -> Answer {
    let before = folder.listing();
    let answer = folder.run(&["verify", "release"]).not_met();
    assert_eq!(answer.stderr, "");
    assert!(answer.stdout.contains("Verification failed"), "{answer:?}");
    let json = folder.run(&["verify", "release", "--format", "json"]).not_met().json();
    assert_eq!(json["holds"], false);
    assert_eq!(folder.listing(), before, "`verify` writes no file");
    answer
}

#[test]
fn moved_release_passes_verification() {
    let folder = release();
    std::fs::rename(folder.path("release"), folder.path("elsewhere")).expect("renamed");
    std::fs::remove_dir_all(folder.path("release.private")).expect("removed");
    let folder = folder.without("table.csv").without("policy.toml");
    let answer = folder.run(&["verify", "elsewhere"]).done();
    assert!(answer.stdout.starts_with("Verification passed"), "{answer:?}");
    let json = folder.run(&["verify", "elsewhere", "--format", "json"]).done().json();
    assert_eq!(json["holds"], true);
    assert_eq!(json["claims"]["n_released"], 4);
}

#[test]
fn changed_cell_fails_verification() {
    let folder = release().replaced("release/data.csv", "ulcer", "flu");
    assert_snapshot!(fails(&folder).stdout);
}

#[test]
fn removed_row_fails_verification() {
    let folder = release();
    let data = folder.text("release/data.csv");
    let fewer: Vec<&str> = data.lines().take(4).collect();
    fails(&folder.with("release/data.csv", fewer.join("\n") + "\n"));
}

#[test]
fn inflated_claim_fails_verification() {
    let folder = release();
    let old = "\"n_released\": 4";
    let answer = fails(&folder.replaced("release/certificate.json", old, "\"n_released\": 5"));
    assert!(answer.stdout.contains("`n_released`: claimed 5, found 4"), "{answer:?}");
}

#[test]
fn changed_policy_fails_verification() {
    let answer = fails(&release().replaced("release/policy.toml", "k = 2", "k = 1"));
    assert!(answer.stdout.contains("fails"), "{answer:?}");
}

#[test]
fn missing_or_additional_files_fail_verification() {
    for file in ["release/data.csv", "release/policy.toml", "release/hierarchies/age.csv"] {
        let answer = fails(&release().without(file));
        assert!(answer.stdout.contains("is missing or unreadable"), "{answer:?}");
    }
    let answer = fails(&release().with("release/names.csv", "Ada\n"));
    assert!(answer.stdout.contains("names.csv is not part of the release"), "{answer:?}");
}

#[test]
fn signatures_may_be_added_and_nothing_else() {
    let folder = release()
        .with("release/signatures/certificate.json.sig", "signed")
        .with("release/signatures/holder.asc", "signed");
    folder.run(&["verify", "release"]).done();
    for name in ["signatures/notes.txt", "signatures/below/a.sig", "signatures.sig", "a.sig"] {
        let file = format!("release/{name}");
        let folder = release().with("release/signatures/a.sig", "signed").with(&file, "Ada\n");
        let answer = fails(&folder);
        assert!(answer.stdout.contains("is not part of the release"), "{answer:?}");
    }
}

#[test]
fn truncated_table_fails_verification() {
    let folder = release();
    let data = folder.text("release/data.csv");
    let answer = fails(&folder.with("release/data.csv", &data[..data.len() - 6]));
    assert!(answer.stdout.contains("data.csv was changed"), "{answer:?}");
}
