//! Measures of an adversary's remaining uncertainty about a person's sensitive value after some
//! values are excluded, and requirements on these measures.
//!
//! This module only defines the measures. Linkage computes which values remain.

use serde::{Deserialize, Serialize, Serializer};

use crate::Rational;
use crate::model::to_f64;

/// A measure of the remaining uncertainty.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Measure {
    /// The number of remaining values.
    Distinct,
    /// The inverse of the share of the most frequent remaining value.
    Frequency,
    /// The exponential of the entropy.
    Entropy,
}

impl Measure {
    /// All measures, in the order of the documentation.
    pub const ALL: [Self; 3] = [Self::Distinct, Self::Frequency, Self::Entropy];

    /// Returns the name of the measure in a policy file.
    pub fn name(self) -> &'static str {
        match self {
            Self::Distinct => "distinct",
            Self::Frequency => "frequency",
            Self::Entropy => "entropy",
        }
    }

    /// Returns the measure with the given name.
    pub fn of_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|measure| measure.name() == name)
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
