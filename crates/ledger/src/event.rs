//! The hash chain of ledger events. Each event contains a hash of its content and of the previous
//! hash.

use rusqlite::{Connection, Row, params};
use serde::Serialize;

use crate::record::{ReleaseId, digest_of};

/// The kind of an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum What {
    /// A release was recorded before publication.
    Pending,
    /// A release was published.
    Published,
    /// A pending release was discarded because it was never published.
    Forgotten,
    /// The data holder removed a release.
    Removed,
    /// The people of a release were recorded. The digest of this event covers the entries about
    /// people.
    People,
}

impl What {
    const ALL: [What; 5] =
        [What::Pending, What::Published, What::Forgotten, What::Removed, What::People];

    /// Returns the name of the event kind as stored in the table.
    pub fn name(self) -> &'static str {
        match self {
            What::Pending => "pending",
            What::Published => "published",
            What::Forgotten => "forgotten",
            What::Removed => "removed",
            What::People => "people",
        }
    }
}

/// An event of a release.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct Event {
    /// The number of the event, starting at 1.
    pub seq: i64,
    /// The time of the event, in UTC.
    pub at: String,
    /// The kind of the event; `None` if this version does not recognize the name that is stored in
    /// the table.
    pub what: Option<What>,
    /// The release.
    pub release: ReleaseId,
    /// The name of the release.
    pub name: String,
    /// The SHA-256 digest of the release record, or of the entries about people for
    /// [`What::People`].
    pub record_sha256: String,
    /// The reason given by the data holder, if any.
    pub reason: Option<String>,
    /// The hash of the event together with the previous hash.
    pub hash: String,
}

/// The initial content of the chain.
const START: &str = "indistinct ledger";

impl Event {
    fn from_row(row: &Row<'_>) -> rusqlite::Result<Self> {
        let what: String = row.get(2)?;
        Ok(Self {
            seq: row.get(0)?,
            at: row.get(1)?,
            what: What::ALL.into_iter().find(|known| known.name() == what),
            release: ReleaseId(row.get(3)?),
            name: row.get(4)?,
            record_sha256: row.get(5)?,
            reason: row.get(6)?,
            hash: row.get(7)?,
        })
    }

    /// Returns the expected hash of the event.
    pub(crate) fn chained(&self, before: &str) -> String {
        let (seq, release) = (self.seq.to_string(), self.release.0.to_string());
        let texts = [
            Some(before),
            Some(seq.as_str()),
            Some(&self.at),
            self.what.map(What::name),
            Some(&release),
            Some(&self.name),
            Some(&self.record_sha256),
            self.reason.as_deref(),
        ];
        digest_of(texts.map(|text| text.map(str::as_bytes)))
    }
}

/// Returns all events, in order.
pub(crate) fn all(connection: &Connection) -> rusqlite::Result<Vec<Event>> {
    let sql = "SELECT seq, at, what, release_id, name, record_sha256, reason, hash FROM events ORDER BY seq";
    connection.prepare(sql)?.query_map([], Event::from_row)?.collect()
}

/// Returns the hash of the last event.
pub(crate) fn head(connection: &Connection) -> rusqlite::Result<String> {
    let last = connection
        .prepare("SELECT hash FROM events ORDER BY seq DESC LIMIT 1")?
        .query_row([], |row| row.get(0));
    match last {
        Err(rusqlite::Error::QueryReturnedNoRows) => Ok(start()),
        other => other,
    }
}

/// Returns the hash before the first event.
pub(crate) fn start() -> String {
    digest_of([Some(START.as_bytes())])
}

/// Appends an event to the chain.
pub(crate) fn append(
    connection: &Connection,
    at: &str,
    what: What,
    release: ReleaseId,
    (name, record_sha256): (&str, &str),
    reason: Option<&str>,
) -> rusqlite::Result<()> {
    let before = head(connection)?;
    let last: i64 =
        connection.query_row("SELECT coalesce(max(seq), 0) FROM events", [], |row| row.get(0))?;
    let mut event = Event {
        seq: last + 1,
        at: at.to_owned(),
        what: Some(what),
        release,
        name: name.to_owned(),
        record_sha256: record_sha256.to_owned(),
        reason: reason.map(str::to_owned),
        hash: String::new(),
    };
    event.hash = event.chained(&before);
    connection.execute(
        "INSERT INTO events VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
        params![event.seq, at, what.name(), release.0, name, record_sha256, reason, event.hash],
    )?;
    // The hash of the last event is also stored outside the event table, so missing final
    // events can be detected.
    connection.execute(
        "INSERT INTO meta VALUES ('head', ?1) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
        [&event.hash],
    )?;
    Ok(())
}
