//! The errors of measures.

use indistinct_diagnostics::codes;

/// The reason why a measure cannot be computed.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A parameter is out of range.
    #[error("{name} is {got}, expected {want}")]
    OutOfRange {
        /// The name of the parameter.
        name: &'static str,
        /// The value of the parameter.
        got: String,
        /// The valid values.
        want: String,
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
        Self::OutOfRange { .. } => "E-MEASURE-001", "a parameter is outside its range",
            "use a value within the range given in the message";
        Self::NoSuchAttribute { .. } => "E-MEASURE-002",
            "the release does not have the attribute",
            "specify a quasi-identifier or a sensitive attribute of the release";
    }
    cancelled { Self::Cancelled }
    help {
        Self::OutOfRange { want, .. } => format!("specify a value that is {want}");
    }
}
