//! Reads the text of a file while hashing, decompressing, and converting it to UTF-8.

use std::io::{BufReader, ErrorKind, Read};
use std::path::{Path, PathBuf};

use encoding_rs::{DecoderResult, UTF_16BE, UTF_16LE, WINDOWS_1252};
use flate2::read::MultiGzDecoder;

use super::hashed::{FileDigest, HashingReader};
use super::opened::Sources;
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

/// A sequential reader of the text of a file.
pub(crate) struct TextStream {
    path: PathBuf,
    format: Format,
    decoder: Decoder,
    /// First bytes of the text, which were read to detect the encoding.
    ahead: Vec<u8>,
    /// Converter to UTF-8, unless the text is already UTF-8 or has ended.
    converter: Option<Converter>,
}

/// Converter of text to UTF-8.
enum Converter {
    /// UTF-16, or a single-byte encoding.
    Decoder(encoding_rs::Decoder),
    /// ISO 8859-1: each byte is the code point of a character.
    Latin1,
}

impl Converter {
    fn new(encoding: &'static encoding_rs::Encoding) -> Self {
        Self::Decoder(encoding.new_decoder_without_bom_handling())
    }

    /// Appends the text of the given bytes, which may end the text. Returns false for invalid
    /// UTF-16.
    fn convert(&mut self, raw: &[u8], text: &mut Vec<u8>, is_last: bool) -> bool {
        let Self::Decoder(decoder) = self else {
            text.extend_from_slice(encoding_rs::mem::decode_latin1(raw).as_bytes());
            return true;
        };
        let n_bytes = decoder.max_utf8_buffer_length_without_replacement(raw.len());
        let start = text.len();
        text.resize(start + n_bytes.expect("the length of a chunk is small"), 0);
        let (result, _, n_written) =
            decoder.decode_to_utf8_without_replacement(raw, &mut text[start..], is_last);
        text.truncate(start + n_written);
        result == DecoderResult::InputEmpty
    }
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
        let mut this = Self { path, format, decoder, ahead, converter: None };
        let mut first = Vec::new();
        this.fill_raw(&mut first, 2)?;
        let utf16 = match first.as_slice() {
            [0xff, 0xfe] => Some(UTF_16LE),
            [0xfe, 0xff] => Some(UTF_16BE),
            _ => None,
        };
        match utf16 {
            Some(utf16) => this.converter = Some(Converter::new(utf16)),
            None => this.ahead = first,
        }
        Ok(this)
    }

    /// Sets the encoding of the file. A byte order mark takes precedence.
    pub(crate) fn with_encoding(mut self, encoding: Encoding) -> Result<Self, EngineError> {
        if encoding != Encoding::Utf8 && self.converter.is_none() {
            let mut first = std::mem::take(&mut self.ahead);
            let missing = MARK.len().saturating_sub(first.len());
            self.fill_raw(&mut first, missing)?;
            if !first.starts_with(MARK) {
                self.converter = match encoding {
                    Encoding::Utf8 => None,
                    Encoding::Windows1252 => Some(Converter::new(WINDOWS_1252)),
                    Encoding::Latin1 => Some(Converter::Latin1),
                };
            }
            self.ahead = first;
        }
        Ok(self)
    }

    /// Appends at least `n` bytes of text to the buffer, or fewer at the end of the text. Returns
    /// the number of appended bytes.
    pub(crate) fn fill(&mut self, buffer: &mut Vec<u8>, n: usize) -> Result<usize, EngineError> {
        let start = buffer.len();
        let Some(mut converter) = self.converter.take() else {
            buffer.append(&mut self.ahead);
            let missing = n.saturating_sub(buffer.len() - start);
            self.fill_raw(buffer, missing)?;
            return Ok(buffer.len() - start);
        };
        while buffer.len() - start < n {
            let mut raw = std::mem::take(&mut self.ahead);
            let missing = n.saturating_sub(raw.len());
            let ended = self.fill_raw(&mut raw, missing)? < missing;
            if !converter.convert(&raw, buffer, ended) {
                return Err(EngineError::Utf16 { path: self.path.clone() });
            }
            if ended {
                return Ok(buffer.len() - start);
            }
        }
        self.converter = Some(converter);
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Reads the text of a file in chunks of four bytes.
    fn read(bytes: &[u8], encoding: Encoding) -> String {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.csv");
        std::fs::write(&path, bytes).expect("written");
        let opened = TextStream::open(&Sources::default(), &path, Format::Csv).expect("opened");
        let mut stream = opened.with_encoding(encoding).expect("read");
        let mut text = Vec::new();
        while stream.fill(&mut text, 4).expect("read") >= 4 {}
        String::from_utf8(text).expect("UTF-8")
    }

    #[test]
    fn single_byte_encodings_decode_all_bytes() {
        let windows = |bytes: &[u8]| read(bytes, Encoding::Windows1252);
        assert_eq!(windows(b"M\xfcller \x80 \x93a\x94 \x9f"), "Müller € “a” Ÿ");
        assert_eq!(read(b"M\xfcller \x80", Encoding::Latin1), "Müller \u{80}");
        let all: Vec<u8> = (0..=255).collect();
        for encoding in [Encoding::Windows1252, Encoding::Latin1] {
            let text = read(&all, encoding);
            let mut distinct: Vec<char> = text.chars().collect();
            distinct.sort_unstable();
            distinct.dedup();
            assert_eq!(distinct.len(), 256);
            assert!(text.starts_with(&read(&all[..128], Encoding::Latin1)));
        }
    }

    #[test]
    fn byte_order_mark_overrides_encoding() {
        let windows = |bytes: &[u8]| read(bytes, Encoding::Windows1252);
        assert_eq!(windows(b"n\xf1o,\x80\n"), "n\u{f1}o,\u{20ac}\n");
        assert_eq!(windows("\u{feff}n\u{f1}o\n".as_bytes()), "\u{feff}n\u{f1}o\n");
        let utf16: Vec<u8> =
            "\u{feff}n\u{f1}o\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert!(windows(&utf16).ends_with("n\u{f1}o\n"));
        assert_eq!(windows(b""), "");
        assert_eq!(windows(b"a"), "a");
    }
}
