//! The text of a file, which is hashed, decompressed, and converted to UTF-8 while it is read.

use std::io::{BufReader, ErrorKind, Read};
use std::path::{Path, PathBuf};

use flate2::read::MultiGzDecoder;

use super::encoding::decode;
use super::hashed::{FileDigest, HashingReader};
use super::opened::Sources;
use super::utf16::{InvalidUtf16, Utf16};
use super::zip::{self, UnzippedFile};
use super::{Encoding, Format};
use crate::EngineError;

/// Byte order mark of UTF-8.
const MARK: &[u8] = b"\xef\xbb\xbf";

/// Number of bytes that are read at a time.
const CHUNK_BYTES: usize = 256 * 1024;

/// Hashes a file from start to end. `poll` is called with the length of each chunk and can stop the
/// computation.
pub(crate) fn digest_file(
    sources: &Sources,
    path: &Path,
    poll: &mut dyn FnMut(u64) -> Result<(), EngineError>,
) -> Result<FileDigest, EngineError> {
    let unreadable = |source| EngineError::reading(path, source);
    let mut reader = HashingReader::new(Vec::new(), sources.stream(path)?);
    let mut chunk = vec![0; CHUNK_BYTES];
    loop {
        let n = retry(|| reader.read(&mut chunk)).map_err(unreadable)?;
        if n == 0 {
            return Ok(reader.digest());
        }
        poll(n as u64)?;
    }
}

fn retry(mut read: impl FnMut() -> std::io::Result<usize>) -> std::io::Result<usize> {
    loop {
        match read() {
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            other => return other,
        }
    }
}

enum Decoder {
    Plain(HashingReader),
    Gzip(Box<MultiGzDecoder<BufReader<HashingReader>>>),
    Zstd(Box<zstd::stream::read::Decoder<'static, BufReader<HashingReader>>>),
    Zip(Box<UnzippedFile>),
}

/// Reads the text of a file from start to end.
pub(crate) struct TextStream {
    path: PathBuf,
    format: Format,
    decoder: Decoder,
    /// First bytes of the text, which have been read to detect the encoding.
    ahead: Vec<u8>,
    utf16: Option<Utf16>,
    encoding: Encoding,
}

impl TextStream {
    /// Opens a file. The first bytes determine compression and UTF-16. If the file name implies a
    /// compression, the bytes must match.
    pub(crate) fn open(
        sources: &Sources,
        path: &Path,
        format: Format,
    ) -> Result<Self, EngineError> {
        let unreadable = |source| EngineError::reading(path, source);
        let mut file = sources.stream(path)?;
        let mut magic = Vec::with_capacity(4);
        (&mut file).take(4).read_to_end(&mut magic).map_err(unreadable)?;
        let claimed = |suffix: &str| {
            path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case(suffix))
        };
        let corrupt = |detail: &str| EngineError::Corrupt {
            path: path.to_owned(),
            format,
            detail: detail.to_owned(),
        };
        let reader = HashingReader::new(magic.clone(), file);
        let decoder = if magic.starts_with(&[0x1f, 0x8b]) {
            let buffered = BufReader::with_capacity(CHUNK_BYTES, reader);
            Decoder::Gzip(Box::new(MultiGzDecoder::new(buffered)))
        } else if magic == [0x28, 0xb5, 0x2f, 0xfd] {
            let buffered = BufReader::with_capacity(CHUNK_BYTES, reader);
            let decoder = zstd::stream::read::Decoder::with_buffer(buffered).map_err(unreadable)?;
            Decoder::Zstd(Box::new(decoder))
        } else if magic == zip::MAGIC {
            let member = zip::only_member(sources, path)?;
            let unzipped = UnzippedFile::new(reader, &member).map_err(unreadable)?;
            Decoder::Zip(Box::new(unzipped))
        } else if claimed("gz") {
            return Err(corrupt(
                "the file name ends with .gz, but the file is not compressed with gzip",
            ));
        } else if claimed("zst") {
            return Err(corrupt(
                "the file name ends with .zst, but the file is not compressed with zstd",
            ));
        } else if claimed("zip") {
            return Err(corrupt("the file name ends with .zip, but the file is not a zip archive"));
        } else {
            Decoder::Plain(reader)
        };
        let (path, ahead) = (path.to_owned(), Vec::new());
        let mut this = Self { path, format, decoder, ahead, utf16: None, encoding: Encoding::Utf8 };
        let mut first = Vec::new();
        this.fill_raw(&mut first, 2)?;
        this.utf16 = Utf16::after_mark(&first);
        if this.utf16.is_none() {
            this.ahead = first;
        }
        Ok(this)
    }

