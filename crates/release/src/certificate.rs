//! `certificate.json`: claims that anyone can recompute from the released files, and further facts with their basis.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use indistinct_core::{Claims, CountedUnit, PrincipleClaim, Role};
use serde::de::{MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};

use crate::facts::{Fact, Noise};

/// The format of the certificates that this version writes.
pub const FORMAT: u32 = 2;

/// The certificate of a release.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Certificate {
    /// Version of this format.
    pub format: u32,
    /// Version of Indistinct that wrote it.
    pub indistinct: String,
    /// What `verify` recomputes.
    pub claims: ReleaseClaims,
    /// Further facts, each with its basis.
    pub facts: Vec<Fact>,
}

/// What `verify` recomputes from the released files.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ReleaseClaims {
    /// What the released rows hold.
    pub rows: Claims,
    /// The released columns, in their order.
    pub columns: Vec<ReleasedColumn>,
    /// Where quasi-identifiers and sensitive values are in two tables that only the class joins: the sum over all rows
    /// of the squared distance between a row's sensitive value and the distribution of sensitive values in its class.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reconstruction_error: Option<f64>,
    /// SHA-256 of every file of the release but this one, in hexadecimal digits, by path within the
    /// directory.
    pub sha256: BTreeMap<String, String>,
}

impl Certificate {
    /// Reads a certificate. An object that names a key twice is none: of the two values readers would take one or the other.
    ///
    /// # Errors
    /// What is wrong, with its place.
    pub fn parse(text: &str) -> serde_json::Result<Self> {
        serde_json::from_str::<Unambiguous>(text)?;
        serde_json::from_str(text)
    }

    /// The first fact that a function picks something from.
    fn find<'a, T>(&'a self, pick: impl Fn(&'a Fact) -> Option<T>) -> Option<T> {
        self.facts.iter().find_map(pick)
    }

    /// The claims on presence in a population, in their order.
    pub fn presence(&self) -> impl Iterator<Item = &PrincipleClaim> {
        self.facts.iter().filter_map(|fact| match fact {
            Fact::Presence { claim } => Some(claim),
            _ => None,
        })
    }

    /// The perturbation of the sensitive values, with their attribute.
    pub fn perturbation(&self) -> Option<(&str, &Noise)> {
        self.find(|fact| match fact {
            Fact::Perturbation { attribute, noise } => Some((attribute.as_str(), noise)),
            _ => None,
        })
    }

    /// The number of counterfeits, if the release is of a form that may have any.
    pub fn n_counterfeits(&self) -> Option<u64> {
        self.find(|fact| match fact {
            Fact::Counterfeits { n_rows, .. } => Some(*n_rows),
            _ => None,
        })
    }

    /// Whether people count as well as rows, because a person may have several rows.
    pub fn counts(&self) -> CountedUnit {
        let several = |fact: &Fact| matches!(fact, Fact::SeveralRowsPerPerson { .. });
        if self.facts.iter().any(several) { CountedUnit::People } else { CountedUnit::Rows }
    }

    /// The smallest number of people in a class as the data holder attests it, if a person may have several rows.
    pub fn people_of_class(&self) -> Option<u64> {
        self.find(|fact| match fact {
            Fact::SeveralRowsPerPerson { k, .. } => *k,
            _ => None,
        })
    }

    /// The levels of the quasi-identifiers, if all rows have the same.
    pub fn generalization_levels(&self) -> Option<&BTreeMap<String, usize>> {
        self.find(|fact| match fact {
            Fact::GeneralizationLevels { levels } => Some(levels),
            _ => None,
        })
    }

    /// The level that all rows have of a quasi-identifier's hierarchy, if they have the same.
    pub fn level(&self, attribute: &str) -> Option<usize> {
        self.generalization_levels()?.get(attribute).copied()
    }

    /// The same for several quasi-identifiers; `None` where one of them has no such level.
    pub fn levels<'a>(&self, attributes: impl Iterator<Item = &'a str>) -> Option<Vec<usize>> {
        attributes.map(|attribute| self.level(attribute)).collect()
    }
}

/// One released column.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ReleasedColumn {
    /// Its name.
    pub name: String,
    /// What it is to the person behind a row; `None` for the class column.
    pub role: Option<Role>,
}

/// JSON in which no object names a key twice.
struct Unambiguous;

impl<'de> Deserialize<'de> for Unambiguous {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Walk)
    }
}

struct Walk;

impl<'de> Visitor<'de> for Walk {
    type Value = Unambiguous;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_bool<E>(self, _: bool) -> Result<Unambiguous, E> {
        Ok(Unambiguous)
    }

    fn visit_i64<E>(self, _: i64) -> Result<Unambiguous, E> {
        Ok(Unambiguous)
    }

    fn visit_u64<E>(self, _: u64) -> Result<Unambiguous, E> {
        Ok(Unambiguous)
    }

    fn visit_f64<E>(self, _: f64) -> Result<Unambiguous, E> {
        Ok(Unambiguous)
    }

    fn visit_str<E>(self, _: &str) -> Result<Unambiguous, E> {
        Ok(Unambiguous)
    }

    fn visit_unit<E>(self) -> Result<Unambiguous, E> {
        Ok(Unambiguous)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Unambiguous, A::Error> {
        while items.next_element::<Unambiguous>()?.is_some() {}
        Ok(Unambiguous)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Unambiguous, A::Error> {
        let mut keys = BTreeSet::new();
        while let Some(key) = entries.next_key::<String>()? {
            if !keys.insert(key) {
                return Err(serde::de::Error::custom("a key is repeated"));
            }
            entries.next_value::<Unambiguous>()?;
        }
        Ok(Unambiguous)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_key_is_named_twice_at_any_depth() {
        let unambiguous = |text: &str| serde_json::from_str::<Unambiguous>(text).is_ok();
        assert!(unambiguous(r#"{"a": [1, -2, 0.5, null, true, "x", {"a": {}}], "b": {"a": 1}}"#));
        assert!(!unambiguous(r#"{"a": 1, "a": 1}"#));
        assert!(!unambiguous(r#"{"a": [{"b": 1, "c": 2, "b": 3}]}"#));
        // The same key, written otherwise.
        assert!(!unambiguous(r#"{"a": {"b": 1, "\u0062": 2}}"#));
    }
}
