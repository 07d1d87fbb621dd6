//! The status of registered features.

/// Whether a principle, method, loss, or attack is stable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    /// Its definition is settled, and its results agree with independent ones.
    Stable,
    /// Its behavior may change in later versions.
    Experimental {
        /// The reason, in one sentence.
        reason: &'static str,
    },
}

impl Status {
    /// The reason, for experimental features.
    pub fn reason(self) -> Option<&'static str> {
        match self {
            Status::Stable => None,
            Status::Experimental { reason } => Some(reason),
        }
    }
}
