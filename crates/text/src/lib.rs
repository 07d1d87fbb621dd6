//! All sentences that users read.
//!
//! Other crates return data. The `describe_*` functions of this crate convert an answer into a
//! [`Document`], which the `render` crate writes to a terminal or as HTML. The command line, the
//! reports, and the studio therefore use the same wording. Error titles and help stay with
//! the error, and the documentation of a principle, method, loss, or attack stays in its registry
//! entry.
//!
//! The key design decision is that a document has structure but no layout. A document marks a
//! table, a verdict, or a command, and the renderer chooses widths, colors, and markup. Strings
//! from a table, such as column names and labels, are separate spans (see [`name`]), which allows a
//! renderer to isolate them.

#![deny(missing_docs)]

pub mod advice;
mod anonymize;
mod attack;
mod check;
pub mod comparison;
mod document;
pub mod facts;
mod figures;
mod init;
mod ledger;
mod linkage;
mod measure;
mod messages;
pub mod plan;
mod plot;
mod population;
mod principles;
pub mod private;
pub mod release;
mod verification;
mod warning;
pub mod words;

pub use anonymize::describe_outcome;
pub use attack::{describe_attack, describe_worst, finding};
pub use check::{describe_checked, describe_profile};
pub use document::{
    Align, Block, Column, Document, Figure, File, Picture, Section, Span, Table, Text, Verdict,
    badge, code, name, strong,
};
pub use init::describe_proposal;
pub use ledger::{describe_checked_linkage, describe_records, describe_verified_ledger};
pub use measure::{describe_measurement, draw_columns, draw_measurement, without_information};
pub use plan::{describe_plan, describe_too_few_rows};
pub use population::{population_risk, sample_risk};

/// Describes the numbers of rows and classes, and the size of the smallest class.
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
    describe_coarser, describe_effect, describe_joint_promise, describe_link, describe_linkage,
    describe_refusal, describe_worst_case,
};
pub use plot::{
    Bar, Bin, Curve, Heat, Histogram, Line, LinePlot, Pair, Pairs, Plot, Series, Steps, Unit, bins,
};
pub use principles::describe_principles;
pub(crate) use principles::principle_levels;
pub use verification::{describe_check, describe_verification, difference, outcome, subject};
pub use warning::{describe_repair, describe_warning};
