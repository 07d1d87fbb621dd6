//! Zip archives that contain a single file.
//!
//! The directory at the end of the archive locates the file, which is then read sequentially like
//! any other file. The decompressed content must match the directory in size and checksum.

use std::io::{self, BufReader, Error, Read, Take};
use std::path::Path;

use flate2::Crc;
use flate2::bufread::DeflateDecoder;
use indistinct_core::Format;
use zip::{CompressionMethod, ZipArchive};

use super::hashed::HashingReader;
use super::opened::Sources;
use crate::EngineError;

/// Signature at the start of a non-empty archive.
pub(super) const MAGIC: &[u8] = b"PK\x03\x04";

/// The only file of an archive.
pub(super) struct Member {
    /// Name of the file, without folders.
    pub(super) name: String,
    start: u64,
    n_compressed: u64,
    n_bytes: u64,
    crc: u32,
    is_stored: bool,
}

/// Finds the only file of an archive. Metadata files that operating systems add to archives are
/// ignored.
pub(super) fn only_member(sources: &Sources, path: &Path) -> Result<Member, EngineError> {
    let broken = |detail: &str| EngineError::Corrupt {
        path: path.to_owned(),
        format: Format::Csv,
        detail: detail.to_owned(),
    };
    let mut archive = ZipArchive::new(BufReader::new(sources.random(path)?))
        .map_err(|_| broken("the zip archive is invalid or truncated"))?;
    let is_file = |(_, name): &(usize, String)| {
        let last = name.rsplit('/').next().unwrap_or_default();
        !last.is_empty() && !last.starts_with('.') && !name.starts_with("__MACOSX/")
    };
    let names = archive.file_names_raw().map(|name| String::from_utf8_lossy(name).into_owned());
    let files: Vec<(usize, String)> = names.enumerate().filter(is_file).collect();
    let [(at, name)] = files.as_slice() else {
        return Err(EngineError::NotOneFile { path: path.to_owned(), n_files: files.len() });
    };
    let found = archive.by_index_raw(*at).map_err(|_| broken("the zip archive is invalid"))?;
    let is_stored = match found.compression() {
        CompressionMethod::Deflated => false,
        CompressionMethod::Stored => true,
        _ => return Err(broken("the zip archive uses a compression method other than deflate")),
    };
    if found.encrypted() {
        return Err(broken("the zip archive is encrypted"));
    }
    let start = found.data_start().ok_or_else(|| broken("the zip archive is invalid"))?;
    Ok(Member {
        name: name.rsplit('/').next().unwrap_or_default().to_owned(),
        start,
        n_compressed: found.compressed_size(),
        n_bytes: found.size(),
        crc: found.crc32(),
        is_stored,
    })
}

type CompressedBytes = BufReader<Take<HashingReader>>;

enum Decoder {
    Stored(CompressedBytes),
    Deflated(DeflateDecoder<CompressedBytes>),
}

/// Reader of a file in an archive.
pub(super) struct UnzippedFile {
    decoder: Decoder,
    crc: Crc,
    n_left: u64,
    wanted_crc: u32,
}

impl UnzippedFile {
    /// Creates a reader for an archive that is positioned at its first byte.
    pub(super) fn new(mut archive: HashingReader, member: &Member) -> io::Result<Self> {
        io::copy(&mut (&mut archive).take(member.start), &mut io::sink())?;
        let compressed = BufReader::with_capacity(256 * 1024, archive.take(member.n_compressed));
        let decoder = match member.is_stored {
            true => Decoder::Stored(compressed),
            false => Decoder::Deflated(DeflateDecoder::new(compressed)),
        };
        Ok(Self { decoder, crc: Crc::new(), n_left: member.n_bytes, wanted_crc: member.crc })
    }

    /// Returns the underlying reader.
    pub(super) fn get_ref(&self) -> &HashingReader {
        match &self.decoder {
            Decoder::Stored(compressed) => compressed.get_ref().get_ref(),
            Decoder::Deflated(decoder) => decoder.get_ref().get_ref().get_ref(),
        }
    }

    /// Returns the underlying reader at its current position.
    pub(super) fn into_inner(self) -> HashingReader {
        match self.decoder {
            Decoder::Stored(compressed) => compressed.into_inner().into_inner(),
            Decoder::Deflated(decoder) => decoder.into_inner().into_inner().into_inner(),
        }
    }
}

