//! In which format and in which order rows are written.

/// How rows are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OutputFormat {
    /// Comma-separated values, or with another delimiter; a header line, line feeds, quotes as RFC 4180 has them.
    Csv {
        /// An ASCII character, no quote and no line end.
        delimiter: u8,
    },
    /// The same, with an apostrophe before cells that a spreadsheet would run ([`indistinct_language::formulas`]).
    SpreadsheetCsv {
        /// An ASCII character, no quote and no line end.
        delimiter: u8,
    },
    /// Apache Parquet.
    Parquet,
}

impl OutputFormat {
    /// The extension of its files.
    pub fn extension(self) -> &'static str {
        match self {
            Self::Csv { .. } | Self::SpreadsheetCsv { .. } => "csv",
            Self::Parquet => "parquet",
        }
    }
}

/// In what order rows are written; never in that of the input.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum RowOrder {
    /// By a permutation that the key decides; class numbers likewise.
    Shuffled {
        /// The key, which nobody else knows: from the seed and a digest of the private input.
        key: [u8; 32],
    },
    /// By all released columns, the first column first.
    ///
    /// Missing values come first. Released labels, sensitive values and class numbers are ordered by size where all that
    /// are released in the column are decimal numbers, otherwise by Unicode code points; insensitive columns by their
    /// type. Classes are numbered in the order of their labels. The order depends on the released rows alone.
    Sorted,
}

impl std::fmt::Debug for RowOrder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Shuffled { .. } => "Shuffled", // the key is never shown
            Self::Sorted => "Sorted",
        })
    }
}
