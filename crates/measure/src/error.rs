//! What keeps a measure from being taken.

use indistinct_diagnostics::codes;

/// Why a measure cannot be taken.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A parameter outside its range.
    #[error("{name} is {got}, expected {want}")]
    OutOfRange {
        /// The parameter.
        name: &'static str,
        /// Its value.
        got: String,
        /// The valid values.
        want: String,
    },
    /// An attribute that the release does not have.
    #[error(
        "the release has no attribute '{name}' among its quasi-identifiers and sensitive attributes"
    )]
    NoSuchAttribute {
        /// Its name.
        name: String,
    },
    /// The observer asked to stop.
    #[error("cancelled")]
    Cancelled,
}

codes! {
    Error {
        Self::OutOfRange { .. } => "E-MEASURE-001", "a parameter outside its range",
            "the message names the range";
        Self::NoSuchAttribute { .. } => "E-MEASURE-002", "an attribute that the release does not have",
            "give the name of a quasi-identifier or a sensitive attribute of the release's policy";
    }
    cancelled { Self::Cancelled }
    help {
        Self::OutOfRange { want, .. } => format!("give a value that is {want}");
    }
}
