//! Validates Parquet files that contain the rows of a release.
//!
//! Every program must see the same rows, and the file must not contain anything else. Programs rely
//! on different parts of a file: some count the rows of the footer, others those of the pages, and
//! filters skip pages according to their statistics. Therefore, a file is accepted only if it has
//! exactly the form of the files that [`crate::output`] writes. The chunks, pages, indexes, and the
//! footer follow each other without gaps, their counts agree, the metadata contains only known
//! entries, all dictionary entries occur, and the statistics are those of the rows.

use std::collections::HashSet;
use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;

use arrow_array::{Array, ArrayRef, make_array};
use arrow_row::{RowConverter, SortField};
use arrow_schema::{DataType, Field, Schema};
use parquet::arrow::arrow_reader::{
    ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReaderBuilder,
};
use parquet::arrow::arrow_writer::{ArrowColumnWriter, ArrowRowGroupWriterFactory, compute_leaves};
use parquet::arrow::{
    ARROW_SCHEMA_META_KEY, ArrowSchemaConverter, ProjectionMask, encode_arrow_schema,
};
use parquet::basic::{BoundaryOrder, ConvertedType, Encoding, EncodingMask};
use parquet::column::page::{Page, PageReader};
use parquet::column::writer::ColumnCloseResult;
use parquet::errors::ParquetError;
use parquet::file::metadata::{
    ColumnChunkMetaData, PageEncodingStats, PageIndexPolicy, ParquetMetaData,
    ParquetMetaDataOptions, ParquetMetaDataReader, ParquetMetaDataWriter,
};
use parquet::file::page_index::column_index::ColumnIndexMetaData;
use parquet::file::page_index::offset_index::OffsetIndexMetaData;
use parquet::file::properties::WriterProperties;
use parquet::file::reader::{ChunkReader, Length};
use parquet::file::serialized_reader::SerializedPageReader;
use parquet::file::statistics::Statistics;
use parquet::file::writer::{SerializedFileWriter, TrackedWrite};

use super::Format;
use super::guard::guarded;
use super::opened::{FileCursor, Sources};
use super::parquet::corrupt;
use crate::EngineError;

/// Number of rows that are read at a time.
const BATCH_ROWS: usize = 16 * 1024;

