//! The Adult table and its hierarchies in `../shared/data/adult`, as plain texts.

use std::path::{Path, PathBuf};

/// One column with the rows of its hierarchy, from the raw value to the top.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AdultColumn {
    /// Name of the attribute.
    pub name: String,
    /// The value of each row.
    pub values: Vec<String>,
    /// For each value of the domain its labels, level 0 first.
    pub hierarchy: Vec<Vec<String>>,
}

/// The quasi-identifiers of [`MINIMAL_5_ANONYMOUS`], in the order of its levels.
pub const FIVE: [&str; 5] = ["age", "sex", "race", "marital-status", "education"];

/// The minimal nodes that are 5-anonymous without suppression, as brute force over the lattice finds them.
pub const MINIMAL_5_ANONYMOUS: [[usize; 5]; 9] = [
    [1, 0, 1, 2, 3],
    [1, 1, 1, 1, 3],
    [4, 0, 0, 1, 3],
    [4, 0, 1, 0, 3],
    [4, 0, 1, 1, 1],
    [4, 0, 1, 2, 0],
    [4, 1, 0, 2, 1],
    [4, 1, 1, 0, 2],
    [4, 1, 1, 1, 0],
];

/// Where the shared folder lies, seen from the repository.
fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/adult")
}

/// The named columns, in the given order; `None`, after a message, where the shared folder is missing.
///
/// # Panics
/// If the folder is missing and the environment variable `CI` is set: there nothing may be skipped. If a file is not as
/// expected.
pub fn adult(names: &[&str]) -> Option<Vec<AdultColumn>> {
    let folder = folder();
    let Ok(text) = std::fs::read_to_string(folder.join("adult.csv")) else {
        assert!(std::env::var_os("CI").is_none(), "{} is missing", folder.display());
        eprintln!("skipped: {} is missing", folder.display());
        return None;
    };
    let mut lines = text.lines();
    let header: Vec<&str> = lines.next().expect("a header line").split(';').collect();
    let rows: Vec<Vec<&str>> = lines.map(|line| line.split(';').collect()).collect();
    let columns = names.iter().map(|name| {
        let at = header.iter().position(|column| column == name).expect("a column of Adult");
        let file = folder.join("hierarchies").join(format!("{name}.csv"));
        let hierarchy = std::fs::read_to_string(file).expect("a hierarchy for every column");
        AdultColumn {
            name: (*name).to_owned(),
            values: rows.iter().map(|row| row[at].to_owned()).collect(),
            hierarchy: hierarchy
                .lines()
                .map(|line| line.split(';').map(str::to_owned).collect())
                .collect(),
        }
    });
    Some(columns.collect())
}
