//! Output formats and row orders.

use super::output_error::OutputError;
use crate::EngineError;

/// Format of the released rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OutputFormat {
    /// Comma-separated values, optionally with another delimiter, with a header line, line feeds,
    /// and quotes according to RFC 4180.
    Csv {
        /// ASCII character other than a quote or a line break.
        delimiter: u8,
    },
    /// CSV with an apostrophe before cells that a spreadsheet would execute as formulas
    /// ([`indistinct_labels::formulas`]).
    SpreadsheetCsv {
        /// ASCII character other than a quote or a line break.
        delimiter: u8,
    },
    /// Apache Parquet.
    Parquet,
    /// A spreadsheet with one sheet and a row of column names (feature `excel`). Cells contain
    /// numbers, truth values, or text.
    Xlsx,
}

/// Maximum number of rows in a sheet, not including the row of column names.
const SHEET_ROWS: u64 = (1 << 20) - 1;

impl OutputFormat {
    /// Checks that this build can write the given number of rows in this format.
    ///
    /// # Errors
    /// Returns [`OutputError::NoSpreadsheets`] or [`OutputError::TooManyRows`].
    pub fn check(self, n_rows: u64) -> Result<(), EngineError> {
        match self {
            Self::Xlsx if !cfg!(feature = "excel") => Err(OutputError::NoSpreadsheets.into()),
            Self::Xlsx if n_rows > SHEET_ROWS => {
                Err(OutputError::TooManyRows { n_rows, limit: SHEET_ROWS }.into())
            }
            _ => Ok(()),
        }
    }

    /// Returns the file extension of the format.
    pub fn extension(self) -> &'static str {
        match self {
            Self::Csv { .. } | Self::SpreadsheetCsv { .. } => "csv",
            Self::Parquet => "parquet",
            Self::Xlsx => "xlsx",
        }
    }
}

/// Order of the released rows, which never depends on the order of the input.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum RowOrder {
    /// Rows and class numbers are shuffled with a secret key.
    Shuffled {
        /// Secret key, derived from the seed and a digest of the private input.
        key: [u8; 32],
    },
    /// Rows are sorted by all released columns, starting with the first.
    ///
    /// Missing values come first. Released labels, sensitive values, and class numbers are sorted
    /// by magnitude if all released values of the column are decimal numbers, otherwise by Unicode
    /// code point. Insensitive columns are sorted according to their type. Classes are numbered in
    /// the order of their labels. The order depends only on the released rows.
    Sorted,
}

impl std::fmt::Debug for RowOrder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Shuffled { .. } => "Shuffled", // the key must not be displayed
            Self::Sorted => "Sorted",
        })
    }
}
