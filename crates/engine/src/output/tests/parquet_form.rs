//! Tests of the form of Parquet files. A release is rejected if a file contains anything but rows,
//! or rows that other programs read differently. Contradictory counts are an error in every table.

use std::io::Write;
use std::sync::Arc;

use bytes::Bytes;
use indistinct_core::Silent;
use indistinct_diagnostics::Coded;
use parquet::arrow::{encode_arrow_schema, parquet_to_arrow_schema};
use parquet::basic::{BoundaryOrder, Encoding, PageType, Type};
use parquet::column::page::{CompressedPage, Page, PageReader, PageWriter};
use parquet::file::metadata::{
    ColumnChunkMetaData, ColumnIndexBuilder, FileMetaData, KeyValue, LevelHistogram,
    OffsetIndexBuilder, PageIndexPolicy, ParquetColumnIndex, ParquetMetaData,
    ParquetMetaDataBuilder, ParquetMetaDataOptions, ParquetMetaDataReader, ParquetMetaDataWriter,
    ParquetOffsetIndex, RowGroupMetaData,
};
use parquet::file::page_index::column_index::ColumnIndexMetaData;
use parquet::file::serialized_reader::SerializedPageReader;
use parquet::file::statistics::Statistics;
use parquet::file::writer::{SerializedPageWriter, TrackedWrite};

use super::forms::{code, written, written_rows};
use crate::output::OutputFormat;
use crate::{CountRequest, EmbeddedEngine, Engine, Input, InputSpec};

/// Indices of the columns with one city, seven diseases, and a different number in each row.
const CITY: usize = 1;
const DISEASE: usize = 2;
const NOTE: usize = 3;

/// The metadata of a file.
struct Parts {
    groups: Vec<RowGroupMetaData>,
    n_rows: i64,
    creator: String,
    entries: Vec<KeyValue>,
    column_index: ParquetColumnIndex,
    offset_index: ParquetOffsetIndex,
    /// Bytes between the pages and the indexes.
    between: &'static [u8],
}

impl Parts {
    fn read(bytes: &[u8]) -> (ParquetMetaData, Self) {
        let options = ParquetMetaDataOptions::new().with_encoding_stats_as_mask(false);
        let metadata = ParquetMetaDataReader::new()
            .with_page_index_policy(PageIndexPolicy::Optional)
            .with_metadata_options(Some(options))
            .parse_and_finish(&Bytes::copy_from_slice(bytes))
            .expect("valid metadata");
        let file = metadata.file_metadata();
        let parts = Self {
            groups: metadata.row_groups().iter().map(with_old_bounds).collect(),
            n_rows: file.num_rows(),
            creator: file.created_by().expect("a creator").to_owned(),
            entries: file.key_value_metadata().cloned().unwrap_or_default(),
            column_index: metadata.column_index().expect("an index").clone(),
            offset_index: metadata.offset_index().expect("an index").clone(),
            between: b"",
        };
        (metadata, parts)
    }

    /// Writes the metadata after the pages.
    fn write(self, file: &FileMetaData, mut pages: TrackedWrite<Vec<u8>>) -> Vec<u8> {
        pages.write_all(self.between).expect("written");
        let mut bytes = Vec::new();
        let pages = pages.into_inner().expect("written");
        let mut out = TrackedWrite::new(&mut bytes);
        out.write_all(&pages).expect("written");
        let file = FileMetaData::new(
            file.version(),
            self.n_rows,
            Some(self.creator),
            Some(self.entries).filter(|entries| !entries.is_empty()),
            file.schema_descr_ptr(),
            file.column_orders().cloned(),
        );
        let metadata = ParquetMetaDataBuilder::new(file)
            .set_row_groups(self.groups)
            .set_column_index(Some(self.column_index))
            .set_offset_index(Some(self.offset_index))
            .build();
        ParquetMetaDataWriter::new_with_tracked(out, &metadata).finish().expect("written");
        bytes
    }
}

