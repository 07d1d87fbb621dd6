//! Reads the tables of a release into memory, and copies a release.

use std::path::Path;

use indistinct_engine::output::{PRIVATE_NOTE_FILE, PrivateLocation, Replace, Staging};
use indistinct_engine::{Input, InputColumn, InputSpec, MemoryTable};
use indistinct_release::forms;

use crate::error::Error;
use crate::files;
use crate::policy::PolicyFile;
use crate::session::Session;

/// Reads the tables of a release directory: one table, or two tables that share only the class. The
/// name of each table is its file name without the extension.
///
/// An unchanged column has the same type as in `like`, which contains the columns of the original.
/// Dictionary columns are restored, and numbers and dates in a CSV file are parsed.
///
/// # Errors
/// [`Error`] if the release does not exist or cannot be read. This function does not verify the
/// release.
pub fn tables(
    session: &Session,
    directory: &Path,
    like: &[InputColumn],
) -> Result<Vec<MemoryTable>, Error> {
    session.run(|observer| {
        let path = directory.join(files::POLICY);
        let text = files::read_text(&path)?;
        let policy = PolicyFile::parse_released(&text, &path.display().to_string())?;
        let read = |file: String| {
            if observer.is_cancelled() {
                return Err(Error::Cancelled);
            }
            let input = Input::open_released(&InputSpec {
                path: directory.join(&file),
                delimiter: policy.output.delimiter,
                ..InputSpec::default()
            })?;
            let name = file.split('.').next().unwrap_or(&file);
            Ok(MemoryTable::read(name, &input, like)?)
        };
        forms::for_policy(&policy).data_files(&policy).into_iter().map(read).collect()
    })
}

/// Atomically copies a release directory with its private directory. Without a private directory,
/// only the release directory is copied.
///
/// # Errors
/// [`Error`] if the release does not exist, if the destination exists, or if the operating system
/// reports an error.
pub fn copy(
    (from, private_from): (&Path, Option<&Path>),
    (to, private_to): (&Path, &PrivateLocation),
    replace: Replace,
) -> Result<(), Error> {
    let private_to = private_from.map_or(&PrivateLocation::Omitted, |_| private_to);
    let staging = Staging::create_with(to, private_to, replace)?;
    copy_folder(from, &staging.public())?;
    if let (Some(from), Some(to)) = (private_from, staging.private()) {
        copy_folder(from, &to)?;
    }
    Ok(staging.commit()?)
}

fn copy_folder(from: &Path, to: &Path) -> Result<(), Error> {
    let failed = |path: &Path, error: std::io::Error| Error::io(path, &error);
    for entry in std::fs::read_dir(from).map_err(|error| failed(from, error))? {
        let entry = entry.map_err(|error| failed(from, error))?;
        let (path, copy) = (entry.path(), to.join(entry.file_name()));
        if entry.file_name() == PRIVATE_NOTE_FILE {
            // The staging folder already contains a new note.
            continue;
        }
        if path.is_dir() {
            files::create_folder(&copy)?;
            copy_folder(&path, &copy)?;
        } else {
            std::fs::copy(&path, &copy).map_err(|error| failed(&path, error))?;
        }
    }
    Ok(())
}
