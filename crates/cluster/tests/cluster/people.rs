//! The test table about fictitious people, as CSV and as Parquet files.

use std::fs::File;
use std::path::Path;
use std::sync::Arc;

use arrow_array::{
    ArrayRef, BooleanArray, Date32Array, Decimal128Array, Float64Array, Int32Array, RecordBatch,
    StringArray,
};
use parquet::arrow::ArrowWriter;

/// A multiplicative generator with sufficient mixing and the same results on all platforms.
fn draw(n: usize, salt: usize, below: usize) -> usize {
    let mixed = (n * 7919 + salt * 104_729 + 12_345).wrapping_mul(2_654_435_761) >> 7;
    mixed % below
}

/// The number of days from 1970 to 2023.
const DAYS: i32 = 19_358;

/// Generates a range of rows, determined only by their numbers.
pub fn batch(numbers: std::ops::Range<usize>) -> RecordBatch {
    let texts = |text: &dyn Fn(usize) -> Option<String>| -> ArrayRef {
        Arc::new(numbers.clone().map(text).collect::<StringArray>())
    };
    let diseases = ["flu", "ulcer", "gastritis", "HIV", "Flu"];
    let cost = numbers.clone().map(|n| 10_000 + 10 * draw(n, 9, 9_000) as i128);
    let cost = cost.collect::<Decimal128Array>().with_precision_and_scale(9, 2).expect("it fits");
    let ages: Int32Array = numbers.clone().map(|n| 20 + draw(n, 1, 60) as i32).collect();
    let admitted = numbers.clone().map(|n| Some(DAYS + draw(n, 4, 90) as i32));
    let admitted: Date32Array = admitted.collect();
    let smoker: BooleanArray = numbers.clone().map(|n| Some(draw(n, 6, 2) == 0)).collect();
    let weight: Float64Array =
        numbers.clone().map(|n| 50.0 + draw(n, 8, 80) as f64 / 2.0).collect();
    RecordBatch::try_from_iter_with_nullable([
        ("name", texts(&|n| Some(format!("person {n}"))), true),
        ("age", Arc::new(ages) as ArrayRef, true),
        ("zip", texts(&|n| Some(format!("0{}", 1200 + draw(n, 2, 90)))), true),
        (
            "sex",
            texts(&|n| {
                (draw(n, 3, 12) > 0).then(|| if draw(n, 13, 2) == 0 { "f" } else { "m" }.to_owned())
            }),
            true,
        ),
        ("admitted", Arc::new(admitted), true),
        ("smoker", Arc::new(smoker), true),
        ("weight", Arc::new(weight), true),
        ("cost", Arc::new(cost), true),
        (
            "disease",
            texts(&|n| (draw(n, 11, 20) > 0).then(|| diseases[draw(n, 12, 5)].to_owned())),
            true,
        ),
    ])
    .expect("all columns have the same length")
}

/// Writes a Parquet file.
pub fn parquet(path: &Path, batch: &RecordBatch) {
    let file = File::create(path).expect("made");
    let mut writer = ArrowWriter::try_new(file, batch.schema(), None).expect("a writer");
    writer.write(batch).expect("written");
    writer.close().expect("closed");
}

/// Writes a CSV file.
pub fn csv(path: &Path, batch: &RecordBatch) {
    let mut writer = datafusion::arrow::csv::Writer::new(File::create(path).expect("made"));
    writer.write(batch).expect("written");
}

/// Returns a policy. `input` and `output` are lines of these sections, and `others` is the role of
/// the columns that need no protection.
pub fn policy(input: &str, output: &str, others: &str) -> String {
    let others = ["admitted", "smoker", "weight", "cost"]
        .map(|name| format!("[attributes.{name}]\nrole = \"{others}\"\n"))
        .concat();
    format!(
        r#"version = 1
[input]
{input}
[attributes.name]
role = "identifier"
[attributes.age]
role = "quasi-identifier"
hierarchy = {{ intervals = [10, 20, 40] }}
[attributes.zip]
role = "quasi-identifier"
hierarchy = {{ mask = "right" }}
[attributes.sex]
role = "quasi-identifier"
{others}[attributes.disease]
role = "sensitive"
[[principles]]
kind = "k-anonymity"
k = 5
[[principles]]
kind = "distinct-l-diversity"
attribute = "disease"
l = 2
[recoding]
suppression_limit = 0.05
seed = 7
[output]
row_order = "sorted"
{output}
"#
    )
}
