//! Why an attack cannot be tried as asked.

use indistinct_diagnostics::{codes, words};

/// A request that makes no sense, or a table of people that does not go with the release.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum AttackError {
    /// A register without quasi-identifiers of the release.
    #[error("the register lacks {}: {}", if missing.len() == 1 { "a quasi-identifier" } else { "quasi-identifiers" }, missing.join(", "))]
    RegisterColumns {
        /// Those that it lacks.
        missing: Vec<String>,
    },
    /// A prior without columns that it needs.
    #[error("the prior lacks {}: {}", if missing.len() == 1 { "a column" } else { "columns" }, missing.join(", "))]
    PriorColumns {
        /// Those that it lacks.
        missing: Vec<String>,
    },
    /// The minimum is invalid of what an attack may find.
    #[error("'{got}' is no minimum: expected class=N, statements=N, interval=SHARE or one of {}", known.join(", "))]
    NotAMinimum {
        /// The text.
        got: String,
        /// The thresholds that have a name.
        known: Vec<&'static str>,
    },
    /// Released labels that cannot be read without the holder's hierarchies.
    #[error(
        "{} of '{attribute}' cannot be compared with raw values: neither a value, a range, a set, a mask nor a part of a date",
        words::count(*n_labels as u64, "released label")
    )]
    Labels {
        /// The attribute.
        attribute: String,
        /// How many labels.
        n_labels: usize,
    },
    /// Lines of a prior that are not weighted.
    #[error(
        "'{column}' does not say of {} how frequent they are, or of all together",
        words::rows(*n_rows)
    )]
    Weights {
        /// The column of weights.
        column: String,
        /// How many rows.
        n_rows: u64,
    },
}

codes! {
    AttackError {
        Self::RegisterColumns { .. } => "E-ATTACK-001", "a register without quasi-identifiers of the release",
            "the register needs every quasi-identifier of the release, under the same name and with raw values";
        Self::Labels { .. } => "E-ATTACK-002", "released labels that cannot be read without the holder's hierarchies",
            "give the policy that the release was made with: --policy FILE";
        Self::PriorColumns { .. } => "E-ATTACK-003", "a prior without the columns that it needs",
            "the prior needs every quasi-identifier of the release, with raw values, at least one sensitive attribute, and the column of --prior-weight, under the same names";
        Self::Weights { .. } => "E-ATTACK-004", "the weights of the prior are invalid",
            "weights are numbers from 0 to 1,000,000,000,000 with at most 12 digits behind the point, not all of them 0";
        Self::NotAMinimum { .. } => "E-ATTACK-005", "the minimum for `attack` is invalid",
            "for example --minimum class=11, --minimum statements=2 or --minimum ema-0.09";
    }
}
