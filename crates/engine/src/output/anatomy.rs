//! The two tables of a release that separates quasi-identifiers from sensitive values (Anatomy).
//!
//! `quasi_identifiers` contains a row for each released row of the input, with the original
//! quasi-identifiers and the number of the class. `sensitive` contains a row for each pair of class
//! and sensitive value, with the number of times that the value occurs in the class. Only the class
//! number links the two tables. Class numbers and the order of rows disclose nothing else. If the
//! release is sorted, the numbers follow from the released values; otherwise, they are random
//! numbers derived from the key. Each table is ordered independently.
//!
//! Insensitive columns are written to the table of quasi-identifiers because both describe the
//! person. In the table of sensitive values, these columns would link the two tables. If the rows
//! of one counted tuple belong to several classes, the key determines the class of each row at
//! random. A fixed rule would disclose information, because a counted tuple includes the sensitive
//! value.

use std::io::Write;
use std::path::{Path, PathBuf};

use arrow_schema::DataType;
use indistinct_core::model::sum_by_key;
use indistinct_core::recoding::COLUMNS_OF_SENSITIVE;
use indistinct_core::{AnatomyRelease, DROPPED, Observer};

use super::assignment::Assignment;
use super::columns::{ColumnSource, OutputColumn};
use super::file::create_private;
use super::layout::Limits;
use super::mapping::Mapping;
use super::output_error::OutputError;
use super::permutation::{Permutation, Purpose};
use super::rows::{Output, UncountedColumns, no_second_pass};
use super::second_pass::SecondPass;
use super::tuples::{CodeOf, ReleasedTuples, values_of_classes};
use super::{OutputFormat, RowOrder, WrittenFile};
use crate::EngineError;

/// Name of the quasi-identifier file, without extension.
pub const QUASI_IDENTIFIERS: &str = "quasi_identifiers";

/// Name of the file of sensitive values, without extension.
pub const SENSITIVE: &str = "sensitive";

/// Name of the value column in the table of sensitive values.
pub const VALUE: &str = COLUMNS_OF_SENSITIVE[0];

/// Name of the column with the number of occurrences of a value in a class, in the table of
/// sensitive values.
pub const COUNT: &str = COLUMNS_OF_SENSITIVE[1];

/// Description of the two tables to write.
pub struct AnatomyRequest<'a> {
    /// Release approved by the certifier.
    pub release: &'a AnatomyRelease<'a>,
    /// Columns of the table of quasi-identifiers in the order of release: quasi-identifiers,
    /// insensitive columns, and exactly one class column.
    pub columns: Vec<OutputColumn>,
    /// Input type of the sensitive attribute, which Parquet output preserves.
    pub sensitive_type: DataType,
    /// Output format.
    pub format: OutputFormat,
    /// Order of the rows in both tables.
    pub order: RowOrder,
    /// Secret key that determines the class numbers and the assignment of the rows of a divided
    /// tuple, regardless of the row order. The key is derived from the seed and a digest of the
    /// private input.
    pub key: [u8; 32],
    /// Number of threads, at least 1. The output does not depend on the number of threads.
    pub threads: usize,
    /// Private folder for temporary files, which are needed only for insensitive columns.
    pub scratch: &'a Path,
    /// File for the class number of each input row, if requested; see
    /// [`WriteRequest::mapping`](super::WriteRequest::mapping).
    pub mapping: Option<&'a Path>,
}

impl std::fmt::Debug for AnatomyRequest<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // Debug output must not contain the key.
        let mut shown = f.debug_struct("AnatomyRequest");
        shown.field("columns", &self.columns).field("format", &self.format);
        shown.field("order", &self.order).finish_non_exhaustive()
    }
}

/// The two written files of a release.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WrittenTables {
    /// The table of quasi-identifiers, with a row for each released row of the input.
    pub quasi_identifiers: WrittenFile,
    /// The table of sensitive values, with a row for each pair of class and value.
    pub sensitive: WrittenFile,
    /// The number of each class in both tables, starting at 1. The numbers are for the data holder
    /// only.
    pub class_numbers: Vec<u32>,
}

/// Writes the two tables as new files in a folder, named [`QUASI_IDENTIFIERS`] and [`SENSITIVE`]
/// with the extension of the format. Only the owner can read the files (mode 0600). In all other
/// respects, the function behaves like [`write_rows`](super::write_rows).
///
/// In a sorted release, classes are numbered in the order of their quasi-identifiers, then of their
/// sensitive values. Otherwise, the numbers are random.
///
/// # Errors
/// Returns [`EngineError`] if the tables cannot be written. In that case, neither file remains.
pub fn write_anatomy(
    folder: &Path,
    request: &AnatomyRequest<'_>,
    second_pass: Option<&dyn SecondPass>,
    observer: &dyn Observer,
) -> Result<WrittenTables, EngineError> {
    let path = |name: &str| folder.join(format!("{name}.{}", request.format.extension()));
    let paths = [path(QUASI_IDENTIFIERS), path(SENSITIVE)];
    let first = create_private(&paths[0])?;
    let second = create_private(&paths[1]).inspect_err(|_| {
        let _ = std::fs::remove_file(&paths[0]);
    })?;
    let limits = Limits::default();
    let files = ([&*paths[0], &*paths[1]], first, second);
    let written = write_to(files, request, second_pass, observer, limits);
    if written.is_err() {
        for path in paths.iter().map(PathBuf::as_path).chain(request.mapping) {
            let _ = std::fs::remove_file(path);
        }
    }
    written.map(|(_, _, written)| written)
}

