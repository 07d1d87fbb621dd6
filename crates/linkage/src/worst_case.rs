//! # The worst case of linkage
//!
//! **Definition.** The smallest number of sensitive values that can remain possible for a person
//! who is in t releases, if the releases are l_1-, ..., l_t-diverse over the same sensitive values.
//! **Formula.** max(1, |S| - sum_j (|S| - l_j)); for equal l, the formula of the paper:
//! max(1, L + 1 - (L - l + 1) t) with L = |S| - 1.
//! **Parameters.** `n_sensitive_values`: |S|, at least 1. `l_each`: one l for each release, each in
//! 1..=|S|.
//! **Complexity.** O(t).
//! **Errors.** `LAboveSensitiveValues`, `LBelowOne`, `NoSensitiveValues`.
//! **Source.** Proposition 3.1 of the linkage paper, in its general form. Deviations: t need not
//! divide L (reading D-9); l may differ between releases. Release j excludes at most |S| - l_j
//! sensitive values, and the excluded values of different releases can be disjoint as long as the
//! person's true value remains.

use serde::Serialize;

use crate::LinkageError;

/// The worst case of linkage, with the levels from which it was computed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct WorstCase {
    /// The number of sensitive values.
    pub n_sensitive_values: u64,
    /// The level of distinct l-diversity of each release.
    pub l_each: Vec<u64>,
    /// The number of sensitive values that remain for every person.
    pub l: u64,
}

impl WorstCase {
    /// Computes the worst case.
    ///
    /// # Errors
    /// Returns the errors of [`worst_case`].
    pub fn new(n_sensitive_values: u64, l_each: Vec<u64>) -> Result<Self, LinkageError> {
        let l = worst_case(n_sensitive_values, &l_each)?;
        Ok(Self { n_sensitive_values, l_each, l })
    }
}

/// Returns the smallest number of sensitive values that can remain after releases with these levels
/// are linked.
///
/// # Errors
/// Returns [`LinkageError::NoSensitiveValues`], [`LinkageError::LBelowOne`], or
/// [`LinkageError::LAboveSensitiveValues`].
pub fn worst_case(n_sensitive_values: u64, l_each: &[u64]) -> Result<u64, LinkageError> {
    if n_sensitive_values == 0 {
        return Err(LinkageError::NoSensitiveValues);
    }
    let mut n_excluded: u128 = 0;
    for &l in l_each {
        if l == 0 {
            return Err(LinkageError::LBelowOne);
        }
        if l > n_sensitive_values {
            return Err(LinkageError::LAboveSensitiveValues { l, n_sensitive_values });
        }
        n_excluded += u128::from(n_sensitive_values - l);
    }
    let remaining = u128::from(n_sensitive_values).saturating_sub(n_excluded).max(1);
    Ok(u64::try_from(remaining).expect("at most the number of sensitive values remains"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn worst_case_matches_paper() {
        // Corollary 3.3: L = 4, so l <= 3 gives 1, and larger l gives 2 l - L - 1.
        let linked: Vec<u64> = (1..=5).map(|l| worst_case(5, &[l, l]).expect("valid")).collect();
        assert_eq!(linked, [1, 1, 1, 3, 5]);
        assert_eq!(worst_case(7, &[]), Ok(7));
        assert_eq!(worst_case(1, &[1; 9]), Ok(1));
    }

    #[test]
    fn invalid_levels_are_rejected() {
        assert_eq!(worst_case(0, &[]), Err(LinkageError::NoSensitiveValues));
        assert_eq!(worst_case(3, &[0]), Err(LinkageError::LBelowOne));
        let above = LinkageError::LAboveSensitiveValues { l: 4, n_sensitive_values: 3 };
        assert_eq!(worst_case(3, &[2, 4]), Err(above));
    }
}
