//! Access to the bytes of input files on disk, in an object store, or from standard input.
//!
//! Because an input is read more than once, standard input is saved to an unnamed file that
//! disappears with the process. Reading an object either returns the version that was found first
//! or fails.

use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::path::Path;
use std::sync::{Arc, OnceLock};

use bytes::{Buf, Bytes, buf::Reader};
use indistinct_diagnostics::platform;
use parquet::errors::ParquetError;
use parquet::file::reader::{ChunkReader, Length};
use sha2::{Digest, Sha256};

use super::hashed::FileDigest;
use crate::databases::STANDARD_INPUT;
use crate::objects::{Object, ObjectError, ObjectStores, address_of, check};
use crate::{EngineError, files, scheme};

/// Number of bytes that are read first from the end of an object, where most files store their
/// metadata.
const TAIL_BYTES: u64 = 64 * 1024;

pub(crate) fn is_standard_input(path: &Path) -> bool {
    path.as_os_str() == STANDARD_INPUT
}

/// Sources of file contents: the local disk, object stores, and standard input.
#[derive(Debug, Clone, Default)]
pub struct Sources {
    stores: Option<Arc<dyn ObjectStores>>,
    /// Content of standard input, which is read on first use.
    standard_input: Arc<OnceLock<io::Result<Arc<File>>>>,
}

/// Copies the remaining bytes of a reader to an unnamed file that no other process can open.
fn unnamed(from: &mut dyn Read) -> io::Result<File> {
    let mut file = tempfile::tempfile()?;
    io::copy(from, &mut file)?;
    Ok(file)
}

/// A read position in a shared file.
#[derive(Debug, Clone)]
pub(crate) struct FileCursor {
    file: Arc<File>,
    at: u64,
}

impl FileCursor {
    pub(crate) fn file(&self) -> &File {
        &self.file
    }

    fn at(&self, at: u64) -> Self {
        Self { file: Arc::clone(&self.file), at }
    }
}

impl Read for FileCursor {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let n = platform::read_at(&self.file, buffer, self.at)?;
        self.at += n as u64;
        Ok(n)
    }
}

impl Seek for FileCursor {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let (base, by) = match to {
            SeekFrom::Start(at) => (at, 0),
            SeekFrom::End(by) => (self.file.metadata()?.len(), by),
            SeekFrom::Current(by) => (self.at, by),
        };
        let before = || io::Error::from(io::ErrorKind::InvalidInput);
        self.at = base.checked_add_signed(by).ok_or_else(before)?;
        Ok(self.at)
    }
}

impl Length for FileCursor {
    fn len(&self) -> u64 {
        self.file.metadata().map_or(0, |found| found.len())
    }
}

impl ChunkReader for FileCursor {
    type T = BufReader<Self>;

    fn get_read(&self, start: u64) -> Result<Self::T, ParquetError> {
        Ok(BufReader::new(self.at(start)))
    }

    fn get_bytes(&self, start: u64, length: usize) -> Result<Bytes, ParquetError> {
        let mut bytes = Vec::new();
        let n = self.at(start).take(length as u64).read_to_end(&mut bytes)?;
        match n == length {
            true => Ok(bytes.into()),
            false => Err(ParquetError::EOF(format!("{n} bytes were read instead of {length}"))),
        }
    }
}

impl Sources {
    /// Creates sources for the local disk, standard input, and the given object stores, if any.
    pub fn new(stores: Option<Arc<dyn ObjectStores>>) -> Self {
        Self { stores, standard_input: Arc::default() }
    }

    /// Returns the object stores, after checking that the address contains no credentials.
    pub(crate) fn stores_for(&self, address: &str) -> Result<&Arc<dyn ObjectStores>, ObjectError> {
        let (scheme, rest) = scheme(address).unwrap_or_default();
        check(scheme, rest)?;
        self.stores.as_ref().ok_or_else(|| ObjectError::NoStores { scheme: scheme.to_owned() })
    }

    /// Opens a file for reading from start to end.
    pub(crate) fn stream(&self, path: &Path) -> Result<Box<dyn Read + Send>, EngineError> {
        match self.object(path)? {
            Some(object) => Ok(self.stores_for(&object.address)?.stream(&object)?),
            None => Ok(Box::new(self.on_disk(path)?)),
        }
    }

    /// Reads a complete file of at most the given size.
    #[cfg(any(feature = "excel", feature = "stata"))]
    pub(crate) fn read(&self, path: &Path, limit_bytes: u64) -> Result<Vec<u8>, EngineError> {
        if self.n_bytes(path)? > limit_bytes {
            return Err(EngineError::TooLarge { path: path.to_owned(), limit_bytes });
        }
        let mut bytes = Vec::new();
        self.stream(path)?
            .take(limit_bytes)
            .read_to_end(&mut bytes)
            .map_err(|error| EngineError::reading(path, error))?;
        Ok(bytes)
    }

    /// Opens a file for random access; an object is downloaded completely.
    pub(crate) fn random(&self, path: &Path) -> Result<FileCursor, EngineError> {
        if address_of(path).is_none() {
            return self.on_disk(path);
        }
        let file = unnamed(&mut self.stream(path)?);
        let file = file.map_err(|error| EngineError::reading(path, error))?;
        Ok(FileCursor { file: Arc::new(file), at: 0 })
    }

