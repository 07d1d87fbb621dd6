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
    "{} {} like direct identifiers, and the policy says otherwise: {}",
    words::counted(self.0.len() as u64, "column", "columns"),
    words::either(self.0.len() as u64, "looks", "look"),
    self.0.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
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
    let of_role = |wanted: Role| {
        scanned.columns.iter().filter(move |column| role(&column.column) == Some(wanted))
    };
    let mut warnings: Vec<String> = of_role(Role::Insensitive)
        .filter(|column| column.n_unique > 0)
        .map(|column| {
            format!(
                "the insensitive column '{}' is published untouched, and its value alone singles out {}: is it a quasi-identifier?",
                column.column,
                words::rows(column.n_unique)
            )
        })
        .collect();
    let repeated: Vec<&Scanned> =
        of_role(Role::Identifier).filter(|column| repeats(column)).collect();
    if let Some(most_rows) = repeated.iter().map(|column| column.most_rows).max() {
        let names: Vec<String> =
            repeated.iter().map(|column| format!("'{}'", column.column)).collect();
        let n = names.len() as u64;
        warnings.push(format!(
            "{} {} {}: up to {} have one value. If {} people, principles count rows of people and not people: a class of {} may be one \
             person, so that k by people may be as low as k divided by {most_rows}, rounded up",
            words::either(n, "the identifier", "the identifiers"),
            words::list(&names),
            words::either(n, "repeats", "repeat"),
            words::rows(most_rows),
            words::either(n, "it names", "they name"),
            words::rows(most_rows),
        ));
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

/// Whether the values of a column, each for a few rows, can be those of people with several rows; a name that two people share is no such
/// value, and a value with very many rows is a group.
fn repeats(column: &Scanned) -> bool {
    let rows_each = column.n_present as f64 / column.n_distinct.max(1) as f64;
    column.n_distinct > 1 && (SEVERAL_ROWS..=MOST_ROWS_OF_A_PERSON).contains(&rows_each)
}

/// Rows of a value on the average, from which on people have several.
const SEVERAL_ROWS: f64 = 1.5;
/// The same for a group.
const MOST_ROWS_OF_A_PERSON: f64 = 100.0;
