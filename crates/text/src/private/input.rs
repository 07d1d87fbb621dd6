//! The input of the data holder's report.

use std::collections::BTreeMap;

use indistinct_answers::advice::TradeOff;
use indistinct_answers::report::{Contrast, Marginal};
use indistinct_core::recoding::AttributeExplanation;
use indistinct_core::{Claims, Optimality, SearchEffort, SuppressionRule};
use indistinct_diagnostics::warning::Warning;
use indistinct_methods::MethodWords;

/// The input of the data holder's report.
#[derive(Debug, Clone, Copy)]
pub struct PrivatePage<'a> {
    /// The title of the policy.
    pub title: Option<&'a str>,
    /// Information about the input table.
    pub input: InputFacts<'a>,
    /// The columns of the table that the release omits.
    pub dropped_columns: &'a [DroppedColumn<'a>],
    /// The claims for the original table.
    pub before: &'a Claims,
    /// The claims for the release.
    pub after: &'a Claims,
    /// Suppressed rows and suppressed cells.
    pub suppression: Suppression<'a>,
    /// The documentation of the method.
    pub words: MethodWords,
    /// The registry name of the loss that the search minimized.
    pub objective: &'a str,
    /// The losses by their registry names.
    pub losses: &'a BTreeMap<&'static str, f64>,
    /// The level of each attribute and the effect of the next lower level.
    pub attributes: &'a [AttributeExplanation],
    /// The `loss` of each quasi-identifier, including suppressed rows.
    pub attribute_losses: &'a BTreeMap<String, f64>,
    /// The loss of each column that the policy coarsens.
    pub coarsening_loss: &'a BTreeMap<String, f64>,
    /// The value frequencies before and after anonymization, for each quasi-identifier and
    /// sensitive attribute.
    pub marginals: &'a [Marginal],
    /// The distributions of sensitive attributes by class; empty if sensitive values are perturbed.
    pub sensitive: &'a [Contrast],
    /// The trade-offs of the attributes for which the policy limits the distance between sensitive
    /// values.
    pub trade_offs: &'a [TradeOff],
    /// Estimates for the population, each under a heading; empty if the policy does not describe
    /// the population.
    pub population: &'a [(&'a str, Vec<String>)],
    /// The optimality of the recoding.
    pub optimality: Optimality,
    /// The computational effort of the search.
    pub effort: SearchEffort,
    /// The form in which the release contains the sensitive values.
    pub sensitive_values: SensitiveValues,
    /// The minimal nodes that satisfy the policy, if requested, with the level of each attribute.
    pub minimal_nodes: Option<&'a [BTreeMap<String, usize>]>,
    /// Warnings for the data holder.
    pub warnings: &'a [Warning],
}

/// Information about the input table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct InputFacts<'a> {
    /// The location of the table, if the page may display this location.
    pub location: Option<&'a str>,
    /// The number of rows.
    pub n_rows: u64,
    /// The number of columns.
    pub n_columns: u64,
    /// The digest or fingerprint of the table, as recorded in the private directory of the release.
    pub digest: Option<&'a str>,
}

/// A column of the table that the release omits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DroppedColumn<'a> {
    /// The name of the column.
    pub name: &'a str,
    /// The reason why the column is omitted.
    pub reason: Reason,
}

/// The reason why the release omits a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reason {
    /// The column is a direct identifier.
    Identifier,
    /// The policy does not declare the column, and specifies that undeclared columns are dropped.
    Unlisted,
}

/// Suppressed rows and suppressed cells of a release.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Suppression<'a> {
    /// The number of suppressed rows, whether dropped, replaced by `*`, or suppressed in single
    /// cells.
    pub n_suppressed: u64,
    /// The number of affected rows for each quasi-identifier, if cells are suppressed.
    pub cells: Option<&'a BTreeMap<String, u64>>,
    /// The largest fraction of rows that may be suppressed.
    pub limit_fraction: f64,
    /// The treatment of suppressed rows.
    pub treatment: SuppressionRule,
}

/// The form in which a release contains the sensitive values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SensitiveValues {
    /// The rows contain the sensitive values.
    InRows,
    /// The sensitive values are in a separate table that shares only the class column with the
    /// quasi-identifiers.
    Separate,
    /// The rows contain the sensitive values, some of which were replaced at random.
    Perturbed {
        /// The number of rows whose released sensitive value differs from the original value.
        n_changed: u64,
    },
}
