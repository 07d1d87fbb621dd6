//! Entries about people in growing tables, each with the set of sensitive values in a person's
//! class. Each entry identifies its person only by a keyed hash of the person's identifier.
//!
//! With HMAC-SHA256, an adversary without the key cannot match entries to people, even by trying
//! all identifiers. The key is stored in a file of the data holder outside the ledger. The ledger
//! contains a check value of the key to detect a different key.

use std::collections::BTreeMap;
use std::io::{ErrorKind, Write};
use std::path::Path;

use hmac::{Hmac, Mac};
use indistinct_diagnostics::platform;
use rand::TryRngCore;
use rusqlite::{Connection, OptionalExtension, Row, params};
use sha2::{Digest, Sha256};

use crate::LedgerError;
use crate::event::{self, What};
use crate::record::{ReleaseId, hex};

/// The input from which the check value is computed. Inputs for identifiers start with a different
/// byte.
const CHECK: &[u8] = b"\0indistinct: which key a series of versions has";

/// The byte that precedes an identifier in the input of the hash.
const IDENTIFIER: u8 = 1;

/// The number of bytes in a key and in a hash.
const N_BYTES: usize = 32;

/// The key for hashing the identifiers of people.
pub struct PeopleKey([u8; N_BYTES]);

impl std::fmt::Debug for PeopleKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("PeopleKey(..)")
    }
}

/// The keyed hash of a person's identifier.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PersonKey(pub [u8; N_BYTES]);

/// The labels of the sensitive values in a person's class.
pub type Signature = Vec<String>;

impl PeopleKey {
    /// Creates a key from random numbers of the operating system, in a new file that only its owner
    /// can access.
    ///
    /// # Errors
    /// [`LedgerError::KeyExists`] if the file exists; [`LedgerError::KeyFailed`] if the key cannot
    /// be created.
    pub fn create(path: &Path) -> Result<Self, LedgerError> {
        let mut bytes = [0; N_BYTES];
        rand::rngs::OsRng.try_fill_bytes(&mut bytes).map_err(|error| failed(path, &error))?;
        let mut file = platform::create_private_file(path).map_err(|error| match error.kind() {
            ErrorKind::AlreadyExists => LedgerError::KeyExists(path.to_owned()),
            _ => failed(path, &error),
        })?;
        let written =
            file.write_all(format!("{}\n", hex(&bytes)).as_bytes()).and_then(|()| file.sync_all());
        if let Err(error) = written {
            let _ = std::fs::remove_file(path);
            return Err(failed(path, &error));
        }
        Ok(Self(bytes))
    }

    /// Reads a key.
    ///
    /// # Errors
    /// [`LedgerError::NoKey`], [`LedgerError::NotAKey`], [`LedgerError::KeyOpen`],
    /// [`LedgerError::KeyFailed`].
    pub fn read(path: &Path) -> Result<Self, LedgerError> {
        let there = std::fs::metadata(path).map_err(|error| match error.kind() {
            ErrorKind::NotFound => LedgerError::NoKey(path.to_owned()),
            _ => failed(path, &error),
        })?;
        let not_a_key = || LedgerError::NotAKey(path.to_owned());
        // A key file has 65 bytes. Much larger files are rejected without being read.
        if !there.is_file() || there.len() > 1024 {
            return Err(not_a_key());
        }
        if platform::is_open_to_others(path, &there).map_err(|error| failed(path, &error))? {
            return Err(LedgerError::KeyOpen(path.to_owned()));
        }
        let bytes = std::fs::read(path).map_err(|error| failed(path, &error))?;
        let digits = bytes.trim_ascii();
        let mut key = [0; N_BYTES];
        if digits.len() != 2 * N_BYTES || !digits.iter().all(u8::is_ascii_hexdigit) {
            return Err(not_a_key());
        }
        for (byte, pair) in key.iter_mut().zip(digits.chunks_exact(2)) {
            let pair = std::str::from_utf8(pair).map_err(|_| not_a_key())?;
            *byte = u8::from_str_radix(pair, 16).map_err(|_| not_a_key())?;
        }
        Ok(Self(key))
    }

    fn hash(&self, parts: &[&[u8]]) -> [u8; N_BYTES] {
        let mut mac =
            Hmac::<Sha256>::new_from_slice(&self.0).expect("HMAC accepts keys of any length");
        parts.iter().for_each(|part| mac.update(part));
        mac.finalize().into_bytes().into()
    }

    /// Computes the key of a person, which differs between series even for the same identifier.
    pub fn person(&self, series: &str, identifier: &str) -> PersonKey {
        let n_bytes = (series.len() as u64).to_le_bytes();
        PersonKey(self.hash(&[&[IDENTIFIER], &n_bytes, series.as_bytes(), identifier.as_bytes()]))
    }

