//! Small tables with their releases and expected output.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::sync::Arc;

use arrow_array::{Array, ArrayRef, Int64Array, RecordBatch, StringArray};
use arrow_schema::{DataType, Field, Schema};
use indistinct_core::hierarchy::HierarchyLevel;
use indistinct_core::model::CountedColumn;
use indistinct_core::{
    Dictionary, FrequencyTable, Generalization, Hierarchy, Policy, Rational, Recoding, STAR,
    Silent, SuppressionRule, certify, parse_decimal,
};
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use proptest::prelude::*;

use crate::output::layout::Limits;
use crate::output::rows::write_to;
use crate::output::second_pass::SecondPass;
use crate::output::{
    ColumnSource, OutputColumn, OutputFormat, RowOrder, WriteRequest, WrittenFile,
};
use crate::{Batches, EngineError, Input, InputSpec, cell_text};

/// Limits so low that lines are assembled from cells and all rows pass through several temporary
/// files.
pub(super) const TIGHT: Limits =
    Limits { line_bytes: 1, buffer_bytes: 700, bucket_rows: 3, n_files: 2 };

/// A row with age, city, disease, and a note that is not counted.
pub(super) type Row = (String, String, String, Option<i64>);

/// A table with its recoding and output settings.
#[derive(Debug, Clone)]
pub(super) struct Case {
    pub(super) rows: Vec<Row>,
    pub(super) levels: Vec<usize>,
    pub(super) suppress: Vec<bool>,
    pub(super) suppressed: SuppressionRule,
    pub(super) columns: Vec<ColumnSource>,
    pub(super) format: OutputFormat,
    pub(super) order: RowOrder,
}

pub(super) const AGES: [&str; 6] = ["", "7", "10", "9", "30", "-2"];
const CITIES: [&str; 5] = ["", "Rome, \"old\"", "a\nb", "Zürich", "=1+1"];
const DISEASES: [&str; 4] = ["flu", "", "ulcer", "10"];

/// Returns the formats that this build supports.
pub(super) fn formats() -> Vec<OutputFormat> {
    let all = [OutputFormat::Csv { delimiter: b',' }, OutputFormat::Parquet, OutputFormat::Xlsx];
    all.into_iter().filter(|format| format.check(0).is_ok()).collect()
}

/// Generates cases with the given columns, in random order and with random additional columns.
pub(super) fn cases(columns: Vec<ColumnSource>) -> impl Strategy<Value = Case> {
    let row = (0..AGES.len(), 0..CITIES.len(), 0..DISEASES.len(), proptest::option::of(0..5i64));
    let rows = proptest::collection::vec(row, 0..60);
    let formats = proptest::sample::select(formats());
    let orders = prop_oneof![
        Just(RowOrder::Sorted),
        any::<u8>().prop_map(|key| RowOrder::Shuffled { key: [key; 32] })
    ];
    let suppressed = prop_oneof![Just(SuppressionRule::Dropped), Just(SuppressionRule::Starred)];
    (
        rows,
        proptest::collection::vec(0..3usize, 2),
        proptest::collection::vec(proptest::bool::weighted(0.2), 120),
        suppressed,
        Just(columns).prop_shuffle(),
        formats,
        orders,
    )
        .prop_map(|(rows, levels, suppress, suppressed, columns, format, order)| Case {
            rows: rows
                .into_iter()
                .map(|(age, city, disease, note)| {
                    (
                        AGES[age].to_owned(),
                        CITIES[city].to_owned(),
                        DISEASES[disease].to_owned(),
                        note,
                    )
                })
                .collect(),
            levels,
            suppress,
            suppressed,
            columns,
            format,
            order,
        })
}

/// Builds a hierarchy of original values, first characters, and `*`.
fn hierarchy(dictionary: &Dictionary) -> Hierarchy {
    let raw = dictionary.values().to_vec();
    let mut firsts: Vec<String> = Vec::new();
    let first: Vec<u32> = raw
        .iter()
        .map(|value| {
            let label: String = value.chars().take(1).chain("_".chars()).collect();
            firsts.iter().position(|known| *known == label).unwrap_or_else(|| {
                firsts.push(label);
                firsts.len() - 1
            }) as u32
        })
        .collect();
    let n = raw.len();
    let covered = |labels: &[String]| vec![1; labels.len()];
    let levels = vec![
        HierarchyLevel { map: (0..n as u32).collect(), covered: covered(&raw), labels: raw },
        HierarchyLevel { map: first, covered: covered(&firsts), labels: firsts },
        HierarchyLevel { map: vec![0; n], labels: vec![STAR.to_owned()], covered: vec![n as u64] },
    ];
    Hierarchy::new(levels, n as u64).expect("the levels are nested")
}

