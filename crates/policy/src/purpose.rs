//! What a policy is read for.

/// What a policy is read for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// To make a release of its input: `input.path` must be there.
    Anonymize,
    /// To look at a table named elsewhere: `input.path` may be left out.
    Check,
    /// To verify a release: the effective policy of a release directory, which says nothing of the input.
    Released,
}
