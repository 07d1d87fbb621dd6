//! The proposals of all methods and the releases that the certifier creates from them.

use std::borrow::Cow;

use super::{
    AnatomyRelease, Claims, NotCertified, Release, certify, certify_aggregated, certify_anatomy,
    certify_masked, certify_perturbed,
};
use crate::model::FrequencyTable;
use crate::recoding::masking::Masking;
use crate::recoding::perturbation::{Perturbation, PerturbationRecord};
use crate::recoding::{Aggregation, Anatomy, Policy, Recoding};

/// The proposal of a method.
#[derive(Debug)]
pub enum Draft {
    /// One table with generalized quasi-identifiers and sensitive values.
    Rows(Recoding),
    /// Two tables that are joined only by the class number.
    Tables(Anatomy),
    /// Rows whose numbers are replaced with class centers, which the certifier computes.
    Centers(Aggregation),
    /// Rows with masked quasi-identifiers, which the certifier draws. No principle is claimed for
    /// them.
    Masked(Masking),
    /// Rows with random sensitive values that the certifier draws.
    Perturbed(Perturbation),
}

/// A certified release.
#[derive(Debug)]
pub enum CertifiedRelease<'a> {
    /// One table of rows, and the recoding that produced it.
    Rows(Box<Release<'a>>, Cow<'a, Recoding>),
    /// Two tables that are joined only by the class number.
    Tables(Box<AnatomyRelease<'a>>),
}

impl<'a> CertifiedRelease<'a> {
    /// Certifies a draft.
    ///
    /// # Errors
    /// Returns [`NotCertified`] if the certifier rejects the draft.
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

    /// Returns the table on which the release is based, with one tuple for each part of an original
    /// tuple.
    pub fn table(&self) -> &FrequencyTable {
        match self {
            Self::Rows(release, _) => release.table(),
            Self::Tables(release) => release.table(),
        }
    }

    /// Returns the class of each tuple of [`table`](Self::table), or [`DROPPED`](crate::DROPPED).
    pub fn class_of(&self) -> &[u32] {
        match self {
            Self::Rows(release, _) => &release.partition().class_of,
            Self::Tables(release) => release.class_of(),
        }
    }

    /// Returns the claims for the release.
    pub fn claims(&self) -> &Claims {
        match self {
            Self::Rows(release, _) => release.claims(),
            Self::Tables(release) => release.claims(),
        }
    }

    /// Returns the number of rows that were dropped or starred, or in which some cells were
    /// suppressed.
    pub fn n_suppressed(&self) -> u64 {
        match self {
            Self::Rows(release, _) => {
                let of_cells = release.suppressed_cells().map_or(0, |cells| cells.n_rows);
                release.n_suppressed() + of_cells
            }
            Self::Tables(release) => release.n_suppressed(),
        }
    }

    /// Returns the facts about perturbed sensitive values that the data holder attests, or `None`
    /// if all released sensitive values are true.
    pub fn perturbed(&self) -> Option<&PerturbationRecord> {
        self.rows().and_then(|(release, _)| release.perturbed())
    }

    /// Returns the release and its recoding if the release consists of one table.
    pub fn rows(&self) -> Option<(&Release<'a>, &Recoding)> {
        match self {
            Self::Rows(release, recoding) => Some((release, recoding)),
            Self::Tables(_) => None,
        }
    }

    /// Returns both tables, if the release consists of two tables.
    pub fn tables(&self) -> Option<&AnatomyRelease<'a>> {
        match self {
            Self::Rows(..) => None,
            Self::Tables(release) => Some(release),
        }
    }
}
