//! What the certifier has passed, and what it was proposed as.

use indistinct_core::recoding::perturbation::Perturbed;
use indistinct_core::{
    Anatomy, AnatomyRefusal, AnatomyRelease, Claims, FrequencyTable, Policy, Recoding, Release,
    certify, certify_anatomy,
};

use crate::error::Error;

/// What a search proposes.
#[derive(Debug)]
pub(crate) enum Proposed {
    /// Rows with released quasi-identifiers and secrets.
    Rows(Recoding),
    /// Two tables that only the number of the class joins.
    Tables(Anatomy),
}

/// What may be written.
#[derive(Debug)]
pub(crate) enum Certified<'a> {
    /// One table of rows.
    Rows(Release<'a>),
    /// Two tables that only the number of the class joins.
    Tables(AnatomyRelease<'a>),
}

impl<'a> Certified<'a> {
    /// Asks the certifier.
    pub(crate) fn of(
        table: &'a FrequencyTable,
        policy: &Policy,
        proposed: &Proposed,
    ) -> Result<Self, Error> {
        match proposed {
            Proposed::Rows(recoding) => {
                certify(table, policy, recoding).map(Self::Rows).map_err(Error::Refused)
            }
            Proposed::Tables(anatomy) => certify_anatomy(table, policy, anatomy)
                .map(Self::Tables)
                .map_err(|refusal| match refusal {
                    AnatomyRefusal::Refused(refusal) => Error::Refused(refusal),
                    AnatomyRefusal::NotServed(error) => Error::Search(error.into()),
                    other => unreachable!("the certifier knows no other refusal: {other}"),
                }),
        }
    }

    /// The table that the release is made of: a tuple for each part of a counted one.
    pub(crate) fn table(&self) -> &FrequencyTable {
        match self {
            Self::Rows(release) => release.table(),
            Self::Tables(release) => release.table(),
        }
    }

    /// For each tuple of that table its class, or [`DROPPED`](indistinct_core::DROPPED).
    pub(crate) fn class_of(&self) -> &[u32] {
        match self {
            Self::Rows(release) => &release.partition().class_of,
            Self::Tables(release) => release.class_of(),
        }
    }

    pub(crate) fn claims(&self) -> &Claims {
        match self {
            Self::Rows(release) => release.claims(),
            Self::Tables(release) => release.claims(),
        }
    }

    /// Rows that were suppressed, whether dropped or starred.
    pub(crate) fn n_suppressed(&self) -> u64 {
        match self {
            Self::Rows(release) => release.n_suppressed(),
            Self::Tables(release) => release.n_suppressed(),
        }
    }

    /// What the holder attests of perturbed secrets; `None` where all released secrets are true.
    pub(crate) fn perturbed(&self) -> Option<&Perturbed> {
        match self {
            Self::Rows(release) => release.perturbed(),
            Self::Tables(_) => None,
        }
    }

    /// Where there are two tables: both of them.
    pub(crate) fn tables(&self) -> Option<&AnatomyRelease<'a>> {
        match self {
            Self::Rows(_) => None,
            Self::Tables(release) => Some(release),
        }
    }
}
