//! Searches for recodings. A search *proposes*, the certifier of `indistinct-core` *decides*: whatever happens here can
//! cost utility, never privacy.
//!
//! [`full_domain()`] finds the best node of the generalization lattice: one level for each quasi-identifier.
//! [`curve`](mod@curve) makes classes of rows that are near each other on a curve, [`sweep`](mod@sweep) moves rows to more general
//! classes and generalizes secrets at last.
//!
//! The key decision: **nothing is pruned that is not proved for the policy at hand**. Suppression breaks the
//! monotonicity of l-diversity (merging a class that holds into one that does not can raise the number of suppressed
//! rows), so each pruning rule states what it needs, and the tests hold the pruned search against an exhaustive one.

#![deny(missing_docs)]

pub mod anatomy;
pub mod curve;
pub mod full_domain;
pub mod invariant;
pub mod multidimensional;
pub mod planned;
mod problem;
mod released;
pub mod sweep;

pub use full_domain::{
    Found, Infeasible, Minimal, Nearest, Options, Outcome, Problem, SearchError, Statistics,
    full_domain,
};
