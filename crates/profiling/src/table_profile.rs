//! Profiles all columns of a table and rejects releases with columns that look like identifiers.
//!
//! Proposals and releases use the same profiles. If a proposal would declare a column an identifier
//! but the policy does not, the release is rejected.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::gate::{
    GateError, LooksLikeIdentifier, Publication, SinglesOut, is_singling_out, is_singling_out_most,
    stopping,
};
use crate::hipaa::Item;
use crate::proposal::{ColumnProposal, ProposedRole};
use crate::{ColumnProfile, Finding, Meaning, Sample, Sureness, examine, findings, numbers};
use indistinct_core::model::CountedColumn;
use indistinct_core::{FrequencyTable, MISSING, Observer, Role};
use indistinct_diagnostics::warning::{RepeatedIdentifier, Warning};
use indistinct_engine::{
    ColumnScan, EngineError, Input, InputState, Question, Scan, Unsupported, marginals, scan,
};
use indistinct_policy::PolicyFile;

use crate::policy_draft::SeveralRows;

/// Profiles every column with the given number of threads. If counts are cached, profiles are
/// cached too, because roles and hierarchies do not affect them.
///
/// # Errors
/// Returns [`EngineError`] if the table cannot be read or the observer cancels the operation.
pub fn profiles_of(
    input: &Input,
    unsupported: Unsupported,
    threads: usize,
    observer: &dyn Observer,
) -> Result<Arc<Vec<ColumnProfile>>, EngineError> {
    // Without unsupported columns, both treatments have the same result.
    input.cached_answer(CACHE_KEY.to_owned(), || {
        let all = profiles_with(input, unsupported, &|_, _| (), threads, observer)?;
        let all: Vec<ColumnProfile> = all.into_iter().map(|(profile, ())| profile).collect();
        let n_bytes = all.len() * PROFILE_BYTES;
        Ok((all, n_bytes))
    })
}

/// Caches the profiles of all columns, which were computed for a known state of the input.
pub fn cache_profiles(input: &Input, was: Option<InputState>, all: Vec<ColumnProfile>) {
    let n_bytes = all.len() * PROFILE_BYTES;
    input.keep_answer(was, CACHE_KEY.to_owned(), Arc::new(all), n_bytes);
}

/// The cache key of the profiles.
const CACHE_KEY: &str = "looks";

/// The approximate size of a column profile in bytes. A profile contains no values except for a few
/// look-alikes and markers of missing values.
pub const PROFILE_BYTES: usize = 4096;

/// A function that receives a column profile and the values of the column with their row counts.
pub type ProfileUse<'a, T> = &'a dyn Fn(&ColumnProfile, &[(&str, u64)]) -> T;

/// Profiles every column and applies `also` to each profile and its non-missing values.
///
/// # Errors
/// Returns the same errors as [`profiles_of`].
pub fn profiles_with<T>(
    input: &Input,
    unsupported: Unsupported,
    also: ProfileUse<'_, T>,
    threads: usize,
    observer: &dyn Observer,
) -> Result<Vec<(ColumnProfile, T)>, EngineError> {
    let skipped = match unsupported {
        Unsupported::Rejected => Vec::new(),
        Unsupported::Skipped => input.unsupported_columns(),
    };
    let names = input.columns().iter().map(|column| column.name.clone());
    let names: Vec<String> =
        names.filter(|name| skipped.iter().all(|(skipped, _)| skipped != name)).collect();
    let mut found = Vec::with_capacity(names.len());
    marginals(input, &names, threads, observer, &mut |table| {
        let column = &table.quasi_identifiers()[0];
        let present = present(&table, column);
        let profile = examine(&column.name, table.n_rows(), &present);
        let more = also(&profile, &present);
        found.push((profile, more));
    })?;
    Ok(found)
}

/// Returns the non-missing values with their row counts.
fn present<'a>(table: &FrequencyTable, column: &'a CountedColumn) -> Vec<(&'a str, u64)> {
    let values = table.occurring(column).into_iter();
    let values = values.map(|(code, rows)| (column.dictionary.value(code), rows));
    values.filter(|(value, _)| *value != MISSING).collect()
}

