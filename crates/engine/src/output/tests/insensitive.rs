//! Tests of rows with columns that were not counted.

use arrow_schema::DataType;
use proptest::prelude::*;

use super::support::{Case, TIGHT, cases, parquet_reader};
use crate::output::layout::Limits;
use crate::output::{ColumnSource, OutputFormat, RowOrder};

fn columns() -> Vec<ColumnSource> {
    vec![
        ColumnSource::QuasiIdentifier(0),
        ColumnSource::QuasiIdentifier(1),
        ColumnSource::Sensitive(0),
        ColumnSource::Class,
        ColumnSource::Insensitive("note".to_owned()),
    ]
}

proptest! {
    #[test]
    fn file_contains_released_rows(case in cases(columns())) {
        for limits in [Limits::default(), TIGHT] {
            let out = case.write(2, limits).unwrap();
            prop_assert_eq!(case.multiset(&out.rows), case.multiset(&case.expected()));
            prop_assert_eq!(out.written.n_rows, out.rows.len() as u64);
            case.check_classes(&out.rows);
            if case.order == RowOrder::Sorted {
                case.check_sorted(&out.rows);
            }
        }
    }

    #[test]
    fn sorted_file_does_not_depend_on_sort_method(mut case in cases(columns())) {
        case.order = RowOrder::Sorted;
        let one = case.write(1, Limits::default()).unwrap();
        case.rows.reverse();
        let two = case.write(2, TIGHT).unwrap();
        prop_assert!(one.bytes == two.bytes);
    }

    #[test]
    fn thread_count_does_not_change_bytes(case in cases(columns())) {
        let one = case.write(1, TIGHT).unwrap();
        let two = case.write(2, TIGHT).unwrap();
        prop_assert!(one.bytes == two.bytes);
    }

    #[test]
    fn counted_and_streamed_rows_sort_alike(mut case in cases(columns()[..4].to_vec())) {
        case.order = RowOrder::Sorted;
        let counted = case.write(1, Limits::default()).unwrap();
        case.columns.push(ColumnSource::Insensitive("note".to_owned()));
        let mut streamed = case.write(1, TIGHT).unwrap();
        for row in &mut streamed.rows {
            row.pop();
        }
        prop_assert_eq!(counted.rows, streamed.rows);
    }
}

fn numbered(n_rows: usize, key: u8) -> Case {
    Case {
        rows: (0..n_rows)
            .map(|at| ("7".to_owned(), "x".to_owned(), "flu".to_owned(), Some(at as i64)))
            .collect(),
        levels: vec![0, 0],
        suppress: vec![false],
        suppressed: indistinct_core::SuppressionRule::Dropped,
        columns: columns(),
        format: OutputFormat::Parquet,
        order: RowOrder::Shuffled { key: [key; 32] },
    }
}

/// The notes number the input rows, so the output must not be correlated with the notes.
#[test]
fn input_order_is_not_preserved() {
    let limits = Limits { buffer_bytes: 40_000, bucket_rows: 700, n_files: 4, ..TIGHT };
    for limits in [limits, Limits::default()] {
        let n = 20_000;
        let notes = |key| -> Vec<f64> {
            let out = numbered(n, key).write(2, limits).unwrap();
            out.rows.iter().map(|row| row[4].parse().unwrap()).collect()
        };
        let one = notes(1);
        assert_eq!(one, notes(1));
        assert_ne!(one, notes(2));
        let mean = (n - 1) as f64 / 2.0;
        let (mut covariance, mut variance) = (0.0, 0.0);
        for (position, note) in one.iter().enumerate() {
            covariance += (position as f64 - mean) * (note - mean);
            variance += (note - mean).powi(2);
        }
        assert!((covariance / variance).abs() < 5.0 / (n as f64).sqrt());
        let neighbors = one.windows(2).filter(|pair| (pair[0] - pair[1]).abs() == 1.0).count();
        assert!(neighbors < 20, "{neighbors}");
    }
}

#[test]
fn insensitive_columns_preserve_their_type() {
    let out = numbered(10, 1).write(1, Limits::default()).unwrap();
    let reader = parquet_reader(&out.bytes);
    assert_eq!(reader.schema().field(4).data_type(), &DataType::Int64);
}
