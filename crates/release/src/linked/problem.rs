//! Errors in link requests.

use indistinct_diagnostics::codes;
use std::path::PathBuf;

use indistinct_linkage::LinkageError;

/// An invalid link request, or incompatible releases.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum LinkProblem {
    /// Fewer than two directories were given.
    #[error("linkage requires at least 2 releases, got {got}")]
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
    #[error("'{}' has perturbed sensitive values, so linkage cannot rule out any value", path.display())]
    Perturbed {
        /// The directory.
        path: PathBuf,
    },
    /// No two releases have the requested sensitive attribute in common.
    #[error("no two releases have the sensitive attribute '{name}'")]
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
    #[error("invalid minimum '{got}': expected l=N, or l=N,measure=distinct|frequency|entropy")]
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
        Self::TooFew { .. } => "E-LINK-001", "fewer than two releases are given",
            "specify the directories of at least two releases";
        Self::SameDirectory { .. } => "E-LINK-002", "a release is given twice",
            "remove the repeated directory";
        Self::Perturbed { .. } => "E-LINK-003",
            "a release contains perturbed values or class centers",
            "omit this release";
        Self::NoSuchSensitiveAttribute { .. } => "E-LINK-004",
            "no two releases have the requested sensitive attribute",
            "use one of the attributes that the message lists";
        Self::NoCommonQuasiIdentifier { .. } => "E-LINK-005",
            "a release has no quasi-identifier in common with another release",
            "omit the release, or rename its columns, because columns are matched by name";
        Self::NoCommonSensitiveAttribute { .. } => "E-LINK-006",
            "a release has no sensitive attribute in common with another release",
            "omit the release, or rename its columns, because columns are matched by name";
        Self::TooManyOriginals { .. } => "E-LINK-007",
            "there are more original tables than releases",
            "specify one original for each directory in the same order, or use DIR=DATA";
        Self::NotAMinimum { .. } => "E-LINK-008", "the minimum is invalid",
            "use a minimum such as --minimum l=3 or --minimum l=2.5,measure=entropy";
    }
    of { Self::Linkage(error) => error; }
    help {
        Self::NoSuchSensitiveAttribute { known, .. } => format!("available attributes: {}", known.join(", "));
        Self::Linkage(LinkageError::TooManyPatterns { .. } | LinkageError::TooManyFits { .. }) =>
            "specify the original tables to link only combinations of people";
    }
}