/// Scans the columns that are not counted, which are identifiers and insensitive columns.
/// Insensitive columns are published unchanged.
///
/// # Errors
/// Returns [`EngineError`] if the table cannot be read.
pub fn scan_uncounted(
    input: &Input,
    policy: &PolicyFile,
    observer: &dyn Observer,
) -> Result<Scan, EngineError> {
    let (names, insensitive) = uncounted(input, policy);
    scan(input, &names, &insensitive, observer)
}

/// Returns the request that [`scan_uncounted`] sends to a table that is not stored in files.
pub fn question(input: &Input, policy: &PolicyFile) -> Option<Question> {
    let (columns, together) = uncounted(input, policy);
    (!columns.is_empty()).then_some(Question::Scan { columns, together })
}

/// Returns the columns that are not counted, and the subset of these columns that is
/// published unchanged.
fn uncounted(input: &Input, policy: &PolicyFile) -> (Vec<String>, Vec<String>) {
    let insensitive = policy.names(Role::Insensitive);
    let mut columns: BTreeSet<&String> =
        input.columns().iter().map(|column| &column.name).collect();
    // Identifiers are not released, so their type does not matter.
    let unsupported = input.unsupported_columns();
    unsupported.iter().for_each(|(name, _)| {
        columns.remove(name);
    });
    let has = |name: &String| columns.contains(name);
    let identifiers = policy.names(Role::Identifier).into_iter().filter(has);
    (insensitive.iter().cloned().chain(identifiers).collect(), insensitive)
}

/// Rejects a column that looks like an identifier and columns whose values single out many rows,
/// unless the policy states a reason.
///
/// Counted columns are examined by their dictionaries and other columns by the scan, with at most
/// 1,000 distinct values for each column.
///
/// # Errors
/// Returns [`GateError`] with all such columns.
pub fn gate(policy: &PolicyFile, table: &FrequencyTable, scanned: &Scan) -> Result<(), GateError> {
    let (mut identifiers, mut unique) = (Vec::new(), Vec::new());
    let uncounted: BTreeMap<&str, &ColumnScan> =
        scanned.columns.iter().map(|column| (column.column.as_str(), column)).collect();
    let n_rows = table.n_rows();
    for attribute in policy.attributes.iter().filter(|it| it.role != Role::Identifier) {
        let of_table = table.columns().find(|column| column.name == attribute.name);
        let of_scan = uncounted.get(attribute.name.as_str()).copied();
        let values;
        let (sample, n_unique) = match (of_table, of_scan) {
            (Some(column), _) => {
                values = present(table, column);
                let n_unique = values.iter().filter(|(_, n)| *n == 1).count() as u64;
                (Sample::of_values(&column.name, n_rows, &values), n_unique)
            }
            (None, Some(column)) => (sample_of(column, scanned.n_rows), column.n_unique),
            (None, None) => continue,
        };
        let published = match attribute.role {
            Role::Insensitive => Publication::Untouched,
            Role::Sensitive => Publication::Protected,
            Role::Identifier | Role::QuasiIdentifier => Publication::Generalized,
        };
        let is_accepted = attribute.looks_like_identifier_reason.is_some();
        let n_stopped = identifiers.len();
        if !is_accepted {
            let found = findings(&sample);
            let stopped = stopping(&found, published);
            identifiers.extend(stopped.map(|finding| LooksLikeIdentifier {
                column: attribute.name.clone(),
                role: attribute.role.name(),
                kind: finding.what(),
                share_fraction: finding.share_fraction,
                sureness: finding.sureness,
            }));
        }
        // A finding about unique texts, or the reason to accept it, already covers unique values.
        let is_covered = is_accepted || identifiers.len() > n_stopped;
        let is_unique = match published {
            Publication::Generalized => false,
            _ if attribute.coarsen.is_some() || is_numeric(&sample) => {
                is_singling_out(n_unique, n_rows)
            }
            Publication::Untouched => !is_covered && is_singling_out(n_unique, n_rows),
            Publication::Protected => !is_covered && is_singling_out_most(n_unique, n_rows),
        };
        if is_unique && attribute.unique_values_reason.is_none() {
            let (column, role) = (attribute.name.clone(), attribute.role.name());
            unique.push(SinglesOut::Column { column, role, n_unique, n_rows });
        }
    }
    let n_unique = scanned.n_unique_together;
    if is_singling_out(n_unique, n_rows) && policy.release.insensitive_reason.is_none() {
        let columns = policy.names(Role::Insensitive);
        unique.push(SinglesOut::Together { columns, n_unique, n_rows });
    }
    GateError::check(identifiers, unique)
}

