//! Errors in link requests.

use indistinct_diagnostics::{errors, words};
use std::path::PathBuf;

use indistinct_linkage::LinkageError;

errors! {
    /// An invalid link request, or incompatible releases.
    #[derive(Clone, PartialEq)]
    #[non_exhaustive]
    pub enum LinkProblem {
        /// Fewer than two releases are specified.
        #[error("linkage requires at least 2 releases, got {got}")]
        #[code("E-LINK-001", "specify the directories of at least two releases")]
        TooFew {
            /// The number of directories.
            got: usize,
        },
        /// A release is given twice.
        #[error("'{}' is given twice", path.display())]
        #[code("E-LINK-002", "remove the repeated directory")]
        SameDirectory {
            /// The directory.
            path: PathBuf,
        },
        /// A release contains perturbed values or class centers.
        #[error(
            "'{}' has perturbed sensitive values, so linkage cannot rule out any value",
            path.display()
        )]
        #[code("E-LINK-003", "omit this release")]
        Perturbed {
            /// The directory.
            path: PathBuf,
        },
        /// Fewer than two releases contain the requested sensitive attribute.
        #[error("no two releases have the sensitive attribute '{name}'")]
        #[code("E-LINK-004", "use one of the attributes that the message lists")]
        NoSuchSensitiveAttribute {
            /// The requested attribute.
            name: String,
            /// The available attributes.
            known: Vec<String>,
        },
        /// A release has no quasi-identifier in common with another release.
        #[error("'{}' has no quasi-identifier in common with another release", path.display())]
        #[code("E-LINK-005", "omit the release, or rename its columns, because columns are matched \
                by name")]
        NoCommonQuasiIdentifier {
            /// The directory.
            path: PathBuf,
        },
        /// A release has no sensitive attribute in common with another release.
        #[error("'{}' has no sensitive attribute in common with another release", path.display())]
        #[code("E-LINK-006", "omit the release, or rename its columns, because columns are matched \
                by name")]
        NoCommonSensitiveAttribute {
            /// The directory.
            path: PathBuf,
        },
        /// There are more original tables than releases.
        #[error(
            "{} given for {}",
            words::counted(*n_originals as u64, "original is", "originals are"),
            words::count(*n_directories as u64, "release")
        )]
        #[code("E-LINK-007", "specify one original table for each directory in the same order, or \
                use DIR=DATA")]
        TooManyOriginals {
            /// The number of originals.
            n_originals: usize,
            /// The number of directories.
            n_directories: usize,
        },
        /// The minimum is invalid.
        #[error("invalid minimum '{got}': expected l=N, or l=N,measure=distinct|frequency|entropy")]
        #[code("E-LINK-008", "use a minimum such as --minimum l=3 or --minimum \
                l=2.5,measure=entropy")]
        NotAMinimum {
            /// The given text.
            got: String,
        },
        /// The person has values for other columns than the quasi-identifiers of the releases.
        #[error(
            "the quasi-identifiers of the releases are {}, but the person has values for {}",
            words::list(expected),
            words::list(given)
        )]
        #[code("E-LINK-009", "specify a value for each quasi-identifier of the releases, such as \
                --person age=34 --person sex=f")]
        OtherQuasiIdentifiers {
            /// The quasi-identifiers of the releases.
            expected: Vec<String>,
            /// The columns for which the person has values.
            given: Vec<String>,
        },
        /// It is unknown which labels cover a value of a person.
        #[error("the releases do not show which labels cover the values of the person")]
        #[code("E-LINK-010", "write the values as in the original tables, or specify these tables \
                with --original")]
        UnknownLabels,
        /// A quasi-identifier of a person is not a column and a value.
        #[error("invalid quasi-identifier of a person: expected COLUMN=VALUE")]
        #[code("E-LINK-011", "use a column and a value, such as --person age=34")]
        NotAQuasiIdentifier,
    }
    wraps {
        /// Another error during linkage.
        Linkage(#[from] LinkageError),
    }
    help {
        Self::NoSuchSensitiveAttribute { known, .. } =>
            format!("available attributes: {}", known.join(", "));
        Self::Linkage(LinkageError::TooManyPatterns { .. } | LinkageError::TooManyFits { .. }) =>
            "specify the original tables to link only combinations of people";
    }
}
