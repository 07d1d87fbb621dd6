//! Measures of an adversary's remaining uncertainty about a person's sensitive value after some
//! values are excluded, and requirements on these measures.
//!
//! This module only defines the measures. The linkage crate computes which values remain.

use indistinct_diagnostics::words;
use serde::{Deserialize, Serialize, Serializer};

use crate::Rational;
use crate::model::to_f64;

words! {
    /// A measure of the remaining uncertainty.
    #[derive(Hash, Serialize, Deserialize, schemars::JsonSchema)]
    #[serde(rename_all = "kebab-case")]
    pub enum Measure {
        /// The number of sensitive values that remain possible for a person.
        Distinct = "distinct",
        /// The reciprocal of the share of the most frequent remaining sensitive value.
        Frequency = "frequency",
        /// The exponential of the entropy of the remaining sensitive values.
        Entropy = "entropy",
    }
}

/// A requirement on the remaining uncertainty.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct RemainingRequirement {
    /// The measure of uncertainty.
    pub measure: Measure,
    /// The minimum value of the measure.
    #[serde(serialize_with = "as_number")]
    #[schemars(with = "f64")]
    pub l: Rational,
}

fn as_number<S: Serializer>(l: &Rational, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_f64(to_f64(l))
}
