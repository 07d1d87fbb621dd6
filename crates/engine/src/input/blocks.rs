//! Splits text files into blocks of complete records.
//!
//! A single reader hashes the bytes and finds the ends of records. Other threads parse several
//! blocks at a time. If a block contains no quote, each record ends with its line. Otherwise,
//! quotes are tracked from the first record on (see [`super::records`]).

use std::path::PathBuf;

use super::hashed::FileDigest;
use super::records::{RECORD_LIMIT_BYTES, last_end, skip, without_blank};
use super::stream::TextStream;
use super::{Encoding, Format, Sources};
use crate::EngineError;

/// Size of a block in bytes. A block can be larger if its last record does not fit.
pub(crate) const BLOCK_BYTES: usize = 512 * 1024;

/// Record format of a text file.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Records {
    /// CSV records.
    Csv {
        /// Delimiter between fields.
        delimiter: u8,
        /// Number of records before the first row of each file, including the header.
        n_before_table: usize,
    },
    /// Each line is a record.
    Lines,
}

/// Position of a block in the input. The bytes of a block are complete records that end with a line
/// ending.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Block {
    /// Index of the block in the complete input.
    pub(crate) index: usize,
    /// Index of the file.
    pub(crate) file: usize,
    /// Offset of the first row, which follows the header and skipped records at the start of a
    /// file. If the block contains no row, this is the length of the block.
    pub(crate) body: usize,
    /// Whether the block contains a quote.
    pub(crate) quoted: bool,
}

/// Reads files one after another.
pub(crate) struct BlockReader {
    sources: Sources,
    files: Vec<PathBuf>,
    format: Format,
    encoding: Encoding,
    records: Records,
    next_file: usize,
    current: Option<TextStream>,
    carry: Vec<u8>,
    n_blocks: usize,
    digests: Vec<FileDigest>,
    n_bytes_before: u64,
    segments: Vec<(usize, usize)>,
    block_bytes: usize,
    /// Number of records of the current file that remain to be skipped.
    n_to_skip: usize,
}

impl BlockReader {
    pub(crate) fn new(
        sources: Sources,
        files: Vec<PathBuf>,
        format: Format,
        records: Records,
    ) -> Self {
        Self {
            sources,
            files,
            format,
            encoding: Encoding::Utf8,
            records,
            next_file: 0,
            current: None,
            carry: Vec::new(),
            n_blocks: 0,
            digests: Vec::new(),
            n_bytes_before: 0,
            segments: Vec::new(),
            block_bytes: BLOCK_BYTES,
            n_to_skip: 0,
        }
    }

    /// Sets the character encoding of the files.
    pub(crate) fn with_encoding(self, encoding: Encoding) -> Self {
        Self { encoding, ..self }
    }

    /// Returns the number of bytes read from the files so far, before decompression.
    pub(crate) fn n_bytes(&self) -> u64 {
        self.n_bytes_before + self.current.as_ref().map_or(0, TextStream::n_bytes)
    }

    /// Returns the digests of all files that were read completely.
    pub(crate) fn into_digests(self) -> Vec<FileDigest> {
        self.digests
    }

    /// Returns the digests, if all files were read completely.
    pub(crate) fn complete_digests(&self) -> Option<&[FileDigest]> {
        (self.digests.len() == self.files.len()).then_some(&self.digests)
    }

    /// Replaces the content of the buffer with the next block; returns `None` at the end of the
    /// input.
    ///
    /// The error for an unclosed quote contains the index of the file and the offset of the record
    /// in the buffer.
    pub(crate) fn next(&mut self, buffer: &mut Vec<u8>) -> Result<Option<Block>, BlockError> {
        loop {
            let starts = self.current.is_none();
            if starts {
                if self.next_file == self.files.len() {
                    return Ok(None);
                }
                let path = &self.files[self.next_file];
                let stream = TextStream::open(&self.sources, path, self.format)?;
                self.current = Some(stream.with_encoding(self.encoding)?);
                self.next_file += 1;
                self.carry.clear();
                self.n_to_skip = match self.records {
                    Records::Csv { n_before_table, .. } => n_before_table,
                    Records::Lines => 0,
                };
            }
            let ended = self.read_records(buffer, starts)?;
            if ended {
                let stream = self.current.take().expect("a file is open");
                let digest = stream.finish()?;
                self.n_bytes_before += digest.n_bytes;
                self.digests.push(digest);
            }
            if buffer.is_empty() {
                continue;
            }
            let quoted = memchr::memchr(b'"', buffer).is_some();
            let body = match self.records {
                Records::Csv { delimiter, .. } => skip(buffer, delimiter, &mut self.n_to_skip),
                Records::Lines => 0,
            };
            self.n_blocks += 1;
            return Ok(Some(Block {
                index: self.n_blocks - 1,
                file: self.next_file - 1,
                body,
                quoted,
            }));
        }
    }

