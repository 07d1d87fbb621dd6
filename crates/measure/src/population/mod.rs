//! Risk estimates for a table that is a sample of a larger population.
//!
//! A row that is unique in a sample need not be unique in the population. The available information
//! about the population determines the estimates: the sampling fraction (the number of people who
//! are unique in the population, [`uniqueness`]), survey weights (the number of people that each
//! class represents, [`individual`]), or the population itself ([`k_map`]). [`sampled`] combines
//! them. All figures are for the data holder, and none of them is a guarantee.
//!
//! Invariant: classes and rows are numbers in this module, which neither receives nor returns
//! values of a table.

pub mod classes;
pub mod household;
pub mod individual;
pub mod k_map;
pub mod sampled;
mod special;
pub mod uniqueness;