fn counted(name: &str, cells: &[&str]) -> CountedColumn {
    let mut distinct: Vec<String> = cells.iter().map(|cell| (*cell).to_owned()).collect();
    distinct.sort();
    distinct.dedup();
    let (dictionary, _) = Dictionary::from_distinct(distinct);
    let code = |cell: &&str| dictionary.code_of(cell).expect("every cell is in the dictionary");
    let codes = cells.iter().map(code).collect();
    CountedColumn { name: name.to_owned(), codes, dictionary }
}

/// A written file, parsed into cells.
#[derive(Debug)]
pub(super) struct Out {
    pub(super) bytes: Vec<u8>,
    pub(super) header: Vec<String>,
    pub(super) rows: Vec<Vec<String>>,
    pub(super) written: WrittenFile,
}

impl Case {
    pub(super) fn table(&self) -> FrequencyTable {
        let column = |pick: fn(&Row) -> &str| self.rows.iter().map(pick).collect::<Vec<_>>();
        FrequencyTable::new(
            vec![counted("age", &column(|row| &row.0)), counted("city", &column(|row| &row.1))],
            vec![counted("disease", &column(|row| &row.2))],
            vec![1; self.rows.len()],
        )
        .expect("the columns and counts have the same length")
    }

    pub(super) fn hierarchies(table: &FrequencyTable) -> Vec<Hierarchy> {
        table.quasi_identifiers().iter().map(|column| hierarchy(&column.dictionary)).collect()
    }

    /// Computes the released rows from the definition, with `?` instead of class numbers.
    pub(super) fn expected(&self) -> Vec<Vec<String>> {
        let table = self.table();
        let hierarchies = Self::hierarchies(&table);
        let mut rows = Vec::new();
        for (age, city, disease, note) in &self.rows {
            let codes: Vec<u32> = table
                .columns()
                .zip([age, city, disease])
                .map(|(column, cell)| {
                    column.dictionary.code_of(cell).expect("the cell is in the dictionary")
                })
                .collect();
            let tuple = (0..table.n_tuples())
                .find(|&at| {
                    table.columns().map(|column| column.codes[at]).eq(codes.iter().copied())
                })
                .expect("every row was counted");
            let suppressed = self.suppress[tuple];
            if suppressed && self.suppressed == SuppressionRule::Dropped {
                continue;
            }
            let cell = |source: &ColumnSource| match source {
                ColumnSource::QuasiIdentifier(_) if suppressed => STAR.to_owned(),
                ColumnSource::QuasiIdentifier(at) => {
                    hierarchies[*at].label(self.levels[*at], codes[*at]).to_owned()
                }
                ColumnSource::Sensitive(_) => disease.clone(),
                ColumnSource::Insensitive(_) => note.map_or(String::new(), |note| note.to_string()),
                ColumnSource::Class | ColumnSource::GivenClass(_) => "?".to_owned(),
            };
            rows.push(self.columns.iter().map(cell).collect());
        }
        rows
    }

    pub(super) fn output_columns(&self) -> Vec<OutputColumn> {
        let of = |source: &ColumnSource| {
            let (name, data_type) = match source {
                ColumnSource::QuasiIdentifier(0) => ("released age", DataType::Int64),
                ColumnSource::QuasiIdentifier(_) => ("city", DataType::Utf8),
                ColumnSource::Sensitive(_) => ("disease", DataType::LargeUtf8),
                ColumnSource::Insensitive(_) => ("note, \"free\"", DataType::Int64),
                ColumnSource::Class | ColumnSource::GivenClass(_) => ("class", DataType::Utf8),
            };
            OutputColumn { name: name.to_owned(), source: source.clone(), data_type }
        };
        self.columns.iter().map(of).collect()
    }

    /// Returns the rows as a table that can be streamed.
    pub(super) fn source(&self) -> Rows {
        Rows { rows: self.rows.clone(), batch_rows: 7, changed: false }
    }

