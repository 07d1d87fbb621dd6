//! The answer of `link`.

use std::path::PathBuf;

use indistinct_core::model::to_f64;
use indistinct_diagnostics::Values;
use indistinct_linkage::as_published::Common;
use indistinct_linkage::post_linkage::{
    Combinations, Cover, LinkageResult, RemainingRequirement, SensitiveReport,
};
use serde::Serialize;

use super::{LinkRequest, OpenedRelease};
use crate::forms::{JointPromise, together};

/// The answer of `link`.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct LinkAnswer {
    /// Whether at least the required minimum certainly remains for every person and every sensitive
    /// attribute; true if no minimum was required.
    pub holds: bool,
    /// The required minimum for every person.
    pub required: Option<RemainingRequirement>,
    /// The releases.
    pub releases: Vec<LinkedRelease>,
    /// The quasi-identifiers that at least two releases have in common.
    pub quasi_identifiers: Vec<String>,
    /// The linked population: people or combinations.
    pub who: Who,
    /// Combinations that at least two releases cover and for which at least one sensitive
    /// value remains.
    pub linked: Combinations,
    /// Combinations of classes that have no sensitive value in common as written. Unless the
    /// combination is unclear, no person can be in all of its classes.
    pub contradictory: Combinations,
    /// Contradictory combinations that might result from different spellings of a sensitive value.
    /// The remaining values of people with such a value are unknown.
    pub unclear: Combinations,
    /// The number of people in the original tables who are covered by fewer than two releases;
    /// `None` if the people are unknown.
    pub n_not_linked: Option<u64>,
    /// The effect of linkage on each sensitive attribute.
    pub sensitive: Vec<LinkedSensitive>,
    /// Labels whose relation to the labels of other releases is unknown.
    pub not_understood: Vec<NotUnderstood>,
    /// The joint guarantee of the plans if all releases follow plans.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub together: Option<JointPromise>,
}

/// A linked release.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct LinkedRelease {
    /// The release directory.
    pub directory: PathBuf,
    /// The number of rows.
    pub n_rows: u64,
    /// The number of classes.
    pub n_classes: u64,
    /// The source of information about the values that labels cover.
    pub labels_read_by: ReadBy,
    /// The directory of an identical release that precedes this release in the list.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub same_as: Option<PathBuf>,
}

/// The source of information about the values that labels cover.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ReadBy {
    /// The original table and the data holder's hierarchies.
    Original,
    /// The data holder's hierarchies from the private directory.
    Holder,
    /// The hierarchies that the release publishes.
    Published,
}

/// The linked population.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Who {
    /// The people in the original tables.
    People,
    /// The person with the given quasi-identifiers.
    Person,
    /// Every combination of quasi-identifiers that two releases cover, although some combinations
    /// belong to no person.
    Anybody,
}

/// The effect of linkage on one sensitive attribute.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct LinkedSensitive {
    /// The sensitive attribute.
    pub attribute: String,
    /// The number of distinct values in the releases.
    pub n_values: u64,
    /// The smallest number of distinct values in a class of each release; `None` for a release
    /// without the sensitive attribute or without rows.
    pub distinct_l_alone: Vec<Option<u64>>,
    /// The smallest number of distinct values that remain for a person; `None` if no one is linked.
    pub distinct_l: Option<u64>,
    /// The smallest ratio of the total count to the largest count of the remaining values.
    pub frequency_l: Option<f64>,
    /// The smallest exponential of the entropy of a person's remaining values.
    pub entropy_l: Option<f64>,
    /// The length of the shortest interval that contains all of a person's remaining values, for a
    /// numeric sensitive attribute.
    pub shortest_interval: Option<f64>,
    /// The smallest number of values that can remain in the worst case, given the levels of
    /// the releases.
    pub worst_case: Option<u64>,
    /// Combinations with exactly one remaining value.
    pub revealed: Combinations,
    /// The number of combinations for each number of remaining values.
    pub distribution: Vec<Remain>,
    /// Combinations for which fewer values than required remain.
    pub below: Option<Combinations>,
    /// The combinations with the fewest remaining values, for the data holder only; `None` if
    /// combinations are hidden.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub worst: Option<Vec<Worst>>,
}

/// The number of combinations with a given number of remaining values.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct Remain {
    /// The number of remaining values.
    pub distinct_l: u64,
    /// The number of combinations.
    #[serde(flatten)]
    pub combinations: Combinations,
}

/// A combination for which few sensitive values remain after linkage.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct Worst {
    /// The quasi-identifiers of the combination, as values or as labels that cover the values.
    pub quasi_identifiers: Vec<(String, String)>,
    /// The matching classes of each release.
    pub releases: Vec<WorstRelease>,
    /// The number of people with this combination; `None` if the people are unknown.
    pub n_people: Option<u64>,
    /// The remaining sensitive values, each with an upper bound on its count.
    pub remaining: Vec<(String, u64)>,
    /// The ratio of the total count to the largest count of the remaining values.
    pub frequency_l: f64,
    /// The exponential of the entropy of the remaining values.
    pub entropy_l: f64,
}

/// The classes of one release that a combination matches.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct WorstRelease {
    /// The release directory.
    pub directory: PathBuf,
    /// The labels of each class. For a class with several regions, only the labels of the first
    /// region are included.
    pub classes: Vec<Vec<String>>,
}

/// Labels whose relation to the labels of other releases is unknown.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct NotUnderstood {
    /// The quasi-identifier.
    pub attribute: String,
    /// The number of distinct labels.
    pub n_labels: u64,
}

