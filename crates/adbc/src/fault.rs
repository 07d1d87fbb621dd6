//! Removes the parts of database error messages that may contain cells from the table.

use std::os::raw::c_char;
use std::path::Path;

use adbc_core::error::Error;
use arrow_schema::ArrowError;
use indistinct_engine::TableError;
use indistinct_sql::Dialect;

use crate::driver::EXTERNAL_ACCESS;

/// SQLSTATE classes whose messages describe connections, permissions, names, and the server, but
/// never values.
const PLAIN_CLASSES: [&str; 10] = ["08", "0A", "25", "28", "3D", "3F", "42", "53", "55", "57"];

/// Error kinds whose messages can be reported because they describe only files, names, and syntax.
/// Used for databases without SQLSTATE.
const PLAIN_KINDS: [&str; 7] = [
    "Catalog Error",
    "Binder Error",
    "Parser Error",
    "IO Error",
    "Permission Error",
    "TransactionContext Error",
    "Not implemented Error",
];

/// Substrings of the error messages about files that a newer version of the database has written.
const NEWER: [&str; 2] = ["database file with version number", "newer version of DuckDB"];

/// Converts a database error; `doing` is the requested operation.
pub(crate) fn refused(dialect: &Dialect, doing: &'static str, error: &Error) -> TableError {
    let (database, message) = (dialect.name, &error.message);
    let has_dependents = state(&error.sqlstate).is_some_and(|state| state == "2BP01")
        || dialect.name == "DuckDB" && message.contains("Dependency Error");
    if has_dependents {
        // The first line of the message names the table, and the following lines name the
        // dependent objects.
        return TableError::HasDependents { database, reason: first_line(message) };
    }
    if is_busy(error) {
        return TableError::Busy { table: database.to_owned() };
    }
    // The database message is omitted because it contains the path from the query.
    if dialect.name == "DuckDB" && message.contains("disabled by configuration") {
        return TableError::ExternalAccess { database, variable: EXTERNAL_ACCESS };
    }
    TableError::Refused { database, doing, reason: reason(dialect, error) }
}

/// Converts an error that occurred while opening a database with a driver.
pub(crate) fn unopened(dialect: &Dialect, driver: &Path, error: &Error) -> TableError {
    let (database, reason) = (dialect.name, reason(dialect, error));
    if NEWER.iter().any(|part| error.message.contains(part)) {
        return TableError::OldDriver { database, reason, driver: driver.to_owned() };
    }
    match is_busy(error) {
        true => TableError::Busy { table: database.to_owned() },
        false => TableError::Unreachable { database, reason },
    }
}

/// Converts an error that occurred while fetching rows. Arrow messages may quote a value.
pub(crate) fn unreadable(dialect: &Dialect, doing: &'static str, error: &ArrowError) -> TableError {
    let reason = match error {
        ArrowError::IoError(_, source) => source.kind().to_string(),
        _ => "the result ends prematurely".to_owned(),
    };
    TableError::Refused { database: dialect.name, doing, reason }
}

fn reason(dialect: &Dialect, error: &Error) -> String {
    let state = state(&error.sqlstate);
    let line = first_line(&error.message);
    match state {
        Some(state) if PLAIN_CLASSES.iter().any(|class| state.starts_with(class)) => {
            format!("{line} (SQLSTATE {state})")
        }
        // Messages about invalid values quote the values, so only the SQLSTATE is reported.
        Some(state) => format!("SQLSTATE {state}"),
        None if dialect.name == "DuckDB" => {
            match PLAIN_KINDS.iter().find(|kind| line.contains(*kind)) {
                Some(_) => line,
                None => line.split(':').next().unwrap_or_default().to_owned(),
            }
        }
        // Spark messages also quote values, so only their error class is reported.
        None if dialect.name == "Spark" => {
            let class = error.message.split(['[', ']']).find(|part| is_class(part));
            let status = format!("{:?}", error.status);
            class.map_or(status.clone(), |class| format!("{status}, {class}"))
        }
        None => line,
    }
}

/// Returns whether a part of a message is a Spark error class, such as TABLE_OR_VIEW_NOT_FOUND.
fn is_class(part: &str) -> bool {
    part.contains('_') && part.chars().all(|c| c.is_ascii_uppercase() || "_.".contains(c))
}

/// Returns the five-character SQLSTATE, if the driver provides one.
fn state(sqlstate: &[c_char; 5]) -> Option<String> {
    let text: String = sqlstate.iter().map(|&c| char::from(c as u8)).collect();
    let is_one = text.chars().all(|c| c.is_ascii_alphanumeric()) && text != "00000";
    is_one.then_some(text)
}

/// Returns the first line of a message without the driver prefixes.
fn first_line(message: &str) -> String {
    let line = message.lines().next().unwrap_or_default();
    let line = line.split("Query was:").next().unwrap_or_default();
    let behind = |mark: &str| line.split_once(mark).map(|(_, rest)| rest);
    let line = behind("ERROR:").or_else(|| behind("FATAL:")).unwrap_or(line);
    line.trim().trim_start_matches("[SQLite] ").trim_start_matches("[libpq] ").to_owned()
}

/// Returns whether another process is using the database or the table.
fn is_busy(error: &Error) -> bool {
    let mentions = |text: &str| error.message.contains(text);
    state(&error.sqlstate).is_some_and(|state| state == "55P03")
        || mentions("database is locked")
        || mentions("Could not set lock on file")
        || mentions("Conflict on")
        || mentions("conflict on")
}

#[cfg(test)]
mod tests {
    use adbc_core::error::Status;

    use super::*;
    use indistinct_sql::REGISTRY;

    fn shown(database: &str, sqlstate: &str, message: &str) -> String {
        let dialect = REGISTRY.iter().find(|dialect| dialect.name == database).expect("known");
        let mut error = Error::with_message_and_status(message, Status::Internal);
        for (place, byte) in error.sqlstate.iter_mut().zip(sqlstate.bytes()) {
            *place = byte as c_char;
        }
        reason(dialect, &error)
    }

    #[test]
    fn messages_quoting_values_are_omitted() {
        let quoting =
            "Failed: ERROR:  invalid input syntax for type integer: \"HIV\"\nQuery was: SELECT";
        assert_eq!(shown("PostgreSQL", "22P02", quoting), "SQLSTATE 22P02");
        let quoting = "INTERNAL: Conversion Error: Could not convert string 'HIV' to INT32";
        assert!(!shown("DuckDB", "", quoting).contains("HIV"));
        let missing = "NOT_FOUND: Failed to prepare query: ERROR:  relation \"nosuch\" does not \
                       exist\nLINE 1";
        assert_eq!(
            shown("PostgreSQL", "42P01", missing),
            "relation \"nosuch\" does not exist (SQLSTATE 42P01)"
        );
        let quoting =
            "[Spark] [CAST_INVALID_INPUT] The value 'HIV' of the type \"STRING\" cannot be cast";
        assert_eq!(shown("Spark", "", quoting), "Internal, CAST_INVALID_INPUT");
        assert_eq!(shown("Spark", "", "[Spark] the value HIV"), "Internal");
        assert_eq!(
            shown("SQLite", "", "[SQLite] no such table: t\nquery: SELECT"),
            "no such table: t"
        );
    }
}
