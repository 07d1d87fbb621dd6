//! The data types for a growing table, the people of its rows, and a new version.

use std::collections::BTreeMap;

use indistinct_core::FrequencyTable;
use indistinct_core::model::{Meaning, decimal};
use indistinct_ledger::Ledger;
use indistinct_ledger::people::{self, PeopleKey, PersonKey, Signature};
use indistinct_search::invariant::{FoundClass, Person};

use super::answer::Invariance;
use crate::bound::BoundPolicy;
use crate::error::Error;

/// The recorded state of a growing table.
#[derive(Debug)]
pub(crate) struct Series {
    pub(super) name: String,
    pub(super) key: PeopleKey,
    /// The most recent signature of each person.
    pub(super) newest: BTreeMap<PersonKey, Signature>,
    /// The number of the new version.
    version: u32,
}

impl Series {
    /// Reads the state of the series that the policy names from the ledger.
    pub(super) fn open(bound: &BoundPolicy, ledger: &Ledger) -> Result<Self, Error> {
        let linkage = &bound.file.linkage;
        let name = linkage.series.clone().unwrap_or_default();
        let key = PeopleKey::read(&bound.path(linkage.key_file.as_deref().unwrap_or_default()))?;
        let newest = people::signatures(ledger.connection(), &name, &key)?;
        let of_series = ledger.releases()?;
        let of_series = of_series.iter().filter(|it| it.series.as_deref() == Some(&name));
        let last = of_series.filter_map(|release| release.version).max();
        Ok(Self { name, key, newest, version: last.map_or(1, |last| last + 1) })
    }

    /// Returns the key of the person with an identifier. Spelling variants have the same key,
    /// except for a spelling that is recorded as such, because earlier versions of Indistinct did
    /// not unify spelling variants.
    pub(super) fn person(&self, identifier: &str) -> PersonKey {
        let as_spelled = self.key.person(&self.name, identifier.trim());
        if self.newest.contains_key(&as_spelled) {
            return as_spelled;
        }
        let text = match Meaning::new(identifier) {
            Meaning::Number(number) => decimal(&number),
            Meaning::Text(text) => Some(text),
        };
        text.map_or(as_spelled, |text| self.key.person(&self.name, &text))
    }

    pub(crate) fn version(&self) -> u32 {
        self.version
    }
}

/// The people of a version.
#[derive(Debug)]
pub(crate) struct Members {
    pub(crate) series: Series,
    /// The person of each input row.
    pub(crate) keys: Vec<PersonKey>,
    /// The people, with their tuples and earlier signatures.
    pub(crate) people: Vec<Person>,
}

impl Members {
    /// Returns the number of people who were in no earlier version.
    pub(crate) fn n_new(&self) -> u64 {
        self.people.iter().filter(|person| person.signature.is_none()).count() as u64
    }

    /// Counts the new people and the retained people whose rows belong to a class.
    pub(crate) fn invariance(&self, class_of: &[Option<u32>], n_counterfeits: u64) -> Invariance {
        let released = self.people.iter().zip(class_of).filter(|(_, class)| class.is_some());
        let (retained, new): (Vec<_>, Vec<_>) = released.partition(|it| it.0.signature.is_some());
        let (n_new, n_retained) = (new.len() as u64, retained.len() as u64);
        Invariance { version: self.series.version, n_new, n_retained, n_counterfeits }
    }
}

/// A version that the search found.
#[derive(Debug)]
pub(crate) struct NewVersion {
    pub(crate) invariance: Invariance,
    /// The class of each input row; `None` for suppressed rows.
    pub(super) class_of: Vec<Option<u32>>,
    pub(super) classes: Vec<FoundClass>,
}

/// A version that the search found, with the table to which its recoding applies.
#[derive(Debug)]
pub(crate) struct Version {
    pub(crate) new_version: NewVersion,
    pub(crate) table: FrequencyTable,
}
