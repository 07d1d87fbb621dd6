//! Why a release and a table do not belong together.

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
    #[error("the release has {n_released} rows, the table only {n_original}")]
    MoreRows {
        /// Rows of the release.
        n_released: u64,
        /// Rows of the table.
        n_original: u64,
    },
    /// Released values that are neither values nor labels of the original's hierarchy.
    #[error(
        "column '{column}' of the release has {n_labels} values that neither the table nor its hierarchy has"
    )]
    Labels {
        /// The column.
        column: String,
        /// How many.
        n_labels: usize,
    },
    /// Rows that fit no released one.
    #[error(
        "{n_rows} rows of the table fit no released row, where at most {n_dropped} were suppressed"
    )]
    Outside {
        /// How many.
        n_rows: u64,
        /// Rows that the release has less than the table.
        n_dropped: u64,
    },
    /// A mapping of the private part that is not of this release and table.
    #[error("line {line} of the mapping in the private part fits {whom}")]
    Mapping {
        /// The line, from 1.
        line: u64,
        /// What it does not fit.
        whom: &'static str,
    },
}

impl NotTogether {
    /// A stable code.
    pub fn code(&self) -> &'static str {
        match self {
            NotTogether::Digest => "E-ORIGINAL-001",
            NotTogether::Columns { .. } => "E-ORIGINAL-002",
            NotTogether::MoreRows { .. } => "E-ORIGINAL-003",
            NotTogether::Labels { .. } => "E-ORIGINAL-004",
            NotTogether::Outside { .. } => "E-ORIGINAL-005",
            NotTogether::Mapping { .. } => "E-ORIGINAL-006",
        }
    }

    /// What to do.
    pub fn help(&self) -> &'static str {
        match self {
            NotTogether::Columns { .. } => {
                "give the policy that the release was made with (--policy FILE)"
            }
            NotTogether::Mapping { .. } => {
                "the private part is not that of this release, or was changed"
            }
            _ => "give the table that this release was made of, in the state it had then",
        }
    }
}