/// Reason that a file is not accepted.
enum Flaw {
    /// The file has another form than those that Indistinct writes.
    Form(&'static str),
    /// The file cannot be read.
    Invalid(ParquetError),
}

impl<E: Into<ParquetError>> From<E> for Flaw {
    fn from(error: E) -> Self {
        Self::Invalid(error.into())
    }
}

type Checked = Result<(), Flaw>;

/// Returns an error unless the condition holds.
fn ensure(holds: bool, otherwise: &'static str) -> Checked {
    if holds { Ok(()) } else { Err(Flaw::Form(otherwise)) }
}

/// Rejects a file that contains anything but rows, or rows that other programs may read
/// differently.
pub(super) fn check(sources: &Sources, path: &Path) -> Result<(), EngineError> {
    let file = sources.random(path)?;
    guarded(path, Format::Parquet, || {
        check_file(&file).map_err(|flaw| match flaw {
            Flaw::Form(what) => {
                EngineError::NotPlain { path: path.to_owned(), what: what.to_owned() }
            }
            Flaw::Invalid(error) => corrupt(path, error),
        })
    })
}

fn check_file(file: &FileCursor) -> Checked {
    let options = ParquetMetaDataOptions::new().with_encoding_stats_as_mask(false);
    let metadata = ParquetMetaDataReader::new()
        .with_page_index_policy(PageIndexPolicy::Optional)
        .with_metadata_options(Some(options))
        .parse_and_finish(file)?;
    check_layout(file, &metadata)?;
    let metadata = Arc::new(metadata);
    let arrow = ArrowReaderMetadata::try_new(Arc::clone(&metadata), ArrowReaderOptions::new())?;
    check_schema(&metadata, arrow.schema())?;
    for (group, rows) in metadata.row_groups().iter().enumerate() {
        for (at, chunk) in rows.columns().iter().enumerate() {
            let missing = || Flaw::Form("a row group has no page index");
            let offsets = metadata.offset_index().and_then(|it| it.get(group)?.get(at));
            let index = metadata.column_index().and_then(|it| it.get(group)?.get(at));
            let chunk = Chunk {
                file,
                arrow: &arrow,
                group,
                at,
                chunk,
                offsets: offsets.ok_or_else(missing)?,
                index: index.unwrap_or(&ColumnIndexMetaData::NONE),
            };
            chunk.check()?;
        }
    }
    Ok(())
}

/// Checks that the chunks follow each other, that the counts of rows agree, and that the bytes
/// after the chunks are exactly the metadata that was read.
fn check_layout(file: &FileCursor, metadata: &ParquetMetaData) -> Checked {
    let mut at = 4;
    let mut n_rows: i64 = 0;
    for (number, group) in (0..).zip(metadata.row_groups()) {
        n_rows = n_rows.saturating_add(group.num_rows());
        ensure(group.num_rows() > 0, "a row group has no rows")?;
        let n_bytes =
            group.columns().iter().map(ColumnChunkMetaData::uncompressed_size).sum::<i64>();
        let is_plain = group.total_byte_size() == n_bytes
            && group.sorting_columns().is_none()
            && group.ordinal().is_none_or(|it| it == number)
            && group.file_offset().is_none_or(|it| it as u64 == at);
        ensure(is_plain, "a row group has unexpected metadata")?;
        for chunk in group.columns() {
            let (start, n_bytes) = chunk.byte_range();
            ensure(
                start == at && n_bytes > 0,
                "the columns of a row group do not follow each other",
            )?;
            ensure(
                chunk.num_values() == group.num_rows(),
                "the counts of rows contradict each other",
            )?;
            let is_plain = chunk.bloom_filter_offset().is_none()
                && chunk.bloom_filter_length().is_none()
                && chunk.file_offset() == 0
                && chunk.repetition_level_histogram().is_none()
                && chunk.file_path().is_none()
                && chunk.index_page_offset().is_none();
            ensure(is_plain, "a column has unexpected metadata")?;
            at = at.saturating_add(n_bytes);
        }
    }
    ensure(
        n_rows == metadata.file_metadata().num_rows(),
        "the counts of rows contradict each other",
    )?;
    ensure(file.get_bytes(0, 4)?.as_ref() == b"PAR1", "the file starts with unexpected bytes")?;
    let n_bytes = file.len().checked_sub(at).unwrap_or_default() as usize;
    let mut tail = Tail { n_skipped: at, bytes: Vec::new() };
    let mut out = TrackedWrite::new(&mut tail);
    io::copy(&mut io::Read::take(io::repeat(0), at), &mut out)?;
    ParquetMetaDataWriter::new_with_tracked(out, metadata).finish()?;
    let is_same =
        tail.bytes.len() == n_bytes && file.get_bytes(at, n_bytes)?.as_ref() == tail.bytes;
    ensure(is_same, "the metadata has an unexpected form, or there are unexpected bytes before it")
}

/// Collects written bytes after those that are skipped.
struct Tail {
    n_skipped: u64,
    bytes: Vec<u8>,
}

impl Write for Tail {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let n = self.n_skipped.min(bytes.len() as u64);
        self.n_skipped -= n;
        self.bytes.extend_from_slice(&bytes[n as usize..]);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Checks the schema and the metadata of the file.
fn check_schema(metadata: &ParquetMetaData, schema: &Schema) -> Checked {
    let file = metadata.file_metadata();
    let version = file.created_by().and_then(|it| it.strip_prefix("indistinct "));
    let is_version = version.is_some_and(|it| {
        it.split('.').count() == 3 && it.bytes().all(|c| c.is_ascii_digit() || c == b'.')
    });
    ensure(is_version && file.version() == 1, "the file was not written by Indistinct")?;
    let is_plain = |field: &Arc<Field>| field.metadata().is_empty();
    let own = ArrowSchemaConverter::new().convert(schema)?;
    let is_plain = schema.metadata().is_empty()
        && schema.fields().iter().all(is_plain)
        && own.root_schema() == file.schema();
    ensure(is_plain, "the columns have unexpected metadata")?;
    let has_only_schema = match file.key_value_metadata().map_or(&[][..], Vec::as_slice) {
        [] => true,
        [entry] => {
            entry.key == ARROW_SCHEMA_META_KEY
                && entry.value.as_ref() == Some(&encode_arrow_schema(schema))
        }
        _ => false,
    };
    ensure(has_only_schema, "the file has unexpected metadata")
}

/// A column of a row group.
struct Chunk<'a> {
    file: &'a FileCursor,
    arrow: &'a ArrowReaderMetadata,
    group: usize,
    /// Index of the column.
    at: usize,
    chunk: &'a ColumnChunkMetaData,
    offsets: &'a OffsetIndexMetaData,
    index: &'a ColumnIndexMetaData,
}

/// A data page.
struct DataPage {
    n_rows: usize,
    encoding: Encoding,
}

impl Chunk<'_> {
    fn check(&self) -> Checked {
        let (pages, n_dictionary) = self.pages()?;
        let field = self.arrow.schema().field(self.at);
        let mut of_chunk = writer(field)?;
        let mut of_page = writer(field)?;
        let (mut page, mut n_page_rows) = (0, 0);
        let mut values = Values::new(field)?;
        for batch in self.read()? {
            let batch = batch?;
            let array = batch.column(0);
            write(field, array, &mut of_chunk)?;
            let mut start = 0;
            while start < array.len() {
                let Some(DataPage { n_rows, encoding }) = pages.get(page) else {
                    return Err(Flaw::Form("the counts of rows contradict each other"));
                };
                let n = (array.len() - start).min(n_rows - n_page_rows);
                let slice = array.slice(start, n);
                write(field, &slice, &mut of_page)?;
                if *encoding == Encoding::RLE_DICTIONARY {
                    values.take(slice)?;
                }
                (start, n_page_rows) = (start + n, n_page_rows + n);
                if n_page_rows == *n_rows {
                    let written = std::mem::replace(&mut of_page, writer(field)?).close()?;
                    self.check_page(page, *n_rows, written.close())?;
                    (page, n_page_rows) = (page + 1, 0);
                }
            }
        }
        ensure(page == pages.len(), "the counts of rows contradict each other")?;
        ensure(n_dictionary == values.found.len(), "a dictionary contains values without a row")?;
        let written = of_chunk.close()?;
        let expected = &written.close().metadata;
        let is_same = same_statistics(self.chunk.statistics(), expected.statistics())
            && self.chunk.definition_level_histogram() == expected.definition_level_histogram()
            && self.chunk.unencoded_byte_array_data_bytes()
                == expected.unencoded_byte_array_data_bytes()
            && self.is_sorted_as_declared();
        ensure(is_same, "the statistics of a column differ from its rows")
    }

