//! The plans of a central agency, with classes and a sample size that are valid for every release
//! that follows the plan.
//!
//! An agency that knows the distribution of quasi-identifiers and sensitive values fixes the
//! classes and the minimum number of rows of a release *before* data collection. Every release with
//! these classes is l-diverse with probability 1 - delta. A join of t such releases is l-diverse
//! with probability 1 - t delta, because all releases contain the same designated values in each
//! class.
//!
//! This module defines plans and their guarantees. The search for classes is in another crate, so a
//! verifier of planned releases does not depend on a search.

mod composition;
mod confidence;
mod entropy;
mod equal_size;
mod exact;
mod failure;
mod joint;
mod people;
mod plan;
mod samples;
mod wrong_distribution;

pub use composition::{Composition, PlanDifference, compose};
pub use entropy::{EntropySize, SLACK_PARTS, rows_for_entropy};
pub use equal_size::{EqualSize, equal_size};
pub use exact::{Linked, MAX_K, Target};
pub use failure::{Failure, MAX_WORK, failure};
pub use joint::{Joint, Marginal, SUM_TOLERANCE, lexicographic};
pub use people::{rows_for_counts, rows_for_linked_k};
pub use plan::{Basis, Plan, PlannedClass};
pub use samples::{MAX_ROWS, SampleSize, rows_by_union_bound, sample_size, sample_size_of};
pub use wrong_distribution::{Robustness, effect_of_error};
