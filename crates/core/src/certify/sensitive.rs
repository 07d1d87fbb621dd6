//! Certification of generalized sensitive values, which must cover the true values. The
//! requirements are rebuilt for the generalized values.

use std::borrow::Cow;

use rustc_hash::FxHashSet;

use super::invalid::{InvalidRecoding, SensitiveProblem, expect_length};
use super::partition::{DROPPED, Partition};
use crate::Dictionary;
use crate::model::{FrequencyTable, Taxonomy};
use crate::principle::BuildError;
use crate::recoding::{Requirement, SensitiveLabels};

/// A table with its released sensitive values and the requirements on them.
pub struct GeneralizedTable<'a> {
    pub table: Cow<'a, FrequencyTable>,
    /// The requirements that replace requirements of the policy, with their positions in the
    /// policy.
    pub rebuilt: Vec<(usize, Requirement)>,
}

impl GeneralizedTable<'_> {
    /// Returns the requirements, in the order of the policy.
    pub fn requirements<'a>(&'a self, of_policy: &'a [Requirement]) -> Vec<&'a Requirement> {
        let mut requirements: Vec<&Requirement> = of_policy.iter().collect();
        for (at, requirement) in &self.rebuilt {
            requirements[*at] = requirement;
        }
        requirements
    }
}

/// Replaces the values of a sensitive attribute with their released labels.
pub fn release<'a>(
    table: Cow<'a, FrequencyTable>,
    sensitive: &SensitiveLabels,
    partition: &Partition,
    requirements: &[Requirement],
) -> Result<GeneralizedTable<'a>, InvalidRecoding> {
    let attribute = sensitive.attribute;
    let invalid = |problem| InvalidRecoding::Sensitive { attribute, problem };
    let column = table.sensitive().get(attribute);
    let column = column.ok_or_else(|| invalid(SensitiveProblem::NoAttribute))?;
    expect_length("released sensitive values", sensitive.of.len(), table.n_tuples())?;
    let distinct: FxHashSet<&String> = sensitive.labels.iter().collect();
    if distinct.len() < sensitive.labels.len() {
        return Err(invalid(SensitiveProblem::SameLabel));
    }
    let is_about =
        |requirement: &&Requirement| requirement.attribute.as_deref() == Some(column.name.as_str());
    let not_judged = |requirement: &&Requirement| requirement.principle.taxonomy().is_none();
    if let Some(requirement) = requirements.iter().filter(is_about).find(not_judged) {
        return Err(invalid(SensitiveProblem::NotJudged { kind: requirement.kind }));
    }

    // All requirements on one attribute have the same taxonomy. Without a taxonomy, labels must be
    // values or the root.
    let flat;
    let stated = requirements.iter().filter(is_about).find_map(|r| r.taxonomy.as_deref());
    let taxonomy = match stated {
        Some(taxonomy) => taxonomy,
        None => {
            flat = Taxonomy::flat(column.dictionary.values().iter().map(String::as_str));
            &flat
        }
    };
    let leaves = |label: &str| taxonomy.node_of(label).map(|node| taxonomy.leaves(node));
    let of_label: Vec<_> = sensitive.labels.iter().map(|label| leaves(label)).collect();
    let of_value: Vec<_> = column.dictionary.values().iter().map(|value| leaves(value)).collect();
    let covers = |tuple: usize| {
        let label = of_label.get(sensitive.of[tuple] as usize).and_then(Option::as_ref);
        let value = of_value[column.codes[tuple] as usize].as_ref();
        label
            .zip(value)
            .is_some_and(|(label, value)| label.start <= value.start && value.end <= label.end)
    };
    let retained = || (0..table.n_tuples()).filter(|&tuple| partition.class_of[tuple] != DROPPED);
    if retained().any(|tuple| !covers(tuple)) {
        let lies = retained().filter(|&tuple| !covers(tuple));
        let n_rows = lies.map(|tuple| table.counts()[tuple]).sum();
        return Err(invalid(SensitiveProblem::NotCovered { n_rows }));
    }
    // Dropped rows also require a valid label and therefore receive the released label of another
    // row.
    let Some(first) = retained().next() else {
        return Ok(GeneralizedTable { table, rebuilt: Vec::new() });
    };

    let (dictionary, code_of) = Dictionary::from_distinct(sensitive.labels.clone());
    let codes = (0..table.n_tuples())
        .map(|tuple| match partition.class_of[tuple] {
            DROPPED => code_of[sensitive.of[first] as usize],
            _ => code_of[sensitive.of[tuple] as usize],
        })
        .collect();
    let table = table.into_owned().with_sensitive(attribute, dictionary, codes);
    let name = &table.sensitive()[attribute].name;
    let mut rebuilt = Vec::new();
    for (at, requirement) in requirements.iter().enumerate() {
        if requirement.attribute.as_ref() == Some(name) {
            let kind = requirement.kind;
            let problem = |errors: Vec<BuildError>| {
                let error = errors
                    .into_iter()
                    .next()
                    .expect("a rejected requirement has at least one error");
                invalid(SensitiveProblem::Requirement { kind, error })
            };
            rebuilt.push((at, requirement.rebuilt(&table).map_err(problem)?));
        }
    }
    Ok(GeneralizedTable { table: Cow::Owned(table), rebuilt })
}
