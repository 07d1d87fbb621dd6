//! The pages of a column in a released Parquet file. They contain nothing but rows: every byte is
//! part of an expected header, a count, or a value, and every dictionary entry occurs once and is
//! used.

use std::collections::HashSet;
use std::sync::Arc;

use bytes::Bytes;
use parquet::basic::{Encoding, PageType, Type};
use parquet::column::page::{CompressedPage, Page, PageReader, PageWriter};
use parquet::errors::ParquetError;
use parquet::file::metadata::{ColumnChunkMetaData, PageEncodingStats};
use parquet::file::page_index::offset_index::OffsetIndexMetaData;
use parquet::file::reader::ChunkReader;
use parquet::file::serialized_reader::SerializedPageReader;
use parquet::file::writer::{SerializedPageWriter, TrackedWrite};
use parquet::schema::types::ColumnDescriptor;
use zstd::zstd_safe::find_frame_compressed_size;

use super::opened::FileCursor;

/// Reason that a file is rejected.
pub(super) enum Flaw {
    /// The file does not have the form that Indistinct writes.
    Form(&'static str),
    /// The file cannot be read.
    Invalid(ParquetError),
    Cancelled,
}

impl<E: Into<ParquetError>> From<E> for Flaw {
    fn from(error: E) -> Self {
        Self::Invalid(error.into())
    }
}

pub(super) type Checked = Result<(), Flaw>;

/// Returns an error unless the condition holds.
pub(super) fn ensure(holds: bool, otherwise: &'static str) -> Checked {
    if holds { Ok(()) } else { Err(Flaw::Form(otherwise)) }
}

/// Reason that a page is rejected.
const LOCATION: Flaw = Flaw::Form("the pages of a column do not follow each other");
const HEADER: Flaw = Flaw::Form("a page has an unexpected header");
const CONTENT: Flaw = Flaw::Form("a page contains unexpected bytes");

/// Facts about the pages of a column.
#[derive(Default)]
pub(super) struct Pages {
    /// Number of rows in each data page.
    pub(super) n_rows: Vec<usize>,
    /// Number of pages of each kind.
    pub(super) statistics: Vec<PageEncodingStats>,
    /// Size of the headers and the uncompressed pages.
    pub(super) n_uncompressed_bytes: i64,
    pub(super) dictionary_offset: Option<i64>,
    pub(super) first_data_offset: i64,
    /// Whether each dictionary entry occurs.
    occurs: Vec<bool>,
}

impl Pages {
    /// Reads and checks the pages of a column and their locations in the offset index.
    pub(super) fn read(
        file: &FileCursor,
        chunk: &ColumnChunkMetaData,
        offsets: &OffsetIndexMetaData,
    ) -> Result<Self, Flaw> {
        let column = chunk.column_descr();
        let locations = offsets.page_locations();
        let (start, n_bytes) = chunk.byte_range();
        let (mut at, end) = (start as i64, (start + n_bytes) as i64);
        let mut pages = Self {
            first_data_offset: locations.first().ok_or(LOCATION)?.offset,
            ..Self::default()
        };
        let reader = Arc::new(file.clone());
        let n_rows = chunk.num_values() as usize;
        let mut reader = SerializedPageReader::new(reader, chunk, n_rows, None)?;
        let mut first_row = 0;
        while let Some(page) = reader.get_next_page()? {
            let n = match &page {
                Page::DictionaryPage {
                    num_values,
                    encoding: Encoding::PLAIN,
                    buf,
                    is_sorted: false,
                } => {
                    let is_first = pages.n_rows.is_empty() && pages.dictionary_offset.is_none();
                    ensure(is_first, "a column has several dictionaries")?;
                    pages.dictionary_offset = Some(at);
                    check_dictionary(column, buf, *num_values as usize)?;
                    pages.occurs = vec![false; *num_values as usize];
                    pages.first_data_offset - at
                }
                Page::DataPage {
                    num_values,
                    encoding,
                    buf,
                    def_level_encoding: Encoding::RLE,
                    rep_level_encoding: Encoding::RLE,
                    ..
                } => {
                    let location = locations.get(pages.n_rows.len()).ok_or(LOCATION)?;
                    if location.offset != at
                        || location.first_row_index != first_row
                        || *num_values == 0
                    {
                        return Err(LOCATION);
                    }
                    first_row += i64::from(*num_values);
                    pages.n_rows.push(*num_values as usize);
                    pages.check_data(column, buf, *num_values as usize, *encoding)?;
                    i64::from(location.compressed_page_size)
                }
                _ => return Err(HEADER),
            };
            if n <= 0 || n > end - at {
                return Err(LOCATION);
            }
            let stored = file.get_bytes(at as u64, n as usize)?;
            let n_header = n_header_bytes(&page, &stored)?;
            pages.n_uncompressed_bytes += (n_header + page.buffer().len()) as i64;
            pages.count(page.page_type(), page.encoding());
            at += n;
        }
        if at != end || pages.n_rows.len() != locations.len() {
            return Err(LOCATION);
        }
        let all_occur = pages.occurs.iter().all(|occurs| *occurs);
        ensure(all_occur, "a dictionary contains values that do not occur")?;
        Ok(pages)
    }

