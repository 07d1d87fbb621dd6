//! Creates, validates, and prints generalization hierarchies.

use std::path::Path;

pub use indistinct_answers::init::LevelFacts;
pub use indistinct_core::hierarchy::DateLevel;
use indistinct_core::hierarchy::{Arx, HierarchyError, HierarchyRule, to_arx_csv, tree_text};
use indistinct_core::{Dictionary, FrequencyTable, Observer};
use indistinct_engine::{Encoding, Format, InputSpec};
/// Intervals between boundaries that the user chooses.
pub use indistinct_profiling::boundaries;
use indistinct_profiling::icd10;
use serde::Serialize;

use crate::Values;
use crate::error::Error;
use crate::files;
use crate::job::{Aim, Job, PolicyText, count_column};
use crate::policy::{toml_key, toml_text, toml_texts};
use crate::session::Session;

/// The result of applying a hierarchy to a column.
#[derive(Debug, Clone, Serialize, schemars::JsonSchema)]
pub struct CheckedHierarchy {
    /// The name of the attribute.
    pub attribute: String,
    /// Number of levels, including level 0; `None` if the hierarchy does not match the column.
    pub n_levels: Option<usize>,
    /// Number of distinct values in the column.
    pub n_values: u64,
    /// The problems found.
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
    Ok(rule.resolve(attribute, dictionary)?)
}

/// Returns the hierarchy of a quasi-identifier, resolved for the values of the job's table, as ARX
/// CSV without a header, with `;` as the delimiter and the original values in column 0.
///
/// # Errors
/// [`Error`] if the attribute is unknown, the table cannot be read, or the hierarchy does not match
/// the table.
pub fn arx_csv(job: &Job, attribute: &str) -> Result<String, Error> {
    job.run(|observer| {
        let rule = job.rule(attribute)?;
        let dictionary = dictionary_of(job, attribute, observer)?;
        Ok(to_arx_csv(&resolve(rule, attribute, &dictionary)?))
    })
}

/// The default maximum number of lines of a tree.
pub const DEFAULT_LINES: usize = 200;

/// Returns the hierarchy of a quasi-identifier, resolved for the values of the job's table, as a
/// tree of at most `max_lines` lines.
///
/// # Errors
/// The same errors as [`arx_csv`].
pub fn tree(job: &Job, attribute: &str, max_lines: usize) -> Result<String, Error> {
    job.run(|observer| {
        let rule = job.rule(attribute)?;
        let dictionary = dictionary_of(job, attribute, observer)?;
        Ok(tree_text(&resolve(rule, attribute, &dictionary)?, max_lines))
    })
}

/// Returns the hierarchy of an ARX CSV file as a tree of at most `max_lines` lines.
///
/// # Errors
/// [`Error`] if the file cannot be read or is not a valid hierarchy.
pub fn tree_of_file(path: &Path, max_lines: usize) -> Result<String, Error> {
    let name = path.display().to_string();
    let arx = parse(path, &name, &[])?;
    let (dictionary, _) = Dictionary::from_distinct(arx.values().to_vec());
    Ok(tree_text(&resolve(&HierarchyRule::Arx(arx), &name, &dictionary)?, max_lines))
}

/// The maximum number of labels shown for a level.
pub const MOST_LABELS: usize = 6;

/// Returns the figures of each level of a hierarchy, even if no policy contains the hierarchy yet.
///
/// `declaration` is the value of `hierarchy` in a policy file, such as `{ intervals = [5, 10] }`.
/// Without a declaration, the hierarchy has the original values and `*`. Paths in the declaration
/// are relative to `folder`.
///
/// # Errors
/// [`Error`] if the declaration is invalid or does not match the column, or if the table cannot be
/// read.
pub fn levels(
    session: &Session,
    spec: &InputSpec,
    attribute: &str,
    declaration: Option<&str>,
    folder: &Path,
    values: Values,
) -> Result<Vec<LevelFacts>, Error> {
    session.run(|_| {
        let (table, hierarchy) = declared(session, spec, attribute, declaration, folder)?;
        Ok(facts(&table, &hierarchy, values))
    })
}

