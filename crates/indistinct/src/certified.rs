//! What the certifier has passed, and what it was proposed as.

use std::borrow::Cow;

use indistinct_core::recoding::perturbation::{Perturbation, Perturbed};
use indistinct_core::{
    Anatomy, AnatomyRefusal, AnatomyRelease, Claims, FrequencyTable, Policy, Recoding, Release,
    certify, certify_anatomy, certify_perturbed,
};

use crate::error::Error;

/// What a search proposes.
#[derive(Debug)]
pub(crate) enum Proposed {
    /// Rows with released quasi-identifiers and sensitive values.
    Rows(Recoding),
    /// Two tables that only the number of the class joins.
    Tables(Anatomy),
    /// Rows as they are but for noise in the sensitive values, which the certifier draws.
    Noise(Perturbation),
}

/// What may be written.
#[derive(Debug)]
pub(crate) enum Certified<'a> {
    /// One table of rows, and the recoding that made it.
    Rows(Box<Release<'a>>, Cow<'a, Recoding>),
    /// Two tables that only the number of the class joins.
    Tables(Box<AnatomyRelease<'a>>),
}

impl<'a> Certified<'a> {
    /// Asks the certifier.
    pub(crate) fn of(
        table: &'a FrequencyTable,
        policy: &Policy,
        proposed: &'a Proposed,
    ) -> Result<Self, Error> {
        match proposed {
            Proposed::Rows(recoding) => {
                let release = certify(table, policy, recoding).map_err(Error::Refused)?;
                Ok(Self::Rows(Box::new(release), Cow::Borrowed(recoding)))
            }
            Proposed::Noise(perturbation) => {
                let (release, recoding) =
                    certify_perturbed(table, policy, perturbation).map_err(Error::Refused)?;
                Ok(Self::Rows(Box::new(release), Cow::Owned(recoding)))
            }
            Proposed::Tables(anatomy) => certify_anatomy(table, policy, anatomy)
                .map(|release| Self::Tables(Box::new(release)))
                .map_err(|refusal| match refusal {
                    AnatomyRefusal::Refused(refusal) => Error::Refused(refusal),
                    AnatomyRefusal::NotServed(error) => Error::Search(error.into()),
                }),
        }
    }

    /// The table that the release is made of: a tuple for each part of a counted one.
    pub(crate) fn table(&self) -> &FrequencyTable {
        match self {
            Self::Rows(release, _) => release.table(),
            Self::Tables(release) => release.table(),
        }
    }

    /// For each tuple of that table its class, or [`DROPPED`](indistinct_core::DROPPED).
    pub(crate) fn class_of(&self) -> &[u32] {
        match self {
            Self::Rows(release, _) => &release.partition().class_of,
            Self::Tables(release) => release.class_of(),
        }
    }

    pub(crate) fn claims(&self) -> &Claims {
        match self {
            Self::Rows(release, _) => release.claims(),
            Self::Tables(release) => release.claims(),
        }
    }

    /// Rows that were suppressed, whether dropped or starred.
    pub(crate) fn n_suppressed(&self) -> u64 {
        match self {
            Self::Rows(release, _) => release.n_suppressed(),
            Self::Tables(release) => release.n_suppressed(),
        }
    }

    /// What the holder attests of perturbed sensitive values; `None` where all released ones are true.
    pub(crate) fn perturbed(&self) -> Option<&Perturbed> {
        self.rows().and_then(|(release, _)| release.perturbed())
    }

    /// Where there is one table: it, and the recoding that made it.
    pub(crate) fn rows(&self) -> Option<(&Release<'a>, &Recoding)> {
        match self {
            Self::Rows(release, recoding) => Some((release, recoding)),
            Self::Tables(_) => None,
        }
    }

    /// Where there are two tables: both of them.
    pub(crate) fn tables(&self) -> Option<&AnatomyRelease<'a>> {
        match self {
            Self::Rows(..) => None,
            Self::Tables(release) => Some(release),
        }
    }
}