/// Writes the two tables to arbitrary writers; the paths are used in messages.
pub(super) fn write_to<W: Write + Send>(
    (paths, quasi_identifiers, sensitive): ([&Path; 2], W, W),
    request: &AnatomyRequest<'_>,
    second_pass: Option<&dyn SecondPass>,
    observer: &dyn Observer,
    limits: Limits,
) -> Result<(W, W, WrittenTables), EngineError> {
    let class_column = class_column(&request.columns)?;
    let release = request.release;
    let (mut sources, mut values) = raw_values(request)?;
    let numbers = class_numbers(request, &sources);
    let n_classes = numbers.len();
    let texts = || (1..=n_classes).map(|number| number.to_string()).collect::<Vec<_>>();
    let is_counted =
        |column: &&OutputColumn| !matches!(column.source, ColumnSource::Insensitive(_));
    let counted = request.columns.iter().filter(is_counted);
    let at = counted.take_while(|column| column.source != ColumnSource::Class).count();
    sources.insert(at, CodeOf::Class(numbers.clone()));
    values.insert(at, texts());

    let (tuples, released_of) =
        ReleasedTuples::of_classes(release.table(), release.class_of(), &sources, values);
    let output = |path, columns, purpose, mapping| Output {
        path,
        columns,
        format: request.format,
        order: request.order,
        purpose,
        threads: request.threads,
        scratch: request.scratch,
        limits,
        mapping,
    };
    let uncounted = |column: &str| {
        let source = second_pass.ok_or_else(|| no_second_pass(column))?;
        let table = release.counted();
        let assignment = Assignment::new(table, release.parts(), &released_of, request.key);
        Ok(UncountedColumns { source, table, assignment })
    };
    let number = |tuple: u32| {
        let class = release.class_of()[tuple as usize];
        u64::from(numbers[class as usize]) + 1
    };
    let mapping = request.mapping.map(|path| Mapping::of_classes(path, &released_of, number));
    let rows = output(paths[0], &request.columns, Purpose::Rows, mapping);
    let (quasi_identifiers, of_rows) =
        rows.write(&tuples, uncounted, observer, quasi_identifiers)?;

    let lines = lines(release, &numbers, texts());
    // For counted columns, the encoders distinguish only the class column from all other columns.
    let column = |name: &str, data_type| OutputColumn {
        name: name.to_owned(),
        source: ColumnSource::Sensitive(0),
        data_type,
    };
    let columns = [
        class_column.clone(),
        column(VALUE, request.sensitive_type.clone()),
        column(COUNT, DataType::Int64),
    ];
    let output = output(paths[1], &columns, Purpose::SensitiveValues, None);
    let counted = |column: &str| Err(no_second_pass(column));
    let (sensitive, of_lines) = output.write(&lines, counted, observer, sensitive)?;
    let written = WrittenTables {
        quasi_identifiers: of_rows,
        sensitive: of_lines,
        class_numbers: numbers.iter().map(|number| number + 1).collect(),
    };
    Ok((quasi_identifiers, sensitive, written))
}

/// Returns the only class column, or an error if there are none or several.
fn class_column(columns: &[OutputColumn]) -> Result<&OutputColumn, EngineError> {
    let invalid = |column: &str, reason| -> EngineError {
        OutputError::InvalidColumn { column: column.to_owned(), reason }.into()
    };
    let mut classes = columns.iter().filter(|column| column.source == ColumnSource::Class);
    let class = classes.next();
    let class = class
        .ok_or_else(|| invalid("class", "a class column is required to join the two tables"))?;
    if let Some(second) = classes.next() {
        return Err(invalid(&second.name, "the release already has a class column"));
    }
    match [VALUE, COUNT].contains(&class.name.as_str()) {
        true => {
            Err(invalid(&class.name, "the table of sensitive values has a column of the same name"))
        }
        false => Ok(class),
    }
}

