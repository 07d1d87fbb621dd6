//! What an attack is, and one that was not tried.

use indistinct_core::Status;
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
    /// Whether it is stable.
    pub status: Status,
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
    pub why: WhyUntried,
}

/// Why an attack was not tried.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum WhyUntried {
    /// No table of the population was given.
    NoPopulation,
    /// No register was given.
    NoRegister,
    /// The original was not given.
    NoOriginal,
    /// The population lacks the sensitive attribute.
    NotInPopulation,
    /// It is unknown which released row each row of the original became.
    RowsUnknown,
    /// It is unknown which person each row of a class belongs to.
    OwnersUnknown,
    /// The certificate contains no levels.
    NoLevels,
    /// Only full-domain releases are attacked this way.
    NotFullDomain,
    /// The method is random, or its outcome depends on more than the table.
    NotByTableAlone,
    /// The method, run again, gives another release.
    NotReproducible,
    /// The search reached its time limit, so that its outcome is not reproducible.
    TimeLimit,
    /// The method would have to run on too many tables.
    TooManyWorlds,
    /// A principle counts people or depends on a population.
    CountsPeople,
    /// Exactly one sensitive attribute is supported.
    NotOneSensitiveAttribute,
    /// Sensitive values are not released with their rows.
    SensitiveValuesApart,
    /// Sensitive values are generalized.
    GeneralizedSensitiveValues,
    /// No sensitive value is generalized.
    NothingGeneralized,
    /// Some released sensitive values are noise.
    Noise,
    /// Some released rows are counterfeits.
    Counterfeits,
    /// Rows are suppressed.
    SuppressedRows,
    /// The release has no rows.
    Empty,
    /// The sensitive attribute is not numeric.
    NotNumeric,
    /// The sensitive attribute has no taxonomy with inner nodes below its root.
    NoTaxonomy,
    /// Released values state which original values they cover.
    ValuesStateCoverage,
    /// Quasi-identifiers are released unchanged.
    OriginalQuasiIdentifiers,
    /// Quasi-identifiers and sensitive values are in separate files.
    SeparateFiles,
    /// Cells are escaped for spreadsheets.
    SpreadsheetCells,
}

impl UntriedAttack {
    /// An attack that was not tried, and why.
    pub fn new(attack: &'static Attack, attribute: Option<&str>, why: WhyUntried) -> Self {
        Self { attack: attack.name, attribute: attribute.map(str::to_owned), why }
    }
}
