//! Checks that Parquet files of a release have exactly the form that [`crate::output`] writes.
//!
//! Programs rely on different parts of a file: some count the rows of the footer, others those of
//! the pages, and filters skip pages according to their statistics. Therefore, the pages of all
//! columns follow each other without gaps and contain nothing but their rows
//! ([`released_pages`](super::released_pages)), the statistics and indexes are those of the rows,
//! and the bytes after the pages are exactly these indexes and a footer with known metadata.

use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;

use arrow_array::ArrayRef;
use arrow_schema::{Field, Schema};
use indistinct_core::Observer;
use parquet::arrow::arrow_reader::{
    ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReader,
    ParquetRecordBatchReaderBuilder,
};
use parquet::arrow::arrow_writer::{ArrowColumnWriter, ArrowRowGroupWriterFactory, compute_leaves};
use parquet::arrow::{
    ARROW_SCHEMA_META_KEY, ArrowSchemaConverter, ProjectionMask, encode_arrow_schema,
};
use parquet::basic::{BoundaryOrder, ColumnOrder, Compression, LogicalType, SortOrder, Type};
use parquet::column::writer::ColumnCloseResult;
use parquet::errors::ParquetError;
use parquet::file::metadata::{
    ColumnChunkMetaData, ColumnIndexBuilder, LevelHistogram, OffsetIndexBuilder, PageIndexPolicy,
    ParquetMetaData, ParquetMetaDataBuilder, ParquetMetaDataOptions, ParquetMetaDataReader,
    ParquetMetaDataWriter, RowGroupMetaData,
};
use parquet::file::page_index::column_index::ColumnIndexMetaData;
use parquet::file::page_index::offset_index::OffsetIndexMetaData;
use parquet::file::properties::WriterPropertiesPtr;
use parquet::file::reader::{ChunkReader, Length};
use parquet::file::writer::{SerializedFileWriter, TrackedWrite};
use parquet::schema::types::ColumnDescriptor;

use super::guard::guarded;
use super::opened::FileCursor;
use super::parquet::{check_counts, corrupt, with_dictionaries};
use super::released_pages::{Checked, Flaw, Pages, ensure};
use super::text::plain_type;
use super::{Format, Input, plain};
use crate::EngineError;
use crate::output::parquet::{needs_arrow_schema, properties};

/// Number of rows that are read at a time.
const BATCH_ROWS: usize = 1 << 14;

/// A limit that is never reached.
const UNLIMITED: usize = usize::MAX >> 1;

/// Rejects files that contain anything but rows, or rows that other programs may read differently.
pub(super) fn check(
    input: &Input,
    columns: &[String],
    observer: &dyn Observer,
) -> Result<(), EngineError> {
    for path in input.files() {
        let file = input.sources().random(path)?;
        guarded(path, Format::Parquet, || {
            check_file(&file, observer).map_err(|flaw| reject(path, flaw))
        })?;
    }
    plain::check_batches(input, columns, observer)
}

fn reject(path: &Path, flaw: Flaw) -> EngineError {
    match flaw {
        Flaw::Form(what) => EngineError::NotPlain { path: path.to_owned(), what: what.to_owned() },
        Flaw::Invalid(error) => corrupt(path, error),
        Flaw::Cancelled => EngineError::Cancelled,
    }
}

