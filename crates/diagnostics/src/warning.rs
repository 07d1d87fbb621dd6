//! Warnings for the data holder about a policy, a table, a release, or a ledger.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

/// A fact that a data holder should consider before publishing a release.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(tag = "warning", rename_all = "kebab-case")]
pub enum Warning {
    /// A parameter of a principle contains values that do not occur in the table.
    UnknownValues {
        /// The parameter.
        parameter: String,
        /// The sensitive attribute.
        attribute: String,
        /// The number of such values.
        n_values: u64,
        /// Each value, paired with the most similar value in the table; `None` if values are
        /// hidden.
        #[serde(skip_serializing_if = "Option::is_none")]
        values: Option<Vec<(String, Option<String>)>>,
    },
    /// No principle covers a sensitive attribute.
    UncoveredAttribute {
        /// The sensitive attribute.
        attribute: String,
    },
    /// A column contains several spellings of equal numbers, which the release unifies.
    UnifiedNumbers {
        /// The column.
        column: String,
        /// The number of distinct values that are lost by unifying spellings.
        n_values: u64,
    },
    /// Identifiers of people are spelling variants of other identifiers and are counted as the same
    /// person, as the policy states.
    UnifiedPeople {
        /// The column.
        column: String,
        /// The number of distinct values that are lost by unifying spellings.
        n_values: u64,
    },
    /// Identifiers of people are spelling variants of other identifiers and are counted as
    /// different people, as the policy states.
    SimilarPeople {
        /// The column.
        column: String,
        /// The number of distinct values with another spelling.
        n_values: u64,
    },
    /// A column contains several spellings of the same value, which the release unifies.
    UnifiedTexts {
        /// The column.
        column: String,
        /// The number of distinct values that are lost by unifying spellings.
        n_values: u64,
    },
    /// A spreadsheet may execute values of a column as formulas.
    Formulas {
        /// The column.
        column: String,
        /// The number of distinct values.
        n_values: u64,
    },
    /// The first rows look like a part of the header, such as units.
    SecondHeader {
        /// The number of such rows.
        n_rows: u64,
        /// The number of columns that contain text in these rows, but numbers in the rows below.
        n_columns: u64,
    },
    /// A reader may confuse similar values of a sensitive attribute.
    SimilarValues {
        /// The sensitive attribute.
        attribute: String,
        /// The number of distinct values that resemble another value.
        n_values: u64,
    },
    /// Values of an insensitive attribute single out rows.
    UniqueValues {
        /// The column.
        column: String,
        /// The number of rows.
        n_rows: u64,
    },
    /// Combinations of values of the insensitive attributes single out rows.
    UniqueCombinations {
        /// The columns.
        columns: Vec<String>,
        /// The number of rows that are singled out.
        n_unique: u64,
        /// The number of rows of the table.
        n_rows: u64,
    },
    /// Values of an identifier are repeated, although the policy has no `[people]` section.
    RepeatedIdentifier(RepeatedIdentifier),
    /// The narrowest labels of small classes, or ranges and sets of original values, reveal finer
    /// values than the labels show.
    RevealingLabels(RevealingLabels),
    /// The release does not claim to satisfy any principle.
    NoPrincipleClaimed,
    /// All released sensitive values are noise.
    OnlyNoise,
    /// The risk from an adversary who uses the released sensitive value exceeds the limit.
    RiskGivenValue {
        /// The risk.
        risk: f64,
        /// The limit of the principle.
        limit: f64,
    },
    /// The release contains counterfeit rows.
    Counterfeits {
        /// The number of counterfeit rows.
        n_counterfeits: u64,
        /// The number of released rows.
        n_released: u64,
    },
    /// The release is empty.
    EmptyRelease,
    /// The plan of the release was created from the same table.
    PlanOfThisTable,
    /// A plan publishes values that were counted.
    PlanPublishesCounts {
        /// Whether the plan contains the counted combinations or all combinations of counted
        /// values.
        all_combinations: bool,
    },
    /// The plan has classes only for combinations of quasi-identifiers that were counted.
    OnlyCountedCombinations,
    /// The distribution in a plan was estimated from counts, without a margin of error.
    EstimatedDistribution,
    /// The plan assumes that sensitive values do not depend on quasi-identifiers.
    IndependenceAssumed,
    /// A recoding with a lower loss was rejected because of earlier releases.
    CoarsenedForLinkage {
        /// The objective.
        objective: String,
        /// The objective value of the best recoding found without linkage, if any.
        without_linkage: Option<f64>,
        /// The objective value of the chosen recoding.
        with_linkage: Option<f64>,
        /// The number of recodings that were tried.
        n_tried: u64,
    },
    /// A release that an interrupted run left unfinished was repaired.
    Repaired(RepairedRelease),
    /// An earlier run was interrupted before its release was complete; its files were removed.
    RemovedIncomplete {
        /// The directory of the release.
        directory: PathBuf,
    },
    /// An earlier run was interrupted while it moved a release into place. The release is now
    /// complete.
    CompletedMove {
        /// The directory of the release.
        directory: PathBuf,
    },
    /// Other users could read or write the ledger; access is now restricted.
    LedgerRestricted {
        /// The ledger.
        ledger: PathBuf,
    },
    /// Other users can read or write the ledger.
    LedgerAccessible {
        /// The ledger.
        ledger: PathBuf,
    },
    /// A recorded release cannot be marked as published.
    NotMarkedPublished {
        /// The error.
        error: String,
    },
    /// The rows are correct but not yet published; the data holder must run a script to publish
    /// them.
    RowsNotPublished {
        /// The script.
        script: String,
        /// The table of the staged rows.
        table: String,
    },
}