    /// Checks the headers of the pages and their locations in the offset index. Returns the data
    /// pages and the number of dictionary entries.
    fn pages(&self) -> Result<(Vec<DataPage>, usize), Flaw> {
        let gap = "the pages of a column do not follow each other";
        let (start, n_bytes) = self.chunk.byte_range();
        let end = start + n_bytes;
        let mut locations = self.offsets.page_locations().iter().peekable();
        let (mut at, mut first_row) = (start, 0);
        let (mut pages, mut n_dictionary) = (Vec::new(), 0);
        let mut n_uncompressed = 0;
        let mut encodings = vec![Encoding::RLE];
        let mut statistics: Vec<PageEncodingStats> = Vec::new();
        let file = Arc::new(self.file.clone());
        let n_rows = self.chunk.num_values() as usize;
        let mut reader = SerializedPageReader::new(file, self.chunk, n_rows, None)?;
        while let Some(page) = reader.get_next_page()? {
            encodings.push(page.encoding());
            let of_kind = |it: &&mut PageEncodingStats| {
                it.page_type == page.page_type() && it.encoding == page.encoding()
            };
            match statistics.iter_mut().find(of_kind) {
                Some(known) => known.count += 1,
                None => statistics.push(PageEncodingStats {
                    page_type: page.page_type(),
                    encoding: page.encoding(),
                    count: 1,
                }),
            }
            match &page {
                Page::DataPage { num_values, encoding, statistics: None, .. } => {
                    let location = locations.next().ok_or(Flaw::Form(gap))?;
                    let is_here = u64::try_from(location.offset) == Ok(at)
                        && location.first_row_index == first_row;
                    ensure(is_here && *num_values > 0, gap)?;
                    first_row += i64::from(*num_values);
                    pages.push(DataPage { n_rows: *num_values as usize, encoding: *encoding });
                    let n_bytes = u64::try_from(location.compressed_page_size);
                    n_uncompressed += self.check_header(&page, at, n_bytes.unwrap_or_default())?;
                    at += n_bytes.unwrap_or_default();
                }
                Page::DictionaryPage { num_values, is_sorted: false, .. } if at == start => {
                    let next = locations.peek().and_then(|it| u64::try_from(it.offset).ok());
                    let next = next.filter(|next| *next > at).ok_or(Flaw::Form(gap))?;
                    n_dictionary = *num_values as usize;
                    n_uncompressed += self.check_header(&page, at, next - at)?;
                    at = next;
                }
                _ => return Err(Flaw::Form("a column contains an unexpected kind of page")),
            }
        }
        ensure(at == end && locations.next().is_none(), gap)?;
        let declared = self.chunk.page_encoding_stats().map_or(&[][..], Vec::as_slice);
        let is_same = self.chunk.uncompressed_size() as u64 == n_uncompressed
            && self.chunk.encodings_mask() == &EncodingMask::new_from_encodings(encodings.iter())
            && declared.len() == statistics.len()
            && declared.iter().all(|it| statistics.contains(it));
        ensure(is_same, "the metadata of a column differs from its pages")?;
        Ok((pages, n_dictionary))
    }

