//! The equivalence classes of a recoding from the perspective of an adversary.
//!
//! A compact representation of the classes of a partition, in which millions of classes share one
//! list of labels.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use super::cells;
use super::invalid::{InvalidRecoding, expect_length};
use crate::STAR;
use crate::model::{FrequencyTable, Population};
use crate::recoding::{
    Cell, ClassColumn, Classes, Generalization, Policy, Recoding, Requirement, SuppressionRule,
};

/// The class number of tuples whose rows are not released.
pub const DROPPED: u32 = u32::MAX;

/// The class of each tuple of a frequency table, and the released quasi-identifiers of each class.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Partition {
    /// The class of each tuple, or [`DROPPED`].
    pub class_of: Vec<u32>,
    /// The classes, in ascending order of their label indices. Classes may have the same labels if
    /// a class column distinguishes them.
    pub classes: VisibleClasses,
    /// The released labels of each quasi-identifier.
    pub labels: Vec<Vec<String>>,
    /// The index of the released label, for each quasi-identifier and each code that is not
    /// suppressed, or `None` if the label may differ between classes.
    pub released: Option<Vec<Vec<u32>>>,
}

impl Partition {
    /// Applies a recoding to a table and groups the rows by their released labels. If the policy
    /// publishes a class column and the recoding defines classes, rows are also grouped by class
    /// number.
    ///
    /// If the recoding is divided into parts, `table` must be the result of
    /// [`FrequencyTable::divided`].
    ///
    /// # Errors
    /// Returns [`InvalidRecoding`] if the recoding does not match the table.
    pub fn new(
        table: &FrequencyTable,
        policy: &Policy,
        recoding: &Recoding,
    ) -> Result<Self, InvalidRecoding> {
        let columns = table.quasi_identifiers();
        expect_length("hierarchies", policy.hierarchies.len(), columns.len())?;
        expect_length("suppression marks", recoding.suppressed.len(), table.n_tuples())?;
        match &recoding.generalization {
            Generalization::FullDomain { levels, .. } => {
                Self::of_levels(table, policy, levels, &recoding.suppressed)
            }
            Generalization::Classes(classes) => {
                Self::of_cells(table, policy, classes, &recoding.suppressed)
            }
        }
    }

