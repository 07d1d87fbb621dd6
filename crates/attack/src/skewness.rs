//! # Skewness
//!
//! **Definition.** A class whose sensitive values are distributed differently from the table
//! discloses information about its people, even if the class is diverse.
//! **Formula.** Total variation: 1/2 sum over s of |P_C(s) - P_T(s)|. Ratio: max over s of P_C(s) /
//! P_T(s). P_T is the distribution over all released rows.
//! **Assumes.** The adversary's prior belief about everyone is the distribution of released
//! sensitive values in the whole table.
//! **Gets.** The distribution of both figures over rows; the rows in classes where some sensitive
//! value is at least twice as likely.
//! **Complexity.** O(histograms).
//! **Stopped by.** t-closeness.
//! **Source.** Li, Li, Venkatasubramanian, ICDE 2007, Section 3.1. Deviations: none.

use indistinct_core::Observer;
use indistinct_core::Status;
use indistinct_core::published::PublishedRows;
use serde::Serialize;

use crate::figures::{classes, marginal};
use crate::{AffectedRows, Attack, Distribution, RiskKind};

/// The registry entry of the attack `skewness`.
pub static ATTACK: Attack = Attack {
    name: "skewness",
    risk: RiskKind::Inference,
    assumes: "The adversary knows the quasi-identifiers of a person who is in the table. The \
        adversary's prior belief is the distribution of sensitive values in the whole release.",
    gets: "How much the distribution of sensitive values in a class differs from the distribution \
        in the whole release, and the factor by which a sensitive value becomes more likely.",
    stopped_by: "t-closeness. No form of l-diversity prevents the attack.",
    status: Status::Stable,
    source: "Li, Li, Venkatasubramanian, ICDE 2007",
};

/// The result of the attack `skewness`.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct Skewness {
    /// The distribution over rows of the total variation distance between the class and the table.
    pub total_variation: Option<Distribution>,
    /// The distribution over rows of the largest ratio between the shares of a sensitive value in
    /// the class and in the table.
    pub ratio: Option<Distribution>,
    /// Classes in which some sensitive value is at least twice as likely as in the table.
    pub doubled: AffectedRows,
}

/// Compares the distributions of the classes with that of the table.
///
/// # Panics
/// Panics if the attribute does not exist.
pub fn attack(published: &PublishedRows, attribute: usize, observer: &dyn Observer) -> Skewness {
    let sensitive = &published.sensitive[attribute];
    let marginal = marginal(sensitive);
    let n_rows: u64 = marginal.iter().sum();
    let (mut distances, mut ratios) = (Vec::new(), Vec::new());
    let mut doubled = AffectedRows::default();
    for (entries, size) in classes(sensitive, observer) {
        let (mut above, mut ratio) = (0f64, 0f64);
        let mut twice = false;
        for &(code, rows) in entries {
            let all = marginal[code as usize];
            let (here, there) = (rows as f64 / size as f64, all as f64 / n_rows as f64);
            // The positive differences sum to the total variation, because the negative differences
            // have the same sum.
            above += (here - there).max(0.0);
            ratio = ratio.max(here / there);
            twice |=
                u128::from(rows) * u128::from(n_rows) >= 2 * u128::from(all) * u128::from(size);
        }
        distances.push((above, size));
        ratios.push((ratio, size));
        if twice {
            doubled.add(size);
        }
    }
    Skewness {
        total_variation: Distribution::from_figures(distances),
        ratio: Distribution::from_figures(ratios),
        doubled,
    }
}
