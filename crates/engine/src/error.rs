//! Errors of the engine.

use indistinct_diagnostics::{errors, words};
use std::path::{Path, PathBuf};

use crate::objects::ObjectError;
use crate::output::OutputError;
use crate::{Format, TableError};
use indistinct_core::Notation;

errors! {
    /// The reason that an input cannot be read or counted, or that a release cannot be written.
    ///
    /// A failed write leaves nothing behind that could be mistaken for a release. Messages contain
    /// file names, column names, row numbers, and counts, but never a cell from the table.
    #[non_exhaustive]
    pub enum EngineError {
        /// The file or folder does not exist.
        #[error("'{}' does not exist", path.display())]
        #[code("E-INPUT-001", "check the path; paths in a policy are relative to the policy file")]
        Missing {
            /// Path as given by the caller.
            path: PathBuf,
        },
        /// The folder contains no data files.
        #[error("the folder '{}' contains no data files", path.display())]
        #[code("E-INPUT-002", "add data files to the folder; files whose names start with '.' or \
                '_' are ignored")]
        EmptyFolder {
            /// Path of the folder.
            path: PathBuf,
        },
        /// No file matches the pattern.
        #[error("no file matches '{}'", path.display())]
        #[code("E-INPUT-003", "check the pattern: '*' matches within a folder, '**' across \
                folders")]
        NoMatch {
            /// The pattern.
            path: PathBuf,
        },
        /// The pattern is invalid.
        #[error("'{}' is not a valid pattern: {reason}", path.display())]
        #[code("E-INPUT-004", "'*' matches within a folder, '**' across folders")]
        InvalidPattern {
            /// The pattern.
            path: PathBuf,
            /// Reason that the pattern is invalid.
            reason: &'static str,
        },
        /// The folder or pattern contains files in different formats.
        #[error("'{}' contains files in different formats: {first} and {second}", path.display())]
        #[code("E-INPUT-005", "set `format`, or move the files in other formats to another folder")]
        MixedFormats {
            /// The folder or pattern.
            path: PathBuf,
            /// Format of one of the files.
            first: Format,
            /// Format of another file.
            second: Format,
        },
        /// The file name does not determine the format.
        #[error("the name of '{}' does not determine its format", path.display())]
        #[code("E-INPUT-006", "rename the file, or set `format`")]
        UnknownExtension {
            /// Path of the file.
            path: PathBuf,
        },
        /// The file is empty.
        #[error("'{}' is empty", path.display())]
        #[code("E-INPUT-007", "check the export; a CSV file must have a header line and at least \
                one row")]
        EmptyFile {
            /// Path of the file.
            path: PathBuf,
        },
        /// The input has no rows.
        #[error("'{}' has columns but no rows", path.display())]
        #[code("E-INPUT-008", "check the export; a table without rows cannot be anonymized")]
        NoRows {
            /// Path of the first file.
            path: PathBuf,
        },
        /// The file cannot be read.
        #[error("'{}' cannot be read: {source}", path.display())]
        #[code("E-INPUT-009", "check the path and its permissions")]
        Read {
            /// Path of the file.
            path: PathBuf,
            /// Error reported by the operating system.
            source: std::io::Error,
        },
        /// The zip archive does not contain exactly one file.
        #[error(
            "the zip archive '{}' contains {} instead of one",
            path.display(),
            words::count(*n_files as u64, "file")
        )]
        #[code("E-INPUT-042", "put a single file into the archive, or unpack the archive and use \
                its folder as the input")]
        NotOneFile {
            /// Path of the archive.
            path: PathBuf,
            /// Number of files in the archive.
            n_files: usize,
        },
        /// This build cannot read files of SAS, SPSS, or Stata.
        #[error("'{}' is a {program} file, which this build cannot read", path.display())]
        #[code("E-INPUT-043", "convert the file to CSV with value labels, for example with the \
                Python package pyreadstat as the message shows; see docs/databases.md")]
        OfStatistics {
            /// Path of the file.
            path: PathBuf,
            /// Name of the statistics package.
            program: &'static str,
            /// `pyreadstat` function that reads the format.
            reader: &'static str,
        },
        /// The Stata file cannot be read.
        #[error("'{}' does not match its file extension, or is truncated", path.display())]
        #[code("E-INPUT-045", "save the file again in Stata; if another program wrote the file, \
                use the extension of that program")]
        Statistics {
            /// Path of the file.
            path: PathBuf,
        },
        /// The path refers to a link, folder, pipe, or device instead of a regular file.
        #[error("'{}' is {what}, but a regular file is required", path.display())]
        #[code("E-INPUT-029", "replace it with a regular file; the files of a release must not be \
                links")]
        NotAFile {
            /// Path that is not a regular file.
            path: PathBuf,
            /// Kind of the file at the path.
            what: &'static str,
        },
        /// The file exceeds the size limit of its reader.
        #[error("'{}' is larger than {limit_bytes} bytes", path.display())]
        #[code("E-INPUT-030", "check that the path names the intended file")]
        TooLarge {
            /// Path of the file.
            path: PathBuf,
            /// Size limit in bytes.
            limit_bytes: u64,
        },
        /// A column contains several spellings of one value, and other programs treat them as
        /// different values.
        #[error("column '{column}' contains {what}, which other programs distinguish")]
        #[code("E-INPUT-034", "use a single spelling for each value of the column")]
        Distinguishable {
            /// Name of the column.
            column: String,
            /// Description of the spellings that other programs distinguish.
            what: &'static str,
        },
        /// The path is not valid UTF-8.
        #[error("the path '{}' is not valid UTF-8", path.display())]
        #[code("E-INPUT-033", "rename the file or folder with a valid UTF-8 name")]
        NotText {
            /// Path that is not valid UTF-8.
            path: PathBuf,
        },
        /// The first line looks like a row, not a header.
        #[error(
            "the first line of '{}' looks like a row, not a header: {reason}", path.display()
        )]
        #[code("E-INPUT-031", "add a line with the column names, or skip the rows before it with \
                `skip_rows` in [input] or --skip-rows; enclose numeric names in double quotes")]
        NoHeader {
            /// Path of the file.
            path: PathBuf,
            /// Reason that the first line looks like a row. The reason contains no cell of the
            /// table.
            reason: String,
        },
        /// The file has no row after the skipped rows.
        #[error(
            "'{}' contains no column names, because its first {} skipped",
            path.display(),
            words::counted(*n_skipped as u64, "row is", "rows are")
        )]
        #[code("E-INPUT-050", "reduce `skip_rows` in [input] of the policy (for commands without a \
                policy: --skip-rows)")]
        AllSkipped {
            /// Path of the file.
            path: PathBuf,
            /// Number of skipped rows before the column names.
            n_skipped: usize,
        },
        /// The format of the table has no rows that can be skipped.
        #[error(
            "rows can be skipped only in CSV files and spreadsheets, not in '{}'", path.display()
        )]
        #[code("E-INPUT-051", "remove `skip_rows` and `skip_rows_after_header` from [input] of the \
                policy (for commands without a policy: --skip-rows and --skip-rows-after-header)")]
        NothingToSkip {
            /// Path of the table.
            path: PathBuf,
        },
        /// The content does not match the file name or the declared format.
        #[error("'{}' is not a readable {format} file: {detail}", path.display())]
        #[code("E-INPUT-010", "check that the file is complete and that `format` matches it")]
        Corrupt {
            /// Path of the file.
            path: PathBuf,
            /// Expected format.
            format: Format,
            /// Message of the reader.
            detail: String,
        },
        /// The delimiter is invalid.
        #[error("byte {delimiter} is not a valid delimiter for CSV files")]
        #[code("E-INPUT-011", "use one ASCII character other than a quote or a line ending")]
        InvalidDelimiter {
            /// The invalid byte.
            delimiter: u8,
        },
        /// The header has one column, so the delimiter is probably wrong.
        #[error("'{}' has one column when split at {}", path.display(), name_of(*.delimiter))]
        #[code("E-INPUT-012", "set `delimiter`; if the table has only one column, put its name in \
                quotes")]
        OneColumn {
            /// Path of the file.
            path: PathBuf,
            /// Delimiter that was used.
            delimiter: u8,
            /// Delimiter that the header seems to use.
            suggestion: u8,
        },
        /// A record has more or fewer fields than the header.
        #[error(
            "'{}', line {line} (row {row}): {}, but the header has {expected}",
            path.display(),
            words::count(*got as u64, "field")
        )]
        #[code("E-INPUT-013", "put fields that contain the delimiter or a line ending in double \
                quotes")]
        Ragged {
            /// Path of the file.
            path: PathBuf,
            /// Line number, starting at 1; the header is line 1.
            line: u64,
            /// Row number, starting at 1; the header is not counted.
            row: u64,
            /// Number of fields in the record.
            got: usize,
            /// Number of columns in the header.
            expected: usize,
        },
        /// The file contains invalid UTF-8.
        #[error("'{}', line {line}: not valid UTF-8", path.display())]
        #[code("E-INPUT-014", "for files from Western European programs, set encoding = \
                \"windows-1252\" in [input] of the policy (for commands without a policy: --encoding \
                windows-1252); otherwise, convert the file to UTF-8 with `iconv`")]
        InvalidUtf8 {
            /// Path of the file.
            path: PathBuf,
            /// Line number, starting at 1.
            line: u64,
        },
        /// A value does not match the declared notation of its column.
        #[error(
            "column '{column}' contains a value that is not written as {written}{}",
            in_row(*row)
        )]
        #[code("E-INPUT-040", "correct the value, add it to `null_values` if it represents a \
                missing value, or change the `notation` of the attribute")]
        NotWritten {
            /// Name of the column.
            column: String,
            /// Declared notation of the column.
            written: Notation,
            /// Number of the first row with such a value, if known: the number that a spreadsheet
            /// program shows, or the number of the row below the header of another file.
            row: Option<u64>,
        },
        /// `notation` is set for a column that does not contain text or is stored in a database.
        #[error("the policy declares a `notation`, but the table is in a database")]
        #[code("E-INPUT-041", "remove `notation` from the attribute; it applies only to text in \
                files")]
        WrittenElsewhere
        |
        /// The policy declares a notation for a column that is not text.
        #[error(
            "the policy declares a `notation` for column '{column}', but its values are not text"
        )]
        WrittenOfType {
            /// Name of the column.
            column: String,
        },
        /// The policy coarsens a column of a database table, which is unsupported.
        #[error(
            "the policy coarsens column '{column}', but columns of a table in a database cannot be \
             coarsened"
        )]
        #[code("E-INPUT-048", "export the table to a file, or remove `coarsen` and round the \
                values in a `query`")]
        CoarsenedElsewhere {
            /// Name of the column.
            column: String,
        },
        /// A column cannot be coarsened because a value is not a number, or because there are too
        /// few numbers.
        #[error(
            "column '{column}' cannot be coarsened: it contains a value that is not a number{}",
            in_row(*row)
        )]
        #[code("E-INPUT-049", "remove `coarsen` from the attribute, add the markers for missing \
                values to `null_values`, or set the `notation` of the numbers")]
        NotCoarsened {
            /// Name of the column.
            column: String,
            /// Number of the first row with such a value, if known.
            row: Option<u64>,
        }
        |
        /// A column has too few distinct numbers for quantiles.
        #[error(
            "column '{column}' cannot be divided at quantiles, because it does not contain two \
             different numbers"
        )]
        NoQuantiles {
            /// Name of the column.
            column: String,
        },
        /// The first line is `sep=;`, which declares the delimiter for spreadsheets.
        #[error(
            "the first line of '{}' is not a header: it declares the delimiter for spreadsheets",
            path.display()
        )]
        #[code("E-INPUT-046", "remove the line, and set `delimiter`")]
        DelimiterLine {
            /// Path of the file.
            path: PathBuf,
            /// Delimiter that the first line declares.
            delimiter: u8,
        },
        /// The file contains UTF-16 text without a byte order mark.
        #[error(
            "'{}' appears to be UTF-16 without a byte order mark, because every other byte at its \
             start is zero",
            path.display()
        )]
        #[code("E-INPUT-047", "convert the file to UTF-8, for example with `iconv -f UTF-16LE -t \
                UTF-8` (UTF-16BE if the first byte is zero)")]
        Utf16WithoutMark {
            /// Path of the file.
            path: PathBuf,
        },
        /// The file starts with a UTF-16 byte order mark but is not valid UTF-16.
        #[error(
            "'{}' starts with a UTF-16 byte order mark but is not valid UTF-16",
            path.display()
        )]
        #[code("E-INPUT-035", "export the file again as UTF-8 or UTF-16; it is truncated or has \
                another encoding")]
        Utf16 {
            /// Path of the file.
            path: PathBuf,
        },
        /// This build was compiled without spreadsheet support.
        #[error(
            "'{}' is a spreadsheet, and this build was compiled without spreadsheet support",
            path.display()
        )]
        #[code("E-INPUT-037", "save the sheet as \"CSV UTF-8\" or \"Unicode Text\", or build the \
                program with `--features excel`")]
        NoSpreadsheets {
            /// Path of the file.
            path: PathBuf,
        },
        /// The spreadsheet cannot be read.
        #[error("'{}' is not a readable spreadsheet: {detail}", path.display())]
        #[code("E-INPUT-038", "save the file again in the spreadsheet program, without a password")]
        Spreadsheet {
            /// Path of the file.
            path: PathBuf,
            /// Reason that the spreadsheet cannot be read.
            detail: String,
        },
        /// A file of a release contains content other than rows, or programs may interpret it
        /// differently.
        #[error("'{}' does not have the format of a released file: {what}", path.display())]
        #[code("E-INPUT-044", "create the release again; a file that was saved by another program \
                is not part of a valid release")]
        NotPlain {
            /// Path of the file.
            path: PathBuf,
            /// Reason for the error, without cells.
            what: String,
        },
        /// The sheet does not exist, or the file has several sheets and the policy names none.
        #[error(
            "'{}' {}",
            path.display(),
            wanted.as_deref().map_or(
                "contains several sheets".to_owned(),
                |it| format!("has no sheet named '{it}'")
            )
        )]
        #[code("E-INPUT-039", "select a sheet with `table` in [input], or with --table")]
        NoSheet {
            /// Path of the file.
            path: PathBuf,
            /// Requested sheet.
            wanted: Option<String>,
            /// Names of the sheets that are not empty.
            sheets: Vec<String>,
        },
        /// The `count_column` does not contain positive integers.
        #[error("column '{column}' does not contain valid row counts")]
        #[code("E-INPUT-036", "choose a `count_column` with a positive integer in every row, such \
                as the result of COUNT(*); their sum must be below 2^32")]
        NoCount {
            /// Name of the column.
            column: String,
        },
        /// A quoted field is not closed, or a record exceeds the size limit.
        #[error(
            "'{}', line {line}: the record exceeds {limit_bytes} bytes or contains an unclosed \
             quote",
            path.display()
        )]
        #[code("E-INPUT-015", "close the quote; double each quote inside a quoted field")]
        OpenQuote {
            /// Path of the file.
            path: PathBuf,
            /// Number of the line on which the record starts; the first line is line 1.
            line: u64,
            /// Maximum size of a record in bytes.
            limit_bytes: usize,
        },
        /// Lines end with a carriage return only.
        #[error("the lines of '{}' end with a carriage return only", path.display())]
        #[code("E-INPUT-016", "convert the carriage returns to line feeds, for example with `tr \
                '\\r' '\\n'`")]
        LineEnds {
            /// Path of the file.
            path: PathBuf,
        },
        /// A line is not a flat JSON object, or its types differ from those of other lines.
        #[error("'{}', line {line}: expected a JSON object on one line", path.display())]
        #[code("E-INPUT-017", "write one object per line; each value must be a string, a number, \
                true, false, or null")]
        InvalidJson {
            /// Path of the file.
            path: PathBuf,
            /// Line number, starting at 1.
            line: u64,
            /// Parser message, which is not displayed because it may quote a cell.
            detail: String,
        },
        /// Two columns have the same name.
        #[error("'{}' has several columns named '{column}'", path.display())]
        #[code("E-INPUT-018", "rename one of the columns")]
        DuplicateColumn {
            /// Path of the file.
            path: PathBuf,
            /// Name that occurs twice.
            column: String,
        },
        /// The files of an input have different columns.
        #[error(
            "the columns of '{}' differ from the columns of '{}': {difference}",
            path.display(),
            first.display()
        )]
        #[code("E-INPUT-019", "use files with the same columns in the same order")]
        OtherColumns {
            /// Path of the file that differs.
            path: PathBuf,
            /// Path of the first file.
            first: PathBuf,
            /// Names of the differing columns, with their types if the types differ.
            difference: String,
        },
        /// The input has no such column.
        #[error("the input contains no column '{column}'")]
        #[code("E-INPUT-020", "check the name: it must be identical to a column name in the table")]
        UnknownColumn {
            /// Requested column name.
            column: String,
            /// Most similar existing column name.
            nearest: Option<String>,
        },
        /// A column is requested twice.
        #[error("column '{column}' is requested twice")]
        #[code("E-INPUT-021", "request each column only once")]
        RequestedTwice {
            /// Name of the column.
            column: String,
        },
        /// The type of a column is unsupported, such as a list.
        #[error("unsupported type of the {}", typed(columns))]
        #[code("E-INPUT-022", "flatten or omit these columns, for example with a `query` that \
                selects the others; `init` and `profile` accept --skip-unsupported")]
        UnsupportedType {
            /// Name and data type of each column.
            columns: Vec<(String, String)>,
        },
        /// A floating-point column contains NaN or infinite values.
        #[error(
            "column '{column}' contains {} NaN or infinite",
            words::counted(*n_rows, "value that is", "values that are")
        )]
        #[code("E-INPUT-023", "replace these values with nulls, or remove the rows")]
        NotFinite {
            /// Name of the column.
            column: String,
            /// Number of rows with such a value.
            n_rows: u64,
        },
        /// The column has missing values, which the policy forbids.
        #[error("column '{column}' has {}", words::count(*n_rows, "missing value"))]
        #[code("E-INPUT-024", "fill in the missing values, or allow them with `missing = \
                \"separate-value\"`")]
        MissingValues {
            /// Name of the column.
            column: String,
            /// Number of rows without a value.
            n_rows: u64,
        },
        /// A value that was read in the second pass did not occur in the first pass.
        #[error("column '{column}' contains a value that was absent in the first pass")]
        #[code("E-INPUT-025", "nothing was written; run the command again while no other process \
                writes to the input")]
        UnknownValue {
            /// Name of the column.
            column: String,
        },
        /// The table has too many columns.
        #[error("'{}' has more than {limit} columns", path.display())]
        #[code("E-INPUT-032", "check the delimiter; keep only the columns to be released")]
        TooWide {
            /// Path of the file.
            path: PathBuf,
            /// Maximum number of columns.
            limit: usize,
        },
        /// The number of columns exceeds the limit for counting.
        #[error("{got} columns were requested, but at most {limit} columns can be counted")]
        #[code("E-INPUT-028", "declare fewer quasi-identifiers and sensitive attributes in the \
                policy; without a policy, `profile` counts all columns")]
        TooManyColumns {
            /// Number of requested columns.
            got: usize,
            /// Maximum number of columns.
            limit: usize,
        },
        /// The number of distinct values or combinations exceeds the limit.
        #[error("{what} has more than {limit} distinct values")]
        #[code("E-INPUT-026", "omit the column, or generalize its values first")]
        TooMany {
            /// Column name, or a description of the table.
            what: String,
            /// Maximum number of values or combinations.
            limit: u64,
        },
        /// The files changed after their rows were counted.
        #[error("the input changed while Indistinct was reading it")]
        #[code("E-INPUT-027", "nothing was written; run the command again while no other process \
                writes to the input")]
        Changed {
            /// Size of the files in bytes when they were counted.
            counted_bytes: u64,
            /// Current size of the files in bytes.
            n_bytes: u64,
        },
    }
    wraps {
        /// A release cannot be written.
        Output(#[from] OutputError),
        /// A database table cannot be read or written.
        Table(#[from] TableError),
        /// An object store cannot be read or written.
        Object(#[from] ObjectError),
    }
    cancelled {
        /// The observer canceled the operation.
        Cancelled,
    }
    help {
        Self::OfStatistics { path, program, reader } => {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            let suggested = Path::new(name.as_ref()).with_extension("csv");
            // SAS stores value labels in a separate file, so this option does not apply to SAS
            // files.
            let labels = match *program {
                "SAS" => "",
                _ => ", apply_value_formats=True",
            };
            let or_build = match *program {
                "Stata" => "build the program with `--features stata`, or ",
                _ => "",
            };
            format!(
                "{or_build}convert the file to CSV with value labels in Python (pip install \
                 pyreadstat pandas): `import pyreadstat` and \
                 `pyreadstat.{reader}({name:?}{labels})[0].to_csv({:?}, index=False)`",
                suggested.display().to_string()
            )
        };
        Self::NotAFile { what: "a pipe", .. } =>
            "save the output of the pipe to a file first, because Indistinct reads the input more \
             than once";
        Self::EmptyFolder { .. } => format!(
                "add data files to the folder; files whose names start with '.' or '_' are \
                 ignored; known extensions: {}",
                Format::all_extensions()
            );
        Self::UnknownExtension { .. } => format!("use a known extension ({}), or set \
                                                  `format`", Format::all_extensions());
        Self::WrittenElsewhere => "remove `notation` from the attributes; cast text columns in a \
                                   `query` instead";
        Self::Ragged { row: 1, got, expected, .. } if got > expected =>
            "put fields that contain the delimiter or a line ending in double quotes; if a title \
             precedes the column names, skip it with `skip_rows` in [input] or --skip-rows";
        Self::DuplicateColumn { column, .. } if column.is_empty() =>
            "name all columns; if a title precedes the column names, skip it with `skip_rows` in \
             [input] or --skip-rows";
        Self::OneColumn { suggestion, .. } => format!(
                "the delimiter seems to be {}: {}; if the table has only one column, put its name \
                 in quotes",
                name_of(*suggestion),
                how_to_set(*suggestion)
            );
        Self::DelimiterLine { delimiter, .. } =>
            format!("remove the line from the file, and {}", how_to_set(*delimiter));
        Self::NoSheet { wanted, sheets, .. } => {
            let wanted = wanted.as_deref().unwrap_or_default().to_lowercase();
            let is_same = |sheet: &&String| sheet.trim().to_lowercase() == wanted.trim();
            let meant = sheets.iter().find(is_same);
            let meant = meant.map_or_else(String::new, |it| format!("did you mean '{it}'? "));
            let sheets = words::list_some(sheets, 10);
            format!(
                "{meant}set `table` in [input], or --table, to one of these sheets: {sheets}"
            )
        };
        Self::UnknownColumn { nearest: Some(nearest), .. } => format!("did you mean '{nearest}'?");
    }
}

impl EngineError {
    /// Adds the number of the row to an error about a value that cannot be converted.
    #[cfg(feature = "excel")]
    pub(crate) fn in_row(mut self, number: u64) -> Self {
        if let Self::NotWritten { row, .. } | Self::NotCoarsened { row, .. } = &mut self {
            *row = Some(number);
        }
        self
    }

    /// Converts an I/O error that occurred while reading a file or an object.
    pub(crate) fn reading(path: &Path, source: std::io::Error) -> Self {
        match source.downcast::<ObjectError>() {
            Ok(error) => Self::Object(error),
            Err(source) => Self::Read { path: path.to_owned(), source },
        }
    }
}

/// Formats the number of a row for messages.
fn in_row(row: Option<u64>) -> String {
    row.map_or_else(String::new, |row| format!(" (row {})", words::thousands(row)))
}

/// Formats a list of columns and their types for messages.
fn typed(columns: &[(String, String)]) -> String {
    let shown: Vec<String> =
        columns.iter().map(|(name, data_type)| format!("'{name}' ({data_type})")).collect();
    let noun = if columns.len() == 1 { "column" } else { "columns" };
    format!("{noun} {}", words::list_some(&shown, 20))
}

/// Returns the name of a delimiter for messages.
fn name_of(delimiter: u8) -> String {
    match delimiter {
        b'\t' => "tabs".to_owned(),
        other => format!("'{}'", char::from(other)),
    }
}

/// Explains how to set a delimiter other than the default.
fn how_to_set(delimiter: u8) -> String {
    let (in_policy, in_call) = match delimiter {
        b'\t' => ("\"\\t\"".to_owned(), "tab".to_owned()),
        other => (format!("\"{}\"", char::from(other)), name_of(other)),
    };
    format!(
        "set delimiter = {in_policy} in [input] of the policy; for commands without a policy, use \
         --delimiter {in_call}"
    )
}
