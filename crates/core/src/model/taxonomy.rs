//! A tree over the values of an attribute, for principles and searches on generalized sensitive
//! values.
//!
//! A hierarchy is a table of levels, in which labels are repeated if the tree is unbalanced. A
//! taxonomy merges repeated labels into one node and counts depth from the root (reading F-3).

use rustc_hash::FxHashMap;

use crate::{Hierarchy, Rational, STAR};

/// A node of a tree from which a [`Taxonomy`] is created.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Branch {
    /// A base value.
    Leaf(String),
    /// A label and its children.
    Inner(String, Vec<Branch>),
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Node {
    label: String,
    parent: Option<u32>,
    depth: u32,
    /// The range of indices of the leaves below the node.
    leaves: (u32, u32),
}

/// A tree with ordered leaves. Node 0 is the root, and parents precede their children.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Taxonomy {
    nodes: Vec<Node>,
    /// The node of each leaf.
    leaves: Vec<u32>,
    by_label: FxHashMap<String, u32>,
}

impl Taxonomy {
    /// Creates the taxonomy of a tree. If several nodes have the same label, [`Taxonomy::node_of`]
    /// returns the deepest one.
    pub fn of_tree(root: &Branch) -> Self {
        let mut taxonomy =
            Self { nodes: Vec::new(), leaves: Vec::new(), by_label: FxHashMap::default() };
        taxonomy.visit(root, None, 0);
        for at in 0..taxonomy.nodes.len() as u32 {
            let node = &taxonomy.nodes[at as usize];
            let known = taxonomy.by_label.get(&node.label).copied();
            if known.is_none_or(|other| taxonomy.nodes[other as usize].depth < node.depth) {
                taxonomy.by_label.insert(node.label.clone(), at);
            }
        }
        taxonomy
    }

    fn visit(&mut self, branch: &Branch, parent: Option<u32>, depth: u32) {
        let at = self.nodes.len() as u32;
        let first = self.leaves.len() as u32;
        let (Branch::Leaf(label) | Branch::Inner(label, _)) = branch;
        self.nodes.push(Node { label: label.clone(), parent, depth, leaves: (first, first) });
        match branch {
            Branch::Leaf(_) => self.leaves.push(at),
            Branch::Inner(_, below) => {
                for child in below {
                    self.visit(child, Some(at), depth + 1);
                }
            }
        }
        self.nodes[at as usize].leaves.1 = self.leaves.len() as u32;
    }

    /// Creates a taxonomy from chains of labels. Each chain leads from a base value to the root.
    /// Consecutive labels become a single node if they are equal and cover the same values.
    ///
    /// All chains must have the same length and the same last label. Returns `None` for an empty
    /// list.
    pub fn of_chains(chains: &[Vec<&str>]) -> Option<Self> {
        let top = chains.first()?.len().checked_sub(1)?;
        let all: Vec<usize> = (0..chains.len()).collect();
        Some(Self::of_tree(&branch(chains, &all, top)))
    }

    /// Creates the taxonomy of a hierarchy from all listed values, or from the values that occur if
    /// the hierarchy does not list its domain. Returns `None` for an empty domain.
    pub fn of_hierarchy(hierarchy: &Hierarchy) -> Option<Self> {
        let label = |level: usize, value: usize| {
            let level = hierarchy.domain_level(level);
            level.labels[level.map[value] as usize].as_str()
        };
        let chains: Vec<Vec<&str>> = (0..hierarchy.domain_level(0).map.len())
            .map(|value| (0..hierarchy.n_levels()).map(|level| label(level, value)).collect())
            .collect();
        Self::of_chains(&chains)
    }

    /// Creates the taxonomy of an attribute without a hierarchy, with all values directly below
    /// `*`.
    pub fn flat<'a>(values: impl Iterator<Item = &'a str>) -> Self {
        let leaves = values.map(|value| Branch::Leaf(value.to_owned())).collect();
        Self::of_tree(&Branch::Inner(STAR.to_owned(), leaves))
    }

    /// Returns the number of nodes.
    pub fn n_nodes(&self) -> usize {
        self.nodes.len()
    }

    /// Returns the number of leaves.
    pub fn n_leaves(&self) -> usize {
        self.leaves.len()
    }

    /// Returns the labels of the leaves, in order.
    pub fn leaf_labels(&self) -> impl Iterator<Item = &str> {
        self.leaves.iter().map(|&node| self.label(node))
    }

    /// Returns the node with the given label.
    pub fn node_of(&self, label: &str) -> Option<u32> {
        self.by_label.get(label).copied()
    }

    /// Returns the label of a node.
    pub fn label(&self, node: u32) -> &str {
        &self.nodes[node as usize].label
    }

    /// Returns the parent of a node, or `None` for the root.
    pub fn parent(&self, node: u32) -> Option<u32> {
        self.nodes[node as usize].parent
    }

    /// Returns the depth of a node. The root has depth 0.
    pub fn depth(&self, node: u32) -> u32 {
        self.nodes[node as usize].depth
    }

    /// Returns the indices of the leaves below a node. A leaf is considered to be below itself.
    pub fn leaves(&self, node: u32) -> std::ops::Range<usize> {
        let (from, to) = self.nodes[node as usize].leaves;
        from as usize..to as usize
    }

    /// Returns whether a node is a leaf.
    pub fn is_leaf(&self, node: u32) -> bool {
        self.leaves.get(self.nodes[node as usize].leaves.0 as usize) == Some(&node)
    }

    /// Returns the height of each node, which is the length of the longest path from the node to a
    /// leaf.
    pub fn heights(&self) -> Vec<u32> {
        let mut heights = vec![0; self.nodes.len()];
        for at in (1..self.nodes.len()).rev() {
            if let Some(parent) = self.nodes[at].parent {
                let parent = parent as usize;
                heights[parent] = heights[parent].max(heights[at] + 1);
            }
        }
        heights
    }

    /// Returns the information that a value retains: 1 / number of leaves below it ((tau, l) paper,
    /// Definition 5).
    pub fn information(&self, node: u32) -> Rational {
        Rational::new(1, self.leaves(node).len().max(1) as i128)
    }
}

