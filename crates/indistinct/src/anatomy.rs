//! `method = "anatomy"`: quasi-identifiers as they are and sensitive values in two tables, what is stated of them, and what
//! is lost.
//!
//! What the two tables hold can be computed again from them; that chance alone decided which rows are in one class cannot.

use std::collections::BTreeMap;

use indistinct_core::{AnatomyRelease, DROPPED, Observer};
use indistinct_release::certificate::Statement;
use indistinct_release::certificate::about::SEPARATION;
use indistinct_report::SearchEnd;
use indistinct_search::anatomy::TwoTables;
use indistinct_search::{self as search, Outcome, Search};
use serde::Serialize;

use crate::certified::Proposed;
use crate::error::Error;
use crate::methods::{Answer, Coarsening, Method, OfMethod, Proposal, Quality, Solution, Task};
use crate::policy;

/// The loss that this method makes small.
const OBJECTIVE: &str = indistinct_report::RECONSTRUCTION_ERROR;

/// What a reader of two tables can no longer tell.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Separation {
    /// The sum over all released rows of the squared distance between a row's sensitive value and the distribution of
    /// sensitive values in its class.
    pub reconstruction_error: f64,
    /// The same for a row, on average: 0 tells every sensitive value. `None` for a release without rows.
    pub reconstruction_error_per_row: Option<f64>,
}

/// Quasi-identifiers and sensitive values in two tables.
#[derive(Debug)]
pub(crate) struct AnatomyMethod;

/// What is stated where the search came to its end.
const SEPARATED: Quality = Quality::Own {
    is_optimal: false,
    text: "Quasi-identifiers are as they were. The method makes many small classes but does not try all divisions into classes.",
};

impl Method for AnatomyMethod {
    fn kind(&self) -> policy::Method {
        &policy::method::ANATOMY
    }

    /// Divides the rows into classes by their sensitive values.
    fn propose(&self, task: &Task<'_>, observer: &dyn Observer) -> Result<Answer, Error> {
        let two_tables = TwoTables { key: task.key.for_classes() };
        Ok(match two_tables.search(&task.problem()?, observer)? {
            Outcome::Found(found) => {
                let quality = match found.quality {
                    search::Quality::CutShort => Quality::TimeLimit,
                    _ => SEPARATED,
                };
                Answer::found(Proposal::of(Proposed::Tables(found.proposal), quality))
            }
            Outcome::NotFound(not_found) => Answer::not_found(not_found),
        })
    }

    fn coarsening(&self) -> Coarsening {
        Coarsening::MoreValues
    }

    fn objective(&self, _task: &Task<'_>) -> &'static str {
        OBJECTIVE
    }

    fn answer(&self, solution: &Solution<'_>) -> Option<OfMethod> {
        let release = solution.certified.tables()?;
        Some(OfMethod::TwoTables { separation: separation(release) })
    }

    fn statements(&self, _solution: &Solution<'_>) -> Vec<Statement> {
        vec![statement()]
    }

    fn search_end(&self, solution: &Solution<'_>) -> Option<SearchEnd> {
        match solution.proposal.quality {
            Quality::Own { .. } => Some(SearchEnd::Separated),
            Quality::TimeLimit => Some(SearchEnd::SeparatedUntilTimeLimit),
            Quality::Optimal | Quality::Heuristic | Quality::Linked => None,
        }
    }
}

/// What the two tables no longer tell.
fn separation(release: &AnatomyRelease<'_>) -> Separation {
    let (error, n_rows) = (release.reconstruction_error(), release.claims().n_released);
    Separation {
        reconstruction_error: error,
        reconstruction_error_per_row: (n_rows > 0).then(|| error / n_rows as f64),
    }
}

/// The losses that are defined where no quasi-identifier is generalized: the share of suppressed rows, and what is lost
/// about where the sensitive values are.
pub(crate) fn losses(release: &AnatomyRelease<'_>) -> BTreeMap<&'static str, f64> {
    BTreeMap::from([
        ("loss", share_suppressed(release)),
        (OBJECTIVE, release.reconstruction_error()),
    ])
}

/// The `loss` of each quasi-identifier: what is released is as it was.
pub(crate) fn attribute_losses(release: &AnatomyRelease<'_>) -> BTreeMap<String, f64> {
    let columns = release.table().quasi_identifiers().iter();
    columns.map(|column| (column.name.clone(), share_suppressed(release))).collect()
}

fn share_suppressed(release: &AnatomyRelease<'_>) -> f64 {
    match release.counted().n_rows() {
        0 => 0.0,
        n_rows => release.n_suppressed() as f64 / n_rows as f64,
    }
}

/// What only the holder can attest of the two tables.
fn statement() -> Statement {
    Statement {
        about: SEPARATION.to_owned(),
        text: "How many rows with each sensitive value a class has follows from how often sensitive values occur; which rows these are was drawn by \
               chance. So every way to match the rows of a class with its sensitive values is as likely as any other, also to somebody who \
               knows the method."
            .to_owned(),
        value: None,
        rests_on: "the holder's draws, and a seed that nobody else knows".to_owned(),
    }
}

/// For each combination of raw values, sensitive value included, in which class how many of its rows are. Suppressed rows
/// have empty released values and no class.
///
/// `class_numbers` are the released ones, for each class.
pub(crate) fn mapped_tuples(release: &AnatomyRelease<'_>, class_numbers: &[u32]) -> String {
    let counted = release.counted();
    let names = |prefix: &str| -> Vec<String> {
        counted.columns().map(|column| format!("{prefix}{}", column.name)).collect()
    };
    let mut writer = csv::Writer::from_writer(Vec::new());
    let mut write = |record: &[String]| {
        writer.write_record(record).expect("a record can be written to memory");
    };
    let ends = ["class".to_owned(), "rows".to_owned()];
    write(&[names(""), names("released "), ends.to_vec()].concat());
    for (part, &class) in release.class_of().iter().enumerate() {
        let columns = release.table().columns();
        let raw: Vec<String> =
            columns.map(|column| column.dictionary.value(column.codes[part]).to_owned()).collect();
        let released = match class {
            DROPPED => vec![String::new(); raw.len() + 1],
            class => {
                let number = class_numbers[class as usize].to_string();
                raw.iter().cloned().chain([number]).collect()
            }
        };
        write(&[raw, released, vec![release.table().counts()[part].to_string()]].concat());
    }
    let bytes = writer.into_inner().expect("memory can be flushed");
    String::from_utf8(bytes).expect("texts were written")
}
