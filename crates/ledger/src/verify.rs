//! Verification that a ledger is unchanged.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::error::LedgerError;
use crate::event::{self, What};
use crate::ledger::Ledger;
use crate::people::digest_of_people;
use crate::record::{ReleaseId, State};

/// A problem in a ledger.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[serde(tag = "what", rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Finding {
    /// The chain of events is broken, because an event was changed, added, or removed.
    ChainBroken {
        /// The number of the first event whose hash does not match the preceding event.
        event: i64,
    },
    /// The last events are missing.
    ChainCut,
    /// A record differs from its recorded digest.
    RecordChanged {
        /// The name of the release.
        name: String,
    },
    /// The published view of a release cannot be read.
    Unreadable {
        /// The name of the release.
        name: String,
    },
    /// A release is recorded without an event.
    RecordAdded {
        /// The name of the release.
        name: String,
    },
    /// A release was removed without an event.
    RecordMissing {
        /// The name of the release.
        name: String,
    },
    /// The state of a release contradicts the events.
    StateChanged {
        /// The name of the release.
        name: String,
    },
    /// The entries about the people in a release differ from their recorded digest.
    PeopleChanged {
        /// The name of the release.
        name: String,
    },
    /// People are recorded for a missing release.
    PeopleWithoutRelease {
        /// The number of people.
        n_people: u64,
    },
}

/// The result of verifying a ledger.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct Audit {
    /// The number of releases.
    pub n_releases: u64,
    /// The number of events.
    pub n_events: u64,
    /// The last hash of the chain.
    pub head: String,
    /// The problems that were found.
    pub findings: Vec<Finding>,
}

impl Ledger {
    /// Checks that the pages and the chain of events are consistent and that records match events.
    ///
    /// Because a user with write access to the file can replace the entire chain, verification
    /// detects accidents and careless changes, but not forgery. To detect forgery, store
    /// [`Audit::head`] outside the ledger.
    ///
    /// # Errors
    /// [`LedgerError::Corrupted`] if the file cannot be read at all.
    pub fn verify(&self) -> Result<Audit, LedgerError> {
        self.check_pages("integrity_check")?;
        let (releases, events) = (self.releases()?, self.events()?);
        let mut findings = Vec::new();
        let mut before = event::start();
        let mut expected: BTreeMap<ReleaseId, (State, &str, &str)> = BTreeMap::new();
        let mut people: BTreeMap<ReleaseId, &str> = BTreeMap::new();
        for (at, event) in events.iter().enumerate() {
            let fits = event.seq == at as i64 + 1 && event.hash == event.chained(&before);
            if !fits && findings.is_empty() {
                findings.push(Finding::ChainBroken { event: event.seq });
            }
            before.clone_from(&event.hash);
            let now = |state| (state, event.name.as_str(), event.record_sha256.as_str());
            match event.what {
                Some(What::Pending) => expected.insert(event.release, now(State::Pending)),
                Some(What::Published) => expected.insert(event.release, now(State::Published)),
                Some(What::Forgotten | What::Removed) | None => expected.remove(&event.release),
                Some(What::People) => {
                    people.insert(event.release, &event.record_sha256);
                    continue;
                }
            };
        }
        let head = self.query(event::head)?;
        if self.stated_head()?.unwrap_or_else(event::start) != head {
            findings.push(Finding::ChainCut);
        }
        for record in &releases {
            let name = record.name.clone();
            let Some((state, _, digest)) = expected.remove(&record.id) else {
                findings.push(Finding::RecordAdded { name });
                continue;
            };
            let found = record.digest(&self.seen_bytes(record.id)?);
            if found != record.record_sha256 || found != digest {
                findings.push(Finding::RecordChanged { name: name.clone() });
            }
            if state != record.state {
                findings.push(Finding::StateChanged { name: name.clone() });
            }
            let of_people = self.query(|it| digest_of_people(it, record.id))?;
            if of_people.as_deref() != people.get(&record.id).copied() {
                findings.push(Finding::PeopleChanged { name: name.clone() });
            }
            if self.as_published(record.id).is_err() {
                findings.push(Finding::Unreadable { name });
            }
        }
        let missing = expected.values().map(|(_, name, _)| (*name).to_owned());
        findings.extend(missing.map(|name| Finding::RecordMissing { name }));
        let sql = "SELECT count(*) FROM people WHERE release_id NOT IN (SELECT id FROM releases)";
        let n_people: i64 = self.query(|it| it.query_row(sql, [], |row| row.get(0)))?;
        if n_people > 0 {
            findings.push(Finding::PeopleWithoutRelease { n_people: n_people.unsigned_abs() });
        }
        let n_releases = releases.len() as u64;
        Ok(Audit { n_releases, n_events: events.len() as u64, head, findings })
    }

    fn stated_head(&self) -> Result<Option<String>, LedgerError> {
        use rusqlite::OptionalExtension;
        let sql = "SELECT value FROM meta WHERE key = 'head'";
        self.query(|it| it.query_row(sql, [], |row| row.get(0)).optional())
    }
}
