//! The steps of writing a release to a database. Callers can observe these steps.

use std::sync::Arc;

/// A step of writing a release to a database. Each variant names the last completed step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// The connection for writing is open.
    Connected,
    /// The target is locked for this run and can be written.
    Claimed,
    /// Temporary tables contain the data for the released rows.
    Sent,
    /// The staging table contains the released rows.
    Staged,
    /// The staged rows equal the certified rows.
    Judged,
    /// The previous release has been removed within the transaction.
    Cleared,
    /// The staging table has been renamed to the target.
    Renamed,
    /// The certificate has been written next to the target.
    Attested,
    /// The release is visible to all users.
    Committed,
}

impl Step {
    /// All steps in order.
    pub const ALL: [Self; 9] = [
        Self::Connected,
        Self::Claimed,
        Self::Sent,
        Self::Staged,
        Self::Judged,
        Self::Cleared,
        Self::Renamed,
        Self::Attested,
        Self::Committed,
    ];
}

/// A callback for completed steps.
#[derive(Clone)]
pub(crate) struct Waypoint(Arc<dyn Fn(Step) + Send + Sync>);

impl Waypoint {
    pub(crate) fn new(hears: impl Fn(Step) + Send + Sync + 'static) -> Self {
        Self(Arc::new(hears))
    }

    pub(crate) fn pass(&self, step: Step) {
        (self.0)(step);
    }
}

impl std::fmt::Debug for Waypoint {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Waypoint")
    }
}
