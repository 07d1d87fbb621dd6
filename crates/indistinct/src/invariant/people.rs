//! Who the rows of a version are about, and what is known of them from the versions before.

use indistinct_language::{codes, words};
use std::collections::{BTreeMap, BTreeSet};

use indistinct_core::{FrequencyTable, Observer};
use indistinct_engine::output::{CountedInput, each_row};
use indistinct_ledger::Ledger;
use indistinct_ledger::people::{self, PeopleKey, PersonKey, Signature};
use indistinct_search::invariant::{Person, with_sensitive_values};

use super::Invariance;
use crate::error::Error;
use crate::job::{Job, Prepared};

/// How many row numbers a message names.
const MOST_ROWS: usize = 5;

/// Why it is not known who a table is about.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PeopleProblem {
    /// No ledger is named.
    #[error(
        "the method 'invariant' keeps what earlier versions promised, and no ledger of them is named"
    )]
    NoLedger,
    /// Rows that are about nobody.
    #[error("column '{column}' names nobody in {}: {}", words::rows(*n_rows), rows(.first))]
    NobodyNamed {
        /// The column.
        column: String,
        /// How many rows.
        n_rows: u64,
        /// The numbers of the first of them, from 1.
        first: Vec<u64>,
    },
    /// People with several rows.
    #[error("{} with several rows by column '{column}': {}", words::people(*n_people), rows(.first))]
    SeveralRows {
        /// The column.
        column: String,
        /// How many people.
        n_people: u64,
        /// The numbers of the first repeated rows, from 1.
        first: Vec<u64>,
    },
    /// A growing table that the ledger does not know.
    #[error("the ledger has no version of '{series}'")]
    NoSeries {
        /// What was asked for.
        series: String,
        /// The growing tables that it has.
        known: Vec<String>,
    },
}

fn rows(numbers: &[u64]) -> String {
    let numbers: Vec<String> = numbers.iter().map(u64::to_string).collect();
    format!("{} {}", words::either(numbers.len() as u64, "row", "rows"), words::list(&numbers))
}

codes! {
    PeopleProblem {
        Self::NoLedger => "E-INVARIANT-201", "no ledger is named",
            "name it: --ledger FILE ('indistinct ledger init FILE --key KEYFILE' makes one)";
        Self::NobodyNamed { .. } => "E-INVARIANT-202", "rows that are about nobody",
            "every row must be about somebody: fill the column in, or leave these rows out";
        Self::SeveralRows { .. } => "E-INVARIANT-203", "people with several rows",
            "keep one row for each person; the guarantee is about people, not rows";
        Self::NoSeries { .. } => "E-INVARIANT-204", "a growing table that the ledger does not know",
            "'indistinct ledger list' names what it has";
    }
    help {
        Self::NoSeries { known, .. } if known.is_empty() => "it has no version of any growing table";
        Self::NoSeries { known, .. } => format!("there are: {}", known.join(", "));
    }
}

/// A growing table, as far as it is known.
#[derive(Debug)]
pub(crate) struct Series {
    name: String,
    key: PeopleKey,
    /// For each person the newest signature.
    newest: BTreeMap<PersonKey, Signature>,
    /// The number of the version that is made.
    version: u32,
}

impl Series {
    /// What the ledger knows of the series that the policy names.
    pub(crate) fn open(job: &Job, ledger: &Ledger) -> Result<Self, Error> {
        let name = job.policy().linkage.series.clone().unwrap_or_default();
        let key = PeopleKey::read(job.people_key())?;
        let newest = people::signatures(ledger.connection(), &name, &key)?;
        let of_series = ledger.releases()?;
        let of_series = of_series.iter().filter(|it| it.series.as_deref() == Some(&name));
        let last = of_series.filter_map(|release| release.version).max();
        Ok(Self { name, key, newest, version: last.map_or(1, |last| last + 1) })
    }

    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    pub(crate) fn key(&self) -> &PeopleKey {
        &self.key
    }

    pub(crate) fn version(&self) -> u32 {
        self.version
    }
}

/// The people of a version.
#[derive(Debug)]
pub(crate) struct People {
    pub(crate) version: u32,
    /// For each row of the input who it is about.
    pub(crate) keys: Vec<PersonKey>,
    /// The same, with her tuple and her earlier signature.
    pub(crate) people: Vec<Person>,
}

impl People {
    pub(crate) fn n_kept(&self) -> u64 {
        self.people.iter().filter(|person| person.signature.is_some()).count() as u64
    }

