//! The implementation for Windows.
//!
//! Access control lists are read and written by `icacls`, which is a part of Windows, because the
//! standard library has no functions for them and calls of the operating system are unsafe code.

use std::ffi::OsStr;
use std::fs::{self, File, FileType, Metadata, OpenOptions};
use std::io::{self, ErrorKind};
use std::os::windows::fs::{FileExt, MetadataExt, OpenOptionsExt};
use std::path::{Component, Path, PathBuf, Prefix};
use std::process::Command;

use file_id::FileId;

use super::{OpenError, grants_only_owner, special_kind};

const FILE_FLAG_BACKUP_SEMANTICS: u32 = 0x0200_0000;
const FILE_FLAG_DELETE_ON_CLOSE: u32 = 0x0400_0000;
const FILE_FLAG_OPEN_REPARSE_POINT: u32 = 0x0020_0000;
const ERROR_SHARING_VIOLATION: i32 = 32;

/// Reads bytes at a position. The current position of the file changes.
pub fn read_at(file: &File, buffer: &mut [u8], at: u64) -> io::Result<usize> {
    file.seek_read(buffer, at)
}

/// Fills a buffer with the bytes at a position. The current position of the file changes.
pub fn read_exact_at(file: &File, buffer: &mut [u8], at: u64) -> io::Result<()> {
    let mut n_read = 0;
    while n_read < buffer.len() {
        match file.seek_read(&mut buffer[n_read..], at + n_read as u64) {
            Ok(0) => return Err(ErrorKind::UnexpectedEof.into()),
            Ok(n) => n_read += n,
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

fn refused(error: io::Error) -> OpenError {
    match error.kind() {
        ErrorKind::NotFound => OpenError::Missing,
        ErrorKind::NotADirectory => OpenError::NotFollowed,
        _ => OpenError::Other(error),
    }
}

fn opened(path: &Path, flags: u32) -> Result<File, OpenError> {
    // Without backup semantics, opening a folder reports that access is denied.
    let flags = flags | FILE_FLAG_BACKUP_SEMANTICS;
    OpenOptions::new().read(true).custom_flags(flags).open(path).map_err(refused)
}

fn check_name(name: &OsStr) -> Result<(), OpenError> {
    special_kind(&name.to_string_lossy()).map_or(Ok(()), |kind| Err(OpenError::NotAFile(kind)))
}

/// Opens a path for reading, following links. The result may be a folder.
pub fn open(path: &Path) -> Result<File, OpenError> {
    path.file_name().map_or(Ok(()), check_name)?;
    if let Some(Component::Prefix(prefix)) = path.components().next()
        && matches!(prefix.kind(), Prefix::DeviceNS(_))
    {
        return Err(OpenError::NotAFile("a device"));
    }
    opened(path, 0)
}

/// Opens a path inside a folder for reading, without following links inside the folder. The result
/// may be a folder.
///
/// The folders on the path are checked before the file is opened. A process that can write to the
/// folder could replace one of them with a link in the meantime.
pub fn open_within(folder: &Path, parts: &[&OsStr]) -> Result<File, OpenError> {
    let mut path = folder.to_owned();
    for part in parts {
        check_name(part)?;
        path.push(part);
        if fs::symlink_metadata(&path).map_err(refused)?.is_symlink() {
            return Err(OpenError::NotFollowed);
        }
    }
    opened(&path, FILE_FLAG_OPEN_REPARSE_POINT)
}

/// Describes a file that is not a regular file.
pub fn kind_of(kind: FileType) -> &'static str {
    match kind {
        _ if kind.is_dir() => "a folder",
        _ if kind.is_symlink() => "a link",
        _ => "a device",
    }
}

/// Metadata that changes when the content changes, in addition to the size and the modification
/// time: the creation time and the attributes.
pub fn state_of(found: &Metadata) -> (u64, u64, i64, i64) {
    (found.creation_time(), found.file_attributes().into(), 0, 0)
}

/// Runs `icacls` on a file or folder.
fn icacls<A: AsRef<OsStr>>(path: &Path, arguments: &[A]) -> io::Result<()> {
    // The program is not searched for, because another program of this name could be found.
    let windows = std::env::var_os("SystemRoot").unwrap_or_else(|| r"C:\Windows".into());
    let program = PathBuf::from(windows).join(r"System32\icacls.exe");
    let done = Command::new(program).arg(std::path::absolute(path)?).args(arguments).output()?;
    match done.status.success() {
        true => Ok(()),
        false => Err(io::Error::other("'icacls' cannot read or restrict the access of others")),
    }
}

/// Makes a new file or folder private, whose access control entries are inherited.
fn protect(path: &Path) -> io::Result<()> {
    let owner = match fs::metadata(path)?.is_dir() {
        true => "*S-1-3-4:(OI)(CI)F",
        false => "*S-1-3-4:F",
    };
    icacls(path, &["/inheritance:r", "/grant:r", owner])
}

/// Creates a private file and opens it for writing.
pub fn create_private_file(path: &Path) -> io::Result<File> {
    let file = OpenOptions::new().write(true).create_new(true).open(path)?;
    match protect(path) {
        Ok(()) => Ok(file),
        Err(error) => {
            drop(file);
            let _ = fs::remove_file(path);
            Err(error)
        }
    }
}

/// Creates a private folder.
pub fn create_private_folder(path: &Path) -> io::Result<()> {
    fs::create_dir(path)?;
    protect(path).inspect_err(|_| {
        let _ = fs::remove_dir(path);
    })
}

/// Creates a private folder and its missing parents, unless the folder exists.
pub fn create_private_folders(path: &Path) -> io::Result<()> {
    let missing = |path: &&Path| !path.as_os_str().is_empty() && !path.is_dir();
    let missing: Vec<&Path> = path.ancestors().take_while(missing).collect();
    missing.into_iter().rev().try_for_each(create_private_folder)
}

/// Makes an existing file or folder private.
pub fn restrict(path: &Path) -> io::Result<()> {
    icacls(path, &["/reset"])?;
    protect(path)
}

/// Makes a file or folder inside a private folder private, even if it is moved out of the folder.
/// It has inherited the access control list of the folder, and a move does not change the list.
pub fn restrict_within(_path: &Path) -> io::Result<()> {
    Ok(())
}

/// Returns whether other users can access a file or folder.
pub fn is_open_to_others(path: &Path, _found: &Metadata) -> io::Result<bool> {
    let folder = tempfile::tempdir()?;
    let saved = folder.path().join("list");
    icacls(path, &[OsStr::new("/save"), saved.as_os_str()])?;
    let bytes = fs::read(saved)?;
    let units: Vec<u16> =
        bytes.chunks_exact(2).map(|pair| u16::from_le_bytes([pair[0], pair[1]])).collect();
    Ok(!grants_only_owner(&String::from_utf16_lossy(&units)))
}

/// Returns the number of a file or folder on its disk, which does not change when it is moved.
/// Links have no identity.
pub fn identity_of(path: &Path) -> io::Result<u128> {
    if fs::symlink_metadata(path)?.is_symlink() {
        return Err(io::Error::other("the path is a link"));
    }
    Ok(match file_id::get_file_id(path)? {
        FileId::Inode { inode_number, .. } => inode_number.into(),
        FileId::LowRes { file_index, .. } => file_index.into(),
        FileId::HighRes { file_id, .. } => file_id,
    })
}

/// Acquires the lock of a folder, unless another process holds it. The lock is released when the
/// process ends.
///
/// Folders cannot be locked. The lock is a file next to the folder, which no other process can open
/// and which Windows removes when the process ends.
pub fn lock_folder(folder: &Path) -> io::Result<Option<File>> {
    let mut name = folder.file_name().unwrap_or_default().to_owned();
    name.push(".lock");
    let opened = OpenOptions::new()
        .write(true)
        .create(true)
        .truncate(false)
        .share_mode(0)
        .custom_flags(FILE_FLAG_DELETE_ON_CLOSE)
        .open(folder.with_file_name(name));
    match opened {
        Err(error) if error.raw_os_error() == Some(ERROR_SHARING_VIOLATION) => Ok(None),
        other => other.map(Some),
    }
}

/// Creates a private folder and acquires its lock; see [`lock_folder`]. The lock is acquired first,
/// because another process could remove an unlocked folder while `icacls` runs.
pub fn create_locked_folder(path: &Path) -> io::Result<Option<File>> {
    let lock = lock_folder(path)?;
    create_private_folder(path)?;
    Ok(lock)
}

/// Exchanges two folders atomically. Windows does not support this.
pub fn exchange(_one: &Path, _other: &Path) -> io::Result<bool> {
    Ok(false)
}

/// Renames a folder, unless the destination exists. Windows never replaces a folder that contains
/// files.
pub fn rename_to_nothing(from: &Path, to: &Path) -> io::Result<()> {
    match fs::symlink_metadata(to) {
        Err(error) if error.kind() == ErrorKind::NotFound => fs::rename(from, to),
        Err(error) => Err(error),
        Ok(_) => Err(ErrorKind::AlreadyExists.into()),
    }
}

/// Writes a file to disk. Folders need no request, because NTFS records changes of folders in its
/// journal.
pub fn sync(path: &Path) -> io::Result<()> {
    match fs::metadata(path)?.is_dir() {
        true => Ok(()),
        false => OpenOptions::new().write(true).open(path)?.sync_all(),
    }
}
