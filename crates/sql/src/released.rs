//! The files of a release whose rows are elsewhere.

use std::io::Write;
use std::path::{Component, Path};

use indistinct_engine::EngineError;

/// The name of the file by which a release is known.
pub const CERTIFICATE: &str = "certificate.json";

/// The most bytes that the files of a release have, its rows apart.
const LIMIT_BYTES: usize = 256 << 20;

/// Writes the files of a release, each with its name and its text, into an empty folder. `false` if they are none of a release:
/// whoever can write where they were names these files.
///
/// # Errors
/// Returns [`EngineError::Read`] if one cannot be written.
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
