//! Imports policies from other tools: an ARX project with its table and hierarchies, or an ARX
//! certificate.
//!
//! Each source reads one kind of file and is listed in `SOURCES`. Every source creates a draft,
//! which is written by the same function.
//!
//! The key decision: **every setting that is not carried over is listed**, in the answer and at the
//! top of the policy.

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

/// The result of importing a project or a certificate.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct ImportedPolicy {
    /// The folder that was created.
    pub directory: PathBuf,
    /// The number of columns with a role.
    pub n_columns: u64,
    /// The number of hierarchies that were written.
    pub n_hierarchies: u64,
    /// The number of principles.
    pub n_principles: u64,
    /// Sentences about settings of the ARX file that the policy omits.
    pub not_carried_over: Vec<String>,
    /// Open points in the policy: decisions and files that are required before it can be
    /// used.
    pub open: Vec<String>,
}

/// A kind of file that can be imported.
struct Source {
    /// The first bytes of such a file.
    magic: &'static [u8],
    /// The name of this kind of file, for the header of the policy.
    noun: &'static str,
    read: fn(&Path) -> Result<Draft, ImportError>,
}

const SOURCES: &[Source] = &[
    Source { magic: b"PK", noun: "an ARX project", read: project::read },
    Source {
        magic: b"%PDF-",
        noun: "an ARX certificate",
        #[cfg(feature = "pdf")]
        read: certificate::read,
        #[cfg(not(feature = "pdf"))]
        read: |path| Err(ImportError::NoPdf { path: path.to_owned() }),
    },
];

/// Reads an ARX project or certificate, and writes a folder with a policy and the other content of
/// the file. The folder is written completely or not at all.
///
/// # Errors
/// Returns [`ImportError`] if the file is neither a project nor a certificate, if the folder
/// already exists, or if an operation on a file fails.
pub fn arx(path: &Path, directory: &Path) -> Result<ImportedPolicy, ImportError> {
    let failed = |error: std::io::Error| FileError::new(path, &error);
    let mut head = Vec::new();
    File::open(path).map_err(failed)?.take(8).read_to_end(&mut head).map_err(failed)?;
    let source = SOURCES.iter().find(|source| head.starts_with(source.magic));
    let source = source.ok_or_else(|| {
        ImportError::not_of_arx(
            path,
            "the file is neither a zip archive (a project) nor a PDF file (a certificate)",
        )
    })?;
    (source.read)(path)?.write(source.noun, directory)
}

#[cfg(test)]
mod tests;
