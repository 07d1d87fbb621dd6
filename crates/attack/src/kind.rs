//! The types that describe attacks, including attacks that were not tried.

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

/// The registry entry of an attack, for answers and for the documentation.
#[derive(Debug)]
pub struct Attack {
    /// The stable name of the attack.
    pub name: &'static str,
    /// The kind of risk that the attack demonstrates.
    pub risk: RiskKind,
    /// The assumed knowledge and actions of the adversary.
    pub assumes: &'static str,
    /// The result of the attack.
    pub gets: &'static str,
    /// The principles that limit the attack.
    pub stopped_by: &'static str,
    /// Whether the attack is stable or experimental.
    pub status: Status,
    /// The publication that describes the attack.
    pub source: &'static str,
}

/// The number of affected classes and of their rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, schemars::JsonSchema)]
pub struct AffectedRows {
    /// Number of classes.
    pub n_classes: u64,
    /// Number of rows in these classes.
    pub n_rows: u64,
}

impl AffectedRows {
    /// Adds a class with this number of rows.
    pub(crate) fn add(&mut self, rows: u64) {
        self.n_classes += 1;
        self.n_rows += rows;
    }
}

/// An attack that was not tried.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct UntriedAttack {
    /// The name of the attack.
    pub attack: &'static str,
    /// The sensitive attribute that the attack targets, if any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub attribute: Option<String>,
    /// Why the attack was not tried.
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
    /// The links between original and released rows are unknown.
    RowsUnknown,
    /// The owners of the rows in each class are unknown.
    OwnersUnknown,
    /// The certificate contains no levels.
    NoLevels,
    /// This attack requires a full-domain release.
    NotFullDomain,
    /// The method is random, or its result depends on more than the table.
    NotByTableAlone,
    /// Running the method again would produce a different release.
    NotReproducible,
    /// The search reached its time limit, so its outcome is not reproducible.
    TimeLimit,
    /// The attack would have to run the method on too many tables.
    TooManyWorlds,
    /// A principle counts people or depends on a population.
    CountsPeople,
    /// Exactly one sensitive attribute is supported.
    NotOneSensitiveAttribute,
    /// Sensitive values are not released with their rows.
    SensitiveValuesApart,
    /// Some sensitive values are generalized.
    GeneralizedSensitiveValues,
    /// No sensitive value is generalized.
    NothingGeneralized,
    /// Some released sensitive values are noise.
    Noise,
    /// Some released rows are counterfeits.
    Counterfeits,
    /// Some rows are suppressed.
    SuppressedRows,
    /// The release has no rows.
    Empty,
    /// The sensitive attribute is not numeric.
    NotNumeric,
    /// The sensitive attribute has no taxonomy with inner nodes below its root.
    NoTaxonomy,
    /// All released values show which original values they cover.
    ValuesStateCoverage,
    /// Quasi-identifiers are released unchanged.
    OriginalQuasiIdentifiers,
    /// Quasi-identifiers and sensitive values are in separate files.
    SeparateFiles,
    /// Cells are escaped for spreadsheet programs.
    SpreadsheetCells,
}

impl UntriedAttack {
    /// Creates the entry for an attack that was not tried.
    pub fn new(attack: &'static Attack, attribute: Option<&str>, why: WhyUntried) -> Self {
        Self { attack: attack.name, attribute: attribute.map(str::to_owned), why }
    }
}
