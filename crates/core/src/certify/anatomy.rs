//! The certifier for Anatomy, which releases two tables that are joined only by class numbers.
//!
//! Quasi-identifiers are released unchanged. The certifier therefore rejects principles that
//! require people to be indistinguishable: principles on class sizes (k-anonymity) and on presence
//! in a population. The claims state the [`Risk`](crate::risk::Risk) of rows with equal original
//! quasi-identifiers.

use indistinct_diagnostics::errors;

mod tables;

pub use tables::{TablesProblem, TwoTables};

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::claims::{Claims, Division, counted_cells, judge};
use super::invalid::{InvalidRecoding, expect_length};
use super::partition::{DROPPED, PeopleInClasses};
use super::refusal_of;
use crate::model::FrequencyTable;
use crate::principle::{Kind, Parameters, Subject, find, required_size};
use crate::recoding::{Anatomy, Others, Part, Policy, Requirement};
use crate::{NotCertified, risk};

/// A certified release of two tables, with its claims. Only [`certify_anatomy`] constructs such a
/// release.
#[derive(Debug)]
pub struct AnatomyRelease<'a> {
    counted: &'a FrequencyTable,
    parts: Option<Vec<Part>>,
    table: Cow<'a, FrequencyTable>,
    class_of: Vec<u32>,
    claims: Claims,
    reconstruction_error: f64,
    n_suppressed: u64,
    private: (),
}

errors! {
    /// A requirement of a policy that a release of two separate tables cannot meet.
    #[derive(Clone, PartialEq, Eq)]
    pub enum UnservedRequirement {
        /// The principle limits identity disclosure, which Anatomy does not prevent.
        #[error(
            "'{kind}' requires indistinguishable rows, but Anatomy releases quasi-identifiers unchanged"
        )]
        #[code("E-ANATOMY-001", "Anatomy does not prevent identity disclosure: remove the \
                principle, or use a method that generalizes, such as \"multidimensional\"")]
        Identity {
            /// The kind.
            kind: &'static str,
        },
        /// The principle limits membership disclosure, which Anatomy does not prevent.
        #[error(
            "'{kind}' limits membership disclosure, but Anatomy releases quasi-identifiers unchanged"
        )]
        #[code("E-ANATOMY-002", "Anatomy does not prevent membership disclosure: remove the \
                principle, or use a method that generalizes, such as \"multidimensional\"")]
        Presence {
            /// The kind.
            kind: &'static str,
        },
        /// Anatomy does not support other sensitive attributes as quasi-identifiers.
        #[error(
            "'{kind}' with other_sensitive = \"quasi-identifier\" requires rows that contain all \
             attributes"
        )]
        #[code("E-ANATOMY-003", "set other_sensitive = \"ignored\", or use a method that releases \
                complete rows, such as \"full-domain\"")]
        Others {
            /// The kind.
            kind: &'static str,
        },
        /// Anatomy requires exactly one sensitive attribute.
        #[error("the table has {got} sensitive attributes, expected one")]
        #[code("E-ANATOMY-004", "assign the role \"sensitive\" to exactly one attribute, or use \
                another method")]
        SensitiveAttributes {
            /// The number of sensitive attributes.
            got: usize,
        },
        /// Anatomy cannot release suppressed rows.
        #[error(
            "Anatomy cannot release suppressed rows with stars, because it does not generalize \
             values"
        )]
        #[code("E-ANATOMY-005", "set suppression = \"drop-rows\"")]
        Starred,
    }
}

impl UnservedRequirement {
    /// Checks whether Anatomy supports a principle, based only on its kind and parameters, without
    /// a table.
    ///
    /// # Errors
    /// Returns [`UnservedRequirement::Identity`], [`UnservedRequirement::Presence`], or
    /// [`UnservedRequirement::Others`].
    pub fn of_kind(
        kind: &'static Kind,
        parameters: &Parameters,
        others: Others,
    ) -> Result<(), Self> {
        let name = kind.name;
        match kind.subject {
            Subject::Population => return Err(Self::Presence { kind: name }),
            Subject::Class => return Err(Self::Identity { kind: name }),
            Subject::SensitiveAttribute => {}
        }
        // For some kinds, a parameter determines how many rows must be indistinguishable. This
        // number is available only after the principle is built.
        if required_size(kind, parameters).is_some_and(|size| size > 1) {
            return Err(Self::Identity { kind: name });
        }
        match others {
            Others::QuasiIdentifier => Err(Self::Others { kind: name }),
            Others::Ignored => Ok(()),
        }
    }
}

/// Checks whether all requirements of a policy depend only on the sensitive values in each class.
///
/// # Errors
/// Returns the first [`UnservedRequirement`].
pub fn anatomy_serves(table: &FrequencyTable, policy: &Policy) -> Result<(), UnservedRequirement> {
    if table.sensitive().len() != 1 {
        return Err(UnservedRequirement::SensitiveAttributes { got: table.sensitive().len() });
    }
    if policy.suppressed.is_released() {
        return Err(UnservedRequirement::Starred);
    }
    policy.requirements.iter().try_for_each(requirement_is_served)
}

fn requirement_is_served(requirement: &Requirement) -> Result<(), UnservedRequirement> {
    let kind = requirement.kind;
    match find(kind) {
        Some(found) => {
            UnservedRequirement::of_kind(found, &requirement.parameters, requirement.others)
        }
        None => Err(UnservedRequirement::Identity { kind }),
    }
}

