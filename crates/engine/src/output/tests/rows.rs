//! Tests of rows that follow from the counts.

use std::io::Write;

use arrow_schema::DataType;
use parquet::column::page::Page;
use parquet::file::reader::{FileReader, SerializedFileReader};
use proptest::prelude::*;

use super::support::{AGES, Case, TIGHT, cases, parquet_reader};
use crate::output::layout::Limits;
use crate::output::{ColumnSource, OutputFormat, RowOrder};

use indistinct_core::SuppressionRule;

pub(super) fn counted_columns() -> Vec<ColumnSource> {
    vec![
        ColumnSource::QuasiIdentifier(0),
        ColumnSource::QuasiIdentifier(1),
        ColumnSource::Sensitive(0),
        ColumnSource::Class,
    ]
}

proptest! {
    #[test]
    fn file_contains_released_rows(case in cases(counted_columns())) {
        let out = case.write(2, Limits::default()).unwrap();
        let names: Vec<String> = case.output_columns().into_iter().map(|c| c.name).collect();
        prop_assert_eq!(&out.header, &names);
        prop_assert_eq!(case.multiset(&out.rows), case.multiset(&case.expected()));
        prop_assert_eq!(out.written.n_rows, out.rows.len() as u64);
        prop_assert_eq!(out.written.n_bytes, out.bytes.len() as u64);
        case.check_classes(&out.rows);
        if case.order == RowOrder::Sorted {
            case.check_sorted(&out.rows);
        }
    }

    #[test]
    fn threads_and_memory_do_not_change_bytes(case in cases(counted_columns())) {
        let one = case.write(1, Limits::default()).unwrap();
        let two = case.write(2, TIGHT).unwrap();
        prop_assert!(one.bytes == two.bytes);
        prop_assert_eq!(one.written, two.written);
    }

    /// The rows are counted by class instead of by combination of values.
    #[test]
    fn quasi_identifier_only_rows_match_release(
        case in cases(vec![ColumnSource::QuasiIdentifier(0), ColumnSource::QuasiIdentifier(1), ColumnSource::Class]),
    ) {
        let out = case.write(2, TIGHT).unwrap();
        prop_assert_eq!(case.multiset(&out.rows), case.multiset(&case.expected()));
        case.check_classes(&out.rows);
        if case.order == RowOrder::Sorted {
            case.check_sorted(&out.rows);
        }
    }

    #[test]
    fn single_column_preserves_missing_values(case in cases(vec![ColumnSource::Sensitive(0)])) {
        // A row without values does not exist in a spreadsheet.
        prop_assume!(case.format != OutputFormat::Xlsx);
        let out = case.write(1, Limits::default()).unwrap();
        prop_assert_eq!(case.multiset(&out.rows), case.multiset(&case.expected()));
    }
}

/// Creates a table whose rows cycle through all ages, without suppression.
fn large(n_rows: usize, format: OutputFormat, order: RowOrder) -> Case {
    let row = |at: usize| {
        let age = AGES[at % AGES.len()].to_owned();
        (age, format!("city {}", at % 7), ["flu", "ulcer"][at % 2].to_owned(), None)
    };
    Case {
        rows: (0..n_rows).map(row).collect(),
        levels: vec![0, 0],
        suppress: vec![false; 84],
        suppressed: SuppressionRule::Dropped,
        columns: counted_columns(),
        format,
        order,
    }
}

#[test]
fn chunked_output_does_not_depend_on_threads() {
    let formats =
        [(OutputFormat::Csv { delimiter: b';' }, 50_001), (OutputFormat::Parquet, 20_001)];
    for (format, n_rows) in formats {
        for order in [RowOrder::Sorted, RowOrder::Shuffled { key: [8; 32] }] {
            let case = large(n_rows, format, order);
            let write =
                |threads| case.write_to(threads, None, Limits::default(), Vec::new()).unwrap();
            let (one, two) = (write(1), write(2));
            assert!(one == two);
        }
    }
}

#[test]
fn key_changes_order_but_not_rows() {
    let write = |key| {
        let order = RowOrder::Shuffled { key: [key; 32] };
        large(5_000, OutputFormat::Csv { delimiter: b',' }, order)
            .write(1, Limits::default())
            .unwrap()
    };
    let (one, same, other) = (write(1), write(1), write(2));
    assert_eq!(one.bytes, same.bytes);
    assert_ne!(one.rows, other.rows);
    let case = large(0, OutputFormat::Parquet, RowOrder::Sorted);
    assert_eq!(case.multiset(&one.rows), case.multiset(&other.rows));
    let class_of_first = |out: &super::support::Out| {
        let row = out.rows.iter().find(|row| row[0] == "7" && row[1] == "city 1").unwrap();
        row[3].clone()
    };
    assert_ne!(class_of_first(&one), class_of_first(&other));
}

#[test]
fn sorted_release_depends_only_on_released_rows() {
    // Two tables generalize to the same rows, although the order of their original values and
    // therefore of all codes differs.
    let case = |ages: [&str; 4], format| Case {
        rows: ages.map(|age| (age.to_owned(), "x".to_owned(), "flu".to_owned(), None)).to_vec(),
        levels: vec![1, 0],
        suppress: vec![false; 4],
        suppressed: SuppressionRule::Starred,
        columns: counted_columns(),
        format,
        order: RowOrder::Sorted,
    };
    for format in [OutputFormat::Csv { delimiter: b',' }, OutputFormat::Parquet] {
        let one = case(["7", "71", "80", "99999"], format).write(1, Limits::default()).unwrap();
        let other = case(["700", "9", "71", "80"], format).write(1, Limits::default()).unwrap();
        assert_eq!(one.bytes, other.bytes);
        assert_eq!(one.rows[0], ["7_", "x", "flu", "1"]);
    }
}

#[test]
fn parquet_file_contains_only_released_values() {
    // The rows of two cities are suppressed.
    let mut case = large(420, OutputFormat::Parquet, RowOrder::Shuffled { key: [5; 32] });
    let cities = case.table().quasi_identifiers()[1].codes.clone();
    for (suppress, city) in case.suppress.iter_mut().zip(cities) {
        *suppress = city == 2 || city == 5;
    }
    let out = case.write(1, Limits::default()).unwrap();
    assert_eq!(out.rows.len(), 300);

    let reader = parquet_reader(&out.bytes);
    let metadata = reader.metadata().file_metadata();
    assert_eq!(metadata.created_by(), Some(concat!("indistinct ", env!("CARGO_PKG_VERSION"))));
    assert_eq!(metadata.key_value_metadata(), None);
    let types: Vec<&DataType> = reader.schema().fields().iter().map(|f| f.data_type()).collect();
    assert_eq!(types, [&DataType::Int64, &DataType::Utf8, &DataType::Utf8, &DataType::Int64]);

    let mut file = tempfile::tempfile().unwrap();
    file.write_all(&out.bytes).unwrap();
    let reader = SerializedFileReader::new(file).unwrap();
    let mut pages = reader.get_row_group(0).unwrap().get_column_page_reader(1).unwrap();
    let Some(Page::DictionaryPage { buf, num_values, .. }) = pages.get_next_page().unwrap() else {
        panic!("the text column has no dictionary");
    };
    assert_eq!(num_values, 5);
    let dictionary = String::from_utf8_lossy(&buf);
    for city in 0..7 {
        let released = city != 2 && city != 5;
        assert_eq!(dictionary.contains(&format!("city {city}")), released, "city {city}");
    }
}
