//! Why releases cannot be linked as asked.

use indistinct_diagnostics::codes;
use std::path::PathBuf;

use indistinct_linkage::LinkageError;

/// A request that makes no sense, or releases that do not go together.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum LinkProblem {
    /// Fewer than two directories.
    #[error("{got} release is given, expected at least 2")]
    TooFew {
        /// How many.
        got: usize,
    },
    /// One directory, named twice.
    #[error("'{}' is given twice", path.display())]
    SameDirectory {
        /// The directory.
        path: PathBuf,
    },
    /// A release whose sensitive values are noise for some rows.
    #[error("the sensitive values of '{}' are perturbed: no sensitive value can be excluded, and linkage has nothing to count", path.display())]
    Perturbed {
        /// The directory.
        path: PathBuf,
    },
    /// A sensitive attribute that no two releases have.
    #[error("there is no sensitive attribute '{name}' that two of the releases have")]
    NoSuchSensitiveAttribute {
        /// The requested value.
        name: String,
        /// Those there are.
        known: Vec<String>,
    },
    /// A release without a quasi-identifier of another one.
    #[error("'{}' has no quasi-identifier in common with another release", path.display())]
    NoCommonQuasiIdentifier {
        /// The directory.
        path: PathBuf,
    },
    /// A release without a sensitive attribute of another one.
    #[error("'{}' has no sensitive attribute in common with another release", path.display())]
    NoCommonSensitiveAttribute {
        /// The directory.
        path: PathBuf,
    },
    /// More originals than directories.
    #[error("{} given for {}", indistinct_diagnostics::words::counted(*n_originals as u64, "original is", "originals are"), indistinct_diagnostics::words::count(*n_directories as u64, "release"))]
    TooManyOriginals {
        /// How many originals.
        n_originals: usize,
        /// How many directories.
        n_directories: usize,
    },
    /// The minimum is invalid.
    #[error("'{got}' is no minimum: expected l=N, or l=N,measure=distinct|frequency|entropy")]
    NotAMinimum {
        /// The text.
        got: String,
    },
    /// What else keeps releases from being linked.
    #[error(transparent)]
    Linkage(#[from] LinkageError),
}

codes! {
    LinkProblem {
        Self::TooFew { .. } => "E-LINK-001", "fewer than two directories",
            "linkage joins two releases or more: give their directories";
        Self::SameDirectory { .. } => "E-LINK-002", "one directory, named twice",
            "a release adds nothing to itself";
        Self::Perturbed { .. } => "E-LINK-003", "a release whose values are noise for some rows, or centers of classes",
            "leave it out";
        Self::NoSuchSensitiveAttribute { .. } => "E-LINK-004", "a sensitive attribute that no two releases have",
            "the help lists the valid ones";
        Self::NoCommonQuasiIdentifier { .. } => "E-LINK-005", "a release without a quasi-identifier of another one",
            "columns are matched by name; leave the release out";
        Self::NoCommonSensitiveAttribute { .. } => "E-LINK-006", "a release without a sensitive attribute of another one",
            "columns are matched by name; leave the release out";
        Self::TooManyOriginals { .. } => "E-LINK-007", "more originals than directories",
            "give one for each directory in their order, or DIR=DATA";
        Self::NotAMinimum { .. } => "E-LINK-008", "the minimum is invalid",
            "for example --minimum l=3, or --minimum l=2.5,measure=entropy";
    }
    of { Self::Linkage(error) => error; }
    help {
        Self::NoSuchSensitiveAttribute { known, .. } => format!("there are: {}", known.join(", "));
        Self::Linkage(LinkageError::TooManyPatterns { .. } | LinkageError::TooManyFits { .. }) =>
            "give the originals, so that only combinations of people are linked";
    }
}
