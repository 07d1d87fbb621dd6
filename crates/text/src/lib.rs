//! The sentences of the product.
//!
//! Every other crate answers with data. A function `describe_*` of this crate turns an answer into a
//! [`Document`], and the crate `render` writes that document to a terminal or as HTML; the command
//! line, the reports, and the studio therefore say the same thing in the same words. The two
//! exceptions are error titles with their help, which stay with their error, and the documentation of
//! a principle, method, loss, or attack, which stays in its registry entry.
//!
//! The key decision: a document has structure, but no layout. It says that something is a table, a
//! verdict, or a command; widths, colors, and markup are up to the renderer. Texts that come from a
//! table (column names, labels) are spans of their own, see [`name`], so that a renderer can isolate
//! them.

#![deny(missing_docs)]

mod attack;
mod document;
pub mod facts;
mod linkage;
mod measure;
mod population;
mod verification;

pub use attack::{describe_attack, finding};
pub use document::{
    Align, Block, Column, Document, Figure, Section, Span, Table, Text, Verdict, code, name,
};
/// Numbers, counts, nouns, lists, and what principles and risks are in words.
pub use indistinct_release::words;
pub use measure::describe_measurement;
pub use population::sample_risk;

/// The numbers of rows and classes, and the size of the smallest class.
fn class_sizes(n_rows: u64, n_classes: u64, smallest: Option<u64>) -> Text {
    let (rows, classes) = (words::rows(n_rows), words::classes(n_classes));
    match smallest {
        Some(smallest) => {
            format!("{rows} in {classes}; the smallest has {}.", words::rows(smallest)).into()
        }
        None => "The table has no rows.".into(),
    }
}
pub use linkage::{
    describe_coarser, describe_effect, describe_link, describe_linkage, describe_refusal,
};
pub use verification::{describe_check, describe_verification, difference, outcome, subject};
