//! What a command found, which becomes the exit status.

/// What a command found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// Done, or the claim holds.
    Done,
    /// The policy is not met, cannot be met, or a claim does not hold.
    NotMet,
}