    /// Writes the release to a writer.
    pub(super) fn write_to<W: Write + Send>(
        &self,
        threads: usize,
        source: Option<&dyn SecondPass>,
        limits: Limits,
        out: W,
    ) -> Result<(W, WrittenFile), EngineError> {
        let table = self.table();
        let policy = Policy {
            hierarchies: Self::hierarchies(&table),
            requirements: Vec::new(),
            suppression_limit: Rational::from_integer(1),
            suppressed: self.suppressed,
            published: indistinct_core::ClassColumn::Absent,
        };
        let recoding = Recoding {
            generalization: Generalization::of_levels(self.levels.clone()),
            suppressed: self.suppress[..table.n_tuples()].to_vec(),
            sensitive: None,
        };
        let release = certify(&table, &policy, &recoding)
            .expect("a policy without requirements is satisfied");
        let scratch = tempfile::tempdir().expect("a temporary folder can be created");
        let request = WriteRequest {
            release: &release,
            columns: self.output_columns(),
            format: self.format,
            order: self.order,
            threads,
            scratch: scratch.path(),
            mapping: None,
        };
        let result = write_to(Path::new("data"), &request, source, &Silent, limits, out);
        let left = std::fs::read_dir(scratch.path()).expect("the folder still exists").count();
        assert_eq!(left, 0, "no temporary files remain");
        result
    }

    /// Writes the release and reads it back.
    pub(super) fn write(&self, threads: usize, limits: Limits) -> Result<Out, EngineError> {
        let source = self.source();
        let (bytes, written) = self.write_to(threads, Some(&source), limits, Vec::new())?;
        check_form(self.format, &bytes).expect("a written file has the form of a release");
        Ok(read(self.format, bytes, written))
    }

    /// Returns the rows in ascending order, with `?` instead of class numbers.
    pub(super) fn multiset(&self, rows: &[Vec<String>]) -> Vec<Vec<String>> {
        let mut rows = rows.to_vec();
        for row in &mut rows {
            for (cell, source) in row.iter_mut().zip(&self.columns) {
                if *source == ColumnSource::Class {
                    *cell = "?".to_owned();
                }
            }
        }
        rows.sort();
        rows
    }

    /// Checks that class numbers start at 1 and distinguish exactly the rows with different
    /// released labels.
    pub(super) fn check_classes(&self, rows: &[Vec<String>]) {
        let Some(at) = self.columns.iter().position(|column| *column == ColumnSource::Class) else {
            return;
        };
        let mut number_of: BTreeMap<Vec<&str>, &str> = BTreeMap::new();
        for row in rows {
            let labels = row.iter().zip(&self.columns).filter_map(|(cell, source)| {
                matches!(source, ColumnSource::QuasiIdentifier(_)).then_some(cell.as_str())
            });
            let number = number_of.entry(labels.collect()).or_insert(&row[at]);
            assert_eq!(*number, row[at]);
        }
        let mut numbers: Vec<u64> =
            number_of.values().map(|number| number.parse().expect("a number")).collect();
        numbers.sort_unstable();
        assert_eq!(numbers, (1..=number_of.len() as u64).collect::<Vec<_>>());
    }

    /// Checks that rows are sorted by their cells, as documented.
    pub(super) fn check_sorted(&self, rows: &[Vec<String>]) {
        let numeric: Vec<bool> = (0..self.columns.len())
            .map(|at| rows.iter().all(|row| row[at].is_empty() || parse_decimal(&row[at]).is_ok()))
            .collect();
        let compare = |a: &[String], b: &[String]| {
            a.iter().zip(b).zip(&numeric).fold(Ordering::Equal, |so_far, ((a, b), numeric)| {
                so_far.then_with(|| match numeric {
                    true => parse_decimal(a).ok().cmp(&parse_decimal(b).ok()),
                    false => a.cmp(b),
                })
            })
        };
        assert!(rows.windows(2).all(|pair| compare(&pair[0], &pair[1]).is_le()), "{rows:?}");
    }
}

/// Opens a file as a part of a release and checks its form.
pub(super) fn check_form(format: OutputFormat, bytes: &[u8]) -> Result<(), EngineError> {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join(format!("data.{}", format.extension()));
    std::fs::write(&path, bytes).expect("written");
    let delimiter = match format {
        OutputFormat::Csv { delimiter } | OutputFormat::SpreadsheetCsv { delimiter } => {
            Some(delimiter)
        }
        OutputFormat::Parquet | OutputFormat::Xlsx => None,
    };
    let input = Input::open_released(&InputSpec { path, delimiter, ..InputSpec::default() })?;
    let names: Vec<String> = input.columns().iter().map(|column| column.name.clone()).collect();
    input.check_plain(&names, &Silent)
}

