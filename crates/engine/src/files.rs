//! Safe access to files from untrusted sources.
//!
//! A release, plan, ledger, or hierarchy may come from another party. The path may refer to a pipe
//! that never ends, a device, or a link to another location. [`open_regular`] opens only a regular
//! file inside a folder, up to a size limit. [`open_given`] opens a path that the user has
//! specified. This function follows links but otherwise applies the same checks. Neither function
//! blocks, because pipes are rejected before reading.

use std::fs::File;
use std::io::Read;
use std::path::{Component, Path, PathBuf};

use indistinct_diagnostics::platform::{self, OpenError};

use crate::EngineError;

/// Size limit for certificates, policies, plans, and other files that contain a few lines for each
/// attribute.
pub const TEXT_LIMIT_BYTES: u64 = 64 << 20;

/// Size limit for tables that are read as a whole, such as hierarchies with a line for each value.
pub const TABLE_LIMIT_BYTES: u64 = 1 << 30;

/// No size limit, for files that are streamed.
pub const NO_LIMIT: u64 = u64::MAX;

/// Opens a regular file of at most `limit_bytes` bytes inside a folder. `name` is the path within
/// the folder, with `/` as the separator. No component of the path may be a link.
///
/// # Errors
/// Returns [`EngineError::Missing`] if the file does not exist, [`EngineError::NotAFile`] for a
/// link, a folder, a pipe, a device, or a name that leads out of the folder,
/// [`EngineError::TooLarge`] if the file exceeds the limit, and [`EngineError::Read`] if the
/// operating system reports an error.
pub fn open_regular(folder: &Path, name: &str, limit_bytes: u64) -> Result<File, EngineError> {
    let path = folder.join(name);
    let mut parts = Vec::new();
    for part in Path::new(name).components() {
        match part {
            Component::Normal(part) => parts.push(part),
            Component::CurDir => {}
            _ => return Err(EngineError::NotAFile { path, what: "a path outside its folder" }),
        }
    }
    if parts.is_empty() {
        return Err(EngineError::NotAFile { path, what: "a folder" });
    }
    let opened = platform::open_within(folder, &parts).map_err(|error| refused(&path, error))?;
    checked(opened, &path, limit_bytes)
}

/// Opens a regular file that the user has specified, following links.
///
/// # Errors
/// Returns the same errors as [`open_regular`].
pub fn open_given(path: &Path, limit_bytes: u64) -> Result<File, EngineError> {
    let opened = platform::open(path).map_err(|error| refused(path, error))?;
    checked(opened, path, limit_bytes)
}

fn refused(path: &Path, error: OpenError) -> EngineError {
    let path = path.to_owned();
    match error {
        OpenError::Missing => EngineError::Missing { path },
        OpenError::NotFollowed => EngineError::NotAFile { what: what_is(&path), path },
        OpenError::NotAFile(what) => EngineError::NotAFile { path, what },
        OpenError::Other(source) => EngineError::Read { path, source },
    }
}

/// Reads the text of a regular file inside a folder; see [`open_regular`].
///
/// # Errors
/// Returns the same errors as [`open_regular`], and an error if the file is not UTF-8.
pub fn read_text(folder: &Path, name: &str, limit_bytes: u64) -> Result<String, EngineError> {
    let file = open_regular(folder, name, limit_bytes)?;
    text_of(file, &folder.join(name), limit_bytes)
}

/// Reads the text of a regular file that the user has specified.
///
/// # Errors
/// Returns the same errors as [`open_given`], and an error if the file is not UTF-8.
pub fn read_given_text(path: &Path, limit_bytes: u64) -> Result<String, EngineError> {
    text_of(open_given(path, limit_bytes)?, path, limit_bytes)
}

/// Checks that an open file is a regular file within the size limit.
fn checked(file: File, path: &Path, limit_bytes: u64) -> Result<File, EngineError> {
    let found =
        file.metadata().map_err(|source| EngineError::Read { path: path.to_owned(), source })?;
    if !found.is_file() {
        let what = platform::kind_of(found.file_type());
        return Err(EngineError::NotAFile { path: path.to_owned(), what });
    }
    if found.len() > limit_bytes {
        return Err(too_large(path, limit_bytes));
    }
    Ok(file)
}

fn too_large(path: &Path, limit_bytes: u64) -> EngineError {
    EngineError::TooLarge { path: path.to_owned(), limit_bytes }
}