/// An identifier with repeated values, which may identify people with several rows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct RepeatedIdentifier {
    /// The column.
    pub column: String,
    /// The maximum number of rows that share a value.
    pub most_rows: u64,
    /// The smallest number of distinct values in a class, if known.
    pub fewest_in_class: Option<u64>,
}

/// Settings with which the choice of labels reveals finer values.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct RevealingLabels {
    /// Whether the principles permit classes of two rows.
    pub permits_pairs: bool,
    /// Whether the released values are ranges and sets of original values.
    pub releases_bounds: bool,
    /// The statements about this release that are certain; `None` if there is no release.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub certain: Option<CertainRefinements>,
}

impl RevealingLabels {
    /// Adds what is certain about a release to the warning about its labels, if any.
    pub fn complete(
        warnings: &mut [Warning],
        certain: impl FnOnce() -> Option<CertainRefinements>,
    ) {
        let labels = warnings.iter_mut().find_map(|warning| match warning {
            Warning::RevealingLabels(labels) => Some(labels),
            _ => None,
        });
        if let Some(labels) = labels {
            labels.certain = certain();
        }
    }
}

/// What an adversary who knows the method can deduce with certainty from the choice of labels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct CertainRefinements {
    /// Number of released cells of quasi-identifiers whose label covers at least two original
    /// values.
    pub n_generalized: u64,
    /// Number of these cells in classes for which only one multiset of original values is possible.
    pub n_determined: u64,
    /// Number of combinations of a class and one finer value that describe exactly one person.
    pub n_predicates: u64,
    /// Number of rows in classes with such a combination.
    pub n_rows: u64,
}

/// A release that was pending in a ledger.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct RepairedRelease {
    /// The name of the release.
    pub name: String,
    /// The outcome of the repair.
    pub healing: Repair,
}

/// The outcome of repairing a pending release.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Repair {
    /// The release is in place and is now marked as published.
    Published,
    /// The release was never moved into place. Its record and its staged files were removed.
    Forgotten,
    /// The release is not in place and may have been moved, so it counts as published.
    Unknown,
    /// Another process is working on the release.
    InUse,
}
