//! What Anatomy answers.

use indistinct_core::{Anatomy, NotServed};

use crate::curve::CurveError;

/// The answer.
#[derive(Debug, Clone, PartialEq)]
pub enum Outcome {
    /// Every class holds.
    Found(Box<Found>),
    /// None was found in which every class holds.
    Infeasible(Infeasible),
}

/// A recoding in which every class holds.
#[derive(Debug, Clone, PartialEq)]
pub struct Found {
    /// The recoding to certify.
    pub recoding: Anatomy,
    /// Rows suppressed.
    pub n_suppressed: u64,
    /// Classes.
    pub n_classes: u64,
    /// Whether the time was up, so that the last class has more rows than it need have.
    pub is_cut_short: bool,
}

/// No recoding was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Infeasible {
    /// Whether it is proved that no recoding satisfies the policy: certain where no row may be suppressed, since merging
    /// all classes keeps the principles. Otherwise some other choice of suppressed rows might do.
    pub is_proved: bool,
    /// Rows of the table, which fails as a whole.
    pub n_failing_rows: u64,
}

/// Why there is no answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum AnatomyError {
    /// The observer cancelled.
    #[error("the search was cancelled")]
    Cancelled,
    /// The policy asks for what two separate tables cannot give.
    #[error(transparent)]
    NotServed(#[from] NotServed),
    /// A principle that the union of two classes may violate.
    #[error("buckets of secrets are no way to '{kind}': the union of two classes may violate it")]
    NotKeptByMerging {
        /// The kind.
        kind: &'static str,
    },
}

impl AnatomyError {
    /// The stable code.
    pub fn code(&self) -> &'static str {
        match self {
            AnatomyError::Cancelled => "E-CANCELLED",
            AnatomyError::NotServed(not_served) => not_served.code(),
            AnatomyError::NotKeptByMerging { .. } => "E-ANATOMY-006",
        }
    }

    /// What to do about it.
    pub fn help(&self) -> Option<&'static str> {
        match self {
            AnatomyError::Cancelled => None,
            AnatomyError::NotServed(not_served) => Some(not_served.help()),
            AnatomyError::NotKeptByMerging { .. } => {
                Some("method = \"multidimensional\" serves such principles")
            }
        }
    }

    /// What the judge of the curve's principles refuses, which is the same here.
    pub(super) fn of_judge(error: &CurveError) -> Self {
        match *error {
            CurveError::NotKeptByMerging { kind } => AnatomyError::NotKeptByMerging { kind },
            CurveError::CountsPopulation { kind } => NotServed::Presence { kind }.into(),
            CurveError::OthersNotServed { kind } => NotServed::Others { kind }.into(),
            _ => AnatomyError::Cancelled,
        }
    }
}
