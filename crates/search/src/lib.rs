//! Searches for recodings. A search *proposes* recodings, and the certifier of `indistinct-core`
//! *decides* whether to release them. An error in a search can therefore reduce utility, but never
//! privacy.
//!
//! Every search implements [`Search`]: it takes a [`Problem`] and returns an [`Outcome`]. Each
//! search has its own module. [`full_domain`] finds the best node of the generalization lattice,
//! with one level for each quasi-identifier. [`multidimensional`] forms classes with their own
//! released values, and [`curve`] forms classes of rows that are near each other on a space-filling
//! curve. [`sweep`] moves rows to more general classes and generalizes sensitive values at the end.
//! [`anatomy`] separates the sensitive values from the quasi-identifiers, [`invariant`] adds a
//! version to a growing table, [`microaggregation`] forms classes whose numbers are replaced by
//! their center, and [`partition`] forms classes that are regions of the hierarchies.
//!
//! The key design decision is that **a search applies only pruning rules that are proved for the
//! given policy**. Suppression breaks the monotonicity of l-diversity: merging a class that
//! satisfies the policy into a class that violates it can increase the number of suppressed rows.
//! Each pruning rule therefore states its preconditions, and the tests compare the pruned search
//! with an exhaustive search.

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
pub mod partition;
pub mod planned;
mod problem;
mod random;
mod released;
mod single_rows;
mod stop;
pub mod sweep;

pub use cells::with_suppression;
pub use error::SearchError;
pub use problem::{FoundRecoding, NotFound, Outcome, Problem, Search};
pub use single_rows::{Recodes, with_single_rows};
