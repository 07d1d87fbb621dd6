//! # full-domain search
//!
//! **Definition.** A node of the generalization lattice assigns one level of its hierarchy to every
//! quasi-identifier. The classes of a node are the rows with equal labels. The rows of classes that
//! violate a principle are suppressed. A node satisfies the policy if the number of suppressed rows
//! is within the suppression limit. The search returns the satisfying node with the least
//! objective.
//! **Ties.** Fewer suppressed rows, then lower height, then lexicographically smaller levels.
//! Objectives that are sums of cell costs are rounded to 12 decimal digits before the comparison,
//! and divergences to 9, because the order of summation must not decide.
//! **Starred rows.** Starred rows join the class of rows that are `*` in every quasi-identifier. If
//! this class violates a principle, further whole classes are starred until it satisfies all of
//! them, the smallest class first, then in the order of the labels. A node for which this exceeds
//! the suppression limit does not satisfy the policy. Rows that are `*` in every quasi-identifier
//! because of their levels alone do not count as suppressed.
//! **Single rows.** This search suppresses whole classes. If it finds no recoding,
//! [`crate::with_single_rows`] suppresses single rows.
//! **Released rows.** If rows are dropped, principles that compare a class with all released rows
//! (t-closeness) are evaluated against the remaining rows: all failing classes are dropped and the
//! other classes are evaluated again, until no class fails. The set of dropped rows is not
//! necessarily the smallest sufficient set. Starred rows remain in the release and do not change
//! this comparison.
//! **Proof.** A result is proved for every choice of suppressed rows (`Problem::proof`, test
//! `no_suppressed_row_set_refutes_claims`) if no row may be suppressed or if only the
//! suppression of whole classes helps. Otherwise, the proof covers only recodings that suppress
//! whole classes. If the failing classes depend on the remaining rows, nothing is proved.
//! **Populations.** Principles on populations (delta-presence) also apply to classes that contain
//! people but no released row, including suppressed classes. If such a class fails, further
//! suppression does not help, and the node does not satisfy the policy.
//! **Other sensitive values.** With `other_sensitive = "quasi-identifier"`, a class is divided into
//! parts with equal values of all other sensitive attributes, and the class fails if any part fails
//! (test `known_sensitive_value_splits_classes`).
//! **Search.** Branch and bound over boxes of the lattice (`optimum`, `boxes`), with the box of the
//! lowest bound first. A preceding descent from the top finds a good node early (`optimum`). A
//! search that is stopped returns the best node found so far and the lowest bound of the remaining
//! boxes, which is a lower bound on the objective of every node (test
//! `stopped_search_claims_are_valid`). The size of the lattice is not limited, because the search
//! stores nothing per node.
//! **Pruning.** Only rules that are sound with suppression (tests
//! `search_matches_exhaustive_search`,
//! `search_agrees_with_certifier_for_all_principles`):
//! 1. *bounds*: a more general node never has a lower total of cell costs or a lower loss of
//!    levels. For losses of class sizes, see `Objective::above`; for divergences, see `Divergence`;
//! 2. *sizes*: rows in classes below the minimum size of every principle are also suppressed at all
//!    more specific nodes, because the classes of more specific nodes are smaller. If the number of
//!    such rows exceeds the suppression limit, all nodes below fail; otherwise, the cost of
//!    suppressing these rows raises the bounds of the nodes below. With starred rows, this rule
//!    requires hierarchies in which `*` remains `*` at higher levels; the search checks this (test
//!    `temporary_star_prevents_conclusions_from_class_sizes`);
//! 3. *limit 0*: if no row may be suppressed and merging preserves every principle, then all nodes
//!    below a failing node fail. The same applies to principles on parts of classes, because a part
//!    of a union is a union of parts that satisfy the principle, and to principles on populations,
//!    because the classes without a row satisfy the principle too. The rule does not apply to parts
//!    whose rows are compared with the people of the whole class;
//! 4. *clauses*: if a node and all nodes below it fail, the node is raised to a maximal failing
//!    node. Every node that satisfies the policy has a higher level in at least one attribute and
//!    pays the cost of that step; `Nodes::settle` computes the bound that follows from several such
//!    nodes;
//! 5. *minimal nodes*: a node above a satisfying node is not minimal, by definition.
//!
//! The classes of a node are formed by merging the classes of the smallest known node below it
//! (roll-up). If all principles that are preserved when classes are merged hold in the source
//! classes, the merged class is not evaluated again. Principles on populations are evaluated again,
//! because the merged class may contain people without a row. All conclusions of this kind refer to
//! the whole table, before any row is dropped.
//! **Determinism.** Nodes are evaluated in rounds of fixed size, so the result and the statistics
//! do not depend on the number of threads (test `thread_count_does_not_change_recoding`).
//! **Complexity.** O(classes of the source) per node; with populations, additionally O(distinct
//! combinations of their people); with dropped rows and t-closeness, additionally O(classes) per
//! repeated evaluation, with at most as many evaluations as classes. Memory: a bounded number of
//! boxes and a bounded cache of class tables, independent of the size of the lattice.
//! **Source.** Roll-up: LeFevre et al., SIGMOD 2005 (Incognito). The rest is branch and bound with
//! learned clauses. Deviations: pruning rules that suppression makes unsound are omitted.

