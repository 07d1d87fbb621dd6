//! Tests of the form of files: released CSV files have exactly one form, and the counts of Parquet
//! files must not contradict each other.

use bytes::Bytes;
use indistinct_core::{Silent, SuppressionRule};
use indistinct_diagnostics::Coded;
use parquet::file::metadata::{
    ColumnChunkMetaData, FileMetaData, KeyValue, PageIndexPolicy, ParquetMetaData,
    ParquetMetaDataBuilder, ParquetMetaDataOptions, ParquetMetaDataReader, ParquetMetaDataWriter,
    RowGroupMetaData,
};
use parquet::file::writer::TrackedWrite;

use super::support::{Case, check_form};
use crate::output::layout::Limits;
use crate::output::{ColumnSource, OutputFormat, RowOrder};
use crate::{CountRequest, EmbeddedEngine, Engine, Input, InputSpec};

const CSV: OutputFormat = OutputFormat::Csv { delimiter: b',' };

fn written(format: OutputFormat) -> Vec<u8> {
    let row = |at: i64| {
        let age = (20 + at % 3).to_string();
        (age, "a city".to_owned(), format!("disease {}", at % 7), Some(at))
    };
    let case = Case {
        rows: (0..60).map(row).collect(),
        levels: vec![0, 0],
        suppress: vec![false; 60],
        suppressed: SuppressionRule::Dropped,
        columns: vec![
            ColumnSource::QuasiIdentifier(0),
            ColumnSource::QuasiIdentifier(1),
            ColumnSource::Sensitive(0),
            ColumnSource::Insensitive("note".to_owned()),
        ],
        format,
        order: RowOrder::Sorted,
    };
    case.write(1, Limits::default()).expect("written").bytes
}

fn code(format: OutputFormat, bytes: &[u8]) -> &'static str {
    check_form(format, bytes).map_or_else(|error| error.code(), |()| "accepted")
}

#[test]
fn csv_in_another_form_is_rejected() {
    let bytes = written(CSV);
    let text = String::from_utf8(bytes.clone()).expect("a text");
    assert_eq!(code(CSV, &bytes), "accepted");
    for (what, text) in [
        ("line endings", text.replace('\n', "\r\n")),
        ("a line ending", text.replacen('\n', "\r\n", 1)),
        ("needless quotes", text.replacen("a city", "\"a city\"", 1)),
        ("a byte order mark", format!("\u{feff}{text}")),
        ("an incomplete last line", text.trim_end().to_owned()),
        ("a blank line at the end", format!("{text}\n")),
        ("a blank line at the start", format!("\n{text}")),
        ("a blank line", text.replacen('\n', "\n\n", 1)),
    ] {
        assert_eq!(code(CSV, text.as_bytes()), "E-INPUT-044", "{what}");
    }
    let mut gz = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    std::io::Write::write_all(&mut gz, text.as_bytes()).expect("compressed");
    assert_eq!(code(CSV, &gz.finish().expect("compressed")), "E-INPUT-044");
}

fn metadata_of(bytes: &[u8]) -> ParquetMetaData {
    let options = ParquetMetaDataOptions::new().with_encoding_stats_as_mask(false);
    ParquetMetaDataReader::new()
        .with_page_index_policy(PageIndexPolicy::Optional)
        .with_metadata_options(Some(options))
        .parse_and_finish(&Bytes::copy_from_slice(bytes))
        .expect("valid metadata")
}

/// Returns the end of the pages.
fn end_of_pages(metadata: &ParquetMetaData) -> usize {
    let columns = metadata.row_groups().iter().flat_map(RowGroupMetaData::columns);
    let ends = columns.map(|column| column.byte_range()).map(|(start, n)| start + n);
    ends.max().expect("a column") as usize
}

