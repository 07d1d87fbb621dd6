//! Warnings for the data holder, before a release is published.

/// A warning of a method, or about a table that is released.
#[derive(Debug, Clone, PartialEq)]
pub enum Warning {
    /// No principle covers a sensitive attribute.
    NotLimited {
        /// The attribute.
        attribute: String,
    },
    /// A policy names values that do not occur in the table.
    DoesNotOccur {
        /// The parameter of the principle.
        parameter: String,
        /// The attribute.
        attribute: String,
        /// The number of such values.
        n_values: usize,
        /// Each value with the most similar value that occurs; `None` if values must not be shown.
        values: Option<Vec<(String, Option<String>)>>,
    },
    /// Equal values with several spellings were unified.
    Unified {
        /// The column.
        column: String,
        /// Whether the values are numbers or texts.
        are_numbers: bool,
        /// The number of removed distinct values.
        n_values: usize,
    },
    /// A spreadsheet may execute cells as formulas.
    Formulas {
        /// The column.
        column: String,
        /// The number of distinct values.
        n_values: usize,
    },
    /// A reader may confuse sensitive values with others.
    Alike {
        /// The column.
        column: String,
        /// The number of distinct values.
        n_values: usize,
    },
    /// A plan was created from the table that is released by it.
    PlanFromItself,
    /// A plan publishes the counted combinations, or the counted values if it covers all
    /// combinations.
    PlanIsPublic {
        /// Whether the plan covers all combinations of values.
        covers_all: bool,
    },
    /// Combinations that were not counted have no class in a plan.
    PlanOfCountedCombinations,
    /// The distribution of a plan was estimated from counts, without a confidence level and without
    /// an assumed error.
    PlanFromCounts,
    /// A plan assumes that sensitive values are independent of quasi-identifiers.
    PlanAssumesIndependence,
    /// All released sensitive values are noise.
    OnlyNoise,
    /// An adversary who uses the released value has a higher risk than the principle allows.
    RiskGivenValue {
        /// The risk.
        risk: f64,
        /// The allowed risk.
        limit: f64,
    },
    /// The release claims no principle.
    NoPrinciple,
    /// Some released rows belong to no person.
    Counterfeits {
        /// The number of counterfeit rows.
        n_rows: u64,
        /// The number of released rows.
        n_released: u64,
    },
}
