//! Invalid files: reading a file returns rows or an error for any content. Readers never panic, and
//! never request more memory than a valid file could require.
//!
//! By default, the tests run a sample of the cases; `INDISTINCT_HOSTILE=all` modifies every byte.

mod common;

use indistinct_diagnostics::Coded;
use std::path::Path;
use std::sync::Arc;

use arrow_array::types::Int32Type;
use arrow_array::{ArrayRef, DictionaryArray, Int64Array, RecordBatch, StringArray};
use arrow_ipc::CompressionType;
use arrow_ipc::writer::{FileWriter, IpcWriteOptions, StreamWriter};
use common::{count_all, folder_with, spec};
use parquet::arrow::ArrowWriter;
use parquet::basic::Compression;
use parquet::file::properties::WriterProperties;

/// Replacement values for lengths and offsets.
const NUMBERS: [i64; 5] = [-1, 1 << 31, 1 << 40, 1 << 62, i64::MAX];

fn rows() -> RecordBatch {
    let n = 97;
    let text = |at: i64| format!("a text that is number {}", at % 13);
    let texts: StringArray = (0..n).map(|at| (at % 7 != 0).then(|| text(at))).collect();
    let codes: DictionaryArray<Int32Type> = texts.iter().collect();
    let numbers = Int64Array::from_iter((0..n).map(|at| (at % 5 != 0).then_some(at * 3)));
    let columns: [(&str, ArrayRef); 3] =
        [("a", Arc::new(texts)), ("b", Arc::new(codes)), ("c", Arc::new(numbers))];
    RecordBatch::try_from_iter_with_nullable(columns.map(|(name, array)| (name, array, true)))
        .expect("the columns have the same length")
}

fn files() -> Vec<(&'static str, Vec<u8>)> {
    let batch = rows();
    let schema = batch.schema();
    let parquet = |compression, dictionaries| {
        let properties = WriterProperties::builder()
            .set_compression(compression)
            .set_dictionary_enabled(dictionaries)
            .build();
        let mut bytes = Vec::new();
        let writer = ArrowWriter::try_new(&mut bytes, batch.schema(), Some(properties));
        let mut writer = writer.expect("a writer");
        writer.write(&batch).expect("written");
        writer.close().expect("closed");
        bytes
    };
    let options = |compression| {
        IpcWriteOptions::default()
            .try_with_compression(compression)
            .expect("the compression is supported")
    };
    let stream = |compression| {
        let mut bytes = Vec::new();
        let writer = StreamWriter::try_new_with_options(&mut bytes, &schema, options(compression));
        let mut writer = writer.expect("a writer");
        writer.write(&batch).expect("written");
        writer.finish().expect("closed");
        drop(writer);
        bytes
    };
    let mut file = Vec::new();
    let mut writer = FileWriter::try_new(&mut file, &schema).expect("a writer");
    writer.write(&batch).expect("written");
    writer.finish().expect("closed");
    drop(writer);
    vec![
        ("plain.parquet", parquet(Compression::UNCOMPRESSED, false)),
        ("dictionaries.parquet", parquet(Compression::SNAPPY, true)),
        ("file.arrow", file),
        ("stream.arrows", stream(None)),
        ("lz4.arrows", stream(Some(CompressionType::LZ4_FRAME))),
        ("zstd.arrows", stream(Some(CompressionType::ZSTD))),
    ]
}

/// Reads a file with the given name and content, and succeeds if reading terminates.
fn survives(folder: &Path, name: &str, bytes: &[u8], what: &str) {
    let path = folder.join(name);
    std::fs::write(&path, bytes).expect("written");
    let read = std::panic::catch_unwind(|| count_all(&spec(&path), 1).map(|_| ()));
    match read {
        Ok(Ok(())) => {}
        Ok(Err(error)) => assert!(error.code().starts_with("E-INPUT-"), "{what}: {error}"),
        Err(_) => panic!("{name}, {what}: it panicked"),
    }
}

/// Returns the distance between modified positions: 1 if all positions are requested.
fn step(len: usize, share: usize) -> usize {
    match std::env::var("INDISTINCT_HOSTILE") {
        Ok(all) if all == "all" => 1,
        _ => (len / share).max(1) | 1,
    }
}

#[test]
fn corrupted_bytes_do_not_panic_reader() {
    let (folder, _) = folder_with("none", b"");
    for (name, bytes) in files() {
        survives(folder.path(), name, &bytes, "whole");
        for at in (0..bytes.len()).step_by(step(bytes.len(), 150)) {
            for value in [0x00, 0xff, bytes[at] ^ 0x01, bytes[at].wrapping_add(0x40)] {
                let mut broken = bytes.clone();
                broken[at] = value;
                survives(folder.path(), name, &broken, &format!("byte {at} is {value}"));
            }
        }
        for end in (0..bytes.len()).step_by(step(bytes.len(), 60)) {
            survives(folder.path(), name, &bytes[..end], &format!("cut at {end}"));
        }
    }
}

#[test]
fn corrupted_lengths_do_not_exhaust_memory() {
    let (folder, _) = folder_with("none", b"");
    for (name, bytes) in files() {
        let n = bytes.len() - 8;
        for at in (0..n).step_by(step(n, 200).max(4) / 4 * 4) {
            for number in NUMBERS {
                let mut broken = bytes.clone();
                broken[at..at + 8].copy_from_slice(&number.to_le_bytes());
                survives(folder.path(), name, &broken, &format!("{number} at {at}"));
            }
        }
        for at in (0..n).step_by(step(n, 200)) {
            let mut broken = bytes.clone();
            broken[at..at + 4].copy_from_slice(&i32::MAX.to_le_bytes());
            survives(folder.path(), name, &broken, &format!("i32::MAX at {at}"));
        }
    }
}
