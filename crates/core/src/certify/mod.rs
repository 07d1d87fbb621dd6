//! The certifier is the only code that can construct a [`Release`]. It is therefore small and
//! simple.
//!
//! The certifier takes the draft that a method proposes, applies it to the table, forms the classes
//! that an adversary would see (rows with equal released *labels*, readings F-1 and F-2), and
//! recomputes every principle on these classes. Because searches form classes with separate code, a
//! bug in a search can reduce utility but not privacy. The certifier and the searches share the
//! definitions of principles ([`Principle::of_class`](crate::Principle::of_class)), which are
//! tested against naive oracles.

mod aggregated;
mod anatomy;
mod cells;
mod claims;
mod draft;
mod invalid;
mod masked;
mod overlap;
mod partition;
mod perturbed;
mod sensitive;

pub use aggregated::certify_aggregated;
pub use anatomy::{
    AnatomyRelease, TablesProblem, TwoTables, UnservedRequirement, anatomy_serves, certify_anatomy,
};
pub(crate) use claims::counted_cells;
pub use claims::{
    Claims, CountedUnit, Figure, JudgedClaims, PrincipleClaim, figure_of, figures_of,
};
use claims::{Division, judge};
pub use draft::{CertifiedRelease, Draft};
use indistinct_diagnostics::{errors, words};
pub use invalid::{CellProblem, InvalidRecoding, SensitiveProblem};
pub use masked::certify_masked;
pub use partition::{Class, DROPPED, Partition, PeopleInClasses, VisibleClasses};
pub use perturbed::certify_perturbed;

use std::borrow::Cow;

use crate::model::{FrequencyTable, Population, RowsOfPerson};
use crate::recoding::masking::MaskingProblem;
use crate::recoding::perturbation::{PerturbationProblem, PerturbationRecord};
use crate::recoding::{Part, Policy, Recoding, Requirement, SuppressedCells};

/// A certified release, with its claims. Only [`certify`], [`certify_perturbed`],
/// [`certify_aggregated`], and [`certify_masked`] construct releases.
#[derive(Debug)]
pub struct Release<'a> {
    counted: &'a FrequencyTable,
    parts: Option<Vec<Part>>,
    table: Cow<'a, FrequencyTable>,
    partition: Partition,
    claims: Claims,
    n_suppressed: u64,
    cells: Option<SuppressedCells>,
    perturbed: Option<PerturbationRecord>,
    /// Whether the released values of each quasi-identifier are synthetic.
    generated: Vec<bool>,
    private: (),
}

errors! {
    /// The reason why the certifier rejects a recoding.
    #[derive(Clone, PartialEq)]
    pub enum NotCertified {
        /// The recoding suppresses more rows than the policy allows.
        #[error(
            "the recoding suppresses {} of {}, which exceeds the suppression limit",
            words::thousands(*n_suppressed), words::rows(*n_rows)
        )]
        #[code("E-CERTIFY-002", "nothing was written; please report this bug in Indistinct")]
        TooManySuppressed {
            /// The number of suppressed rows.
            n_suppressed: u64,
            /// The number of rows of the table.
            n_rows: u64,
        },
        /// A principle does not hold in some classes of the recoding.
        #[error(
            "{kind} does not hold in {} with {}",
            words::classes(*n_failing_classes), words::rows(*n_failing_rows)
        )]
        #[code("E-CERTIFY-003", "nothing was written; please report this bug in Indistinct")]
        Fails {
            /// The principle.
            kind: String,
            /// The number of failing classes.
            n_failing_classes: u64,
            /// The number of rows in classes that fail the principle.
            n_failing_rows: u64,
        },
    }
    wraps {
        /// The recoding does not match the table.
        Invalid(#[from] InvalidRecoding),
        /// The table cannot be perturbed with the requested settings.
        Perturbation(#[from] PerturbationProblem),
        /// The table cannot be masked with the requested settings.
        Masking(#[from] MaskingProblem),
        /// The policy has a requirement that a release of two separate tables cannot meet.
        NotServed(#[from] UnservedRequirement),
    }
}

/// Checks a recoding of a table against a policy, and creates a release if all requirements hold.
///
/// # Errors
/// Returns [`NotCertified`] if the recoding does not match the table, suppresses too many rows, or
/// has a class in which a principle does not hold.
pub fn certify<'a>(
    table: &'a FrequencyTable,
    policy: &Policy,
    recoding: &Recoding,
) -> Result<Release<'a>, NotCertified> {
    match recoding.has_generated() {
        true => Err(InvalidRecoding::Generated.into()),
        false => certified(table, policy, recoding),
    }
}

/// Checks a recoding like [`certify`], but allows synthetic released values, which the certifier
/// itself must have generated.
fn certified<'a>(
    table: &'a FrequencyTable,
    policy: &Policy,
    recoding: &Recoding,
) -> Result<Release<'a>, NotCertified> {
    let parts = recoding.generalization.parts();
    let rows = table.divided_into(parts).map_err(InvalidRecoding::Parts)?;
    let partition = Partition::new(&rows, policy, recoding)?;
    check_people(policy, &rows, &partition)?;
    let n_suppressed = rows.n_rows_of(&recoding.suppressed);
    let cells = cells::suppressed(&rows, policy, recoding)?;
    let n_touched = n_suppressed + cells.as_ref().map_or(0, |cells| cells.n_rows);
    if !policy.allows_suppressing(n_touched, table) {
        let (n_suppressed, n_rows) = (n_touched, table.n_rows());
        return Err(NotCertified::TooManySuppressed { n_suppressed, n_rows });
    }
    let released = match &recoding.sensitive {
        Some(sensitive) => sensitive::release(rows, sensitive, &partition, &policy.requirements)?,
        None => sensitive::GeneralizedTable { table: rows, rebuilt: Vec::new() },
    };
    let requirements = released.requirements(&policy.requirements);
    let claims = judge(&released.table, &division(&partition), &requirements).claims;
    if let Some(refusal) = refusal_of(&claims) {
        return Err(refusal);
    }
    Ok(Release {
        counted: table,
        parts: parts.map(<[Part]>::to_vec),
        table: released.table,
        partition,
        claims,
        n_suppressed,
        cells,
        perturbed: None,
        generated: recoding.generated(table.quasi_identifiers().len()),
        private: (),
    })
}