/// Returns each value of a column with its number of rows, for the data holder only. A missing
/// value is empty.
///
/// # Errors
/// [`Error`] if the table cannot be read.
pub fn counts(
    session: &Session,
    spec: &InputSpec,
    attribute: &str,
    folder: &Path,
) -> Result<Vec<(String, u64)>, Error> {
    session.run(|_| {
        let (table, _) = declared(session, spec, attribute, None, folder)?;
        let column = &table.quasi_identifiers()[0];
        let values = column.dictionary.values().iter().cloned();
        Ok(values.zip(table.marginal(column)).collect())
    })
}

/// Returns the figures of each level, and the hierarchy as an editable ARX CSV file.
///
/// # Errors
/// The same errors as [`levels`].
pub(crate) fn levels_and_file(
    session: &Session,
    spec: &InputSpec,
    attribute: &str,
    declaration: Option<&str>,
    folder: &Path,
) -> Result<(Vec<LevelFacts>, String), Error> {
    let (table, hierarchy) = declared(session, spec, attribute, declaration, folder)?;
    Ok((facts(&table, &hierarchy, Values::Hidden), to_arx_csv(&hierarchy)))
}

/// Returns the declaration of a hierarchy of ICD-10 codes, with the category and the chapter of
/// each code of the column.
///
/// # Errors
/// The same errors as [`levels`].
pub(crate) fn icd10_declaration(
    session: &Session,
    spec: &InputSpec,
    attribute: &str,
    folder: &Path,
) -> Result<String, Error> {
    let (table, _) = declared(session, spec, attribute, None, folder)?;
    let codes = table.quasi_identifiers()[0].dictionary.values();
    let rows = icd10::hierarchy(codes.iter().map(String::as_str));
    let rows: Vec<String> =
        rows.iter().map(|row| toml_texts(row.iter().map(String::as_str))).collect();
    Ok(format!("{{ rows = [{}] }}", rows.join(", ")))
}

/// Returns a column with its hierarchy, even if no policy contains the hierarchy yet.
fn declared(
    session: &Session,
    spec: &InputSpec,
    attribute: &str,
    declaration: Option<&str>,
    folder: &Path,
) -> Result<(FrequencyTable, indistinct_core::Hierarchy), Error> {
    let text_of = |key: &str, text: Option<&str>| {
        text.map_or(String::new(), |text| format!("{key} = {}\n", toml_text(text)))
    };
    let delimiter = spec.delimiter.map(|byte| char::from(byte).to_string());
    let encoding = (spec.encoding != Encoding::Utf8).then(|| spec.encoding.name());
    let input = [
        text_of("path", Some(&spec.path.to_string_lossy())),
        text_of("table", spec.table.as_deref()),
        text_of("query", spec.query.as_deref()),
        text_of("count_column", spec.counts.as_deref()),
        text_of("format", spec.format.map(Format::name)),
        text_of("delimiter", delimiter.as_deref()),
        text_of("encoding", encoding),
        format!("skip_rows = {}\n", spec.skipped_rows.before_header),
        format!("skip_rows_after_header = {}\n", spec.skipped_rows.after_header),
        format!("null_values = {}\n", toml_texts(spec.null_values.iter().map(String::as_str))),
    ];
    let written = spec.written.iter().find(|(name, _)| name == attribute);
    let written = text_of("notation", written.map(|(_, written)| written.name()));
    let own = spec.own_null_values(attribute).iter().map(String::as_str);
    let own = format!("null_values = {}\n", toml_texts(own));
    let declared = declaration.map_or(String::new(), |it| format!("hierarchy = {it}\n"));
    // A minimal valid policy that contains the declaration, so it is parsed as in a policy
    // file.
    let text = format!(
        "version = 1\n[input]\n{}unlisted = \"drop\"\n\
         [attributes.{}]\nrole = \"quasi-identifier\"\n{own}{written}{declared}\
         [[principles]]\nkind = \"k-anonymity\"\nk = 2\n",
        input.concat(),
        toml_key(attribute),
    );
    let policy = PolicyText { text: &text, name: "the hierarchy", folder };
    let job = session.open_text(policy, None, Aim::Check)?;
    let table = job.count_column(attribute, session.observer())?;
    let column = &table.quasi_identifiers()[0];
    let hierarchy = match job.rule(attribute) {
        Ok(rule) => resolve(rule, attribute, &column.dictionary)?,
        Err(_) => indistinct_core::Hierarchy::flat(&column.dictionary),
    };
    Ok((table, hierarchy))
}

