//! What an attack is, and one that was not tried.

use serde::Serialize;

/// The three risks of opinion 05/2014 on anonymization techniques (Article 29 Working Party).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum RiskKind {
    /// Isolating the row of a person.
    SinglingOut,
    /// Linking the row of a person with another record of the same person.
    Linkability,
    /// Deducing the value of an attribute of a person with significant probability.
    Inference,
}

/// An attack, for people and for the documentation.
#[derive(Debug)]
pub struct Attack {
    /// A stable name.
    pub name: &'static str,
    /// The risk that it stands for.
    pub risk: RiskKind,
    /// What the adversary is assumed to know and to do.
    pub assumes: &'static str,
    /// What is computed.
    pub gets: &'static str,
    /// The principles that limit it.
    pub stopped_by: &'static str,
    /// Where it is described.
    pub source: &'static str,
}

/// Classes, and the rows in them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, schemars::JsonSchema)]
pub struct AffectedRows {
    /// Number of classes.
    pub n_classes: u64,
    /// Number of rows in them.
    pub n_rows: u64,
}

impl AffectedRows {
    /// One more class.
    pub(crate) fn add(&mut self, rows: u64) {
        self.n_classes += 1;
        self.n_rows += rows;
    }
}

/// An attack that was not tried.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct UntriedAttack {
    /// The attack's name.
    pub attack: &'static str,
    /// The sensitive attribute, where it is about one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub attribute: Option<String>,
    /// Why.
    pub why: String,
}

impl UntriedAttack {
    /// An attack that was not tried, and why.
    pub fn new(attack: &'static Attack, attribute: Option<&str>, why: &str) -> Self {
        Self { attack: attack.name, attribute: attribute.map(str::to_owned), why: why.to_owned() }
    }
}
