//! The destination of a released table: exclusive access, permission to replace, and the final
//! rename.

use std::fs::{self, File, TryLockError};
use std::io::{self, ErrorKind, Write};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use indistinct_engine::output::{OutputError, Replace};
use indistinct_engine::{EngineError, TableError};
use indistinct_sql::CERTIFICATE;
use rustix::fs::{CWD, RenameFlags, renameat_with};
use tempfile::TempDir;

use crate::place::ClusterLocation;

/// The folder of the certificate within a released table. Readers of Parquet folders ignore names
/// with a leading underscore.
pub(crate) const FILES: &str = "_certificate";

/// The subfolder of a staging folder for new files.
const NEW: &str = "new";
/// The subfolder of a staging folder for the replaced table until its removal.
const OLD: &str = "old";
/// The subfolder of a staging folder for files that executors read.
const MAPS: &str = "maps";

/// A released table with exclusive write access for this process. Without a call of
/// [`Target::publish`], dropping the target removes all its files.
#[derive(Debug)]
pub(crate) struct Target {
    /// The table name in the policy.
    pub(crate) name: String,
    folder: PathBuf,
    staging: TempDir,
    _lock: Lock,
}

impl Target {
    /// Claims the target, removes the files of killed runs, and checks whether an existing table
    /// may be replaced.
    pub(crate) fn claim(
        place: &ClusterLocation,
        name: &str,
        replace: Replace,
    ) -> Result<Self, EngineError> {
        let folder = place.table(name)?;
        let malformed = || TableError::Name { name: name.to_owned() };
        let parent = folder.parent().ok_or_else(malformed)?.to_owned();
        let last = folder.file_name().and_then(|it| it.to_str()).ok_or_else(malformed)?.to_owned();
        // Readers ignore names that start with a period or underscore, and expand wildcards.
        if last.starts_with(['.', '_']) || last.contains(['*', '?', '[']) {
            return Err(malformed().into());
        }
        if !parent.is_dir() {
            return Err(OutputError::NoParent { path: parent }.into());
        }
        let fail = |source| EngineError::Read { path: parent.clone(), source };
        let busy = || TableError::Busy { table: name.to_owned() };
        let lock = Lock::take(parent.join(format!(".{last}.indistinct-lock"))).map_err(fail)?;
        let lock = lock.ok_or_else(busy)?;
        let prefix = format!(".{last}.indistinct-staging-");
        recover(&parent, &prefix, &folder).map_err(fail)?;
        match fs::symlink_metadata(&folder) {
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            Err(error) => return Err(fail(error)),
            Ok(_) if replace == Replace::Forbid => {
                return Err(TableError::Exists { table: name.to_owned() }.into());
            }
            Ok(_) if folder.join(FILES).join(CERTIFICATE).is_file() => {}
            Ok(_) => return Err(TableError::NotARelease { table: name.to_owned() }.into()),
        }
        let staging = tempfile::Builder::new().prefix(&prefix).tempdir_in(&parent).map_err(fail)?;
        for part in [NEW, MAPS] {
            fs::create_dir(staging.path().join(part)).map_err(fail)?;
        }
        Ok(Self { name: name.to_owned(), folder, staging, _lock: lock })
    }

    /// Returns the file for the released rows. Its name is unique, because readers may cache files
    /// of earlier releases.
    pub(crate) fn rows(&self) -> PathBuf {
        let staging = self.staging.path();
        let random = staging.to_str().and_then(|path| path.rsplit('-').next()).unwrap_or_default();
        staging.join(NEW).join(format!("rows-{random}.parquet"))
    }

    /// Returns the folder for maps.
    pub(crate) fn maps(&self) -> PathBuf {
        self.staging.path().join(MAPS)
    }

    /// Publishes the rows together with their certificate.
    pub(crate) fn publish(self, files: &[(String, String)]) -> Result<(), EngineError> {
        let fail = |source| EngineError::Read { path: self.folder.clone(), source };
        let new = self.staging.path().join(NEW);
        let rows = self.rows();
        // Remove the files of tasks that were reassigned to another executor.
        for entry in fs::read_dir(&new).map_err(fail)? {
            let path = entry.map_err(fail)?.path();
            if path != rows {
                fs::remove_file(&path).map_err(fail)?;
            }
        }
        for (name, text) in files {
            let path = new.join(FILES).join(name);
            write(&path, text).map_err(fail)?;
        }
        let done = File::open(&rows).and_then(|rows| rows.sync_all());
        done.and_then(|()| self.place(&new)).map_err(fail)
    }

    fn place(&self, new: &Path) -> io::Result<()> {
        if !self.folder.exists() {
            fs::rename(new, &self.folder)?;
        } else if renameat_with(CWD, new, CWD, &self.folder, RenameFlags::EXCHANGE).is_err() {
            // Some file systems cannot exchange two folders atomically. If the process stops
            // between the two renames, the next run restores the old folder.
            let old = self.staging.path().join(OLD);
            fs::rename(&self.folder, &old)?;
            if let Err(error) = fs::rename(new, &self.folder) {
                let _ = fs::rename(&old, &self.folder);
                return Err(error);
            }
        }
        let parent = self.folder.parent().unwrap_or(Path::new("/"));
        File::open(parent)?.sync_all()
    }
}

