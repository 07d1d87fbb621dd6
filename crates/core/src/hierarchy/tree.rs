//! Hierarchies that are declared as trees of values in a policy.

use rustc_hash::FxHashMap;

use super::listed::ListedValues;
use super::{HierarchyError, HierarchyProblem};
use crate::model::Branch;
use crate::{MISSING, STAR};

/// A valid tree over all values of the domain: each value occurs once, and the nodes of a level
/// have different labels.
///
/// Levels are defined by the depth from the root. A leaf at a lower depth is repeated as its own
/// label, so all leaves have the same depth. The top level `*` is above the roots.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tree {
    pub(super) listed: ListedValues,
}

/// The path from a root to a leaf, as pairs of node number and label.
type Path = Vec<(usize, String)>;

impl Tree {
    /// Creates the levels of a tree from its roots. A leaf in `null_values` represents a missing
    /// value.
    ///
    /// # Errors
    /// Returns [`HierarchyError`] with all problems: leaves that occur in several places, nodes of
    /// a level with the same label, labels without values below them, or an empty tree.
    pub fn new(
        attribute: &str,
        roots: &[Branch],
        null_values: &[String],
    ) -> Result<Tree, HierarchyError> {
        let mut walk = Walk { null_values, paths: Vec::new(), empty: Vec::new(), n_nodes: 0 };
        walk.visit(roots, &mut Vec::new());
        let error = |problems| HierarchyError { attribute: attribute.to_owned(), problems };
        let mut problems = Vec::new();
        if walk.paths.is_empty() {
            problems.push(HierarchyProblem::Empty);
        }
        if !walk.empty.is_empty() {
            problems.push(HierarchyProblem::EmptyNodes { labels: walk.empty });
        }
        let duplicates = repeated(walk.paths.iter().filter_map(|path| path.last()));
        if !duplicates.is_empty() {
            problems.push(HierarchyProblem::DuplicateLeaves { values: duplicates });
        }
        let depth = walk.paths.iter().map(Vec::len).max().unwrap_or(0);
        for level in 1..depth {
            let at = depth - 1 - level;
            let labels =
                repeated(walk.paths.iter().filter_map(|path| path.get(at).or(path.last())));
            if !labels.is_empty() {
                problems.push(HierarchyProblem::RepeatedLabels { level, labels });
            }
        }
        if !problems.is_empty() {
            return Err(error(problems));
        }
        let has_star = matches!(roots, [Branch::Inner(label, _)] if label == STAR);
        let rows: Vec<Vec<String>> = walk
            .paths
            .into_iter()
            .map(|path| {
                let mut row = row(path, depth);
                row.extend((!has_star).then(|| STAR.to_owned()));
                row
            })
            .collect();
        ListedValues::new(&rows).map(|listed| Tree { listed }).map_err(error)
    }
}

struct Walk<'a> {
    null_values: &'a [String],
    paths: Vec<Path>,
    empty: Vec<String>,
    n_nodes: usize,
}

impl Walk<'_> {
    fn visit(&mut self, nodes: &[Branch], above: &mut Path) {
        for node in nodes {
            self.n_nodes += 1;
            match node {
                Branch::Leaf(text) => {
                    let value = if self.null_values.contains(text) { MISSING } else { text };
                    let mut path = above.clone();
                    path.push((self.n_nodes, value.to_owned()));
                    self.paths.push(path);
                }
                Branch::Inner(label, below) if below.is_empty() => self.empty.push(label.clone()),
                Branch::Inner(label, below) => {
                    above.push((self.n_nodes, label.clone()));
                    self.visit(below, above);
                    above.pop();
                }
            }
        }
    }
}

/// Returns the labels that are shared by several nodes.
fn repeated<'a>(nodes: impl Iterator<Item = &'a (usize, String)>) -> Vec<String> {
    let mut first: FxHashMap<&str, usize> = FxHashMap::default();
    let mut found: Vec<String> = Vec::new();
    for (node, label) in nodes {
        if *first.entry(label).or_insert(*node) != *node && !found.contains(label) {
            found.push(label.clone());
        }
    }
    found
}

/// Returns the leaf and its labels from the bottom to the top, padded to the length of the deepest
/// path.
fn row(path: Path, depth: usize) -> Vec<String> {
    let n_repeated = depth - path.len();
    let leaf = path[path.len() - 1].1.clone();
    let mut row = vec![leaf; n_repeated];
    row.extend(path.into_iter().rev().map(|(_, label)| label));
    row
}

#[cfg(test)]
mod tests {
    use super::super::HierarchyRule;
    use super::super::tests::{assert_valid, column, dictionary};
    use super::*;

    fn leaf(text: &str) -> Branch {
        Branch::Leaf(text.to_owned())
    }

    fn inner(label: &str, below: Vec<Branch>) -> Branch {
        Branch::Inner(label.to_owned(), below)
    }

