//! The reports of a release. This crate computes their contents; the crates `text` and `render`
//! convert them into sentences and pictures.
//!
//! [`release_report`] depends only on information in the released files, and can therefore be part
//! of the release. [`private_report`] also depends on the original table.
//!
//! The key design decision is that **identical input produces identical bytes** (no clock, no
//! environment, no iteration over hash maps). This allows `verify` to render the report of a
//! release again and compare the bytes.

#![deny(missing_docs)]

mod again;
mod contrast;
mod release_figures;
mod report;

pub use indistinct_text::words;

pub use again::{check_report, in_order_of, n_levels, report_of};
pub use release_figures::ReleaseFigures;
pub use report::{Report, private_report, release_report};
