//! In which format and in which order rows are written.

use super::output_error::OutputError;
use crate::EngineError;

/// How rows are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OutputFormat {
    /// Comma-separated values, or with another delimiter; a header line, line feeds, quotes as RFC 4180 has them.
    Csv {
        /// An ASCII character, no quote and no line end.
        delimiter: u8,
    },
    /// The same, with an apostrophe before cells that a spreadsheet would run ([`indistinct_labels::formulas`]).
    SpreadsheetCsv {
        /// An ASCII character, no quote and no line end.
        delimiter: u8,
    },
    /// Apache Parquet.
    Parquet,
    /// A spreadsheet (feature `excel`): one sheet with a row of names. What is no number, and no `true` or `false` of a column of such, is a
    /// text.
    Xlsx,
}

/// The rows that a sheet has below its names.
const SHEET_ROWS: u64 = (1 << 20) - 1;

impl OutputFormat {
    /// Whether this build writes so many rows in this format.
    ///
    /// # Errors
    /// [`OutputError::NoSpreadsheets`], [`OutputError::TooManyRows`].
    pub fn check(self, n_rows: u64) -> Result<(), EngineError> {
        match self {
            Self::Xlsx if !cfg!(feature = "excel") => Err(OutputError::NoSpreadsheets.into()),
            Self::Xlsx if n_rows > SHEET_ROWS => {
                Err(OutputError::TooManyRows { n_rows, limit: SHEET_ROWS }.into())
            }
            _ => Ok(()),
        }
    }

    /// The extension of its files.
    pub fn extension(self) -> &'static str {
        match self {
            Self::Csv { .. } | Self::SpreadsheetCsv { .. } => "csv",
            Self::Parquet => "parquet",
            Self::Xlsx => "xlsx",
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
