//! What the columns of a table look like, and what stops a release because of it.

use std::fmt;

use indistinct_columns::{Finding, Looks, Meaning, Sample, Sureness, examine, findings};
use indistinct_core::model::CountedColumn;
use indistinct_core::{FrequencyTable, MISSING, Observer, Role};
use indistinct_engine::{Input, Scan, Scanned, scan};
use indistinct_language::{codes, words};

use crate::error::Error;
use crate::job::{Job, count_column};
use crate::policy::PolicyFile;

/// The looks of every column, each counted in a pass of its own.
pub(crate) fn looks_of(input: &Input, observer: &dyn Observer) -> Result<Vec<Looks>, Error> {
    let of = |name: &String| {
        let table = count_column(input, name, observer)?;
        let counts = counts(&table, &table.quasi_identifiers()[0]);
        Ok(examine(name, table.n_rows(), &present(&table.quasi_identifiers()[0], &counts)))
    };
    input.columns().iter().map(|column| of(&column.name)).collect()
}

/// For each value of a counted column its rows.
fn counts(table: &FrequencyTable, column: &CountedColumn) -> Vec<u64> {
    let mut counts = vec![0; column.dictionary.len()];
    for (code, count) in column.codes.iter().zip(table.counts()) {
        counts[*code as usize] += count;
    }
    counts
}

/// The values that are not missing, with their rows.
fn present<'a>(column: &'a CountedColumn, counts: &[u64]) -> Vec<(&'a str, u64)> {
    let values = column.dictionary.values().iter().map(String::as_str).zip(counts.iter().copied());
    values.filter(|(value, count)| *value != MISSING && *count > 0).collect()
}

/// A column that looks like an identifier and is not declared one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LooksLikeIdentifier {
    /// Its name.
    pub column: String,
    /// Its role.
    pub role: Role,
    /// What its values look like, such as "e-mail addresses".
    pub kind: &'static str,
    /// How many of the values that were looked at do, as a share of them, in words.
    pub share: String,
    /// How sure it is.
    pub sureness: Sureness,
}

impl fmt::Display for LooksLikeIdentifier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { column, role, kind, share, sureness } = self;
        let role = role.name();
        write!(
            f,
            "'{column}' ({role}) looks like {kind}: {share} of its values, {}",
            sureness.name()
        )
    }
}

/// Columns that would be published look like direct identifiers.
#[derive(Debug, thiserror::Error)]
#[error(
    "{} {} like direct identifiers, and the policy says otherwise:\n  {}",
    words::counted(self.0.len() as u64, "column", "columns"),
    words::either(self.0.len() as u64, "looks", "look"),
    self.0.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n  ")
)]
pub struct LooksLikeIdentifiers(pub Vec<LooksLikeIdentifier>);

codes! {
    LooksLikeIdentifiers {
        _ => "E-COLUMNS-001", "columns that look like direct identifiers and are not declared so",
            "give them role = \"identifier\": they are not written then. If one is none, say so below its [attributes.NAME]: looks_like_identifier = \"accepted\" and looks_like_identifier_reason = \"...\", which becomes a statement of the certificate";
    }
}

/// Looks at the columns that are not counted: those that are published untouched, and the identifiers.
///
/// # Errors
/// [`Error`] if the table cannot be read.
pub(crate) fn scan_uncounted(
    input: &Input,
    policy: &PolicyFile,
    observer: &dyn Observer,
) -> Result<Scan, Error> {
    let insensitive = policy.names(Role::Insensitive);
    let has = |name: &String| input.columns().iter().any(|column| column.name == *name);
    let identifiers = policy.names(Role::Identifier).into_iter().filter(has);
    let names: Vec<String> = insensitive.iter().cloned().chain(identifiers).collect();
    Ok(scan(input, &names, &insensitive, observer)?)
}

