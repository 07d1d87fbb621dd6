//! The facts in a certificate, in addition to its claims.
//!
//! Invariant: every figure follows from the released rows. Figures that reveal more about the
//! original are in the private part.

use std::collections::BTreeMap;
use std::path::Path;

use indistinct_core::model::{CountedColumn, n_unique_rows};
use indistinct_core::principle::Merging;
use indistinct_core::risk::UniqueRows;
use indistinct_core::{CertifiedRelease, DROPPED, Observer, PrincipleClaim, Requirement};
use indistinct_engine::output::{CertifiedRows, ColumnSource, OutputColumn, RowOrder};
use indistinct_release::facts::{
    Belief, Fact, GeneralizedValues, of_policy, recoding, starred_rows,
};
use indistinct_release::unique::{unique_rows, unique_rows_in_file};

use super::Certified;
use crate::error::Error;

/// Returns all facts of a release; `presence` contains the claims that depend on a population
/// table.
pub(crate) fn of(
    certified: &Certified<'_>,
    generalized: Option<&GeneralizedValues>,
    levels: Option<BTreeMap<String, usize>>,
    presence: Vec<PrincipleClaim>,
) -> Vec<Fact> {
    let policy = certified.job.policy();
    let mut facts = of_policy(policy);
    facts.push(recoding(policy, certified.proposal.optimality));
    facts.extend(levels.map(|levels| Fact::GeneralizationLevels { levels }));
    facts.extend(of_classes(certified));
    facts.extend(suppressed_cells(certified));
    facts.extend(certified.job.method().facts(&certified.solution()));
    facts.extend(generalized.into_iter().flat_map(GeneralizedValues::facts));
    facts.extend(presence.into_iter().map(|claim| Fact::Presence { claim }));
    facts
}

/// Counts the unique rows of a release whose rows are in `folder`, unless they are in a database.
pub(crate) fn unique(
    certified: &Certified<'_>,
    columns: &[OutputColumn],
    folder: &Path,
    observer: &dyn Observer,
) -> Result<UniqueRows, Error> {
    let policy = certified.job.policy();
    let (names, codes, counts) = released_codes(certified, columns)?;
    let counted = |group: &[String]| {
        let of_name = |name: &String| names.iter().position(|other| other == name);
        let group: Vec<&[u32]> =
            group.iter().filter_map(of_name).map(|at| &codes[at][..]).collect();
        n_unique_rows(&group, &counts)
    };
    let n_rows = certified.release.claims().n_released;
    let read = |groups: &[Vec<String>]| {
        unique_rows_in_file(folder, policy, groups, n_rows, observer).map_err(Error::from)
    };
    unique_rows(policy, n_rows, counted, read)
}

/// The names of the counted columns, their codes in each released tuple, and the rows of each
/// tuple.
type ReleasedCodes = (Vec<String>, Vec<Vec<u32>>, Vec<u64>);

/// Returns the distinct released rows in the columns that were counted, without the class.
fn released_codes(
    certified: &Certified<'_>,
    columns: &[OutputColumn],
) -> Result<ReleasedCodes, Error> {
    match &certified.release {
        CertifiedRelease::Rows(release, _) => {
            let is_counted = |column: &&OutputColumn| {
                matches!(
                    column.source,
                    ColumnSource::QuasiIdentifier(_) | ColumnSource::Sensitive(_)
                )
            };
            let columns: Vec<OutputColumn> = columns.iter().filter(is_counted).cloned().collect();
            let rows = CertifiedRows::from_release(release, &columns, RowOrder::Sorted)?;
            let n = rows.n_tuples();
            let codes = |at| (0..n).map(|tuple| rows.code(at, tuple)).collect();
            let codes = (0..columns.len()).map(codes).collect();
            Ok((rows.names(&columns), codes, (0..n).map(|tuple| rows.count(tuple)).collect()))
        }
        CertifiedRelease::Tables(release) => {
            let table = release.table();
            let rows = release.class_of().iter().zip(table.counts());
            let counts = rows.map(|(class, n)| if *class == DROPPED { 0 } else { *n }).collect();
            let columns = table.columns().map(|column| (column.name.clone(), column.codes.clone()));
            let (names, codes) = columns.unzip();
            Ok((names, codes, counts))
        }
    }
}

/// Returns the number of rows with `*` for each attribute, if single cells are suppressed.
fn suppressed_cells(certified: &Certified<'_>) -> Option<Fact> {
    let (release, _) = certified.rows()?;
    release.suppressed_cells()?;
    let partition = release.partition();
    let of_column = |(at, column): (usize, &CountedColumn)| {
        let rows = partition.classes.iter().map(|class| {
            let label = class.labels[at] as usize;
            (partition.labels[at][label].as_str(), class.size)
        });
        (column.name.clone(), starred_rows(rows))
    };
    let columns = release.table().quasi_identifiers().iter().enumerate();
    Some(Fact::SuppressedCells { n_rows: columns.map(of_column).collect() })
}

/// Returns the facts about classes whose values are recoded locally.
fn of_classes(certified: &Certified<'_>) -> Vec<Fact> {
    let proposal = certified.proposal;
    let Some((release, recoding)) = certified.rows() else { return Vec::new() };
    let covers_nothing = release.perturbed().is_some() || release.generated().contains(&true);
    if proposal.levels().is_some() || covers_nothing {
        return Vec::new();
    }
    let mut facts = vec![Fact::LocalRecoding {}];
    let policy = &certified.prepared.policy;
    let may_break =
        |requirement: &Requirement| requirement.principle.merging() == Merging::MayBreak;
    if policy.requirements.iter().any(may_break) {
        let n_pairs = release.n_overlapping_pairs(policy, recoding);
        facts.push(Fact::OverlappingClasses { n_pairs });
    }
    if proposal.generalizes_values {
        facts.push(Fact::AdversaryBelief { within_generalized_values: Belief::Uniform });
    }
    facts
}