fn check_file(file: &FileCursor, observer: &dyn Observer) -> Checked {
    let options = ParquetMetaDataOptions::new().with_encoding_stats_as_mask(false);
    let metadata = ParquetMetaDataReader::new()
        .with_page_index_policy(PageIndexPolicy::Optional)
        .with_metadata_options(Some(options))
        .parse_and_finish(file)?;
    check_counts(&metadata)?;
    ensure(file.get_bytes(0, 4)?.as_ref() == b"PAR1", "the file starts with unexpected bytes")?;
    let metadata = Arc::new(metadata);
    let arrow = ArrowReaderMetadata::try_new(Arc::clone(&metadata), ArrowReaderOptions::new())?;
    check_schema(&metadata, arrow.schema())?;
    let columns: Vec<usize> = (0..arrow.schema().fields().len()).collect();
    let arrow = with_dictionaries(&arrow, &columns).unwrap_or(arrow);
    let (mut at, mut groups) = (4, Vec::new());
    let (mut column_index, mut offset_index) = (Vec::new(), Vec::new());
    for (group, rows) in metadata.row_groups().iter().enumerate() {
        let (start, mut columns) = (at, Vec::new());
        let (mut indexes, mut locations) = (Vec::new(), Vec::new());
        for (column, chunk) in rows.columns().iter().enumerate() {
            let offsets = metadata.offset_index().and_then(|it| it.get(group)?.get(column));
            let index = metadata.column_index().and_then(|it| it.get(group)?.get(column));
            let (first, n_bytes) = chunk.byte_range();
            ensure(first == at, "the columns do not follow each other")?;
            at += n_bytes;
            let chunk = Chunk {
                file,
                arrow: &arrow,
                group,
                at: column,
                chunk,
                offsets: offsets.ok_or(Flaw::Form("a row group has no page index"))?,
                order: index.and_then(ColumnIndexMetaData::get_boundary_order),
            };
            let (metadata, index, offsets) = chunk.check(observer)?;
            columns.push(metadata);
            indexes.push(index);
            locations.push(offsets);
        }
        column_index.push(indexes);
        offset_index.push(locations);
        let n_bytes = columns.iter().map(ColumnChunkMetaData::uncompressed_size).sum();
        let expected = RowGroupMetaData::builder(metadata.file_metadata().schema_descr_ptr())
            .set_num_rows(rows.num_rows())
            .set_total_byte_size(n_bytes)
            .set_ordinal(i16::try_from(group).unwrap_or(i16::MAX))
            .set_file_offset(i64::try_from(start).unwrap_or(i64::MAX))
            .set_column_metadata(columns);
        groups.push(expected.build()?);
    }
    let expected = ParquetMetaDataBuilder::new(metadata.file_metadata().clone())
        .set_row_groups(groups)
        .set_column_index(Some(column_index))
        .set_offset_index(Some(offset_index));
    check_tail(file, at, &expected.build())
}

/// Checks that the bytes after the pages are exactly the given metadata.
fn check_tail(file: &FileCursor, start: u64, expected: &ParquetMetaData) -> Checked {
    let mut tail = Tail { n_skipped: start, bytes: Vec::new() };
    let mut out = TrackedWrite::new(&mut tail);
    io::copy(&mut io::Read::take(io::repeat(0), start), &mut out)?;
    ParquetMetaDataWriter::new_with_tracked(out, expected).finish()?;
    let is_same = file.len().checked_sub(start) == Some(tail.bytes.len() as u64)
        && file.get_bytes(start, tail.bytes.len())?.as_ref() == tail.bytes;
    ensure(is_same, "the bytes after the pages are not the indexes and the footer of its rows")
}

/// Collects the bytes that are written after a number of skipped bytes.
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

/// Checks the columns and the metadata of a file.
fn check_schema(metadata: &ParquetMetaData, schema: &Schema) -> Checked {
    let file = metadata.file_metadata();
    let version = file.created_by().and_then(|it| it.strip_prefix("indistinct "));
    let is_version = |it: &str| {
        let is_number = |part: &str| {
            (1..=4).contains(&part.len()) && part.bytes().all(|digit| digit.is_ascii_digit())
        };
        it.split('.').count() == 3 && it.split('.').all(is_number)
    };
    ensure(
        version.is_some_and(is_version) && file.version() == 1,
        "the file was not written by a released version of Indistinct",
    )?;
    let is_plain = |field: &Arc<Field>| {
        field.metadata().is_empty() && plain_type(field.data_type()) == *field.data_type()
    };
    let descriptor = ArrowSchemaConverter::new().convert(schema)?;
    let is_ordered = |order: &ColumnOrder| matches!(order, ColumnOrder::TYPE_DEFINED_ORDER(_));
    let orders = file.column_orders().map_or(&[][..], Vec::as_slice);
    let is_plain = schema.metadata().is_empty()
        && schema.fields().iter().all(is_plain)
        && descriptor.root_schema() == file.schema()
        && descriptor.num_columns() == schema.fields().len()
        && orders.len() == schema.fields().len()
        && orders.iter().all(is_ordered);
    ensure(is_plain, "the columns have unexpected types or metadata")?;
    let entries = file.key_value_metadata().map_or(&[][..], Vec::as_slice);
    let is_known = match (needs_arrow_schema(schema, &descriptor)?, entries) {
        (false, []) => true,
        (true, [entry]) => {
            entry.key == ARROW_SCHEMA_META_KEY
                && entry.value.as_ref() == Some(&encode_arrow_schema(schema))
        }
        _ => false,
    };
    ensure(is_known, "the footer has unexpected entries")
}

