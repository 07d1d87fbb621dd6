//! `certificate.json`: what anyone can recompute from the released files, and what only the holder can attest.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use indistinct_core::{Claims, CountedUnit, Role};
use serde::de::{MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};

/// The format of the certificates that this version writes.
pub const FORMAT: u32 = 1;

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
    /// What only the holder can attest.
    pub statements: Vec<Statement>,
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

    /// The statements about something, in their order.
    pub fn about<'a>(&'a self, about: &'a str) -> impl Iterator<Item = &'a Statement> {
        self.statements.iter().filter(move |statement| statement.about == about)
    }

    /// The figures of the first statement about something.
    pub fn figures(&self, about: &str) -> Option<&serde_json::Value> {
        self.statements.iter().find(|statement| statement.about == about)?.value.as_ref()
    }

    /// The rows of the release that are nobody's, where it says how many.
    pub fn n_counterfeits(&self) -> Option<u64> {
        self.figures(about::COUNTERFEITS)?.get("n_counterfeits")?.as_u64()
    }

    /// Whether people count beside the rows, since one may have several.
    pub fn counts(&self) -> CountedUnit {
        match self.figures(about::PEOPLE) {
            Some(_) => CountedUnit::People,
            None => CountedUnit::Rows,
        }
    }

    /// Among how many people of a class anybody is by the holder's statement, where it says so.
    pub fn people_of_class(&self) -> Option<u64> {
        self.figures(about::PEOPLE)?.get("k")?.as_u64()
    }

    /// The level that every row has of a quasi-identifier's hierarchy, where it says so.
    pub fn level(&self, attribute: &str) -> Option<usize> {
        usize::try_from(self.figures(about::LEVELS)?.get(attribute)?.as_u64()?).ok()
    }

    /// The same for several quasi-identifiers; `None` where one of them has no such level.
    pub fn levels<'a>(&self, attributes: impl Iterator<Item = &'a str>) -> Option<Vec<usize>> {
        attributes.map(|attribute| self.level(attribute)).collect()
    }
}

/// What statements are about. A certificate that states anything else is not one of ours: see [`ALL`](about::ALL).
pub mod about {
    /// Whom a row is about.
    pub const PEOPLE: &str = "people";
    /// What the roles of the columns are.
    pub const ROLES: &str = "roles";
    /// What the adversary is assumed to know.
    pub const ADVERSARY: &str = "adversary";
    /// How many rows may be missing or starred.
    pub const SUPPRESSION: &str = "suppression";
    /// By which method, and how good the recoding is.
    pub const RECODING: &str = "recoding";
    /// The level of each quasi-identifier.
    pub const LEVELS: &str = "levels";
    /// What released values of classes cover.
    pub const CLASSES: &str = "classes";
    /// How many cells of which column are suppressed.
    pub const CELLS: &str = "suppressed cells";
    /// How many classes cover the same.
    pub const OVERLAP: &str = "overlap";
    /// Sensitive values that are generalized.
    pub const GENERALIZED: &str = "generalized sensitive values";
    /// How many values of a sensitive attribute are generalized, and what they still tell.
    pub const GENERALIZED_VALUES: &str = "generalized values";
    /// That chance decided which rows are in a class.
    pub const SEPARATION: &str = "separation";
    /// A principle that rests on a population table.
    pub const PRESENCE: &str = "presence";
    /// Released values that are centers of classes.
    pub const CENTERS: &str = "centers";
    /// Columns with noise, and that no principle is claimed.
    pub const NOISE: &str = "noise";
    /// Released values that are noise for some rows.
    pub const PERTURBATION: &str = "perturbation";
    /// Rows that are nobody's.
    pub const COUNTERFEITS: &str = "counterfeits";
    /// Which version of a growing table it is.
    pub const VERSIONS: &str = "versions";
    /// The plan that a release is by.
    pub const PLAN: &str = "plan";
    /// Whether what a plan designates occurs.
    pub const DESIGNATED: &str = "designated values";
    /// What remains after linking with earlier releases.
    pub const LINKAGE: &str = "linkage";
    /// Columns that are published as they are.
    pub const INSENSITIVE: &str = "insensitive";
    /// Cells that a spreadsheet would run.
    pub const SPREADSHEETS: &str = "spreadsheets";
    /// Columns that look like identifiers and are published.
    pub const LOOKS_LIKE_IDENTIFIER: &str = "looks like an identifier";
    /// Direct identifiers.
    pub const IDENTIFIERS: &str = "identifiers";

    /// All that a release states something about, once at most, but for [`PRESENCE`]: once for each principle.
    pub const ALL: &[&str] = &[
        PEOPLE,
        ROLES,
        ADVERSARY,
        SUPPRESSION,
        RECODING,
        LEVELS,
        CLASSES,
        CELLS,
        OVERLAP,
        GENERALIZED,
        GENERALIZED_VALUES,
        SEPARATION,
        PRESENCE,
        CENTERS,
        NOISE,
        PERTURBATION,
        COUNTERFEITS,
        VERSIONS,
        PLAN,
        DESIGNATED,
        LINKAGE,
        INSENSITIVE,
        LOOKS_LIKE_IDENTIFIER,
        IDENTIFIERS,
        SPREADSHEETS,
    ];
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

/// Something that the released rows cannot show.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Statement {
    /// What it is about, a stable name such as `n_suppressed`.
    pub about: String,
    /// In plain words.
    pub text: String,
    /// The figure, where there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<serde_json::Value>,
    /// What its truth rests on.
    pub rests_on: String,
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