/// Stops where a column looks like an identifier, is not declared one, and nobody has accepted it.
///
/// Counted columns are judged by their dictionaries, others by what was scanned; of each at most a thousand distinct values.
///
/// # Errors
/// [`LooksLikeIdentifiers`], with all such columns.
pub(crate) fn gate(
    job: &Job,
    table: &FrequencyTable,
    scanned: &Scan,
) -> Result<(), LooksLikeIdentifiers> {
    let policy = job.policy();
    let mut found = Vec::new();
    for attribute in policy.attributes.iter().filter(|it| it.role != Role::Identifier) {
        if attribute.accepted.is_some() {
            continue;
        }
        let of_table = table.columns().find(|column| column.name == attribute.name);
        let of_scan = scanned.columns.iter().find(|column| column.column == attribute.name);
        let findings = match (of_table, of_scan) {
            (Some(column), _) => {
                let counts = counts(table, column);
                findings(&Sample::of_values(
                    &column.name,
                    table.n_rows(),
                    &present(column, &counts),
                ))
            }
            (None, Some(column)) => findings(&sample_of(column, scanned.n_rows)),
            (None, None) => continue,
        };
        found.extend(findings.iter().find(|finding| stops(finding, attribute.role)).map(
            |finding| LooksLikeIdentifier {
                column: attribute.name.clone(),
                role: attribute.role,
                kind: finding.kind.plural,
                share: words::percent(finding.share_fraction),
                sureness: finding.sureness,
            },
        ));
    }
    if found.is_empty() { Ok(()) } else { Err(LooksLikeIdentifiers(found)) }
}

fn sample_of(column: &Scanned, n_rows: u64) -> Sample<'_> {
    let values: Vec<(&str, u64)> =
        column.sample.iter().map(|(value, count)| (value.as_str(), *count)).collect();
    Sample {
        n_distinct: column.n_distinct,
        n_present: column.n_present,
        ..Sample::of_values(&column.column, n_rows, &values)
    }
}

/// What identifies never goes out; what is exact may be generalized, but not be published as it is.
fn stops(finding: &Finding, role: Role) -> bool {
    finding.sureness >= Sureness::Likely
        && match finding.kind.meaning {
            Meaning::Identifies => true,
            Meaning::Exact => matches!(role, Role::Insensitive),
            Meaning::KnownToOthers | Meaning::Weight | Meaning::Household => false,
        }
}

/// What the holder should know of the columns that are not counted.
pub(crate) fn warnings(policy: &PolicyFile, scanned: &Scan) -> Vec<String> {
    let role = |name: &str| policy.attribute(name).map(|attribute| attribute.role);
    let mut warnings = Vec::new();
    for column in &scanned.columns {
        let name = &column.column;
        match role(name) {
            Some(Role::Insensitive) if column.n_unique > 0 => warnings.push(format!(
                "the insensitive column '{name}' is published untouched, and its value alone singles out {}: is it a quasi-identifier?",
                words::rows(column.n_unique)
            )),
            // A value that many rows have says nothing about people: it is a group or a constant.
            Some(Role::Identifier) if column.most_rows > 1 && repeats(column) => warnings.push(format!(
                "the identifier '{name}' repeats: a value of it has up to {}. If it names people, classes are counted in rows and not in people, and \
                 k = 5 by rows may be as little as {} by people",
                words::rows(column.most_rows),
                5u64.div_ceil(column.most_rows)
            )),
            _ => {}
        }
    }
    if scanned.n_unique_together > 0 {
        let untouched = policy.names(Role::Insensitive);
        warnings.push(format!(
            "the insensitive columns {} are published untouched, and together they single out {} ({}): whoever knows them of a person \
             finds the row. Are some of them quasi-identifiers?",
            words::list_some(&untouched, 10),
            words::rows(scanned.n_unique_together),
            words::share(scanned.n_unique_together, scanned.n_rows)
        ));
    }
    warnings
}

/// Whether the values of a column, each for a few rows, can be those of people.
fn repeats(column: &Scanned) -> bool {
    column.n_distinct > 1 && column.n_present / column.n_distinct.max(1) <= MOST_ROWS_OF_A_PERSON
}

/// On the average; a value with more rows is a group.
const MOST_ROWS_OF_A_PERSON: u64 = 100;