/// A column of a row group.
struct Chunk<'a> {
    file: &'a FileCursor,
    /// The metadata of the file, with text columns that are read as dictionaries.
    arrow: &'a ArrowReaderMetadata,
    group: usize,
    /// Index of the column.
    at: usize,
    chunk: &'a ColumnChunkMetaData,
    offsets: &'a OffsetIndexMetaData,
    /// The declared order of the pages.
    order: Option<BoundaryOrder>,
}

/// The metadata and the indexes that a column must have.
type Expected = (ColumnChunkMetaData, ColumnIndexMetaData, OffsetIndexMetaData);

impl Chunk<'_> {
    /// Checks the pages.
    fn check(&self, observer: &dyn Observer) -> Result<Expected, Flaw> {
        let is_compressed = matches!(self.chunk.compression(), Compression::ZSTD(_));
        ensure(is_compressed, "a column has another compression")?;
        let pages = Pages::read(self.file, self.chunk, self.offsets)?;
        let field = self.arrow.schema().field(self.at);
        let (of_chunk, of_page) = (properties()?.build().into(), for_pages()?);
        let mut whole = writer(field, &of_chunk)?;
        let mut part = writer(field, &of_page)?;
        let (mut page, mut n_page_rows) = (0, 0);
        let mut index = ColumnIndexBuilder::new(self.chunk.column_type());
        let mut offsets = OffsetIndexBuilder::new();
        for batch in self.rows()? {
            if observer.is_cancelled() {
                return Err(Flaw::Cancelled);
            }
            let batch = batch?;
            let array = batch.column(0);
            write(field, array, &mut whole)?;
            let mut start = 0;
            while start < array.len() {
                let n_rows = pages.n_rows.get(page).copied();
                let n_rows = n_rows.ok_or(Flaw::Form("a column has too few pages"))?;
                let n = (array.len() - start).min(n_rows - n_page_rows);
                write(field, &array.slice(start, n), &mut part)?;
                (start, n_page_rows) = (start + n, n_page_rows + n);
                if n_page_rows == n_rows {
                    let written = std::mem::replace(&mut part, writer(field, &of_page)?).close()?;
                    let location = &self.offsets.page_locations()[page];
                    offsets.append_offset_and_size(location.offset, location.compressed_page_size);
                    offsets.append_row_count(n_rows as i64);
                    append(written.close(), &mut index, &mut offsets);
                    (page, n_page_rows) = (page + 1, 0);
                }
            }
        }
        ensure(page == pages.n_rows.len(), "a column has too many pages")?;
        index.set_boundary_order(self.order.unwrap_or(BoundaryOrder::UNORDERED));
        let index = match index.valid() {
            true => index.build()?,
            false => ColumnIndexMetaData::NONE,
        };
        let column = self.chunk.column_descr();
        ensure(is_sorted_as_declared(&index, column), "the pages are not in the declared order")?;
        let metadata = self.expected(&pages, &whole.close()?.close().metadata)?;
        Ok((metadata, index, offsets.build()))
    }

    fn rows(&self) -> Result<ParquetRecordBatchReader, ParquetError> {
        let mask = ProjectionMask::roots(self.arrow.parquet_schema(), [self.at]);
        ParquetRecordBatchReaderBuilder::new_with_metadata(self.file.clone(), self.arrow.clone())
            .with_projection(mask)
            .with_row_groups(vec![self.group])
            .with_batch_size(BATCH_ROWS)
            .build()
    }

    /// Returns the metadata of a column with these pages and the statistics of an equal column.
    fn expected(
        &self,
        pages: &Pages,
        equal: &ColumnChunkMetaData,
    ) -> Result<ColumnChunkMetaData, Flaw> {
        let found = self.chunk;
        let declared = found.page_encoding_stats().map_or(&[][..], Vec::as_slice);
        let is_same = declared.len() == pages.statistics.len()
            && declared.iter().all(|it| pages.statistics.contains(it));
        ensure(is_same, "the declared encodings of a column differ from its pages")?;
        let expected = equal
            .clone()
            .into_builder()
            .set_compression(found.compression())
            .set_encodings(pages.encodings())
            .set_page_encoding_stats(declared.to_vec())
            .set_total_compressed_size(found.compressed_size())
            .set_total_uncompressed_size(pages.n_uncompressed_bytes)
            .set_dictionary_page_offset(pages.dictionary_offset)
            .set_data_page_offset(pages.first_data_offset);
        Ok(expected.build()?)
    }
}

