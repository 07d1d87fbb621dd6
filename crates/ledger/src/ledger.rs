//! Opening a ledger, and ledger transactions.

use std::fs;
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::time::Duration;

use indistinct_diagnostics::platform;
use indistinct_linkage::as_published::LabeledRelease;
use rusqlite::{
    Connection, OpenFlags, OptionalExtension, Transaction, TransactionBehavior, params,
};

use crate::error::{Damage, LedgerError};
use crate::event::{self, Event, What};
use crate::record::{COLUMNS, NewRecord, Record, ReleaseId, State};
use crate::schema::{APPLICATION_ID, TABLES, VERSION};

/// The timeout for waiting for another process. Because transactions are short, a longer wait means
/// that a process hangs.
const PATIENCE: Duration = Duration::from_secs(30);

/// The compression level for published views.
const ZSTD_LEVEL: i32 = 3;

/// The first bytes of an SQLite file.
const MAGIC: &[u8; 16] = b"SQLite format 3\0";

/// The access mode of a ledger.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// Read access.
    Read,
    /// Write access.
    Write,
}

/// A problem that was found while opening a ledger.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Notice {
    /// The file was accessible to other users, whose access has been removed.
    ModeHealed,
    /// Other users have access to the file.
    ModeLax,
}

/// An open ledger.
#[derive(Debug)]
pub struct Ledger {
    connection: Connection,
    path: PathBuf,
    notices: Vec<Notice>,
}

/// A schema entry of a database, with its type, name, and declaration.
type Entity = (String, String, Option<String>);

fn schema_of(connection: &Connection) -> rusqlite::Result<Vec<Entity>> {
    let sql = "SELECT type, name, sql FROM sqlite_schema ORDER BY type, name";
    let entity = |row: &rusqlite::Row<'_>| Ok((row.get(0)?, row.get(1)?, row.get(2)?));
    connection.prepare(sql)?.query_map([], entity)?.collect()
}

impl Ledger {
    /// Creates an empty ledger that only its owner can access.
    ///
    /// # Errors
    /// [`LedgerError::Exists`] if the file exists; [`LedgerError::Failed`] if the file cannot be
    /// written.
    pub fn create(path: &Path) -> Result<Self, LedgerError> {
        platform::create_private_file(path).map_err(|error| match error.kind() {
            ErrorKind::AlreadyExists => LedgerError::Exists(path.to_owned()),
            _ => failed(path, &error),
        })?;
        let filled = Self::connect(path, Access::Write).and_then(|mut connection| {
            fill(&mut connection).map_err(|error| LedgerError::from_sqlite(path, &error))?;
            Ok(connection)
        });
        match filled {
            Ok(connection) => Ok(Self { connection, path: path.to_owned(), notices: Vec::new() }),
            Err(error) => {
                let _ = fs::remove_file(path);
                Err(error)
            }
        }
    }

    /// Opens a ledger. If the ledger is opened for writing, other users lose access to the file.
    ///
    /// # Errors
    /// [`LedgerError::NotThere`], [`LedgerError::NotALedger`], [`LedgerError::Newer`],
    /// [`LedgerError::Corrupted`], [`LedgerError::ReadOnly`], [`LedgerError::Locked`],
    /// [`LedgerError::Failed`].
    pub fn open(path: &Path, access: Access) -> Result<Self, LedgerError> {
        let notices = Self::look_at(path, access)?;
        let connection = Self::connect(path, access)?;
        let ledger = Self { connection, path: path.to_owned(), notices };
        ledger.check_format()?;
        Ok(ledger)
    }

    /// Checks the file before opening: its existence, its type, and its permissions.
    fn look_at(path: &Path, access: Access) -> Result<Vec<Notice>, LedgerError> {
        let there = fs::metadata(path).map_err(|error| match error.kind() {
            ErrorKind::NotFound => LedgerError::NotThere(path.to_owned()),
            _ => failed(path, &error),
        })?;
        let mut begin = [0; 16];
        let is_sqlite = there.is_file()
            && match fs::File::open(path).and_then(|mut file| file.read_exact(&mut begin)) {
                Ok(()) => begin == *MAGIC,
                Err(error) if error.kind() == ErrorKind::UnexpectedEof => false,
                Err(error) => return Err(failed(path, &error)),
            };
        if !is_sqlite {
            return Err(LedgerError::NotALedger(path.to_owned()));
        }
        if access == Access::Write && there.permissions().readonly() {
            return Err(LedgerError::ReadOnly(path.to_owned()));
        }
        let is_open = platform::is_open_to_others(path, &there);
        Ok(match (is_open.map_err(|error| failed(path, &error))?, access) {
            (false, _) => Vec::new(),
            (true, Access::Read) => vec![Notice::ModeLax],
            (true, Access::Write) => match platform::restrict(path) {
                Ok(()) => vec![Notice::ModeHealed],
                Err(_) => vec![Notice::ModeLax],
            },
        })
    }

