//! # Household risk
//!
//! **Definition.** A household is re-identified if any of its members is: 1 - product over its
//! members of (1 - r), where r is the risk of the row. Every member then has the risk of the
//! household.
//! **Assumes** that members are re-identified independently of each other.
//! **Source.** sdcMicro's `measure_risk` with `hid` (hierarchical risk); the World Bank guidelines
//! for microdata. Deviation: none.

use rustc_hash::FxHashMap;
use serde::Serialize;

/// The risk of re-identification through any member of a household.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, schemars::JsonSchema)]
pub struct HouseholdRisk {
    /// The number of households.
    pub n_households: u64,
    /// The expected number of rows whose household is re-identified.
    pub expected_rows: f64,
    /// The expected fraction of rows whose household is re-identified.
    pub expected_fraction: f64,
    /// The highest risk of a household.
    pub max: f64,
}

/// Computes the household risk of each row, given the household and the individual risk of each
/// row.
pub fn of_rows(rows: &[(u32, f64)]) -> Vec<f64> {
    let mut is_missed: FxHashMap<u32, f64> = FxHashMap::default();
    for &(household, risk) in rows {
        *is_missed.entry(household).or_insert(1.0) *= 1.0 - risk;
    }
    rows.iter().map(|(household, _)| 1.0 - is_missed[household]).collect()
}

/// Computes the overall household risk of all rows. Returns `None` for an empty list.
pub fn of_all(rows: &[(u32, f64)]) -> Option<HouseholdRisk> {
    let risks = of_rows(rows);
    let mut households: Vec<u32> = rows.iter().map(|row| row.0).collect();
    households.sort_unstable();
    households.dedup();
    let expected_rows: f64 = risks.iter().sum();
    (!rows.is_empty()).then(|| HouseholdRisk {
        n_households: households.len() as u64,
        expected_rows,
        expected_fraction: expected_rows / rows.len() as f64,
        max: risks.iter().copied().fold(0.0, f64::max),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn household_is_identified_if_any_member_is() {
        let rows = [(7, 0.5), (3, 0.1), (7, 0.5), (7, 0.0)];
        assert_eq!(of_rows(&rows), [0.75, 1.0 - 0.9, 0.75, 0.75]);
        let all = of_all(&rows).expect("the table is not empty");
        assert_eq!((all.n_households, all.max), (2, 0.75));
        assert!((all.expected_rows - 2.35).abs() < 1e-12);
        assert_eq!(of_all(&[(1, 1.0), (1, 0.2)]).expect("rows").max, 1.0);
        assert_eq!(of_all(&[]), None);
    }
}