/// Returns the end of the pages.
fn end_of_pages(metadata: &ParquetMetaData) -> usize {
    let columns = metadata.row_groups().iter().flat_map(RowGroupMetaData::columns);
    let ends = columns.map(|column| column.byte_range()).map(|(start, n)| start + n);
    ends.max().expect("a column") as usize
}

/// Replaces the metadata of a file.
fn with_metadata(bytes: &[u8], change: impl Fn(&mut Parts)) -> Vec<u8> {
    let (metadata, mut parts) = Parts::read(bytes);
    let mut pages = TrackedWrite::new(Vec::new());
    pages.write_all(&bytes[..end_of_pages(&metadata)]).expect("written");
    change(&mut parts);
    parts.write(metadata.file_metadata(), pages)
}

/// Writes all pages again, with matching metadata. `change` receives the index of a column and an
/// uncompressed page, and `compress` its content.
fn with_pages(
    bytes: &[u8],
    change: impl Fn(usize, &mut Page),
    compress: impl Fn(&[u8]) -> Vec<u8>,
) -> Vec<u8> {
    let (metadata, mut parts) = Parts::read(bytes);
    let reader = Arc::new(Bytes::copy_from_slice(bytes));
    let mut out = TrackedWrite::new(Vec::new());
    out.write_all(b"PAR1").expect("written");
    for (number, group) in parts.groups.clone().iter().enumerate() {
        let start = out.bytes_written();
        let mut columns = Vec::new();
        for (at, chunk) in group.columns().iter().enumerate() {
            let n_rows = chunk.num_values() as usize;
            let pages = SerializedPageReader::new(Arc::clone(&reader), chunk, n_rows, None);
            let mut pages = pages.expect("pages");
            let mut offsets = OffsetIndexBuilder::new();
            let index = &parts.offset_index[number][at];
            let mut sizes = index.unencoded_byte_array_data_bytes().into_iter().flatten();
            let (mut dictionary, mut data, mut n_bytes) = (None, None, 0);
            let before = out.bytes_written();
            while let Some(mut page) = pages.get_next_page().expect("a page") {
                change(at, &mut page);
                let n_uncompressed = page.buffer().len();
                let compressed = compress(page.buffer());
                let (Page::DataPage { buf, .. } | Page::DictionaryPage { buf, .. }) = &mut page
                else {
                    panic!("an unexpected page");
                };
                *buf = compressed.into();
                let page = CompressedPage::new(page, n_uncompressed);
                let spec = SerializedPageWriter::new(&mut out).write_page(page).expect("written");
                n_bytes += spec.uncompressed_size as i64;
                match spec.page_type {
                    PageType::DICTIONARY_PAGE => {
                        dictionary = Some(spec.offset as i64);
                    }
                    _ => {
                        data = data.or(Some(spec.offset as i64));
                        offsets.append_offset_and_size(
                            spec.offset as i64,
                            spec.compressed_size as i32,
                        );
                        offsets.append_row_count(i64::from(spec.num_values));
                        offsets.append_unencoded_byte_array_data_bytes(sizes.next().copied());
                    }
                }
            }
            parts.offset_index[number][at] = offsets.build();
            let column = chunk
                .clone()
                .into_builder()
                .set_dictionary_page_offset(dictionary)
                .set_data_page_offset(data.expect("a page"))
                .set_total_uncompressed_size(n_bytes)
                .set_total_compressed_size((out.bytes_written() - before) as i64);
            columns.push(column.build().expect("a column"));
        }
        let n_bytes = columns.iter().map(ColumnChunkMetaData::uncompressed_size).sum();
        let group = group.clone().into_builder().set_column_metadata(columns);
        let group = group.set_total_byte_size(n_bytes).set_file_offset(start as i64);
        parts.groups[number] = group.build().expect("a row group");
    }
    parts.write(metadata.file_metadata(), out)
}

/// Restores the old form of minima and maxima, which is lost when a file is read, for numbers.
fn with_old_bounds(group: &RowGroupMetaData) -> RowGroupMetaData {
    with_columns(group, |column| match column.statistics() {
        Some(Statistics::Int64(values)) => {
            let both = values.clone().with_backwards_compatible_min_max(true);
            column.into_builder().set_statistics(Statistics::Int64(both)).build().expect("a column")
        }
        _ => column,
    })
}

