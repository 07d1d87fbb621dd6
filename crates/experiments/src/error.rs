//! Errors of experiments.

use std::io;
use std::path::{Path, PathBuf};

use indistinct_diagnostics::codes;

/// Any error that terminates the program: an [`ExperimentError`] if the user can fix the cause, and
/// otherwise an error from a library.
pub type Error = Box<dyn std::error::Error>;

/// An error that the user can fix.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ExperimentError {
    /// The experiment does not exist.
    #[error("unknown experiment '{name}'")]
    NoSuchExperiment {
        /// The requested name.
        name: String,
        /// The names of all experiments.
        known: Vec<&'static str>,
    },
    /// An experiment requires a table that is not included in the repository.
    #[error(
        "the table {table} is not included{}",
        looked_in
            .as_ref()
            .map_or(String::new(), |path| format!(" and was not found in '{}'", path.display()))
    )]
    NoTable {
        /// The name of the table.
        table: &'static str,
        /// The download location.
        source_of: &'static str,
        /// Instructions for the downloaded files.
        how: &'static str,
        /// The path that was searched.
        looked_in: Option<PathBuf>,
    },
    /// A file does not contain the table that an experiment requires.
    #[error(
        "'{}' is not the table {table}: {n_missing} columns are missing, or a line or a cell is \
         invalid",
        path.display()
    )]
    NotTheTable {
        /// The name of the table.
        table: &'static str,
        /// The path of the file.
        path: PathBuf,
        /// The number of missing columns.
        n_missing: usize,
    },
    /// A file is not readable or not writable.
    #[error("'{}': {error}", path.display())]
    File {
        /// The path of the file.
        path: PathBuf,
        /// The operating system error.
        error: io::Error,
    },
}

impl ExperimentError {
    /// Returns a function that converts an operating system error into an error about the file.
    pub fn file(path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |error| ExperimentError::File { path, error }
    }
}

codes! {
    ExperimentError {
        Self::NoSuchExperiment { .. } => "E-EXPERIMENT-001", "Unknown experiment.",
            "use one of the experiment names listed in the message";
        Self::NoTable { .. } => "E-EXPERIMENT-003", "A required table was not found.",
            "download the table as described in the message, and set --data to its folder";
        Self::NotTheTable { .. } => "E-EXPERIMENT-004",
            "A file does not contain the table that an experiment requires.",
            "use the original file from the repository, or a file with a header line";
        Self::File { .. } => "E-EXPERIMENT-005", "A file cannot be read or written.",
            "check the path and its permissions; existing files are not replaced";
    }
    help {
        Self::NoSuchExperiment { known, .. } =>
            format!("the experiments are: all, {}", known.join(", "));
        Self::NoTable { source_of, how, .. } =>
            format!("download the table from {source_of}; {how}");
    }
}
