//! People who appear in several releases: what an adversary who holds them all learns, and how to plan releases so that
//! joining them reveals little.
//!
//! [`post_linkage`] is the adversary: regions and histograms of several releases in, what remains possible for every
//! person out. [`planned`] is the central agency: from a joint distribution of quasi-identifiers and sensitive values
//! it makes classes and a sample size that hold for all releases at once ((l, delta)-diversity). [`worst_case()`] is
//! what theory allows when nobody planned anything.
//!
//! The key decision: **a release is its regions and its histograms, never its rows**. Nothing else is needed to link it,
//! so nothing else is kept, and releases of every recoding (full-domain, by region, Anatomy, swept sensitive values) link
//! with each other.
//!
//! Like the core this crate is pure: no input or output, no clock, no threads, no random numbers, and no order of a hash
//! map reaches an answer.
//!
//! **Source.** Rameshwar and Tandon, "(l, delta)-Diversity: Linkage-Robustness via a Composition Theorem". Where the text
//! is wrong or open, `docs/readings.md` says what is taken (D-1 to D-13); `docs/releases.md` has the proofs of what
//! goes beyond it.

#![deny(missing_docs)]
#![deny(clippy::iter_over_hash_type)]

pub mod as_published;
mod error;
pub mod planned;
pub mod post_linkage;
mod worst_case;

pub use error::LinkageError;
pub use worst_case::worst_case;
