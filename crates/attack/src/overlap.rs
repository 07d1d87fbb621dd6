//! # Overlapping regions
//!
//! **Definition.** If released regions overlap, a person may fit several classes. A principle that
//! holds in each class may fail in their union (reading F-2).
//! **Formula.** For each person of the original, the attack finds the classes whose labels cover
//! the original quasi-identifiers, and evaluates the principle on the union of their rows.
//! **Assumes.** The adversary knows the quasi-identifiers of a person who is in the table, but not
//! the class.
//! **Gets.** The number of classes that each person fits; for principles that merging may break,
//! the level of the union and the number of rows for which it fails.
//! **Complexity.** O(people + rows of the unions); each union is evaluated once.
//! **Stopped by.** Every principle that is preserved when classes are merged; regions that do not
//! overlap. If people have rows in several classes, merging preserves only k-anonymity (reading
//! H-2), so all requirements that count people are evaluated.
//! **Source.** Reading F-2 of Definition 3 iii in the (epsilon, m) paper. Deviations: none.

use indistinct_core::Status;
use indistinct_core::model::{ClassView, CountedColumn, Histogram, sum_by_key};
use indistinct_core::principle::Merging;
use indistinct_core::published::{PublishedRows, PublishedSensitive, ReleaseWithOriginal};
use indistinct_core::{CountedUnit, DROPPED, Level, Observer, Principle, Requirement};
use serde::Serialize;

use crate::fits::victims_of;
use crate::several_rows::ByClass;
use crate::{Attack, Distribution, RiskKind};

/// The registry entry of the attack `overlapping-regions`.
pub static ATTACK: Attack = Attack {
    name: "overlapping-regions",
    risk: RiskKind::Inference,
    assumes: "The adversary knows the quasi-identifiers of a person who is in the table, but not \
              which of the matching classes contains the person.",
    gets: "The level of each principle that merging classes can violate, evaluated on all rows \
        that match a person.",
    stopped_by: "Every principle that is preserved when classes are merged (k-anonymity, \
                 l-diversity, t-closeness) prevents the attack: if the principle holds in each \
                 matching class, it also holds in their union. For people with rows in several \
                 classes, merging preserves only k-anonymity.",
    status: Status::Experimental {
        reason: "No other implementation or published result is available for comparison.",
    },
    source: "Reading F-2 of Definition 3 in Li, Tao, Xiao, SIGMOD 2008",
};

/// The result of the attack `overlapping-regions`.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct Overlap {
    /// The distribution over released rows of the number of classes that the owner of the row fits.
    pub n_classes: Option<Distribution>,
    /// Rows of people who fit several classes.
    pub n_rows_in_several: u64,
    /// The results for principles that merging may break and for all principles that count people.
    pub principles: Vec<OverUnion>,
    /// Whether people may have several rows while the owners of the rows in each class are unknown.
    #[serde(skip)]
    pub is_people_unknown: bool,
}

/// A principle, evaluated on the unions.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct OverUnion {
    /// The name of the principle.
    pub kind: &'static str,
    /// The sensitive attribute, if the principle has one.
    pub attribute: Option<String>,
    /// The unit that the principle counts.
    #[serde(skip_serializing_if = "is_rows")]
    pub counts: CountedUnit,
    /// The names and thresholds of the required figures.
    pub required: Vec<(&'static str, f64)>,
    /// The worst level of any union of classes, in the order of `required`.
    pub worst: Vec<Option<f64>>,
    /// Rows of people for whom the union of the fitting classes violates the principle.
    pub n_rows_failing: u64,
}

/// Evaluates the unions. The requirements are those of the policy, constructed for the rows of
/// [`ReleaseWithOriginal::published`]; requirements that are preserved when classes are merged are
/// skipped.
pub fn attack(
    pair: &ReleaseWithOriginal,
    requirements: &[Requirement],
    observer: &dyn Observer,
) -> Overlap {
    let published = &pair.published;
    let fits = victims_of(&pair.original, published, &pair.cells, &pair.hierarchies, observer);
    let rows = released_rows(pair);
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
    let people = PeopleOfClasses::new(pair);
    let mut found = Overlap {
        n_classes: Distribution::from_figures(
            unions.iter().map(|(classes, rows)| (classes.len() as f64, *rows)).collect(),
        ),
        n_rows_in_several: several.map(|(_, rows)| rows).sum(),
        principles: Vec::new(),
        is_people_unknown: pair.people.is_some() && people.is_none(),
    };
    let mut judged: Vec<(&Requirement, Option<&PeopleOfClasses<'_>>)> = requirements
        .iter()
        .filter(|it| it.principle.merging() != Merging::Keeps)
        .map(|it| (it, None))
        .collect();
    judged.extend(people.iter().flat_map(|it| requirements.iter().map(move |of| (of, Some(it)))));
    for (requirement, people) in judged {
        let against = people.and_then(|it| it.against(&*requirement.principle));
        let principle = against.as_deref().unwrap_or(&*requirement.principle);
        let bounds = principle.bounds();
        let (mut worst, mut n_rows_failing) = (None::<Level>, 0);
        for (classes, rows) in unions.iter().take_while(|_| !observer.is_cancelled()) {
            let level = match people {
                None => level_of_rows(published, &sizes, classes, principle),
                Some(people) => people.level(classes, principle),
            };
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
            counts: people.map_or(CountedUnit::Rows, |_| CountedUnit::People),
            required: bounds.iter().map(threshold).collect(),
            worst: worst
                .map(|level| level.quantities().map(|quantity| quantity.to_f64()).collect())
                .unwrap_or_default(),
            n_rows_failing,
        });
    }
    found
}

