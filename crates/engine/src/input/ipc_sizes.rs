//! Checks the sizes declared in an Arrow file against the actual size of the file.
//!
//! The Arrow reader allocates memory according to the declared sizes before it reads the data. A
//! small file that declares terabytes would terminate the program. Therefore, all messages are
//! checked in advance. Each message must be within the file, and compressed data must have a
//! plausible decompressed size. A batch must not have more rows than its bytes can represent.

use std::fs::File;
use std::io;
use std::path::Path;

use arrow_ipc::{RecordBatch, root_as_footer, root_as_message};
use indistinct_diagnostics::platform;

use super::Format;
use super::guard::guarded;
use crate::EngineError;

/// Maximum decompressed size in bytes of a batch with any compression ratio.
const UNFOLDED_BYTES: u64 = 2 << 30;
/// Maximum compression ratio for larger batches.
const UNFOLDED_TIMES: u64 = 64;
/// Maximum number of rows in a batch without bytes. Such a batch is valid because columns of nulls
/// occupy no space.
const ROWS_WITHOUT_BYTES: u64 = 1 << 20;

const MAGIC: &[u8] = b"ARROW1";
const CONTINUES: [u8; 4] = [0xff; 4];

/// Reason that the declared sizes are invalid.
enum Flaw {
    Read(io::Error),
    Invalid(String),
}

impl From<io::Error> for Flaw {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::UnexpectedEof => Self::Invalid("the file ends unexpectedly".to_owned()),
            _ => Self::Read(error),
        }
    }
}

fn invalid(text: &str) -> Flaw {
    Flaw::Invalid(text.to_owned())
}

/// Returns whether the content is an Arrow file, which has a footer, and not a stream.
pub(super) fn is_file(file: &File) -> io::Result<bool> {
    let mut magic = [0; MAGIC.len()];
    Ok(file.metadata()?.len() >= magic.len() as u64 && {
        platform::read_exact_at(file, &mut magic, 0)?;
        magic == *MAGIC
    })
}

/// Checks the sizes of all messages of a file or stream.
pub(super) fn check(file: &File, path: &Path) -> Result<(), EngineError> {
    guarded(path, Format::Arrow, || {
        let messages = Messages { file, n_bytes: file.metadata().map_or(0, |found| found.len()) };
        let checked = is_file(file).map_err(Flaw::from).and_then(|with_footer| {
            if with_footer { messages.by_footer() } else { messages.in_turn() }
        });
        checked.map_err(|flaw| match flaw {
            Flaw::Read(source) => EngineError::Read { path: path.to_owned(), source },
            Flaw::Invalid(detail) => {
                EngineError::Corrupt { path: path.to_owned(), format: Format::Arrow, detail }
            }
        })
    })
}

struct Messages<'a> {
    file: &'a File,
    n_bytes: u64,
}