    /// Checks that a page of the given size consists of the expected header and its content.
    /// Returns the size of the header and the uncompressed content.
    fn check_header(&self, page: &Page, at: u64, n_bytes: u64) -> Result<u64, Flaw> {
        let found = self.file.get_bytes(at, n_bytes.min(64) as usize)?;
        // The length of the header depends on the compressed size, which is the remainder.
        let is_header = |n: &usize| {
            let expected = header(page, n_bytes - *n as u64);
            expected.len() == *n && found.starts_with(&expected)
        };
        let n_header = (1..=found.len()).find(is_header);
        let n_header = n_header.ok_or(Flaw::Form("a page has an unexpected header"))?;
        Ok(n_header as u64 + page.buffer().len() as u64)
    }

    fn read(&self) -> Result<parquet::arrow::arrow_reader::ParquetRecordBatchReader, ParquetError> {
        let mask = ProjectionMask::roots(self.arrow.parquet_schema(), [self.at]);
        ParquetRecordBatchReaderBuilder::new_with_metadata(self.file.clone(), self.arrow.clone())
            .with_projection(mask)
            .with_row_groups(vec![self.group])
            .with_batch_size(BATCH_ROWS)
            .build()
    }

    /// Compares the statistics of a page with those of its rows.
    fn check_page(&self, page: usize, n_rows: usize, written: &ColumnCloseResult) -> Checked {
        let expected = &written.metadata;
        let unlike = "the statistics of a page differ from its rows";
        let sizes = self.offsets.unencoded_byte_array_data_bytes();
        let size = sizes.and_then(|sizes| sizes.get(page).copied());
        ensure(size == expected.unencoded_byte_array_data_bytes(), unlike)?;
        if matches!(self.index, ColumnIndexMetaData::NONE) {
            return ensure(written.column_index.is_none(), unlike);
        }
        let Some(statistics) = expected.statistics() else { return Err(Flaw::Form(unlike)) };
        let nulls = statistics.null_count_opt().unwrap_or_default();
        let bounds = match nulls == n_rows as u64 {
            true => (None, None),
            false => (statistics.min_bytes_opt(), statistics.max_bytes_opt()),
        };
        let levels = expected.definition_level_histogram().map(|it| it.values());
        let (min, max) = bounds_of(self.index, page);
        let is_same = self.index.num_pages() == self.offsets.page_locations().len() as u64
            && self.index.is_null_page(page) == (nulls == n_rows as u64)
            && self.index.null_count(page).is_none_or(|count| count as u64 == nulls)
            && self.index.definition_level_histogram(page) == levels
            && self.index.repetition_level_histogram(page).is_none()
            && (min.as_deref(), max.as_deref()) == bounds;
        ensure(is_same, unlike)
    }