/// Returns the figures of each level in the hierarchy of the only quasi-identifier.
fn facts(
    table: &FrequencyTable,
    hierarchy: &indistinct_core::Hierarchy,
    values: Values,
) -> Vec<LevelFacts> {
    let column = &table.quasi_identifiers()[0];
    let marginal = table.marginal(column);
    let of = |at: usize| {
        let level = hierarchy.level(at);
        let mut rows: Vec<(usize, u64)> = (0..level.labels.len()).map(|at| (at, 0)).collect();
        for (code, n) in marginal.iter().enumerate() {
            rows[level.map[code] as usize].1 += n;
        }
        rows.retain(|(_, n)| *n > 0);
        rows.sort_by_key(|&(label, n)| (std::cmp::Reverse(n), label));
        let shown = if values == Values::Shown { MOST_LABELS } else { 0 };
        LevelFacts {
            level: at,
            n_labels: rows.len() as u64,
            rarest: rows.last().map_or(0, |(_, n)| *n),
            loss: indistinct_core::loss::of_column(table, column, hierarchy, at),
            labels: rows
                .iter()
                .take(shown)
                .map(|&(label, n)| (level.labels[label].clone(), n))
                .collect(),
        }
    };
    (0..hierarchy.n_levels()).map(of).collect()
}

fn parse(path: &Path, attribute: &str, null_values: &[String]) -> Result<Arx, Error> {
    Ok(Arx::parse(attribute, &files::read_text(path)?, null_values)?)
}

/// Applies one or all hierarchies of a policy to its table.
///
/// # Errors
/// [`Error`] if the attribute is unknown or the table cannot be read. A hierarchy that does not
/// match the table is reported in the answer.
pub fn check(
    job: &Job,
    attribute: Option<&str>,
    values: Values,
) -> Result<Vec<CheckedHierarchy>, Error> {
    job.run(|observer| {
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
    })
}

/// Applies an ARX CSV file to one column of a table.
///
/// # Errors
/// [`Error`] if the file is not a hierarchy, or if the table cannot be read. A hierarchy that does
/// not match the column is reported in the answer.
pub fn check_file(
    session: &Session,
    path: &Path,
    spec: &InputSpec,
    attribute: &str,
    values: Values,
) -> Result<Vec<CheckedHierarchy>, Error> {
    session.run(|observer| {
        let input = session.engine().open(spec)?;
        let table = count_column(&input, attribute, observer)?;
        let dictionary = &table.quasi_identifiers()[0].dictionary;
        let text = files::read_text(path)?;
        let null_values = [&spec.null_values, spec.own_null_values(attribute)].concat();
        let resolved = Arx::parse(attribute, &text, &null_values)
            .and_then(|arx| HierarchyRule::Arx(arx).resolve(attribute, dictionary));
        Ok(vec![checked(attribute, dictionary, resolved, values)])
    })
}

fn checked(
    attribute: &str,
    dictionary: &Dictionary,
    resolved: Result<indistinct_core::Hierarchy, HierarchyError>,
    values: Values,
) -> CheckedHierarchy {
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
    CheckedHierarchy {
        attribute: attribute.to_owned(),
        n_levels,
        n_values: dictionary.len() as u64,
        problems,
    }
}