/// Returns the values of each released quasi-identifier and the source of the codes of
/// these values.
fn raw_values(
    request: &AnatomyRequest<'_>,
) -> Result<(Vec<CodeOf>, Vec<Vec<String>>), EngineError> {
    let (table, class_of) = (request.release.table(), request.release.class_of());
    let (mut sources, mut all_values) = (Vec::new(), Vec::new());
    for column in &request.columns {
        let invalid = |reason| -> EngineError {
            OutputError::InvalidColumn { column: column.name.clone(), reason }.into()
        };
        let attribute = match column.source {
            ColumnSource::QuasiIdentifier(attribute) => attribute,
            ColumnSource::Sensitive(_) => {
                return Err(invalid("sensitive values are written to a separate table"));
            }
            ColumnSource::GivenClass(_) => {
                return Err(invalid("the class numbers are random and cannot be specified"));
            }
            ColumnSource::Insensitive(_) | ColumnSource::Class => continue,
        };
        let counted = table.quasi_identifiers().get(attribute);
        let counted = counted.ok_or_else(|| invalid("the quasi-identifier does not exist"))?;
        let (values, released) = values_of_classes(counted, class_of);
        sources.push(CodeOf::Raw { attribute, released });
        all_values.push(values);
    }
    Ok((sources, all_values))
}

/// Assigns a released number to each class, starting at 0.
///
/// The numbers that a search or the certifier assigns may depend on the joint distribution of
/// quasi-identifiers and sensitive values, which must not be disclosed. For the same reason, ties
/// between classes with equal released rows and sensitive values are broken at random.
fn class_numbers(request: &AnatomyRequest<'_>, sources: &[CodeOf]) -> Vec<u32> {
    let n_classes = request.release.n_classes();
    let drawn = Permutation::keyed(n_classes, request.key, Purpose::Classes);
    let drawn: Vec<u32> = (0..n_classes).map(|class| drawn.of(class) as u32).collect();
    if let RowOrder::Shuffled { .. } = request.order {
        return drawn;
    }
    let rows = contents(request.release, sources);
    let values = &request.release.table().sensitive()[0];
    let (_, released) = values_of_classes(values, request.release.class_of());
    let values = contents(request.release, &[CodeOf::Sensitive { attribute: 0, released }]);
    let mut in_order: Vec<u32> = (0..n_classes as u32).collect();
    in_order.sort_unstable_by(|&a, &b| {
        let (first, second) = (a as usize, b as usize);
        rows[first]
            .cmp(&rows[second])
            .then_with(|| values[first].cmp(&values[second]))
            .then_with(|| drawn[first].cmp(&drawn[second]))
    });
    let mut numbers = vec![0; in_order.len()];
    for (number, class) in (0..).zip(in_order) {
        numbers[class as usize] = number;
    }
    numbers
}

/// Returns the tuples of the released columns for each class, as ascending ranks with their number
/// of rows.
fn contents(release: &AnatomyRelease<'_>, sources: &[CodeOf]) -> Vec<Vec<(u32, u64)>> {
    let (table, class_of) = (release.table(), release.class_of());
    let mut of_tuple: Vec<(Vec<u32>, usize)> = (0..table.n_tuples())
        .filter(|&tuple| class_of[tuple] != DROPPED)
        .map(|tuple| (sources.iter().map(|code| code.get(table, tuple, 0)).collect(), tuple))
        .collect();
    of_tuple.sort_unstable();
    let mut contents: Vec<Vec<(u32, u64)>> = vec![Vec::new(); release.n_classes() as usize];
    for (rank, same) in (0..).zip(of_tuple.chunk_by(|a, b| a.0 == b.0)) {
        for (_, tuple) in same {
            let content = &mut contents[class_of[*tuple] as usize];
            let rows = table.counts()[*tuple];
            match content.last_mut().filter(|last| last.0 == rank) {
                Some(last) => last.1 += rows,
                None => content.push((rank, rows)),
            }
        }
    }
    contents
}

/// Returns the rows of the table of sensitive values: class, value, and count.
fn lines(
    release: &AnatomyRelease<'_>,
    numbers: &[u32],
    class_texts: Vec<String>,
) -> ReleasedTuples {
    let (table, class_of) = (release.table(), release.class_of());
    let column = &table.sensitive()[0];
    let (values, released) = values_of_classes(column, class_of);
    let mut lines: Vec<((u32, u32), u64)> = class_of
        .iter()
        .zip(&column.codes)
        .zip(table.counts())
        .filter(|((class, _), _)| **class != DROPPED)
        .map(|((&class, &code), &rows)| ((numbers[class as usize], released[code as usize]), rows))
        .collect();
    sum_by_key(&mut lines);
    let mut counts: Vec<u64> = lines.iter().map(|line| line.1).collect();
    counts.sort_unstable();
    counts.dedup();
    let count_texts = counts.iter().map(u64::to_string).collect();
    let place = |count: u64| counts.partition_point(|other| *other < count) as u32;
    let code = |column: usize, line: usize| {
        let ((class, value), count) = lines[line];
        match column {
            0 => class,
            1 => value,
            _ => place(count),
        }
    };
    let all = vec![class_texts, values, count_texts];
    ReleasedTuples::of_rows(all, &vec![1; lines.len()], code).0
}