/// Checks that the person of each row is known after the recoding, and that each class contains all
/// rows that must stay together.
fn check_people(
    policy: &Policy,
    rows: &FrequencyTable,
    partition: &Partition,
) -> Result<(), InvalidRecoding> {
    for people in policy.requirements.iter().filter_map(|it| it.people.as_ref()) {
        if !people.fit(rows) {
            return Err(InvalidRecoding::People);
        }
        if people.rows() == RowsOfPerson::Uniform {
            match people.n_divided(&partition.class_of) {
                0 => {}
                n_people => return Err(InvalidRecoding::NotTogether { n_people }),
            }
        }
    }
    Ok(())
}

/// Returns the error for the first principle that does not hold.
fn refusal_of(claims: &Claims) -> Option<NotCertified> {
    let failing = claims.principles.iter().find(|claim| !claim.holds)?;
    Some(NotCertified::Fails {
        kind: failing.kind.clone(),
        n_failing_classes: failing.n_failing_classes,
        n_failing_rows: failing.n_failing_rows,
    })
}

fn division(partition: &Partition) -> Division<'_> {
    Division {
        class_of: &partition.class_of,
        n_classes: partition.classes.len(),
        people: Box::new(|population| partition.people(population)),
    }
}

/// Computes the claims for the classes of a partition, without checking the suppression limit.
///
/// The partition must have been created for `table`.
///
/// # Panics
/// Panics if a principle refers to a population and the partition was created from
/// [`Generalization::Classes`](crate::Generalization::Classes).
pub fn claims_of(
    table: &FrequencyTable,
    partition: &Partition,
    requirements: &[Requirement],
) -> JudgedClaims {
    judge(table, &division(partition), &requirements.iter().collect::<Vec<_>>())
}

/// Computes the claims for a table in which rows with equal quasi-identifier values form a class.
/// The commands `check` and `verify` use this function, which does not depend on recodings or
/// hierarchies.
pub fn check_rows(table: &FrequencyTable, requirements: &[Requirement]) -> JudgedClaims {
    let groups = table.groups();
    let class_of = groups.of_tuples();
    let codes = |tuple: usize| {
        table.quasi_identifiers().iter().map(|column| column.codes[tuple]).collect::<Vec<u32>>()
    };
    let people = |population: &Population| {
        let keys = groups.iter().map(|tuples| codes(tuples.start));
        PeopleInClasses::new(population, keys, |key| key)
    };
    judge(
        table,
        &Division { class_of: &class_of, n_classes: groups.len(), people: Box::new(people) },
        &requirements.iter().collect::<Vec<_>>(),
    )
}

impl<'a> Release<'a> {
    /// Returns the original frequency table that was passed to [`certify`].
    pub fn counted(&self) -> &'a FrequencyTable {
        self.counted
    }

    /// Returns the original tuple of each tuple of [`Release::table`], or `None` if no tuple was
    /// divided.
    pub fn parts(&self) -> Option<&[Part]> {
        self.parts.as_deref()
    }

    /// Returns the original frequency table with two changes: one tuple for each part, and the
    /// released values of a generalized sensitive attribute.
    pub fn table(&self) -> &FrequencyTable {
        &self.table
    }

    /// Returns the partition into classes, with the class of each tuple and the released labels of
    /// each class.
    pub fn partition(&self) -> &Partition {
        &self.partition
    }

    /// Returns the claims for the released rows.
    pub fn claims(&self) -> &Claims {
        &self.claims
    }

    /// Returns the number of pairs of classes that one person could match (reading F-2), including
    /// the class of suppressed rows that are shown as `*`. The number matters for principles that
    /// may fail when classes are merged.
    ///
    /// # Panics
    /// Panics if the policy or the recoding differs from what was certified.
    pub fn n_overlapping_pairs(&self, policy: &Policy, recoding: &Recoding) -> u64 {
        overlap::pairs(self, policy, recoding)
    }

    /// Returns the facts about perturbed sensitive values that the data holder attests, or `None`
    /// if all released sensitive values are true.
    pub fn perturbed(&self) -> Option<&PerturbationRecord> {
        self.perturbed.as_ref()
    }

    /// Returns, for each quasi-identifier, whether its released values are synthetic (centers,
    /// noise) and therefore do not show which original values they represent.
    pub fn generated(&self) -> &[bool] {
        &self.generated
    }

    /// Returns the number of suppressed rows, whether omitted or released with `*` in all cells.
    pub fn n_suppressed(&self) -> u64 {
        let () = self.private;
        self.n_suppressed
    }

    /// Returns the number of suppressed single cells, if the policy allows cell suppression.
    pub fn suppressed_cells(&self) -> Option<&SuppressedCells> {
        self.cells.as_ref()
    }
}
