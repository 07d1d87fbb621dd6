//! The checks of `verify` and the differences that the checks report.

use indistinct_core::PrincipleClaim;
use serde::Serialize;

use crate::error::PlanColumnMismatch;

/// The result of one check.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct Check {
    /// The subject of the check.
    #[serde(flatten)]
    pub about: Subject,
    /// Whether the release matches the claim.
    pub holds: bool,
    /// The differences from the claims. Differences never contain values from the table.
    pub differences: Vec<Difference>,
    /// The version of Indistinct that wrote the file, if this version could not compare the file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub not_compared: Option<String>,
    /// The columns that were not checked, because the certificate has no digest of their values.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unchecked: Vec<String>,
}

impl Check {
    /// Creates a check that holds if the list of differences is empty.
    pub fn new(about: Subject, differences: Vec<Difference>) -> Self {
        let holds = differences.is_empty();
        Self { about, holds, differences, not_compared: None, unchecked: Vec::new() }
    }

    /// Creates a check for a file that this version cannot compare because another version wrote
    /// it.
    pub fn not_compared(about: Subject, written_by: String) -> Self {
        Self { not_compared: Some(written_by), ..Self::new(about, Vec::new()) }
    }

    /// Creates a check without differences that did not include the given columns.
    pub fn unchecked(about: Subject, unchecked: Vec<String>) -> Self {
        Self { unchecked, ..Self::new(about, Vec::new()) }
    }
}

/// The subject of a [`Check`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[serde(tag = "about", rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Subject {
    /// The files of the release directory and their digests.
    Files,
    /// The comparison of the released policy with the certificate.
    Policy,
    /// The comparison of the policy text with the canonical form that Indistinct writes.
    PolicyText,
    /// The comparison of the facts of the certificate with the policy.
    Facts,
    /// Reading the released rows.
    Rows,
    /// Evaluating the principles.
    Principles,
    /// Generalized sensitive values.
    GeneralizedValues,
    /// Pairs of overlapping classes.
    Overlap,
    /// The comparison of the released labels with the published hierarchies.
    Labels,
    /// Suppressed cells.
    SuppressedCells,
    /// Unique rows.
    UniqueRows,
    /// The comparison of rows in a database with their digest.
    TableRows,
    /// Coarsened attributes.
    CoarsenedAttributes,
    /// The comparison of the class column with the released values.
    ClassColumn,
    /// The numbers of rows and classes.
    Counts,
    /// The risks of re-identification.
    Risk,
    /// The reconstruction error of a release in two tables.
    ReconstructionError,
    /// A principle.
    Principle {
        /// The name of the principle.
        principle: String,
        /// The sensitive attribute of the principle.
        #[serde(skip_serializing_if = "Option::is_none")]
        attribute: Option<String>,
    },
    /// Presence in a population.
    Population,
    /// Counterfeit rows, which do not describe a person.
    Counterfeits,
    /// Centers of classes.
    Centers,
    /// Noise in quasi-identifiers.
    Noise,
    /// Perturbed sensitive values.
    Perturbation,
    /// The plan that the release follows.
    Plan,
    /// The classes, compared with regions of the published hierarchies.
    Regions,
    /// The report.
    Report,
}

impl Subject {
    /// Returns the subject for a claim about a principle.
    pub fn principle(claim: &PrincipleClaim) -> Self {
        Self::Principle { principle: claim.kind.clone(), attribute: claim.attribute.clone() }
    }
}

