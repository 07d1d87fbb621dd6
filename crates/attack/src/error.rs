//! The errors of attacks.

use indistinct_diagnostics::{errors, words};

errors! {
    /// An error in a request for an attack, or in a table of people.
    #[derive(Clone, PartialEq, Eq)]
    #[non_exhaustive]
    pub enum AttackError {
        /// The register contains no quasi-identifier of the release.
        #[error("the register contains no quasi-identifier of the release: {}", missing.join(", "))]
        #[code("E-ATTACK-001", "use a register with at least one quasi-identifier of the release, \
                under the same name and with raw values")]
        RegisterColumns {
            /// The quasi-identifiers of the release.
            missing: Vec<String>,
        },
        /// The prior lacks required columns.
        #[error(
            "the prior lacks {}: {}",
            if missing.len() == 1 { "a column" } else { "columns" }, missing.join(", ")
        )]
        #[code("E-ATTACK-003", "use a prior with every quasi-identifier of the release (raw \
                values, same names), at least one sensitive attribute, and the column of \
                --prior-weight")]
        PriorColumns {
            /// The missing columns.
            missing: Vec<String>,
        },
        /// The minimum for `attack` is invalid.
        #[error(
            "invalid minimum '{got}': expected class=N, statements=N, interval=SHARE, \
             shared=SHARE, predicates=N, lift=SHARE, or one of {}",
            known.join(", ")
        )]
        #[code("E-ATTACK-005", "use a minimum such as --minimum class=11, --minimum statements=2, \
                or --minimum ema-0.09")]
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
        #[code("E-ATTACK-002", "specify the policy that created the release: --policy FILE")]
        Labels {
            /// The name of the quasi-identifier.
            attribute: String,
            /// Number of labels that cannot be interpreted.
            n_labels: usize,
        },
        /// The weights of the prior are invalid.
        #[error(
            "column '{column}' contains no valid weights in {}",
            words::rows(*n_rows)
        )]
        #[code("E-ATTACK-004", "use weights from 0 to 1,000,000,000,000 with at most 12 decimal \
                places, at least one of them above 0")]
        Weights {
            /// The name of the weight column.
            column: String,
            /// Number of rows without a valid weight.
            n_rows: u64,
        },
    }
}
