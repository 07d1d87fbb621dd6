//! The content of the private directory of a release.

use serde::Serialize;

/// Content of the private directory that the release directory does not contain.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum PrivateContent {
    /// The data holder's report.
    Report,
    /// The policy with the input path, the seed, and complete hierarchies.
    Policy,
    /// The digest of the original table.
    Digest,
    /// The seed, which the operating system provided.
    Seed,
    /// The class of each combination of original values, and of each row of a table in a file.
    Mapping,
    /// The list of counterfeit rows.
    Counterfeits,
    /// The population table with released labels.
    Population,
}
