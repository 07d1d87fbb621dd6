//! What a certificate states that the released rows cannot show; the sentences are those of [`indistinct_release::statements`].
//!
//! Invariant: no figure that depends on the original beyond the released rows; those are in the private part.

use std::collections::BTreeMap;

use indistinct_core::model::CountedColumn;
use indistinct_core::principle::Merging;
use indistinct_core::{PrincipleClaim, Requirement};
use indistinct_release::certificate::Statement;
use indistinct_release::statements::{self as say, GeneralizedValues};

use super::ReleaseParts;

/// All statements of a release; `presence` are the claims that rest on a population table.
pub(crate) fn of(
    making: &ReleaseParts<'_>,
    generalized: Option<&GeneralizedValues>,
    levels: Option<&BTreeMap<String, usize>>,
    presence: &[PrincipleClaim],
) -> Vec<Statement> {
    let policy = making.job.policy();
    let mut statements = vec![
        say::people(policy),
        say::roles(),
        say::adversary(policy),
        say::suppression(policy),
        say::recoding(policy, making.proposal.optimality.as_published()),
    ];
    statements.extend(levels.map(|levels| say::levels(policy, levels)));
    statements.extend(classes(making));
    statements.extend(starred_cells(making));
    statements.extend(making.job.method().statements(&making.solution()));
    statements.extend(generalized.map(GeneralizedValues::statement));
    statements.extend(policy.linkage.minimum.as_ref().map(say::linkage));
    statements.extend(presence.iter().map(say::presence));
    statements.extend(say::centers(policy));
    statements.extend(say::noise(policy));
    statements.extend(say::insensitive(policy));
    statements.extend(say::looks_like_identifiers(policy));
    statements.extend(say::identifiers(policy));
    statements.extend(say::spreadsheets(policy));
    statements
}

/// In how many rows each column is `*`, where single cells are suppressed.
fn starred_cells(making: &ReleaseParts<'_>) -> Option<Statement> {
    let (release, _) = making.rows()?;
    release.suppressed_cells()?;
    let partition = release.partition();
    let of_column = |(at, column): (usize, &CountedColumn)| {
        let rows = partition.classes.iter().map(|class| {
            let label = class.labels[at] as usize;
            (partition.labels[at][label].as_str(), class.size)
        });
        (column.name.clone(), say::starred_rows(rows))
    };
    let columns = release.table().quasi_identifiers().iter().enumerate();
    Some(say::starred_cells(&columns.map(of_column).collect()))
}

/// What goes with classes that have released values of their own.
fn classes(making: &ReleaseParts<'_>) -> Vec<Statement> {
    let proposal = making.proposal;
    let Some((release, recoding)) = making.rows() else { return Vec::new() };
    let covers_nothing = release.perturbed().is_some() || release.generated().contains(&true);
    if proposal.levels().is_some() || covers_nothing {
        return Vec::new();
    }
    let mut statements = vec![say::classes()];
    let policy = &making.prepared.policy;
    let may_break =
        |requirement: &Requirement| requirement.principle.merging() == Merging::MayBreak;
    if policy.requirements.iter().any(may_break) {
        statements.push(say::overlap(release.n_overlapping_pairs(policy, recoding)));
    }
    statements.extend(proposal.assumes.map(say::generalized));
    statements
}
