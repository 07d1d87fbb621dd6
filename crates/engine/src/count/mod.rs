//! Counts the distinct combinations of values (pass 1).

mod cache;
mod dictionary;
mod elsewhere;
mod encode;
mod lookup;
mod marginals;
mod pass;
mod rows_digest;
mod scan;
mod sources;
mod tuples;
mod unique;
mod words;

use arrow_schema::DataType;
use indistinct_core::{FrequencyTable, MISSING, Observer};

pub use lookup::Lookup;
pub use marginals::marginals;
pub(crate) use rows_digest::digest_of_rows;
pub use rows_digest::rows_digest;
pub use scan::scan;
pub use unique::unique_rows;

use self::pass::{CountedGroup, Together};
use crate::input::text::NOT_FINITE;
use crate::{EngineError, Fingerprint, Input};

/// Columns and rules for counting a table.
#[derive(Debug, Clone, Default)]
pub struct CountRequest {
    /// Quasi-identifiers, in the order of the policy.
    pub quasi_identifiers: Vec<String>,
    /// Sensitive attributes, in the order of the policy.
    pub sensitive: Vec<String>,
    /// Rules for missing values, by column. By default, a missing value is a separate value.
    pub missing: Vec<(String, MissingRule)>,
    /// Sensitive attributes whose strings are unified if readers consider them equal.
    pub alike: Vec<String>,
}

/// Interpretation of missing values.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum MissingRule {
    /// A missing value is a separate value.
    #[default]
    OwnValue,
    /// A missing value is an error.
    Error,
}

/// Result of pass 1.
#[derive(Debug, Clone)]
pub struct CountedRows {
    /// Distinct combinations of values with their counts.
    pub table: FrequencyTable,
    /// Fingerprint of the counted input.
    pub fingerprint: Fingerprint,
    /// Types of the counted columns, quasi-identifiers first.
    pub types: Vec<DataType>,
    /// Sensitive attributes in which several spellings of a value were unified, because an
    /// adversary considers values such as `5` and `5.0` equal.
    pub unified: Vec<UnifiedValue>,
}

/// Kinds of values with several spellings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Spellings {
    /// Numbers such as `5` and `5.0`.
    OfNumbers,
    /// Strings that readers consider equal, such as `flu` and `Flu`.
    OfTexts,
}

/// A sensitive attribute in which several spellings of a value were unified.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnifiedValue {
    /// Name of the sensitive attribute.
    pub column: String,
    /// Kind of the unified values.
    pub spellings: Spellings,
    /// Number of distinct values that unification removed.
    pub n_values: usize,
}

pub(crate) fn count(
    input: &Input,
    request: &CountRequest,
    threads: usize,
    observer: &dyn Observer,
) -> Result<CountedRows, EngineError> {
    let names: Vec<String> =
        request.quasi_identifiers.iter().chain(&request.sensitive).cloned().collect();
    let indices = countable(input, &names)?;
    check_n_columns(names.len())?;
    for (column, _) in &request.missing {
        if !names.contains(column) {
            return Err(EngineError::UnknownColumn { column: column.clone(), nearest: None });
        }
    }
    let types: Vec<DataType> =
        indices.iter().map(|index| input.columns()[*index].data_type.clone()).collect();
    if let Some(elsewhere) = input.table() {
        let (table, fingerprint, unified) = elsewhere::count(elsewhere, &names, request, observer)?;
        if fingerprint.n_rows == 0 {
            return Err(EngineError::NoRows { path: input.files()[0].clone() });
        }
        check_values(&table, &types, request)?;
        return Ok(CountedRows { table, fingerprint, types, unified });
    }
    let count = || {
        let pass = pass::Pass::new(input, indices, Together::All, observer);
        let fingerprint = sources::run(&pass, threads)?;
        if fingerprint.n_rows == 0 {
            return Err(EngineError::NoRows { path: input.files()[0].clone() });
        }
        let CountedGroup { mut columns, counts } = pass.finish(threads)?.remove(0);
        let mut sensitive = columns.split_off(request.quasi_identifiers.len());
        let unified = pass::unify(&mut sensitive, &request.alike);
        let table = FrequencyTable::new(columns, sensitive, counts)
            .expect("every tuple has a code in each dictionary");
        Ok(CountedRows { table, fingerprint, types: types.clone(), unified })
    };
    let counted = cache::counted(input, request, observer, count)?;
    check_values(&counted.table, &types, request)?;
    Ok(counted)
}

/// Checks the number of columns that are to be counted together, before the table is read.
///
/// # Errors
/// Returns [`EngineError::TooManyColumns`] if the number exceeds the limit.
pub fn check_n_columns(got: usize) -> Result<(), EngineError> {
    let limit = tuples::MAX_COLUMNS;
    if got > limit { Err(EngineError::TooManyColumns { got, limit }) } else { Ok(()) }
}

/// Returns the positions of columns and checks that their values can be counted.
fn countable(input: &Input, names: &[String]) -> Result<Vec<usize>, EngineError> {
    let indices = input.positions(names)?;
    let mut columns = input.unsupported_columns();
    columns.retain(|(column, _)| names.contains(column));
    match columns.is_empty() {
        true => Ok(indices),
        false => Err(EngineError::UnsupportedType { columns }),
    }
}

/// Rejects missing values if the request forbids them, and floating-point values that are not
/// finite.
fn check_values(
    table: &FrequencyTable,
    types: &[DataType],
    request: &CountRequest,
) -> Result<(), EngineError> {
    for (column, data_type) in table.columns().zip(types) {
        let rows_with = |texts: &[&str]| -> u64 {
            let values = column.dictionary.values();
            let bad: Vec<bool> =
                values.iter().map(|value| texts.contains(&value.as_str())).collect();
            if !bad.contains(&true) {
                return 0;
            }
            let rows = column.codes.iter().zip(table.counts());
            rows.filter(|(code, _)| bad[**code as usize]).map(|(_, count)| count).sum()
        };
        if is_float(data_type) {
            let n_rows = rows_with(&NOT_FINITE);
            if n_rows > 0 {
                return Err(EngineError::NotFinite { column: column.name.clone(), n_rows });
            }
        }
        let forbidden = request
            .missing
            .iter()
            .any(|(name, rule)| *name == column.name && *rule == MissingRule::Error);
        if forbidden {
            let n_rows = rows_with(&[MISSING]);
            if n_rows > 0 {
                return Err(EngineError::MissingValues { column: column.name.clone(), n_rows });
            }
        }
    }
    Ok(())
}

fn is_float(data_type: &DataType) -> bool {
    match data_type {
        DataType::Dictionary(_, values) => is_float(values),
        other => other.is_floating(),
    }
}
