//! Explanations of the levels of a recoding: the principles that fail if an attribute is released
//! one level lower.

use serde::{Deserialize, Serialize};

use super::{Generalization, Policy, Recoding};
use crate::certify::{
    Claims, CountedUnit, InvalidRecoding, JudgedClaims, NotCertified, Partition, certify, claims_of,
};
use crate::loss::{self, Loss};
use crate::model::FrequencyTable;

/// The reason why the search chose the level of an attribute.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct AttributeExplanation {
    /// The attribute.
    pub name: String,
    /// The level of the attribute.
    pub level: usize,
    /// The number of levels of the hierarchy.
    pub n_levels: usize,
    /// The loss of the attribute, from 0 to 1. Each value of a suppressed row has loss 1.
    pub loss: f64,
    /// The effect of releasing this attribute one level lower without changing other attributes, or
    /// `None` at level 0.
    pub one_level_down: Option<OneLevelDown>,
}

/// The effect of changing to a neighboring node of the lattice.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct OneLevelDown {
    /// The number of rows that would require suppression because their classes fail a principle.
    pub n_failing_rows: u64,
    /// Whether suppressing these rows is within the suppression limit.
    pub within_limit: bool,
    /// The reason why the level was not chosen although suppression is within the limit, or `None`
    /// if suppression exceeds the limit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub not_taken: Option<NotTaken>,
    /// For each failing principle, its kind, its attribute, and the number of rows in failing
    /// classes.
    pub breaks: Vec<Break>,
}

/// Why the next lower level was not chosen, although the number of failing rows is within the
/// suppression limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum NotTaken {
    /// The policy requires at least the current level, or requires all rows of each person to be in
    /// one class.
    Lowest,
    /// After the failing rows are suppressed, a principle still fails for other rows, or for
    /// suppressed rows that remain in the release.
    OthersFail,
    /// The objective is not better.
    NoBetter,
    /// The objective is better, but the search ended early or also pursued other goals.
    NotTried,
}

/// A principle that would fail.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Break {
    /// The name of the principle.
    pub kind: String,
    /// The sensitive attribute, for kinds that require one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub attribute: Option<String>,
    /// The unit that the principle counts.
    #[serde(default, skip_serializing_if = "CountedUnit::is_rows")]
    pub counts: CountedUnit,
    /// The number of rows in classes that fail the principle.
    pub n_failing_rows: u64,
}

/// The full-domain recoding to explain.
#[derive(Debug, Clone, Copy)]
pub struct Chosen<'a> {
    /// The frequency table.
    pub table: &'a FrequencyTable,
    /// The policy that the recoding satisfies.
    pub policy: &'a Policy,
    /// The level of each quasi-identifier.
    pub levels: &'a [usize],
    /// The lowest level that the policy allows for each quasi-identifier.
    pub lowest: &'a [usize],
    /// The minimized loss and its value for the recoding, or `None` if the search also chose other
    /// properties of the recoding.
    pub least: Option<(&'static Loss, f64)>,
    /// The weight of each quasi-identifier in the loss.
    pub weights: &'a [f64],
}

/// The relative difference below which objectives count as equal, because the order of summation
/// may change the last digits.
const ROUNDING: f64 = 1e-9;

impl Chosen<'_> {
    /// Explains the level of the quasi-identifier with index `at`, whose loss is `loss`.
    ///
    /// # Panics
    /// Panics if the levels do not match the table and policy.
    pub fn explain(&self, at: usize, loss: f64) -> AttributeExplanation {
        let column = &self.table.quasi_identifiers()[at];
        let level = self.levels[at];
        AttributeExplanation {
            name: column.name.clone(),
            level,
            n_levels: self.policy.hierarchies[at].n_levels(),
            loss,
            one_level_down: level.checked_sub(1).map(|lower| {
                let mut levels = self.levels.to_vec();
                levels[at] = lower;
                self.node(levels, lower < self.lowest[at])
            }),
        }
    }

    fn node(&self, levels: Vec<usize>, is_below_lowest: bool) -> OneLevelDown {
        let (table, policy) = (self.table, self.policy);
        let (partition, judged) = judge_levels(table, policy, levels.clone());
        let fails = |class: u32| !judged.class_holds[class as usize];
        let suppressed: Vec<bool> = partition.class_of.iter().map(|&class| fails(class)).collect();
        let failing = suppressed.iter().zip(table.counts()).filter(|(fails, _)| **fails);
        let n_failing_rows = failing.map(|(_, count)| count).sum();
        let within_limit = policy.allows_suppressing(n_failing_rows, table);
        let not_taken = within_limit.then(|| match is_below_lowest {
            true => NotTaken::Lowest,
            false => self.not_taken(levels, suppressed),
        });
        OneLevelDown {
            n_failing_rows,
            within_limit,
            not_taken,
            breaks: judged
                .claims
                .principles
                .into_iter()
                .filter(|claim| !claim.holds)
                .map(|claim| Break {
                    kind: claim.kind,
                    attribute: claim.attribute,
                    counts: claim.counts,
                    n_failing_rows: claim.n_failing_rows,
                })
                .collect(),
        }
    }

    fn not_taken(&self, levels: Vec<usize>, suppressed: Vec<bool>) -> NotTaken {
        let Some((objective, reached)) = self.least else { return NotTaken::NotTried };
        let generalization = Generalization::of_levels(levels);
        let recoding = Recoding { generalization, suppressed, sensitive: None };
        let release = match certify(self.table, self.policy, &recoding) {
            Ok(release) => release,
            Err(NotCertified::Invalid(InvalidRecoding::NotTogether { .. })) => {
                return NotTaken::Lowest;
            }
            Err(_) => return NotTaken::OthersFail,
        };
        let there = loss::of_release(objective, &release, self.policy, &recoding, self.weights);
        match there.is_some_and(|there| there < reached - ROUNDING * reached.abs()) {
            true => NotTaken::NotTried,
            false => NotTaken::NoBetter,
        }
    }
}

/// Computes the claims for a node of the lattice without suppression.
///
/// # Panics
/// Panics if the levels do not match the table and policy.
pub fn claims_of_levels(table: &FrequencyTable, policy: &Policy, levels: Vec<usize>) -> Claims {
    judge_levels(table, policy, levels).1.claims
}

fn judge_levels(
    table: &FrequencyTable,
    policy: &Policy,
    levels: Vec<usize>,
) -> (Partition, JudgedClaims) {
    let recoding = Recoding {
        generalization: Generalization::of_levels(levels),
        suppressed: vec![false; table.n_tuples()],
        sensitive: None,
    };
    let partition = Partition::new(table, policy, &recoding)
        .expect("the levels match the table and the policy");
    let judged = claims_of(table, &partition, &policy.requirements);
    (partition, judged)
}