    fn check_value(&self) -> String {
        hex(&self.hash(&[CHECK]))
    }
}

fn failed(path: &Path, error: &dyn std::error::Error) -> LedgerError {
    LedgerError::KeyFailed { path: path.to_owned(), reason: error.to_string() }
}

/// Converts a database error.
fn database(error: rusqlite::Error) -> LedgerError {
    LedgerError::People(error.to_string())
}

fn name_of_check(series: &str) -> String {
    format!("people key of {series}")
}

/// Checks that an existing series uses this key.
///
/// # Errors
/// [`LedgerError::WrongKey`], [`LedgerError::People`].
pub fn check_key(
    connection: &Connection,
    series: &str,
    key: &PeopleKey,
) -> Result<(), LedgerError> {
    let stated: Option<String> = connection
        .query_row("SELECT value FROM meta WHERE key = ?1", [name_of_check(series)], |row| {
            row.get(0)
        })
        .optional()
        .map_err(database)?;
    match stated {
        Some(stated) if stated != key.check_value() => {
            Err(LedgerError::WrongKey(series.to_owned()))
        }
        _ => Ok(()),
    }
}

fn parsed(series: &str, text: &str) -> Result<Signature, LedgerError> {
    serde_json::from_str(text).map_err(|_| LedgerError::PeopleUnreadable(series.to_owned()))
}

/// Returns the signature of each person of a series, from the newest version that contains the
/// person.
///
/// # Errors
/// [`LedgerError::WrongKey`], [`LedgerError::PeopleUnreadable`], [`LedgerError::People`].
pub fn signatures(
    connection: &Connection,
    series: &str,
    key: &PeopleKey,
) -> Result<BTreeMap<PersonKey, Signature>, LedgerError> {
    check_key(connection, series, key)?;
    let mut newest = BTreeMap::new();
    for_each(connection, series, |_, person, signature| {
        newest.insert(person, signature);
    })?;
    Ok(newest)
}

/// Returns the signatures of all people in each version of a series, in the order of recording.
///
/// # Errors
/// [`LedgerError::PeopleUnreadable`], [`LedgerError::People`].
pub fn history(
    connection: &Connection,
    series: &str,
) -> Result<Vec<(ReleaseId, PersonKey, Signature)>, LedgerError> {
    let mut all = Vec::new();
    for_each(connection, series, |release, person, signature| {
        all.push((release, person, signature));
    })?;
    Ok(all)
}

fn for_each(
    connection: &Connection,
    series: &str,
    mut take: impl FnMut(ReleaseId, PersonKey, Signature),
) -> Result<(), LedgerError> {
    let sql = "SELECT release_id, person, signature FROM people WHERE series = ?1 ORDER BY \
               release_id, person";
    let mut statement = connection.prepare(sql).map_err(database)?;
    let read = |row: &Row<'_>| -> rusqlite::Result<(i64, [u8; N_BYTES], String)> {
        Ok((row.get(0)?, row.get(1)?, row.get(2)?))
    };
    for row in statement.query_map([series], read).map_err(database)? {
        let (release, person, signature) = row.map_err(database)?;
        take(ReleaseId(release), PersonKey(person), parsed(series, &signature)?);
    }
    Ok(())
}

/// Records the people of a version and appends an event to the chain, within the transaction that
/// recorded the version.
///
/// # Errors
/// [`LedgerError::WrongKey`], [`LedgerError::People`].
pub fn record(
    transaction: &Connection,
    series: &str,
    release: ReleaseId,
    key: &PeopleKey,
    people: &[(PersonKey, Signature)],
) -> Result<(), LedgerError> {
    check_key(transaction, series, key)?;
    let insert = || -> rusqlite::Result<()> {
        transaction.execute(
            "INSERT INTO meta VALUES (?1, ?2) ON CONFLICT (key) DO NOTHING",
            [name_of_check(series), key.check_value()],
        )?;
        let sql =
            "INSERT INTO people (series, release_id, person, signature) VALUES (?1, ?2, ?3, ?4)";
        let mut insert = transaction.prepare(sql)?;
        for (person, signature) in people {
            let text = serde_json::to_string(signature).expect("a list of texts can be serialized");
            insert.execute(params![series, release.0, person.0, text])?;
        }
        drop(insert);
        let sql = "SELECT name, added_at FROM releases WHERE id = ?1";
        let recorded =
            transaction.query_row(sql, [release.0], |row| Ok((row.get(0)?, row.get(1)?)));
        let recorded: Option<(String, String)> = recorded.optional()?;
        if let (Some((name, at)), Some(digest)) =
            (recorded, digest_of_people(transaction, release)?)
        {
            event::append(transaction, &at, What::People, release, (&name, &digest), None)?;
        }
        Ok(())
    };
    insert().map_err(database)
}

