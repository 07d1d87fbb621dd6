//! The input of the `sweep` method: rows with a taxonomy node for each quasi-identifier and for the
//! sensitive attribute.
//!
//! Level vectors define the order of quasi-identifier values ((tau, l) paper, Definition 6 and
//! Figure 4, line 3).

use indistinct_core::Hierarchy;
use indistinct_core::model::Taxonomy;

use crate::SearchError;
use crate::error::MAX_LEVEL_VECTORS;

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
    /// The weights of values that determine the order of classes.
    pub level_weights: LevelWeights,
}

/// The weight of a quasi-identifier value in the average information of its level, which orders the
/// classes: the paper's p'(v), which "can be given by a user".
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum LevelWeights {
    /// The number of occurring base values below the value, which is the default of the paper.
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
    /// Returns the path of nodes from the root to the base node of each code, by depth.
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

/// Differences in information below this value are ignored, because the order of summation must not
/// decide.
const ROUNDING: f64 = 1e-9;

/// A level vector: the average information that its values retain, and the level of each attribute.
#[derive(Debug, Clone, PartialEq)]
pub struct LevelVector {
    /// The average information I(<L1, ..., Ld>).
    pub information: f64,
    /// The level of each attribute; 0 is the root.
    pub levels: Vec<u32>,
}

/// Returns the average information that a value retains, for each level of a taxonomy (the root is
/// level 0).
///
/// The weight of a node is the sum of the weights of the leaves below it (the paper's p'(v)). If
/// all weights of a level are zero, the unweighted mean is used (reading E-11).
pub fn level_information(taxonomy: &Taxonomy, weights: &[f64]) -> Vec<f64> {
    let n_levels = taxonomy.heights().first().map_or(0, |height| height + 1);
    let mut sums = vec![(0.0, 0.0, 0.0, 0.0); n_levels as usize];
    for node in 0..taxonomy.n_nodes() as u32 {
        let leaves = taxonomy.leaves(node);
        let information = 1.0 / leaves.len().max(1) as f64;
        let weight: f64 = weights[leaves].iter().sum();
        let sum = &mut sums[taxonomy.depth(node) as usize];
        sum.0 += weight * information;
        sum.1 += weight;
        sum.2 += information;
        sum.3 += 1.0;
    }
    let mean =
        |(weighted, weight, plain, n)| if weight > 0.0 { weighted / weight } else { plain / n };
    sums.into_iter().map(mean).collect()
}

/// Returns all level vectors in the order in which classes are swept: descending by information,
/// with ties broken by the levels of the attributes in their order of importance (reading E-1).
///
/// # Errors
/// [`SearchError::TooManyLevelVectors`] for more than `MAX_LEVEL_VECTORS`.
pub fn level_vectors(information: &[Vec<f64>]) -> Result<Vec<LevelVector>, SearchError> {
    let n_vectors = information
        .iter()
        .try_fold(1u128, |product, levels| product.checked_mul(levels.len() as u128))
        .unwrap_or(u128::MAX);
    if n_vectors > MAX_LEVEL_VECTORS {
        return Err(SearchError::TooManyLevelVectors { n_vectors });
    }
    let mut vectors: Vec<LevelVector> = (0..n_vectors)
        .map(|mut at| {
            let mut levels = vec![0; information.len()];
            for (level, of_levels) in levels.iter_mut().zip(information).rev() {
                *level = (at % of_levels.len() as u128) as u32;
                at /= of_levels.len() as u128;
            }
            let retained = levels.iter().zip(information).map(|(&level, of)| of[level as usize]);
            let information = retained.sum::<f64>() / information.len().max(1) as f64;
            LevelVector { information, levels }
        })
        .collect();
    let rounded = |vector: &LevelVector| (vector.information / ROUNDING).round() as i64;
    vectors.sort_by(|a, b| rounded(b).cmp(&rounded(a)).then_with(|| b.levels.cmp(&a.levels)));
    Ok(vectors)
}

/// Returns the levels that a row with base values at the given levels visits if it is swept out of
/// every class.
pub fn sweep_chain<'a>(
    vectors: &'a [LevelVector],
    base_levels: &'a [u32],
) -> impl Iterator<Item = &'a [u32]> {
    let start = vectors.iter().position(|vector| vector.levels == base_levels);
    vectors[start.unwrap_or(vectors.len())..]
        .iter()
        .map(|vector| vector.levels.as_slice())
        .filter(move |levels| levels.iter().zip(base_levels).all(|(level, base)| level <= base))
}

#[cfg(test)]
mod tests {
    use indistinct_core::model::Branch;

    use super::*;

    fn leaf(label: &str) -> Branch {
        Branch::Leaf(label.to_owned())
    }

    fn pair(root: &str) -> Taxonomy {
        Taxonomy::of_tree(&Branch::Inner(root.to_owned(), vec![leaf("x"), leaf("y")]))
    }

    /// The lattice in Example 5 of the (tau, l) paper.
    #[test]
    fn level_vectors_match_paper_example_5() {
        let information = vec![level_information(&pair("a0"), &[1.0; 2]); 2];
        let vectors = level_vectors(&information).expect("four vectors");
        let shown: Vec<_> = vectors.iter().map(|v| (v.information, v.levels.as_slice())).collect();
        let expected: [(f64, &[u32]); 4] =
            [(1.0, &[1, 1]), (0.75, &[1, 0]), (0.75, &[0, 1]), (0.5, &[0, 0])];
        assert_eq!(shown, expected);
    }

    /// The weights p'(v), computed by hand: level 1 has A with two leaves (retains 1/2) and c
    /// (retains 1).
    #[test]
    fn weights_determine_retained_information() {
        let inner = Branch::Inner("A".to_owned(), vec![leaf("a"), leaf("b")]);
        let taxonomy = Taxonomy::of_tree(&Branch::Inner("R".to_owned(), vec![inner, leaf("c")]));
        let retained = |weights: [f64; 3]| level_information(&taxonomy, &weights)[1];
        assert_eq!(retained([1.0, 1.0, 1.0]), 2.0 / 3.0);
        assert_eq!(retained([3.0, 0.0, 1.0]), 5.0 / 8.0);
        assert_eq!(retained([0.0, 0.0, 1.0]), 1.0);
        assert_eq!(retained([0.0, 0.0, 0.0]), 3.0 / 4.0, "without weights, the plain mean applies");
    }

    /// Reading E-7: a deeper level may retain less information, and a row still starts at its base
    /// value.
    #[test]
    fn deep_branch_does_not_raise_starting_level() {
        let many = |prefix: &str, n: usize| -> Vec<Branch> {
            (0..n).map(|at| leaf(&format!("{prefix}{at}"))).collect()
        };
        let inner = Branch::Inner("A".to_owned(), {
            vec![leaf("X"), Branch::Inner("Y".to_owned(), many("y", 100))]
        });
        let mut below = many("r", 10);
        below.push(inner);
        let taxonomy = Taxonomy::of_tree(&Branch::Inner("R".to_owned(), below));
        let information = level_information(&taxonomy, &vec![1.0; taxonomy.n_leaves()]);
        assert!(information[1] > information[2]);
        let vectors = level_vectors(&[information]).expect("few vectors");
        let chain: Vec<_> = sweep_chain(&vectors, &[2]).collect();
        assert_eq!(chain, [[2], [0]]);
    }

    #[test]
    fn excess_level_vectors_are_rejected() {
        let error = level_vectors(&vec![vec![1.0, 0.5]; 23]).expect_err("2^23 vectors");
        assert_eq!(error, SearchError::TooManyLevelVectors { n_vectors: 1 << 23 });
    }
}