    fn of_levels(
        table: &FrequencyTable,
        policy: &Policy,
        levels: &[usize],
        suppressed: &[bool],
    ) -> Result<Self, InvalidRecoding> {
        let columns = table.quasi_identifiers();
        let LabelsOfLevels { labels, released, stars } =
            LabelsOfLevels::new(table, policy, levels)?;
        let mut class_numbers: FxHashMap<Vec<u32>, u32> = FxHashMap::default();
        let mut class_of = vec![DROPPED; table.n_tuples()];
        let mut key = vec![0; columns.len()];
        // Tuples with the same quasi-identifier combination are adjacent and usually in the same
        // class.
        let mut last: Option<(Vec<u32>, u32)> = None;
        for (tuple, class) in class_of.iter_mut().enumerate() {
            match (suppressed[tuple], policy.suppressed) {
                (true, SuppressionRule::Dropped) => continue,
                (true, SuppressionRule::Starred | SuppressionRule::Cells) => {
                    key.copy_from_slice(&stars)
                }
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
        let mut classes = VisibleClasses::with_capacity(columns.len(), in_order.len());
        in_order.iter().for_each(|(labels, _)| classes.push(labels));
        for (class, &count) in class_of.iter_mut().zip(table.counts()) {
            if *class != DROPPED {
                *class = renumbered[*class as usize];
                classes.add(*class, count);
            }
        }
        Ok(Self { class_of, classes, labels, released: Some(released) })
    }
}

/// The released labels of a table whose attributes are generalized to given levels.
struct LabelsOfLevels {
    /// The labels of each attribute.
    labels: Vec<Vec<String>>,
    /// For each attribute, the index of the label of each code.
    released: Vec<Vec<u32>>,
    /// For each attribute, the index of the label of a suppressed value.
    stars: Vec<u32>,
}

impl LabelsOfLevels {
    fn new(
        table: &FrequencyTable,
        policy: &Policy,
        levels: &[usize],
    ) -> Result<Self, InvalidRecoding> {
        let columns = table.quasi_identifiers();
        expect_length("levels", levels.len(), columns.len())?;
        let (mut labels, mut released, mut stars) = (Vec::new(), Vec::new(), Vec::new());
        for (attribute, (hierarchy, &level)) in policy.hierarchies.iter().zip(levels).enumerate() {
            if level >= hierarchy.n_levels() {
                return Err(InvalidRecoding::Level { attribute, level });
            }
            let codes = 0..columns[attribute].dictionary.len() as u32;
            let mut interned = Interner::default();
            let label = |code| interned.index_of(hierarchy.label(level, code));
            released.push(codes.map(label).collect());
            stars.push(interned.index_of(STAR));
            labels.push(interned.labels);
        }
        Ok(Self { labels, released, stars })
    }
}

/// The assignment of the people in a population to classes.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PeopleInClasses {
    /// The number of people who match the released labels of each class.
    pub of_class: Vec<u64>,
    /// The number of people for each combination of labels that does not occur in any class.
    pub elsewhere: Vec<u64>,
}

impl PeopleInClasses {
    /// Assigns each person to the class that has the same key.
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
    fn of_cells(
        table: &FrequencyTable,
        policy: &Policy,
        classes: &Classes,
        suppressed: &[bool],
    ) -> Result<Self, InvalidRecoding> {
        expect_length("class numbers", classes.class_of.len(), table.n_tuples())?;
        let on_people = |requirement: &&Requirement| requirement.principle.population().is_some();
        if let Some(requirement) = policy.requirements.iter().find(on_people) {
            return Err(InvalidRecoding::Population { kind: requirement.kind });
        }
        cells::check_coverage(table, &policy.hierarchies, classes, suppressed)?;

        let n_labels = policy.hierarchies.len();
        let n_classes = classes.cells.n_classes();
        let mut labels: Vec<Vec<String>> = Vec::new();
        let mut stars: Vec<u32> = Vec::new();
        // Each class of the recoding has a key that consists of its labels and, if it is published,
        // its number. The last key is that of suppressed rows that are shown as `*`.
        let n_parts = n_labels + usize::from(policy.published == ClassColumn::Published);
        let mut keys = vec![0; (n_classes + 1) * n_parts];
        for (attribute, hierarchy) in policy.hierarchies.iter().enumerate() {
            let dictionary = &table.quasi_identifiers()[attribute].dictionary;
            let cells = classes.cells.of_attribute(attribute);
            let mut interned = Interner::default();
            let index = |cell: &Cell| interned.index_of(&cell.text(dictionary, hierarchy));
            let index_of: Vec<u32> = cells.distinct().iter().map(index).collect();
            for (key, &cell) in keys.chunks_exact_mut(n_parts).zip(cells.of_classes()) {
                key[attribute] = index_of[cell as usize];
            }
            stars.push(interned.index_of(STAR));
            labels.push(interned.labels);
        }
        if policy.published == ClassColumn::Published {
            for (key, class) in keys.chunks_exact_mut(n_parts).zip(0..) {
                key[n_labels] = class;
            }
            stars.push(u32::MAX);
        }
        keys[n_classes * n_parts..].copy_from_slice(&stars);
        let key = |class: usize| &keys[class * n_parts..(class + 1) * n_parts];

        // Suppressed rows that are shown as `*` form an additional class after the classes of the
        // recoding.
        let starred = n_classes;
        let released_in = |tuple: usize| match (suppressed[tuple], policy.suppressed) {
            (true, SuppressionRule::Dropped) => None,
            (true, SuppressionRule::Starred | SuppressionRule::Cells) => Some(starred),
            (false, _) => Some(classes.class_of[tuple] as usize),
        };
        let mut is_used = vec![false; n_classes + 1];
        for class in (0..table.n_tuples()).filter_map(released_in) {
            is_used[class] = true;
        }
        let mut used: Vec<u32> =
            (0u32..).zip(is_used).filter(|(_, is_used)| *is_used).map(|(class, _)| class).collect();
        used.sort_unstable_by(|&a, &b| key(a as usize).cmp(key(b as usize)));
        // Classes with equal keys are indistinguishable in the release and therefore form one
        // class.
        let mut merged = VisibleClasses::with_capacity(n_labels, used.len());
        let mut number_of = vec![DROPPED; n_classes + 1];
        for same in used.chunk_by(|&a, &b| key(a as usize) == key(b as usize)) {
            same.iter().for_each(|&class| number_of[class as usize] = merged.len() as u32);
            merged.push(&key(same[0] as usize)[..n_labels]);
        }
        let class_of: Vec<u32> = (0..table.n_tuples())
            .map(|tuple| released_in(tuple).map_or(DROPPED, |class| number_of[class]))
            .collect();
        for (&class, &count) in class_of.iter().zip(table.counts()) {
            if class != DROPPED {
                merged.add(class, count);
            }
        }
        Ok(Self { class_of, classes: merged, labels, released: None })
    }