/// A difference between the release and its certificate.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
#[serde(tag = "difference", rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Difference {
    /// A file name that does not refer to a regular file.
    NotRegularFile {
        /// The file name.
        file: String,
        /// The kind of file found under this name.
        found: String,
    },
    /// A path outside the release directory.
    PathOutside {
        /// The path.
        file: String,
    },
    /// A file with a different SHA-256 digest.
    FileChanged {
        /// The file name.
        file: String,
    },
    /// Rows in a database with a different digest.
    RowsChanged,
    /// A file that is missing or cannot be read.
    FileMissing {
        /// The file name.
        file: String,
    },
    /// A file that the certificate does not list.
    FileUnexpected {
        /// The file name.
        file: String,
    },
    /// A file that the policy requires but the certificate does not list.
    FileNotCertified {
        /// The file name.
        file: String,
    },
    /// A file that the certificate lists but the policy does not allow.
    FileNotInPolicy {
        /// The file name.
        file: String,
    },
    /// An error that prevented reading a file or evaluating a value.
    Error {
        /// The title of the error.
        message: String,
    },
    /// The principles in the certificate differ from those that the policy requires.
    OtherPrinciples,
    /// A column whose role in the certificate differs from the role in the policy.
    OtherRole {
        /// The column.
        column: String,
    },
    /// A column that the policy releases but the certificate does not list.
    ColumnMissing {
        /// The column.
        column: String,
    },
    /// A fact that is not allowed under the policy.
    FactNotAdmitted {
        /// The name of the fact.
        fact: String,
    },
    /// A fact that is stated more than once.
    FactRepeated {
        /// The name of the fact.
        fact: String,
    },
    /// A required fact that is missing.
    FactMissing {
        /// The name of the fact.
        fact: String,
    },
    /// A fact that contradicts the released files.
    FactDiffers {
        /// The name of the fact.
        fact: String,
    },
    /// The facts about presence in a population do not match the principles of the policy.
    OtherPresence,
    /// The number of pairs of overlapping classes.
    OverlappingPairs {
        /// The claimed number.
        claimed: u64,
        /// The recomputed number.
        found: u64,
    },
    /// A published hierarchy that cannot be read.
    HierarchyUnreadable {
        /// The column.
        column: String,
    },
    /// A published hierarchy that is inconsistent or not in the canonical form that
    /// Indistinct writes.
    HierarchyNotCanonical {
        /// The column.
        column: String,
    },
    /// A released policy that is not in the canonical form that Indistinct writes.
    PolicyNotCanonical,
    /// Released labels that are missing from the published hierarchy.
    LabelsNotInHierarchy {
        /// The column.
        column: String,
        /// The number of labels.
        n_labels: u64,
    },
    /// Labels of the published hierarchy that do not occur in the released rows.
    LabelsNotInColumn {
        /// The column.
        column: String,
        /// The number of labels.
        n_labels: u64,
    },
    /// Rows with the same class number but different released values.
    MixedClasses,
    /// A count of the released rows.
    Count {
        /// The name of the count: `n_released`, `n_classes`, or `smallest_class`.
        count: &'static str,
        /// The claimed count.
        claimed: Option<u64>,
        /// The recomputed count.
        found: Option<u64>,
    },
    /// The number of classes of each size.
    ClassSizes,
    /// A risk of re-identification.
    Risk {
        /// The name of the risk in the certificate.
        risk: &'static str,
        /// The claimed risk.
        claimed: Option<f64>,
        /// The recomputed risk.
        found: Option<f64>,
    },
    /// The number of principles.
    PrincipleCount {
        /// The claimed number.
        claimed: u64,
        /// The recomputed number.
        found: u64,
    },
    /// The reconstruction error of a release in two tables.
    ReconstructionError {
        /// The claimed error.
        claimed: Option<f64>,
        /// The recomputed error.
        found: Option<f64>,
    },
    /// Classes that violate a principle.
    PrincipleFails {
        /// The number of classes.
        n_classes: u64,
        /// The number of rows in these classes.
        n_rows: u64,
    },
    /// The claim about a principle differs from the recomputed claim.
    ClaimDiffers,
    /// The levels in the claim about a principle differ from those in the recomputed claim.
    OtherLevels,
    /// The level of a principle differs from the recomputed level.
    LevelDiffers {
        /// The name of the level.
        level: String,
    },
    /// The release makes no claim about presence in a population.
    NoPresence,
    /// The number of sensitive attributes is not 1.
    SensitiveAttributeCount {
        /// The number of sensitive attributes found.
        found: u64,
    },
    /// The retention probability is not between 0 and 1, or is not a multiple of one millionth.
    RetentionProbability,
    /// A risk exceeds the limit set by its principle.
    RiskAboveLimit,
    /// The stated risk differs from the largest risk of all principles.
    RiskNotLargest,
    /// The stated risks contradict each other.
    RisksContradict,
    /// A fact refers to principles that differ from those of the policy.
    FactOnOtherPrinciples {
        /// The name of the fact.
        fact: String,
    },
    /// A fact concerns a different sensitive attribute.
    FactOnOtherAttribute {
        /// The name of the fact.
        fact: String,
    },
    /// The policy does not specify a domain of sensitive values.
    NoDomain,
    /// Rows with sensitive values outside the domain.
    OutsideDomain {
        /// The number of rows.
        n_rows: u64,
    },
    /// The number of values from which noise was drawn differs from the size of the domain.
    DomainSize {
        /// The claimed number of values.
        claimed: u64,
        /// The size of the domain, without missing values.
        found: u64,
    },
    /// The total number of counterfeit rows.
    CounterfeitSum {
        /// The number claimed for the release.
        claimed: u64,
        /// The sum of the numbers claimed for the classes.
        found: u64,
    },
    /// The release claims counterfeit rows for classes that contain no rows.
    CounterfeitsWithoutClass {
        /// The number of classes.
        n_classes: u64,
    },
    /// Classes that contain only counterfeit rows.
    OnlyCounterfeits {
        /// The number of classes.
        n_classes: u64,
    },
    /// The classes are not regions that divisions by the published hierarchies produce.
    NotRegions,
    /// A class is listed with zero counterfeit rows.
    NoCounterfeits,
    /// Released values that are not numbers, in a numeric column.
    NotNumbers {
        /// The column.
        column: String,
        /// The number of values.
        n_values: u64,
    },
    /// Released values that coarsening cannot produce.
    NotCoarsened {
        /// The column.
        column: String,
        /// The number of distinct values.
        n_values: u64,
    },
    /// A release with noise claims to satisfy principles.
    PrinciplesOfNoise,
    /// The columns of the plan differ from those of the policy.
    PlanColumns {
        /// The difference.
        #[serde(flatten)]
        mismatch: PlanColumnMismatch,
    },
    /// The release has no class column.
    NoClassColumn,
    /// The release has fewer rows than its plan requires.
    TooFewRows {
        /// The number of rows in the release.
        n_rows: u64,
        /// The number of rows that the plan requires.
        n_required: u64,
    },
    /// The policy does not require the value of l for which the plan was created.
    PlanNotRequired,
    /// Rows in classes that do not exist in the plan.
    OutsidePlanClasses {
        /// The number of rows.
        n_rows: u64,
    },
    /// Rows with sensitive values that do not occur in the plan.
    OutsidePlanValues {
        /// The number of rows.
        n_rows: u64,
    },
    /// Some released values of a column do not cover the values that the plan assigns to their
    /// class.
    PlanNotCovered {
        /// The column.
        column: String,
    },
    /// Files of the report that differ from the report that this version of Indistinct generates
    /// for the same release.
    ReportDiffers {
        /// The files.
        files: Vec<String>,
        /// The version of Indistinct that wrote the release.
        written_by: String,
    },
}

impl Difference {
    /// Converts an error to a list of differences, one for each error title.
    pub fn errors(error: &crate::ReleaseError) -> Vec<Self> {
        let mut titles = error.texts();
        if titles.is_empty() {
            titles.push(error.to_string());
        }
        titles.into_iter().map(|message| Self::Error { message }).collect()
    }
}

/// Compares two numbers and tolerates the effects of rounding in text and of platform-dependent
/// logarithms.
pub(crate) fn same_number(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-9 * a.abs().max(1.0)
}
