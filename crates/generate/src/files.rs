//! Writes an example table as files: the data, a policy, and the hierarchies that the policy uses.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use indistinct_engine::{Input, InputSpec};

use super::{Example, GenerateError, companion, write};

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
        write_csv(example, rows, seed, file.path(), file.as_file())?;
        let input =
            Input::open(&InputSpec { path: file.path().to_owned(), ..InputSpec::default() })?;
        indistinct_engine::output::to_parquet(&input, data)?;
    } else {
        let file = File::create_new(data).map_err(GenerateError::file(data))?;
        write_csv(example, rows, seed, data, &file)?;
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

fn write_csv(
    example: &Example,
    rows: u64,
    seed: u64,
    path: &Path,
    file: &File,
) -> Result<(), GenerateError> {
    let mut out = BufWriter::with_capacity(1 << 20, file);
    write(example, rows, seed, &mut out)
        .and_then(|()| out.flush())
        .map_err(GenerateError::file(path))
}
