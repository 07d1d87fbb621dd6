//! Why a recoding came out: what one level less of each attribute would break.

use serde::{Deserialize, Serialize};

use super::{Generalization, Policy, Recoding};
use crate::certify::{Claims, Counted, Judged, Partition, claims_of};
use crate::model::FrequencyTable;

/// Why one attribute has the level it has.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AttributeExplanation {
    /// The attribute.
    pub name: String,
    /// Its level.
    pub level: usize,
    /// The number of levels of its hierarchy.
    pub n_levels: usize,
    /// Its share of loss in [0, 1]: suppressed rows have lost all.
    pub loss: f64,
    /// What going one level down would do, all other attributes as they are; `None` at level 0.
    pub one_level_down: Option<OneLevelDown>,
}

/// What a neighboring node of the lattice would do.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct OneLevelDown {
    /// Rows in classes that fail a principle, which would have to be suppressed.
    pub n_failing_rows: u64,
    /// Whether that is within the suppression limit.
    pub within_limit: bool,
    /// For each principle that fails somewhere: its kind, its attribute and the rows in failing classes.
    pub breaks: Vec<Break>,
}

/// A principle that would fail.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Break {
    /// The principle's name.
    pub kind: String,
    /// The sensitive attribute, for the kinds that have one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub attribute: Option<String>,
    /// What it counts.
    #[serde(default, skip_serializing_if = "Counted::is_rows")]
    pub counts: Counted,
    /// Rows in classes that fail it.
    pub n_failing_rows: u64,
}

/// Explains the level of the quasi-identifier at position `at` of a full-domain recoding, which lost so much.
///
/// # Panics
/// If the levels do not fit the table and policy.
pub fn explain_attribute(
    table: &FrequencyTable,
    policy: &Policy,
    levels: &[usize],
    at: usize,
    loss: f64,
) -> AttributeExplanation {
    let column = &table.quasi_identifiers()[at];
    let hierarchy = &policy.hierarchies[at];
    let level = levels[at];
    AttributeExplanation {
        name: column.name.clone(),
        level,
        n_levels: hierarchy.n_levels(),
        loss,
        one_level_down: level.checked_sub(1).map(|lower| {
            let mut levels = levels.to_vec();
            levels[at] = lower;
            node(table, policy, levels)
        }),
    }
}

/// What a table reaches at a node of the lattice, with no row suppressed.
///
/// # Panics
/// If the levels do not fit the table and policy.
pub fn claims_of_levels(table: &FrequencyTable, policy: &Policy, levels: Vec<usize>) -> Claims {
    judge_levels(table, policy, levels).1.claims
}

fn judge_levels(
    table: &FrequencyTable,
    policy: &Policy,
    levels: Vec<usize>,
) -> (Partition, Judged) {
    let recoding = Recoding {
        generalization: Generalization::of_levels(levels),
        suppressed: vec![false; table.n_tuples()],
        sensitive: None,
    };
    let partition =
        Partition::of(table, policy, &recoding).expect("the levels fit the table and the policy");
    let judged = claims_of(table, &partition, &policy.requirements);
    (partition, judged)
}

fn node(table: &FrequencyTable, policy: &Policy, levels: Vec<usize>) -> OneLevelDown {
    let (partition, judged) = judge_levels(table, policy, levels);
    let n_failing_rows = judged
        .class_holds
        .iter()
        .zip(partition.classes.sizes())
        .filter(|(holds, _)| !**holds)
        .map(|(_, size)| size)
        .sum();
    OneLevelDown {
        n_failing_rows,
        within_limit: policy.allows_suppressing(n_failing_rows, table),
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