impl Messages<'_> {
    /// Reads a range of bytes after checking that the file contains it.
    fn bytes(&self, at: u64, n: u64) -> Result<Vec<u8>, Flaw> {
        if at.checked_add(n).is_none_or(|end| end > self.n_bytes) {
            return Err(invalid("a declared size exceeds the size of the file"));
        }
        let n =
            usize::try_from(n).map_err(|_| invalid("a declared size exceeds the address space"))?;
        let mut bytes = vec![0; n];
        platform::read_exact_at(self.file, &mut bytes, at)?;
        Ok(bytes)
    }

    fn number(&self, at: u64) -> Result<i32, Flaw> {
        let bytes = self.bytes(at, 4)?;
        Ok(i32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]))
    }

    /// Checks the consecutive messages of a stream.
    fn in_turn(&self) -> Result<(), Flaw> {
        let mut at = 0;
        while at + 4 <= self.n_bytes {
            let (begin, n) = self.metadata_length(at)?;
            if n == 0 {
                break;
            }
            at = self.message(begin, n, None)?;
        }
        Ok(())
    }

    /// Returns the start and size of the metadata of a message.
    fn metadata_length(&self, at: u64) -> Result<(u64, u64), Flaw> {
        let continues = self.bytes(at, 4)? == CONTINUES;
        let at = if continues { at + 4 } else { at };
        let n = u64::try_from(self.number(at)?)
            .map_err(|_| invalid("a declared length is negative"))?;
        Ok((at + 4, n))
    }

    /// Checks the messages that the footer of a file lists.
    fn by_footer(&self) -> Result<(), Flaw> {
        let end = self.n_bytes.checked_sub(10).ok_or_else(|| invalid("the footer is missing"))?;
        let n = u64::try_from(self.number(end)?)
            .map_err(|_| invalid("a declared length is negative"))?;
        let begin = end.checked_sub(n).ok_or_else(|| {
            invalid("the declared size of the footer exceeds the size of the file")
        })?;
        let footer = self.bytes(begin, n)?;
        let footer = root_as_footer(&footer).map_err(|error| Flaw::Invalid(error.to_string()))?;
        let blocks = [footer.dictionaries(), footer.recordBatches()];
        for block in blocks.into_iter().flatten().flatten() {
            let sizes = [block.offset(), block.metaDataLength().into(), block.bodyLength()];
            let [Ok(offset), Ok(n_metadata), Ok(n_body)] = sizes.map(u64::try_from) else {
                return Err(invalid("a declared length is negative"));
            };
            if n_metadata < 8 {
                return Err(invalid("a message has no header"));
            }
            let (begin, n) = self.metadata_length(offset)?;
            if begin - offset + n > n_metadata {
                return Err(invalid("a message is larger than the footer declares"));
            }
            self.message(begin, n, Some((offset.saturating_add(n_metadata), n_body)))?;
        }
        Ok(())
    }

    /// Checks a message and returns its end. The body follows the message or is located by the
    /// footer.
    fn message(&self, begin: u64, n: u64, body: Option<(u64, u64)>) -> Result<u64, Flaw> {
        let bytes = self.bytes(begin, n)?;
        let message = root_as_message(&bytes).map_err(|error| Flaw::Invalid(error.to_string()))?;
        let n_body = u64::try_from(message.bodyLength())
            .map_err(|_| invalid("a declared length is negative"))?;
        let (at, n_body) = body.unwrap_or((begin + n, n_body));
        let end = at.checked_add(n_body).filter(|end| *end <= self.n_bytes);
        let end = end.ok_or_else(|| {
            invalid("the declared size of a message exceeds the size of the file")
        })?;
        let of_dictionary = message.header_as_dictionary_batch().and_then(|it| it.data());
        if let Some(batch) = message.header_as_record_batch().or(of_dictionary) {
            self.batch(batch, at, n_body)?;
        }
        Ok(end)
    }

    /// Checks the declared sizes of a batch; `at` is the start of its body.
    fn batch(&self, batch: RecordBatch<'_>, at: u64, n_body: u64) -> Result<(), Flaw> {
        let mut unfolded: u64 = 0;
        for buffer in batch.buffers().into_iter().flatten() {
            let sizes = [buffer.offset(), buffer.length()].map(u64::try_from);
            let [Ok(offset), Ok(length)] = sizes else {
                return Err(invalid("a declared length is negative"));
            };
            if offset.checked_add(length).is_none_or(|end| end > n_body) {
                return Err(invalid("a column extends beyond its batch"));
            }
            unfolded = unfolded.saturating_add(length);
            if batch.compression().is_some() && length >= 8 {
                let bytes = self.bytes(at + offset, 8)?;
                let invalid = bytes.try_into().map_or(0, i64::from_le_bytes);
                unfolded = unfolded.saturating_add(u64::try_from(invalid).unwrap_or(0));
            }
        }
        if unfolded > UNFOLDED_BYTES.max(n_body.saturating_mul(UNFOLDED_TIMES)) {
            return Err(Flaw::Invalid(format!(
                "a batch of {n_body} bytes declares {unfolded} decompressed bytes; the limit is \
                 {UNFOLDED_BYTES} bytes, or {UNFOLDED_TIMES} times its compressed size"
            )));
        }
        let most = unfolded.saturating_mul(8).saturating_add(ROWS_WITHOUT_BYTES);
        let nodes = batch.nodes().into_iter().flatten();
        let lengths = nodes.flat_map(|node| [node.length(), node.null_count()]);
        for length in lengths.chain([batch.length()]) {
            if u64::try_from(length).is_ok_and(|length| length <= most) {
                continue;
            }
            return Err(Flaw::Invalid(format!(
                "a batch declares {length} rows, but its bytes can contain at most {most}"
            )));
        }
        Ok(())
    }
}
