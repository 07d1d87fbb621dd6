//! # losses
//!
//! **Definition.** The losses of a release: every loss of the registry that is defined for the
//! release, and three further figures that require additional information.
//! **Formula.** See `indistinct_core::loss` for the losses. Normalized average class size:
//! (released rows / classes) / k. Precision: 1 minus the mean over rows and quasi-identifiers of
//! the level of the released value / the top level; a suppressed row is at the top level.
//! **Parameters.** Weights of the quasi-identifiers; `k`, if the policy requires k-anonymity.
//! **Level.** Losses: lower is better. Normalized average class size: 1 is the best value that k
//! permits. Precision in [0, 1]: higher is better.
//! **Monotone.** See each loss. Generalizing by one more level never increases precision.
//! **Complexity.** That of the losses, which is dominated by the divergence.
//! **Errors.** None: undefined losses are omitted. Precision requires labels of hierarchies rather
//! than ranges or sets.
//! **Source.** LeFevre et al., ICDE 2006 (C_AVG); Sweeney, IJUFKS 10(5), 2002 (precision).
//! Deviations: if a label covers the same values at several levels, the lowest level is used.

use std::collections::BTreeMap;

use indistinct_core::loss::{self, HolderKnowledge};
use indistinct_core::published::ReleaseWithOriginal;
use indistinct_core::{Cell, Hierarchy};
use serde::{Serialize, Serializer};

/// The losses of a release.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct Losses {
    /// Every loss of the registry that is defined for the release. As in other JSON fields, names
    /// contain underscores.
    #[serde(serialize_with = "with_underscores")]
    #[schemars(with = "BTreeMap<String, f64>")]
    pub loss: BTreeMap<&'static str, f64>,
    /// The `loss` of each quasi-identifier alone.
    pub attribute_loss: BTreeMap<String, f64>,
    /// The average class size divided by k, if the policy requires k-anonymity.
    pub normalized_average_class_size: Option<f64>,
    /// The precision, which ranges from 0 (all values are at the top level) to 1 (all values are
    /// original).
    pub precision: Option<f64>,
}

fn with_underscores<S: Serializer>(
    losses: &BTreeMap<&'static str, f64>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_map(losses.iter().map(|(name, value)| (name.replace('-', "_"), value)))
}

/// Computes the losses of a release. `weights` contains one weight for each quasi-identifier.
pub fn losses(
    pair: &ReleaseWithOriginal,
    known: &HolderKnowledge,
    weights: &[f64],
    k: Option<f64>,
) -> Losses {
    let of = |loss: &&'static loss::Loss| {
        let value = loss::of_pair(loss, pair, known, weights)?;
        Some((loss.name, value))
    };
    let loss: BTreeMap<&'static str, f64> = loss::REGISTRY.iter().filter_map(of).collect();
    let average = loss.get("average-class-size").copied();
    Losses {
        attribute_loss: attribute_losses(pair, known),
        normalized_average_class_size: average.zip(k).map(|(average, k)| average / k),
        precision: precision(pair, known),
        loss,
    }
}

fn attribute_losses(pair: &ReleaseWithOriginal, known: &HolderKnowledge) -> BTreeMap<String, f64> {
    let columns = pair.original.quasi_identifiers();
    let loss = loss::find("loss");
    let of = |at: usize| {
        let only = |other: usize| if other == at { 1.0 } else { 0.0 };
        let weights: Vec<f64> = (0..columns.len()).map(only).collect();
        loss::of_pair(loss?, pair, known, &weights)
    };
    let each = columns.iter().enumerate();
    each.filter_map(|(at, column)| Some((column.name.clone(), of(at)?))).collect()
}

/// Computes the precision of a release. Returns `None` if some values are not labels of a
/// hierarchy, or if a hierarchy has no levels above the original values.
pub fn precision(pair: &ReleaseWithOriginal, known: &HolderKnowledge) -> Option<f64> {
    let published = &pair.published;
    // The release may have more rows than the original, because counterfeits are only in the
    // release.
    let n_rows = pair.original.n_rows().max(published.rows.n_rows());
    let n_retained = published.rows.n_rows() - known.n_starred.min(published.rows.n_rows());
    let columns = published.rows.quasi_identifiers().iter().zip(&pair.cells);
    let mut climbed = 0.0;
    for (at, ((column, cells), hierarchy)) in columns.zip(&pair.hierarchies).enumerate() {
        let top = hierarchy.n_levels().checked_sub(1).filter(|top| *top > 0)? as f64;
        let of_rows = match &known.levels {
            Some(levels) => levels[at] as f64 * n_retained as f64,
            None => {
                let rows = published.rows.marginal(column);
                let level = |cell| Some(lowest_level(hierarchy, cell)? as f64);
                let each = cells.iter().zip(rows).map(|(cell, n)| Some(level(cell)? * n as f64));
                each.sum::<Option<f64>>()? - top * known.n_starred as f64
            }
        };
        climbed += of_rows / top + (n_rows - n_retained) as f64;
    }
    let n_cells = n_rows as f64 * published.rows.quasi_identifiers().len() as f64;
    (n_cells > 0.0).then(|| 1.0 - climbed / n_cells)
}

/// Returns the lowest level at which a label has the same name and covers the same values.
fn lowest_level(hierarchy: &Hierarchy, cell: &Cell) -> Option<usize> {
    let (level, label) = match cell {
        Cell::Label { level, label } => (*level, *label as usize),
        Cell::Set(codes) if codes.len() == 1 => return Some(0),
        Cell::Range { low, high } if low == high => return Some(0),
        Cell::Range { .. } | Cell::Set(_) | Cell::Generated { .. } => return None,
    };
    let own = hierarchy.level(level);
    (0..=level).find(|&below| {
        let below = hierarchy.level(below);
        let mut same = below.labels.iter().zip(&below.covered);
        same.any(|(text, covered)| *text == own.labels[label] && *covered == own.covered[label])
    })
}
