//! A database table or query as an input table of the engine.

use std::sync::{Arc, Mutex, PoisonError};

use arrow_array::{RecordBatch, StringArray};
use arrow_schema::Field;
use indistinct_core::Observer;
use indistinct_engine::{
    Batches, EngineError, InputColumn, InputSpec, Scan, Table, TableError, TakeTuples,
};
use indistinct_sql::{
    Column, Query, Source, TableName, count, distinct, distinguishable, one_select, rows, scan,
};

use crate::connection::{Connection, Reader};
use crate::driver::{Access, Snapshot};
use crate::fault::unreadable;
use crate::place::DatabaseLocation;

/// How messages describe counting.
const COUNTING: &str = "to count";

/// Rows of a table or query.
#[derive(Debug)]
pub(crate) struct SqlTable {
    pub(crate) place: DatabaseLocation,
    /// Columns and dialect of the table.
    pub(crate) source: Source,
    /// The connection for reading, which is closed before another connection writes the release.
    session: Mutex<Option<Arc<Connection>>>,
}

impl SqlTable {
    /// Opens the table or query of an input specification.
    pub(crate) fn open(place: DatabaseLocation, spec: &InputSpec) -> Result<Self, TableError> {
        let named = match (&spec.table, &spec.query) {
            (Some(table), None) => Some(TableName::parse(table)?),
            (None, Some(_)) => None,
            _ => return Err(TableError::TableOrQuery),
        };
        let source = match (&named, &spec.query) {
            (Some(table), _) => table.sql(place.dialect().quoted),
            // If the query ends with a comment, the line break prevents the comment from hiding the
            // parenthesis.
            (None, Some(query)) => format!("({}\n)", one_select(query)?),
            (None, None) => return Err(TableError::TableOrQuery),
        };
        let connection = Arc::new(Connection::open(&place, Access::Read)?);
        Self::over(place, connection, source, named.as_ref(), spec.null_values.clone())
    }

    /// Creates a table from the rows that a connection returns.
    pub(crate) fn over(
        place: DatabaseLocation,
        connection: Arc<Connection>,
        source: String,
        named: Option<&TableName>,
        null_values: Vec<String>,
    ) -> Result<Self, TableError> {
        let (columns, described) = describe(&connection, &source, named)?;
        let session = Mutex::new(Some(connection));
        let source =
            Source { dialect: place.dialect(), from: source, columns, described, null_values };
        Ok(Self { place, source, session })
    }

    /// Returns the connection for reading, and reopens it if necessary.
    fn session(&self) -> Result<Arc<Connection>, TableError> {
        let mut session = self.session.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(open) = &*session {
            return Ok(Arc::clone(open));
        }
        let open = Arc::new(Connection::open(&self.place, Access::Read)?);
        *session = Some(Arc::clone(&open));
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
        let names = self.session()?.texts(doing, export).unwrap_or_default();
        let name = names.first().and_then(|row| row.first()?.as_deref());
        let connection = Connection::open(&self.place, Access::Write)?;
        for statement in name.map(import).unwrap_or_default() {
            connection.execute(doing, &statement)?;
        }
        self.close();
        Ok(connection)
    }

    fn close(&self) {
        *self.session.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }

    /// Returns the distinct tokens of a column through the given connection.
    pub(crate) fn distinct_tokens(
        &self,
        connection: &Arc<Connection>,
        column: usize,
    ) -> Result<StringArray, EngineError> {
        distinct(&self.source, &asking(connection), column)
    }
}

/// Returns a function that runs queries on a connection.
fn asking(connection: &Arc<Connection>) -> impl Fn(&Query) -> Result<Batches, EngineError> + use<> {
    let connection = Arc::clone(connection);
    move |query| {
        let doing = if query.kind == "rows" { "to read rows" } else { COUNTING };
        let reader = Some(connection.query(doing, &query.sql)?);
        Ok(Box::new(Rows { reader, doing, connection: Arc::clone(&connection) }))
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

impl Table for SqlTable {
    fn columns(&self) -> &[InputColumn] {
        &self.source.columns
    }

    fn tuples(
        &self,
        columns: &[String],
        observer: &dyn Observer,
        take: TakeTuples<'_>,
    ) -> Result<(), EngineError> {
        let session = self.session()?;
        let run = || count(&self.source, &asking(&session), columns, observer, take);
        session.watched(observer, run)
    }

    fn scan(
        &self,
        columns: &[String],
        together: &[String],
        observer: &dyn Observer,
    ) -> Result<Option<Scan>, EngineError> {
        let session = self.session()?;
        let run = || scan(&self.source, &asking(&session), columns, together, observer);
        session.watched(observer, run).map(Some)
    }

    fn batches(&self, columns: &[String]) -> Result<Batches, EngineError> {
        let session = self.session()?;
        rows(&self.source, &asking(&session), columns)
    }

    fn distinguishable(&self, columns: &[String]) -> Result<Option<String>, EngineError> {
        let session = self.session()?;
        distinguishable(&self.source, &asking(&session), columns)
    }

    fn as_any(&self) -> &dyn std::any::Any {
        self
    }
}

/// Returns the columns of a source and their declared types.
fn describe(
    connection: &Connection,
    source: &str,
    named: Option<&TableName>,
) -> Result<(Vec<InputColumn>, Vec<Column>), TableError> {
    let driver = connection.driver;
    let doing = "to describe the table";
    let schema =
        connection.query(doing, &format!("SELECT * FROM {source} AS s WHERE 1 = 0"))?.schema();
    let declared = match (driver.declared, named) {
        (Some(declared), Some(table)) => connection.texts(doing, &declared(table))?,
        _ => Vec::new(),
    };
    let plain = |text: &Option<String>| {
        text.as_deref().and_then(|it| it.strip_prefix('=')).unwrap_or_default().to_owned()
    };
    let declared_of = |field: &Field| match driver.declared {
        Some(_) => {
            let row = declared.iter().find(|row| plain(&row[0]) == *field.name());
            row.map(|row| plain(&row[1]).to_lowercase()).unwrap_or_default()
        }
        None => field.data_type().to_string().to_lowercase(),
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
    Ok((columns, described))
}