/// Returns the SHA-256 digest of all entries about the people of a release, or `None` if there are
/// none.
pub(crate) fn digest_of_people(
    connection: &Connection,
    release: ReleaseId,
) -> rusqlite::Result<Option<String>> {
    let sql = "SELECT series, person, signature FROM people WHERE release_id = ?1 ORDER BY series, \
               person";
    let mut statement = connection.prepare(sql)?;
    let mut rows = statement.query([release.0])?;
    let mut hasher = Sha256::new();
    let mut any = false;
    while let Some(row) = rows.next()? {
        any = true;
        let (series, person, signature): (String, Vec<u8>, String) =
            (row.get(0)?, row.get(1)?, row.get(2)?);
        for part in [series.as_bytes(), &person, signature.as_bytes()] {
            hasher.update((part.len() as u64).to_le_bytes());
            hasher.update(part);
        }
    }
    Ok(any.then(|| hex(&hasher.finalize())))
}

#[cfg(test)]
mod tests {
    use indistinct_diagnostics::Coded;

    use super::*;
    use crate::schema::TABLES;

    fn connection() -> Connection {
        let connection = Connection::open_in_memory().expect("memory");
        connection.execute_batch(TABLES).expect("the tables");
        connection
    }

    fn of(key: &PeopleKey, name: &str, values: &[&str]) -> (PersonKey, Signature) {
        (key.person("h", name), values.iter().map(|value| (*value).to_owned()).collect())
    }

    #[test]
    fn latest_signature_is_used() {
        let (connection, key) = (connection(), PeopleKey([7; N_BYTES]));
        let first = [of(&key, "ann", &["flu", "ulcer"]), of(&key, "bob", &["flu", "gout"])];
        let second = [of(&key, "ann", &["flu", "cold"])];
        record(&connection, "h", ReleaseId(1), &key, &first).expect("recorded");
        record(&connection, "h", ReleaseId(2), &key, &second).expect("recorded");
        record(&connection, "other", ReleaseId(3), &key, &first).expect("recorded");
        let newest = signatures(&connection, "h", &key).expect("read");
        let expected: BTreeMap<_, _> = [second[0].clone(), first[1].clone()].into();
        assert_eq!(newest, expected);
        let all = history(&connection, "h").expect("read");
        assert_eq!(all.len(), 3);
        assert_eq!(all[2], (ReleaseId(2), second[0].0, second[0].1.clone()));
        // A person cannot occur twice in a version.
        assert!(record(&connection, "h", ReleaseId(2), &key, &second).is_err());
    }

    #[test]
    fn different_key_is_rejected() {
        let (connection, key) = (connection(), PeopleKey([7; N_BYTES]));
        record(&connection, "h", ReleaseId(1), &key, &[]).expect("recorded");
        let other = PeopleKey([8; N_BYTES]);
        let wrong = |result: Result<(), LedgerError>| matches!(result, Err(LedgerError::WrongKey(series)) if series == "h");
        assert!(wrong(signatures(&connection, "h", &other).map(drop)));
        assert!(wrong(record(&connection, "h", ReleaseId(2), &other, &[])));
        assert!(signatures(&connection, "new", &other).expect("not begun").is_empty());
    }

    #[test]
    fn person_hash_depends_on_key_series_and_identifier() {
        let (a, b) = (PeopleKey([1; N_BYTES]), PeopleKey([2; N_BYTES]));
        let all = [
            a.person("h", "ann"),
            a.person("h", "ann "),
            a.person("ha", "nn"),
            b.person("h", "ann"),
        ];
        for (at, one) in all.iter().enumerate() {
            assert!(all[at + 1..].iter().all(|other| one != other));
        }
        assert_eq!(a.person("h", "ann"), all[0]);
        assert_eq!(format!("{a:?}"), "PeopleKey(..)");
    }

    #[cfg(unix)]
    #[test]
    fn keys_are_created_once_with_private_mode() {
        use std::os::unix::fs::PermissionsExt;

        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("person.key");
        let created = PeopleKey::create(&path).expect("made");
        let mode = std::fs::metadata(&path).expect("there").permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
        assert_eq!(PeopleKey::read(&path).expect("read").0, created.0);
        assert_ne!(created.0, [0; N_BYTES]);
        assert!(matches!(PeopleKey::create(&path), Err(LedgerError::KeyExists { .. })));
        let refused = |path: &Path| PeopleKey::read(path).expect_err("the key is rejected").code();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o640)).expect("mode");
        assert_eq!(refused(&path), "E-INVARIANT-104");
        assert_eq!(refused(&folder.path().join("none")), "E-INVARIANT-102");
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o600)).expect("mode");
        for text in ["", "00", &"zz".repeat(32), &"+1".repeat(32), &"00".repeat(33)] {
            std::fs::write(&path, text).expect("written");
            assert_eq!(refused(&path), "E-INVARIANT-103", "{text}");
        }
    }
}
