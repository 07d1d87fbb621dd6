//! What others have, as a policy: a project of ARX with its table and hierarchies, or a certificate
//! of ARX.
//!
//! A source is a reader of one kind of file, in one list (`SOURCES`); it makes a draft, and one
//! place writes drafts.
//!
//! The key decision: **everything that is not carried over is named**, in the answer and at the
//! head of the policy.

#![deny(missing_docs)]

#[cfg(feature = "pdf")]
mod certificate;
mod criteria;
mod draft;
mod error;
mod project;
mod xml;

use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use indistinct_diagnostics::FileError;
use serde::Serialize;

pub use draft::POLICY;
pub use error::ImportError;

use draft::Draft;

/// What came of a project or a certificate.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct ImportedPolicy {
    /// The folder that was made.
    pub directory: PathBuf,
    /// Columns with a role.
    pub n_columns: u64,
    /// Hierarchies that were written.
    pub n_hierarchies: u64,
    /// Principles.
    pub n_principles: u64,
    /// What ARX's file has and the policy has not, in sentences.
    pub not_carried_over: Vec<String>,
    /// What is still wrong with the policy, and has to be decided or brought before it is used.
    pub open: Vec<String>,
}

/// A kind of file that becomes a policy.
struct Source {
    /// How such a file begins.
    magic: &'static [u8],
    /// What it is, for the head of the policy.
    noun: &'static str,
    read: fn(&Path) -> Result<Draft, ImportError>,
}

const SOURCES: &[Source] = &[
    Source { magic: b"PK", noun: "a project of ARX", read: project::read },
    Source {
        magic: b"%PDF-",
        noun: "a certificate of ARX",
        #[cfg(feature = "pdf")]
        read: certificate::read,
        #[cfg(not(feature = "pdf"))]
        read: |path| Err(ImportError::NoPdf { path: path.to_owned() }),
    },
];

/// Reads a project or a certificate of ARX, and writes a folder with a policy and what else the
/// file has: whole or not at all.
///
/// # Errors
/// [`ImportError`] if the file is neither, the folder is there already, or the operating system
/// refuses.
pub fn arx(path: &Path, directory: &Path) -> Result<ImportedPolicy, ImportError> {
    let failed = |error: std::io::Error| FileError::new(path, &error);
    let mut head = Vec::new();
    File::open(path).map_err(failed)?.take(8).read_to_end(&mut head).map_err(failed)?;
    let source = SOURCES.iter().find(|source| head.starts_with(source.magic));
    let source = source.ok_or_else(|| {
        ImportError::not_of_arx(
            path,
            "it is neither a zip archive, as a project, nor a PDF, as a certificate",
        )
    })?;
    (source.read)(path)?.write(source.noun, directory)
}

#[cfg(test)]
mod tests;
