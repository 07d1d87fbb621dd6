//! What a raw table holds and risks.

use std::collections::BTreeMap;

use indistinct_core::model::{Dictionary, Order, parse_decimal, to_f64};
use indistinct_core::risk::Risk;
use indistinct_core::{FrequencyTable, MISSING, Observer, Role, check_rows};
use indistinct_engine::{CountRequest, Engine, Input, InputSpec};
use serde::Serialize;

use crate::error::Error;
use crate::job::{Job, count_column, engine};
use crate::policy::{self, ColumnProfile, PolicyFile};

/// The answer of `profile`.
#[derive(Debug, Clone, Serialize)]
pub struct ProfileAnswer {
    /// Rows of the table.
    pub n_rows: u64,
    /// The columns, in the order of the table.
    pub columns: Vec<ColumnFacts>,
    /// Whether the roles come from names and shapes, not from a policy.
    pub roles_are_proposed: bool,
    /// The columns by which classes are formed.
    pub quasi_identifiers: Vec<String>,
    /// Number of different combinations of their values.
    pub n_classes: u64,
    /// Rows of the rarest combination; `None` for an empty table.
    pub smallest_class: Option<u64>,
    /// For each size the number of combinations that have it.
    pub class_sizes: BTreeMap<u64, u64>,
    /// Re-identification risk by these combinations.
    pub risk: Risk,
}

/// What a column holds.
#[derive(Debug, Clone, Serialize)]
pub struct ColumnFacts {
    /// Its name.
    pub name: String,
    /// Its role.
    pub role: Role,
    /// Number of distinct values, a missing one included.
    pub n_distinct: u64,
    /// Number of values that occur once.
    pub n_unique: u64,
    /// Number of rows without a value.
    pub n_missing: u64,
}

/// Profiles the table of a policy.
///
/// # Errors
/// [`Error`] if the table cannot be read.
pub fn of_policy(job: &Job, observer: &dyn Observer) -> Result<ProfileAnswer, Error> {
    profile(&job.bound().input, job.policy(), RolesFrom::Policy, observer)
}

/// Profiles a table without a policy; roles are proposed from names and shapes.
///
/// # Errors
/// [`Error`] if the table cannot be read.
pub fn of_data(spec: &InputSpec, observer: &dyn Observer) -> Result<ProfileAnswer, Error> {
    of_data_in(&engine(), spec, observer)
}

/// The same with another engine than the embedded one.
///
/// # Errors
/// As [`of_data`].
pub fn of_data_in(
    engine: &dyn Engine,
    spec: &InputSpec,
    observer: &dyn Observer,
) -> Result<ProfileAnswer, Error> {
    let input = engine.open(spec)?;
    let proposal = policy::propose(
        &policy::InputSettings { path: "data".to_owned(), ..policy::InputSettings::default() },
        &column_profiles(&input, observer)?,
    );
    let policy = PolicyFile::parse(&proposal, "the proposed policy")?;
    profile(&input, &policy, RolesFrom::Proposal, observer)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum RolesFrom {
    Policy,
    Proposal,
}

fn profile(
    input: &Input,
    policy: &PolicyFile,
    roles: RolesFrom,
    observer: &dyn Observer,
) -> Result<ProfileAnswer, Error> {
    let mut columns = Vec::new();
    for attribute in &policy.attributes {
        let table = count_column(input, &attribute.name, observer)?;
        columns.push(ColumnFacts {
            name: attribute.name.clone(),
            role: attribute.role,
            n_distinct: table.n_tuples() as u64,
            n_unique: table.counts().iter().filter(|count| **count == 1).count() as u64,
            n_missing: n_missing(&table),
        });
    }
    let order = |name: &str| input.columns().iter().position(|column| column.name == name);
    columns.sort_by_key(|column| order(&column.name));
    let quasi_identifiers: Vec<String> = columns
        .iter()
        .filter(|column| column.role == Role::QuasiIdentifier)
        .map(|column| column.name.clone())
        .collect();
    let request =
        CountRequest { quasi_identifiers: quasi_identifiers.clone(), ..CountRequest::default() };
    let claims = check_rows(&engine().count(input, &request, observer)?.table, &[]).claims;
    Ok(ProfileAnswer {
        n_rows: claims.n_released,
        columns,
        roles_are_proposed: roles == RolesFrom::Proposal,
        quasi_identifiers,
        n_classes: claims.n_classes,
        smallest_class: claims.smallest_class,
        class_sizes: claims.class_sizes,
        risk: claims.risk,
    })
}

/// The number of rows without a value in a table of one column: a missing value has code 0.
fn n_missing(table: &FrequencyTable) -> u64 {
    let column = &table.quasi_identifiers()[0];
    match column.dictionary.values().first() {
        Some(value) if value == MISSING => table.counts()[0],
        _ => 0,
    }
}

/// The shape of each column, without any of its values.
pub(crate) fn column_profiles(
    input: &Input,
    observer: &dyn Observer,
) -> Result<Vec<ColumnProfile>, Error> {
    input
        .columns()
        .iter()
        .map(|column| {
            let table = count_column(input, &column.name, observer)?;
            let dictionary = &table.quasi_identifiers()[0].dictionary;
            Ok(shape(&column.name, dictionary, &table))
        })
        .collect()
}

fn shape(name: &str, dictionary: &Dictionary, table: &FrequencyTable) -> ColumnProfile {
    let present: Vec<&str> =
        dictionary.values().iter().map(String::as_str).filter(|value| *value != MISSING).collect();
    let numeric = match (dictionary.order(), present.first(), present.last()) {
        (Order::Numeric, Some(first), Some(last)) => {
            let number = |text: &str| parse_decimal(text).map_or(f64::NAN, |value| to_f64(&value));
            let is_integer = present
                .iter()
                .all(|text| parse_decimal(text).is_ok_and(|value| value.is_integer()));
            Some((number(first), number(last), is_integer))
        }
        _ => None,
    };
    let digits = |text: &str| text.len() >= 3 && text.bytes().all(|byte| byte.is_ascii_digit());
    let length = present.first().map_or(0, |text| text.len());
    ColumnProfile {
        name: name.to_owned(),
        n_rows: table.n_rows(),
        n_distinct: table.n_tuples() as u64,
        n_missing: n_missing(table),
        numeric,
        dates: !present.is_empty() && present.iter().all(|text| is_date(text)),
        same_length_codes: !present.is_empty()
            && present.iter().all(|text| text.len() == length && digits(text)),
    }
}

/// `YYYY-MM-DD`, also with a time of day.
fn is_date(text: &str) -> bool {
    let bytes = text.as_bytes();
    bytes.len() >= 10
        && bytes[..10].iter().enumerate().all(|(at, byte)| match at {
            4 | 7 => *byte == b'-',
            _ => byte.is_ascii_digit(),
        })
        && matches!(bytes.get(10), None | Some(b'T' | b' '))
}
