//! The journal of a commit lists the folders to move. The journal is written before the first move,
//! which makes recovery from a crash possible.

use std::fs;
use std::io;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use indistinct_diagnostics::platform::{self, rename_to_nothing};
use serde::{Deserialize, Serialize};

use super::output_error::{OutputError, Recovery};
use super::target::{Replace, Target};
use super::write_private_file;
use crate::EngineError;

const JOURNAL: &str = "journal.json";
/// The private folder in its staging folder.
const PRIVATE: &str = "private";
const UNFINISHED: &str = "journal.unfinished";

/// Identity of a folder, which does not change when the folder is moved on its disk. The number of
/// the device is not a part of it, because it can change when the computer restarts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
struct Identity {
    inode: u128,
}

impl Identity {
    fn from_path(path: &Path) -> io::Result<Self> {
        platform::identity_of(path).map(|inode| Self { inode })
    }

    fn is_at(self, path: &Path) -> bool {
        Self::from_path(path).is_ok_and(|there| there == self)
    }
}

/// The two folders of a release, and the folders that they replace. A commit moves no other
/// folders.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Journal {
    /// The private folder, unless it is omitted.
    private: Option<Identity>,
    public: Identity,
    old_private: Option<Identity>,
    old_public: Option<Identity>,
}

/// Whether the old and the new folder may be exchanged atomically.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Exchange {
    /// The folders are exchanged if the operating system supports this. Otherwise, the old folder
    /// is moved aside first.
    WherePossible,
    /// The old folder is always moved aside first, even if the operating system supports an
    /// exchange.
    #[cfg(test)]
    Never,
}

/// A step of a commit. Each variant names the last completed step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Step {
    /// All files are synced to disk.
    Settled,
    /// The journal is synced to disk, so recovery from a crash after this step results in the
    /// new release.
    Journaled,
    /// The old private directory has been moved aside. This step is skipped if the old and new
    /// folders are exchanged atomically.
    PrivateAside,
    /// The private directory is in place.
    PrivateInPlace,
    /// The old release has been moved aside. This step is skipped if the old and new folders are
    /// exchanged atomically.
    ReleaseAside,
    /// The release is in place.
    ReleaseInPlace,
}

/// The move of either folder.
struct Move {
    identity: Identity,
    replaces: Option<Identity>,
    from: PathBuf,
    to: PathBuf,
    /// Location to which the old folder is moved if folders cannot be exchanged.
    aside: PathBuf,
    moved_aside: Step,
    in_place: Step,
}

impl Journal {
    /// Records the folders `public` and `private` of a staging folder, and the folders that they
    /// replace.
    ///
    /// If replacing is forbidden, folders that have appeared in the meantime are not recorded, and
    /// the commit fails.
    pub(super) fn write(
        folder: &Path,
        target: &Target,
        replace: Replace,
    ) -> Result<Self, EngineError> {
        let fail = |source| EngineError::write(folder, source);
        let old = |path: &Path| match replace {
            Replace::Forbid => None,
            Replace::Force => Identity::from_path(path).ok(),
        };
        let journal = Self {
            private: staged_private(folder, target)
                .map(|path| {
                    Identity::from_path(&path).map_err(|source| EngineError::write(&path, source))
                })
                .transpose()?,
            public: Identity::from_path(&folder.join("public")).map_err(fail)?,
            old_private: target.private.as_deref().and_then(old),
            old_public: old(&target.release),
        };
        let text = serde_json::to_vec(&journal).map_err(|error| fail(error.into()))?;
        sync_folder(folder)?;
        if let Some(staging) = target.private_staging(folder) {
            sync_folder(&staging)?;
            sync_folder(parent(&staging))?;
        }
        write_private_file(&folder.join(UNFINISHED), &text)?;
        fs::rename(folder.join(UNFINISHED), folder.join(JOURNAL)).map_err(fail)?;
        sync_folder(folder)?;
        Ok(journal)
    }

    /// Reads the journal of a staging folder, if it was written.
    pub(super) fn read(folder: &Path) -> Result<Option<Self>, EngineError> {
        let path = folder.join(JOURNAL);
        match fs::read(&path) {
            Ok(text) => serde_json::from_slice(&text)
                .map(Some)
                .map_err(|error| EngineError::write(&path, error.into())),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(source) => Err(EngineError::write(&path, source)),
        }
    }

