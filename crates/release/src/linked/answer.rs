//! The answer of `link`: figures, and what they mean in plain words.

use std::path::PathBuf;

use indistinct_core::model::to_f64;
use indistinct_diagnostics::{Values, words};
use indistinct_linkage::post_linkage::{Cover, LinkageResult, SensitiveReport, Tally};
use indistinct_linkage::seen::Common;
use serde::Serialize;

use super::{LinkRequest, OpenedRelease};
use crate::forms::{JointPromise, together};

/// The answer of `link`.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LinkAnswer {
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
    /// What was required of everybody.
    pub required: Option<LinkRequirement>,
    /// What the plans promise for all releases together, where all are by plans.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub together: Option<JointPromise>,
    /// What the figures rest on, in words.
    pub assumptions: Vec<String>,
    /// What else is to be said.
    pub notes: Vec<String>,
}

impl LinkAnswer {
    /// Whether what was required remains for everybody.
    pub fn holds(&self) -> bool {
        self.required.as_ref().is_none_or(|required| required.holds)
    }
}

/// One of the releases.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LinkedRelease {
    /// Its directory.
    pub directory: PathBuf,
    /// Its rows.
    pub n_rows: u64,
    /// Its classes.
    pub n_classes: u64,
    /// How it is known what its labels cover.
    pub labels_read_by: ReadBy,
}

/// How it is known what labels cover.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum ReadBy {
    /// By the original and the holder's hierarchies.
    Original,
    /// By the holder's hierarchies, in the private part.
    Holder,
    /// By the hierarchies that the release publishes.
    Published,
}

/// Who was linked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Who {
    /// The people of the originals.
    People,
    /// Every combination of quasi-identifiers that two releases cover: not each of them is a person.
    Anybody,
}

/// A number of combinations of classes, and of people in them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Combinations {
    /// Combinations of classes, of each release one or more that overlap.
    pub n_combinations: u64,
    /// People; `None` where they are not known.
    pub n_people: Option<u64>,
}

impl Combinations {
    fn of(tally: &Tally, who: Who) -> Self {
        let n_people = (who == Who::People).then_some(tally.n_people);
        Self { n_combinations: tally.n_patterns, n_people }
    }

    /// `3 people`, or `3 combinations of classes` where people are not known.
    pub fn words(&self) -> String {
        match self.n_people {
            Some(n) => words::counted(n, "person", "people"),
            None => words::counted(
                self.n_combinations,
                "combination of classes",
                "combinations of classes",
            ),
        }
    }
}

/// What linkage does to one sensitive attribute.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
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
    /// The worst combinations, for the holder's eyes; `None` where they are not to be shown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub worst: Option<Vec<Worst>>,
    /// What it means, in words.
    pub meaning: Vec<String>,
}

/// How many have so many values left.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Remain {
    /// Values.
    pub distinct_l: u64,
    /// How many.
    #[serde(flatten)]
    pub combinations: Combinations,
}

/// A combination that linkage leaves little.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
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
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct WorstRelease {
    /// The directory.
    pub directory: PathBuf,
    /// The labels of each class: of its first region, where it has several.
    pub classes: Vec<Vec<String>>,
}

/// Labels that could not be related to those of other releases.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct NotUnderstood {
    /// The quasi-identifier.
    pub attribute: String,
    /// How many distinct labels.
    pub n_labels: u64,
}

/// What was required of everybody.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LinkRequirement {
    /// At least so many.
    pub l: f64,
    /// How they are counted: `distinct`, `frequency` or `entropy`.
    pub measure: &'static str,
    /// Whether it is known to remain for everybody, of every sensitive attribute.
    pub holds: bool,
}

