//! # Overlapping regions
//!
//! **Definition.** Where released regions overlap, somebody fits several classes; what holds in each of them may fail in their union
//! (reading F-2).
//! **Formula.** For each person of the original the classes whose labels cover the raw quasi-identifiers; the principle is judged on
//! the rows of all of them together.
//! **Assumes.** The adversary knows the quasi-identifiers of a person who is in the table, but not the class.
//! **Gets.** How many classes people fit; for principles that merging may break, the level of the union, and for how many rows it fails.
//! **Complexity.** O(people + rows of the unions), each union once.
//! **Stopped by.** Every principle that merging keeps; regions that do not overlap.
//! **Source.** Reading F-2 on the (epsilon, m) text, Definition 3 iii. Deviations: none.

use indistinct_core::model::{ClassView, Histogram, sum_by_key};
use indistinct_core::principle::Merging;
use indistinct_core::published::ReleaseWithOriginal;
use indistinct_core::{Level, Observer, Requirement};
use indistinct_language::words;
use serde::Serialize;

use crate::fits::victims_of;
use crate::{Attack, Distribution, RiskKind};

/// The attack.
pub static ATTACK: Attack = Attack {
    name: "overlapping-regions",
    risk: RiskKind::Inference,
    assumes: "The adversary knows the quasi-identifiers of a person who is in the table, but not which of the classes that fit is the person's.",
    gets: "The level of the principles that merging may break, judged on all rows that fit a person.",
    stopped_by: "Every principle that merging keeps (k-anonymity, l-diversity, t-closeness): what holds in each class that fits holds in their union.",
    source: "Reading F-2 on Li, Tao, Xiao, SIGMOD 2008, Definition 3",
};

/// What people learn of who fits several classes.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Overlap {
    /// How many classes fit, over the released rows of the original's people.
    pub n_classes: Option<Distribution>,
    /// Rows of people who fit several.
    pub n_rows_in_several: u64,
    /// The principles that merging may break.
    pub principles: Vec<OverUnion>,
}

/// A principle on the unions.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct OverUnion {
    /// Its kind.
    pub kind: &'static str,
    /// The sensitive attribute.
    pub attribute: Option<String>,
    /// What is required: name and threshold.
    pub required: Vec<(&'static str, f64)>,
    /// The worst level of a union, in the same order.
    pub worst: Vec<Option<f64>>,
    /// Rows of people whose union fails.
    pub n_rows_failing: u64,
}

