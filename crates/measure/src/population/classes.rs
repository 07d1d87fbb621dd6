//! The classes of a counted table or a release, and the risk that results from them and from the
//! population.

use std::collections::BTreeMap;

use indistinct_core::model::CountedColumn;
use indistinct_core::{DROPPED, FrequencyTable, Hierarchy, Release, STAR};
use rustc_hash::FxHashMap;

use super::k_map::{self, KMap};
use super::sampled::{SampleRisk, Sampled};

/// Known information about a counted table and its population.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Known {
    /// For each tuple, the sum of the survey weights of its rows.
    pub weights: Option<Vec<f64>>,
    /// The tuple and the household of each row.
    pub households: Option<Vec<(u32, u32)>>,
    /// The table of the population, with the same quasi-identifiers.
    pub people: Option<FrequencyTable>,
    /// The fraction of the population that the table contains.
    pub fraction: Option<f64>,
}

/// A group of rows with equal values in the same class.
#[derive(Debug, Clone, Copy)]
struct RowsInClass {
    tuple: u32,
    rows: u64,
    class: u32,
}

/// The classes of the rows in a counted table.
#[derive(Debug, Clone)]
pub struct Classes {
    sizes: Vec<u64>,
    /// The row groups for each combination of a tuple and a class, in the order of the tuples.
    places: Vec<RowsInClass>,
}

impl Classes {
    fn new(places: Vec<RowsInClass>) -> Self {
        let n_classes = places.iter().map(|place| place.class as usize + 1).max().unwrap_or(0);
        let mut sizes = vec![0; n_classes];
        places.iter().for_each(|place| sizes[place.class as usize] += place.rows);
        Self { sizes, places }
    }

    /// Forms classes of the rows with equal quasi-identifiers.
    pub fn of_table(table: &FrequencyTable) -> Self {
        let groups = table.groups();
        let places = groups.iter().enumerate().flat_map(|(class, tuples)| {
            tuples.map(move |tuple| RowsInClass {
                tuple: tuple as u32,
                rows: table.counts()[tuple],
                class: class as u32,
            })
        });
        Self::new(places.collect())
    }

    /// Returns the classes of a release. Rows that are not released belong to no class.
    pub fn of_release(release: &Release<'_>) -> Self {
        let (table, parts) = (release.table(), release.parts());
        let place = |(at, &class): (usize, &u32)| RowsInClass {
            tuple: parts.map_or(at as u32, |parts| parts[at].tuple),
            rows: table.counts()[at],
            class,
        };
        let placed = release.partition().class_of.iter().enumerate();
        Self::new(placed.filter(|(_, class)| **class != DROPPED).map(place).collect())
    }

    /// Returns the classes as a sample. Rows without a class are not part of the sample. Each row
    /// has an equal share of the weight of its tuple.
    pub fn sampled(&self, table: &FrequencyTable, known: &Known) -> Sampled {
        let n_rows: u64 = self.sizes.iter().sum();
        let weights = known.weights.as_ref().map(|of_tuples| {
            let mut sums = vec![0.0; self.sizes.len()];
            for RowsInClass { tuple, rows, class } in &self.places {
                let tuple = *tuple as usize;
                sums[*class as usize] +=
                    of_tuples[tuple] * *rows as f64 / table.counts()[tuple] as f64;
            }
            sums
        });
        let retained = n_rows as f64 / table.n_rows().max(1) as f64;
        let fraction = known.fraction.map(|fraction| fraction * retained).filter(|it| *it > 0.0);
        Sampled { sizes: self.sizes.clone(), weights, fraction }
    }

    /// Returns the household and the risk of each row that has a class, given the risk of each
    /// class. If the rows of a tuple belong to several classes, the highest risk is returned.
    pub fn of_households(&self, risks: &[f64], known: &Known) -> Option<Vec<(u32, f64)>> {
        let rows = known.households.as_ref()?;
        let mut highest: FxHashMap<u32, f64> = FxHashMap::default();
        for place in &self.places {
            let risk = highest.entry(place.tuple).or_insert(0.0);
            *risk = risk.max(risks[place.class as usize]);
        }
        let of_row = |(tuple, household): &(u32, u32)| Some((*household, *highest.get(tuple)?));
        Some(rows.iter().filter_map(of_row).collect())
    }

    /// Computes all risk estimates of the classes.
    pub fn risk(&self, table: &FrequencyTable, known: &Known, k_map: Option<KMap>) -> SampleRisk {
        let sampled = self.sampled(table, known);
        let households = self.of_households(&sampled.risks(), known);
        sampled.risk(households.as_deref(), k_map)
    }
}

/// Computes the journalist risk from a population. `label` returns the released label of a value of
/// the population, by quasi-identifier and code, and `labels` returns the labels of a class. Every
/// person matches a class whose labels are all `*`.
fn k_map(
    sizes: &[u64],
    labels: impl Fn(usize) -> Vec<String>,
    people: &FrequencyTable,
    label: impl Fn(usize, u32) -> String,
) -> Option<KMap> {
    let mut fitting: BTreeMap<Vec<String>, u64> = BTreeMap::new();
    for (at, count) in people.counts().iter().enumerate() {
        let columns = people.quasi_identifiers().iter().enumerate();
        let key = columns.map(|(column, it)| label(column, it.codes[at])).collect();
        *fitting.entry(key).or_insert(0) += count;
    }
    let of_class = |class: usize| {
        let labels = labels(class);
        let is_whole_population = labels.iter().all(|label| label == STAR);
        let else_of = if is_whole_population { people.n_rows() } else { 0 };
        fitting.get(&labels).copied().unwrap_or(else_of)
    };
    let classes: Vec<(u64, u64)> =
        sizes.iter().enumerate().map(|(class, rows)| (*rows, of_class(class))).collect();
    k_map::k_map(&classes, people.n_rows())
}

/// Computes the journalist risk for the original values of a table.
pub fn k_map_of_table(table: &FrequencyTable, people: &FrequencyTable) -> Option<KMap> {
    let groups = table.groups();
    let first: Vec<usize> = groups.iter().map(|tuples| tuples.start).collect();
    let sizes: Vec<u64> = groups.iter().map(|tuples| table.counts()[tuples].iter().sum()).collect();
    let value = |column: &CountedColumn, code: u32| column.dictionary.value(code).to_owned();
    let labels = |class: usize| -> Vec<String> {
        let columns = table.quasi_identifiers().iter();
        columns.map(|column| value(column, column.codes[first[class]])).collect()
    };
    k_map(&sizes, labels, people, |at, code| value(&people.quasi_identifiers()[at], code))
}

/// Computes the journalist risk for the labels of a full-domain release, with hierarchies that
/// cover the population.
///
/// # Panics
/// Panics if the levels or the hierarchies do not match the release.
pub fn k_map_of_release(
    release: &Release<'_>,
    hierarchies: &[Hierarchy],
    levels: &[usize],
    people: &FrequencyTable,
) -> Option<KMap> {
    let partition = release.partition();
    let sizes: Vec<u64> = partition.classes.iter().map(|class| class.size).collect();
    let labels = |class: usize| -> Vec<String> {
        let labels = partition.classes.get(class as u32).labels.iter().zip(&partition.labels);
        labels.map(|(label, texts)| texts[*label as usize].clone()).collect()
    };
    k_map(&sizes, labels, people, |at, code| hierarchies[at].label(levels[at], code).to_owned())
}
