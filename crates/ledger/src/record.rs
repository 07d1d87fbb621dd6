//! The record of a release.

use std::collections::BTreeMap;
use std::path::PathBuf;

use indistinct_linkage::as_published::LabeledRelease;
use rusqlite::Row;
use serde::Serialize;
use sha2::{Digest, Sha256};

/// The number of a release in its ledger, which is never reused.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, schemars::JsonSchema,
)]
pub struct ReleaseId(pub i64);

/// The publication state of a release.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum State {
    /// The release is recorded but not published.
    Pending,
    /// The release is published.
    Published,
}

impl State {
    /// Returns the name of the state as stored in the table.
    pub fn name(self) -> &'static str {
        match self {
            State::Pending => "pending",
            State::Published => "published",
        }
    }
}

/// A release to record.
#[derive(Debug, Clone, Copy)]
pub struct NewRecord<'a> {
    /// The human-readable name of the release.
    pub name: &'a str,
    /// The population of the release; `None` if the population is unspecified.
    pub population: Option<&'a str>,
    /// The name of the growing table, if the release is a version of this table.
    pub series: Option<&'a str>,
    /// The number of the version.
    pub version: Option<u32>,
    /// The directory of the release.
    pub directory: &'a str,
    /// The SHA-256 digest of the release's certificate, in hexadecimal digits.
    pub certificate_sha256: &'a str,
    /// The SHA-256 digests of the release's other files, by path within the directory.
    pub files: &'a BTreeMap<String, String>,
    /// The effective policy.
    pub policy: &'a str,
    /// The published view of the release.
    pub as_published: &'a LabeledRelease,
}

/// A recorded release, without its published view.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct Record {
    /// The number of the release.
    pub id: ReleaseId,
    /// The human-readable name of the release.
    pub name: String,
    /// The population of the release; `None` if the population is unspecified.
    pub population: Option<String>,
    /// The name of the growing table, if the release is a version of this table.
    pub series: Option<String>,
    /// The number of the version.
    pub version: Option<u32>,
    /// The publication state.
    pub state: State,
    /// The directory of the release.
    pub directory: PathBuf,
    /// The SHA-256 digest of its certificate.
    pub certificate_sha256: String,
    /// The SHA-256 digests of the release's other files, by path within the directory.
    #[serde(skip)]
    pub files: BTreeMap<String, String>,
    /// The effective policy.
    #[serde(skip)]
    pub policy: String,
    /// The number of rows.
    pub n_rows: u64,
    /// The number of classes.
    pub n_classes: u64,
    /// The time of recording, in UTC.
    pub added_at: String,
    /// The SHA-256 digest of the record.
    pub record_sha256: String,
}

/// The columns of a [`Record`], in reading order.
pub(crate) const COLUMNS: &str = "id, name, population, series, version, state, directory, \
     certificate_sha256, files, policy, n_rows, n_classes, added_at, record_sha256";

impl Record {
    pub(crate) fn from_row(row: &Row<'_>) -> rusqlite::Result<Self> {
        let state: String = row.get(5)?;
        let files: String = row.get(8)?;
        let count = |at: usize| row.get::<_, i64>(at).map(i64::unsigned_abs);
        Ok(Self {
            id: ReleaseId(row.get(0)?),
            name: row.get(1)?,
            population: row.get(2)?,
            series: row.get(3)?,
            version: row.get(4)?,
            state: if state == "pending" { State::Pending } else { State::Published },
            directory: PathBuf::from(row.get::<_, String>(6)?),
            certificate_sha256: row.get(7)?,
            files: serde_json::from_str(&files).unwrap_or_default(),
            policy: row.get(9)?,
            n_rows: count(10)?,
            n_classes: count(11)?,
            added_at: row.get(12)?,
            record_sha256: row.get(13)?,
        })
    }

    /// Returns the SHA-256 digest of the record and of the bytes of the published view. The state
    /// is excluded because it may change.
    pub(crate) fn digest(&self, published: &[u8]) -> String {
        let files = serde_json::to_string(&self.files).expect("a list of texts can be serialized");
        let version = self.version.map(|version| version.to_string());
        let (n_rows, n_classes) = (self.n_rows.to_string(), self.n_classes.to_string());
        let directory = self.directory.to_string_lossy();
        let texts = [
            Some(self.name.as_str()),
            self.population.as_deref(),
            self.series.as_deref(),
            version.as_deref(),
            Some(&directory),
            Some(&self.certificate_sha256),
            Some(&files),
            Some(&self.policy),
            Some(&n_rows),
            Some(&n_classes),
            Some(&self.added_at),
        ];
        let fields = texts.into_iter().map(|text| text.map(str::as_bytes));
        digest_of(fields.chain([Some(published)]))
    }
}

/// Returns the SHA-256 digest of fields, in hexadecimal digits. Each field is prefixed with its
/// length, so different lists of fields have different inputs.
pub(crate) fn digest_of<'a>(fields: impl IntoIterator<Item = Option<&'a [u8]>>) -> String {
    let mut hasher = Sha256::new();
    for field in fields {
        hasher.update([u8::from(field.is_some())]);
        let bytes = field.unwrap_or_default();
        hasher.update((bytes.len() as u64).to_le_bytes());
        hasher.update(bytes);
    }
    hex(&hasher.finalize())
}

/// Returns the hexadecimal digits of bytes.
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