/// Returns whether nearly all values of a column are numbers.
fn is_numeric(sample: &Sample<'_>) -> bool {
    let n_numbers = sample.cells().filter(|cell| numbers::read(cell.text).is_some()).count();
    sample.share(n_numbers) >= NEARLY_ALL
}

/// The fraction of numbers above which a column counts as numeric.
const NEARLY_ALL: f64 = 0.9;

fn sample_of(column: &ColumnScan, n_rows: u64) -> Sample<'_> {
    let values: Vec<(&str, u64)> =
        column.sample.iter().map(|(value, count)| (value.as_str(), *count)).collect();
    Sample {
        n_distinct: column.n_distinct,
        n_present: column.n_present,
        ..Sample::of_values(&column.column, n_rows, &values)
    }
}

/// Returns the role of each attribute. The result is a map, because a table may have thousands of
/// columns.
fn roles(policy: &PolicyFile) -> BTreeMap<&str, Role> {
    policy.attributes.iter().map(|attribute| (attribute.name.as_str(), attribute.role)).collect()
}

/// Returns warnings for the data holder about the columns that are not counted.
pub fn warnings(policy: &PolicyFile, scanned: &Scan) -> Vec<Warning> {
    let roles = roles(policy);
    let unique = scanned.columns.iter().filter(|column| {
        roles.get(column.column.as_str()) == Some(&Role::Insensitive) && column.n_unique > 0
    });
    let alone = unique.map(|column| Warning::UniqueValues {
        column: column.column.clone(),
        n_rows: column.n_unique,
    });
    let together = (scanned.n_unique_together > 0).then(|| Warning::UniqueCombinations {
        columns: policy.names(Role::Insensitive),
        n_unique: scanned.n_unique_together,
        n_rows: scanned.n_rows,
    });
    alone.chain(together).collect()
}

/// Returns the identifiers with repeated values, unless the policy declares which rows belong to
/// a person.
pub fn repeated(policy: &PolicyFile, scanned: &Scan) -> Vec<RepeatedIdentifier> {
    if policy.people.is_some() {
        return Vec::new();
    }
    let roles = roles(policy);
    let is_identifier =
        |column: &&ColumnScan| roles.get(column.column.as_str()) == Some(&Role::Identifier);
    let repeated = scanned
        .columns
        .iter()
        .filter(is_identifier)
        .filter(|column| is_repeated(column, scanned.n_rows));
    repeated
        .map(|column| RepeatedIdentifier {
            column: column.column.clone(),
            most_rows: column.most_rows,
            fewest_in_class: None,
        })
        .collect()
}

/// Returns whether an identifier may show that people have several rows. Every repetition of a
/// record number does. Other columns may be omitted for another reason, such as a measurement or an
/// amount of money.
fn is_repeated(column: &ColumnScan, n_rows: u64) -> bool {
    let sample = sample_of(column, n_rows);
    let is_of_a_person = findings(&sample).iter().any(|finding| {
        finding.sureness >= Sureness::Likely && !finding.is_within && is_record_number(finding)
    });
    let mean_rows = column.n_present as f64 / column.n_distinct.max(1) as f64;
    match is_of_a_person {
        true => column.most_rows > 1,
        false => {
            repeats(column.n_distinct, column.n_present)
                && !are_amounts(&sample)
                && column.most_rows as f64 <= MOST_ROWS_TO_MEAN * mean_rows
        }
    }
}

