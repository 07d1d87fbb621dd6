//! What a method proposes, in any of its shapes, and what the certifier has passed of it.

use std::borrow::Cow;

use super::{
    AnatomyRelease, Claims, NotCertified, Release, certify, certify_aggregated, certify_anatomy,
    certify_masked, certify_perturbed,
};
use crate::model::FrequencyTable;
use crate::recoding::masking::Masking;
use crate::recoding::perturbation::{Perturbation, PerturbationRecord};
use crate::recoding::{Aggregation, Anatomy, Policy, Recoding};

/// What a method proposes.
#[derive(Debug)]
pub enum Draft {
    /// Rows with released quasi-identifiers and sensitive values.
    Rows(Recoding),
    /// Two tables that only the number of the class joins.
    Tables(Anatomy),
    /// Rows whose numbers are replaced by the centers of classes, which the certifier computes.
    Centers(Aggregation),
    /// Rows with masked quasi-identifiers, which the certifier draws, and of which nothing is claimed.
    Masked(Masking),
    /// Rows with randomized sensitive values, which the certifier draws.
    Perturbed(Perturbation),
}

/// What may be written.
#[derive(Debug)]
pub enum CertifiedRelease<'a> {
    /// One table of rows, and the recoding that made it.
    Rows(Box<Release<'a>>, Cow<'a, Recoding>),
    /// Two tables that only the number of the class joins.
    Tables(Box<AnatomyRelease<'a>>),
}

impl<'a> CertifiedRelease<'a> {
    /// Asks the certifier.
    ///
    /// # Errors
    /// [`NotCertified`] if it does not pass.
    pub fn from_draft(
        table: &'a FrequencyTable,
        policy: &Policy,
        draft: &'a Draft,
    ) -> Result<Self, NotCertified> {
        Ok(match draft {
            Draft::Rows(recoding) => {
                let release = certify(table, policy, recoding)?;
                Self::Rows(Box::new(release), Cow::Borrowed(recoding))
            }
            Draft::Centers(aggregation) => {
                let (release, recoding) = certify_aggregated(table, policy, aggregation)?;
                Self::Rows(Box::new(release), Cow::Owned(recoding))
            }
            Draft::Masked(masking) => {
                let (release, recoding) = certify_masked(table, policy, masking)?;
                Self::Rows(Box::new(release), Cow::Owned(recoding))
            }
            Draft::Perturbed(perturbation) => {
                let (release, recoding) = certify_perturbed(table, policy, perturbation)?;
                Self::Rows(Box::new(release), Cow::Owned(recoding))
            }
            Draft::Tables(anatomy) => {
                Self::Tables(Box::new(certify_anatomy(table, policy, anatomy)?))
            }
        })
    }

    /// The table that the release is made of: a tuple for each part of a counted one.
    pub fn table(&self) -> &FrequencyTable {
        match self {
            Self::Rows(release, _) => release.table(),
            Self::Tables(release) => release.table(),
        }
    }

    /// For each tuple of that table its class, or [`DROPPED`](crate::DROPPED).
    pub fn class_of(&self) -> &[u32] {
        match self {
            Self::Rows(release, _) => &release.partition().class_of,
            Self::Tables(release) => release.class_of(),
        }
    }

    /// What holds of it.
    pub fn claims(&self) -> &Claims {
        match self {
            Self::Rows(release, _) => release.claims(),
            Self::Tables(release) => release.claims(),
        }
    }

    /// Rows that were suppressed, whether dropped or starred, or of which some cells were.
    pub fn n_suppressed(&self) -> u64 {
        match self {
            Self::Rows(release, _) => {
                let of_cells = release.suppressed_cells().map_or(0, |cells| cells.n_rows);
                release.n_suppressed() + of_cells
            }
            Self::Tables(release) => release.n_suppressed(),
        }
    }

    /// What the holder attests of perturbed sensitive values; `None` where all released ones are true.
    pub fn perturbed(&self) -> Option<&PerturbationRecord> {
        self.rows().and_then(|(release, _)| release.perturbed())
    }

    /// Where there is one table: it, and the recoding that made it.
    pub fn rows(&self) -> Option<(&Release<'a>, &Recoding)> {
        match self {
            Self::Rows(release, recoding) => Some((release, recoding)),
            Self::Tables(_) => None,
        }
    }

    /// Where there are two tables: both of them.
    pub fn tables(&self) -> Option<&AnatomyRelease<'a>> {
        match self {
            Self::Rows(..) => None,
            Self::Tables(release) => Some(release),
        }
    }
}
