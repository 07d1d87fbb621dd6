//! Errors in link requests.

use indistinct_diagnostics::codes;
use std::path::PathBuf;

use indistinct_linkage::LinkageError;

/// An invalid link request, or incompatible releases.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum LinkProblem {
    /// Fewer than two directories were given.
    #[error("{got} release is given, expected at least 2")]
    TooFew {
        /// The number of directories.
        got: usize,
    },
    /// A directory was given twice.
    #[error("'{}' is given twice", path.display())]
    SameDirectory {
        /// The directory.
        path: PathBuf,
    },
    /// The sensitive values of a release are perturbed.
    #[error("the sensitive values of '{}' are perturbed: no sensitive value can be excluded, and linkage has nothing to count", path.display())]
    Perturbed {
        /// The directory.
        path: PathBuf,
    },
    /// No two releases have the requested sensitive attribute in common.
    #[error("there is no sensitive attribute '{name}' that two of the releases have")]
    NoSuchSensitiveAttribute {
        /// The requested attribute.
        name: String,
        /// The available attributes.
        known: Vec<String>,
    },
    /// A release has no quasi-identifier in common with another release.
    #[error("'{}' has no quasi-identifier in common with another release", path.display())]
    NoCommonQuasiIdentifier {
        /// The directory.
        path: PathBuf,
    },
    /// A release has no sensitive attribute in common with another release.
    #[error("'{}' has no sensitive attribute in common with another release", path.display())]
    NoCommonSensitiveAttribute {
        /// The directory.
        path: PathBuf,
    },
    /// More originals than directories were given.
    #[error("{} given for {}", indistinct_diagnostics::words::counted(*n_originals as u64, "original is", "originals are"), indistinct_diagnostics::words::count(*n_directories as u64, "release"))]
    TooManyOriginals {
        /// The number of originals.
        n_originals: usize,
        /// The number of directories.
        n_directories: usize,
    },
    /// The minimum is invalid.
    #[error("'{got}' is no minimum: expected l=N, or l=N,measure=distinct|frequency|entropy")]
    NotAMinimum {
        /// The given text.
        got: String,
    },
    /// Another error during linkage.
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
