//! Linkage of releases about the same people: what an adversary can infer from several releases,
//! and plans that limit this disclosure.
//!
//! [`post_linkage`] models the adversary: given the regions and histograms of several releases, it
//! computes the sensitive values that remain possible for every person. [`planned`] models a
//! central agency that plans classes and a sample size for all releases together, given a joint
//! distribution of quasi-identifiers and sensitive values ((l, delta)-diversity). [`worst_case()`]
//! computes the theoretical bound for unplanned releases.
//!
//! The key design decision is that **a release is represented by its regions and histograms, never
//! by its rows**. Linkage needs no further information, so releases with any recodings can be
//! linked with each other.
//!
//! Like the core, this crate is pure: it performs no input or output, reads no clock, starts no
//! threads, and draws no random numbers, and the iteration order of hash maps does not affect any
//! result.
//!
//! **Source.** Rameshwar and Tandon, "(l, delta)-Diversity: Linkage-Robustness via a Composition
//! Theorem". `docs/readings.md` documents our interpretation of errors and gaps in the paper (D-1
//! to D-13); `docs/releases.md` proves the results that go beyond the paper.

#![deny(missing_docs)]
#![deny(clippy::iter_over_hash_type)]

pub mod as_published;
mod error;
pub mod planned;
pub mod post_linkage;
mod worst_case;

pub use error::LinkageError;
pub use worst_case::{WorstCase, worst_case};
