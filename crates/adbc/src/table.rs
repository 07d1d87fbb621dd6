//! A database table or query as an input table for the engine.

use std::sync::{Arc, Mutex, PoisonError};

use arrow_array::RecordBatch;
use arrow_schema::Field;
use indistinct_core::Observer;
use indistinct_engine::{Batches, EngineError, InputColumn, InputSpec, TableError};
use indistinct_sql::{Client, Column, QueriedTable, Query, ROWS, Source, TableName, one_select};

use crate::connection::{Connection, Reader};
use crate::driver::{Access, Snapshot};
use crate::fault::unreadable;
use crate::place::DatabaseLocation;

/// The connection for reading a table.
#[derive(Debug)]
pub(crate) struct Reading {
    pub(crate) place: DatabaseLocation,
    /// The connection, or `None` if it was closed because another connection writes the release.
    connection: Mutex<Option<Arc<Connection>>>,
}

impl Reading {
    /// Returns the connection and reopens it if necessary.
    fn connection(&self) -> Result<Arc<Connection>, TableError> {
        let mut connection = self.connection.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(open) = &*connection {
            return Ok(Arc::clone(open));
        }
        let open = Arc::new(Connection::open(&self.place, Access::Read)?);
        *connection = Some(Arc::clone(&open));
        Ok(open)
    }

    /// Opens a connection that writes the release. If the database can share a snapshot, the
    /// connection reads the rows that were counted, even if the table has changed since. The
    /// connection for reading is closed, because DuckDB opens a file either for reading or for
    /// writing.
    pub(crate) fn to_write(&self) -> Result<Connection, TableError> {
        let doing = "to share the snapshot of the counted rows";
        let Some(Snapshot { export, import }) = &self.place.driver.snapshot else {
            self.close();
            return Connection::open(&self.place, Access::Write);
        };
        // If the connection was lost or the server cannot share snapshots, the staged rows are
        // counted anyway, so a change of the table is still detected.
        let names = self.connection()?.texts(doing, export).unwrap_or_default();
        let name = names.first().and_then(|row| row.first()?.as_deref());
        let connection = Connection::open(&self.place, Access::Write)?;
        for statement in name.map(import).unwrap_or_default() {
            connection.execute(doing, &statement)?;
        }
        self.close();
        Ok(connection)
    }

    fn close(&self) {
        *self.connection.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }
}

impl Client for Reading {
    fn ask(&self, query: &Query) -> Result<Batches, EngineError> {
        Open(self.connection()?).ask(query)
    }

    fn watched<T>(
        &self,
        observer: &dyn Observer,
        run: impl FnOnce() -> Result<T, EngineError>,
    ) -> Result<T, EngineError> {
        self.connection()?.watched(observer, run)
    }
}

/// An open connection.
#[derive(Debug)]
pub(crate) struct Open(pub(crate) Arc<Connection>);

impl Client for Open {
    fn ask(&self, query: &Query) -> Result<Batches, EngineError> {
        let doing = if query.kind == ROWS { "to read rows" } else { "to count" };
        let reader = Some(self.0.query(doing, &query.sql)?);
        Ok(Box::new(Rows { reader, doing, connection: Arc::clone(&self.0) }))
    }

    fn watched<T>(
        &self,
        observer: &dyn Observer,
        run: impl FnOnce() -> Result<T, EngineError>,
    ) -> Result<T, EngineError> {
        self.0.watched(observer, run)
    }
}

/// Result rows that keep their statement and connection open.
struct Rows {
    reader: Option<Reader>,
    doing: &'static str,
    connection: Arc<Connection>,
}

impl Iterator for Rows {
    type Item = Result<RecordBatch, EngineError>;

    fn next(&mut self) -> Option<Self::Item> {
        let next = self.reader.as_mut()?.next();
        if !matches!(next, Some(Ok(_))) {
            self.reader = None;
        }
        let unread = |error| unreadable(self.connection.dialect, self.doing, &error).into();
        next.map(|batch| batch.map_err(unread))
    }
}

