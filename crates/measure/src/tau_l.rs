//! # information utility and excessive protection
//!
//! **Definition.** The fraction of the information in the original rows, including sensitive
//! values, that the released rows retain, and the protection of a class beyond a (tau, l)-diversity
//! requirement.
//! **Formula.** Utility: the sum over released values of 1 / base values covered, divided by the
//! same sum for the original, in which each value is one base value; a suppressed row retains
//! nothing. The utility of a class is computed in the same way over its own rows. Excessive
//! protection of a class: the sum over k = 1, ..., m of |psi(k) - F(k)|, where m is the number of
//! base values.
//! **Parameters.** [`TauLRequirement`]: `tau` in (0, 1], `l` >= 1, the taxonomy of the sensitive
//! attribute and the weights of its leaves.
//! **Level.** Utility in [0, 1], higher is better. Excess is at least 0, without unit: lower is
//! closer to the requirement.
//! **Monotone.** Generalizing a value never increases utility.
//! **Complexity.** O(tuples * attributes); O(classes * m log m) for the excess.
//! **Errors.** No figures if the taxonomy does not contain a sensitive value, or if a sensitive
//! value has no weight.
//! **Source.** The (tau, l) paper, Definitions 5 and 8; readings E-10 and E-11. Deviations: the
//! summary includes the mean and maximum over all classes in addition to the minimum, which is 0 if
//! a single class has no excess. Sensitive values that are attached to classes are treated as
//! exact.

use indistinct_core::Rational;
use indistinct_core::loss::information;
use indistinct_core::model::{Taxonomy, to_f64};
use indistinct_core::principle::{Growth, InducedValues, psi};
use indistinct_core::published::{PublishedRows, PublishedSensitive, ReleaseWithOriginal, covered};
use serde::Serialize;

use crate::Summary;

/// The fraction of the information in the original that a release retains.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct Utility {
    /// The fraction for the whole table, in which suppressed rows retain nothing. `None` for an
    /// empty table.
    pub retained: Option<f64>,
    /// The fraction for the released rows alone, which does not depend on suppressed rows. `None`
    /// for a release without rows.
    #[serde(skip)]
    pub of_released: Option<f64>,
    /// The fractions of the classes.
    pub of_classes: Option<Summary>,
}

/// A (tau, l)-diversity requirement.
#[derive(Debug, Clone)]
pub struct TauLRequirement {
    /// The maximum frequency of a base value.
    pub tau: Rational,
    /// The parameter l. The total frequency of l or more base values is not limited.
    pub l: Rational,
    /// The taxonomy of the sensitive attribute.
    pub taxonomy: Taxonomy,
    /// The weight of each leaf.
    pub weights: Vec<Rational>,
    /// The growth of the limit from `tau` to 1.
    pub growth: Growth,
}

/// Computes the information utility of a release.
pub fn utility(pair: &ReleaseWithOriginal) -> Utility {
    let published = &pair.published;
    let rows = &published.rows;
    let covered = covered(&pair.cells, &pair.hierarchies, &pair.original);
    let retained_by = |covered: &Option<u64>| covered.map_or(0.0, information::retained);
    let columns = rows.quasi_identifiers().iter().zip(&covered);
    let mut values: Vec<(&[u32], Vec<f64>)> = columns
        .map(|(column, covered)| {
            (column.codes.as_slice(), covered.iter().map(retained_by).collect())
        })
        .collect();
    let sensitive_columns = rows.sensitive().iter().zip(&published.sensitive);
    values.extend(
        sensitive_columns
            .map(|(column, sensitive)| (column.codes.as_slice(), of_sensitive_values(sensitive))),
    );
    // Sensitive values that are published for a class as a whole are treated as exact.
    let n_exact = published.sensitive.len() - rows.sensitive().len();
    let (mut of_class, mut sizes) =
        (vec![0.0; published.n_classes], vec![0u64; published.n_classes]);
    for (tuple, (&class, &count)) in published.class_of.iter().zip(rows.counts()).enumerate() {
        let of_value = |(codes, retained): &(&[u32], Vec<f64>)| retained[codes[tuple] as usize];
        let own = information::of_row(values.iter().map(of_value));
        of_class[class as usize] += (own + n_exact as f64) * count as f64;
        sizes[class as usize] += count;
    }
    let n_attributes = pair.original.columns().count();
    let information_of = |n_rows: u64| (n_rows * n_attributes as u64) as f64;
    let own = of_class.iter().sum();
    let shares = of_class.iter().zip(&sizes).filter(|(_, size)| **size > 0);
    let shares = shares.map(|(own, &size)| own / (size * n_attributes as u64) as f64);
    Utility {
        retained: information::utility(information_of(pair.original.n_rows()), own),
        of_released: information::utility(information_of(sizes.iter().sum()), own),
        of_classes: Summary::from_numbers(shares),
    }
}

/// Returns the fraction of information that each released sensitive value retains.
fn of_sensitive_values(sensitive: &PublishedSensitive) -> Vec<f64> {
    let leaves = sensitive.dictionary.len() as u64;
    let retained = |label: &String| match &sensitive.taxonomy {
        Some(taxonomy) => {
            taxonomy.node_of(label).map_or(1.0, |node| to_f64(&taxonomy.information(node)))
        }
        None if label == indistinct_core::STAR => information::retained(leaves.saturating_sub(1)),
        None => 1.0,
    };
    sensitive.dictionary.values().iter().map(retained).collect()
}

/// Computes the excessive protection of the classes of a release. Returns `None` for a release
/// without classes, or if a released sensitive value has no weight below it.
///
/// # Panics
/// Panics if `sensitive` is not the position of a published sensitive attribute.
pub fn excessive_protection(
    published: &PublishedRows,
    sensitive: usize,
    required: &TauLRequirement,
) -> Option<Summary> {
    let sensitive = &published.sensitive[sensitive];
    let induced =
        InducedValues::new(&sensitive.dictionary, &required.taxonomy, &required.weights).ok()?;
    if !induced.without_weight().is_empty() {
        return None;
    }
    let psi = psi(&required.tau, &required.l, required.growth, required.taxonomy.n_leaves());
    let classes = sensitive.histograms.iter().filter(|histogram| !histogram.is_empty());
    Summary::from_numbers(
        classes.map(|histogram| induced.frequencies(histogram).excessive_protection(&psi)),
    )
}