    /// Returns whether the bounds of the pages are in the order that the index declares.
    fn is_sorted_as_declared(&self) -> bool {
        let order = self.index.get_boundary_order().unwrap_or(BoundaryOrder::UNORDERED);
        if order == BoundaryOrder::UNORDERED {
            return true;
        }
        let bounds = (0..self.index.num_pages() as usize)
            .filter(|page| !self.index.is_null_page(*page))
            .map(|page| bounds_of(self.index, page));
        let bounds: Vec<_> = bounds.collect();
        let column = self.chunk.column_descr();
        let is_unsigned = matches!(
            column.converted_type(),
            ConvertedType::UINT_8
                | ConvertedType::UINT_16
                | ConvertedType::UINT_32
                | ConvertedType::UINT_64
        );
        let is_decimal = column.converted_type() == ConvertedType::DECIMAL;
        let key = |bytes: &Option<Vec<u8>>| {
            sort_key(self.index, bytes.as_deref().unwrap_or_default(), is_unsigned, is_decimal)
        };
        bounds.windows(2).all(|pair| {
            let (first, second) = match order {
                BoundaryOrder::ASCENDING => (&pair[0], &pair[1]),
                _ => (&pair[1], &pair[0]),
            };
            key(&first.0) <= key(&second.0) && key(&first.1) <= key(&second.1)
        })
    }
}

/// Returns bytes that are in the order of the values.
fn sort_key(
    index: &ColumnIndexMetaData,
    bytes: &[u8],
    is_unsigned: bool,
    is_decimal: bool,
) -> Vec<u8> {
    let mut key = bytes.to_vec();
    match index {
        ColumnIndexMetaData::BYTE_ARRAY(_) => {}
        ColumnIndexMetaData::FIXED_LEN_BYTE_ARRAY(_) if !is_decimal => {}
        ColumnIndexMetaData::FIXED_LEN_BYTE_ARRAY(_) => {
            key.iter_mut().take(1).for_each(|it| *it ^= 0x80)
        }
        ColumnIndexMetaData::FLOAT(_) | ColumnIndexMetaData::DOUBLE(_) => {
            key.reverse();
            match key.first().is_some_and(|first| *first >= 0x80) {
                true => key.iter_mut().for_each(|it| *it = !*it),
                false => key.iter_mut().take(1).for_each(|it| *it ^= 0x80),
            }
        }
        _ => {
            key.reverse();
            if !is_unsigned {
                key.iter_mut().take(1).for_each(|it| *it ^= 0x80);
            }
        }
    }
    key
}

/// Returns the minimum and the maximum of a page in a column index.
fn bounds_of(index: &ColumnIndexMetaData, page: usize) -> (Option<Vec<u8>>, Option<Vec<u8>>) {
    macro_rules! bounds {
        ($index:expr, $bytes:expr) => {
            ($index.min_value(page).map($bytes), $index.max_value(page).map($bytes))
        };
    }
    match index {
        ColumnIndexMetaData::NONE | ColumnIndexMetaData::INT96(_) => (None, None),
        ColumnIndexMetaData::BOOLEAN(it) => bounds!(it, |value| vec![u8::from(*value)]),
        ColumnIndexMetaData::INT32(it) => bounds!(it, |value| value.to_le_bytes().to_vec()),
        ColumnIndexMetaData::INT64(it) => bounds!(it, |value| value.to_le_bytes().to_vec()),
        ColumnIndexMetaData::FLOAT(it) => bounds!(it, |value| value.to_le_bytes().to_vec()),
        ColumnIndexMetaData::DOUBLE(it) => bounds!(it, |value| value.to_le_bytes().to_vec()),
        ColumnIndexMetaData::BYTE_ARRAY(it) | ColumnIndexMetaData::FIXED_LEN_BYTE_ARRAY(it) => {
            bounds!(it, <[u8]>::to_vec)
        }
    }
}

