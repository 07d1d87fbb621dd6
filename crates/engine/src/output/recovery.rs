//! Results of recovering an unfinished release.

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
