//! The purposes of reading a policy.

use indistinct_core::Format;

/// The purpose of reading a policy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// To create a release of the input: `input.path` is required.
    Anonymize,
    /// To check a table that is specified elsewhere: `input.path` may be omitted.
    Check,
    /// To create a release of a table that is passed separately, with its format if known:
    /// `input.path` is ignored.
    Given(Option<Format>),
    /// To verify a release: reads the effective policy of a release directory, which does not
    /// describe the input.
    Released,
}