    fn connect(path: &Path, access: Access) -> Result<Connection, LedgerError> {
        let fail = |error: rusqlite::Error| LedgerError::from_sqlite(path, &error);
        let flags = match access {
            Access::Read => OpenFlags::SQLITE_OPEN_READ_ONLY,
            Access::Write => OpenFlags::SQLITE_OPEN_READ_WRITE,
        };
        let connection = Connection::open_with_flags(path, flags | OpenFlags::SQLITE_OPEN_NO_MUTEX)
            .map_err(fail)?;
        connection.busy_timeout(PATIENCE).map_err(fail)?;
        // These settings overwrite deleted data and prevent the schema of an untrusted file from
        // executing functions.
        connection
            .execute_batch(
                "PRAGMA synchronous = FULL; PRAGMA secure_delete = ON; PRAGMA trusted_schema = \
                 OFF;",
            )
            .map_err(fail)?;
        Ok(connection)
    }

    fn check_format(&self) -> Result<(), LedgerError> {
        let pragma = |name: &str| -> Result<i64, LedgerError> {
            self.connection
                .pragma_query_value(None, name, |row| row.get(0))
                .map_err(|error| self.fail(&error))
        };
        if pragma("application_id")? != APPLICATION_ID {
            return Err(LedgerError::NotALedger(self.path.clone()));
        }
        let got = pragma("user_version")?;
        if got > VERSION {
            return Err(LedgerError::Newer { path: self.path.clone(), got, known: VERSION });
        }
        self.check_pages("quick_check")?;
        let expected = Connection::open_in_memory()
            .and_then(|fresh| fresh.execute_batch(TABLES).and_then(|()| schema_of(&fresh)))
            .map_err(|error| self.fail(&error))?;
        let found = self.query(schema_of)?;
        let names = |schema: &[Entity]| -> Vec<String> {
            schema.iter().map(|entity| format!("{} '{}'", entity.0, entity.1)).collect()
        };
        let (expected_names, found_names) = (names(&expected), names(&found));
        if let Some(missing) = expected_names.iter().find(|name| !found_names.contains(name)) {
            return Err(self.corrupted(Damage::Missing(missing.clone())));
        }
        // Triggers and views are rejected, because they would run as part of the ledger's own
        // statements.
        if let Some(other) = found_names.iter().find(|name| !expected_names.contains(name)) {
            return Err(self.corrupted(Damage::Foreign(other.clone())));
        }
        match found == expected {
            true => Ok(()),
            false => Err(self.corrupted(Damage::OtherSchema)),
        }
    }

    /// Runs a consistency check of the database pages.
    pub(crate) fn check_pages(&self, pragma: &str) -> Result<(), LedgerError> {
        let answer: String =
            self.query(|connection| connection.pragma_query_value(None, pragma, |row| row.get(0)))?;
        match answer.as_str() {
            "ok" => Ok(()),
            _ => Err(self.corrupted(Damage::Pages)),
        }
    }

    pub(crate) fn corrupted(&self, damage: Damage) -> LedgerError {
        LedgerError::Corrupted { path: self.path.clone(), damage }
    }

    pub(crate) fn fail(&self, error: &rusqlite::Error) -> LedgerError {
        LedgerError::from_sqlite(&self.path, error)
    }

    pub(crate) fn query<T>(
        &self,
        ask: impl FnOnce(&Connection) -> rusqlite::Result<T>,
    ) -> Result<T, LedgerError> {
        ask(&self.connection).map_err(|error| self.fail(&error))
    }

    /// Returns the path of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the problems that were found while opening the ledger.
    pub fn notices(&self) -> &[Notice] {
        &self.notices
    }

    /// Returns the database connection, which is required to access entries about people.
    pub fn connection(&self) -> &Connection {
        &self.connection
    }

    /// Returns all releases, in the order of recording.
    ///
    /// # Errors
    /// [`LedgerError`] if the releases cannot be read.
    pub fn releases(&self) -> Result<Vec<Record>, LedgerError> {
        self.query(records)
    }

    /// Returns the release with the given name.
    ///
    /// # Errors
    /// [`LedgerError::NoSuchRelease`] if no release has the name, or another [`LedgerError`] if the
    /// ledger cannot be read.
    pub fn release(&self, name: &str) -> Result<Record, LedgerError> {
        let all = self.releases()?;
        let known = || all.iter().map(|record| record.name.clone()).collect();
        all.iter()
            .find(|record| record.name == name)
            .cloned()
            .ok_or_else(|| LedgerError::NoSuchRelease { name: name.to_owned(), known: known() })
    }

