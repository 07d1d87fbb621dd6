//! The input of the data holder's report.

use std::collections::BTreeMap;

use indistinct_answers::MethodWords;
use indistinct_answers::advice::TradeOff;
use indistinct_answers::report::{Contrast, Marginal};
use indistinct_core::recoding::AttributeExplanation;
use indistinct_core::{Claims, Optimality, SearchEffort, SuppressionRule};

/// The input of the data holder's report.
#[derive(Debug, Clone, Copy)]
pub struct PrivatePage<'a> {
    /// The title of the policy.
    pub title: Option<&'a str>,
    /// The table that was read.
    pub input: InputFacts<'a>,
    /// Columns of the table that are not in the release.
    pub dropped_columns: &'a [DroppedColumn<'a>],
    /// The claims of the original table.
    pub before: &'a Claims,
    /// The claims of the release.
    pub after: &'a Claims,
    /// Suppressed rows and cells.
    pub suppression: Suppression<'a>,
    /// The documentation of the method.
    pub words: MethodWords,
    /// The loss that the search minimized, by its name in the registry.
    pub objective: &'a str,
    /// Losses by their name in the registry.
    pub losses: &'a BTreeMap<&'static str, f64>,
    /// For each attribute its level and the effect of one level less.
    pub attributes: &'a [AttributeExplanation],
    /// The `loss` of each quasi-identifier alone, suppressed rows included.
    pub attribute_losses: &'a BTreeMap<String, f64>,
    /// The frequencies of values before and after, for each quasi-identifier and sensitive attribute.
    pub marginals: &'a [Marginal],
    /// The sensitive attributes in the classes; empty if sensitive values are perturbed.
    pub sensitive: &'a [Contrast],
    /// The trade-offs of the attributes for which the policy limits the distance of sensitive values.
    pub trade_offs: &'a [TradeOff],
    /// Estimates for the population, under a heading each; empty if the policy does not describe the population.
    pub population: &'a [(&'a str, Vec<String>)],
    /// What is known about better recodings.
    pub optimality: Optimality,
    /// The effort of the search.
    pub effort: SearchEffort,
    /// The sensitive values of the release.
    pub sensitive_values: SensitiveValues,
    /// The minimal nodes that satisfy the policy, if requested: for each attribute its level.
    pub minimal_nodes: Option<&'a [BTreeMap<String, usize>]>,
    /// Warnings for the data holder.
    pub warnings: &'a [String],
}

/// The table that was read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct InputFacts<'a> {
    /// The location, if the page may show it.
    pub location: Option<&'a str>,
    /// Rows.
    pub n_rows: u64,
    /// Columns.
    pub n_columns: u64,
    /// Its digest or fingerprint, as the private part of the release names it.
    pub digest: Option<&'a str>,
}

/// A column of the table that is not in the release.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DroppedColumn<'a> {
    /// Its name.
    pub name: &'a str,
    /// Why.
    pub reason: Reason,
}

/// Why a column is not in the release.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reason {
    /// It is a direct identifier.
    Identifier,
    /// The policy does not name it, and says to drop such columns.
    Unlisted,
}

/// What was suppressed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Suppression<'a> {
    /// Rows suppressed, whether dropped or starred, or with suppressed cells.
    pub n_suppressed: u64,
    /// Where single cells are suppressed: for each quasi-identifier the rows.
    pub cells: Option<&'a BTreeMap<String, u64>>,
    /// The largest fraction that the policy allows.
    pub limit_fraction: f64,
    /// What became of them.
    pub treatment: SuppressionRule,
}

/// How a release contains the sensitive values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SensitiveValues {
    /// In the rows.
    InRows,
    /// In a separate table that only the class joins with the quasi-identifiers.
    Separate,
    /// In the rows, some of them replaced at random.
    Perturbed {
        /// Rows whose released sensitive value is not their own.
        n_changed: u64,
    },
}
