//! What became of a release that was not finished.

use std::path::Path;

/// What [`recover`](super::recover) did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Recovery {
    /// There was nothing to do.
    Nothing,
    /// Leftovers of a release that was never complete were removed.
    Removed,
    /// A complete release was put in place.
    Completed,
}

impl Recovery {
    /// What was done, in words for whoever started the next run; nothing if there was nothing to do.
    pub fn text(self, dir: &Path) -> Option<String> {
        let dir = dir.display();
        match self {
            Self::Nothing => None,
            Self::Removed => Some(format!(
                "an earlier run was stopped before it put a release at '{dir}' in place; what it left was removed"
            )),
            Self::Completed => Some(format!(
                "an earlier run was stopped while it put the release '{dir}' in place; that release is now complete"
            )),
        }
    }
}