/// Writes a file, and creates its parent folders.
fn write(path: &Path, text: &str) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    let mut file = File::create_new(path)?;
    file.write_all(text.as_bytes())?;
    file.sync_all()
}

/// Restores a table that an aborted run had moved, and removes the files of the aborted run.
fn recover(parent: &Path, prefix: &str, folder: &Path) -> io::Result<()> {
    for entry in fs::read_dir(parent)? {
        let entry = entry?;
        let is_left = entry.file_name().to_str().is_some_and(|name| name.starts_with(prefix));
        if !is_left || !entry.file_type()?.is_dir() {
            continue;
        }
        let old = entry.path().join(OLD);
        if old.is_dir() && !folder.exists() {
            fs::rename(&old, folder)?;
        }
        fs::remove_dir_all(entry.path())?;
    }
    Ok(())
}

/// A lock on a name, which is represented by a lock file in the same folder.
#[derive(Debug)]
struct Lock {
    path: PathBuf,
    _held: File,
}

impl Lock {
    /// Acquires the lock. Returns `None` if another process holds the lock.
    fn take(path: PathBuf) -> io::Result<Option<Self>> {
        loop {
            let file = File::options().create(true).truncate(false).write(true).open(&path)?;
            match file.try_lock() {
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => return Ok(None),
                Err(TryLockError::Error(error)) => return Err(error),
            }
            // The previous owner may have removed the file after this process opened it.
            let is_there = fs::metadata(&path).is_ok_and(|there| {
                file.metadata()
                    .is_ok_and(|own| own.ino() == there.ino() && own.dev() == there.dev())
            });
            if is_there {
                return Ok(Some(Self { path, _held: file }));
            }
        }
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.path);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(folder: &Path) -> ClusterLocation {
        let address = format!("ballista://host{}", folder.display());
        ClusterLocation::parse(Path::new(&address)).expect("an address").expect("of a cluster")
    }

    fn code<T>(result: Result<T, EngineError>) -> &'static str {
        use indistinct_diagnostics::Coded;
        result.err().map_or("no error", |error| error.code())
    }

    fn certificate(text: &str) -> Vec<(String, String)> {
        vec![(CERTIFICATE.to_owned(), text.to_owned())]
    }

    #[test]
    fn release_is_published_atomically() {
        let folder = tempfile::tempdir().expect("a folder");
        let place = place(folder.path());
        let claim = |replace| Target::claim(&place, "released", replace);
        let names = || {
            let all = fs::read_dir(folder.path()).expect("a folder");
            let mut all: Vec<String> = all
                .map(|entry| entry.expect("an entry").file_name().into_string().expect("a name"))
                .collect();
            all.sort();
            all
        };
        let first = claim(Replace::Forbid).expect("free");
        assert_eq!(code(claim(Replace::Forbid)), "E-DATABASE-015");
        drop(first);
        assert!(names().is_empty(), "{:?}", names());

        let first = claim(Replace::Forbid).expect("free");
        fs::write(first.rows(), "one").expect("written");
        fs::write(first.rows().with_extension("parquet#1"), "half").expect("written");
        first.publish(&certificate("first")).expect("published");
        assert_eq!(names(), ["released"]);
        let inside = |name: &str| fs::read_to_string(folder.path().join("released").join(name));
        assert_eq!(inside("_certificate/certificate.json").expect("there"), "first");
        assert_eq!(fs::read_dir(folder.path().join("released")).expect("a folder").count(), 2);

        assert_eq!(code(claim(Replace::Forbid)), "E-DATABASE-013");
        let second = claim(Replace::Force).expect("replaced");
        fs::write(second.rows(), "two").expect("written");
        second.publish(&certificate("second")).expect("published");
        assert_eq!(inside("_certificate/certificate.json").expect("there"), "second");
        assert_eq!(names(), ["released"]);
    }

    #[test]
    fn only_releases_are_replaced_and_killed_runs_cleaned() {
        let folder = tempfile::tempdir().expect("a folder");
        let place = place(folder.path());
        let claim = |name: &str, replace| Target::claim(&place, name, replace);
        fs::create_dir(folder.path().join("other")).expect("made");
        assert_eq!(code(claim("other", Replace::Force)), "E-DATABASE-014");
        for wrong in ["_hidden", ".hidden", "a*", "../a"] {
            assert_eq!(code(claim(wrong, Replace::Force)), "E-DATABASE-007", "{wrong}");
        }
        // The process was killed between the two renames on a file system without atomic exchange.
        let left = folder.path().join(".released.indistinct-staging-abc");
        fs::create_dir_all(left.join(OLD).join(FILES)).expect("made");
        fs::create_dir_all(left.join(NEW)).expect("made");
        fs::write(left.join(OLD).join(FILES).join(CERTIFICATE), "old").expect("written");
        assert_eq!(code(claim("released", Replace::Forbid)), "E-DATABASE-013");
        assert!(!left.exists());
        assert!(folder.path().join("released").join(FILES).join(CERTIFICATE).is_file());
    }
}
