//! `certificate.json`: what anyone can recompute from the released files, and what only the holder can attest.

use std::collections::BTreeMap;

use indistinct_core::{Claims, Role};
use serde::{Deserialize, Serialize};

/// The format of the certificates that this version writes.
pub const FORMAT: u32 = 1;

/// The certificate of a release.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
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
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReleaseClaims {
    /// What the released rows hold.
    pub rows: Claims,
    /// The released columns, in their order.
    pub columns: Vec<ReleasedColumn>,
    /// Where quasi-identifiers and secrets are in two tables that only the class joins: the sum over all rows of the squared
    /// distance between a row's secret and the distribution of secrets in its class.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reconstruction_error: Option<f64>,
    /// SHA-256 of every file of the release but this one, in hexadecimal digits, by path within the
    /// directory.
    pub sha256: BTreeMap<String, String>,
}

impl Certificate {
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

    /// The level that every row has of a quasi-identifier's hierarchy, where it says so.
    pub fn level(&self, attribute: &str) -> Option<usize> {
        usize::try_from(self.figures(about::LEVELS)?.get(attribute)?.as_u64()?).ok()
    }

    /// The same for several quasi-identifiers; `None` where one of them has no such level.
    pub fn levels<'a>(&self, attributes: impl Iterator<Item = &'a str>) -> Option<Vec<usize>> {
        attributes.map(|attribute| self.level(attribute)).collect()
    }
}

/// What statements are about that somebody reads back.
pub mod about {
    /// How many rows may be missing or starred.
    pub const SUPPRESSION: &str = "suppression";
    /// By which method, and how good the recoding is.
    pub const RECODING: &str = "recoding";
    /// The level of each quasi-identifier.
    pub const LEVELS: &str = "levels";
    /// A principle that rests on a population table.
    pub const PRESENCE: &str = "presence";
    /// Released values that are noise for some rows.
    pub const PERTURBATION: &str = "perturbation";
    /// Rows that are nobody's.
    pub const COUNTERFEITS: &str = "counterfeits";
    /// The plan that a release is by.
    pub const PLAN: &str = "plan";
    /// Whether what a plan designates occurs.
    pub const DESIGNATED: &str = "designated secrets";
}

/// One released column.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReleasedColumn {
    /// Its name.
    pub name: String,
    /// What it is to the person behind a row; `None` for the class column.
    pub role: Option<Role>,
}

/// Something that the released rows cannot show.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
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