/// Parses a written file.
pub(super) fn read(format: OutputFormat, bytes: Vec<u8>, written: WrittenFile) -> Out {
    let (header, rows) = match format {
        OutputFormat::Csv { .. } | OutputFormat::SpreadsheetCsv { .. } => read_csv(&bytes),
        OutputFormat::Parquet => read_parquet(&bytes),
        OutputFormat::Xlsx => read_sheet(&bytes),
    };
    Out { bytes, header, rows, written }
}

fn read_csv(bytes: &[u8]) -> (Vec<String>, Vec<Vec<String>>) {
    let mut reader = csv::ReaderBuilder::new().flexible(false).from_reader(bytes);
    let texts = |record: &csv::StringRecord| record.iter().map(str::to_owned).collect::<Vec<_>>();
    let header = texts(reader.headers().expect("there is a header"));
    let rows =
        reader.records().map(|record| texts(&record.expect("each record is complete"))).collect();
    (header, rows)
}

fn read_sheet(bytes: &[u8]) -> (Vec<String>, Vec<Vec<String>>) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("data.xlsx");
    std::fs::write(&path, bytes).expect("the file is writable");
    let spec = InputSpec { path, ..InputSpec::default() };
    let input = Input::open_released(&spec).expect("the spreadsheet is a valid release");
    let header = input.columns().iter().map(|column| column.name.clone()).collect();
    (header, input.memory().expect("a sheet").texts().expect("plain"))
}

pub(super) fn parquet_reader(bytes: &[u8]) -> ParquetRecordBatchReaderBuilder<File> {
    let mut file = tempfile::tempfile().expect("a temporary file can be created");
    file.write_all(bytes).expect("the file is writable");
    ParquetRecordBatchReaderBuilder::try_new(file).expect("the file is complete")
}

fn read_parquet(bytes: &[u8]) -> (Vec<String>, Vec<Vec<String>>) {
    let builder = parquet_reader(bytes);
    let header = builder.schema().fields().iter().map(|field| field.name().clone()).collect();
    let mut rows = Vec::new();
    for batch in builder.build().expect("the file can be read") {
        let batch = batch.expect("the file can be read");
        for row in 0..batch.num_rows() {
            let cell = |array: &ArrayRef| {
                assert!(
                    array.is_null(row)
                        || !cell_text(array, row, "")
                            .expect("the cell has a canonical text")
                            .is_empty(),
                    "a missing value is null"
                );
                cell_text(array, row, "").expect("the cell has a canonical text").into_owned()
            };
            rows.push(batch.columns().iter().map(cell).collect());
        }
    }
    (header, rows)
}

/// In-memory rows that can be streamed.
#[derive(Debug, Clone)]
pub(super) struct Rows {
    pub(super) rows: Vec<Row>,
    pub(super) batch_rows: usize,
    pub(super) changed: bool,
}

impl SecondPass for Rows {
    fn batches(&self, columns: &[String], _: &[String]) -> Result<Batches, EngineError> {
        let columns = columns.to_vec();
        let batches: Vec<_> = self
            .rows
            .chunks(self.batch_rows)
            .map(|rows| {
                let text = |pick: fn(&Row) -> &str| -> ArrayRef {
                    Arc::new(rows.iter().map(|row| Some(pick(row))).collect::<StringArray>())
                };
                let arrays: Vec<(Field, ArrayRef)> = columns
                    .iter()
                    .map(|name| {
                        let array: ArrayRef = match name.as_str() {
                            "age" => text(|row| &row.0),
                            "city" => text(|row| &row.1),
                            "disease" => text(|row| &row.2),
                            "note" => {
                                Arc::new(rows.iter().map(|row| row.3).collect::<Int64Array>())
                            }
                            other => unreachable!("no column {other}"),
                        };
                        (Field::new(name, array.data_type().clone(), true), array)
                    })
                    .collect();
                let (fields, arrays): (Vec<_>, Vec<_>) = arrays.into_iter().unzip();
                let schema = Arc::new(Schema::new(fields));
                Ok(RecordBatch::try_new(schema, arrays).expect("the columns have the same length"))
            })
            .collect();
        Ok(Box::new(batches.into_iter()))
    }

    fn verify_unchanged(&self) -> Result<(), EngineError> {
        match self.changed {
            true => Err(EngineError::Changed { counted_bytes: 1, n_bytes: 2 }),
            false => Ok(()),
        }
    }
}