    fn on_disk(&self, path: &Path) -> Result<FileCursor, EngineError> {
        let file = match is_standard_input(path) {
            true => self.standard_input()?,
            false => Arc::new(files::open_given(path, files::NO_LIMIT)?),
        };
        Ok(FileCursor { file, at: 0 })
    }

    fn standard_input(&self) -> Result<Arc<File>, EngineError> {
        let read = || unnamed(&mut io::stdin().lock()).map(Arc::new);
        let file = self.standard_input.get_or_init(read).as_ref().map(Arc::clone);
        file.map_err(|error| EngineError::Read {
            path: STANDARD_INPUT.into(),
            source: io::Error::new(error.kind(), error.to_string()),
        })
    }

    /// Returns the object at a path if the path is the address of an object.
    pub(crate) fn object(&self, path: &Path) -> Result<Option<Object>, EngineError> {
        let Some(address) = address_of(path) else { return Ok(None) };
        let found = self.stores_for(address)?.find(address)?;
        found.map(Some).ok_or_else(|| EngineError::Missing { path: path.to_owned() })
    }

    /// Returns the size of a file in bytes.
    pub(crate) fn n_bytes(&self, path: &Path) -> Result<u64, EngineError> {
        if let Some(object) = self.object(path)? {
            return Ok(object.n_bytes);
        }
        let found = self.on_disk(path)?.file.metadata();
        Ok(found.map_err(|source| EngineError::Read { path: path.to_owned(), source })?.len())
    }

    /// Returns a digest of the size and version of an object, which identifies the content without
    /// reading it. Returns `None` if the store provides no version.
    pub(crate) fn version(&self, path: &Path) -> Result<Option<FileDigest>, EngineError> {
        let Some(Object { n_bytes, version: Some(version), .. }) = self.object(path)? else {
            return Ok(None);
        };
        let mut hash = Sha256::new();
        hash.update(format!("object {n_bytes} {version}"));
        Ok(Some(FileDigest { sha256: hash.finalize().into(), n_bytes }))
    }
}

/// Parts of an object that are already in memory; other parts are fetched on demand.
pub(crate) struct FetchedParts {
    stores: Arc<dyn ObjectStores>,
    object: Object,
    parts: Vec<(u64, Bytes)>,
}

impl FetchedParts {
    /// Fetches the end of an object.
    pub(crate) fn end_of(sources: &Sources, object: &Object) -> Result<Self, ObjectError> {
        let start = object.n_bytes.saturating_sub(TAIL_BYTES);
        Self::new(sources, object, std::iter::once(start..object.n_bytes).collect())
    }

    /// Fetches ranges of an object.
    pub(crate) fn new(
        sources: &Sources,
        object: &Object,
        ranges: Vec<std::ops::Range<u64>>,
    ) -> Result<Self, ObjectError> {
        let stores = Arc::clone(sources.stores_for(&object.address)?);
        let bytes = stores.ranges(object, &ranges)?;
        let parts = ranges.into_iter().map(|range| range.start).zip(bytes).collect();
        Ok(Self { stores, object: object.clone(), parts })
    }

    /// Returns the bytes in memory that start at a position, if there are at least `least` of them.
    fn known(&self, start: u64, least: u64) -> Option<Bytes> {
        let has =
            |(at, bytes): &&(u64, Bytes)| *at <= start && start + least <= at + bytes.len() as u64;
        let (at, bytes) = self.parts.iter().find(has)?;
        Some(bytes.slice((start - at) as usize..))
    }

    fn fetch(&self, start: u64, n: u64) -> Result<Bytes, ParquetError> {
        let end = self.object.n_bytes.min(start.saturating_add(n));
        if start >= end {
            return Ok(Bytes::new());
        }
        let range = start..end;
        let fetched = self.stores.ranges(&self.object, &[range]);
        let fetched = fetched.map_err(|error| ParquetError::External(Box::new(error)))?;
        Ok(fetched.into_iter().next().unwrap_or_default())
    }
}

impl Length for FetchedParts {
    fn len(&self) -> u64 {
        self.object.n_bytes
    }
}

impl ChunkReader for FetchedParts {
    type T = Reader<Bytes>;

    fn get_read(&self, start: u64) -> Result<Self::T, ParquetError> {
        // A call that specifies no length reads the header of a page.
        let bytes = match self.known(start, 1) {
            Some(known) => known,
            None => self.fetch(start, TAIL_BYTES)?,
        };
        Ok(bytes.reader())
    }

    fn get_bytes(&self, start: u64, length: usize) -> Result<Bytes, ParquetError> {
        let bytes = match self.known(start, length as u64) {
            Some(known) => known,
            None => self.fetch(start, length as u64)?,
        };
        match bytes.len() >= length {
            true => Ok(bytes.slice(..length)),
            false => {
                let n = bytes.len();
                Err(ParquetError::EOF(format!("{n} bytes were read instead of {length}")))
            }
        }
    }
}