/// Returns the level that the rows of several classes together reach for a principle.
fn level_of_rows(
    published: &PublishedRows,
    sizes: &[u64],
    classes: &[u32],
    principle: &dyn Principle,
) -> Level {
    let of_classes = |sensitive: &PublishedSensitive| {
        merged(classes.iter().map(|&class| &sensitive.histograms[class as usize]))
    };
    let entries: Vec<Vec<(u32, u64)>> = published.sensitive.iter().map(of_classes).collect();
    let histograms: Vec<Histogram<'_>> = entries
        .iter()
        .zip(&published.sensitive)
        .map(|(entries, sensitive)| Histogram { entries, dictionary: &sensitive.dictionary })
        .collect();
    let size = classes.iter().map(|&class| sizes[class as usize]).sum();
    principle.of_class(&ClassView::new(size, &histograms))
}

/// Returns the classes of each combination of labels; a combination has several classes only if a
/// class column distinguishes them.
fn classes_of_combinations(published: &PublishedRows) -> Vec<Vec<u32>> {
    let of = |tuples: std::ops::Range<usize>| {
        let mut classes = published.class_of[tuples].to_vec();
        classes.sort_unstable();
        classes.dedup();
        classes
    };
    published.rows.groups().iter().map(of).collect()
}

/// Returns the released rows of each group of original rows, or all rows of the group if the links
/// are unknown.
fn released_rows(pair: &ReleaseWithOriginal) -> Vec<u64> {
    let original = &pair.original;
    let mut of_tuple = original.counts().to_vec();
    if let Some(links) = &pair.links {
        of_tuple.fill(0);
        for link in links.iter().filter(|link| link.released.is_some()) {
            of_tuple[link.original as usize] += link.rows;
        }
    }
    original.groups().iter().map(|tuples| of_tuple[tuples].iter().sum()).collect()
}

fn is_rows(counts: &CountedUnit) -> bool {
    *counts == CountedUnit::Rows
}

/// The people of each class, and their sensitive values.
struct PeopleOfClasses<'a> {
    sensitive: &'a [PublishedSensitive],
    /// The people of each class.
    members: Vec<Vec<u32>>,
    /// For each sensitive attribute and class, the pairs of a released value and a person.
    having: Vec<Vec<Vec<(u32, u32)>>>,
}

impl<'a> PeopleOfClasses<'a> {
    /// Returns `None` if the owners of the rows of a class are unknown.
    fn new(pair: &'a ReleaseWithOriginal) -> Option<Self> {
        let ByClass { people, class_of } = ByClass::new(pair)?;
        let (original, n_classes) = (&pair.original, pair.published.n_classes);
        let mut members = vec![Vec::new(); n_classes];
        let mut having = vec![vec![Vec::new(); n_classes]; original.sensitive().len()];
        let sensitive = &pair.published.sensitive;
        let code = |(column, released): (&CountedColumn, &PublishedSensitive), tuple: usize| {
            released.dictionary.code_of(column.dictionary.value(column.codes[tuple]))
        };
        let released = class_of.iter().enumerate().filter(|(_, class)| **class != DROPPED);
        for (tuple, &class) in released {
            let own = people.of_tuple(tuple).iter().map(|entry| entry.0);
            members[class as usize].extend(own.clone());
            for (columns, having) in original.sensitive().iter().zip(sensitive).zip(&mut having) {
                let code = code(columns, tuple)?;
                having[class as usize].extend(own.clone().map(|person| (code, person)));
            }
        }
        Some(Self { sensitive, members, having })
    }

    /// Returns the level that the people in the union of the given classes reach for a principle.
    fn level(&self, classes: &[u32], principle: &dyn Principle) -> Level {
        self.with_union(classes, |people| principle.of_people(people))
    }

    /// Returns the principle for all released people, or `None` if it does not depend on them.
    fn against(&self, principle: &dyn Principle) -> Option<Box<dyn Principle>> {
        let all: Vec<u32> = (0..self.members.len() as u32).collect();
        self.with_union(&all, |people| principle.against_people(people))
    }

    /// Calls `f` with the people in the union of the given classes.
    fn with_union<R>(&self, classes: &[u32], f: impl FnOnce(&ClassView<'_>) -> R) -> R {
        let entries: Vec<Vec<(u32, u64)>> = self
            .having
            .iter()
            .map(|having| {
                let pairs = distinct(classes.iter().map(|&class| &having[class as usize]));
                let mut entries = pairs.into_iter().map(|(code, _)| (code, 1)).collect();
                sum_by_key(&mut entries);
                entries
            })
            .collect();
        let histograms: Vec<Histogram<'_>> = entries
            .iter()
            .zip(self.sensitive)
            .map(|(entries, released)| Histogram { entries, dictionary: &released.dictionary })
            .collect();
        let people = distinct(classes.iter().map(|&class| &self.members[class as usize]));
        f(&ClassView::new(people.len() as u64, &histograms))
    }
}

fn distinct<'a, T: Copy + Ord + 'a>(of_classes: impl Iterator<Item = &'a Vec<T>>) -> Vec<T> {
    let mut all: Vec<T> = of_classes.flatten().copied().collect();
    all.sort_unstable();
    all.dedup();
    all
}

/// Returns the union of histograms.
fn merged<'a>(histograms: impl Iterator<Item = &'a Vec<(u32, u64)>>) -> Vec<(u32, u64)> {
    let mut entries: Vec<(u32, u64)> = histograms.flatten().copied().collect();
    sum_by_key(&mut entries);
    entries
}
