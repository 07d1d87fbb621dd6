//! The steps on which a release gets into a database, for whoever wants to hear of them.

use std::sync::Arc;

/// A step of putting a release into a database, named by what is done when it is heard of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// The connection that writes is open.
    Connected,
    /// The target is taken, and may be written.
    Claimed,
    /// What the released rows are made of is in temporary tables.
    Sent,
    /// The released rows are in the staging table.
    Staged,
    /// They are the certified ones.
    Judged,
    /// What they replace is gone, as far as this transaction sees.
    Cleared,
    /// The staging table has the name of the target.
    Renamed,
    /// The certificate lies beside it.
    Attested,
    /// Everybody sees it.
    Committed,
}

impl Step {
    /// All of them, in their order.
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

/// Hears of steps.
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
