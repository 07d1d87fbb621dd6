//! Reads a release, consisting of the certificate files and the rows, from a database.

use std::path::Path;
use std::sync::Arc;

use indistinct_engine::{EngineError, Input, InputSpec, TableError};
use indistinct_sql::{TableName, unpack};

use crate::connection::Connection;
use crate::driver::Access;
use crate::place::DatabaseLocation;
use crate::table::named;

const READING: &str = "to read the release";

/// Writes the files of a release to a folder and opens its rows.
pub(crate) fn open(
    place: DatabaseLocation,
    spec: &InputSpec,
    folder: &Path,
) -> Result<Input, EngineError> {
    let name = spec.table.as_deref().ok_or(TableError::TableOrQuery)?;
    let table = TableName::parse(name)?;
    let quoted = place.dialect().quoted;
    let connection = Arc::new(Connection::open(&place, Access::Read)?);
    let no_release = || TableError::NoRelease { table: table.sql(quoted) };
    if !connection.has_table(&table)? || !connection.has_table(&table.certificate())? {
        return Err(no_release().into());
    }
    let sql = format!("SELECT s.file, s.content FROM {} AS s", table.certificate().sql(quoted));
    let files = connection.texts(READING, &sql)?;
    let texts: Option<Vec<(String, String)>> =
        files.iter().map(|row| Some((row.first()?.clone()?, row.get(1)?.clone()?))).collect();
    if !unpack(&texts.ok_or_else(no_release)?, folder)? {
        return Err(no_release().into());
    }
    let shown = place.address.into();
    Ok(Input::of_table(shown, Arc::new(named(&connection, &table)?)))
}
