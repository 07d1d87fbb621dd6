//! Cuts text files into blocks of whole records.
//!
//! One reader hashes the bytes and finds where records end; the blocks are parsed elsewhere, several at a time. Where a
//! block has no quote a record ends with its line. Otherwise quotes are followed from the first record on (see [`super::records`]).

use std::path::PathBuf;

use super::hashed::FileDigest;
use super::records::{RECORD_LIMIT_BYTES, header_end, last_end, without_blank};
use super::stream::TextStream;
use super::{Encoding, Format, Sources};
use crate::EngineError;

/// Size of a block, where its last record does not make it longer.
pub(crate) const BLOCK_BYTES: usize = 512 * 1024;

/// What ends a record.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Records {
    /// Records of CSV with this delimiter; each file starts with a header.
    Csv {
        /// The delimiter.
        delimiter: u8,
    },
    /// Lines.
    Lines,
}

/// Where a block comes from. Its bytes are whole records, each with a line end.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Block {
    /// Its number in the whole input.
    pub(crate) index: usize,
    /// Its file.
    pub(crate) file: usize,
    /// Where its rows start: behind the header, in the first block of a file.
    pub(crate) body: usize,
    /// Whether any byte is a quote.
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
        }
    }

    /// The same for files whose characters are written otherwise.
    pub(crate) fn with_encoding(self, encoding: Encoding) -> Self {
        Self { encoding, ..self }
    }

    /// Bytes of the files read so far, as they lie there.
    pub(crate) fn n_bytes(&self) -> u64 {
        self.n_bytes_before + self.current.as_ref().map_or(0, TextStream::n_bytes)
    }

    /// The digests of all files that were read to their end.
    pub(crate) fn into_digests(self) -> Vec<FileDigest> {
        self.digests
    }

    /// The digests, if all files were read to their end.
    pub(crate) fn complete_digests(&self) -> Option<&[FileDigest]> {
        (self.digests.len() == self.files.len()).then_some(&self.digests)
    }

    /// Puts the next block into the buffer, in place of what it holds; `None` at the end of the input.
    ///
    /// An unclosed quote is reported with the number of its block's file and the offset of its record in the buffer.
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
                Records::Csv { delimiter } if starts => header_end(buffer, delimiter),
                _ => 0,
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

    /// Fills the buffer with whole records; returns whether the file has ended.
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
                Records::Csv { delimiter } => last_end(buffer, delimiter, &mut self.segments),
                Records::Lines => memchr::memrchr(b'\n', buffer).map_or(0, |at| at + 1),
            };
            if ended {
                if end < buffer.len() {
                    return Err(self.open_quote(end));
                }
                buffer.truncate(without_blank(buffer, end));
                return Ok(true);
            }
            // A blank line may turn out to be the last one, which is no row: it waits for the next block.
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

/// Why there is no next block.
#[derive(Debug)]
pub(crate) enum BlockError {
    /// The file cannot be read.
    Engine(EngineError),
    /// A quote is not closed, in a record that starts at this offset of the buffer.
    OpenQuote {
        /// The number that the block would have.
        index: usize,
        /// Its file.
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

    /// All cells of a file, or `None` if it has a flaw.
    fn cells(path: &Path, n_columns: usize, block_bytes: usize) -> Option<Vec<(usize, Vec<u8>)>> {
        let records = Records::Csv { delimiter: b',' };
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

    /// Fields as they may lie in a file.
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

    /// Rows of one to three columns, and how they end.
    fn rows() -> impl Strategy<Value = Vec<(Vec<&'static str>, &'static str)>> {
        let end = prop::sample::select(vec!["\n", "\r\n"]);
        (1_usize..4).prop_flat_map(move |n_columns| {
            let row = (prop::collection::vec(fields(), n_columns), end.clone());
            prop::collection::vec(row, 1..12)
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(2000) })]

        /// Where blocks end makes no difference, whatever quotes and line ends do.
        #[test]
        fn blocks_of_any_size_hold_the_same_cells(
            rows in rows(),
            rest in prop::sample::select(vec!["", "", "", "\"", "a", "\n\n"]),
            block_bytes in 1_usize..40,
        ) {
            let n_columns = rows[0].0.len();
            let mut text = vec!["\"h\n\""; n_columns].join(",") + "\n";
            for (fields, end) in &rows {
                text += &(fields.join(",") + end);
            }
            let mut file = tempfile::NamedTempFile::new().expect("a file");
            file.write_all((text + rest).as_bytes()).expect("written");
            let whole = cells(file.path(), n_columns, BLOCK_BYTES);
            prop_assert!(whole.is_some() || !rest.trim().is_empty());
            prop_assert_eq!(cells(file.path(), n_columns, block_bytes), whole);
        }
    }
}
