//! Adds a numeric column to a Parquet file for the benchmark of `check`. The column contains
//! pseudorandom integers with a given number of distinct values. Each row draws from a few values
//! that depend on its other cells.
//!
//! ```text
//! cargo run --release -p indistinct-engine --example add_numbers -- \
//!     FROM TO NAME DISTINCT PER_TUPLE
//! ```

use std::fs::File;
use std::hash::Hasher;
use std::sync::Arc;

use arrow_array::{ArrayRef, Int64Array, RecordBatch};
use arrow_cast::display::{ArrayFormatter, FormatOptions};
use arrow_schema::{DataType, Field, Schema};
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use parquet::basic::Compression;
use parquet::file::properties::WriterProperties;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{RngCore, SeedableRng};
use rustc_hash::FxHasher;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [from, to, name, distinct, per_tuple] = arguments.as_slice() else {
        return Err("usage: add_numbers FROM TO NAME DISTINCT PER_TUPLE".into());
    };
    let (distinct, per_tuple): (u64, u64) = (distinct.parse()?, per_tuple.parse()?);
    let reader =
        ParquetRecordBatchReaderBuilder::try_new(File::open(from)?)?.with_batch_size(65_536);
    let mut fields = reader.schema().fields().to_vec();
    fields.push(Arc::new(Field::new(name, DataType::Int64, false)));
    let schema = Arc::new(Schema::new(fields));
    let properties =
        WriterProperties::builder().set_compression(Compression::ZSTD(Default::default())).build();
    let mut writer =
        ArrowWriter::try_new(File::create(to)?, Arc::clone(&schema), Some(properties))?;
    let mut dice = ChaCha8Rng::seed_from_u64(7);
    for batch in reader.build()? {
        let batch = batch?;
        let options = FormatOptions::default();
        let formatters = batch
            .columns()
            .iter()
            .map(|column| ArrayFormatter::try_new(column, &options))
            .collect::<Result<Vec<_>, _>>()?;
        let number = |row: usize, draw: u64| {
            let mut hasher = FxHasher::default();
            for formatter in &formatters {
                hasher.write(formatter.value(row).to_string().as_bytes());
            }
            hasher.write_u64(draw % per_tuple);
            1_000 + (hasher.finish() >> 8) as i64 % distinct as i64
        };
        let numbers: Int64Array =
            (0..batch.num_rows()).map(|row| Some(number(row, dice.next_u64()))).collect();
        let mut columns = batch.columns().to_vec();
        columns.push(Arc::new(numbers) as ArrayRef);
        writer.write(&RecordBatch::try_new(Arc::clone(&schema), columns)?)?;
    }
    writer.close()?;
    Ok(())
}
