//! What `verify` checks, and what it finds.

use indistinct_core::PrincipleClaim;
use serde::Serialize;

use crate::error::PlanColumnMismatch;

/// One thing that was checked.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct Check {
    /// What was checked.
    #[serde(flatten)]
    pub about: Subject,
    /// Whether it is as claimed.
    pub holds: bool,
    /// What is not as claimed; no cell of the table.
    pub differences: Vec<Difference>,
    /// The version of Indistinct that wrote the file, if this version could not compare it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub not_compared: Option<String>,
}

impl Check {
    /// A check that holds if there is no difference.
    pub fn new(about: Subject, differences: Vec<Difference>) -> Self {
        Self { about, holds: differences.is_empty(), differences, not_compared: None }
    }

    /// A file that another version wrote, which this version cannot compare.
    pub fn not_compared(about: Subject, written_by: String) -> Self {
        Self { not_compared: Some(written_by), ..Self::new(about, Vec::new()) }
    }
}

/// What a [`Check`] is about.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[serde(tag = "about", rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Subject {
    /// The files of the release directory and their digests.
    Files,
    /// The released policy against the certificate.
    Policy,
    /// The facts of the certificate against the policy.
    Facts,
    /// Reading the released rows.
    Rows,
    /// Evaluating the principles.
    Principles,
    /// Generalized sensitive values.
    GeneralizedValues,
    /// Pairs of classes that overlap.
    Overlap,
    /// The released labels against the published hierarchies.
    Labels,
    /// Cells that were suppressed.
    SuppressedCells,
    /// The class column against the released values.
    ClassColumn,
    /// The numbers of rows and classes.
    Counts,
    /// The risks of re-identification.
    Risk,
    /// What two separate tables no longer show.
    ReconstructionError,
    /// A principle.
    Principle {
        /// Its name.
        principle: String,
        /// Its sensitive attribute.
        #[serde(skip_serializing_if = "Option::is_none")]
        attribute: Option<String>,
    },
    /// Presence in a population.
    Population,
    /// Rows that are about nobody.
    Counterfeits,
    /// Centers of classes.
    Centers,
    /// Noise in quasi-identifiers.
    Noise,
    /// Perturbed sensitive values.
    Perturbation,
    /// The plan that the release follows.
    Plan,
    /// The report.
    Report,
}

impl Subject {
    /// The principle of a claim.
    pub fn principle(claim: &PrincipleClaim) -> Self {
        Self::Principle { principle: claim.kind.clone(), attribute: claim.attribute.clone() }
    }
}

