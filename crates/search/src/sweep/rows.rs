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
}

impl SweptAttribute<'_> {
    /// For each leaf whether a value below it occurs.
    pub(super) fn occurs(&self) -> Vec<bool> {
        let mut occurs = vec![false; self.taxonomy.n_leaves()];
        let mut seen = vec![false; self.base.len()];
        for &code in &self.codes {
            seen[code as usize] = true;
        }
        for (&node, _) in self.base.iter().zip(&seen).filter(|(_, seen)| **seen) {
            occurs[self.taxonomy.leaves(node)].fill(true);
        }
        occurs
    }

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