/// Returns whether a column contains numbers that are not codes: neither the name of the column nor
/// a fixed number of digits indicates that the numbers were assigned to people or households.
fn are_amounts(sample: &Sample<'_>) -> bool {
    let lists = ["record-number", "household", "account", "license"];
    let is_named = lists.iter().any(|list| sample.is_named(crate::words::named(list)));
    let n_digits = sample.cells().next().map_or(0, |cell| cell.n_digits);
    let are_codes = n_digits >= LEAST_DIGITS
        && sample.cells().all(|cell| cell.is_digits() && cell.n_digits == n_digits);
    is_numeric(sample) && !is_named && !are_codes
}

/// The minimum number of digits of codes that are recognized without the name of the column.
const LEAST_DIGITS: usize = 5;

/// Returns whether a column contains record numbers, and at least 2% of them are repeated, which
/// shows that some people have several rows.
fn is_repeated_record_number(profile: &ColumnProfile) -> bool {
    let (n_distinct, n_present) = (profile.n_distinct, profile.n_present());
    let is_repeated = n_distinct * 50 <= n_present * 49 && n_present <= n_distinct * 100;
    let found = profile.finding(&[Meaning::Identifies], Sureness::Likely);
    is_repeated && found.is_some_and(is_record_number)
}

/// Returns whether a finding is a number that was assigned to a person, a case, or a customer.
fn is_record_number(finding: &Finding) -> bool {
    finding.kind.hipaa == Some(Item::MedicalRecord)
}

/// The maximum ratio of the rows of the most frequent value to the mean, if the values identify
/// people.
const MOST_ROWS_TO_MEAN: f64 = 20.0;

/// Returns whether a column can identify people with several rows, because each value has a few
/// rows. The average is higher than for names shared by two people, and lower than for groups.
pub fn repeats(n_distinct: u64, n_present: u64) -> bool {
    let rows_each = n_present as f64 / n_distinct.max(1) as f64;
    n_distinct > 1 && (SEVERAL_ROWS..=MOST_ROWS_OF_A_PERSON).contains(&rows_each)
}

/// If values occur in at least this number of rows on average, people probably have several rows.
const SEVERAL_ROWS: f64 = 1.5;
/// The maximum average number of rows for each value that identifies a person. Values with more
/// rows identify groups.
const MOST_ROWS_OF_A_PERSON: f64 = 100.0;

/// Returns the column of survey weights, if the proposal contains exactly one.
pub fn survey_weights(columns: &[&ColumnProfile]) -> Option<String> {
    let mut weights = columns.iter().filter(|profile| {
        profile.finding(&[Meaning::Weight], Sureness::Likely).is_some() && profile.n_missing == 0
    });
    let only = weights.next().filter(|_| weights.next().is_none())?;
    Some(only.name.clone())
}

/// Returns the identifier whose values repeat in a way that indicates people with several rows. If
/// there are several such identifiers, returns the one that distinguishes the most people. Names
/// and addresses are excluded because they do not identify a person reliably. Columns with missing
/// values are also excluded.
pub fn several_rows(
    columns: &[&ColumnProfile],
    proposed: &[ColumnProposal],
) -> Option<SeveralRows> {
    let of_meaning = |meaning: Meaning| {
        let repeating = columns.iter().zip(proposed).filter(move |(profile, proposal)| {
            // A household number is also recognized as a record number, but does not identify a
            // single person.
            let is_other = meaning != Meaning::Household
                && profile.finding(&[Meaning::Household], Sureness::Likely).is_some();
            let is_distinguishing =
                profile.finding(&[meaning], Sureness::Likely).is_some_and(|finding| {
                    let item = finding.kind.hipaa;
                    // Although such a value contains an identifier, the value itself is not an
                    // identifier.
                    meaning == Meaning::Household
                        || !finding.is_within
                            && !matches!(item, None | Some(Item::Name | Item::Geography))
                });
            proposal.role == ProposedRole::Identifier
                && is_distinguishing
                && !is_other
                && profile.n_missing == 0
                && (repeats(profile.n_distinct, profile.n_present())
                    || is_repeated_record_number(profile))
        });
        repeating
            .max_by_key(|(profile, _)| profile.n_distinct)
            .map(|(profile, _)| profile.name.clone())
    };
    of_meaning(Meaning::Identifies)
        .map(SeveralRows::OfPerson)
        .or_else(|| of_meaning(Meaning::Household).map(SeveralRows::OfHousehold))
}
