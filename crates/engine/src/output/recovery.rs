//! Results of recovering an unfinished release.

use std::path::Path;

/// Result of [`recover`](super::recover).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Recovery {
    /// No recovery was necessary.
    Nothing,
    /// The files of an incomplete release were removed.
    Removed,
    /// A complete release was moved into place.
    Completed,
}

impl Recovery {
    /// Describes the recovery for the user of the next run; returns `None` if no recovery was
    /// necessary.
    pub fn text(self, dir: &Path) -> Option<String> {
        let dir = dir.display();
        match self {
            Self::Nothing => None,
            Self::Removed => Some(format!(
                "an earlier run was interrupted before its release at '{dir}' was complete; its \
                 files were removed"
            )),
            Self::Completed => Some(format!(
                "an earlier run was interrupted while moving the release '{dir}' into place; the \
                 release is now complete"
            )),
        }
    }
}
