//! The errors of measures.

use indistinct_diagnostics::codes;

/// The reason why a measure cannot be computed.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The number of attributes of a query is out of range.
    #[error("dimension is {got}, expected between 1 and {most}")]
    Dimension {
        /// The requested number.
        got: usize,
        /// The largest number.
        most: usize,
    },
    /// The volume of a query is out of range.
    #[error("volume is {got}, expected above 0 and at most 1")]
    Volume {
        /// The requested volume.
        got: f64,
    },
    /// The release does not have the attribute.
    #[error(
        "the release has no attribute '{name}' among its quasi-identifiers and sensitive attributes"
    )]
    NoSuchAttribute {
        /// The name of the attribute.
        name: String,
    },
    /// The observer cancelled the operation.
    #[error("cancelled")]
    Cancelled,
}

codes! {
    Error {
        Self::Dimension { .. } | Self::Volume { .. } => "E-MEASURE-001",
            "a parameter is outside its range",
            "use a value within the range given in the message";
        Self::NoSuchAttribute { .. } => "E-MEASURE-002",
            "the release does not have the attribute",
            "specify a quasi-identifier or a sensitive attribute of the release";
    }
    cancelled { Self::Cancelled }
    help {
        Self::Dimension { most, .. } => format!("specify a value that is between 1 and {most}");
        Self::Volume { .. } => "specify a value that is above 0 and at most 1";
    }
}
