//! The data that does not change during a search.

use indistinct_core::FrequencyTable;

use super::classes::{ClassTable, Contents};
use super::histograms::{Histograms, Shape};
use super::judge::Judge;
use super::keys::Layout;
use super::lattice::Lattice;
use super::objective::{LeastCosts, Objective};
use super::people::People;
use crate::Problem;

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
