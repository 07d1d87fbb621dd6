//! The answer of `profile`, and the risk of tables that are samples.

use std::collections::BTreeMap;

use indistinct_core::Role;
use indistinct_core::risk::Risk;
use indistinct_diagnostics::warning::Warning;
use indistinct_measure::population::sampled::SampleRisk;
use indistinct_profiling::checklist::ChecklistItem;
use indistinct_profiling::{Finding, LookAlikes};
use serde::Serialize;

/// The answer of `profile`.
#[derive(Debug, Clone, Serialize, schemars::JsonSchema)]
pub struct ProfileAnswer {
    /// Number of rows in the table.
    pub n_rows: u64,
    /// The columns, in the order of the table.
    pub columns: Vec<ColumnFacts>,
    /// Whether the roles were derived from names and values instead of a policy.
    pub roles_are_proposed: bool,
    /// The columns that were not examined because their types are unsupported, each with its type.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub skipped: BTreeMap<String, String>,
    /// Warnings about how the table is read.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<Warning>,
    /// The columns that define the classes.
    pub quasi_identifiers: Vec<String>,
    /// Number of distinct combinations of quasi-identifier values.
    pub n_classes: u64,
    /// Number of rows with the rarest combination; `None` if the table is empty.
    pub smallest_class: Option<u64>,
    /// For each class size, the number of classes of this size.
    pub class_sizes: BTreeMap<u64, u64>,
    /// Re-identification risk with these quasi-identifiers.
    pub risk: Risk,
    /// The effective k if people are counted instead of rows; present if an identifier repeats in a
    /// way that indicates people with several rows.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub people: Option<PeopleFacts>,
    /// The risk under the assumption that the table is a sample, if requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub population: Option<PopulationRisk>,
    /// The identifiers that a regulation lists, if requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub checklist: Option<Vec<ChecklistItem>>,
}

/// Facts about a column.
#[derive(Debug, Clone, Serialize, schemars::JsonSchema)]
pub struct ColumnFacts {
    /// The name of the column.
    pub name: String,
    /// The role of the column.
    pub role: Role,
    /// Number of distinct values; missing values count as one value.
    pub n_distinct: u64,
    /// Number of values that occur once.
    pub n_unique: u64,
    /// Number of rows without a value.
    pub n_missing: u64,
    /// Kinds of values that the column seems to contain, in descending order of certainty.
    pub looks_like: Vec<Finding>,
    /// Values that are spelled similarly to other values.
    pub look_alikes: LookAlikes,
    /// Sentences with additional remarks; they contain none of the values.
    pub notes: Vec<String>,
}

/// The effective k if a column identifies the person or household of each row.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct PeopleFacts {
    /// The name of the column.
    pub column: String,
    /// The unit that the column identifies: `person` or `household`.
    pub unit: &'static str,
    /// Number of people or households.
    pub n_people: u64,
    /// The largest number of rows of one person or household.
    pub most_rows: u64,
    /// The smallest number of people or households in a class; `None` if the table is empty.
    pub k: Option<u64>,
}

/// The risk of a table that is a sample, or in which rows do not correspond to people.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct PopulationRisk {
    /// The estimated risk.
    #[serde(flatten)]
    pub sample: SampleRisk,
    /// Unique rows that are also unique in a subset of the quasi-identifiers.
    pub special_uniques: SpecialUniques,
    /// The risk of each row, if requested; not part of the JSON answer.
    #[serde(skip)]
    pub rows: Vec<RowRisk>,
}

/// The estimated risk of a table and of its release.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct SampleBeforeAfter {
    /// The estimate with the original quasi-identifiers.
    pub before: SampleRisk,
    /// The estimate with the released classes; `None` if the method does not form classes. If equal
    /// rows are in several classes, each row has the highest risk of any such class.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub after: Option<SampleRisk>,
}

/// Unique rows that are also unique in a subset of the quasi-identifiers.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct SpecialUniques {
    /// Number of rows that are unique in all quasi-identifiers.
    pub n_unique: u64,
    /// Number of unique rows that are also unique in fewer quasi-identifiers; a lower bound if not
    /// all subsets were examined.
    pub n_special: u64,
    /// The estimated probability that a match with a unique row is correct (DIS).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dis: Option<f64>,
    /// The highest DIS-SUDA score of a row; null if not all subsets were examined.
    pub highest_dis_suda: Option<f64>,
    /// The sampling fraction used for DIS and DIS-SUDA.
    pub sampling_fraction: f64,
    /// The contribution of each quasi-identifier to all scores, for the examined subsets.
    /// Contributions overlap.
    pub contributions: BTreeMap<String, f64>,
    /// The size of the largest examined subsets of quasi-identifiers. If the table has no more
    /// quasi-identifiers, all subsets were examined.
    pub depth: usize,
}

/// The risk of a row.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RowRisk {
    /// Number of rows in the row's class.
    pub class_rows: u64,
    /// The number of people in the population that the row's class represents, if known.
    pub class_people: Option<f64>,
    /// The probability of re-identification, based on weights or the sampling fraction if
    /// available, and otherwise 1 divided by the class size.
    pub risk: f64,
    /// The re-identification risk of the row's household.
    pub household_risk: Option<f64>,
    /// The SUDA score of the row, for the examined subsets of quasi-identifiers.
    pub suda: f64,
    /// The DIS-SUDA score of the row; `None` if not all subsets were examined.
    pub dis_suda: Option<f64>,
}
