//! What a policy is read for.

use indistinct_core::Format;

/// What a policy is read for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// To make a release of its input: `input.path` must be there.
    Anonymize,
    /// To look at a table named elsewhere: `input.path` may be left out.
    Check,
    /// To make a release of a table that is given beside the policy, of this format where that is known: `input.path` is not
    /// looked at.
    Given(Option<Format>),
    /// To verify a release: the effective policy of a release directory, which says nothing of the input.
    Released,
}
