//! Why a recoding came out: what one level less of each attribute would break.

use serde::{Deserialize, Serialize};

use super::{Generalization, Policy, Recoding};
use crate::certify::{
    Claims, CountedUnit, InvalidRecoding, JudgedClaims, NotCertified, Partition, certify, claims_of,
};
use crate::loss::{self, Loss};
use crate::model::FrequencyTable;

/// Why one attribute has the level it has.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
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
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct OneLevelDown {
    /// Rows in classes that fail a principle, which would have to be suppressed.
    pub n_failing_rows: u64,
    /// Whether that is within the suppression limit.
    pub within_limit: bool,
    /// If it is, why the level was not taken.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub not_taken: Option<NotTaken>,
    /// For each principle that fails somewhere: its kind, its attribute and the rows in failing classes.
    pub breaks: Vec<Break>,
}

/// Why one level less was not taken, although no more rows fail there than may be suppressed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum NotTaken {
    /// The policy asks for the level at least, or for the rows of a person in one class.
    Lowest,
    /// With the rows that fail suppressed, a principle still fails: in other rows, or in the suppressed ones where they stay in the release.
    OthersFail,
    /// The objective is no better there.
    NoBetter,
    /// The search ended before, though the objective is better there, or looked for something else as well.
    NotTried,
}

/// A principle that would fail.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Break {
    /// The principle's name.
    pub kind: String,
    /// The sensitive attribute, for the kinds that have one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub attribute: Option<String>,
    /// What it counts.
    #[serde(default, skip_serializing_if = "CountedUnit::is_rows")]
    pub counts: CountedUnit,
    /// Rows in classes that fail it.
    pub n_failing_rows: u64,
}

/// A full-domain recoding that was chosen, to be explained.
#[derive(Debug, Clone, Copy)]
pub struct Chosen<'a> {
    /// The counted table.
    pub table: &'a FrequencyTable,
    /// What it was to meet.
    pub policy: &'a Policy,
    /// The level of each quasi-identifier.
    pub levels: &'a [usize],
    /// The lowest level that the policy allows each.
    pub lowest: &'a [usize],
    /// What was to be least, and what the recoding reached of it; `None` where more than levels was chosen.
    pub least: Option<(&'static Loss, f64)>,
    /// The weight of each quasi-identifier in it.
    pub weights: &'a [f64],
}

/// Objectives that differ by less than this share are one: a sum in another order has other last digits.
const ROUNDING: f64 = 1e-9;

impl Chosen<'_> {
    /// Explains the level of the quasi-identifier at position `at`, which lost so much.
    ///
    /// # Panics
    /// If the levels do not fit the table and policy.
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
) -> (Partition, JudgedClaims) {
    let recoding = Recoding {
        generalization: Generalization::of_levels(levels),
        suppressed: vec![false; table.n_tuples()],
        sensitive: None,
    };
    let partition =
        Partition::new(table, policy, &recoding).expect("the levels fit the table and the policy");
    let judged = claims_of(table, &partition, &policy.requirements);
    (partition, judged)
}
