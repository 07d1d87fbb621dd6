//! The information loss that results from separating a release into two tables.

use std::collections::BTreeMap;

use indistinct_core::AnatomyRelease;
use serde::Serialize;

/// The name of the loss of a release in two tables, which this method minimizes.
pub const RECONSTRUCTION_ERROR: &str = "reconstruction-error";

/// The information loss that results from separating a release into two tables.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, schemars::JsonSchema)]
pub struct Separation {
    /// The squared distance between a row's sensitive value and the distribution of sensitive
    /// values in its class, summed over all released rows.
    pub reconstruction_error: f64,
    /// The mean reconstruction error per row; 0 discloses every sensitive value. `None` for a
    /// release without rows.
    pub reconstruction_error_per_row: Option<f64>,
}

/// Computes the information loss of a release with two tables.
pub(super) fn separation(release: &AnatomyRelease<'_>) -> Separation {
    let (error, n_rows) = (release.reconstruction_error(), release.claims().n_released);
    Separation {
        reconstruction_error: error,
        reconstruction_error_per_row: (n_rows > 0).then(|| error / n_rows as f64),
    }
}

/// Returns the losses that are defined without generalized quasi-identifiers: the fraction of
/// suppressed rows and the reconstruction error.
pub fn losses(release: &AnatomyRelease<'_>) -> BTreeMap<&'static str, f64> {
    BTreeMap::from([
        ("loss", share_suppressed(release)),
        (RECONSTRUCTION_ERROR, release.reconstruction_error()),
    ])
}

/// Returns the `loss` of each quasi-identifier, which is the fraction of suppressed rows because
/// released values are unchanged.
pub fn attribute_losses(release: &AnatomyRelease<'_>) -> BTreeMap<String, f64> {
    let columns = release.table().quasi_identifiers().iter();
    columns.map(|column| (column.name.clone(), share_suppressed(release))).collect()
}

fn share_suppressed(release: &AnatomyRelease<'_>) -> f64 {
    match release.counted().n_rows() {
        0 => 0.0,
        n_rows => release.n_suppressed() as f64 / n_rows as f64,
    }
}