/// Changes the columns of a row group.
fn with_columns(
    group: &RowGroupMetaData,
    change: impl Fn(ColumnChunkMetaData) -> ColumnChunkMetaData,
) -> RowGroupMetaData {
    let columns = group.columns().iter().cloned().map(change).collect();
    group.clone().into_builder().set_column_metadata(columns).build().expect("a row group")
}

/// Changes the content of the pages of a column.
fn with_content(
    bytes: &[u8],
    column: usize,
    change: impl Fn(&mut Vec<u8>, Option<&mut u32>),
) -> Vec<u8> {
    let change = |at: usize, page: &mut Page| match page {
        Page::DictionaryPage { buf, num_values, .. } if at == column => {
            let mut content = buf.to_vec();
            change(&mut content, Some(num_values));
            *buf = content.into();
        }
        Page::DataPage { buf, encoding: Encoding::RLE_DICTIONARY, .. } if at == column => {
            let mut content = buf.to_vec();
            change(&mut content, None);
            *buf = content.into();
        }
        _ => {}
    };
    with_pages(bytes, change, packed)
}

/// Compresses with another level than the writer.
fn packed(content: &[u8]) -> Vec<u8> {
    zstd::bulk::compress(content, 19).expect("compressed")
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
fn contradictory_counts_are_rejected() {
    let bytes = written(OutputFormat::Parquet);
    assert_eq!(count_input(&bytes), Ok(60));
    let of_group = |group: &RowGroupMetaData, n_rows| {
        group.clone().into_builder().set_num_rows(n_rows).build().expect("a row group")
    };
    let changes = [
        (
            "a group of one row",
            with_metadata(&bytes, |parts| parts.groups[0] = of_group(&parts.groups[0], 1)),
        ),
        (
            "a file of one row",
            with_metadata(&bytes, |parts| {
                parts.n_rows = 1;
                parts.groups[0] = of_group(&parts.groups[0], 1);
            }),
        ),
        (
            "one row in all counts",
            with_metadata(&bytes, |parts| {
                parts.n_rows = 1;
                let group = with_columns(&parts.groups[0], |column| {
                    column.into_builder().set_num_values(1).build().expect("a column")
                });
                parts.groups[0] = of_group(&group, 1);
            }),
        ),
        (
            "a group without bytes",
            with_metadata(&bytes, |parts| {
                parts.n_rows = 65;
                let group = with_columns(&parts.groups[0], |column| {
                    let column = column.into_builder().set_num_values(5);
                    column.set_total_compressed_size(0).build().expect("a column")
                });
                parts.groups.push(of_group(&group, 5));
                parts.column_index.push(parts.column_index[0].clone());
                parts.offset_index.push(parts.offset_index[0].clone());
            }),
        ),
    ];
    for (what, bytes) in changes {
        assert_eq!(count_input(&bytes), Err("E-INPUT-010"), "{what}");
        assert_ne!(code(OutputFormat::Parquet, &bytes), "accepted", "{what}");
    }
}

/// Changes the statistics of the text columns.
fn with_statistics(bytes: &[u8], statistics: &Statistics) -> Vec<u8> {
    with_metadata(bytes, |parts| {
        parts.groups[0] = with_columns(&parts.groups[0], |column| match column.statistics() {
            Some(Statistics::ByteArray(_)) => {
                let column = column.into_builder().set_statistics(statistics.clone());
                column.build().expect("a column")
            }
            _ => column,
        });
    })
}

/// Changes the index of the diseases to that of one page with the given bounds.
fn with_index(bytes: &[u8], min: &str, max: &str, n_nulls: i64) -> Vec<u8> {
    with_metadata(bytes, |parts| {
        let mut index = ColumnIndexBuilder::new(Type::BYTE_ARRAY);
        index.append(false, min.into(), max.into(), n_nulls);
        index.set_boundary_order(BoundaryOrder::ASCENDING);
        parts.column_index[0][DISEASE] = index.build().expect("an index");
    })
}

#[test]
fn other_metadata_is_rejected() {
    let format = OutputFormat::Parquet;
    let bytes = written(format);
    assert_eq!(code(format, &bytes), "accepted");
    assert_eq!(code(format, &with_metadata(&bytes, |_| {})), "accepted");
    assert_eq!(code(format, &with_index(&bytes, "disease 0", "disease 6", 0)), "accepted");
    let schema =
        parquet_to_arrow_schema(Parts::read(&bytes).0.file_metadata().schema_descr(), None);
    let schema = encode_arrow_schema(&schema.expect("a schema"));
    let between = |min: &[u8], max: &[u8], n_nulls| {
        let bound = |bytes: &[u8]| Some(bytes.to_vec().into());
        Statistics::byte_array(bound(min), bound(max), None, Some(n_nulls), false)
    };
    let entry = |parts: &mut Parts, key: &str, value: &str| {
        parts.entries.push(KeyValue::new(key.to_owned(), value.to_owned()));
    };
    let changes = [
        ("free text", with_metadata(&bytes, |parts| parts.between = b"Ada has the flu")),
        ("an entry", with_metadata(&bytes, |parts| entry(parts, "note", "Ada"))),
        ("a needless schema", with_metadata(&bytes, |parts| entry(parts, "ARROW:schema", &schema))),
        ("a creator", with_metadata(&bytes, |parts| parts.creator += " (Ada)")),
        ("false bounds", with_statistics(&bytes, &between(b"a", b"b", 0))),
        ("a false maximum", with_statistics(&bytes, &between(b"a city", b"disease 5", 0))),
        ("a false number of nulls", with_statistics(&bytes, &between(b"a city", b"a city", 9))),
        ("false bounds of a page", with_index(&bytes, "a", "b", 0)),
        ("a false maximum of a page", with_index(&bytes, "disease 0", "disease 5", 0)),
        ("false nulls in a page", with_index(&bytes, "disease 0", "disease 6", 1)),
        (
            "a size of no page",
            with_metadata(&bytes, |parts| {
                let pages = &mut parts.offset_index[0][DISEASE];
                pages.unencoded_byte_array_data_bytes.as_mut().expect("sizes").push(9);
            }),
        ),
        (
            "an empty group",
            with_metadata(&bytes, |parts| {
                let group = with_columns(&parts.groups[0], |column| {
                    let column = column.into_builder().set_num_values(0);
                    column.set_total_compressed_size(0).build().expect("a column")
                });
                let group = group.into_builder().set_num_rows(0).build().expect("a row group");
                parts.groups.push(group);
                parts.column_index.push(parts.column_index[0].clone());
                parts.offset_index.push(parts.offset_index[0].clone());
            }),
        ),
    ];
    for (what, bytes) in changes {
        assert_eq!(code(format, &bytes), "E-INPUT-044", "{what}");
    }
}

#[test]
fn other_content_of_pages_is_rejected() {
    let format = OutputFormat::Parquet;
    let bytes = written(format);
    let unchanged = |_: usize, _: &mut Page| {};
    assert_eq!(code(format, &with_pages(&bytes, unchanged, packed)), "accepted");
    // A skippable frame of four bytes.
    let skipped = [&[0x50, 0x2a, 0x4d, 0x18, 4, 0, 0, 0][..], b"Ada!"].concat();
    let changes = [
        (
            "bytes that are skipped",
            with_pages(&bytes, unchanged, |content| [packed(content), skipped.clone()].concat()),
        ),
        (
            "bytes after the values",
            with_content(&bytes, DISEASE, |content, n_values| {
                if n_values.is_none() {
                    content.extend(b"Ada");
                }
            }),
        ),
        (
            "bytes after the dictionary",
            with_content(&bytes, DISEASE, |content, n_values| {
                if n_values.is_some() {
                    content.extend(b"Ada");
                }
            }),
        ),
        (
            "unused bits",
            with_content(&bytes, DISEASE, |content, n_values| {
                if n_values.is_none() {
                    *content.last_mut().expect("values") |= 0x80;
                }
            }),
        ),
        (
            "a value without a row",
            with_content(&bytes, DISEASE, |content, n_values| {
                if let Some(n_values) = n_values {
                    *n_values += 1;
                    content.extend(b"\x03\0\0\0Ada");
                }
            }),
        ),
        (
            "two entries of one value",
            with_content(&bytes, CITY, |content, n_values| match n_values {
                Some(n_values) => {
                    *n_values *= 2;
                    content.extend_from_within(..);
                }
                // The 60 rows refer to the entries in turn.
                None => *content = [&[1, 17][..], &[0xaa; 7], &[0x0a]].concat(),
            }),
        ),
    ];
    for (what, bytes) in changes {
        assert_eq!(code(format, &bytes), "E-INPUT-044", "{what}");
    }
}

#[test]
fn other_headers_of_pages_are_rejected() {
    let format = OutputFormat::Parquet;
    let bytes = written(format);
    let of_levels = |_: usize, page: &mut Page| {
        if let Page::DataPage { def_level_encoding, .. } = page {
            *def_level_encoding = Encoding::PLAIN;
        }
    };
    let of_repetitions = |_: usize, page: &mut Page| {
        if let Page::DataPage { rep_level_encoding, .. } = page {
            *rep_level_encoding = Encoding::PLAIN;
        }
    };
    let of_dictionary = |_: usize, page: &mut Page| {
        if let Page::DictionaryPage { is_sorted, .. } = page {
            *is_sorted = true;
        }
    };
    for changed in [
        with_pages(&bytes, of_levels, packed),
        with_pages(&bytes, of_repetitions, packed),
        with_pages(&bytes, of_dictionary, packed),
    ] {
        assert_eq!(code(format, &changed), "E-INPUT-044");
    }
}

#[test]
fn false_order_of_pages_is_rejected() {
    let format = OutputFormat::Parquet;
    // The numbers exceed the limit of a dictionary, so the column has several pages.
    let bytes = written_rows(format, 150_000);
    let declared = |order: BoundaryOrder| {
        with_metadata(&bytes, |parts| {
            let ColumnIndexMetaData::INT64(pages) = &parts.column_index[0][NOTE] else {
                panic!("numbers");
            };
            let mut index = ColumnIndexBuilder::new(Type::INT64);
            assert!(pages.num_pages() > 1);
            for page in 0..pages.num_pages() as usize {
                let bound = |value: Option<&i64>| value.expect("a bound").to_le_bytes().to_vec();
                let (min, max) = (bound(pages.min_value(page)), bound(pages.max_value(page)));
                index.append(false, min, max, 0);
                let histogram = pages.definition_level_histogram(page).expect("levels");
                let levels = LevelHistogram::from(histogram.to_vec());
                index.append_histograms(&None, &Some(levels));
            }
            index.set_boundary_order(order);
            parts.column_index[0][NOTE] = index.build().expect("an index");
        })
    };
    assert_eq!(code(format, &declared(BoundaryOrder::UNORDERED)), "accepted");
    assert_eq!(code(format, &declared(BoundaryOrder::ASCENDING)), "E-INPUT-044");
    assert_eq!(code(format, &declared(BoundaryOrder::DESCENDING)), "E-INPUT-044");
}

#[test]
fn changed_bits_are_rejected() {
    let format = OutputFormat::Parquet;
    let bytes = written(format);
    let creator = bytes.windows(11).position(|it| it == b"indistinct ").expect("a creator");
    // Another version may have written the file, and its compression may differ.
    let version = creator + 11..creator + 11 + env!("CARGO_PKG_VERSION").len();
    let end = end_of_pages(&Parts::read(&bytes).0);
    // The first 12 bytes after the magic are part of the header of a page.
    for at in (0..16).chain(end..bytes.len()).filter(|at| !version.contains(at)) {
        for bit in [1, 0x10, 0x80] {
            let mut changed = bytes.clone();
            changed[at] ^= bit;
            let around = &bytes[at.saturating_sub(8)..bytes.len().min(at + 8)];
            assert_ne!(code(format, &changed), "accepted", "byte {at} in {around:?}");
        }
    }
}