pub(super) fn answer(
    directories: &[PathBuf],
    read: &[OpenedRelease],
    common: &Common,
    linked: &LinkageResult,
    request: &LinkRequest,
) -> LinkAnswer {
    let who = match (&common.people, &request.person) {
        (Some(_), Some(_)) => Who::Person,
        (Some(_), None) => Who::People,
        (None, _) => Who::Anybody,
    };
    let releases = directories.iter().zip(read).enumerate().map(|(at, (directory, release))| {
        let same = read[..at].iter().position(|it| it.certificate == release.certificate);
        LinkedRelease {
            directory: directory.clone(),
            n_rows: release.as_published.n_rows,
            n_classes: release.as_published.classes.len() as u64,
            labels_read_by: release.read_by,
            same_as: same.map(|at| directories[at].clone()),
        }
    });
    let is_shared = |name: &String| {
        let has = |it: &&OpenedRelease| {
            it.as_published.quasi_identifiers.iter().any(|column| column.name == *name)
        };
        read.iter().filter(has).count() > 1
    };
    let own = common.columns.iter().filter(|column| column.of_release.is_none());
    let sensitive_columns: Vec<LinkedSensitive> = (0..)
        .zip(common.sensitive.iter().zip(&linked.sensitive))
        .map(|(at, (sensitive, report))| LinkedSensitive {
            attribute: sensitive.name.clone(),
            n_values: u64::from(common.setting.sensitive[at].n_values()),
            distinct_l_alone: l_alone(&sensitive.name, read, report),
            distinct_l: report.distinct_l,
            frequency_l: report.frequency_l.as_ref().map(to_f64),
            entropy_l: report.entropy_l,
            shortest_interval: report
                .width
                .zip(sensitive.scale)
                .map(|(width, scale)| width as f64 / scale as f64),
            worst_case: report.worst_case,
            revealed: match report.distribution.first() {
                Some((1, combinations)) => *combinations,
                _ => Combinations::none(common.candidates()),
            },
            distribution: report
                .distribution
                .iter()
                .map(|&(distinct_l, combinations)| Remain { distinct_l, combinations })
                .collect(),
            below: report.below,
            worst: (request.values == Values::Shown)
                .then(|| worst(at, directories, read, common, report, who)),
        })
        .collect();
    let is_enough = linked.unclear.is_empty()
        && linked.sensitive.iter().all(|it| it.below.is_none_or(|below| below.is_empty()));
    LinkAnswer {
        holds: request.minimum.is_none() || is_enough,
        required: request.minimum,
        releases: releases.collect(),
        quasi_identifiers: own.map(|it| it.name.clone()).filter(is_shared).collect(),
        who,
        linked: linked.linked,
        contradictory: linked.contradictory,
        unclear: linked.unclear,
        n_not_linked: (who != Who::Anybody).then_some(linked.n_not_linked),
        sensitive: sensitive_columns,
        not_understood: common
            .not_understood
            .iter()
            .map(|it| NotUnderstood { attribute: it.column.clone(), n_labels: it.n_labels as u64 })
            .collect(),
        together: together(&read.iter().map(|it| it.followed.as_ref()).collect::<Vec<_>>()),
    }
}

/// Returns the l of each release before linkage; `None` for releases without the sensitive
/// attribute.
fn l_alone(name: &str, read: &[OpenedRelease], report: &SensitiveReport) -> Vec<Option<u64>> {
    let has = |read: &OpenedRelease| {
        read.as_published.sensitive.iter().any(|sensitive| sensitive.name == name)
    };
    let levels = report.l_each.iter().zip(read);
    levels.map(|(level, read)| level.filter(|_| has(read))).collect()
}

fn worst(
    sensitive: usize,
    directories: &[PathBuf],
    read: &[OpenedRelease],
    common: &Common,
    report: &SensitiveReport,
    who: Who,
) -> Vec<Worst> {
    let values = &common.sensitive[sensitive].texts;
    let combination = |it: &indistinct_linkage::post_linkage::WorstCombination| Worst {
        quasi_identifiers: common
            .columns
            .iter()
            .zip(&it.codes)
            .filter(|(column, _)| column.of_release.is_none())
            .map(|(column, code)| (column.name.clone(), column.texts[*code as usize].clone()))
            .collect(),
        releases: directories
            .iter()
            .zip(read)
            .zip(it.classes.iter().zip(&common.releases))
            .map(|((directory, read), (classes, published))| WorstRelease {
                directory: directory.clone(),
                classes: classes
                    .iter()
                    .map(|&class| {
                        let class = class as usize;
                        let fits = |region: &Vec<Cover>| {
                            region.iter().zip(&it.codes).all(|(cover, code)| cover.has(*code))
                        };
                        let regions = &published.classes[class].regions;
                        let region = regions.iter().position(fits).unwrap_or(0);
                        let labels = &read.as_published.classes[class].regions[region];
                        let columns = read.as_published.quasi_identifiers.iter();
                        let label = columns
                            .zip(labels)
                            .map(|(it, label)| it.labels[*label as usize].clone());
                        label.collect()
                    })
                    .collect(),
            })
            .collect(),
        n_people: (who != Who::Anybody).then_some(it.n_people),
        remaining: it
            .remaining
            .linked
            .iter()
            .map(|(value, count)| (values[*value as usize].clone(), *count))
            .collect(),
        frequency_l: to_f64(&it.remaining.frequency_l()),
        entropy_l: it.remaining.entropy_l,
    };
    report.worst.iter().map(combination).collect()
}