mod boxes;
mod classes;
mod evaluate;
mod histograms;
mod judge;
mod keys;
mod lattice;
mod model;
mod objective;
mod optimum;
mod search;
mod survey;

use indistinct_core::{Observer, Recoding};

use crate::{Outcome, Problem, Search, SearchError};

pub use survey::{SatisfyingNode, Survey, SurveyedNode, survey};

/// Runs `$body` with keys that have enough words for the attributes.
macro_rules! dispatch {
    ($n_words:expr, $problem:expr, $n:ident => $body:block) => {
        match $n_words {
            0..=1 => {
                const $n: usize = 1;
                $body
            }
            2 => {
                const $n: usize = 2;
                $body
            }
            3..=8 => {
                const $n: usize = 8;
                $body
            }
            9..=64 => {
                const $n: usize = 64;
                $body
            }
            _ => Err(SearchError::TooManyAttributes { n_attributes: $problem.bounds.len() }),
        }
    };
}
use dispatch;

/// Whether to list the minimal nodes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Minimal {
    /// List all satisfying nodes that have no satisfying node strictly below them.
    List,
    /// Do not list the minimal nodes.
    #[default]
    Skip,
}

/// Searches the generalization lattice for the node with the least objective that satisfies the
/// policy.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct FullDomain {
    /// Whether to list the minimal nodes as well.
    pub all_minimal: Minimal,
}

/// A node of the lattice.
#[derive(Debug, Clone, PartialEq)]
pub struct Node {
    /// The level of each quasi-identifier.
    pub levels: Vec<usize>,
    /// The recoding to certify.
    pub recoding: Recoding,
    /// The minimal nodes in lexicographic order, if they were requested and the time limit
    /// sufficed.
    pub minimal_nodes: Option<Vec<Vec<usize>>>,
}

impl Search for FullDomain {
    type Proposal = Node;
    type Nearest = indistinct_core::Nearest;

    fn search(
        &self,
        problem: &Problem<'_>,
        observer: &dyn Observer,
    ) -> Result<Outcome<Node>, SearchError> {
        // Run the whole search on the thread pool to avoid a thread switch in each of its many
        // short rounds.
        rayon::scope(|_| self.run(problem, observer))
    }
}

impl FullDomain {
    fn run(
        &self,
        problem: &Problem<'_>,
        observer: &dyn Observer,
    ) -> Result<Outcome<Node>, SearchError> {
        problem.check()?;
        let lattice = lattice::Lattice::new(&problem.bounds);
        let layout = keys::Layout::new(&problem.policy.hierarchies, &problem.bounds);
        dispatch!(layout.n_words(), problem, N => {
            search::run::<N>(problem, self, observer, lattice, layout)
        })
    }
}
