//! Reads a Parquet file and writes it again as a single stream with the same crates, as a baseline
//! for benchmarks.
//!
//! `cargo run --release -p indistinct-engine --example copy_parquet -- FROM TO`

use std::fs::File;

use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use parquet::basic::Compression;
use parquet::file::properties::WriterProperties;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [from, to] = arguments.as_slice() else {
        return Err("usage: copy_parquet FROM TO".into());
    };
    let reader =
        ParquetRecordBatchReaderBuilder::try_new(File::open(from)?)?.with_batch_size(65_536);
    let properties =
        WriterProperties::builder().set_compression(Compression::ZSTD(Default::default())).build();
    let mut writer =
        ArrowWriter::try_new(File::create(to)?, reader.schema().clone(), Some(properties))?;
    let mut n_rows = 0;
    for batch in reader.build()? {
        let batch = batch?;
        n_rows += batch.num_rows();
        writer.write(&batch)?;
    }
    writer.close()?;
    println!("{n_rows} rows");
    Ok(())
}
