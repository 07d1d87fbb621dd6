//! Re-identification risk from class sizes: prosecutor, journalist, and marketer risk.
//!
//! All three adversaries know the quasi-identifiers. The prosecutor knows that the target is in the
//! table and selects a row of the target's class. The journalist does not know whether the target
//! is in the table; without a population table, the journalist risk is bounded by the prosecutor
//! risk. The marketer maximizes the number of correct matches over the whole table.

mod homogeneity;

pub use homogeneity::{Homogeneity, homogeneity, is_homogeneous};

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// Re-identification risk of a table; probabilities in [0, 1], `None` for an empty table.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Risk {
    /// The maximum prosecutor risk over all rows: 1 / smallest class.
    pub prosecutor_max: Option<f64>,
    /// The mean prosecutor risk over all rows: classes / rows.
    pub prosecutor_mean: Option<f64>,
    /// An upper bound on the journalist risk: without a population table, the prosecutor risk.
    pub journalist_max: Option<f64>,
    /// The expected fraction of rows that the marketer matches correctly: classes / rows.
    pub marketer: Option<f64>,
    /// The fraction of rows that are unique in their class.
    pub unique_fraction: Option<f64>,
}

/// Returns the risk of a table with the given class sizes (size -> number of classes).
pub fn of_class_sizes(class_sizes: &BTreeMap<u64, u64>) -> Risk {
    let n_rows: u64 = class_sizes.iter().map(|(size, classes)| size * classes).sum();
    let n_classes: u64 = class_sizes.values().sum();
    let Some((&smallest, _)) = class_sizes.first_key_value() else { return Risk::default() };
    let mean = n_classes as f64 / n_rows as f64;
    let unique = class_sizes.get(&1).copied().unwrap_or(0) as f64 / n_rows as f64;
    Risk {
        prosecutor_max: Some(1.0 / smallest as f64),
        prosecutor_mean: Some(mean),
        journalist_max: Some(1.0 / smallest as f64),
        marketer: Some(mean),
        unique_fraction: Some(unique),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_of_four_rows_have_risk_one_quarter() {
        let risk = of_class_sizes(&BTreeMap::from([(4, 3)]));
        assert_eq!(risk.prosecutor_max, Some(0.25));
        assert_eq!(risk.prosecutor_mean, Some(0.25));
        assert_eq!(risk.marketer, Some(0.25));
        assert_eq!(risk.unique_fraction, Some(0.0));
    }

    #[test]
    fn empty_table_has_no_risk() {
        assert_eq!(of_class_sizes(&BTreeMap::new()), Risk::default());
    }

    #[test]
    fn unique_row_has_maximum_risk() {
        let risk = of_class_sizes(&BTreeMap::from([(1, 1), (3, 1)]));
        assert_eq!(risk.prosecutor_max, Some(1.0));
        assert_eq!(risk.prosecutor_mean, Some(0.5));
        assert_eq!(risk.unique_fraction, Some(0.25));
    }
}