pub(super) fn answer(
    directories: &[PathBuf],
    read: &[OpenedRelease],
    common: &Common,
    linked: &LinkageResult,
    request: &LinkRequest,
) -> LinkAnswer {
    let who = if common.people.is_some() { Who::People } else { Who::Anybody };
    let releases = directories.iter().zip(read).map(|(directory, read)| LinkedRelease {
        directory: directory.clone(),
        n_rows: read.seen.n_rows,
        n_classes: read.seen.classes.len() as u64,
        labels_read_by: read.read_by,
    });
    let is_shared = |name: &String| {
        let has = |it: &&OpenedRelease| {
            it.seen.quasi_identifiers.iter().any(|column| column.name == *name)
        };
        read.iter().filter(has).count() > 1
    };
    let own = common.columns.iter().filter(|column| column.of_release.is_none());
    let sensitive_columns: Vec<LinkedSensitive> = (0..)
        .zip(common.sensitive.iter().zip(&linked.sensitive))
        .map(|(at, (sensitive, report))| {
            let mut of = LinkedSensitive {
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
                    Some((1, tally)) => Combinations::of(tally, who),
                    _ => Combinations::of(&Tally::default(), who),
                },
                distribution: report
                    .distribution
                    .iter()
                    .map(|(distinct_l, tally)| Remain {
                        distinct_l: *distinct_l,
                        combinations: Combinations::of(tally, who),
                    })
                    .collect(),
                below: report.below.as_ref().map(|tally| Combinations::of(tally, who)),
                worst: (request.values == Values::Shown)
                    .then(|| worst(at, directories, read, common, report, who)),
                meaning: Vec::new(),
            };
            of.meaning = meaning(&of, linked, who);
            of
        })
        .collect();
    let required = request.minimum.map(|minimum| LinkRequirement {
        l: to_f64(&minimum.0.l),
        measure: minimum.0.measure.name(),
        holds: linked.unclear.n_patterns == 0
            && linked.sensitive.iter().all(|it| it.below.is_none_or(|below| below.n_patterns == 0)),
    });
    LinkAnswer {
        releases: releases.collect(),
        quasi_identifiers: own.map(|it| it.name.clone()).filter(is_shared).collect(),
        who,
        linked: Combinations::of(&linked.linked, who),
        contradictory: Combinations::of(&linked.contradictory, who),
        unclear: Combinations::of(&linked.unclear, who),
        n_not_linked: (who == Who::People).then_some(linked.n_not_linked),
        sensitive: sensitive_columns,
        not_understood: common
            .not_understood
            .iter()
            .map(|it| NotUnderstood { attribute: it.column.clone(), n_labels: it.n_labels as u64 })
            .collect(),
        required,
        together: together(&read.iter().map(|it| it.followed.as_ref()).collect::<Vec<_>>()),
        assumptions: assumptions(who),
        notes: notes(directories, read, common, who),
    }
}

