//! # full-domain search
//!
//! **Definition.** A node of the generalization lattice gives every quasi-identifier one level of its hierarchy. Its classes
//! are the rows with equal labels; the rows of classes in which a principle fails are suppressed. A node satisfies the
//! policy iff no more rows are suppressed than the limit allows. Wanted: the satisfying node with the least objective.
//! **Ties.** Fewer suppressed rows, then lower height, then lexicographically smaller levels. Objectives that are sums of
//! cell costs are compared after rounding to 12 decimal digits, divergences to 9, since the order of a sum must not decide.
//! **Starred rows.** They join the class of rows that are `*` everywhere. Where this class fails, further whole classes are
//! starred, the smallest first (then by labels), until it holds; a node where this exceeds the limit does not satisfy
//! the policy. Rows that are `*` everywhere by their levels alone are not suppressed.
//! **Single rows.** Whole classes are suppressed here; [`crate::with_single_rows`] suppresses single rows where that finds nothing.
//! **Released rows.** Where rows are dropped, principles that compare a class with all released rows (t-closeness) are judged
//! against the rows that remain: all classes that fail are dropped, then the others judged again, until none fails. This set
//! is not necessarily the smallest that would do. Starred rows stay released, and change nothing.
//! **Proved** is what holds whichever rows are suppressed (`Problem::proof`, test `no_set_of_suppressed_rows_refutes_what_is_claimed`): where
//! none may be, or only leaving out whole classes helps. Else that no other levels are better where whole classes are suppressed,
//! or nothing, where what fails depends on the rows that remain.
//! **Populations.** A class of people without a released row, suppressed classes included, is judged too
//! (delta-presence); where it fails, no further suppression helps, and the node does not satisfy the policy.
//! **Other sensitive values.** With `other_sensitive = "quasi-identifier"` a class fails if any of its parts does that share all
//! other sensitive values (test `who_knows_the_other_sensitive_value_sees_a_part_of_the_class`).
//! **Search.** Branch and bound over boxes of the lattice (`optimum`, `boxes`), the cheapest first; a descent from the top finds a good
//! node before (`descent`). Where the search is stopped, it answers with the best node so far and the least bound of the boxes left, below
//! which no node is (test `a_stopped_search_never_claims_too_much`). No lattice is too large: nothing is kept for each node.
//! **Pruning.** Only what is sound with suppression (tests `the_search_finds_what_exhaustive_search_finds`,
//! `with_any_principles_the_search_finds_what_the_certifier_knows`):
//! 1. *bounds*: going up never lowers the total of the cell costs, nor a loss of levels; for losses of class sizes, see
//!    `Objective::above`; for divergences, `Divergence`;
//! 2. *sizes*: rows in classes smaller than every principle's smallest size are suppressed at all more specific nodes
//!    too, since classes only shrink. Too many of them, and all below fails; otherwise their costs raise the bounds below.
//!    With starred rows this needs hierarchies in which `*` stays `*`, which is checked
//!    (test `a_star_that_does_not_stay_forbids_conclusions_from_sizes`);
//! 3. *limit 0*: if no row may be suppressed and merging keeps every principle, a failing node makes all below fail.
//!    So it is with parts of classes, since a part of a union is a union of parts that held; and with populations, whose
//!    classes without a row held as well; not with parts whose rows are compared with the people of the whole class;
//! 4. *clauses*: a node that fails with all below it is raised as far as it still fails. Whatever satisfies the policy is above it
//!    in some attribute, and must pay for that step: the bound that several such nodes make together is in `Nodes::settle`;
//! 5. *minimal nodes*: a node above a satisfying one is not minimal, by definition.
//!
//! Classes of a node are merged from those of the smallest known more specific node (roll-up). A class that is made of
//! classes in which all principles hold that merging keeps is not judged again, but by principles on populations: people
//! without a row may have come to it. What holds so is known against the whole table, before any row is dropped.
//! **Determinism.** Nodes are evaluated in rounds of fixed size, so that answer and statistics do not depend on threads
//! (test `threads_change_nothing`).
//! **Complexity.** O(classes of the source) a node, with populations also O(distinct combinations of their people); with
//! dropped rows and t-closeness O(classes) for each time of judging again, at most as often as there are classes.
//! Memory: a bounded number of boxes and a bounded cache of class tables, whatever the size of the lattice.
//! **Source.** Roll-up: LeFevre et al., SIGMOD 2005 (Incognito). The rest is branch and bound with learned clauses.
//! Deviations: everything that suppression makes unsound is left out.

mod boxes;
mod cache;
mod classes;
mod clauses;
mod descent;
mod divergence;
mod evaluate;
mod every;
mod histograms;
mod joint;
mod judge;
mod keys;
mod lattice;
mod model;
mod objective;
mod optimum;
mod people;
mod search;
mod survey;

use indistinct_core::{Observer, Recoding};

use crate::{Outcome, Problem, Search, SearchError};

pub use survey::{SatisfyingNode, Survey, SurveyedNode, survey};

/// Runs `$body` with keys of as many words as the attributes need.
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

/// Whether the minimal nodes are wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Minimal {
    /// List all nodes that satisfy the policy while no node strictly below does.
    List,
    /// Do without.
    #[default]
    Skip,
}

/// Searches the generalization lattice for the node with the least objective that satisfies the policy.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct FullDomain {
    /// Whether to list the minimal nodes too.
    pub all_minimal: Minimal,
}

/// A node of the lattice.
#[derive(Debug, Clone, PartialEq)]
pub struct Node {
    /// The level of each quasi-identifier.
    pub levels: Vec<usize>,
    /// The recoding to certify.
    pub recoding: Recoding,
    /// The minimal nodes in lexicographic order, if they were asked for and the time sufficed.
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
        // As a whole on the pool: its many short rounds then wait for nobody.
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