/// Judges the unions. The requirements are those of the policy, built for [`ReleaseWithOriginal::published`]'s rows; those that merging
/// keeps are passed over.
pub fn attack(
    beside: &ReleaseWithOriginal,
    requirements: &[Requirement],
    observer: &dyn Observer,
) -> Overlap {
    let published = &beside.published;
    let fits =
        victims_of(&beside.original, published, &beside.cells, &beside.hierarchies, observer);
    let rows = released_rows(beside);
    let mut rows_of_set = vec![0u64; fits.sets.len()];
    for (&set, rows) in fits.set_of.iter().zip(&rows) {
        rows_of_set[set as usize] += rows;
    }
    let sizes = published.class_sizes();
    let classes_of: Vec<Vec<u32>> = classes_of_combinations(published);
    let unions: Vec<(Vec<u32>, u64)> = fits
        .sets
        .iter()
        .zip(rows_of_set)
        .filter(|(_, rows)| *rows > 0)
        .take_while(|_| !observer.is_cancelled())
        .map(|(set, rows)| {
            let mut classes: Vec<u32> =
                set.iter().flat_map(|&at| &classes_of[at as usize]).copied().collect();
            classes.sort_unstable();
            classes.dedup();
            (classes, rows)
        })
        .collect();
    let several = unions.iter().filter(|(classes, _)| classes.len() > 1);
    let mut found = Overlap {
        n_classes: Distribution::of(
            unions.iter().map(|(classes, rows)| (classes.len() as f64, *rows)).collect(),
        ),
        n_rows_in_several: several.map(|(_, rows)| rows).sum(),
        principles: Vec::new(),
    };
    for requirement in requirements {
        let principle = &requirement.principle;
        if principle.merging() == Merging::Keeps {
            continue;
        }
        let bounds = principle.bounds();
        let (mut worst, mut n_rows_failing) = (None::<Level>, 0);
        for (classes, rows) in unions.iter().take_while(|_| !observer.is_cancelled()) {
            let entries: Vec<Vec<(u32, u64)>> = published
                .sensitive
                .iter()
                .map(|sensitive| {
                    let of = |&class: &u32| &sensitive.histograms[class as usize];
                    merged(classes.iter().map(of))
                })
                .collect();
            let histograms: Vec<Histogram<'_>> = entries
                .iter()
                .zip(&published.sensitive)
                .map(|(entries, sensitive)| Histogram {
                    entries,
                    dictionary: &sensitive.dictionary,
                })
                .collect();
            let size = classes.iter().map(|&class| sizes[class as usize]).sum();
            let level = principle.of_class(&ClassView::new(size, &histograms));
            n_rows_failing += if level.meets(bounds) { 0 } else { *rows };
            worst = Some(match worst {
                Some(worst) => worst.worst(level, bounds),
                None => level,
            });
        }
        let threshold = |bound: &indistinct_core::Bound| {
            (bound.name, indistinct_core::model::to_f64(&bound.threshold))
        };
        found.principles.push(OverUnion {
            kind: requirement.kind,
            attribute: requirement.attribute.clone(),
            required: bounds.iter().map(threshold).collect(),
            worst: worst
                .map(|level| level.quantities().map(|quantity| quantity.to_f64()).collect())
                .unwrap_or_default(),
            n_rows_failing,
        });
    }
    found
}

/// For each combination of labels its classes: one, unless a class column tells several apart.
fn classes_of_combinations(published: &indistinct_core::published::PublishedRows) -> Vec<Vec<u32>> {
    let of = |tuples: std::ops::Range<usize>| {
        let mut classes = published.class_of[tuples].to_vec();
        classes.sort_unstable();
        classes.dedup();
        classes
    };
    published.rows.groups().iter().map(of).collect()
}

/// For each group of the original its released rows; all of them where that is not known.
fn released_rows(beside: &ReleaseWithOriginal) -> Vec<u64> {
    let original = &beside.original;
    let mut of_tuple = original.counts().to_vec();
    if let Some(links) = &beside.links {
        of_tuple.fill(0);
        for link in links.iter().filter(|link| link.released.is_some()) {
            of_tuple[link.original as usize] += link.rows;
        }
    }
    original.groups().iter().map(|tuples| of_tuple[tuples].iter().sum()).collect()
}

/// The union of histograms.
fn merged<'a>(histograms: impl Iterator<Item = &'a Vec<(u32, u64)>>) -> Vec<(u32, u64)> {
    let mut entries: Vec<(u32, u64)> = histograms.flatten().copied().collect();
    sum_by_key(&mut entries);
    entries
}

impl Overlap {
    pub(crate) fn sentences(&self) -> Vec<String> {
        let most = self.n_classes.as_ref().map_or(0.0, |classes| classes.maximum);
        let mut got = vec![format!(
            "The people behind {} fit several classes, at most {}.",
            words::rows(self.n_rows_in_several),
            words::number(most)
        )];
        if self.principles.is_empty() {
            got.push(
                "All principles of the policy are kept by merging classes: this attack learns nothing."
                    .to_owned(),
            );
        }
        for principle in &self.principles {
            got.push(if principle.n_rows_failing == 0 {
                format!("{} holds on all rows that fit a person.", principle.kind)
            } else {
                format!(
                    "{} fails on the rows that fit a person for the people behind {}.",
                    principle.kind,
                    words::rows(principle.n_rows_failing)
                )
            });
        }
        got
    }
}
