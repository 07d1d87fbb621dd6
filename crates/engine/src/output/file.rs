//! Writes private files of the data holder and computes their digests.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use indistinct_diagnostics::platform;
use sha2::{Digest, Sha256};

use crate::EngineError;
use crate::input::hashed::hexadecimal;

/// Returns the SHA-256 digest of a file in hexadecimal digits.
///
/// # Errors
/// Returns an error if the operating system reports one.
pub fn sha256_of_file(path: &Path) -> io::Result<String> {
    let mut digest = Sha256::new();
    io::copy(&mut File::open(path)?, &mut digest)?;
    Ok(hexadecimal(digest.finalize().as_slice()))
}

/// Creates a file that only the owner can read and write (mode 0600).
pub(super) fn create_private(path: &Path) -> Result<File, EngineError> {
    platform::create_private_file(path).map_err(|source| EngineError::write(path, source))
}

/// Writes a new file that only the owner can read and write.
/// [`Staging::commit`](super::Staging::commit) syncs all files of a release together, because
/// separate syncs take several times as long.
///
/// Returns the SHA-256 digest of the bytes in hexadecimal digits.
///
/// # Errors
/// Returns [`OutputError::Write`](super::OutputError::Write) if the file already exists or the
/// operating system reports an error. In the second case, the file is removed.
pub fn write_private_file(path: &Path, bytes: &[u8]) -> Result<String, EngineError> {
    let mut file = create_private(path)?;
    let written = file.write_all(bytes);
    match written {
        Ok(()) => Ok(hexadecimal(Sha256::digest(bytes).as_slice())),
        Err(source) => {
            let _ = std::fs::remove_file(path);
            Err(EngineError::write(path, source))
        }
    }
}

/// Streams content that is too large for memory to a private file, without computing a digest.
///
/// # Errors
/// Returns the same errors as [`write_private_file`].
pub fn stream_private_file(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), EngineError> {
    let mut out = BufWriter::with_capacity(1 << 18, create_private(path)?);
    let written = write(&mut out).and_then(|()| out.flush());
    written.map_err(|source| {
        let _ = std::fs::remove_file(path);
        EngineError::write(path, source)
    })
}

/// A writer that computes a digest of the written bytes.
#[derive(Debug)]
pub(super) struct DigestWriter<W> {
    inner: W,
    digest: Sha256,
    n_bytes: u64,
}

impl<W: Write> DigestWriter<W> {
    pub(super) fn new(inner: W) -> Self {
        Self { inner, digest: Sha256::new(), n_bytes: 0 }
    }

    /// Returns the writer, the SHA-256 digest in hexadecimal digits, and the number of bytes.
    pub(super) fn finish(self) -> (W, String, u64) {
        (self.inner, hexadecimal(self.digest.finalize().as_slice()), self.n_bytes)
    }
}

impl<W: Write> Write for DigestWriter<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let n = self.inner.write(bytes)?;
        self.digest.update(&bytes[..n]);
        self.n_bytes += n as u64;
        Ok(n)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

#[cfg(test)]
mod tests {
    use indistinct_diagnostics::Coded;

    use super::*;

    #[test]
    fn private_file_has_private_mode_and_digest() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("note");
        let sha256 = write_private_file(&path, b"abc").unwrap();
        assert_eq!(sha256, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
        assert_eq!(std::fs::read(&path).unwrap(), b"abc");
        let found = std::fs::metadata(&path).unwrap();
        assert!(!platform::is_open_to_others(&path, &found).unwrap());
        let error = write_private_file(&path, b"other").unwrap_err();
        assert_eq!(error.code(), "E-OUTPUT-006");
        assert_eq!(std::fs::read(&path).unwrap(), b"abc");
    }

    #[test]
    fn chunked_writes_have_digest_of_whole() {
        let mut writer = DigestWriter::new(Vec::new());
        writer.write_all(b"a").unwrap();
        writer.write_all(b"bc").unwrap();
        let (bytes, sha256, n_bytes) = writer.finish();
        assert_eq!((bytes.as_slice(), n_bytes), (b"abc".as_slice(), 3));
        assert!(sha256.starts_with("ba7816bf"));
    }
}