    /// Returns the encodings of the pages and of the levels.
    pub(super) fn encodings(&self) -> Vec<Encoding> {
        let of_pages = self.statistics.iter().map(|it| it.encoding);
        of_pages.chain([Encoding::RLE]).collect()
    }

    fn count(&mut self, page_type: PageType, encoding: Encoding) {
        let is_alike =
            |it: &&mut PageEncodingStats| it.page_type == page_type && it.encoding == encoding;
        match self.statistics.iter_mut().find(is_alike) {
            Some(known) => known.count += 1,
            None => self.statistics.push(PageEncodingStats { page_type, encoding, count: 1 }),
        }
    }

    /// Checks the content of a data page.
    fn check_data(
        &mut self,
        column: &ColumnDescriptor,
        mut bytes: &[u8],
        n_rows: usize,
        encoding: Encoding,
    ) -> Result<(), Flaw> {
        let mut n_values = n_rows;
        if column.max_def_level() > 0 {
            let n_bytes = u32::from_le_bytes(*take(&mut bytes)?);
            let levels = bytes.split_off(..n_bytes as usize).ok_or(CONTENT)?;
            n_values = 0;
            runs(levels, 1, n_rows, |level, n| {
                n_values += level as usize * n;
                level <= 1
            })?;
        }
        match encoding {
            Encoding::RLE_DICTIONARY => {
                let [n_bits] = *take(&mut bytes)?;
                runs(bytes, n_bits, n_values, |code, _| {
                    let occurs = self.occurs.get_mut(code as usize);
                    occurs.map(|occurs| *occurs = true).is_some()
                })
            }
            Encoding::PLAIN => plain_values(column, bytes, n_values, |_| true),
            _ => Err(HEADER),
        }
    }
}

/// Checks that the entries of a dictionary are distinct. The writer repeats NaN, which equals no
/// value.
fn check_dictionary(column: &ColumnDescriptor, bytes: &[u8], n_values: usize) -> Result<(), Flaw> {
    let mut known = HashSet::new();
    plain_values(column, bytes, n_values, |value| {
        let is_nan = match column.physical_type() {
            Type::FLOAT => value.try_into().is_ok_and(|it| f32::from_le_bytes(it).is_nan()),
            Type::DOUBLE => value.try_into().is_ok_and(|it| f64::from_le_bytes(it).is_nan()),
            _ => false,
        };
        known.insert(value) || is_nan
    })
}

/// Checks that the bytes are exactly the given number of plain values that satisfy a condition.
fn plain_values<'a>(
    column: &ColumnDescriptor,
    mut bytes: &'a [u8],
    n_values: usize,
    mut holds: impl FnMut(&'a [u8]) -> bool,
) -> Result<(), Flaw> {
    let n_bytes = match column.physical_type() {
        Type::BOOLEAN => {
            let n_unused = n_values.next_multiple_of(8) - n_values;
            let has_zeros = bytes.last().is_none_or(|last| u32::from(*last) << n_unused < 256);
            return match bytes.len() == n_values.div_ceil(8) && has_zeros {
                true => Ok(()),
                false => Err(CONTENT),
            };
        }
        Type::INT32 | Type::FLOAT => Some(4),
        Type::INT64 | Type::DOUBLE => Some(8),
        Type::FIXED_LEN_BYTE_ARRAY => usize::try_from(column.type_length()).ok(),
        Type::INT96 | Type::BYTE_ARRAY => None,
    };
    for _ in 0..n_values {
        let n_bytes = match n_bytes {
            Some(n_bytes) => n_bytes,
            None => u32::from_le_bytes(*take(&mut bytes)?) as usize,
        };
        let value = bytes.split_off(..n_bytes).ok_or(CONTENT)?;
        if !holds(value) {
            return Err(CONTENT);
        }
    }
    if bytes.is_empty() { Ok(()) } else { Err(CONTENT) }
}

/// Removes bytes from the start.
fn take<'a, const N: usize>(bytes: &mut &'a [u8]) -> Result<&'a [u8; N], Flaw> {
    let (first, rest) = bytes.split_first_chunk().ok_or(CONTENT)?;
    *bytes = rest;
    Ok(first)
}

