//! Making, validating and printing hierarchies.

use std::path::Path;

use indistinct_core::hierarchy::{Arx, HierarchyError, HierarchyRule, to_arx_csv, tree_text};
use indistinct_core::{Dictionary, Observer};
use indistinct_engine::InputSpec;
use serde::Serialize;

use crate::Values;
use crate::engines;
use crate::error::Error;
use crate::files;
use crate::job::{Job, count_column};

/// What became of laying a hierarchy over a column.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Checked {
    /// The attribute.
    pub attribute: String,
    /// Number of levels, the raw one included; `None` where it does not fit.
    pub n_levels: Option<usize>,
    /// Distinct values of the column.
    pub n_values: u64,
    /// What is wrong.
    pub problems: Vec<String>,
}

fn dictionary_of(job: &Job, attribute: &str, observer: &dyn Observer) -> Result<Dictionary, Error> {
    let table = job.count_column(attribute, observer)?;
    Ok(table.quasi_identifiers()[0].dictionary.clone())
}

fn resolve(
    rule: &HierarchyRule,
    attribute: &str,
    dictionary: &Dictionary,
) -> Result<indistinct_core::Hierarchy, Error> {
    rule.resolve(attribute, dictionary).map_err(|error| Error::Hierarchies(vec![error]))
}

/// The hierarchy of a quasi-identifier over the values of the job's table, as ARX CSV: no header, `;`, column 0 raw.
///
/// # Errors
/// [`Error`] if there is no such attribute, the table cannot be read, or the hierarchy does not fit it.
pub fn arx_csv(job: &Job, attribute: &str, observer: &dyn Observer) -> Result<String, Error> {
    let rule = job.rule(attribute)?;
    let dictionary = dictionary_of(job, attribute, observer)?;
    Ok(to_arx_csv(&resolve(rule, attribute, &dictionary)?))
}

/// How many lines of a tree are shown if nobody says so.
pub const DEFAULT_LINES: usize = 200;

/// The hierarchy of a quasi-identifier over the values of the job's table, as a tree of at most `max_lines` lines.
///
/// # Errors
/// As [`arx_csv`].
pub fn tree(
    job: &Job,
    attribute: &str,
    max_lines: usize,
    observer: &dyn Observer,
) -> Result<String, Error> {
    let rule = job.rule(attribute)?;
    let dictionary = dictionary_of(job, attribute, observer)?;
    Ok(tree_text(&resolve(rule, attribute, &dictionary)?, max_lines))
}

/// The hierarchy of an ARX CSV file, as a tree of at most `max_lines` lines.
///
/// # Errors
/// [`Error`] if the file cannot be read or is no hierarchy.
pub fn tree_of_file(path: &Path, max_lines: usize) -> Result<String, Error> {
    let name = path.display().to_string();
    let arx = parse(path, &name, &[])?;
    let (dictionary, _) = Dictionary::from_distinct(arx.values().to_vec());
    Ok(tree_text(&resolve(&HierarchyRule::Arx(arx), &name, &dictionary)?, max_lines))
}

fn parse(path: &Path, attribute: &str, null_values: &[String]) -> Result<Arx, Error> {
    Arx::parse(attribute, &files::read_text(path)?, null_values)
        .map_err(|error| Error::Hierarchies(vec![error]))
}

/// Lays the hierarchies of a policy (or one of them) over its table.
///
/// # Errors
/// [`Error`] if there is no such attribute or the table cannot be read. A hierarchy that does not fit is an answer.
pub fn check(
    job: &Job,
    attribute: Option<&str>,
    values: Values,
    observer: &dyn Observer,
) -> Result<Vec<Checked>, Error> {
    if let Some(name) = attribute {
        job.rule(name)?;
    }
    let wanted =
        job.bound().rules.iter().filter(|(name, _)| attribute.is_none_or(|one| one == name));
    wanted
        .map(|(name, rule)| {
            let dictionary = dictionary_of(job, name, observer)?;
            Ok(checked(name, &dictionary, rule.resolve(name, &dictionary), values))
        })
        .collect()
}

/// Lays an ARX CSV file over one column of a table.
///
/// # Errors
/// [`Error`] if the file is no hierarchy at all, or the table cannot be read. A hierarchy that does not fit is an answer.
pub fn check_file(
    path: &Path,
    spec: &InputSpec,
    attribute: &str,
    values: Values,
    observer: &dyn Observer,
) -> Result<Vec<Checked>, Error> {
    let input = engines::of_process().open(spec)?;
    let table = count_column(&input, attribute, observer)?;
    let dictionary = &table.quasi_identifiers()[0].dictionary;
    let text = files::read_text(path)?;
    let resolved = Arx::parse(attribute, &text, &spec.null_values)
        .and_then(|arx| HierarchyRule::Arx(arx).resolve(attribute, dictionary));
    Ok(vec![checked(attribute, dictionary, resolved, values)])
}

fn checked(
    attribute: &str,
    dictionary: &Dictionary,
    resolved: Result<indistinct_core::Hierarchy, HierarchyError>,
    values: Values,
) -> Checked {
    let (n_levels, problems) = match resolved {
        Ok(hierarchy) => (Some(hierarchy.n_levels()), Vec::new()),
        Err(error) => (
            None,
            match values {
                Values::Shown => error.with_values().lines().map(str::to_owned).collect(),
                Values::Hidden => error.problems.iter().map(ToString::to_string).collect(),
            },
        ),
    };
    Checked {
        attribute: attribute.to_owned(),
        n_levels,
        n_values: dictionary.len() as u64,
        problems,
    }
}
