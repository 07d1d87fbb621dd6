//! Digests of files, computed while the files are read.

use std::io::{Chain, Cursor, Read};
use std::path::PathBuf;

use sha2::{Digest, Sha256};

/// Digest and size of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FileDigest {
    pub(crate) sha256: [u8; 32],
    pub(crate) n_bytes: u64,
}

/// Combines the digests of files. For a single file, the result is the digest of this file. For
/// several files, the result is the digest of the output of `sha256sum`.
pub(crate) fn combine(files: &[PathBuf], digests: &[FileDigest]) -> (String, u64) {
    let n_bytes = digests.iter().map(|digest| digest.n_bytes).sum();
    let sha256 = match digests {
        [single] => hexadecimal(&single.sha256),
        _ => {
            let mut whole = Sha256::new();
            for (file, digest) in files.iter().zip(digests) {
                let name = file.file_name().unwrap_or_default().to_string_lossy();
                whole.update(format!("{}  {name}\n", hexadecimal(&digest.sha256)));
            }
            hexadecimal(&whole.finalize())
        }
    };
    (sha256, n_bytes)
}

/// Formats bytes as hexadecimal digits.
pub(crate) fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Reader that computes a digest of the bytes of a file.
pub(super) struct HashingReader {
    file: Chain<Cursor<Vec<u8>>, Box<dyn Read + Send>>,
    hash: Sha256,
    /// Number of bytes that have been read.
    pub(super) n_bytes: u64,
}

impl HashingReader {
    /// Creates a reader from bytes that were already read, followed by the remaining bytes.
    pub(super) fn new(ahead: Vec<u8>, rest: Box<dyn Read + Send>) -> Self {
        Self { file: Cursor::new(ahead).chain(rest), hash: Sha256::new(), n_bytes: 0 }
    }

    /// Returns the digest of the bytes that have been read.
    pub(super) fn digest(&self) -> FileDigest {
        FileDigest { sha256: self.hash.clone().finalize().into(), n_bytes: self.n_bytes }
    }
}

impl Read for HashingReader {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let n = self.file.read(buffer)?;
        self.hash.update(&buffer[..n]);
        self.n_bytes += n as u64;
        Ok(n)
    }
}