    /// Fills the buffer with complete records and returns whether the file has ended.
    fn read_records(&mut self, buffer: &mut Vec<u8>, starts: bool) -> Result<bool, BlockError> {
        let stream = self.current.as_mut().expect("a file is open");
        buffer.clear();
        buffer.append(&mut self.carry);
        let mut target = self.block_bytes;
        loop {
            let missing = target.saturating_sub(buffer.len());
            let ended = stream.fill(buffer, missing)? < missing;
            if starts && buffer.starts_with(b"\xef\xbb\xbf") {
                buffer.drain(..3);
            }
            if ended && !buffer.is_empty() && !buffer.ends_with(b"\n") {
                buffer.push(b'\n');
            }
            let end = match self.records {
                Records::Csv { delimiter, .. } => last_end(buffer, delimiter, &mut self.segments),
                Records::Lines => memchr::memrchr(b'\n', buffer).map_or(0, |at| at + 1),
            };
            if ended {
                if end < buffer.len() {
                    return Err(self.open_quote(end));
                }
                buffer.truncate(without_blank(buffer, end));
                return Ok(true);
            }
            // A trailing blank line is not a row. Because this blank line may be the last line of
            // the file, it is deferred to the next block.
            let end = without_blank(buffer, end);
            if end > 0 {
                self.carry.extend_from_slice(&buffer[end..]);
                buffer.truncate(end);
                return Ok(false);
            }
            if target >= RECORD_LIMIT_BYTES {
                return Err(self.open_quote(0));
            }
            target *= 2;
        }
    }

    fn open_quote(&self, offset: usize) -> BlockError {
        BlockError::OpenQuote { index: self.n_blocks, file: self.next_file - 1, offset }
    }
}

/// Reason that the next block is not available.
#[derive(Debug)]
pub(crate) enum BlockError {
    /// The file cannot be read.
    Engine(EngineError),
    /// A quoted field is not closed.
    OpenQuote {
        /// Index that would have been assigned to the next block.
        index: usize,
        /// Index of the file.
        file: usize,
        /// Start of the record in the buffer.
        offset: usize,
    },
}

impl From<EngineError> for BlockError {
    fn from(error: EngineError) -> Self {
        Self::Engine(error)
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;
    use std::path::Path;

    use proptest::prelude::*;

    use super::*;
    use crate::input::csv::{Fields, parse};

    /// Collects the fields of all columns.
    struct Cells(Vec<(usize, Vec<u8>)>);

    impl Fields for Cells {
        fn field(&mut self, slot: usize, bytes: &[u8], start: usize, end: usize) {
            self.0.push((slot, bytes[start..end].to_vec()));
        }
    }

    /// Returns all cells of a file, or `None` if the file contains an error.
    fn cells(
        path: &Path,
        n_columns: usize,
        n_before_table: usize,
        block_bytes: usize,
    ) -> Option<Vec<(usize, Vec<u8>)>> {
        let records = Records::Csv { delimiter: b',', n_before_table };
        let mut reader =
            BlockReader::new(Sources::default(), vec![path.to_owned()], Format::Csv, records);
        reader.block_bytes = block_bytes;
        let mut cells = Cells(Vec::new());
        let mut buffer = Vec::new();
        let slots = (0..n_columns).map(Some).collect();
        while let Some(block) = reader.next(&mut buffer).ok()? {
            parse(&buffer, block.body, b',', block.quoted, &slots, &mut cells).ok()?;
        }
        Some(cells.0)
    }

    /// Generates fields that may contain quotes, delimiters, and line breaks.
    fn fields() -> impl Strategy<Value = &'static str> {
        let all = [
            "",
            "a",
            "5\"",
            "\"\"",
            "\"x\ny\"",
            "\"x\r\n\"",
            "\"a\"\"b\"",
            "\"\"\"\"",
            "\"x\"y\"z",
            "\r",
            "b\"\"c",
            "\",\"",
            "\"\n\n\"",
            "\"\"\"\n\"\"\"",
        ];
        prop::sample::select(all.to_vec())
    }

    /// Generates rows of one to three columns with their line endings.
    fn rows() -> impl Strategy<Value = Vec<(Vec<&'static str>, &'static str)>> {
        let end = prop::sample::select(vec!["\n", "\r\n"]);
        (1_usize..4).prop_flat_map(move |n_columns| {
            let row = (prop::collection::vec(fields(), n_columns), end.clone());
            prop::collection::vec(row, 1..12)
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(2000) })]

        /// The block size does not affect the cells, for any combination of quotes and line
        /// endings.
        #[test]
        fn block_size_does_not_change_cells(
            rows in rows(),
            rest in prop::sample::select(vec!["", "", "", "\"", "a", "\n\n"]),
            block_bytes in 1_usize..40,
            n_skipped in 0_usize..3,
        ) {
            let n_columns = rows[0].0.len();
            let mut text = vec!["\"h\n\""; n_columns].join(",") + "\n";
            for (fields, end) in &rows {
                text += &(fields.join(",") + end);
            }
            let mut file = tempfile::NamedTempFile::new().expect("a file");
            file.write_all((text + rest).as_bytes()).expect("written");
            let whole = cells(file.path(), n_columns, 1 + n_skipped, BLOCK_BYTES);
            prop_assert!(whole.is_some() || !rest.trim().is_empty());
            prop_assert_eq!(cells(file.path(), n_columns, 1 + n_skipped, block_bytes), whole);
        }
    }
}
