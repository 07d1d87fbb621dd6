//! Measures of loss and utility of a release, with one file for each measure.
//!
//! All measures compare a release *as published* with its original
//! ([`ReleaseWithOriginal`](indistinct_core::published::ReleaseWithOriginal)), and do not depend on
//! the method that created the release. Measures are pure functions: they perform no input or
//! output, read no clock, and draw random numbers only from a given seed. The same release and seed
//! yield the same figures with any number of threads.
//!
//! The key decision is that **a released value represents the values that it covers**, as places on
//! an [`Axis`](axes::Axis). If a measure requires more detail than the release contains, it
//! distributes rows evenly over the covered values, as a user of the release would.

#![deny(missing_docs)]

mod answer;
pub mod axes;
pub mod classification;
mod error;
pub mod information;
pub mod losses;
pub mod marginals;
pub mod population;
pub mod queries;
pub mod rilm;
mod steps;
mod summary;
pub mod tau_l;

pub use answer::{Excess, Measurement, Note};
pub use error::Error;
pub use steps::Steps;
pub use summary::Summary;
