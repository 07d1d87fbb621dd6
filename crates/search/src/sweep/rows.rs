//! Rows as a sweep sees them: a node of each quasi-identifier's taxonomy and one of the sensitive value's.

use indistinct_core::Hierarchy;
use indistinct_core::model::Taxonomy;

/// One quasi-identifier of the rows, and how far its values may be generalized.
#[derive(Debug, Clone)]
pub struct SweptAttribute<'a> {
    /// The taxonomy.
    pub taxonomy: &'a Taxonomy,
    /// For each code the node at which its rows start.
    pub base: Vec<u32>,
    /// For each code the node above which its rows do not get: an ancestor of the base or the base itself.
    pub top: Vec<u32>,
    /// For each unit of rows its code.
    pub codes: Vec<u32>,
}

/// Rows with equal raw values are a unit; units are in the order in which rows count as first.
#[derive(Debug, Clone)]
pub struct SweptRows<'a> {
    /// The quasi-identifiers, the most important first.
    pub quasi_identifiers: Vec<SweptAttribute<'a>>,
    /// The taxonomy of the sensitive attribute.
    pub taxonomy: &'a Taxonomy,
    /// For each unit the node of its sensitive value.
    pub sensitive: Vec<u32>,
    /// For each unit its number of rows, at least 1.
    pub counts: Vec<u64>,
    /// What values count in the order of classes.
    pub level_weights: LevelWeights,
}

/// What a quasi-identifier value counts in the average information of its level, which orders the classes: the text's p'(v), which "can be
/// given by a user".
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum LevelWeights {
    /// The number of base values below it that occur: what the text takes otherwise.
    #[default]
    Observed,
    /// The number of base values below it.
    Domain,
    /// The number of rows with a value below it.
    Rows,
}

impl SweptRows<'_> {
    /// For each leaf of a quasi-identifier its weight.
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
    /// For each code the nodes from the root down to its base, by depth.
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

/// For each code of a column and each level of its hierarchy the node of the hierarchy's taxonomy.
///
/// Levels that repeat a label with the same cover are one node (reading F-3).
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
