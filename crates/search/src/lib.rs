//! Searches for recodings. A search *proposes*, the certifier of `indistinct-core` *decides*: whatever happens here can
//! cost utility, never privacy.
//!
//! Every search is a value that implements [`Search`]; it takes a [`Problem`] and answers with an [`Outcome`]. A folder each:
//! [`full_domain`] finds the best node of the generalization lattice, one level for each quasi-identifier.
//! [`multidimensional`] forms classes with released values of their own, [`curve`] classes of rows that are near each other on
//! a curve. [`sweep`] moves rows to more general classes and generalizes sensitive values at last. [`anatomy`] separates the
//! sensitive values from the rest, [`invariant`] adds a version to a growing table, and [`microaggregation`] forms classes whose
//! numbers are replaced by their center.
//!
//! The key decision: **nothing is pruned that is not proved for the policy at hand**. Suppression breaks the
//! monotonicity of l-diversity (merging a class that holds into one that does not can raise the number of suppressed
//! rows), so each pruning rule states what it needs, and the tests hold the pruned search against an exhaustive one.

#![deny(missing_docs)]

pub mod anatomy;
mod cells;
pub mod curve;
mod error;
pub mod full_domain;
pub mod invariant;
mod judge;
pub mod microaggregation;
pub mod multidimensional;
mod outcome;
pub mod planned;
mod problem;
mod random;
mod released;
mod single_rows;
mod stop;
pub mod sweep;

pub use cells::with_suppression;
pub use error::SearchError;
pub use outcome::{FoundRecoding, NotFound, Outcome};
pub use problem::{Problem, Search};
pub use single_rows::{Recodes, with_single_rows};