impl Read for UnzippedFile {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if buffer.is_empty() {
            return Ok(0);
        }
        let n = match &mut self.decoder {
            Decoder::Stored(compressed) => compressed.read(buffer)?,
            Decoder::Deflated(decoder) => decoder.read(buffer)?,
        };
        let unlike = || {
            Error::other(
                "the unpacked file does not have the size or checksum that the archive declares",
            )
        };
        self.n_left = self.n_left.checked_sub(n as u64).ok_or_else(unlike)?;
        self.crc.update(&buffer[..n]);
        match n == 0 && (self.n_left > 0 || self.crc.sum() != self.wanted_crc) {
            true => Err(unlike()),
            false => Ok(n),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use indistinct_diagnostics::Coded;
    use zip::ZipWriter;
    use zip::write::SimpleFileOptions;

    use super::super::stream::TextStream;
    use super::super::{Input, InputSpec};
    use super::*;

    fn archive(files: &[(&str, &[u8])], method: CompressionMethod) -> Vec<u8> {
        let mut writer = ZipWriter::new(io::Cursor::new(Vec::new()));
        let options = SimpleFileOptions::default().compression_method(method);
        for (name, bytes) in files {
            writer.start_file(*name, options).expect("begun");
            writer.write_all(bytes).expect("written");
        }
        writer.finish().expect("finished").into_inner()
    }

    /// Returns the text in an archive, or the error code.
    fn read(archive: &[u8]) -> Result<Vec<u8>, &'static str> {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("table.csv.zip");
        std::fs::write(&path, archive).expect("written");
        let mut text = Vec::new();
        let mut stream = TextStream::open(&Sources::default(), &path, Format::Csv)
            .map_err(|error| error.code())?;
        while stream.fill(&mut text, 10_000).map_err(|error| error.code())? == 10_000 {}
        let digest = stream.finish().map_err(|error| error.code())?;
        assert_eq!(digest.n_bytes, archive.len() as u64, "the digest covers the whole archive");
        Ok(text)
    }

    #[test]
    fn single_zip_member_is_read_and_verified() {
        let text: Vec<u8> =
            (0..50_000).flat_map(|i| format!("{i},{}\n", i % 7).into_bytes()).collect();
        for method in [CompressionMethod::Deflated, CompressionMethod::Stored] {
            let one =
                archive(&[("folder/table.csv", &text), ("__MACOSX/._table.csv", b"x")], method);
            assert_eq!(read(&one).as_deref(), Ok(text.as_slice()));
            // Modify a byte of the compressed file.
            let mut other = one.clone();
            other[200] ^= 1;
            assert_eq!(read(&other), Err("E-INPUT-010"));
            assert_eq!(read(&one[..one.len() - 30]), Err("E-INPUT-010"));
        }
    }

    #[test]
    fn wrong_zip_member_size_is_rejected() {
        let one = archive(&[("table.csv", &[b'a'; 70_000])], CompressionMethod::Deflated);
        // Modify the declared sizes in both the directory and the file header.
        for smaller in [69_999_u32, 10, 70_001] {
            let mut other = one.clone();
            let message = 70_000_u32.to_le_bytes();
            while let Some(at) = other.windows(4).position(|bytes| bytes == message) {
                other[at..at + 4].copy_from_slice(&smaller.to_le_bytes());
            }
            assert_eq!(read(&other), Err("E-INPUT-010"), "{smaller}");
        }
    }

    #[test]
    fn zip_member_name_determines_format() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("visits.zip");
        let open = |name: &str, text: &[u8]| {
            std::fs::write(&path, archive(&[(name, text)], CompressionMethod::Deflated))
                .expect("written");
            let spec = InputSpec { path: path.clone(), ..InputSpec::default() };
            Input::open(&spec).map(|input| input.columns().len()).map_err(|error| error.code())
        };
        assert_eq!(open("table.csv", b"a,b\n1,2\n"), Ok(2));
        assert_eq!(open("table.tsv", b"a\tb\tc\n1\t2\t3\n"), Err("E-INPUT-012"));
        assert_eq!(open("table.jsonl", b"{\"a\": 1}\n"), Ok(1));
        assert_eq!(open("table.parquet", b"PAR1"), Err("E-INPUT-006"));
        assert_eq!(open("table.txt", b"a,b\n1,2\n"), Err("E-INPUT-006"));
    }

    #[test]
    fn zip_without_exactly_one_file_is_rejected() {
        let stored = CompressionMethod::Stored;
        let two = archive(&[("a.csv", b"a\n1\n"), ("b.csv", b"a\n2\n")], stored);
        assert_eq!(read(&two), Err("E-INPUT-042"));
        assert_eq!(read(&archive(&[("folder/.keep", b"")], stored)), Err("E-INPUT-042"));
    }
}
