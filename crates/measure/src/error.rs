//! What keeps a measure from being taken.

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
        /// What it may be.
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
}

impl Error {
    /// A stable code.
    pub fn code(&self) -> &'static str {
        match self {
            Self::OutOfRange { .. } => "E-MEASURE-001",
            Self::NoSuchAttribute { .. } => "E-MEASURE-002",
        }
    }

    /// What to do about it.
    pub fn help(&self) -> String {
        match self {
            Self::OutOfRange { want, .. } => format!("give a value that is {want}"),
            Self::NoSuchAttribute { .. } => {
                "give the name of a quasi-identifier or a sensitive attribute of the release's policy".to_owned()
            }
        }
    }
}
