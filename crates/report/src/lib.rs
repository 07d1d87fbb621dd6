//! The reports of a release: what they show is computed here, and put into words and pictures by the crates `text` and `render`.
//!
//! [`release_report`] receives only what the released files show, so it can be part of the release; [`private_report`] also
//! knows the original table.
//!
//! The key decision: **the same input gives the same bytes** (no clock, no environment, no iteration over a hash map), so that
//! `verify` can render the report of a release again and compare.

#![deny(missing_docs)]

mod again;
mod contrast;
mod release_figures;
mod report;

pub use indistinct_text::words;

pub use again::{check_report, in_order_of, n_levels, report_of};
pub use release_figures::ReleaseFigures;
pub use report::{Report, private_report, release_report};