    /// What is new and what was there before.
    pub(crate) fn invariance(&self) -> Invariance {
        let n_kept = self.n_kept();
        let n_new = self.people.len() as u64 - n_kept;
        Invariance { version: self.version, n_new, n_kept, ..Invariance::default() }
    }
}

/// Reads who each row is about. The sensitive values of earlier signatures become values of the table's dictionary.
pub(crate) fn of_version(
    job: &Job,
    prepared: Prepared,
    series: &Series,
    observer: &dyn Observer,
) -> Result<Prepared, Error> {
    let column = job.policy().linkage.person.clone().unwrap_or_default();
    let counted = &prepared.counted;
    let rows = rows_of_people(job, &prepared, series, &column, observer)?;
    let known = rows.iter().filter_map(|(_, key)| series.newest.get(key)).flatten();
    let values: BTreeSet<&str> = known.map(String::as_str).collect();
    let table = with_sensitive_values(&counted.table, values);
    let tuple_of = renumbered(&counted.table, &table);
    let dictionary = table.sensitive()[0].dictionary.values();
    let code_of: BTreeMap<&str, u32> =
        dictionary.iter().zip(0..).map(|(text, code)| (text.as_str(), code)).collect();
    let codes = |signature: &Signature| {
        let mut codes: Vec<u32> = signature.iter().map(|text| code_of[text.as_str()]).collect();
        codes.sort_unstable();
        codes
    };
    let people = rows
        .iter()
        .map(|(tuple, key)| Person {
            tuple: tuple_of[*tuple as usize],
            signature: series.newest.get(key).map(codes),
        })
        .collect();
    let keys = rows.into_iter().map(|(_, key)| key).collect();
    let version = series.version;
    let prepared = job.with_table(prepared, table)?;
    Ok(Prepared { people: Some(People { version, keys, people }), ..prepared })
}

/// For each row its tuple and who it is about.
fn rows_of_people(
    job: &Job,
    prepared: &Prepared,
    series: &Series,
    column: &str,
    observer: &dyn Observer,
) -> Result<Vec<(u32, PersonKey)>, Error> {
    let counted = &prepared.counted;
    let source = CountedInput { input: job.input(), fingerprint: &counted.fingerprint };
    let mut rows: Vec<(u32, PersonKey)> = Vec::with_capacity(counted.table.n_rows() as usize);
    let mut nobody = Vec::new();
    each_row(&source, &counted.table, column, observer, |tuple, text| {
        let text = text.trim();
        if text.is_empty() {
            nobody.push(rows.len() as u64 + 1);
        }
        rows.push((tuple, series.key.person(&series.name, text)));
    })?;
    let first = |numbers: &[u64]| numbers.iter().copied().take(MOST_ROWS).collect();
    let column = || column.to_owned();
    if !nobody.is_empty() {
        let (n_rows, first) = (nobody.len() as u64, first(&nobody));
        return Err(PeopleProblem::NobodyNamed { column: column(), n_rows, first }.into());
    }
    let mut seen: BTreeMap<PersonKey, bool> = BTreeMap::new();
    let mut repeated = Vec::new();
    for ((_, key), number) in rows.iter().zip(1..) {
        if let Some(again) = seen.get_mut(key) {
            *again = true;
            repeated.push(number);
        } else {
            seen.insert(*key, false);
        }
    }
    match seen.values().filter(|again| **again).count() as u64 {
        0 => Ok(rows),
        n_people => {
            let first = first(&repeated);
            Err(PeopleProblem::SeveralRows { column: column(), n_people, first }.into())
        }
    }
}

/// For each tuple of a table that of the same table with further sensitive values.
fn renumbered(before: &FrequencyTable, after: &FrequencyTable) -> Vec<u32> {
    let (values, extended) = (&before.sensitive()[0].dictionary, &after.sensitive()[0].dictionary);
    let codes: BTreeMap<&str, u32> =
        extended.values().iter().zip(0..).map(|(text, code)| (text.as_str(), code)).collect();
    let value: Vec<u32> = values.values().iter().map(|text| codes[text.as_str()]).collect();
    let key = |table: &FrequencyTable, tuple: usize, value: u32| -> Vec<u32> {
        let known = table.quasi_identifiers().iter().map(|column| column.codes[tuple]);
        known.chain([value]).collect()
    };
    let places: BTreeMap<Vec<u32>, u32> = (0..after.n_tuples())
        .map(|tuple| (key(after, tuple, after.sensitive()[0].codes[tuple]), tuple as u32))
        .collect();
    (0..before.n_tuples())
        .map(|tuple| {
            let code = before.sensitive()[0].codes[tuple];
            places[&key(before, tuple, value[code as usize])]
        })
        .collect()
}