    /// Returns whether a folder has not been moved into place yet.
    pub(super) fn is_pending(&self, folder: &Path, target: &Target) -> bool {
        self.moves(folder, target).iter().any(|step| step.identity.is_at(&step.from))
    }

    /// Returns whether all folders are in place.
    pub(super) fn is_done(&self, folder: &Path, target: &Target) -> bool {
        self.moves(folder, target).iter().all(|step| step.identity.is_at(&step.to))
    }

    fn moves(&self, folder: &Path, target: &Target) -> Vec<Move> {
        let private = self.private.zip(target.private.clone()).zip(target.private_staging(folder));
        let private = private.map(|((identity, to), staging)| Move {
            identity,
            replaces: self.old_private,
            from: staging.join(PRIVATE),
            to,
            aside: staging.join("old-private"),
            moved_aside: Step::PrivateAside,
            in_place: Step::PrivateInPlace,
        });
        let release = Move {
            identity: self.public,
            replaces: self.old_public,
            from: folder.join("public"),
            to: target.release.clone(),
            aside: folder.join("old-public"),
            moved_aside: Step::ReleaseAside,
            in_place: Step::ReleaseInPlace,
        };
        private.into_iter().chain([release]).collect()
    }

    /// Completes the remaining moves. The function can be repeated after an interruption at any
    /// step.
    pub(super) fn roll_forward(
        &self,
        folder: &Path,
        target: &Target,
        exchange: Exchange,
        at: &mut dyn FnMut(Step) -> ControlFlow<()>,
    ) -> Result<ControlFlow<()>, EngineError> {
        for step in self.moves(folder, target) {
            let fail = |source| EngineError::write(&step.to, source);
            if !step.identity.is_at(&step.from) {
                continue; // the folder is already in place
            }
            if fs::symlink_metadata(&step.to).is_err() {
                rename_to_nothing(&step.from, &step.to).map_err(fail)?;
            } else if !step.replaces.is_some_and(|old| old.is_at(&step.to)) {
                let (path, recovered) = (step.to, Recovery::Nothing);
                return Err(OutputError::Exists { path, recovered }.into());
            } else if !exchanged(&step.from, &step.to, exchange).map_err(fail)? {
                fs::rename(&step.to, &step.aside).map_err(fail)?;
                if at(step.moved_aside).is_break() {
                    return Ok(ControlFlow::Break(()));
                }
                rename_to_nothing(&step.from, &step.to).map_err(fail)?;
            }
            sync_folder(parent(&step.to))?;
            if at(step.in_place).is_break() {
                return Ok(ControlFlow::Break(()));
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    /// Reverts a commit that failed halfway. Returns whether the previous state was restored. If
    /// the previous state was not restored, the next run must call [`Journal::roll_forward`] again.
    pub(super) fn roll_back(&self, folder: &Path, target: &Target) -> bool {
        let moves = self.moves(folder, target);
        for step in moves.iter().rev() {
            if step.identity.is_at(&step.to) {
                if step.from.exists() {
                    if !matches!(exchanged(&step.from, &step.to, Exchange::WherePossible), Ok(true))
                    {
                        return false;
                    }
                } else if fs::rename(&step.to, &step.from).is_err() {
                    return false;
                }
            }
            if step.aside.exists() && rename_to_nothing(&step.aside, &step.to).is_err() {
                return false;
            }
        }
        moves.iter().all(|step| sync_folder(parent(&step.to)).is_ok())
            && fs::remove_file(folder.join(JOURNAL)).is_ok()
    }
}

/// Returns the path of the private folder before it is moved into place.
pub(super) fn staged_private(folder: &Path, target: &Target) -> Option<PathBuf> {
    Some(target.private_staging(folder)?.join(PRIVATE))
}

/// Returns the folder that contains a release or a private folder.
fn parent(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    }
}

/// Exchanges two folders atomically, or returns false if the operating system does not support
/// this.
fn exchanged(one: &Path, other: &Path, exchange: Exchange) -> io::Result<bool> {
    match exchange {
        #[cfg(test)]
        Exchange::Never => Ok(false),
        Exchange::WherePossible => platform::exchange(one, other),
    }
}

fn sync_folder(folder: &Path) -> Result<(), EngineError> {
    platform::sync(folder).map_err(|source| EngineError::write(folder, source))
}