    /// Assigns the people in a population to classes, based on the labels that their released rows
    /// would have.
    ///
    /// # Panics
    /// Panics if the released label of a value can differ between classes.
    pub fn people(&self, population: &Population) -> PeopleInClasses {
        let released = self
            .released
            .as_ref()
            .expect("the certifier rejects population principles for such recodings");
        let labels = |codes: Vec<u32>| {
            let parts = codes.iter().zip(released);
            parts.map(|(&code, released)| released[code as usize]).collect()
        };
        let keys = self.classes.iter().map(|class| class.labels.to_vec());
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

/// An equivalence class: rows with the same released quasi-identifier labels and, if a class column
/// is published, the same class number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Class<'a> {
    /// For each quasi-identifier, the index of its label in
    /// [`Partition::labels`](super::Partition::labels).
    pub labels: &'a [u32],
    /// The number of rows.
    pub size: u64,
}

/// The classes of a partition, by number.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct VisibleClasses {
    n_labels: usize,
    /// The labels of all classes, stored class by class.
    labels: Vec<u32>,
    sizes: Vec<u64>,
}

impl VisibleClasses {
    /// Creates an empty list of classes with `n_labels` quasi-identifiers and capacity for
    /// `n_classes` classes.
    pub(super) fn with_capacity(n_labels: usize, n_classes: usize) -> Self {
        let labels = Vec::with_capacity(n_labels * n_classes);
        Self { n_labels, labels, sizes: Vec::with_capacity(n_classes) }
    }

    /// Adds a class without rows.
    pub(super) fn push(&mut self, labels: &[u32]) {
        debug_assert_eq!(labels.len(), self.n_labels, "each attribute must have one label");
        self.labels.extend_from_slice(labels);
        self.sizes.push(0);
    }

    /// Adds rows to a class.
    pub(super) fn add(&mut self, class: u32, rows: u64) {
        self.sizes[class as usize] += rows;
    }

    /// Returns the number of classes.
    pub fn len(&self) -> usize {
        self.sizes.len()
    }

    /// Returns whether the list is empty.
    pub fn is_empty(&self) -> bool {
        self.sizes.is_empty()
    }

    /// Returns a class.
    ///
    /// # Panics
    /// Panics if the class does not exist.
    pub fn get(&self, class: u32) -> Class<'_> {
        let at = class as usize;
        let labels = &self.labels[at * self.n_labels..(at + 1) * self.n_labels];
        Class { labels, size: self.sizes[at] }
    }

    /// Returns the number of rows of each class.
    pub fn sizes(&self) -> &[u64] {
        &self.sizes
    }

    /// Iterates over all classes, in the order of their numbers.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Class<'_>> {
        (0..self.sizes.len()).map(|class| self.get(class as u32))
    }
}
