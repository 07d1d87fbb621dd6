//! The equivalence classes that a recoding induces, as an adversary sees them.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use crate::STAR;
use crate::model::{FrequencyTable, Population};
use crate::recoding::{Generalization, Policy, Recoding, Suppressed};

/// The class of a tuple whose rows are not written.
pub const DROPPED: u32 = u32::MAX;

/// One equivalence class: the rows with equal released quasi-identifier labels.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Class {
    /// For each quasi-identifier the index of its label in [`Partition::labels`].
    pub labels: Vec<u32>,
    /// Number of rows.
    pub size: u64,
}

/// Which class each tuple of a frequency table is in, and what is released of its quasi-identifiers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Partition {
    /// For each tuple its class, or [`DROPPED`].
    pub class_of: Vec<u32>,
    /// The classes, in ascending order of their label indices.
    pub classes: Vec<Class>,
    /// For each quasi-identifier the released labels.
    pub labels: Vec<Vec<String>>,
    /// For each quasi-identifier and code the index of the label that it is released as, if it is not suppressed.
    pub released: Vec<Vec<u32>>,
}

/// Why a recoding does not fit a table.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum InvalidRecoding {
    /// A list with one entry for each tuple or attribute has another length.
    #[error("the recoding has {got} {what}, expected {expected}")]
    Length {
        /// What is listed.
        what: &'static str,
        /// How many there are.
        got: usize,
        /// How many there should be.
        expected: usize,
    },
    /// A level that the hierarchy of an attribute does not have.
    #[error("attribute {attribute} has no level {level}")]
    Level {
        /// Position of the attribute.
        attribute: usize,
        /// The level.
        level: usize,
    },
}

fn expect_length(what: &'static str, got: usize, expected: usize) -> Result<(), InvalidRecoding> {
    if got == expected { Ok(()) } else { Err(InvalidRecoding::Length { what, got, expected }) }
}

impl Partition {
    /// Lays a recoding over a table and groups the rows by what is released of them.
    ///
    /// # Errors
    /// [`InvalidRecoding`] if it does not fit the table.
    pub fn of(
        table: &FrequencyTable,
        policy: &Policy,
        recoding: &Recoding,
    ) -> Result<Self, InvalidRecoding> {
        let Generalization::FullDomain { levels } = &recoding.generalization;
        let columns = table.quasi_identifiers();
        expect_length("hierarchies", policy.hierarchies.len(), columns.len())?;
        expect_length("levels", levels.len(), columns.len())?;
        expect_length("suppression marks", recoding.suppressed.len(), table.n_tuples())?;

        let mut labels: Vec<Vec<String>> = Vec::new();
        let mut released: Vec<Vec<u32>> = Vec::new();
        let mut stars: Vec<u32> = Vec::new();
        for (attribute, (hierarchy, &level)) in policy.hierarchies.iter().zip(levels).enumerate() {
            if level >= hierarchy.n_levels() {
                return Err(InvalidRecoding::Level { attribute, level });
            }
            let dictionary = &columns[attribute].dictionary;
            let mut interned = Interner::default();
            released.push(
                (0..dictionary.len() as u32)
                    .map(|code| interned.index_of(hierarchy.label(level, code)))
                    .collect(),
            );
            stars.push(interned.index_of(STAR));
            labels.push(interned.labels);
        }

        let mut class_numbers: FxHashMap<Vec<u32>, u32> = FxHashMap::default();
        let mut class_of = vec![DROPPED; table.n_tuples()];
        let mut key = vec![0; columns.len()];
        // Tuples of one quasi-identifier combination are neighbors and mostly share a class.
        let mut last: Option<(Vec<u32>, u32)> = None;
        for (tuple, class) in class_of.iter_mut().enumerate() {
            match (recoding.suppressed[tuple], policy.suppressed) {
                (true, Suppressed::Dropped) => continue,
                (true, Suppressed::Starred) => key.copy_from_slice(&stars),
                (false, _) => {
                    for ((part, map), column) in key.iter_mut().zip(&released).zip(columns) {
                        *part = map[column.codes[tuple] as usize];
                    }
                }
            }
            if let Some((last_key, number)) = &last
                && *last_key == key
            {
                *class = *number;
                continue;
            }
            *class = match class_numbers.get(&key) {
                Some(&number) => number,
                None => {
                    let number = class_numbers.len() as u32;
                    class_numbers.insert(key.clone(), number);
                    number
                }
            };
            match &mut last {
                Some((last_key, number)) => {
                    last_key.copy_from_slice(&key);
                    *number = *class;
                }
                None => last = Some((key.clone(), *class)),
            }
        }

        let mut in_order: Vec<(Vec<u32>, u32)> = class_numbers.into_iter().collect();
        in_order.sort_unstable();
        let mut renumbered = vec![0; in_order.len()];
        for (new, (_, old)) in in_order.iter().enumerate() {
            renumbered[*old as usize] = new as u32;
        }
        let mut classes: Vec<Class> =
            in_order.into_iter().map(|(labels, _)| Class { labels, size: 0 }).collect();
        for (class, &count) in class_of.iter_mut().zip(table.counts()) {
            if *class != DROPPED {
                *class = renumbered[*class as usize];
                classes[*class as usize].size += count;
            }
        }
        Ok(Self { class_of, classes, labels, released })
    }
}

/// Where the people of a population are.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PeopleInClasses {
    /// For each class the number of people with its released labels.
    pub of_class: Vec<u64>,
    /// The numbers of people with labels that no class has.
    pub elsewhere: Vec<u64>,
}

impl PeopleInClasses {
    /// Distributes people over classes, by the key that a class is known by.
    pub(super) fn new(
        population: &Population,
        class_keys: impl Iterator<Item = Vec<u32>>,
        key_of: impl Fn(Vec<u32>) -> Vec<u32>,
    ) -> Self {
        let class_of: FxHashMap<Vec<u32>, usize> =
            class_keys.enumerate().map(|(class, key)| (key, class)).collect();
        let mut of_class = vec![0; class_of.len()];
        let mut elsewhere: BTreeMap<Vec<u32>, u64> = BTreeMap::new();
        for (codes, people) in population.combinations() {
            let key = key_of(codes);
            match class_of.get(&key) {
                Some(&class) => of_class[class] += people,
                None => *elsewhere.entry(key).or_default() += people,
            }
        }
        Self { of_class, elsewhere: elsewhere.into_values().filter(|&people| people > 0).collect() }
    }
}

impl Partition {
    /// Distributes the people of a population over the classes: by the labels that they would be released with.
    pub fn people(&self, population: &Population) -> PeopleInClasses {
        let labels = |codes: Vec<u32>| {
            let parts = codes.iter().zip(&self.released);
            parts.map(|(&code, released)| released[code as usize]).collect()
        };
        let keys = self.classes.iter().map(|class| class.labels.clone());
        PeopleInClasses::new(population, keys, labels)
    }
}

#[derive(Default)]
struct Interner {
    labels: Vec<String>,
    index: FxHashMap<String, u32>,
}

impl Interner {
    fn index_of(&mut self, label: &str) -> u32 {
        if let Some(&index) = self.index.get(label) {
            return index;
        }
        let index = self.labels.len() as u32;
        self.labels.push(label.to_owned());
        self.index.insert(label.to_owned(), index);
        index
    }
}
