//! The implementation for Linux, macOS, and other Unix systems.

use std::ffi::OsStr;
use std::fs::{self, DirBuilder, File, FileType, Metadata, OpenOptions, Permissions};
use std::io;
use std::os::unix::fs::{
    DirBuilderExt, FileExt, FileTypeExt, MetadataExt, OpenOptionsExt, PermissionsExt,
};
use std::path::Path;

use rustix::fs::{CWD, FlockOperation, Mode, OFlags, RenameFlags, flock, openat, renameat_with};
use rustix::io::Errno;

use super::OpenError;

/// Reads bytes at a position, independently of the current position of the file.
pub fn read_at(file: &File, buffer: &mut [u8], at: u64) -> io::Result<usize> {
    FileExt::read_at(file, buffer, at)
}

/// Fills a buffer with the bytes at a position.
pub fn read_exact_at(file: &File, buffer: &mut [u8], at: u64) -> io::Result<()> {
    FileExt::read_exact_at(file, buffer, at)
}

/// Flags for opening a file without waiting for the other end of a pipe and without acquiring a
/// controlling terminal.
fn flags() -> OFlags {
    OFlags::RDONLY | OFlags::CLOEXEC | OFlags::NONBLOCK | OFlags::NOCTTY
}

/// Opens a path for reading, following links. The result may be a folder, a pipe, or a device.
pub fn open(path: &Path) -> Result<File, OpenError> {
    match openat(CWD, path, flags(), Mode::empty()) {
        Ok(opened) => Ok(File::from(opened)),
        Err(Errno::NOENT) => Err(OpenError::Missing),
        Err(Errno::NXIO) => Err(OpenError::NotAFile("a socket")),
        Err(other) => Err(OpenError::Other(other.into())),
    }
}

/// Opens a path inside a folder for reading, without following links inside the folder. The result
/// may be a folder, a pipe, or a device.
pub fn open_within(folder: &Path, parts: &[&OsStr]) -> Result<File, OpenError> {
    let refused = |error: Errno| match error {
        Errno::NOENT => OpenError::Missing,
        // The error code for a symbolic link differs between operating systems.
        Errno::LOOP | Errno::MLINK | Errno::NOTDIR => OpenError::NotFollowed,
        Errno::NXIO => OpenError::NotAFile("a socket"),
        other => OpenError::Other(other.into()),
    };
    let whole = openat(CWD, folder, flags() | OFlags::DIRECTORY, Mode::empty());
    let mut at = File::from(whole.map_err(refused)?);
    for (index, part) in parts.iter().enumerate() {
        let mut flags = flags() | OFlags::NOFOLLOW;
        flags.set(OFlags::DIRECTORY, index + 1 < parts.len());
        at = File::from(openat(&at, *part, flags, Mode::empty()).map_err(refused)?);
    }
    Ok(at)
}

/// Describes a file that is not a regular file.
pub fn kind_of(kind: FileType) -> &'static str {
    match kind {
        _ if kind.is_dir() => "a folder",
        _ if kind.is_fifo() => "a pipe",
        _ if kind.is_socket() => "a socket",
        _ if kind.is_symlink() => "a link",
        _ => "a device",
    }
}

/// Metadata that changes when the content changes: device, inode, and status change time, none of
/// which users can set.
pub fn state_of(found: &Metadata) -> (u64, u64, i64, i64) {
    (found.dev(), found.ino(), found.ctime(), found.ctime_nsec())
}

/// Creates a private file and opens it for writing.
pub fn create_private_file(path: &Path) -> io::Result<File> {
    OpenOptions::new().write(true).create_new(true).mode(0o600).open(path)
}

/// Creates a private folder.
pub fn create_private_folder(path: &Path) -> io::Result<()> {
    DirBuilder::new().mode(0o700).create(path)
}

/// Creates a private folder and its missing parents, unless the folder exists.
pub fn create_private_folders(path: &Path) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(0o700).create(path)
}

/// Makes an existing file or folder private.
pub fn restrict(path: &Path) -> io::Result<()> {
    let mode = if fs::metadata(path)?.is_dir() { 0o700 } else { 0o600 };
    fs::set_permissions(path, Permissions::from_mode(mode))
}

/// Makes a file or folder inside a private folder private, even if it is moved out of the folder.
pub fn restrict_within(path: &Path) -> io::Result<()> {
    restrict(path)
}

/// Returns whether other users can access a file or folder.
pub fn is_open_to_others(_path: &Path, found: &Metadata) -> io::Result<bool> {
    Ok(found.permissions().mode() & 0o077 != 0)
}

/// Returns the number of a file or folder on its disk (its inode), which does not change when it is
/// moved. Links are not followed.
pub fn identity_of(path: &Path) -> io::Result<u128> {
    fs::symlink_metadata(path).map(|found| found.ino().into())
}

/// Acquires the lock of a folder, unless another process holds it. The lock is released when the
/// process ends.
pub fn lock_folder(folder: &Path) -> io::Result<Option<File>> {
    let file = File::open(folder)?;
    match flock(&file, FlockOperation::NonBlockingLockExclusive) {
        Ok(()) => Ok(Some(file)),
        Err(Errno::WOULDBLOCK) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// Creates a private folder and acquires its lock; see [`lock_folder`].
pub fn create_locked_folder(path: &Path) -> io::Result<Option<File>> {
    create_private_folder(path)?;
    lock_folder(path)
}

/// Exchanges two folders atomically, or returns false if the file system does not support this.
pub fn exchange(one: &Path, other: &Path) -> io::Result<bool> {
    match renameat_with(CWD, one, CWD, other, RenameFlags::EXCHANGE) {
        Ok(()) => Ok(true),
        Err(Errno::INVAL | Errno::NOSYS | Errno::NOTSUP) => Ok(false),
        Err(error) => Err(error.into()),
    }
}

/// Renames a folder, unless the destination exists.
pub fn rename_to_nothing(from: &Path, to: &Path) -> io::Result<()> {
    match renameat_with(CWD, from, CWD, to, RenameFlags::NOREPLACE) {
        Err(Errno::INVAL | Errno::NOSYS | Errno::NOTSUP) => fs::rename(from, to),
        other => other.map_err(io::Error::from),
    }
}

/// Writes a file, or the list of entries of a folder, to disk.
pub fn sync(path: &Path) -> io::Result<()> {
    File::open(path)?.sync_all()
}