/// Something that is not as the certificate claims.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
#[serde(tag = "difference", rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Difference {
    /// A name that leads to something else than a regular file.
    NotRegularFile {
        /// The name.
        file: String,
        /// What is in its place.
        found: String,
    },
    /// A path that leads out of the release directory.
    PathOutside {
        /// The path.
        file: String,
    },
    /// A file with another SHA-256 digest.
    FileChanged {
        /// Its name.
        file: String,
    },
    /// A file that is missing or cannot be read.
    FileMissing {
        /// Its name.
        file: String,
    },
    /// A file that the certificate does not list.
    FileUnexpected {
        /// Its name.
        file: String,
    },
    /// A file that the release must have by its policy, and that the certificate does not list.
    FileNotCertified {
        /// Its name.
        file: String,
    },
    /// A file that the certificate lists, and that the release must not have by its policy.
    FileNotInPolicy {
        /// Its name.
        file: String,
    },
    /// Something that cannot be read or evaluated.
    Error {
        /// The title of the error.
        message: String,
    },
    /// The certificate claims other principles than the policy requires.
    OtherPrinciples,
    /// A column with another role in the policy.
    OtherRole {
        /// The column.
        column: String,
    },
    /// A released column of the policy that the certificate does not list.
    ColumnMissing {
        /// The column.
        column: String,
    },
    /// A fact that the policy does not admit.
    FactNotAdmitted {
        /// The name of the fact.
        fact: String,
    },
    /// A fact that is stated more than once.
    FactRepeated {
        /// The name of the fact.
        fact: String,
    },
    /// A fact that must be stated and is not.
    FactMissing {
        /// The name of the fact.
        fact: String,
    },
    /// A fact that is not what the released files show.
    FactDiffers {
        /// The name of the fact.
        fact: String,
    },
    /// Facts on presence in a population that are not those of the principles of the policy.
    OtherPresence,
    /// The number of pairs of classes that overlap.
    OverlappingPairs {
        /// As claimed.
        claimed: u64,
        /// As recomputed.
        found: u64,
    },
    /// A published hierarchy that cannot be read.
    HierarchyUnreadable {
        /// The column.
        column: String,
    },
    /// Released labels that the published hierarchy does not have.
    LabelsNotInHierarchy {
        /// The column.
        column: String,
        /// How many labels.
        n_labels: u64,
    },
    /// Labels of the published hierarchy that no released row has.
    LabelsNotInColumn {
        /// The column.
        column: String,
        /// How many labels.
        n_labels: u64,
    },
    /// Rows with the same class number and different released values.
    MixedClasses,
    /// A count of the released rows.
    Count {
        /// What is counted: `n_released`, `n_classes` or `smallest_class`.
        count: &'static str,
        /// As claimed.
        claimed: Option<u64>,
        /// As recomputed.
        found: Option<u64>,
    },
    /// The numbers of classes of each size.
    ClassSizes,
    /// A risk of re-identification.
    Risk {
        /// The name of the risk in the certificate.
        risk: &'static str,
        /// As claimed.
        claimed: Option<f64>,
        /// As recomputed.
        found: Option<f64>,
    },
    /// The number of principles.
    PrincipleCount {
        /// As claimed.
        claimed: u64,
        /// As recomputed.
        found: u64,
    },
    /// What two separate tables no longer show.
    ReconstructionError {
        /// As claimed.
        claimed: Option<f64>,
        /// As recomputed.
        found: Option<f64>,
    },
    /// Classes in which a principle fails.
    PrincipleFails {
        /// How many classes.
        n_classes: u64,
        /// Their rows.
        n_rows: u64,
    },
    /// The claim of a principle is not the recomputed one.
    ClaimDiffers,
    /// The claim of a principle has other levels than the recomputed one.
    OtherLevels,
    /// A level of a principle is not the recomputed one.
    LevelDiffers {
        /// The name of the level.
        level: String,
    },
    /// The release claims nothing about presence in a population.
    NoPresence,
    /// The number of sensitive attributes is not 1.
    SensitiveAttributeCount {
        /// How many there are.
        found: u64,
    },
    /// The probability of retention is not a probability in millionths.
    RetentionProbability,
    /// A risk is above what its principle allows.
    RiskAboveLimit,
    /// The risk is not the largest of those of the principles.
    RiskNotLargest,
    /// Risks contradict each other.
    RisksContradict,
    /// A fact names other principles than the policy.
    FactOnOtherPrinciples {
        /// The name of the fact.
        fact: String,
    },
    /// A fact is about another sensitive attribute.
    FactOnOtherAttribute {
        /// The name of the fact.
        fact: String,
    },
    /// The policy has no domain of sensitive values.
    NoDomain,
    /// Rows with sensitive values outside the domain.
    OutsideDomain {
        /// How many rows.
        n_rows: u64,
    },
    /// The number of values that noise was drawn from is not that of the domain.
    DomainSize {
        /// As claimed.
        claimed: u64,
        /// Of the domain, without missing values.
        found: u64,
    },
    /// The counterfeits of all classes together.
    CounterfeitSum {
        /// As claimed for the release.
        claimed: u64,
        /// As claimed for its classes.
        found: u64,
    },
    /// Counterfeits are claimed for classes that have no rows.
    CounterfeitsWithoutClass {
        /// How many classes.
        n_classes: u64,
    },
    /// Classes of counterfeits alone.
    OnlyCounterfeits {
        /// How many classes.
        n_classes: u64,
    },
    /// A class is listed with 0 counterfeits.
    NoCounterfeits,
    /// Released values that are not numbers, in a column of numbers.
    NotNumbers {
        /// The column.
        column: String,
        /// How many values.
        n_values: u64,
    },
    /// A release with noise claims principles.
    PrinciplesOfNoise,
    /// The columns of the plan are not those of the policy.
    PlanColumns {
        /// What differs.
        #[serde(flatten)]
        mismatch: PlanColumnMismatch,
    },
    /// The release has no class column.
    NoClassColumn,
    /// The release has fewer rows than its plan requires.
    TooFewRows {
        /// Rows of the release.
        n_rows: u64,
        /// Rows that the plan requires.
        n_required: u64,
    },
    /// The policy does not require the l of the plan.
    PlanNotRequired,
    /// Rows in classes that the plan does not have.
    OutsidePlanClasses {
        /// How many rows.
        n_rows: u64,
    },
    /// Rows with sensitive values that the plan does not have.
    OutsidePlanValues {
        /// How many rows.
        n_rows: u64,
    },
    /// Released values of a column that do not cover what their classes cover by the plan.
    PlanNotCovered {
        /// The column.
        column: String,
    },
    /// Files of the report that are not what this version writes for the released files.
    ReportDiffers {
        /// The files.
        files: Vec<String>,
        /// The version of Indistinct that wrote the release.
        written_by: String,
    },
}

impl Difference {
    /// The titles of an error, at least one.
    pub fn errors(error: &crate::ReleaseError) -> Vec<Self> {
        let mut titles = error.texts();
        if titles.is_empty() {
            titles.push(error.to_string());
        }
        titles.into_iter().map(|message| Self::Error { message }).collect()
    }
}

/// Equal up to what another machine's logarithm, or a number's way through a text, may differ by.
pub(crate) fn same_number(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-9 * a.abs().max(1.0)
}
