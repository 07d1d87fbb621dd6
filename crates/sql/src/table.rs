//! A table or a query of a database, as the engine reads it.

use std::sync::{Arc, Mutex, PoisonError};

use arrow_array::{Array, ArrayRef, RecordBatch, StringArray};
use arrow_schema::{Field, Schema, SchemaRef};
use indistinct_core::Observer;
use indistinct_dialect::{
    Column, Query, Source, TableName, count, distinct, one_select, scan, texts,
};
use indistinct_engine::{
    Batches, EngineError, InputColumn, InputSpec, Scan, Table, TableError, TakeTuples, cell_text,
};

use crate::connection::{Connection, Reader};
use crate::driver::Access;
use crate::fault::unreadable;
use crate::place::Place;

/// What looking for values that others tell apart asks for, in messages.
const JUDGING: &str = "to look at how values are written";

/// What counting asks for, in messages.
const COUNTING: &str = "to count";

/// The rows of a table or a query.
#[derive(Debug)]
pub(crate) struct SqlTable {
    pub(crate) place: Place,
    /// What is known of it.
    pub(crate) source: Source,
    /// The connection that reads, until the release is written through another one.
    session: Mutex<Option<Arc<Connection>>>,
}

impl SqlTable {
    /// Opens the table or the query that an input names.
    pub(crate) fn open(place: Place, spec: &InputSpec) -> Result<Self, TableError> {
        let named = match (&spec.table, &spec.query) {
            (Some(table), None) => Some(TableName::parse(table)?),
            (None, Some(_)) => None,
            _ => return Err(TableError::TableOrQuery),
        };
        let source = match (&named, &spec.query) {
            (Some(table), _) => table.sql(place.dialect().quoted),
            // A line of its own, so that a comment at the end of the query does not take the parenthesis.
            (None, Some(query)) => format!("({}\n)", one_select(query)?),
            (None, None) => return Err(TableError::TableOrQuery),
        };
        let connection = Arc::new(Connection::open(&place, Access::Read)?);
        Self::over(place, connection, source, named.as_ref(), spec.null_values.clone())
    }

    /// Rows that a connection sees.
    pub(crate) fn over(
        place: Place,
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

    /// The connection that reads; opened again where it was closed.
    fn session(&self) -> Result<Arc<Connection>, TableError> {
        let mut session = self.session.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(open) = &*session {
            return Ok(Arc::clone(open));
        }
        let open = Arc::new(Connection::open(&self.place, Access::Read)?);
        *session = Some(Arc::clone(&open));
        Ok(open)
    }

    /// Closes the connection that reads: a file of DuckDB is open for reading or for writing.
    pub(crate) fn close(&self) {
        *self.session.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }

    /// The distinct tokens of a column, as a connection sees them.
    pub(crate) fn distinct_tokens(
        &self,
        connection: &Arc<Connection>,
        column: usize,
    ) -> Result<StringArray, EngineError> {
        distinct(&self.source, &asking(connection), column)
    }
}

/// Runs queries on a connection.
fn asking(connection: &Arc<Connection>) -> impl Fn(&Query) -> Result<Batches, EngineError> + use<> {
    let connection = Arc::clone(connection);
    move |query| {
        let rows = connection.query(COUNTING, &query.sql)?;
        let dialect = connection.dialect;
        let read = move |batch: Result<_, _>| {
            batch.map_err(|error| unreadable(dialect, COUNTING, &error).into())
        };
        Ok(Box::new(rows.map(read)))
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
        let positions = self.source.positions(columns)?;
        let session = self.session()?;
        let reader = session.query("to read rows", &self.source.rows(&positions).sql)?;
        Ok(Box::new(Rows { reader: Some(reader), source: self.source.clone(), positions, session }))
    }

    fn told_apart(&self, columns: &[String]) -> Result<Option<String>, EngineError> {
        let session = self.session()?;
        for name in columns {
            let column = self.source.position(name)?;
            if let Some(kinds) = self.source.kinds(column)
                && session.has_row(JUDGING, &kinds.sql)?
            {
                return Ok(Some(name.clone()));
            }
            let spellings = session.texts(JUDGING, &self.source.spellings(column).sql)?;
            let tokens: StringArray = spellings.into_iter().map(|mut row| row.remove(0)).collect();
            let values = self.source.values(&tokens, column)?;
            let mut seen = std::collections::HashSet::new();
            for row in 0..values.len() {
                if !seen.insert(cell_text(&values, row, name)?.into_owned()) {
                    return Ok(Some(name.clone()));
                }
            }
        }
        Ok(None)
    }

    fn as_any(&self) -> &dyn std::any::Any {
        self
    }
}

/// The columns of a source, and what the database says of their types.
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

/// The rows of a source, one batch after the other.
struct Rows {
    reader: Option<Reader>,
    source: Source,
    positions: Vec<usize>,
    session: Arc<Connection>,
}

impl Rows {
    fn decode(&self, batch: &RecordBatch) -> Result<RecordBatch, EngineError> {
        let fail = |error| unreadable(self.session.dialect, "to read rows", &error);
        let decode = |(&column, tokens): (&usize, &ArrayRef)| {
            self.source.values(&texts(tokens).map_err(fail)?, column)
        };
        let arrays = self.positions.iter().zip(batch.columns()).map(decode);
        let arrays = arrays.collect::<Result<Vec<_>, EngineError>>()?;
        let field = |&at: &usize| {
            let InputColumn { name, data_type } = &self.source.columns[at];
            Field::new(name, data_type.clone(), true)
        };
        let schema: SchemaRef =
            Arc::new(Schema::new(self.positions.iter().map(field).collect::<Vec<_>>()));
        Ok(RecordBatch::try_new(schema, arrays).map_err(fail)?)
    }
}

impl Iterator for Rows {
    type Item = Result<RecordBatch, EngineError>;

    fn next(&mut self) -> Option<Self::Item> {
        let next = self.reader.as_mut()?.next();
        let decoded = match next {
            Some(Ok(batch)) => Some(self.decode(&batch)),
            Some(Err(error)) => {
                Some(Err(unreadable(self.session.dialect, "to read rows", &error).into()))
            }
            None => None,
        };
        if !matches!(decoded, Some(Ok(_))) {
            self.reader = None;
        }
        decoded
    }
}
