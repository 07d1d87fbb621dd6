//! Risk estimates for a table that is a sample of a larger population.
//!
//! A row that is unique in a sample need not be unique in the population. The estimates depend on
//! what is known about the population: the sampling fraction ([`uniqueness`]), survey weights
//! ([`individual`]), or the population itself ([`k_map`]). [`sampled`] combines them. All figures
//! are for the data holder, and none of them is a guarantee.
//!
//! Invariant: this module neither receives nor returns values in a table. Classes and rows are
//! numbers.

pub mod classes;
pub mod household;
pub mod individual;
pub mod k_map;
pub mod sampled;
mod special;
pub mod uniqueness;
