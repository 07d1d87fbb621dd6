//! The Adult data set and its generalization hierarchies in `../shared/data/adult`, as plain
//! strings.

use std::path::{Path, PathBuf};

/// A column with its generalization hierarchy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AdultColumn {
    /// The name of the attribute.
    pub name: String,
    /// The value in each row.
    pub values: Vec<String>,
    /// The labels of each value of the domain, in ascending order of level.
    pub hierarchy: Vec<Vec<String>>,
}

/// The quasi-identifiers of [`MINIMAL_5_ANONYMOUS`], in the order of the levels.
pub const FIVE: [&str; 5] = ["age", "sex", "race", "marital-status", "education"];

/// The minimal nodes that satisfy 5-anonymity without suppression, according to an exhaustive
/// search.
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

/// Returns the path of the shared folder, relative to the repository.
fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/adult")
}

/// Returns the named columns in the given order. If the shared folder is missing, prints a message
/// and returns `None`.
///
/// # Panics
/// Panics if the folder is missing and the environment variable `CI` is set, because tests must not
/// be skipped in CI. Panics if a file is invalid.
pub fn adult(names: &[&str]) -> Option<Vec<AdultColumn>> {
    let folder = folder();
    let Ok(text) = std::fs::read_to_string(folder.join("adult.csv")) else {
        assert!(std::env::var_os("CI").is_none(), "{} does not exist", folder.display());
        eprintln!("skipped: {} does not exist", folder.display());
        return None;
    };
    let mut lines = text.lines();
    let header: Vec<&str> = lines.next().expect("the file has a header line").split(';').collect();
    let rows: Vec<Vec<&str>> = lines.map(|line| line.split(';').collect()).collect();
    let columns = names.iter().map(|name| {
        let at =
            header.iter().position(|column| column == name).expect("Adult contains the column");
        let file = folder.join("hierarchies").join(format!("{name}.csv"));
        let hierarchy = std::fs::read_to_string(file).expect("every column has a hierarchy");
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
