//! # Similarity
//!
//! **Definition.** Sensitive values that differ but are of the same kind disclose this kind. For
//! example, a class with three different stomach diseases discloses that a person has a stomach
//! disease.
//! **Formula.** A class is affected at a threshold h iff some label of the taxonomy, below the root
//! and above the base values, covers at least h n of its n sensitive values. A released label
//! covers itself.
//! **Parameters.** `threshold`: h, 0 < h <= 1, no unit.
//! **Assumes.** The adversary knows the taxonomy, which is published.
//! **Gets.** The classes and rows in which all values are of one kind, and those in which the share
//! of a kind reaches the threshold.
//! **Complexity.** O(histograms).
//! **Stopped by.** (tau, l)-diversity, hierarchical t-closeness. For numbers, see
//! [proximity](crate::proximity).
//! **Source.** Li, Li, Venkatasubramanian, ICDE 2007, Section 3.2. Deviations: none.

use indistinct_core::Status;
use indistinct_core::model::{Taxonomy, to_f64};
use indistinct_core::published::PublishedRows;
use indistinct_core::{Observer, Rational};
use serde::Serialize;

use crate::figures::classes;
use crate::{AffectedRows, Attack, RiskKind};

/// The registry entry of the attack `similarity`.
pub static ATTACK: Attack = Attack {
    name: "similarity",
    risk: RiskKind::Inference,
    assumes: "The adversary knows the quasi-identifiers of a person who is in the table, and the \
              taxonomy of the sensitive attribute.",
    gets: "Classes in which all or nearly all sensitive values belong to one category (a label of \
        the taxonomy).",
    stopped_by: "(tau, l)-diversity and hierarchical t-closeness. Principles that only count \
                 distinct values do not prevent the attack.",
    status: Status::Stable,
    source: "Li, Li, Venkatasubramanian, ICDE 2007",
};

/// The result of the attack `similarity`.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, schemars::JsonSchema)]
pub struct Similarity {
    /// Classes in which all sensitive values belong to the same kind.
    pub complete: AffectedRows,
    /// The minimum share of a kind at which a class is counted.
    pub threshold: f64,
    /// Classes in which the share of one kind reaches the threshold.
    pub at_threshold: AffectedRows,
    /// Classes of `at_threshold` in which no single sensitive value reaches the threshold, so the
    /// `homogeneity` attack does not count them.
    pub beyond_homogeneity: AffectedRows,
    /// The largest share of a kind in a class.
    pub largest_share: f64,
}

/// Counts classes whose values are of one kind; `None` if the sensitive attribute has no taxonomy
/// with labels between the values and the root.
///
/// # Panics
/// Panics if the attribute does not exist.
pub fn attack(
    published: &PublishedRows,
    attribute: usize,
    threshold: &Rational,
    observer: &dyn Observer,
) -> Option<Similarity> {
    let sensitive = &published.sensitive[attribute];
    let taxonomy = sensitive.taxonomy.as_ref()?;
    let kinds: Vec<Option<u32>> =
        sensitive.dictionary.values().iter().map(|value| kind(taxonomy, value)).collect();
    kinds.iter().any(Option::is_some).then_some(())?;
    let mut found = Similarity {
        complete: AffectedRows::default(),
        threshold: to_f64(threshold),
        at_threshold: AffectedRows::default(),
        beyond_homogeneity: AffectedRows::default(),
        largest_share: 0.0,
    };
    let mut of_kind: Vec<u64> = vec![0; taxonomy.n_nodes()];
    for (entries, size) in classes(sensitive, observer) {
        let mut largest = 0;
        for &(code, rows) in entries {
            if let Some(kind) = kinds[code as usize] {
                of_kind[kind as usize] += rows;
                largest = largest.max(of_kind[kind as usize]);
            }
        }
        for &(code, _) in entries {
            if let Some(kind) = kinds[code as usize] {
                of_kind[kind as usize] = 0;
            }
        }
        let reaches = |rows: u64| {
            let size = Rational::from_integer(i128::from(size));
            Rational::from_integer(i128::from(rows)) >= threshold * size
        };
        if largest == size {
            found.complete.add(size);
        }
        if reaches(largest) {
            found.at_threshold.add(size);
            if !entries.iter().any(|&(_, rows)| reaches(rows)) {
                found.beyond_homogeneity.add(size);
            }
        }
        found.largest_share = found.largest_share.max(largest as f64 / size as f64);
    }
    Some(found)
}

/// Returns the label directly below the root that covers a value, unless the label is a base value.
/// Labels further down cover fewer values.
fn kind(taxonomy: &Taxonomy, value: &str) -> Option<u32> {
    let mut node = taxonomy.node_of(value)?;
    while taxonomy.depth(node) > 1 {
        node = taxonomy.parent(node)?;
    }
    (taxonomy.depth(node) == 1 && !taxonomy.is_leaf(node)).then_some(node)
}