/// Creates the branch at `level` that covers the base values of the given chains.
fn branch(chains: &[Vec<&str>], values: &[usize], level: usize) -> Branch {
    let mut at = level;
    let label = chains[values[0]][at];
    loop {
        if at == 0 {
            return Branch::Leaf(label.to_owned());
        }
        let below = chains[values[0]][at - 1];
        if below != label || values.iter().any(|&value| chains[value][at - 1] != below) {
            break;
        }
        at -= 1;
    }
    let mut position: FxHashMap<&str, usize> = FxHashMap::default();
    let mut children: Vec<Vec<usize>> = Vec::new();
    for &value in values {
        let child = *position.entry(chains[value][at - 1]).or_insert_with(|| {
            children.push(Vec::new());
            children.len() - 1
        });
        children[child].push(value);
    }
    let below = children.iter().map(|values| branch(chains, values, at - 1)).collect();
    Branch::Inner(label.to_owned(), below)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn leaf(label: &str) -> Branch {
        Branch::Leaf(label.to_owned())
    }

    fn inner(label: &str, below: Vec<Branch>) -> Branch {
        Branch::Inner(label.to_owned(), below)
    }

    #[test]
    fn padded_levels_and_tree_produce_same_taxonomy() {
        let tree = inner(
            "R",
            vec![
                inner("A", vec![leaf("a"), leaf("b")]),
                inner("B", vec![leaf("c"), inner("D", vec![leaf("d"), leaf("e")])]),
            ],
        );
        let chains = [
            vec!["a", "a", "A", "R"],
            vec!["b", "b", "A", "R"],
            vec!["c", "c", "B", "R"],
            vec!["d", "D", "B", "R"],
            vec!["e", "D", "B", "R"],
        ];
        let taxonomy = Taxonomy::of_chains(&chains).expect("the list of chains is not empty");
        assert_eq!(taxonomy, Taxonomy::of_tree(&tree));
        let node = |label| taxonomy.node_of(label).expect("the taxonomy contains the label");
        assert_eq!(taxonomy.depth(node("c")), 2);
        assert_eq!(taxonomy.depth(node("d")), 3);
        assert_eq!(taxonomy.leaves(node("B")), 2..5);
        assert_eq!(taxonomy.heights()[node("B") as usize], 2);
        assert!(taxonomy.is_leaf(node("c")) && !taxonomy.is_leaf(node("D")));
        assert_eq!(taxonomy.information(node("D")), Rational::new(1, 2));
    }

    #[test]
    fn hierarchy_taxonomy_contains_all_listed_values() {
        use crate::hierarchy::{HierarchyRule, Tree};
        let value = |label: &str| Branch::Leaf(label.to_owned());
        let lungs = Branch::Inner("lungs".to_owned(), vec![value("asthma"), value("flu")]);
        let rule = Tree::new("s", &[lungs, value("none")], &[]).expect("the tree is valid");
        let present = vec!["flu".to_owned(), "none".to_owned()];
        let (dictionary, _) = crate::Dictionary::from_distinct(present);
        let hierarchy = HierarchyRule::Tree(rule).resolve("s", &dictionary).expect("all listed");
        let taxonomy = Taxonomy::of_hierarchy(&hierarchy).expect("the hierarchy has values");
        assert_eq!(taxonomy.leaf_labels().collect::<Vec<_>>(), ["asthma", "flu", "none"]);
        let none = taxonomy.node_of("none").expect("the taxonomy contains the label");
        assert_eq!((taxonomy.depth(none), taxonomy.label(0)), (1, "*"));
    }

    #[test]
    fn broader_label_with_same_name_is_separate_node() {
        let chains = [vec!["x", "x", "*"], vec!["y", "x", "*"]];
        let taxonomy = Taxonomy::of_chains(&chains).expect("the list of chains is not empty");
        assert_eq!(taxonomy.n_nodes(), 4);
        let x = taxonomy.node_of("x").expect("the taxonomy contains the label");
        assert!(taxonomy.is_leaf(x));
        assert_eq!(Taxonomy::of_chains(&[]), None);
    }
}