    /// Sets the encoding of the file. A byte order mark takes precedence.
    pub(crate) fn with_encoding(mut self, encoding: Encoding) -> Result<Self, EngineError> {
        if encoding != Encoding::Utf8 && self.utf16.is_none() {
            let mut first = std::mem::take(&mut self.ahead);
            let missing = MARK.len().saturating_sub(first.len());
            self.fill_raw(&mut first, missing)?;
            if !first.starts_with(MARK) {
                self.encoding = encoding;
            }
            self.ahead = first;
        }
        Ok(self)
    }

    /// Appends at least `n` bytes of text to the buffer, or fewer at the end of the text. Returns
    /// the number of appended bytes.
    pub(crate) fn fill(&mut self, buffer: &mut Vec<u8>, n: usize) -> Result<usize, EngineError> {
        let start = buffer.len();
        if self.encoding != Encoding::Utf8 {
            let mut raw = std::mem::take(&mut self.ahead);
            let missing = n.saturating_sub(raw.len());
            self.fill_raw(&mut raw, missing)?;
            decode(self.encoding, &raw, buffer);
            return Ok(buffer.len() - start);
        }
        buffer.append(&mut self.ahead);
        let Some(mut utf16) = self.utf16.take() else {
            let missing = n.saturating_sub(buffer.len() - start);
            self.fill_raw(buffer, missing)?;
            return Ok(buffer.len() - start);
        };
        let path = self.path.clone();
        let invalid = |InvalidUtf16| EngineError::Utf16 { path: path.clone() };
        let mut raw = Vec::new();
        while buffer.len() - start < n {
            raw.clear();
            let ended = self.fill_raw(&mut raw, n)? < n;
            utf16.decode(&raw, buffer).map_err(invalid)?;
            if ended {
                utf16.finish().map_err(invalid)?;
                break;
            }
        }
        self.utf16 = Some(utf16);
        Ok(buffer.len() - start)
    }

    /// Appends up to `n` bytes without conversion, and fewer only at the end. Returns the number of
    /// appended bytes.
    fn fill_raw(&mut self, buffer: &mut Vec<u8>, n: usize) -> Result<usize, EngineError> {
        let start = buffer.len();
        buffer.resize(start + n, 0);
        let mut filled = 0;
        while filled < n {
            let rest = &mut buffer[start + filled..];
            let got = retry(|| match &mut self.decoder {
                Decoder::Plain(reader) => reader.read(rest),
                Decoder::Gzip(decoder) => decoder.read(rest),
                Decoder::Zstd(decoder) => decoder.read(rest),
                Decoder::Zip(decoder) => decoder.read(rest),
            });
            match got {
                Ok(0) => break,
                Ok(got) => filled += got,
                Err(source) => return Err(self.failure(source)),
            }
        }
        buffer.truncate(start + filled);
        Ok(filled)
    }

    fn failure(&self, source: std::io::Error) -> EngineError {
        match (EngineError::reading(&self.path, source), &self.decoder) {
            (error, Decoder::Plain(_)) | (error @ EngineError::Object(_), _) => error,
            (EngineError::Read { path, source }, _) => EngineError::Corrupt {
                path,
                format: self.format,
                detail: format!("decompression failed: {source}"),
            },
            (error, _) => error,
        }
    }

    /// Returns the number of bytes read from the file so far, before decompression.
    pub(crate) fn n_bytes(&self) -> u64 {
        match &self.decoder {
            Decoder::Plain(reader) => reader.n_bytes,
            Decoder::Gzip(decoder) => decoder.get_ref().get_ref().n_bytes,
            Decoder::Zstd(decoder) => decoder.get_ref().get_ref().n_bytes,
            Decoder::Zip(decoder) => decoder.get_ref().n_bytes,
        }
    }

    /// Reads the remaining bytes and returns the digest of the complete file.
    pub(crate) fn finish(self) -> Result<FileDigest, EngineError> {
        let Self { path, decoder, .. } = self;
        let mut reader = match decoder {
            Decoder::Plain(reader) => reader,
            Decoder::Gzip(decoder) => decoder.into_inner().into_inner(),
            Decoder::Zstd(decoder) => decoder.finish().into_inner(),
            Decoder::Zip(decoder) => decoder.into_inner(),
        };
        std::io::copy(&mut reader, &mut std::io::sink())
            .map_err(|source| EngineError::reading(&path, source))?;
        Ok(reader.digest())
    }
}