/// Checks a division of a table into numbered classes against a policy, and creates a release if
/// all requirements hold.
///
/// # Errors
/// Returns [`NotCertified`] if Anatomy does not support the policy, or if the recoding does not
/// match the table, suppresses too many rows, or has a class in which a principle does not hold.
pub fn certify_anatomy<'a>(
    table: &'a FrequencyTable,
    policy: &Policy,
    recoding: &Anatomy,
) -> Result<AnatomyRelease<'a>, NotCertified> {
    anatomy_serves(table, policy)?;
    let parts = recoding.parts.as_deref();
    let rows = table.divided_into(parts).map_err(InvalidRecoding::Parts)?;
    let lists = [
        ("class numbers", recoding.class_of.len()),
        ("suppression marks", recoding.suppressed.len()),
    ];
    for (what, got) in lists {
        expect_length(what, got, rows.n_tuples())?;
    }
    let (class_of, n_classes) = numbered(recoding);
    let n_suppressed = rows.n_rows_of(&recoding.suppressed);
    if !policy.allows_suppressing(n_suppressed, table) {
        return Err(NotCertified::TooManySuppressed { n_suppressed, n_rows: table.n_rows() });
    }
    let division = Division {
        class_of: &class_of,
        n_classes,
        people: Box::new(|_| PeopleInClasses::default()),
    };
    let requirements: Vec<&Requirement> = policy.requirements.iter().collect();
    let mut claims = judge(&rows, &division, &requirements).claims;
    drop(division);
    if let Some(refusal) = refusal_of(&claims) {
        return Err(refusal);
    }
    claims.risk = risk::of_class_sizes(&sizes_of_equal_rows(&rows, &class_of));
    Ok(AnatomyRelease {
        counted: table,
        reconstruction_error: reconstruction_error(&rows, &class_of),
        parts: recoding.parts.clone(),
        table: rows,
        class_of,
        claims,
        n_suppressed,
        private: (),
    })
}

/// Renumbers the classes consecutively, and returns the class of each tuple and the number of
/// classes.
fn numbered(recoding: &Anatomy) -> (Vec<u32>, usize) {
    let places = || recoding.class_of.iter().zip(&recoding.suppressed);
    let mut used: Vec<u32> = places().filter(|place| !place.1).map(|place| *place.0).collect();
    used.sort_unstable();
    used.dedup();
    let number = |class: &u32| used.partition_point(|other| other < class) as u32;
    let class_of = places()
        .map(|(class, suppressed)| if *suppressed { DROPPED } else { number(class) })
        .collect();
    (class_of, used.len())
}

/// Returns, for each size, the number of original quasi-identifier combinations with this number of
/// released rows.
fn sizes_of_equal_rows(table: &FrequencyTable, class_of: &[u32]) -> BTreeMap<u64, u64> {
    let mut sizes = BTreeMap::new();
    for tuples in table.groups().iter() {
        let released = tuples.filter(|&tuple| class_of[tuple] != DROPPED);
        let size: u64 = released.map(|tuple| table.counts()[tuple]).sum();
        if size > 0 {
            *sizes.entry(size).or_insert(0) += 1;
        }
    }
    sizes
}

/// Returns the sum over classes of n - (sum of squared counts of sensitive values) / n, which
/// measures the information lost about the sensitive values of rows.
///
/// The sum first combines classes of equal size, so the result does not depend on the order of
/// class numbers.
fn reconstruction_error(table: &FrequencyTable, class_of: &[u32]) -> f64 {
    let sensitive = &table.sensitive()[0].codes;
    let cells = counted_cells(class_of, sensitive, table.counts());
    // The number of rows and the sum of squared counts over all classes of one size.
    let mut by_size: BTreeMap<u64, (u64, u128)> = BTreeMap::new();
    for class in cells.chunk_by(|a, b| a.0 == b.0) {
        let size: u64 = class.iter().map(|cell| cell.2).sum();
        let squares_of_class = class.iter().map(|cell| u128::from(cell.2) * u128::from(cell.2));
        let (rows, squares) = by_size.entry(size).or_default();
        *rows += size;
        *squares += squares_of_class.sum::<u128>();
    }
    by_size.iter().map(|(&size, &(rows, squares))| rows as f64 - squares as f64 / size as f64).sum()
}

impl<'a> AnatomyRelease<'a> {
    /// Returns the original frequency table that was passed to [`certify_anatomy`].
    pub fn counted(&self) -> &'a FrequencyTable {
        self.counted
    }

    /// Returns the original tuple of each tuple of [`AnatomyRelease::table`], or `None` if no tuple
    /// was divided.
    pub fn parts(&self) -> Option<&[Part]> {
        self.parts.as_deref()
    }

    /// Returns the frequency table, in which each part is a separate tuple.
    pub fn table(&self) -> &FrequencyTable {
        &self.table
    }

    /// Returns the class of each tuple, or [`DROPPED`]. The numbers are consecutive and must not be
    /// released.
    pub fn class_of(&self) -> &[u32] {
        &self.class_of
    }

    /// Returns the number of classes.
    pub fn n_classes(&self) -> u64 {
        self.claims.n_classes
    }

    /// Returns the claims for the two tables. The stated risk applies to rows with equal original
    /// quasi-identifiers.
    pub fn claims(&self) -> &Claims {
        &self.claims
    }

    /// Returns the reconstruction error of the paper: the sum over all released rows of the squared
    /// distance between the row's sensitive value and the distribution of sensitive values in its
    /// class. The result is between 0 and the number of rows. With frequency l-diversity, it is at
    /// least (1 - 1/l) times the number of rows.
    pub fn reconstruction_error(&self) -> f64 {
        self.reconstruction_error
    }

    /// Returns the number of suppressed rows, which neither released table contains.
    pub fn n_suppressed(&self) -> u64 {
        let () = self.private;
        self.n_suppressed
    }
}