/// Appends the entries of a page to the indexes, given those of an equal page.
fn append(
    written: &ColumnCloseResult,
    index: &mut ColumnIndexBuilder,
    offsets: &mut OffsetIndexBuilder,
) {
    let n_bytes = written.metadata.unencoded_byte_array_data_bytes();
    offsets.append_unencoded_byte_array_data_bytes(n_bytes);
    let Some(page) = &written.column_index else { return index.to_invalid() };
    let [min, max] = bounds_of(page, 0).map(Option::unwrap_or_default);
    index.append(page.is_null_page(0), min, max, page.null_count(0).unwrap_or_default());
    let levels = |it: Option<&[i64]>| it.map(|it| LevelHistogram::from(it.to_vec()));
    index.append_histograms(
        &levels(page.repetition_level_histogram(0)),
        &levels(page.definition_level_histogram(0)),
    );
}

/// Returns whether the bounds of the pages are in the order that the index declares.
fn is_sorted_as_declared(index: &ColumnIndexMetaData, column: &ColumnDescriptor) -> bool {
    let Some(order) = index.get_boundary_order() else { return true };
    let bounds = (0..index.num_pages() as usize)
        .filter(|page| !index.is_null_page(*page))
        .map(|page| bounds_of(index, page).map(|bound| sort_key(column, bound)));
    let bounds: Vec<_> = bounds.collect();
    bounds.windows(2).all(|pair| {
        let holds = |(a, b): (&Vec<u8>, &Vec<u8>)| match order {
            BoundaryOrder::UNORDERED => true,
            BoundaryOrder::ASCENDING => a <= b,
            BoundaryOrder::DESCENDING => a >= b,
        };
        pair[0].iter().zip(&pair[1]).all(holds)
    })
}

/// Returns bytes that are in the order of the values.
fn sort_key(column: &ColumnDescriptor, bytes: Option<Vec<u8>>) -> Vec<u8> {
    let mut key = bytes.unwrap_or_default();
    let kind = column.physical_type();
    let is_float = matches!(kind, Type::FLOAT | Type::DOUBLE)
        || matches!(column.logical_type_ref(), Some(LogicalType::Float16));
    if is_float || matches!(kind, Type::INT32 | Type::INT64) {
        key.reverse();
    }
    match key.first() {
        Some(0x80..) if is_float => key.iter_mut().for_each(|it| *it = !*it),
        Some(_) if is_float || column.sort_order() == SortOrder::SIGNED => key[0] ^= 0x80,
        _ => {}
    }
    key
}

