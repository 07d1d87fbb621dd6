//! Checks whether all versions of a growing table in a ledger satisfy their guarantees.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use indistinct_core::principle;
use indistinct_ledger::people::{self, PersonKey, Signature};
use indistinct_ledger::{Access, Ledger, Record, ReleaseId};
use serde::Serialize;

use super::problem::PeopleProblem;
use crate::error::Error;

/// One version of a growing table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct VersionCheck {
    /// The name of the release.
    pub name: String,
    /// The number of the version.
    pub version: Option<u32>,
    /// The number of rows in the smallest class; 0 if a sensitive value occurs twice in a class.
    /// `None` without classes.
    pub m: Option<u64>,
    /// The number of people recorded for the version.
    pub n_people: u64,
    /// The number of people who were in no earlier version.
    pub n_new: u64,
    /// The number of people whose set of sensitive values is the same as in all earlier versions.
    pub n_retained: u64,
    /// The number of people whose set of sensitive values changed.
    pub n_changed: u64,
    /// The number of people whose recorded set of sensitive values matches no class that has enough
    /// rows.
    pub n_without_class: u64,
}

impl VersionCheck {
    /// Returns whether the version satisfies all guarantees.
    pub fn holds(&self) -> bool {
        self.n_changed == 0 && self.n_without_class == 0 && self.m != Some(0)
    }
}

/// All versions of a growing table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct SeriesCheck {
    /// The name of the growing table.
    pub series: String,
    /// The smallest m over all versions; `None` if there are no classes.
    pub m: Option<u64>,
    /// The versions, in the order in which they were recorded.
    pub versions: Vec<VersionCheck>,
    /// Whether the sensitive values within each class are distinct in every version, and every
    /// person has the same set of sensitive values in all versions.
    pub holds: bool,
}

/// Compares all versions of a series in a ledger, using the recorded people and the histograms of
/// the releases.
///
/// # Errors
/// [`Error::Ledger`] or [`Error::People`] if the ledger cannot be read.
pub fn across_versions(ledger: &Path, series: &str) -> Result<SeriesCheck, Error> {
    of_ledger(&Ledger::open(ledger, Access::Read)?, series)
}

/// Compares all versions of a series in an open ledger.
pub(super) fn of_ledger(ledger: &Ledger, series: &str) -> Result<SeriesCheck, Error> {
    let mut of_release: BTreeMap<ReleaseId, Vec<(PersonKey, Signature)>> = BTreeMap::new();
    for (release, person, signature) in people::history(ledger.connection(), series)? {
        of_release.entry(release).or_default().push((person, signature));
    }
    let mut earlier: Vec<(PersonKey, Signature)> = Vec::new();
    let mut versions = Vec::new();
    let releases = ledger.releases()?;
    let is_version = |record: &&Record| record.series.as_deref() == Some(series);
    if !releases.iter().any(|record| is_version(&record)) {
        let mut known: Vec<String> = releases.iter().filter_map(|it| it.series.clone()).collect();
        known.sort_unstable();
        known.dedup();
        return Err(PeopleProblem::NoSeries { series: series.to_owned(), known }.into());
    }
    for record in releases.iter().filter(is_version) {
        let here = of_release.remove(&record.id).unwrap_or_default();
        versions.push(version(ledger, record, &earlier, &here)?);
        earlier.extend(here);
    }
    let m = versions.iter().filter_map(|version| version.m).min();
    let holds = versions.iter().all(VersionCheck::holds);
    Ok(SeriesCheck { series: series.to_owned(), m, versions, holds })
}

fn version(
    ledger: &Ledger,
    record: &Record,
    earlier: &[(PersonKey, Signature)],
    here: &[(PersonKey, Signature)],
) -> Result<VersionCheck, Error> {
    let retained = principle::across_versions(earlier.iter().cloned(), here.iter().cloned());
    let published = ledger.as_published(record.id)?;
    // The number of rows in classes, by the set of their sensitive values.
    let mut rows: BTreeMap<BTreeSet<&str>, u64> = BTreeMap::new();
    let mut m = None;
    let labels =
        published.sensitive.first().map(|column| column.labels.as_slice()).unwrap_or_default();
    for class in &published.classes {
        let Some(histogram) = class.sensitive.first() else { continue };
        let n_rows: u64 = histogram.iter().map(|entry| entry.1).sum();
        let is_unique = histogram.iter().all(|entry| entry.1 == 1);
        let of_class = if is_unique { n_rows } else { 0 };
        m = Some(m.map_or(of_class, |least: u64| least.min(of_class)));
        let values = histogram.iter().filter_map(|(label, _)| labels.get(*label as usize));
        *rows.entry(values.map(String::as_str).collect()).or_default() += n_rows;
    }
    let mut people: BTreeMap<BTreeSet<&str>, u64> = BTreeMap::new();
    for (_, signature) in here {
        *people.entry(signature.iter().map(String::as_str).collect()).or_default() += 1;
    }
    let without = people.iter().map(|(signature, n_people)| {
        n_people.saturating_sub(rows.get(signature).copied().unwrap_or(0))
    });
    Ok(VersionCheck {
        name: record.name.clone(),
        version: record.version,
        m,
        n_people: here.len() as u64,
        n_new: retained.n_new,
        n_retained: retained.n_retained,
        n_changed: retained.n_changed,
        n_without_class: without.sum(),
    })
}
