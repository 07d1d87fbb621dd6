//! Reads the certificate files and the rows of a release from a cluster.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use indistinct_engine::{EngineError, Input, InputSpec, TableError};
use indistinct_sql::unpack;

use crate::place::ClusterLocation;
use crate::table;
use crate::target::FILES;

/// Copies the files of a release into a folder, and opens its rows.
pub(crate) fn open(
    place: ClusterLocation,
    spec: &InputSpec,
    folder: &Path,
) -> Result<Input, EngineError> {
    let name = spec.table.as_deref().ok_or(TableError::TableOrQuery)?;
    let no_release = || TableError::NoRelease { table: name.to_owned() };
    let path = place.table(name)?;
    let mut files = Vec::new();
    read(&path.join(FILES), "", &mut files).map_err(|_| no_release())?;
    if !unpack(&files, folder)? {
        return Err(no_release().into());
    }
    let shown = place.address.clone().into();
    let rows = table::over(place, &InputSpec { path, ..InputSpec::default() })?;
    Ok(Input::of_table(shown, Arc::new(rows)))
}

/// Reads all files below a folder as strings.
fn read(folder: &Path, prefix: &str, files: &mut Vec<(String, String)>) -> std::io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name().into_string().map_err(|_| std::io::ErrorKind::InvalidData)?;
        let name = format!("{prefix}{name}");
        match entry.file_type()?.is_dir() {
            true => read(&entry.path(), &format!("{name}/"), files)?,
            false => files.push((name, fs::read_to_string(entry.path())?)),
        }
    }
    Ok(())
}