    fn diseases() -> Vec<Branch> {
        vec![
            inner("respiratory", vec![inner("lung", vec![leaf("pneumonia")]), leaf("flu")]),
            inner("digestive", vec![leaf("ulcer"), leaf("gastritis")]),
            leaf("none"),
        ]
    }

    fn problems(roots: &[Branch]) -> Vec<HierarchyProblem> {
        Tree::new("disease", roots, &["?".to_owned()]).expect_err("the tree is invalid").problems
    }

    #[test]
    fn shallow_leaves_are_padded() {
        let tree = Tree::new("disease", &diseases(), &[]).expect("valid");
        let table = dictionary(&["flu", "none", "pneumonia", "ulcer"]);
        let hierarchy = HierarchyRule::Tree(tree).resolve("disease", &table).expect("all listed");
        assert_valid(&hierarchy);
        assert_eq!(column(&hierarchy, 0), ["flu", "none", "pneumonia", "ulcer"]);
        assert_eq!(column(&hierarchy, 1), ["flu", "none", "lung", "ulcer"]);
        assert_eq!(column(&hierarchy, 2), ["respiratory", "none", "respiratory", "digestive"]);
        assert_eq!(column(&hierarchy, 3), ["*", "*", "*", "*"]);
        assert_eq!((hierarchy.n_levels(), hierarchy.domain_size()), (4, 5));
        assert_eq!(hierarchy.level(2).covered, [2, 1, 2]);
    }

    #[test]
    fn all_problems_of_a_tree_are_reported() {
        let roots = vec![
            inner("a", vec![leaf("x"), leaf("?")]),
            inner("b", vec![leaf("x"), leaf("")]),
            inner("a", vec![leaf("y")]),
            inner("c", vec![]),
        ];
        assert_eq!(
            problems(&roots),
            [
                HierarchyProblem::EmptyNodes { labels: vec!["c".to_owned()] },
                HierarchyProblem::DuplicateLeaves { values: vec!["x".to_owned(), String::new()] },
                HierarchyProblem::RepeatedLabels { level: 1, labels: vec!["a".to_owned()] },
            ]
        );
        assert_eq!(problems(&[]), [HierarchyProblem::Empty]);
    }

    #[test]
    fn padded_leaf_must_not_equal_a_label() {
        let roots = vec![inner("r", vec![inner("x", vec![leaf("a")])]), leaf("x")];
        assert_eq!(
            problems(&roots),
            [HierarchyProblem::RepeatedLabels { level: 1, labels: vec!["x".to_owned()] }]
        );
    }

    #[test]
    fn label_equal_to_value_covers_only_it() {
        let label_is_value = |level, label: &str| HierarchyProblem::LabelIsValue {
            level,
            labels: vec![label.into()],
        };
        let roots = [inner("a", vec![leaf("a"), leaf("b")])];
        assert_eq!(problems(&roots), [label_is_value(1, "a")]);
        let roots = [inner("r", vec![inner("b", vec![leaf("a")]), inner("c", vec![leaf("b")])])];
        assert_eq!(problems(&roots), [label_is_value(1, "b")]);
        let roots = [inner("", vec![leaf("a"), leaf("b")])];
        assert_eq!(problems(&roots), [label_is_value(1, "")]);
        let roots = [inner("a", vec![leaf("a")]), inner("more", vec![leaf("b"), leaf("c")])];
        assert!(
            Tree::new("disease", &roots, &[]).is_ok(),
            "a label may equal the only value below it"
        );
    }

    #[test]
    fn star_root_is_the_top_level() {
        let with_star = [inner("*", diseases())];
        let one = Tree::new("disease", &with_star, &[]).expect("valid");
        let other = Tree::new("disease", &diseases(), &[]).expect("valid");
        assert_eq!(one, other);
        let several = [inner("*", vec![leaf("a")]), inner("b", vec![leaf("c")])];
        let tree = HierarchyRule::Tree(Tree::new("disease", &several, &[]).expect("valid"));
        let hierarchy = tree.resolve("disease", &dictionary(&["a", "c"])).expect("all listed");
        assert_eq!(column(&hierarchy, 1), ["*", "b"]);
        assert_eq!(column(&hierarchy, 2), ["*", "*"]);
    }

    #[test]
    fn null_value_leaf_is_the_missing_value() {
        let roots = [inner("unknown", vec![leaf("?")]), inner("known", vec![leaf("flu")])];
        let tree = Tree::new("disease", &roots, &["?".to_owned()]).expect("valid");
        let table = dictionary(&["", "flu"]);
        let hierarchy = HierarchyRule::Tree(tree).resolve("disease", &table).expect("all listed");
        assert_eq!(column(&hierarchy, 1), ["unknown", "known"]);
        assert_eq!(hierarchy.domain_size(), 2);
    }
}
