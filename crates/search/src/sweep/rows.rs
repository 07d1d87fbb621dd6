//! The input of the `sweep` method: rows with a taxonomy node for each quasi-identifier and for the
//! sensitive attribute.

use indistinct_core::Hierarchy;
use indistinct_core::model::Taxonomy;

/// One quasi-identifier of the rows, with the bounds on its generalization.
#[derive(Debug, Clone)]
pub struct SweptAttribute<'a> {
    /// The taxonomy.
    pub taxonomy: &'a Taxonomy,
    /// The node at which the rows of each code start.
    pub base: Vec<u32>,
    /// The highest permitted node for the rows of each code: an ancestor of the base node or the
    /// base node itself.
    pub top: Vec<u32>,
    /// The code of each unit of rows.
    pub codes: Vec<u32>,
}

/// The input rows. Rows with equal raw values form a unit, and the order of the units breaks ties.
#[derive(Debug, Clone)]
pub struct SweptRows<'a> {
    /// The quasi-identifiers in descending order of importance.
    pub quasi_identifiers: Vec<SweptAttribute<'a>>,
    /// The taxonomy of the sensitive attribute.
    pub taxonomy: &'a Taxonomy,
    /// The node of the sensitive value of each unit.
    pub sensitive: Vec<u32>,
    /// The number of rows of each unit, at least 1.
    pub counts: Vec<u64>,
    /// The weights of values in the order of classes.
    pub level_weights: LevelWeights,
}

/// The weight of a quasi-identifier value in the average information of its level, which orders the
/// classes: the text's p'(v), which "can be given by a user".
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum LevelWeights {
    /// The number of occurring base values below the value, which is the default of the text.
    #[default]
    Observed,
    /// The number of base values below the value.
    Domain,
    /// The number of rows with a base value below the value.
    Rows,
}

impl SweptRows<'_> {
    /// Returns the weight of each leaf of a quasi-identifier.
    pub fn weights_of(&self, attribute: &SweptAttribute<'_>) -> Vec<f64> {
        let n_leaves = attribute.taxonomy.n_leaves();
        if self.level_weights == LevelWeights::Domain {
            return vec![1.0; n_leaves];
        }
        let mut rows = vec![0u64; attribute.base.len()];
        for (&code, count) in attribute.codes.iter().zip(&self.counts) {
            rows[code as usize] += count;
        }
        let mut weights = vec![0.0; n_leaves];
        for (&node, &rows) in attribute.base.iter().zip(&rows).filter(|(_, rows)| **rows > 0) {
            let leaves = attribute.taxonomy.leaves(node);
            let n_below = leaves.len().max(1) as f64;
            for weight in &mut weights[leaves] {
                match self.level_weights {
                    LevelWeights::Rows => *weight += rows as f64 / n_below,
                    _ => *weight = 1.0,
                }
            }
        }
        weights
    }
}

impl SweptAttribute<'_> {
    /// Returns for each code the nodes from the root down to its base node, by depth.
    pub(super) fn paths(&self) -> Vec<Vec<u32>> {
        let path = |&base: &u32| {
            let mut path: Vec<u32> =
                std::iter::successors(Some(base), |&node| self.taxonomy.parent(node)).collect();
            path.reverse();
            path
        };
        self.base.iter().map(path).collect()
    }
}

/// Returns the node of the hierarchy's taxonomy for each code of a column and each level of its
/// hierarchy.
///
/// If consecutive levels repeat a label that covers the same values, they correspond to one node
/// (reading F-3).
pub(super) fn nodes_of_levels(hierarchy: &Hierarchy, taxonomy: &Taxonomy) -> Vec<Vec<u32>> {
    let n_codes = hierarchy.level(0).map.len();
    (0..n_codes as u32)
        .map(|code| {
            let mut node = taxonomy.node_of(hierarchy.label(0, code)).unwrap_or(0);
            (0..hierarchy.n_levels())
                .map(|at| {
                    let level = hierarchy.level(at);
                    let label = level.map[code as usize] as usize;
                    let is_it = |node: u32| {
                        taxonomy.label(node) == level.labels[label]
                            && taxonomy.leaves(node).len() as u64 == level.covered[label]
                    };
                    let found = std::iter::successors(Some(node), |&at| taxonomy.parent(at))
                        .find(|&node| is_it(node));
                    node = found.unwrap_or(node);
                    node
                })
                .collect()
        })
        .collect()
}
