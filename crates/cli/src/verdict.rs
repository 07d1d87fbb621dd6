//! The result of a command, which determines the exit status.

/// The result of a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// The command is done, or the claim holds.
    Done,
    /// The policy is not satisfied or cannot be satisfied, or a claim does not hold.
    NotMet,
}
