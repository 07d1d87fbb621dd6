//! What a release is still good for: measures of loss and utility, each in a file of its own.
//!
//! All of them look at a release *as everybody sees it*, with its original laid beside it
//! ([`Beside`](indistinct_core::published::ReleaseWithOriginal)): whatever method made the release, a measure does not know it. They are
//! pure: no input or output, no clock, and random numbers from a given seed alone; the same release and seed give the same figures
//! on any number of threads.
//!
//! The key decision: **a released value is read as what it covers**, as places on an [`Axis`](axes::Axis), and where a measure has to
//! say more than the release says, it spreads rows evenly over that. It is what a user of the release has to do as well.

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
mod summary;
pub mod tau_l;

pub use answer::{Excess, Measurement, Note};
pub use error::Error;
pub use summary::Summary;
