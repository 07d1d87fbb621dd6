//! How much remains unknown of a person's sensitive value to somebody who has narrowed it down, and what may be required of that.
//!
//! The computation is with those who narrow it down (linkage); here is only how it is counted and asked for.

use serde::{Deserialize, Serialize, Serializer};

use crate::Rational;
use crate::model::to_f64;

/// A way to count what remains.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Measure {
    /// How many values.
    Distinct,
    /// 1 / the share of the most frequent one.
    Frequency,
    /// The exponential of the entropy.
    Entropy,
}

impl Measure {
    /// All of them, in the order of the documentation.
    pub const ALL: [Self; 3] = [Self::Distinct, Self::Frequency, Self::Entropy];

    /// Its name in a policy file.
    pub fn name(self) -> &'static str {
        match self {
            Self::Distinct => "distinct",
            Self::Frequency => "frequency",
            Self::Entropy => "entropy",
        }
    }

    /// The measure with the given name.
    pub fn of_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|measure| measure.name() == name)
    }
}

/// What is required to remain.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct RemainingRequirement {
    /// How it is counted.
    pub measure: Measure,
    /// At least so many.
    #[serde(serialize_with = "as_number")]
    #[schemars(with = "f64")]
    pub l: Rational,
}

fn as_number<S: Serializer>(l: &Rational, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_f64(to_f64(l))
}