    /// Reads the published view of a release.
    ///
    /// # Errors
    /// [`LedgerError::Corrupted`] if the view cannot be read.
    pub fn as_published(&self, id: ReleaseId) -> Result<LabeledRelease, LedgerError> {
        let bytes = self.seen_bytes(id)?;
        let read = zstd::stream::Decoder::new(bytes.as_slice())
            .map_err(|_| self.corrupted(Damage::Release))?;
        serde_json::from_reader(std::io::BufReader::new(read))
            .map_err(|_| self.corrupted(Damage::Release))
    }

    pub(crate) fn seen_bytes(&self, id: ReleaseId) -> Result<Vec<u8>, LedgerError> {
        let sql = "SELECT seen FROM releases WHERE id = ?1";
        self.query(|connection| connection.query_row(sql, [id.0], |row| row.get(0)))
    }

    /// Returns all events of the ledger, in order.
    ///
    /// # Errors
    /// [`LedgerError`] if the events cannot be read.
    pub fn events(&self) -> Result<Vec<Event>, LedgerError> {
        self.query(event::all)
    }

    /// Returns the last hash of the chain, which identifies the state of the ledger.
    ///
    /// # Errors
    /// [`LedgerError`] if the hash cannot be read.
    pub fn head(&self) -> Result<String, LedgerError> {
        self.query(event::head)
    }

    /// Starts a write transaction. No other process can write until the entry is committed or
    /// dropped.
    ///
    /// # Errors
    /// [`LedgerError::Locked`], [`LedgerError::ReadOnly`], [`LedgerError::Failed`].
    pub fn begin(&mut self) -> Result<Entry<'_>, LedgerError> {
        let path = self.path.as_path();
        let transaction = self
            .connection
            .transaction_with_behavior(TransactionBehavior::Immediate)
            .map_err(|error| LedgerError::from_sqlite(path, &error))?;
        Ok(Entry { transaction, path })
    }

    /// Marks a release as published. Has no effect on a release that is already published.
    ///
    /// # Errors
    /// [`LedgerError`] if the ledger cannot be written.
    pub fn publish(&mut self, id: ReleaseId) -> Result<(), LedgerError> {
        let entry = self.begin()?;
        entry.publish(id)?;
        entry.commit()
    }

    /// Discards an unpublished release. Has no effect if the release is not recorded.
    ///
    /// # Errors
    /// [`LedgerError`] if the ledger cannot be written.
    pub fn forget(&mut self, id: ReleaseId) -> Result<(), LedgerError> {
        let entry = self.begin()?;
        entry.delete(id, What::Forgotten, None)?;
        entry.commit()
    }

    /// Removes a release, with the reason given by the data holder.
    ///
    /// # Errors
    /// [`LedgerError`] if the ledger cannot be written.
    pub fn remove(&mut self, id: ReleaseId, reason: &str) -> Result<(), LedgerError> {
        let entry = self.begin()?;
        entry.delete(id, What::Removed, Some(reason))?;
        entry.commit()
    }
}

/// A write transaction. Dropping the entry without [`Entry::commit`] discards all changes.
#[derive(Debug)]
pub struct Entry<'a> {
    transaction: Transaction<'a>,
    path: &'a Path,
}

