//! A release in a database, read back: the files of its certificate, and its rows.

use std::path::{Component, Path};
use std::sync::Arc;

use indistinct_dialect::TableName;
use indistinct_engine::{EngineError, Input, InputSpec, TableError};

use crate::connection::Connection;
use crate::driver::Access;
use crate::place::Place;
use crate::publish::CERTIFICATE;
use crate::table::SqlTable;

/// The most bytes that the files of a release have, its rows apart.
const LIMIT_BYTES: usize = 256 << 20;

const READING: &str = "to read the release";

/// Writes the files of a release into a folder, and opens its rows.
pub(crate) fn open(place: Place, spec: &InputSpec, folder: &Path) -> Result<Input, EngineError> {
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
    let mut n_bytes = 0;
    for row in &files {
        let [Some(name), Some(content)] = row.as_slice() else { return Err(no_release().into()) };
        n_bytes += content.len();
        // Whoever can write to the database names these files.
        let is_inside =
            Path::new(name).components().all(|part| matches!(part, Component::Normal(_)));
        if !is_inside || name.is_empty() || n_bytes > LIMIT_BYTES {
            return Err(no_release().into());
        }
        let path = folder.join(name);
        let written = path.parent().map_or(Ok(()), std::fs::create_dir_all);
        let written = written.and_then(|()| {
            use std::io::Write;
            std::fs::File::create_new(&path)?.write_all(content.as_bytes())
        });
        written.map_err(|source| EngineError::Read { path, source })?;
    }
    if !files.iter().any(|row| row[0].as_deref() == Some(CERTIFICATE)) {
        return Err(no_release().into());
    }
    let shown = place.address.clone().into();
    let rows = SqlTable::over(place, connection, table.sql(quoted), Some(&table), Vec::new())?;
    Ok(Input::of_table(shown, Arc::new(rows)))
}
