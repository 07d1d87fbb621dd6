//! The errors of attacks.

use indistinct_diagnostics::{codes, words};

/// An error in a request for an attack, or in a table of people.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum AttackError {
    /// The register contains no quasi-identifier of the release.
    #[error("the register contains no quasi-identifier of the release: {}", missing.join(", "))]
    RegisterColumns {
        /// The quasi-identifiers of the release.
        missing: Vec<String>,
    },
    /// The prior lacks required columns.
    #[error("the prior lacks {}: {}", if missing.len() == 1 { "a column" } else { "columns" }, missing.join(", "))]
    PriorColumns {
        /// The missing columns.
        missing: Vec<String>,
    },
    /// The requested minimum is invalid.
    #[error("invalid minimum '{got}': expected class=N, statements=N, interval=SHARE, shared=SHARE, or one of {}", known.join(", "))]
    NotAMinimum {
        /// The requested minimum, as written.
        got: String,
        /// The names of the known thresholds.
        known: Vec<&'static str>,
    },
    /// Released labels cannot be interpreted without the data holder's hierarchies.
    #[error(
        "cannot interpret {} of '{attribute}' without the data holder's hierarchies",
        words::count(*n_labels as u64, "released label")
    )]
    Labels {
        /// The name of the quasi-identifier.
        attribute: String,
        /// Number of labels that cannot be interpreted.
        n_labels: usize,
    },
    /// Some rows of the prior have no valid weight.
    #[error(
        "column '{column}' contains no valid weights in {}",
        words::rows(*n_rows)
    )]
    Weights {
        /// The name of the weight column.
        column: String,
        /// Number of rows without a valid weight.
        n_rows: u64,
    },
}

codes! {
    AttackError {
        Self::RegisterColumns { .. } => "E-ATTACK-001",
            "the register contains no quasi-identifier of the release",
            "use a register with at least one quasi-identifier of the release, under the same name \
             and with raw values";
        Self::Labels { .. } => "E-ATTACK-002",
            "released labels cannot be interpreted without the data holder's hierarchies",
            "specify the policy that created the release: --policy FILE";
        Self::PriorColumns { .. } => "E-ATTACK-003", "the prior lacks required columns",
            "use a prior with every quasi-identifier of the release (raw values, same names), at \
             least one sensitive attribute, and the column of --prior-weight";
        Self::Weights { .. } => "E-ATTACK-004", "the weights of the prior are invalid",
            "use weights from 0 to 1,000,000,000,000 with at most 12 decimal places, at least one \
             of them above 0";
        Self::NotAMinimum { .. } => "E-ATTACK-005", "the minimum for `attack` is invalid",
            "use a minimum such as --minimum class=11, --minimum statements=2, or --minimum \
             ema-0.09";
    }
}