impl Entry<'_> {
    fn query<T>(
        &self,
        ask: impl FnOnce(&Connection) -> rusqlite::Result<T>,
    ) -> Result<T, LedgerError> {
        ask(&self.transaction).map_err(|error| LedgerError::from_sqlite(self.path, &error))
    }

    /// Returns the transaction, which is required to access entries about people.
    pub fn transaction(&self) -> &Transaction<'_> {
        &self.transaction
    }

    /// Returns all releases that are visible to this transaction.
    ///
    /// # Errors
    /// [`LedgerError`] if the releases cannot be read.
    pub fn releases(&self) -> Result<Vec<Record>, LedgerError> {
        self.query(records)
    }

    /// Returns the last hash of the chain that is visible to this transaction.
    ///
    /// # Errors
    /// [`LedgerError`] if the hash cannot be read.
    pub fn head(&self) -> Result<String, LedgerError> {
        self.query(event::head)
    }

    /// Records a release as pending. If the name is taken, a number is appended.
    ///
    /// # Errors
    /// [`LedgerError`] if the ledger cannot be written.
    pub fn record(&self, new: &NewRecord<'_>) -> Result<Record, LedgerError> {
        let packed = pack(new.as_published).map_err(|error| failed(self.path, &error))?;
        self.query(|connection| {
            let mut record = Record {
                id: ReleaseId(0),
                name: free_name(connection, new.name)?,
                population: new.population.map(str::to_owned),
                series: new.series.map(str::to_owned),
                version: new.version,
                state: State::Pending,
                directory: PathBuf::from(new.directory),
                certificate_sha256: new.certificate_sha256.to_owned(),
                files: new.files.clone(),
                policy: new.policy.to_owned(),
                n_rows: new.as_published.n_rows,
                n_classes: new.as_published.classes.len() as u64,
                added_at: now(connection)?,
                record_sha256: String::new(),
            };
            record.record_sha256 = record.digest(&packed);
            connection.execute(
                "INSERT INTO releases (name, population, series, version, state, directory, \
                 certificate_sha256, policy, seen, n_rows, n_classes, files, added_at, \
                 record_sha256) \
                 VALUES (?1, ?2, ?3, ?4, 'pending', ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)",
                params![
                    record.name,
                    record.population,
                    record.series,
                    record.version,
                    new.directory,
                    record.certificate_sha256,
                    record.policy,
                    packed,
                    i64::try_from(record.n_rows).unwrap_or(i64::MAX),
                    i64::try_from(record.n_classes).unwrap_or(i64::MAX),
                    serde_json::to_string(&record.files)
                        .expect("a list of texts can be serialized"),
                    record.added_at,
                    record.record_sha256,
                ],
            )?;
            record.id = ReleaseId(connection.last_insert_rowid());
            let names = (record.name.as_str(), record.record_sha256.as_str());
            event::append(connection, &record.added_at, What::Pending, record.id, names, None)?;
            Ok(record)
        })
    }

    /// Marks a release as published. Has no effect on a release that is already published.
    ///
    /// # Errors
    /// [`LedgerError`] if the ledger cannot be written.
    pub fn publish(&self, id: ReleaseId) -> Result<(), LedgerError> {
        self.query(|connection| {
            let sql = "UPDATE releases SET state = 'published' WHERE id = ?1 AND state = 'pending'";
            let Some((name, digest)) = names_of(connection, id)? else { return Ok(()) };
            if connection.execute(sql, [id.0])? == 0 {
                return Ok(());
            }
            let names = (name.as_str(), digest.as_str());
            event::append(connection, &now(connection)?, What::Published, id, names, None)
        })
    }

    fn delete(&self, id: ReleaseId, what: What, reason: Option<&str>) -> Result<(), LedgerError> {
        self.query(|connection| {
            let Some((name, digest)) = names_of(connection, id)? else { return Ok(()) };
            connection.execute("DELETE FROM people WHERE release_id = ?1", [id.0])?;
            connection.execute("DELETE FROM releases WHERE id = ?1", [id.0])?;
            let names = (name.as_str(), digest.as_str());
            event::append(connection, &now(connection)?, what, id, names, reason)
        })
    }

    /// Commits the transaction.
    ///
    /// # Errors
    /// [`LedgerError`] if the ledger cannot be written; no change is then saved.
    pub fn commit(self) -> Result<(), LedgerError> {
        let path = self.path;
        self.transaction.commit().map_err(|error| LedgerError::from_sqlite(path, &error))
    }
}

fn failed(path: &Path, error: &std::io::Error) -> LedgerError {
    LedgerError::Failed { path: path.to_owned(), reason: error.to_string() }
}

fn fill(connection: &mut Connection) -> rusqlite::Result<()> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Exclusive)?;
    transaction.execute_batch(TABLES)?;
    transaction.pragma_update(None, "application_id", APPLICATION_ID)?;
    transaction.pragma_update(None, "user_version", VERSION)?;
    transaction.commit()
}

fn pack(published: &LabeledRelease) -> std::io::Result<Vec<u8>> {
    let mut encoder = zstd::stream::Encoder::new(Vec::new(), ZSTD_LEVEL)?;
    serde_json::to_writer(&mut encoder, published)?;
    encoder.finish()
}

fn now(connection: &Connection) -> rusqlite::Result<String> {
    connection.query_row("SELECT strftime('%Y-%m-%dT%H:%M:%SZ', 'now')", [], |row| row.get(0))
}

fn records(connection: &Connection) -> rusqlite::Result<Vec<Record>> {
    let sql = format!("SELECT {COLUMNS} FROM releases ORDER BY id");
    connection.prepare(&sql)?.query_map([], Record::from_row)?.collect()
}

fn names_of(connection: &Connection, id: ReleaseId) -> rusqlite::Result<Option<(String, String)>> {
    let sql = "SELECT name, record_sha256 FROM releases WHERE id = ?1";
    connection.query_row(sql, [id.0], |row| Ok((row.get(0)?, row.get(1)?))).optional()
}

/// Returns the name if it is unused, and otherwise the name with the first unused number (2 or
/// higher).
fn free_name(connection: &Connection, name: &str) -> rusqlite::Result<String> {
    let mut taken = connection.prepare("SELECT 1 FROM releases WHERE name = ?1")?;
    let mut candidate = name.to_owned();
    let mut number = 2;
    while taken.exists([&candidate])? {
        candidate = format!("{name}-{number}");
        number += 1;
    }
    Ok(candidate)
}
