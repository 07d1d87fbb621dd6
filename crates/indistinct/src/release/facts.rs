//! The facts in a certificate, in addition to its claims.
//!
//! Invariant: every figure follows from the released rows. Figures that reveal more about the
//! original are in the private directory.

use std::collections::BTreeMap;

use indistinct_core::model::CountedColumn;
use indistinct_core::principle::Merging;
use indistinct_core::{PrincipleClaim, Requirement};
use indistinct_release::facts::{
    Belief, Fact, GeneralizedValues, of_policy, recoding, starred_rows,
};

use super::Certified;

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
