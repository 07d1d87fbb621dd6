//! The two tables of a release that separates quasi-identifiers from sensitive values (Anatomy).
//!
//! `quasi_identifiers` has a row for each released row of the input: its raw quasi-identifiers and the number of its class.
//! `sensitive` has a line for each class and sensitive value: how often the value occurs in the class. Nothing but the
//! number of the class joins them, and neither the numbers nor the order of rows say more: numbers are drawn by the key (or
//! follow from what is released, where it is sorted), and each table is ordered on its own.
//!
//! Insensitive columns belong to the person, as quasi-identifiers do, and are written beside these; beside the sensitive
//! values they would link the two. Where the rows of one counted tuple go to several classes, which row goes where is drawn
//! by the key, never by a fixed rule: the tuple has its sensitive value in it.

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
use super::tuples::{CodeOf, ReleasedTuples, sorted_values};
use super::{OutputFormat, RowOrder, WrittenFile};
use crate::EngineError;

/// The file of quasi-identifiers, without its extension.
pub const QUASI_IDENTIFIERS: &str = "quasi_identifiers";

/// The file of sensitive values, without its extension.
pub const SENSITIVE: &str = "sensitive";

/// The column of values in the table of sensitive values.
pub const VALUE: &str = COLUMNS_OF_SENSITIVE[0];

/// The column that says how often a value occurs in a class, in the table of sensitive values.
pub const COUNT: &str = COLUMNS_OF_SENSITIVE[1];

/// What is to be written in two tables, and how.
pub struct AnatomyRequest<'a> {
    /// What the certifier allows to be written.
    pub release: &'a AnatomyRelease<'a>,
    /// The columns of the table of quasi-identifiers, in the order in which they are released: quasi-identifiers, insensitive
    /// ones and, once, the class.
    pub columns: Vec<OutputColumn>,
    /// The type of the sensitive attribute in the input, which Parquet output keeps.
    pub sensitive_type: DataType,
    /// The format.
    pub format: OutputFormat,
    /// The order of rows and lines.
    pub order: RowOrder,
    /// What decides the numbers of classes and which rows of a divided tuple go where, whatever the order. Nobody else
    /// knows it: from the seed and a digest of the private input.
    pub key: [u8; 32],
    /// How many threads work; at least 1. The bytes do not depend on it.
    pub threads: usize,
    /// A private folder for temporary files, used with insensitive columns only.
    pub scratch: &'a Path,
    /// Where to write the number of the class that each row of the input is in; see
    /// [`WriteRequest::mapping`](super::WriteRequest::mapping).
    pub mapping: Option<&'a Path>,
}

impl std::fmt::Debug for AnatomyRequest<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // The key is never shown.
        let mut shown = f.debug_struct("AnatomyRequest");
        shown.field("columns", &self.columns).field("format", &self.format);
        shown.field("order", &self.order).finish_non_exhaustive()
    }
}

/// The two written files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WrittenTables {
    /// The table of quasi-identifiers; its rows are those of the input that are released.
    pub quasi_identifiers: WrittenFile,
    /// The table of sensitive values; its rows are pairs of class and value.
    pub sensitive: WrittenFile,
    /// For each class of the release the number that it has in both tables, from 1. The holder's to know.
    pub class_numbers: Vec<u32>,
}

/// Writes the two tables to new files in a folder, [`QUASI_IDENTIFIERS`] and [`SENSITIVE`] with the extension of the format,
/// which only their owner may read (mode 0600). Otherwise as [`write_rows`](super::write_rows).
///
/// Sorted, classes are numbered in the order of their quasi-identifiers, then of their sensitive values; otherwise at random.
///
/// # Errors
/// [`EngineError`]; neither file is left behind then.
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

/// Writes the two tables to any writers; the paths are for messages.
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
    // Where a counted column comes from matters to the encoders only for the class.
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

/// The one column of classes.
fn class_column(columns: &[OutputColumn]) -> Result<&OutputColumn, EngineError> {
    let invalid = |column: &str, reason| -> EngineError {
        OutputError::InvalidColumn { column: column.to_owned(), reason }.into()
    };
    let mut classes = columns.iter().filter(|column| column.source == ColumnSource::Class);
    let class = classes.next();
    let class = class.ok_or_else(|| invalid("class", "the tables are joined by it"))?;
    if let Some(second) = classes.next() {
        return Err(invalid(&second.name, "the class is already a column"));
    }
    match [VALUE, COUNT].contains(&class.name.as_str()) {
        true => Err(invalid(&class.name, "the table of sensitive values has such a column")),
        false => Ok(class),
    }
}

/// For each quasi-identifier that is released where its codes come from, and its values.
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
                return Err(invalid("sensitive values have a table of their own"));
            }
            ColumnSource::GivenClass(_) => {
                return Err(invalid("the numbers of classes are drawn, not given"));
            }
            ColumnSource::Insensitive(_) | ColumnSource::Class => continue,
        };
        let counted = table.quasi_identifiers().get(attribute);
        let counted = counted.ok_or_else(|| invalid("there is no such quasi-identifier"))?;
        let (values, released) = released_values(counted, class_of);
        sources.push(CodeOf::Raw { attribute, released });
        all_values.push(values);
    }
    Ok((sources, all_values))
}

/// The values of a column that are released, sorted, and for each value its place among them.
fn released_values(
    column: &indistinct_core::model::CountedColumn,
    class_of: &[u32],
) -> (Vec<String>, Vec<u32>) {
    let mut occurs = vec![false; column.dictionary.len()];
    for (&code, &class) in column.codes.iter().zip(class_of) {
        occurs[code as usize] |= class != DROPPED;
    }
    sorted_values(column.dictionary.values(), &occurs)
}

/// For each class its released number, from 0.
///
/// What a search or the certifier numbers first may depend on how rows and sensitive values go together, which nobody must
/// learn; so does which of two classes comes first that have the same released rows and sensitive values.
fn class_numbers(request: &AnatomyRequest<'_>, sources: &[CodeOf]) -> Vec<u32> {
    let n_classes = request.release.n_classes();
    let drawn = Permutation::keyed(n_classes, request.key, Purpose::Classes);
    let drawn: Vec<u32> = (0..n_classes).map(|class| drawn.of(class) as u32).collect();
    if let RowOrder::Shuffled { .. } = request.order {
        return drawn;
    }
    let rows = contents(request.release, sources);
    let values = &request.release.table().sensitive()[0];
    let (_, released) = released_values(values, request.release.class_of());
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

/// For each class which tuples of the released columns it has, by their rank, ascending, each with its number of rows.
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

/// The lines of the table of sensitive values: class, value, count.
fn lines(
    release: &AnatomyRelease<'_>,
    numbers: &[u32],
    class_texts: Vec<String>,
) -> ReleasedTuples {
    let (table, class_of) = (release.table(), release.class_of());
    let column = &table.sensitive()[0];
    let (values, released) = released_values(column, class_of);
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
