//! The central agency: classes and a sample size that hold for every release made by them.
//!
//! An agency that knows how quasi-identifiers and sensitive values are distributed fixes the classes *before* anybody has
//! data, and how many rows a release must wait for. Every release by these classes is then l-diverse with probability 1 -
//! delta, and t of them, joined, with probability 1 - t delta, since all of them show the same designated values in
//! each class.
//!
//! What a plan is and promises is here; which classes to take is searched for elsewhere, so that whoever checks a release by a
//! plan depends on no search.

mod composition;
mod entropy;
mod equal_size;
mod exact;
mod failure;
mod joint;
mod order;
mod people;
mod plan;
mod samples;
mod wrong_distribution;

pub use composition::{Composition, PlanDifference, compose};
pub use entropy::{EntropySize, rows_for_entropy};
pub use equal_size::{EqualSize, equal_size};
pub use exact::Target;
pub use failure::{Failure, MAX_WORK, failure};
pub use joint::{Joint, Marginal, SUM_TOLERANCE};
pub use order::lexicographic;
pub use people::{rows_for_counts, rows_for_linked_k};
pub use plan::{Basis, Plan, PlannedClass};
pub use samples::{MAX_ROWS, SampleSize, rows_by_union_bound, sample_size, sample_size_of};
pub use wrong_distribution::{Robustness, effect_of_error};
