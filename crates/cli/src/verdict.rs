//! The result of a command, which determines the exit status.

/// The result of a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// The command succeeded, and all claims hold.
    Done,
    /// The policy is violated or infeasible, or a claim does not hold.
    NotMet,
}
