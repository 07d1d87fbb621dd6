//! Why an experiment cannot be run.

use std::io;
use std::path::{Path, PathBuf};

use indistinct_diagnostics::codes;

/// Whatever ends the program. What a user can do something about is an [`ExperimentError`]; all else comes from the libraries below.
pub type Error = Box<dyn std::error::Error>;

/// What a user can do something about.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ExperimentError {
    /// An experiment that does not exist.
    #[error("there is no experiment '{name}'")]
    NoSuchExperiment {
        /// The requested value.
        name: String,
        /// The experiments that exist.
        known: Vec<&'static str>,
    },
    /// A table that an experiment is about, and that is not shipped.
    #[error("the table {table} is not shipped{}", looked_in.as_ref().map_or(String::new(), |path| format!(" and not in '{}'", path.display())))]
    NoTable {
        /// Its name.
        table: &'static str,
        /// Where a user gets it.
        source_of: &'static str,
        /// What to do with it then.
        how: &'static str,
        /// The places that were searched.
        looked_in: Option<PathBuf>,
    },
    /// A file that is not the table that an experiment is about.
    #[error("'{}' is not the table {table}: {n_missing} of its columns are missing, or a line is not as long as the others, or a cell is not of its column", path.display())]
    NotTheTable {
        /// The name of the table.
        table: &'static str,
        /// The file.
        path: PathBuf,
        /// How many columns are missing.
        n_missing: usize,
    },
    /// A file that cannot be read or written.
    #[error("'{}': {error}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What the operating system says.
        error: io::Error,
    },
}

impl ExperimentError {
    /// What makes an error of the operating system one about this file.
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
