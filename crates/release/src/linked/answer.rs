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
    /// Whether it is known that what was required remains for everybody, of every sensitive attribute; true if nothing was required.
    pub holds: bool,
    /// What was required of everybody.
    pub required: Option<RemainingRequirement>,
    /// The releases.
    pub releases: Vec<LinkedRelease>,
    /// The quasi-identifiers that at least two of them have.
    pub quasi_identifiers: Vec<String>,
    /// Who was linked.
    pub who: Who,
    /// Whom at least two releases cover, and for whom something remains.
    pub linked: Combinations,
    /// Combinations of classes that share no sensitive value as they are written: nobody can be in all of them, but for those that are
    /// unclear.
    pub contradictory: Combinations,
    /// Of these the combinations that somebody may be in, if her value is written in different ways: what remains for her is not known.
    pub unclear: Combinations,
    /// People of the originals whom fewer than two releases cover; `None` where they are not known.
    pub n_not_linked: Option<u64>,
    /// What linkage does to each sensitive attribute.
    pub sensitive: Vec<LinkedSensitive>,
    /// Labels that could not be related to those of other releases.
    pub not_understood: Vec<NotUnderstood>,
    /// What the plans promise for all releases together, where all are by plans.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub together: Option<JointPromise>,
}

/// One of the releases.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct LinkedRelease {
    /// Its directory.
    pub directory: PathBuf,
    /// Its rows.
    pub n_rows: u64,
    /// Its classes.
    pub n_classes: u64,
    /// How it is known what its labels cover.
    pub labels_read_by: ReadBy,
    /// The directory of an earlier one that is the same release.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub same_as: Option<PathBuf>,
}

/// How it is known what labels cover.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ReadBy {
    /// By the original and the holder's hierarchies.
    Original,
    /// By the data holder's hierarchies, in the private part.
    Holder,
    /// By the hierarchies that the release publishes.
    Published,
}

/// Who was linked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Who {
    /// The people of the originals.
    People,
    /// Every combination of quasi-identifiers that two releases cover: not each of them is a person.
    Anybody,
}

/// What linkage does to one sensitive attribute.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct LinkedSensitive {
    /// The sensitive attribute.
    pub attribute: String,
    /// How many values it has in the releases.
    pub n_values: u64,
    /// For each release the fewest values in one of its classes; `None` for one without the sensitive attribute or
    /// without rows.
    pub distinct_l_alone: Vec<Option<u64>>,
    /// The fewest values that remain for somebody; `None` if nobody is linked.
    pub distinct_l: Option<u64>,
    /// The least total / largest count that remains.
    pub frequency_l: Option<f64>,
    /// The least exponential of the entropy that remains.
    pub entropy_l: Option<f64>,
    /// Of a numeric sensitive attribute the length of the shortest interval to which somebody is narrowed.
    pub shortest_interval: Option<f64>,
    /// The fewest values that could remain of releases with these levels.
    pub worst_case: Option<u64>,
    /// Those of whom one value remains.
    pub revealed: Combinations,
    /// How many have how many values left.
    pub distribution: Vec<Remain>,
    /// Those below what was required.
    pub below: Option<Combinations>,
    /// The worst combinations, for the data holder only; `None` where they are not to be shown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub worst: Option<Vec<Worst>>,
}

/// How many have so many values left.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct Remain {
    /// Values.
    pub distinct_l: u64,
    /// How many.
    #[serde(flatten)]
    pub combinations: Combinations,
}

/// A combination that linkage leaves little.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct Worst {
    /// Quasi-identifiers of somebody in this position: values, or what covers them.
    pub quasi_identifiers: Vec<(String, String)>,
    /// Her classes in each release.
    pub releases: Vec<WorstRelease>,
    /// People in this position; `None` where they are not known.
    pub n_people: Option<u64>,
    /// What remains, with counts that are upper bounds.
    pub remaining: Vec<(String, u64)>,
    /// Total / largest count.
    pub frequency_l: f64,
    /// The exponential of the entropy.
    pub entropy_l: f64,
}

/// The classes of one release that a combination fits.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct WorstRelease {
    /// The directory.
    pub directory: PathBuf,
    /// The labels of each class: of its first region, where it has several.
    pub classes: Vec<Vec<String>>,
}

/// Labels that could not be related to those of other releases.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct NotUnderstood {
    /// The quasi-identifier.
    pub attribute: String,
    /// How many distinct labels.
    pub n_labels: u64,
}

pub(super) fn answer(
    directories: &[PathBuf],
    read: &[OpenedRelease],
    common: &Common,
    linked: &LinkageResult,
    request: &LinkRequest,
) -> LinkAnswer {
    let who = if common.people.is_some() { Who::People } else { Who::Anybody };
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
            n_values: sensitive.values.len() as u64,
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
        n_not_linked: (who == Who::People).then_some(linked.n_not_linked),
        sensitive: sensitive_columns,
        not_understood: common
            .not_understood
            .iter()
            .map(|it| NotUnderstood { attribute: it.column.clone(), n_labels: it.n_labels as u64 })
            .collect(),
        together: together(&read.iter().map(|it| it.followed.as_ref()).collect::<Vec<_>>()),
    }
}

/// The levels of the releases that have the sensitive attribute; of the others it says nothing.
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
    let values = &common.sensitive[sensitive].values;
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
        n_people: (who == Who::People).then_some(it.n_people),
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
