//! Why a release and a table do not belong together.

use indistinct_diagnostics::{codes, words};

/// What shows that a table is not the original of a release.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NotTogether {
    /// The digest of the private part is another one.
    #[error(
        "the table is not the one that the release was made of: its SHA-256 is not that in the private part"
    )]
    Digest,
    /// Other columns.
    #[error("the release and the policy of the original have other columns with the role {role}")]
    Columns {
        /// The role.
        role: &'static str,
    },
    /// The release has more rows.
    #[error("the release has {}, the table only {n_original}", words::rows(*n_released))]
    MoreRows {
        /// Rows of the release.
        n_released: u64,
        /// Rows of the table.
        n_original: u64,
    },
    /// Released values that are neither values nor labels of the original's hierarchy.
    #[error(
        "column '{column}' of the release has {} that neither the table nor its hierarchy has",
        words::count(*n_labels as u64, "value")
    )]
    Labels {
        /// The column.
        column: String,
        /// How many.
        n_labels: usize,
    },
    /// Rows that fit no released one.
    #[error(
        "{} of the table {} no released row, where at most {n_dropped} can have been suppressed",
        words::rows(*n_rows),
        words::either(*n_rows, "fits", "fit")
    )]
    Outside {
        /// How many.
        n_rows: u64,
        /// Rows that the release has less than the table.
        n_dropped: u64,
    },
    /// A mapping of the private part that is not of this release and table.
    #[error("line {line} of the mapping in the private part: {what}")]
    Mapping {
        /// The line, from 1.
        line: u64,
        /// What is wrong.
        what: MappingFault,
    },
}

/// What is wrong with a line of the mapping.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum MappingFault {
    /// The line has another form than those of a mapping.
    #[error("it is not a line of a mapping")]
    Malformed,
    /// It matches no row of the table.
    #[error("it matches no row of the table")]
    NoOriginalRow,
    /// It matches no released row.
    #[error("it matches no released row")]
    NoReleasedRow,
    /// The mapping ends before all rows of the table have a line.
    #[error("the mapping ends before all rows of the table are matched")]
    Incomplete,
}

codes! {
    NotTogether {
        Self::Digest => "E-ORIGINAL-001", "the table has another digest than the private part names",
            "give the original table of this release, unchanged since then";
        Self::Columns { .. } => "E-ORIGINAL-002", "the table has other columns than the release",
            "give the policy that the release was made with (--policy FILE)";
        Self::MoreRows { .. } => "E-ORIGINAL-003", "the release has more rows than the table",
            "give the original table of this release, unchanged since then";
        Self::Labels { .. } => "E-ORIGINAL-004", "released values that are neither values nor labels of the original's hierarchy",
            "give the original table of this release, unchanged since then";
        Self::Outside { .. } => "E-ORIGINAL-005", "rows that fit no released one",
            "give the original table of this release, unchanged since then";
        Self::Mapping { .. } => "E-ORIGINAL-006", "a mapping of the private part that is not of this release and table",
            "the private part is not that of this release, or was changed";
    }
}
