//! Risk where the table is a sample of a larger population.
//!
//! A row that is alone in a sample need not be alone in the population. What is known of the population decides what can be said: the
//! sampling fraction (how many people are unique in the population, [`uniqueness`]), survey weights (how many people each class stands
//! for, [`individual`]), or the population itself ([`k_map`]); [`sampled`] has them together. Each is a figure for the holder; none is a guarantee.
//!
//! Invariant: classes and rows are numbers here; no value of a table comes in or goes out.

pub mod classes;
pub mod household;
pub mod individual;
pub mod k_map;
pub mod sampled;
mod special;
pub mod uniqueness;
