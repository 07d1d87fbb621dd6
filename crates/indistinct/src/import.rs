//! What others have, as a policy with its table and hierarchies: see [`indistinct_import`].

use std::path::Path;

pub use indistinct_import::{Imported, POLICY};

use crate::error::Error;

/// Reads a project of ARX and writes a folder with a policy, its table and its hierarchies: whole or not at all.
///
/// # Errors
/// [`Error`] if the file is no project, the folder is there already, or the operating system refuses.
pub fn arx_project(project: &Path, directory: &Path) -> Result<Imported, Error> {
    Ok(indistinct_import::arx_project(project, directory)?)
}
