//! The file `certificate.json` with claims that recipients can recompute from the released files,
//! and with other facts, each with its basis.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use indistinct_core::{Claims, CountedUnit, Optimality, PrincipleClaim, Role};
use serde::de::{MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};

use crate::facts::{Fact, Noise};

/// The certificate format that this version writes.
pub const FORMAT: u32 = 2;

/// The certificate of a release.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Certificate {
    /// Version of the certificate format.
    pub format: u32,
    /// Version of Indistinct that wrote the certificate.
    pub indistinct: String,
    /// The claims that `verify` recomputes.
    pub claims: ReleaseClaims,
    /// Other facts, each with its basis.
    pub facts: Vec<Fact>,
}

/// The claims that `verify` recomputes from the released files.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ReleaseClaims {
    /// Claims about the released rows.
    pub rows: Claims,
    /// The released columns, in order.
    pub columns: Vec<ReleasedColumn>,
    /// For a release in two tables: the squared distance between a row's sensitive value and the
    /// distribution of sensitive values in its class, summed over all rows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reconstruction_error: Option<f64>,
    /// The SHA-256 of every file of the release except the certificate, in hexadecimal digits. The
    /// keys are paths within the directory.
    pub sha256: BTreeMap<String, String>,
}

impl Certificate {
    /// Parses a certificate. An object with a duplicate key is invalid because readers could
    /// disagree about the value of this key.
    ///
    /// # Errors
    /// Returns the description and location of the first error.
    pub fn parse(text: &str) -> serde_json::Result<Self> {
        serde_json::from_str::<Unambiguous>(text)?;
        serde_json::from_str(text)
    }

    /// Applies `pick` to all facts and returns the first result that is not `None`.
    fn find<'a, T>(&'a self, pick: impl Fn(&'a Fact) -> Option<T>) -> Option<T> {
        self.facts.iter().find_map(pick)
    }

    /// Returns the claims about presence in a population, in the order of the certificate.
    pub fn presence(&self) -> impl Iterator<Item = &PrincipleClaim> {
        self.facts.iter().filter_map(|fact| match fact {
            Fact::Presence { claim } => Some(claim),
            _ => None,
        })
    }

    /// Returns the sensitive attribute whose values are perturbed, and the parameters of the
    /// perturbation.
    pub fn perturbation(&self) -> Option<(&str, &Noise)> {
        self.find(|fact| match fact {
            Fact::Perturbation { attribute, noise } => Some((attribute.as_str(), noise)),
            _ => None,
        })
    }

    /// Returns the digest of rows in a database, and the attributes that it does not cover.
    pub fn table_rows(&self) -> Option<(&str, &[String])> {
        self.find(|fact| match fact {
            Fact::TableRows { sha256, unchecked_attributes } => {
                Some((sha256.as_str(), unchecked_attributes.as_slice()))
            }
            _ => None,
        })
    }

    /// Returns the number of counterfeit rows, if the form of the release allows counterfeit rows.
    pub fn n_counterfeits(&self) -> Option<u64> {
        self.find(|fact| match fact {
            Fact::Counterfeits { n_rows, .. } => Some(*n_rows),
            _ => None,
        })
    }

    /// Returns [`CountedUnit::People`] if a person may have several rows, so the principles count
    /// people in addition to rows, and [`CountedUnit::Rows`] otherwise.
    pub fn counts(&self) -> CountedUnit {
        let several = |fact: &Fact| matches!(fact, Fact::SeveralRowsPerPerson { .. });
        if self.facts.iter().any(several) { CountedUnit::People } else { CountedUnit::Rows }
    }

    /// Returns the smallest number of people in a class, as attested by the data holder, if a
    /// person may have several rows.
    pub fn people_of_class(&self) -> Option<u64> {
        self.find(|fact| match fact {
            Fact::SeveralRowsPerPerson { k, .. } => *k,
            _ => None,
        })
    }

    /// Returns the optimality of the recoding, if the certificate contains it.
    pub fn optimality(&self) -> Option<Optimality> {
        self.find(|fact| match fact {
            Fact::Recoding { optimality, .. } => *optimality,
            _ => None,
        })
    }

    /// Returns the level of each quasi-identifier, if every quasi-identifier has the same level in
    /// all rows.
    pub fn generalization_levels(&self) -> Option<&BTreeMap<String, usize>> {
        self.find(|fact| match fact {
            Fact::GeneralizationLevels { levels } => Some(levels),
            _ => None,
        })
    }

    /// Returns the level of a quasi-identifier, if all rows have the same level.
    pub fn level(&self, attribute: &str) -> Option<usize> {
        self.generalization_levels()?.get(attribute).copied()
    }

    /// Returns whether this version of Indistinct wrote the release. The report and the policy of
    /// another version are not compared as text.
    pub fn is_of_this_version(&self) -> bool {
        self.indistinct == env!("CARGO_PKG_VERSION")
    }

    /// Returns the levels of several quasi-identifiers; `None` if the level of any quasi-identifier
    /// is unknown.
    pub fn levels<'a>(&self, attributes: impl Iterator<Item = &'a str>) -> Option<Vec<usize>> {
        attributes.map(|attribute| self.level(attribute)).collect()
    }
}

/// One released column.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ReleasedColumn {
    /// The column name.
    pub name: String,
    /// The role of the column; `None` for the class column.
    pub role: Option<Role>,
}

/// JSON without duplicate keys in any object.
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
                return Err(serde::de::Error::custom("duplicate key"));
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
    fn duplicate_keys_are_rejected_at_any_depth() {
        let unambiguous = |text: &str| serde_json::from_str::<Unambiguous>(text).is_ok();
        assert!(unambiguous(r#"{"a": [1, -2, 0.5, null, true, "x", {"a": {}}], "b": {"a": 1}}"#));
        assert!(!unambiguous(r#"{"a": 1, "a": 1}"#));
        assert!(!unambiguous(r#"{"a": [{"b": 1, "c": 2, "b": 3}]}"#));
        // The second occurrence of the key `b` is written with an escape sequence.
        assert!(!unambiguous(r#"{"a": {"b": 1, "\u0062": 2}}"#));
    }
}
