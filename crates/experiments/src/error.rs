//! Errors of experiments.

use std::io;
use std::path::{Path, PathBuf};

use indistinct_diagnostics::codes;

/// Any error that terminates the program: an [`ExperimentError`] if the user can fix the cause, and
/// otherwise an error of a library.
pub type Error = Box<dyn std::error::Error>;

/// An error whose cause the user can fix.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ExperimentError {
    /// The experiment does not exist.
    #[error("there is no experiment '{name}'")]
    NoSuchExperiment {
        /// The requested name.
        name: String,
        /// The names of all experiments.
        known: Vec<&'static str>,
    },
    /// An experiment requires a table that is not included in the repository.
    #[error("the table {table} is not shipped{}", looked_in.as_ref().map_or(String::new(), |path| format!(" and not in '{}'", path.display())))]
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
    #[error("'{}' is not the table {table}: {n_missing} of its columns are missing, or a line is not as long as the others, or a cell is not of its column", path.display())]
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
        /// The error of the operating system.
        error: io::Error,
    },
}

impl ExperimentError {
    /// Returns a function that converts an error of the operating system into an error about the
    /// file.
    pub fn file(path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |error| ExperimentError::File { path, error }
    }
}

codes! {
    ExperimentError {
        Self::NoSuchExperiment { .. } => "E-EXPERIMENT-001", "unknown experiment",
            "the message lists the valid ones";
        Self::NoTable { .. } => "E-EXPERIMENT-003", "a table that is not shipped and was not found",
            "the message says where to get it; name its folder: --data FOLDER";
        Self::NotTheTable { .. } => "E-EXPERIMENT-004", "a file that is not the table that an experiment is about",
            "give the file as the repository has it, or one with a header line";
        Self::File { .. } => "E-EXPERIMENT-005", "a file that cannot be read or written",
            "check the path and its permissions; nothing is replaced";
    }
    help {
        Self::NoSuchExperiment { known, .. } => format!("the experiments are: all, {}", known.join(", "));
        Self::NoTable { source_of, how, .. } => format!("get it from {source_of}; {how}");
    }
}
