//! The error for a table that is not the original table of a release.

use indistinct_diagnostics::{errors, words};

errors! {
    /// Evidence that a table is not the original table of a release.
    #[derive(Clone, PartialEq, Eq)]
    #[non_exhaustive]
    pub enum NotTogether {
        /// The table does not match the digest in the private directory.
        #[error(
            "the table is not the original: its SHA-256 digest differs from the digest in the \
             private directory"
        )]
        #[code("E-ORIGINAL-001", "specify the unchanged original table of the release")]
        Digest,
        /// The columns of the release differ from the columns of the original policy.
        #[error(
            "the release and the policy of the original have different columns with the role \
             {role}"
        )]
        #[code("E-ORIGINAL-002", "specify the policy that created the release (--policy FILE)")]
        Columns {
            /// The role of the columns.
            role: &'static str,
        },
        /// The release has more rows than the table.
        #[error(
            "the release has {}, but the table has only {n_original}",
            words::rows(*n_released)
        )]
        #[code("E-ORIGINAL-003", "specify the unchanged original table of the release")]
        MoreRows {
            /// The number of rows in the release.
            n_released: u64,
            /// The number of rows in the table.
            n_original: u64,
        },
        /// The release contains values that occur neither in the original table nor in
        /// its hierarchies.
        #[error(
            "column '{column}' of the release has {} that neither the table nor its hierarchy \
             contains",
            words::count(*n_labels as u64, "value")
        )]
        #[code("E-ORIGINAL-004", "specify the unchanged original table of the release")]
        Labels {
            /// The column.
            column: String,
            /// The number of values.
            n_labels: usize,
        },
        /// More rows of the table match no released row than can be suppressed.
        #[error(
            "{} of the table {} no released row, but at most {n_dropped} can be suppressed",
            words::rows(*n_rows),
            words::either(*n_rows, "matches", "match")
        )]
        #[code("E-ORIGINAL-005", "specify the unchanged original table of the release")]
        Outside {
            /// The number of rows.
            n_rows: u64,
            /// The number by which the rows of the table exceed the rows of the release.
            n_dropped: u64,
        },
        /// The mapping in the private directory does not match the release and the table.
        #[error("line {line} of the mapping in the private directory: {what}")]
        #[code("E-ORIGINAL-006", "use the unchanged private directory of the release")]
        Mapping {
            /// The line number, counting from 1.
            line: u64,
            /// The problem.
            what: MappingFault,
        },
    }
}

/// The problem with a line of the mapping.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum MappingFault {
    /// The line does not have the format of a mapping.
    #[error("the line does not have the format of a mapping")]
    Malformed,
    /// The line matches no row of the table.
    #[error("the line matches no row of the table")]
    NoOriginalRow,
    /// The line matches no released row.
    #[error("the line matches no released row")]
    NoReleasedRow,
    /// The mapping ends before all rows of the table are matched.
    #[error("the mapping ends before all rows of the table are matched")]
    Incomplete,
}
