//! Files of a release whose rows are stored in a database.

use std::io::Write;
use std::path::{Component, Path};

use indistinct_engine::EngineError;

/// Name of the certificate file, which identifies a release.
pub const CERTIFICATE: &str = "certificate.json";

/// Maximum total size in bytes of the files of a release, excluding its rows.
const LIMIT_BYTES: usize = 256 << 20;

/// Writes the files of a release, given by name and content, to an empty folder. Returns `false` if
/// the files are not a release. The file names are untrusted because anyone with write access to
/// the database can change them.
///
/// # Errors
/// Returns [`EngineError::Read`] if a file cannot be written.
pub fn unpack(files: &[(String, String)], folder: &Path) -> Result<bool, EngineError> {
    let is_inside = |name: &str| {
        let mut parts = Path::new(name).components();
        !name.is_empty() && parts.all(|part| matches!(part, Component::Normal(_)))
    };
    let n_bytes: usize = files.iter().map(|(_, text)| text.len()).sum();
    let has_certificate = files.iter().any(|(name, _)| name == CERTIFICATE);
    if !has_certificate || n_bytes > LIMIT_BYTES || !files.iter().all(|(name, _)| is_inside(name)) {
        return Ok(false);
    }
    for (name, text) in files {
        let path = folder.join(name);
        let written = path.parent().map_or(Ok(()), std::fs::create_dir_all);
        let written =
            written.and_then(|()| std::fs::File::create_new(&path)?.write_all(text.as_bytes()));
        written.map_err(|source| EngineError::Read { path, source })?;
    }
    Ok(true)
}