/// Returns the minimum and the maximum of a page in a column index.
fn bounds_of(index: &ColumnIndexMetaData, page: usize) -> [Option<Vec<u8>>; 2] {
    macro_rules! bounds {
        ($index:expr, $bytes:expr) => {
            [$index.min_value(page).map($bytes), $index.max_value(page).map($bytes)]
        };
    }
    match index {
        ColumnIndexMetaData::NONE | ColumnIndexMetaData::INT96(_) => [None, None],
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

/// Returns the properties of a writer that writes a single page.
fn for_pages() -> Result<WriterPropertiesPtr, ParquetError> {
    let properties = properties()?
        .set_compression(Compression::UNCOMPRESSED)
        .set_dictionary_page_size_limit(UNLIMITED)
        .set_data_page_size_limit(UNLIMITED)
        .set_data_page_row_count_limit(UNLIMITED);
    Ok(properties.build().into())
}

/// Creates a writer that computes the statistics of a column.
fn writer(
    field: &Field,
    properties: &WriterPropertiesPtr,
) -> Result<ArrowColumnWriter, ParquetError> {
    let schema = Arc::new(Schema::new(vec![field.clone()]));
    let root = ArrowSchemaConverter::new().convert(&schema)?.root_schema_ptr();
    let file = SerializedFileWriter::new(io::sink(), root, Arc::clone(properties))?;
    Ok(ArrowRowGroupWriterFactory::new(&file, schema).create_column_writers(0)?.remove(0))
}

fn write(
    field: &Field,
    array: &ArrayRef,
    writer: &mut ArrowColumnWriter,
) -> Result<(), ParquetError> {
    compute_leaves(field, array)?.iter().try_for_each(|leaf| writer.write(leaf))
}

#[cfg(test)]
mod tests {
    use arrow_array::{
        BooleanArray, Date32Array, Decimal128Array, Float32Array, Float64Array, Int8Array,
        RecordBatch, StringArray, TimestampSecondArray, UInt32Array,
    };
    use indistinct_core::Silent;
    use parquet::arrow::ArrowWriter;

    use super::*;
    use crate::InputSpec;

    /// Writes a column of many rows like a release, and checks its form.
    fn check_column(array: ArrayRef) -> Result<(), EngineError> {
        let batch = RecordBatch::try_from_iter_with_nullable([("a", array, true)]);
        let batch = batch.expect("a batch");
        let file = tempfile::Builder::new().suffix(".parquet").tempfile().expect("a file");
        let root = ArrowSchemaConverter::new().convert(&batch.schema()).expect("a schema");
        let has_schema = needs_arrow_schema(&batch.schema(), &root).expect("a schema");
        let properties = properties().expect("valid").set_write_batch_size(7);
        let properties = properties.set_data_page_row_count_limit(7).build();
        let options = parquet::arrow::arrow_writer::ArrowWriterOptions::new()
            .with_properties(properties)
            .with_skip_arrow_metadata(!has_schema);
        let out = file.reopen().expect("a file");
        let writer = ArrowWriter::try_new_with_options(out, batch.schema(), options);
        let mut writer = writer.expect("a writer");
        writer.write(&batch).expect("written");
        writer.close().expect("written");
        let spec = InputSpec { path: file.path().to_owned(), ..InputSpec::default() };
        check(&Input::open_released(&spec).expect("opened"), &[], &Silent)
    }

    #[test]
    fn columns_of_all_types_are_accepted() {
        let numbers: Vec<Option<i32>> =
            (0..40).map(|it| (it % 9 != 4).then_some(it - 20)).collect();
        let floats = || numbers.iter().map(|it| it.map(f64::from));
        let unsigned = || numbers.iter().map(|it| it.map(i32::cast_unsigned));
        let texts = numbers.iter().map(|it| it.map(|it| format!("{it}{}", "é".repeat(50))));
        let columns: Vec<ArrayRef> = vec![
            Arc::new(Int8Array::from_iter(numbers.iter().map(|it| it.map(|it| it as i8)))),
            Arc::new(UInt32Array::from_iter(unsigned())),
            Arc::new(Float32Array::from_iter(floats().map(|it| it.map(|it| it as f32)))),
            Arc::new(Float64Array::from_iter(floats())),
            Arc::new(Float64Array::from(vec![f64::NAN; 20])),
            Arc::new(Float64Array::from(vec![None, Some(f64::NAN), Some(1.0), Some(-0.0)])),
            Arc::new(Date32Array::from_iter(numbers.clone())),
            Arc::new(TimestampSecondArray::from_iter(numbers.iter().map(|it| it.map(i64::from)))),
            Arc::new(Decimal128Array::from_iter(numbers.iter().map(|it| it.map(i128::from)))),
            Arc::new(BooleanArray::from_iter(numbers.iter().map(|it| it.map(|it| it > 5)))),
            Arc::new(texts.collect::<StringArray>()),
            Arc::new(StringArray::from(vec![None::<&str>; 20])),
        ];
        for column in columns {
            let data_type = column.data_type().clone();
            check_column(column).unwrap_or_else(|error| panic!("{data_type}: {error}"));
        }
    }
}
