//! The errors of measures.

use indistinct_diagnostics::{errors, words};

errors! {
    /// The reason why a measure cannot be computed.
    #[derive(Clone, PartialEq)]
    #[non_exhaustive]
    pub enum Error {
        /// A parameter is outside its range.
        #[error("dimension is {got}, expected a value from 1 to {most}")]
        #[code("E-MEASURE-001", "use a value within the range given in the message")]
        Dimension {
            /// The requested number.
            got: usize,
            /// The largest number.
            most: usize,
        }
        |
        /// The volume of a query is out of range.
        #[error("volume is {got}, expected a value above 0 and at most 1")]
        Volume {
            /// The requested volume.
            got: f64,
        },
        /// The release does not have the attribute.
        #[error(
            "the release has no attribute '{name}' among its quasi-identifiers and sensitive \
             attributes"
        )]
        #[code("E-MEASURE-002", "specify a quasi-identifier or a sensitive attribute of the \
                release")]
        NoSuchAttribute {
            /// The name of the attribute.
            name: String,
        },
        /// Weights are stated for values that are not base values of the attribute.
        #[error(
            "{} not a base value of '{attribute}'",
            words::counted(
                *n_values,
                "weight is stated for a value that is",
                "weights are stated for values that are"
            )
        )]
        #[code("E-MEASURE-003", "state weights for base values of the sensitive attribute, with \
                the same spelling as in the release")]
        WeightsOfOtherValues {
            /// The sensitive attribute.
            attribute: String,
            /// The number of values.
            n_values: u64,
        },
    }
    cancelled {
        /// The observer cancelled the operation.
        Cancelled,
    }
    help {
        Self::Dimension { most, .. } => format!("specify a value that is between 1 and {most}");
        Self::Volume { .. } => "specify a value that is above 0 and at most 1";
    }
}
