//! The answer of `attack`: the findings of the attacks, and the attacks that were not tried.

use std::collections::BTreeMap;

use indistinct_core::CountedUnit;
use serde::Serialize;

use crate::LabelsReadBy;
use crate::finding::{Attack, Finding, Severity};
use crate::threshold::{MinimumMet, ThresholdCheck};

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
    /// No table of the population was specified.
    NoPopulation,
    /// No register was specified.
    NoRegister,
    /// The original table was not specified.
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
    /// The method is randomized, or its result depends on inputs other than the table.
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
    /// The text of each released value already states
    /// which original values the released value covers.
    ValuesStateCoverage,
    /// Quasi-identifiers are released unchanged.
    OriginalQuasiIdentifiers,
    /// Quasi-identifiers are released unchanged, so there are no labels.
    NoLabels,
    /// The labels of a quasi-identifier cover too many values.
    TooManyValues,
    /// The original values that the labels of the quasi-identifiers cover are unknown.
    ValuesUnknown,
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

/// The findings of the known attacks on a release.
#[derive(Debug, Clone, Serialize, schemars::JsonSchema)]
pub struct AttackAnswer {
    /// Number of released rows.
    pub n_rows: u64,
    /// Number of classes that an adversary can distinguish, or the number of quasi-identifier
    /// combinations if sensitive values are published only by class.
    pub n_classes: u64,
    /// Number of rows in the smallest class; `None` if the release is empty.
    pub smallest_class: Option<u64>,
    /// Number of rows that are unique in their class.
    pub n_unique: u64,
    /// The unit that the principles count. If the unit is people, one person may have several rows.
    pub counts: CountedUnit,
    /// Whether the original was available.
    pub with_original: bool,
    /// The requested thresholds.
    pub thresholds: Vec<ThresholdCheck>,
    /// The required minima.
    pub minima: Vec<MinimumMet>,
    /// The findings of the attacks.
    pub findings: Vec<Finding>,
    /// The attacks that were not tried.
    pub not_tried: Vec<UntriedAttack>,
    /// For each quasi-identifier, how its released labels were compared with original values in the
    /// register or the population.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub labels_read_by: BTreeMap<String, LabelsReadBy>,
}

impl AttackAnswer {
    /// Returns the findings that disclose something, most severe first.
    pub fn ranked(&self) -> Vec<(&Finding, Severity)> {
        let all = self.findings.iter().map(|it| (it, it.figures.severity(self.n_rows)));
        let mut ranked: Vec<(&Finding, Severity)> =
            all.filter(|(_, severity)| !severity.is_none()).collect();
        // The sort is stable, so equally severe findings keep the order of the documentation.
        ranked.sort_by(|a, b| b.1.partial_cmp(&a.1).unwrap_or(std::cmp::Ordering::Equal));
        ranked
    }

    /// Returns whether all required minima are met.
    pub fn holds(&self) -> bool {
        self.minima.iter().all(|minimum| minimum.holds)
    }
}
