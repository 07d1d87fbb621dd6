//! Where a released table goes: who may write it, what may be replaced, and the rename that puts it in place.

use std::fs::{self, File, TryLockError};
use std::io::{self, ErrorKind, Write};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use indistinct_sql::CERTIFICATE;
use indistinct_engine::output::{OutputError, Replace};
use indistinct_engine::{EngineError, TableError};
use rustix::fs::{CWD, RenameFlags, renameat_with};
use tempfile::TempDir;

use crate::place::ClusterLocation;

/// The folder within a released one that has its certificate. Whatever reads folders of Parquet files leaves such names out.
pub(crate) const FILES: &str = "_certificate";

/// In a staging folder, what is made.
const NEW: &str = "new";
/// In a staging folder, what was replaced, until it is removed.
const OLD: &str = "old";
/// In a staging folder, what the executors get.
const MAPS: &str = "maps";

/// A released table that this process alone writes. Dropped without [`Target::publish`] it leaves nothing behind.
#[derive(Debug)]
pub(crate) struct Target {
    /// As the policy names it.
    pub(crate) name: String,
    folder: PathBuf,
    staging: TempDir,
    _lock: Lock,
}

impl Target {
    /// Takes the target, cleans up what a killed run left, and checks that what is there may be replaced.
    pub(crate) fn claim(place: &ClusterLocation, name: &str, replace: Replace) -> Result<Self, EngineError> {
        let folder = place.table(name)?;
        let malformed = || TableError::Name { name: name.to_owned() };
        let parent = folder.parent().ok_or_else(malformed)?.to_owned();
        let last = folder.file_name().and_then(|it| it.to_str()).ok_or_else(malformed)?.to_owned();
        // Such names are left out by what reads folders, and a pattern would be read as one.
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

    /// The file for the released rows. Its name is that of no other release: what somebody remembers of that one is not of this.
    pub(crate) fn rows(&self) -> PathBuf {
        let staging = self.staging.path();
        let random = staging.to_str().and_then(|path| path.rsplit('-').next()).unwrap_or_default();
        staging.join(NEW).join(format!("rows-{random}.parquet"))
    }

    /// The folder for maps.
    pub(crate) fn maps(&self) -> PathBuf {
        self.staging.path().join(MAPS)
    }

    /// Puts the rows in place, with their certificate.
    pub(crate) fn publish(self, files: &[(String, String)]) -> Result<(), EngineError> {
        let fail = |source| EngineError::Read { path: self.folder.clone(), source };
        let new = self.staging.path().join(NEW);
        let rows = self.rows();
        // What a task left that was given to somebody else.
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
            // Not every file system exchanges two folders. In between there is none, and the next run puts the old one back.
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

/// Writes a file and the folders that it is in.
fn write(path: &Path, text: &str) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    let mut file = File::create_new(path)?;
    file.write_all(text.as_bytes())?;
    file.sync_all()
}

/// Puts back what a killed run had taken away, and removes what it left.
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

/// A lock on a name, held by a file beside it.
#[derive(Debug)]
struct Lock {
    path: PathBuf,
    _held: File,
}

impl Lock {
    /// Takes it; `None` if somebody else has it.
    fn take(path: PathBuf) -> io::Result<Option<Self>> {
        loop {
            let file = File::options().create(true).truncate(false).write(true).open(&path)?;
            match file.try_lock() {
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => return Ok(None),
                Err(TryLockError::Error(error)) => return Err(error),
            }
            // Whoever had it may have removed it in between.
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
    fn a_release_is_there_at_once_or_not_at_all() {
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
    fn only_a_release_is_replaced_and_a_killed_run_is_cleaned_up() {
        let folder = tempfile::tempdir().expect("a folder");
        let place = place(folder.path());
        let claim = |name: &str, replace| Target::claim(&place, name, replace);
        fs::create_dir(folder.path().join("other")).expect("made");
        assert_eq!(code(claim("other", Replace::Force)), "E-DATABASE-014");
        for wrong in ["_hidden", ".hidden", "a*", "../a"] {
            assert_eq!(code(claim(wrong, Replace::Force)), "E-DATABASE-007", "{wrong}");
        }
        // Killed between two renames, on a file system that cannot exchange folders.
        let left = folder.path().join(".released.indistinct-staging-abc");
        fs::create_dir_all(left.join(OLD).join(FILES)).expect("made");
        fs::create_dir_all(left.join(NEW)).expect("made");
        fs::write(left.join(OLD).join(FILES).join(CERTIFICATE), "old").expect("written");
        assert_eq!(code(claim("released", Replace::Forbid)), "E-DATABASE-013");
        assert!(!left.exists());
        assert!(folder.path().join("released").join(FILES).join(CERTIFICATE).is_file());
    }
}