/// Checks that the bytes are exactly the given number of values, as runs of equal or bit-packed
/// values that satisfy a condition. The condition receives a value and its number of repetitions.
fn runs(
    mut bytes: &[u8],
    n_bits: u8,
    n_values: usize,
    mut holds: impl FnMut(u32, usize) -> bool,
) -> Result<(), Flaw> {
    if n_bits > 32 {
        return Err(CONTENT);
    }
    let mut n_left = n_values;
    while n_left > 0 {
        let mut header = 0;
        for shift in (0..).step_by(7) {
            let [byte] = *take(&mut bytes)?;
            if shift > 28 {
                return Err(CONTENT);
            }
            header |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                break;
            }
        }
        let n = (header >> 1) as usize;
        if header & 1 == 0 {
            let mut value = [0; 8];
            let n_bytes = usize::from(n_bits.div_ceil(8));
            value[..n_bytes].copy_from_slice(bytes.split_off(..n_bytes).ok_or(CONTENT)?);
            let value = u32::try_from(u64::from_le_bytes(value)).map_err(|_| CONTENT)?;
            if n == 0 || n > n_left || !holds(value, n) {
                return Err(CONTENT);
            }
            n_left -= n;
            continue;
        }
        let packed = bytes.split_off(..n * usize::from(n_bits)).ok_or(CONTENT)?;
        if n == 0 || n > n_left.div_ceil(8) {
            return Err(CONTENT);
        }
        for at in 0..n * 8 {
            let value = unpacked(packed, at, n_bits);
            // The last group is filled with zeros.
            if n_left == 0 && value == 0 {
                continue;
            }
            if n_left == 0 || !holds(value, 1) {
                return Err(CONTENT);
            }
            n_left -= 1;
        }
    }
    if bytes.is_empty() { Ok(()) } else { Err(CONTENT) }
}

/// Returns a bit-packed value.
fn unpacked(packed: &[u8], at: usize, n_bits: u8) -> u32 {
    let first = at * usize::from(n_bits);
    let mut window = [0; 8];
    let part = &packed[first / 8..packed.len().min(first / 8 + 8)];
    window[..part.len()].copy_from_slice(part);
    let value = u64::from_le_bytes(window) >> (first % 8);
    (value & ((1 << n_bits) - 1)) as u32
}

/// Checks that stored bytes are the expected header of a page and its content in a single frame.
/// Returns the size of the header.
fn n_header_bytes(page: &Page, stored: &Bytes) -> Result<usize, Flaw> {
    let mut n_header = 0;
    // The length of the header depends on the compressed size, which is the remainder.
    for _ in 0..4 {
        let compressed = stored.get(n_header..).map(|it| stored.slice_ref(it)).ok_or(HEADER)?;
        // The frame has no checksum, no dictionary, and no reserved bits.
        let is_frame = find_frame_compressed_size(&compressed) == Ok(compressed.len())
            && compressed.get(4).is_some_and(|descriptor| descriptor & 0x1f == 0);
        let header = header(page, compressed)?;
        if header.len() == n_header {
            return match is_frame && stored.starts_with(&header) {
                true => Ok(n_header),
                false => Err(HEADER),
            };
        }
        n_header = header.len();
    }
    Err(HEADER)
}

/// Returns the header that the writer would write for a page.
fn header(page: &Page, compressed: Bytes) -> Result<Vec<u8>, Flaw> {
    let n_compressed = compressed.len();
    let (n_uncompressed, mut page) = (page.buffer().len(), page.clone());
    if let Page::DataPage { buf, .. } | Page::DictionaryPage { buf, .. } = &mut page {
        *buf = compressed;
    }
    let mut out = TrackedWrite::new(Vec::new());
    SerializedPageWriter::new(&mut out).write_page(CompressedPage::new(page, n_uncompressed))?;
    let mut bytes = out.into_inner()?;
    bytes.truncate(bytes.len() - n_compressed);
    Ok(bytes)
}