/// Opens the table or query that an input specification names.
pub(crate) fn open(
    place: DatabaseLocation,
    spec: &InputSpec,
) -> Result<QueriedTable<Reading>, TableError> {
    let (from, named) = match (&spec.table, &spec.query) {
        (Some(table), None) => {
            let table = TableName::parse(table)?;
            (table.sql(place.dialect().quoted), Some(table))
        }
        // If the query ends with a comment, the line break prevents the comment from hiding the
        // parenthesis.
        (None, Some(query)) => (format!("({}\n)", one_select(query)?), None),
        _ => return Err(TableError::TableOrQuery),
    };
    let connection = Arc::new(Connection::open(&place, Access::Read)?);
    let source = source(&connection, from, named.as_ref(), spec.null_values.clone())?
        .without_null_values(spec);
    let client = Reading { place, connection: Mutex::new(Some(connection)) };
    Ok(QueriedTable { source, client })
}

/// Opens a table of a release.
pub(crate) fn named(
    connection: &Arc<Connection>,
    table: &TableName,
) -> Result<QueriedTable<Open>, TableError> {
    let from = table.sql(connection.dialect.quoted);
    let source = source(connection, from, Some(table), Vec::new())?;
    Ok(QueriedTable { source, client: Open(Arc::clone(connection)) })
}

/// Returns the declared types of the columns of a query. A temporary view shows them for drivers
/// whose results have no types.
fn declared_of_query(
    connection: &Connection,
    from: &str,
    declared: fn(&TableName) -> String,
) -> Result<Vec<Vec<Option<String>>>, TableError> {
    let doing = "to describe the query";
    let view = TableName::parse("temp.indistinct_query")?;
    let name = view.sql(connection.dialect.quoted);
    connection.execute(doing, &format!("CREATE VIEW {name} AS SELECT * FROM {from} AS s"))?;
    let found = connection.texts(doing, &declared(&view));
    connection.execute(doing, &format!("DROP VIEW {name}"))?;
    found
}

/// Describes the columns of a table or query and their declared types.
fn source(
    connection: &Connection,
    from: String,
    named: Option<&TableName>,
    null_values: Vec<String>,
) -> Result<Source, TableError> {
    let driver = connection.driver;
    let doing = "to describe the table";
    let schema =
        connection.query(doing, &format!("SELECT * FROM {from} AS s WHERE 1 = 0"))?.schema();
    let declared = match (driver.declared, named) {
        (Some(declared), Some(table)) => connection.texts(doing, &declared(table))?,
        (Some(declared), None) => declared_of_query(connection, &from, declared)?,
        (None, _) => Vec::new(),
    };
    let plain = |text: &Option<String>| {
        text.as_deref().and_then(|it| it.strip_prefix('=')).unwrap_or_default().to_owned()
    };
    let declared_of = |field: &Field| match driver.declared {
        Some(_) => {
            let row = declared.iter().find(|row| plain(&row[0]) == *field.name());
            row.map(|row| plain(&row[1]).to_lowercase()).unwrap_or_default()
        }
        None => match field.metadata().get("POSTGRESQL:type") {
            Some(named) => named.to_lowercase(),
            None => field.data_type().to_string().to_lowercase(),
        },
    };
    let (mut columns, mut described) = (Vec::new(), Vec::new());
    for field in schema.fields() {
        let declared = declared_of(field);
        let data_type = (driver.read_as)(field, &declared);
        if columns.iter().any(|column: &InputColumn| column.name == *field.name()) {
            return Err(TableError::SameName { column: field.name().clone() });
        }
        columns.push(InputColumn { name: field.name().clone(), data_type });
        described.push(Column { declared });
    }
    Ok(Source { dialect: connection.dialect, from, columns, described, null_values })
}