/// The levels of the releases that have the sensitive attribute; of the others it says nothing.
fn l_alone(name: &str, read: &[OpenedRelease], report: &SensitiveReport) -> Vec<Option<u64>> {
    let has =
        |read: &OpenedRelease| read.seen.sensitive.iter().any(|sensitive| sensitive.name == name);
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
                        let labels = &read.seen.classes[class].regions[region];
                        let columns = read.seen.quasi_identifiers.iter();
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

fn meaning(sensitive: &LinkedSensitive, linked: &LinkageResult, who: Who) -> Vec<String> {
    let name = &sensitive.attribute;
    let unclear = Combinations::of(&linked.unclear, who);
    let Some(l) = sensitive.distinct_l else {
        return vec![match (linked.unclear.n_patterns, linked.contradictory.n_patterns) {
            (0, 0) => format!(
                "As values are written, nobody is in two of the releases: joining them tells nothing new about {name}."
            ),
            (0, _) => format!(
                "As values are written, nobody is in two of the releases: where quasi-identifiers fit, sensitive values contradict each other. Joining \
                 them tells nothing new about {name}."
            ),
            _ => format!(
                "No two classes have both quasi-identifiers and sensitive values in common as they are written. For {} the quasi-identifiers fit \
                 and the values contradict each other: either they are in one release only, or values are written in two ways; then this \
                 answer says nothing about {name}.",
                unclear.words()
            ),
        }];
    };
    let mut sentences = Vec::new();
    if linked.unclear.n_patterns > 0 {
        sentences.push(format!(
            "For {} the quasi-identifiers fit several releases and the values contradict each other as they are written: either they are in one \
             release only, or values are written in two ways; then this answer says nothing of them.",
            unclear.words()
        ));
    }
    let linked = Combinations::of(&linked.linked, who);
    let alone: Vec<u64> = sensitive.distinct_l_alone.iter().copied().flatten().collect();
    let least = alone.iter().min().copied().unwrap_or(l);
    let values = |n: u64| words::counted(n, "value", "values");
    sentences.push(match l < least {
        true => format!(
            "Each release alone leaves everybody at least {} of {name}. Joined, they leave somebody {}.",
            values(least),
            if l == 1 { "only one".to_owned() } else { format!("only {l}") },
        ),
        false => format!(
            "Joined, the releases leave everybody at least {} of {name}, as the weakest of them does alone.",
            values(l)
        ),
    });
    if l == 1 {
        let share = match (sensitive.revealed.n_people, linked.n_people) {
            (Some(part), Some(whole)) => {
                format!(" ({} of those linked)", words::share(part, whole))
            }
            _ => String::new(),
        };
        sentences.push(format!(
            "For {}{share} it is one value: whoever joins the releases knows {name} of those who are in all that cover them.",
            sensitive.revealed.words()
        ));
    }
    if let Some(worst) = sensitive.worst_case {
        let text = match worst < l {
            true => format!("Releases with these levels could leave as few as {}.", values(worst)),
            false => "No releases with these levels could leave less.".to_owned(),
        };
        sentences.push(text);
    }
    if let Some(below) = sensitive.below.filter(|below| below.n_combinations > 0) {
        sentences.push(format!("Less than required remains for {}.", below.words()));
    }
    sentences
}

fn assumptions(who: Who) -> Vec<String> {
    let mut texts = vec![
        "A person is in every release that has a class for her, with the same sensitive value in each."
            .to_owned(),
        "The adversary knows all her quasi-identifiers, and nothing else; who knows more excludes more."
            .to_owned(),
        "Equal texts are one value, and so are those that differ in case, blanks or look-alike letters alone, unless a release contains both. Other \
         texts are other values, where nothing speaks against it."
            .to_owned(),
        "Counts are upper bounds: where classes of releases differ, fewer records may be in both."
            .to_owned(),
    ];
    texts.push(match who {
        Who::People => "Everybody in the originals may be in all releases. Of equal combinations in several originals, the people are counted in the one that has most of them.".to_owned(),
        Who::Anybody => "Every combination of quasi-identifiers that two releases cover may be a person, though some are nobody. With the originals only their people are linked.".to_owned(),
    });
    texts
}

fn notes(
    directories: &[PathBuf],
    read: &[OpenedRelease],
    common: &Common,
    who: Who,
) -> Vec<String> {
    let mut notes = Vec::new();
    for (at, later) in read.iter().enumerate() {
        let same = read[..at].iter().position(|it| it.certificate == later.certificate);
        if let Some(same) = same {
            notes.push(format!(
                "'{}' and '{}' are the same release, which adds nothing to itself.",
                directories[same].display(),
                directories[at].display()
            ));
        }
    }
    for it in &common.not_understood {
        notes.push(format!(
            "It is not known what {} of {} cover beside those of other releases: each is taken to overlap with everything there. \
             The least that remains is therefore at most what is true. The private parts or the originals say more.",
            words::counted(it.n_labels as u64, "label", "labels"),
            it.column
        ));
    }
    if who == Who::Anybody && read.iter().any(|it| it.original.is_some()) {
        notes.push(match common.not_understood.is_empty() {
            true => "The originals have different quasi-identifiers, or not all of those of the releases: anybody may be a person.".to_owned(),
            false => "Because of these labels, anybody may be a person, though originals are given.".to_owned(),
        });
    }
    if read.iter().any(|it| it.original.is_some()) && read.iter().any(|it| it.original.is_none()) {
        notes.push(
            "Not all originals are given: people who are in the others alone are not looked at."
                .to_owned(),
        );
    }
    notes
}
