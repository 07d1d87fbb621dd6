//! The data that does not change during a search, and the people of populations in the classes of a
//! node.

use indistinct_core::model::Population;
use indistinct_core::{ClassView, FrequencyTable};
use rustc_hash::FxHashMap;

use super::classes::{ClassTable, Contents};
use super::histograms::{Histograms, Shape};
use super::judge::Judge;
use super::keys::{Key, Layout};
use super::lattice::Lattice;
use super::objective::{LeastCosts, Objective};
use crate::Problem;
use crate::judge::holds;

/// A prepared problem.
#[derive(Debug)]
pub(super) struct Model<'a> {
    pub problem: &'a Problem<'a>,
    pub lattice: Lattice,
    pub layout: Layout<'a>,
    pub objective: Objective,
    /// The minimum costs of suppression, if bounds from suppressed rows are sound and useful.
    pub least_costs: Option<LeastCosts>,
    pub judge: Judge<'a>,
    pub shapes: Vec<Shape>,
    /// The maximum number of suppressed rows.
    pub max_suppressed: u64,
    /// Whether rows in classes below the minimum size are also suppressed at all more specific
    /// nodes.
    pub sizes_count_below: bool,
    /// Whether all nodes above a satisfying node satisfy the policy.
    pub is_monotone: bool,
}

impl<'a> Model<'a> {
    pub fn new(problem: &'a Problem<'a>, lattice: Lattice, layout: Layout<'a>) -> Self {
        let table = problem.table;
        let objective = Objective::new(problem);
        let mut judge = Judge::new(table, &problem.policy.requirements);
        if matches!(objective, Objective::Joint(_)) {
            judge.look_at_all_sensitive_values(table);
        }
        let max_suppressed = problem.max_suppressed();
        let sizes_count_below = !problem.policy.suppressed.is_released() || layout.preserves_star();
        let least_costs = match &objective {
            Objective::Cells(cells) if sizes_count_below && max_suppressed > 0 => {
                Some(LeastCosts::new(problem, cells, &lattice))
            }
            _ => None,
        };
        let shapes = judge
            .attributes
            .iter()
            .map(|&attribute| {
                let width = table.sensitive()[attribute].dictionary.len();
                Shape::new(width, table.n_tuples(), table.n_rows())
            })
            .chain(
                judge
                    .joint
                    .iter()
                    .map(|joint| Shape::new(joint.len(), table.n_tuples(), table.n_rows())),
            )
            .collect();
        let is_monotone = max_suppressed == 0 && judge.is_preserved_by_merging;
        Self {
            problem,
            lattice,
            layout,
            objective,
            least_costs,
            judge,
            shapes,
            max_suppressed,
            sizes_count_below,
            is_monotone,
        }
    }

    pub fn table(&self) -> &'a FrequencyTable {
        self.problem.table
    }

    /// Returns the distinct combinations of quasi-identifiers, labeled at the lowest levels;
    /// combinations with equal labels are not merged.
    pub fn base<const N: usize>(&self) -> ClassTable<N> {
        let table = self.table();
        let groups = table.groups();
        let mut keys = Vec::with_capacity(groups.len());
        let mut sizes = Vec::with_capacity(groups.len());
        for tuples in groups.iter() {
            let codes = table.quasi_identifiers().iter().map(|column| column.codes[tuples.start]);
            keys.push(self.layout.key_of(codes));
            sizes.push(table.counts()[tuples].iter().sum());
        }
        let attributes = self.judge.attributes.iter();
        let histograms = attributes
            .map(|&attribute| &table.sensitive()[attribute].codes)
            .chain(self.judge.joint.iter().map(|joint| &joint.codes))
            .map(|codes| {
                let entries =
                    codes.iter().zip(table.counts()).map(|(&code, &count)| (code, count)).collect();
                let by_tuple = Histograms::Sparse { starts: groups.starts.clone(), entries };
                if table.sensitive().len() == 1 {
                    return by_tuple;
                }
                let own: Vec<u32> = (0..groups.len() as u32).collect();
                let sparse = Shape { width: 1, most_dense: 0 };
                by_tuple.merged(&own, groups.len(), &sparse)
            })
            .collect();
        let keeps = vec![false; groups.len()];
        let contents = Some(Contents { histograms, keeps });
        ClassTable { levels: self.lattice.min().to_vec(), keys, sizes, contents }
    }

    /// Returns the people of the populations that principles count.
    pub fn people<const N: usize>(&self) -> People<N> {
        People::new(&self.layout, &self.judge.populations)
    }
}

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

    /// Returns the number of people of each population with the given labels; 0 if no key is given.
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
