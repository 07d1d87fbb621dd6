//! The status of registered features.

/// Whether a principle, method, loss, or attack is stable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    /// The definition is final, and the results agree with independent implementations.
    Stable,
    /// The behavior may change in later versions.
    Experimental {
        /// The reason, in one sentence.
        reason: &'static str,
    },
}

impl Status {
    /// Returns the reason, for experimental features.
    pub fn reason(self) -> Option<&'static str> {
        match self {
            Status::Stable => None,
            Status::Experimental { reason } => Some(reason),
        }
    }
}
