//! The answer to `--version --verbose`: the version, the platform, and the features of the build.

use std::ffi::OsString;

use crate::say;

/// The features that a build can include: their names, whether this build includes them, and what
/// they add.
const FEATURES: [(&str, bool, &str); 6] = [
    ("studio", cfg!(feature = "studio"), "the local web page of `indistinct studio`"),
    ("databases", cfg!(feature = "databases"), "tables in PostgreSQL, SQLite, DuckDB, and Spark"),
    ("objects", cfg!(feature = "objects"), "files in S3, Google Cloud Storage, and Azure"),
    ("excel", cfg!(feature = "excel"), "spreadsheets"),
    ("stata", cfg!(feature = "stata"), "Stata files"),
    ("pdf", cfg!(feature = "pdf"), "ARX certificates"),
];

/// Prints the version with details and returns true if the arguments request it: only options,
/// among them `--version` and `--verbose`. clap alone would print the short version.
pub fn printed(typed: &[OsString]) -> bool {
    let requests = |long: &str, short: &str| typed.iter().any(|it| it == long || it == short);
    let has_command = typed.iter().skip(1).any(|it| !it.to_string_lossy().starts_with('-'));
    if has_command || !requests("--version", "-V") || !requests("--verbose", "-v") {
        return false;
    }
    say!("indistinct {}", env!("INDISTINCT_VERSION"));
    say!("platform: {} {}", std::env::consts::OS, std::env::consts::ARCH);
    say!("features:");
    for (name, is_included, content) in FEATURES {
        let mark = if is_included { "yes" } else { "no" };
        say!("  {name:<10} {mark:<4} {content}");
    }
    let missing: Vec<&str> =
        FEATURES.iter().filter(|(_, is_included, _)| !is_included).map(|it| it.0).collect();
    if !missing.is_empty() {
        say!("To add the missing features:");
        say!("  cargo install indistinct-cli --features {}", missing.join(","));
    }
    true
}