/// Replaces the metadata of a file. `change` receives the row groups, the number of rows, and the
/// entries of the file.
fn with_metadata(
    bytes: &[u8],
    change: impl Fn(&mut Vec<RowGroupMetaData>, &mut i64, &mut Vec<KeyValue>),
) -> Vec<u8> {
    let metadata = metadata_of(bytes);
    let mut out = Vec::new();
    let mut tracked = TrackedWrite::new(&mut out);
    std::io::Write::write_all(&mut tracked, &bytes[..end_of_pages(&metadata)]).expect("written");
    let file = metadata.file_metadata();
    let (mut groups, mut n_rows) = (metadata.row_groups().to_vec(), file.num_rows());
    let mut entries = file.key_value_metadata().cloned().unwrap_or_default();
    change(&mut groups, &mut n_rows, &mut entries);
    let file = FileMetaData::new(
        file.version(),
        n_rows,
        file.created_by().map(str::to_owned),
        Some(entries).filter(|entries| !entries.is_empty()),
        file.schema_descr_ptr(),
        file.column_orders().cloned(),
    );
    let n_groups = groups.len();
    let repeated = |at: usize| at.min(metadata.num_row_groups() - 1);
    let column_index = metadata
        .column_index()
        .map(|all| (0..n_groups).map(|at| all[repeated(at)].clone()).collect());
    let offset_index = metadata
        .offset_index()
        .map(|all| (0..n_groups).map(|at| all[repeated(at)].clone()).collect());
    let changed = ParquetMetaDataBuilder::new(file)
        .set_row_groups(groups)
        .set_column_index(column_index)
        .set_offset_index(offset_index)
        .build();
    ParquetMetaDataWriter::new_with_tracked(tracked, &changed).finish().expect("written");
    out
}

/// Changes the columns of a row group.
fn with_columns(
    group: &RowGroupMetaData,
    change: impl Fn(ColumnChunkMetaData) -> ColumnChunkMetaData,
) -> RowGroupMetaData {
    let columns = group.columns().iter().cloned().map(change).collect();
    group.clone().into_builder().set_column_metadata(columns).build().expect("a row group")
}

/// Counts the rows of a table in a file, or returns the code of the error.
fn count_input(bytes: &[u8]) -> Result<u64, &'static str> {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("data.parquet");
    std::fs::write(&path, bytes).expect("written");
    let opened = Input::open(&InputSpec { path, ..InputSpec::default() });
    let counted = opened.and_then(|input| {
        let names = input.columns().iter().take(2).map(|column| column.name.clone());
        let request =
            CountRequest { quasi_identifiers: names.collect(), ..CountRequest::default() };
        EmbeddedEngine::new(1).count(&input, &request, &Silent)
    });
    counted.map(|counted| counted.table.n_rows()).map_err(|error| error.code())
}

#[test]
fn parquet_with_contradictory_counts_is_rejected() {
    let bytes = written(OutputFormat::Parquet);
    assert_eq!(count_input(&bytes), Ok(60));
    let changes = [
        (
            "a group of one row",
            with_metadata(&bytes, |groups, _, _| {
                groups[0] =
                    groups[0].clone().into_builder().set_num_rows(1).build().expect("valid");
            }),
        ),
        (
            "a file of one row",
            with_metadata(&bytes, |groups, n_rows, _| {
                *n_rows = 1;
                groups[0] =
                    groups[0].clone().into_builder().set_num_rows(1).build().expect("valid");
            }),
        ),
        (
            "one row in all counts",
            with_metadata(&bytes, |groups, n_rows, _| {
                *n_rows = 1;
                let group = with_columns(&groups[0], |column| {
                    column.into_builder().set_num_values(1).build().expect("a column")
                });
                groups[0] = group.into_builder().set_num_rows(1).build().expect("valid");
            }),
        ),
        (
            "a group without bytes",
            with_metadata(&bytes, |groups, n_rows, _| {
                *n_rows = 65;
                let group = with_columns(&groups[0], |column| {
                    let column = column.into_builder().set_num_values(5);
                    column.set_total_compressed_size(0).build().expect("a column")
                });
                groups.push(group.into_builder().set_num_rows(5).build().expect("valid"));
            }),
        ),
    ];
    for (what, bytes) in changes {
        assert_eq!(count_input(&bytes), Err("E-INPUT-010"), "{what}");
    }
}