fn same_statistics(found: Option<&Statistics>, expected: Option<&Statistics>) -> bool {
    let facts = |it: &Statistics| {
        let bounds = [it.min_bytes_opt(), it.max_bytes_opt()].map(|it| it.map(<[u8]>::to_vec));
        let is_exact = (it.min_is_exact(), it.max_is_exact());
        (bounds, is_exact, it.null_count_opt(), it.distinct_count_opt())
    };
    found.map(facts) == expected.map(facts)
}

/// Creates a writer that computes the statistics of a single page.
fn writer(field: &Field) -> Result<ArrowColumnWriter, ParquetError> {
    let properties = WriterProperties::builder()
        .set_dictionary_enabled(false)
        .set_data_page_size_limit(usize::MAX)
        .set_data_page_row_count_limit(usize::MAX)
        .build();
    let schema = Arc::new(Schema::new(vec![field.clone()]));
    let root = ArrowSchemaConverter::new().convert(&schema)?.root_schema_ptr();
    let file = SerializedFileWriter::new(io::sink(), root, Arc::new(properties))?;
    Ok(ArrowRowGroupWriterFactory::new(&file, schema).create_column_writers(0)?.remove(0))
}

fn write(
    field: &Field,
    array: &ArrayRef,
    writer: &mut ArrowColumnWriter,
) -> Result<(), ParquetError> {
    compute_leaves(field, array)?.iter().try_for_each(|leaf| writer.write(leaf))
}

/// The distinct values of a column.
struct Values {
    /// Type in which values are compared; the bits of floating-point numbers.
    data_type: DataType,
    converter: RowConverter,
    found: HashSet<Box<[u8]>>,
}

impl Values {
    fn new(field: &Field) -> Result<Self, ParquetError> {
        let data_type = match field.data_type() {
            DataType::Float16 => DataType::UInt16,
            DataType::Float32 => DataType::UInt32,
            DataType::Float64 => DataType::UInt64,
            other => other.clone(),
        };
        let converter = RowConverter::new(vec![SortField::new(data_type.clone())])?;
        Ok(Self { data_type, converter, found: HashSet::new() })
    }

    fn take(&mut self, array: ArrayRef) -> Result<(), ParquetError> {
        let nulls = array.nulls().cloned();
        let data = array.to_data().into_builder().data_type(self.data_type.clone()).build()?;
        let rows = self.converter.convert_columns(&[make_array(data)])?;
        for (row, at) in rows.iter().zip(0..) {
            let is_null = nulls.as_ref().is_some_and(|nulls| nulls.is_null(at));
            if !is_null && !self.found.contains(row.as_ref()) {
                self.found.insert(row.as_ref().into());
            }
        }
        Ok(())
    }
}

/// Returns the header of a page with the given compressed size, in the compact protocol of Thrift.
fn header(page: &Page, n_compressed: u64) -> Vec<u8> {
    let (kind, of_kind, n_values, encodings, end): (u64, u8, u32, Vec<Encoding>, &[u8]) = match page
    {
        Page::DictionaryPage { num_values, encoding, .. } => {
            (2, 0x4c, *num_values, vec![*encoding], &[0x12, 0, 0])
        }
        Page::DataPage { num_values, encoding, def_level_encoding, rep_level_encoding, .. } => {
            let encodings = vec![*encoding, *def_level_encoding, *rep_level_encoding];
            (0, 0x2c, *num_values, encodings, &[0, 0])
        }
        Page::DataPageV2 { .. } => return Vec::new(),
    };
    let mut bytes = Vec::new();
    let mut number = |before: Option<u8>, number: u64| {
        bytes.extend(before);
        bytes.push(0x15);
        let mut rest = number << 1;
        while rest >= 0x80 {
            bytes.push(rest as u8 | 0x80);
            rest >>= 7;
        }
        bytes.push(rest as u8);
    };
    number(None, kind);
    number(None, page.buffer().len() as u64);
    number(None, n_compressed);
    number(Some(of_kind), n_values.into());
    encodings.iter().for_each(|it| number(None, *it as u64));
    bytes.extend_from_slice(end);
    bytes
}
