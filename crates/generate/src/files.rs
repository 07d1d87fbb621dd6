//! Writes an example table as files: the data, a policy, and the hierarchies that the policy uses.

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use indistinct_diagnostics::{FileError, codes};
use indistinct_engine::{EngineError, Input, InputSpec};

use super::{Example, companion, write};

/// An error that occurred while generating an example.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum GenerateError {
    /// A file or folder already exists or cannot be written.
    #[error(transparent)]
    File(#[from] FileError),
    /// The generated rows cannot be read back or written as Parquet.
    #[error(transparent)]
    Engine(#[from] EngineError),
}

codes! {
    GenerateError {}
    of {
        Self::File(error) => error;
        Self::Engine(error) => error;
    }
}

impl GenerateError {
    /// Returns a function that adds the path of the file to an operating system error.
    fn file(path: &Path) -> impl FnOnce(io::Error) -> Self {
        move |error| FileError::new(path, &error).into()
    }
}

/// Writes an example table to `data`, and writes `policy.toml` and `hierarchies/` to the same
/// folder. The data is written as Parquet if the extension is `.parquet`, and as CSV otherwise.
/// Returns the paths of the written files. The folder is created if necessary; existing files are
/// never replaced.
///
/// # Errors
/// [`GenerateError::File`] if one of the files exists or cannot be written.
pub fn to_files(
    example: &Example,
    rows: u64,
    seed: u64,
    data: &Path,
) -> Result<Vec<PathBuf>, GenerateError> {
    let folder = data.parent().unwrap_or(Path::new(""));
    let name = data.file_name().map(|name| name.to_string_lossy().into_owned());
    let generated = companion(example, &name.unwrap_or_default());
    let mut texts = vec![(folder.join("policy.toml"), generated.policy)];
    texts.extend(generated.hierarchies.into_iter().map(|(path, text)| (folder.join(path), text)));
    for path in texts.iter().map(|(path, _)| path.as_path()).chain([data]) {
        if path.exists() {
            return Err(GenerateError::file(path)(io::ErrorKind::AlreadyExists.into()));
        }
    }
    if folder != Path::new("") {
        std::fs::create_dir_all(folder).map_err(GenerateError::file(folder))?;
    }
    if data.extension().is_some_and(|extension| extension == "parquet") {
        let file = tempfile::Builder::new()
            .suffix(".csv")
            .tempfile_in(if folder == Path::new("") { Path::new(".") } else { folder })
            .map_err(GenerateError::file(folder))?;
        write(example, rows, seed, &mut file.as_file())
            .map_err(GenerateError::file(file.path()))?;
        let input =
            Input::open(&InputSpec { path: file.path().to_owned(), ..InputSpec::default() })?;
        indistinct_engine::output::to_parquet(&input, data)?;
    } else {
        File::create_new(data)
            .and_then(|mut file| write(example, rows, seed, &mut file))
            .map_err(GenerateError::file(data))?;
    }
    let mut written = vec![data.to_owned()];
    for (path, text) in texts {
        if let Some(parent) = path.parent().filter(|parent| *parent != Path::new("")) {
            std::fs::create_dir_all(parent).map_err(GenerateError::file(parent))?;
        }
        File::create_new(&path)
            .and_then(|mut file| file.write_all(text.as_bytes()))
            .map_err(GenerateError::file(&path))?;
        written.push(path);
    }
    Ok(written)
}