/// Reads the text of an open file, which may grow while it is being read.
fn text_of(file: File, path: &Path, limit_bytes: u64) -> Result<String, EngineError> {
    let mut bytes = Vec::new();
    file.take(limit_bytes.saturating_add(1))
        .read_to_end(&mut bytes)
        .map_err(|source| EngineError::Read { path: path.to_owned(), source })?;
    if bytes.len() as u64 > limit_bytes {
        return Err(too_large(path, limit_bytes));
    }
    String::from_utf8(bytes).map_err(|error| {
        let good = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let line = memchr::memchr_iter(b'\n', good).count() as u64 + 1;
        EngineError::InvalidUtf8 { path: path.to_owned(), line }
    })
}

/// Describes the kind of file at a path that is not a regular file.
fn what_is(path: &Path) -> &'static str {
    let mut above = PathBuf::new();
    for part in path.components() {
        above.push(part);
        if std::fs::symlink_metadata(&above).is_ok_and(|found| found.is_symlink()) {
            return "a link";
        }
    }
    "a path whose parent is not a folder"
}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use indistinct_diagnostics::Coded;

    use std::os::unix::fs::symlink;

    use rustix::fs::{CWD, FileType, Mode};

    use super::*;

    fn pipe(path: &Path) {
        rustix::fs::mknodat(CWD, path, FileType::Fifo, Mode::RUSR, 0).expect("a pipe");
    }

    fn refusal(folder: &Path, name: &str) -> &'static str {
        match open_regular(folder, name, 10) {
            Err(EngineError::NotAFile { what, .. }) => what,
            Err(other) => other.code(),
            Ok(_) => "opened",
        }
    }

    #[test]
    fn only_regular_files_in_folder_are_opened() {
        // Opening a pipe would block forever.
        let all = tempfile::tempdir().expect("a folder");
        let folder = all.path().join("release");
        std::fs::create_dir_all(folder.join("within")).expect("made");
        std::fs::write(all.path().join("outside"), "x").expect("written");
        std::fs::write(folder.join("here"), "0123456789").expect("written");
        std::fs::write(folder.join("within/here"), "x").expect("written");
        std::fs::write(folder.join("large"), "0123456789a").expect("written");
        pipe(&folder.join("pipe"));
        symlink("here", folder.join("link")).expect("linked");
        symlink("../outside", folder.join("out")).expect("linked");
        symlink("within", folder.join("linked")).expect("linked");
        symlink("/dev/zero", folder.join("zero")).expect("linked");
        for name in ["here", "within/here", "./here"] {
            assert_eq!(refusal(&folder, name), "opened", "{name}");
        }
        for name in ["link", "out", "linked/here", "zero"] {
            assert_eq!(refusal(&folder, name), "a link", "{name}");
        }
        for name in ["../outside", "/dev/zero", "within/../here"] {
            assert_eq!(refusal(&folder, name), "a path outside its folder", "{name}");
        }
        assert_eq!(refusal(&folder, "pipe"), "a pipe");
        assert_eq!(refusal(&folder, "within"), "a folder");
        assert_eq!(refusal(&folder, ""), "a folder");
        assert_eq!(refusal(&folder, "none"), "E-INPUT-001");
        assert_eq!(refusal(&folder, "large"), "E-INPUT-030");
    }

    #[test]
    fn user_paths_allow_links_but_not_pipes() {
        let folder = tempfile::tempdir().expect("a folder");
        let (file, link) = (folder.path().join("file"), folder.path().join("link"));
        std::fs::write(&file, "text").expect("written");
        symlink(&file, &link).expect("linked");
        assert_eq!(read_given_text(&link, 4).expect("read"), "text");
        assert_eq!(read_given_text(&link, 3).expect_err("too large").code(), "E-INPUT-030");
        pipe(&folder.path().join("pipe"));
        for path in [folder.path().join("pipe"), "/dev/zero".into(), folder.path().into()] {
            let error = read_given_text(&path, 4).expect_err("no file");
            assert_eq!(error.code(), "E-INPUT-029", "{}", path.display());
        }
    }

    #[test]
    fn text_is_read_unchanged_or_rejected() {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::write(folder.path().join("abc"), "abc").expect("written");
        assert_eq!(read_text(folder.path(), "abc", 3).expect("read"), "abc");
        std::fs::write(folder.path().join("latin"), b"a\n\xe9").expect("written");
        let error = read_text(folder.path(), "latin", 10).expect_err("no UTF-8");
        assert!(matches!(error, EngineError::InvalidUtf8 { line: 2, .. }));
    }
}
