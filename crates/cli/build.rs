//! Sets the version for `--version`, including the commit if the sources are in a Git repository.

use std::path::Path;
use std::process::Command;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    let version = env!("CARGO_PKG_VERSION");
    let version = match commit() {
        Some(commit) => format!("{version} ({commit})"),
        None => version.to_owned(),
    };
    println!("cargo:rustc-env=INDISTINCT_VERSION={version}");
}

/// Returns the hash and the date of the commit.
fn commit() -> Option<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let git = root.join(".git");
    if !git.exists() {
        return None;
    }
    // `HEAD` changes if the branch changes, and the log of `HEAD` changes with each commit.
    for file in ["HEAD", "logs/HEAD"] {
        if git.join(file).exists() {
            println!("cargo:rerun-if-changed={}", git.join(file).display());
        }
    }
    let shown = Command::new("git")
        .arg("-C")
        .arg(&root)
        .args(["show", "--no-patch", "--date=short", "--format=%h %cd", "--abbrev=9"])
        .output()
        .ok()
        .filter(|shown| shown.status.success())?;
    Some(String::from_utf8_lossy(&shown.stdout).trim().to_owned())
}
