//! The people of populations in the classes of a node.

use indistinct_core::ClassView;
use indistinct_core::model::Population;
use rustc_hash::FxHashMap;

use super::judge::Judge;
use super::keys::{Key, Layout};
use crate::judge::holds;

/// The people of the populations that principles count, by their labels at the lowest levels.
#[derive(Debug)]
pub(super) struct People<const N: usize> {
    populations: Vec<Vec<(Key<N>, u64)>>,
}

/// The people of the populations in the classes of one node.
#[derive(Debug)]
pub(super) struct PeopleOfNode<const N: usize> {
    /// For each population, the number of people with each combination of labels.
    populations: Vec<FxHashMap<Key<N>, u64>>,
    /// The number of people of each population, class by class.
    of_class: Vec<u64>,
}

fn counted<const N: usize>(people: impl Iterator<Item = (Key<N>, u64)>) -> FxHashMap<Key<N>, u64> {
    let mut counted = FxHashMap::default();
    for (key, people) in people {
        *counted.entry(key).or_default() += people;
    }
    counted
}

impl<const N: usize> People<N> {
    pub fn new(layout: &Layout<'_>, populations: &[&Population]) -> Self {
        let lowest = |population: &&Population| {
            let keys = population
                .combinations()
                .map(|(codes, people)| (layout.key_of(codes.into_iter()), people));
            let mut people: Vec<(Key<N>, u64)> = counted(keys).into_iter().collect();
            people.sort_unstable();
            people
        };
        Self { populations: populations.iter().map(lowest).collect() }
    }

    /// Returns the people in the classes of a node with the given keys.
    pub fn of_node(
        &self,
        layout: &Layout<'_>,
        (lowest, levels): (&[usize], &[usize]),
        keys: &[Key<N>],
    ) -> PeopleOfNode<N> {
        if self.populations.is_empty() {
            return PeopleOfNode { populations: Vec::new(), of_class: Vec::new() };
        }
        let remap = layout.remap(lowest, levels);
        let populations: Vec<FxHashMap<Key<N>, u64>> = self
            .populations
            .iter()
            .map(|people| counted(people.iter().map(|(key, people)| (remap.apply(key), *people))))
            .collect();
        let of_key = |key| populations.iter().map(move |people| of_key(people, key));
        let of_class = keys.iter().flat_map(of_key).collect();
        PeopleOfNode { populations, of_class }
    }
}

fn of_key<const N: usize>(people: &FxHashMap<Key<N>, u64>, key: &Key<N>) -> u64 {
    people.get(key).copied().unwrap_or(0)
}

impl<const N: usize> PeopleOfNode<N> {
    /// Returns the number of people of each population in a class.
    pub fn of_class(&self, class: usize) -> &[u64] {
        let n = self.populations.len();
        &self.of_class[class * n..(class + 1) * n]
    }

    /// Returns the number of people of each population with the given labels; 0 without labels.
    pub fn of_labels(&self, key: Option<&Key<N>>) -> Vec<u64> {
        let of_labels = |people| key.map_or(0, |key| of_key(people, key));
        self.populations.iter().map(of_labels).collect()
    }

    /// Returns whether all principles on populations hold in the classes that contain people but no
    /// released row.
    pub fn elsewhere_holds<'k>(
        mut self,
        judge: &Judge<'_>,
        released: impl Iterator<Item = &'k Key<N>>,
    ) -> bool {
        if self.populations.is_empty() {
            return true;
        }
        for key in released {
            for people in &mut self.populations {
                people.remove(key);
            }
        }
        judge.on_people().all(|(principle, population)| {
            let mut people = self.populations[population].values().filter(|people| **people > 0);
            people.all(|&people| {
                let view = ClassView { size: 0, histograms: &[], population: Some(people) };
                holds(principle, &view)
            })
        })
    }
}
