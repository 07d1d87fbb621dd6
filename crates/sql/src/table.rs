//! A table or a query of a database, as the engine reads it.

use std::sync::{Arc, Mutex, PoisonError};

use arrow_array::{Array, ArrayRef, RecordBatch, StringArray};
use arrow_schema::{Field, Schema, SchemaRef};
use indistinct_core::{Observer, Phase};
use indistinct_engine::{
    Batches, EngineError, InputColumn, InputSpec, Table, TableError, TakeTuples, cell_text,
};

use crate::connection::{Connection, Reader, numbers};
use crate::dialect::{Access, Column};
use crate::fault::unreadable;
use crate::name::{TableName, quoted};
use crate::place::Place;
use crate::query::one_select;
use crate::token::{decoded, texts};

/// What counting asks for, in messages.
const COUNTING: &str = "to count";

/// The rows of a table or a query.
#[derive(Debug)]
pub(crate) struct SqlTable {
    pub(crate) place: Place,
    /// What stands behind FROM, before an alias.
    pub(crate) source: String,
    columns: Vec<InputColumn>,
    described: Vec<Column>,
    null_values: Vec<String>,
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
            (Some(table), _) => table.sql(),
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
        Ok(Self { place, source, columns, described, null_values, session })
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

    /// The place of a column.
    pub(crate) fn position(&self, name: &str) -> Result<usize, EngineError> {
        let found = self.columns.iter().position(|column| column.name == name);
        found.ok_or_else(|| EngineError::UnknownColumn { column: name.to_owned(), nearest: None })
    }

    /// The token of a column's value in a row of a table that is called `alias`.
    pub(crate) fn token(&self, alias: &str, column: usize) -> String {
        let expression = format!("{alias}.{}", quoted(&self.columns[column].name));
        (self.place.dialect.token)(&expression, &self.described[column])
    }

    /// Values of a column from their tokens.
    pub(crate) fn values(&self, tokens: &ArrayRef, column: usize) -> Result<ArrayRef, EngineError> {
        let InputColumn { name, data_type } = &self.columns[column];
        let dialect = self.place.dialect;
        let tokens = texts(tokens).map_err(|error| unreadable(dialect, COUNTING, &error))?;
        decoded(&tokens, data_type, &self.null_values, name)
    }

    /// The distinct tokens of a column, as a connection sees them.
    pub(crate) fn distinct_tokens(
        &self,
        connection: &Connection,
        column: usize,
    ) -> Result<StringArray, EngineError> {
        let sql = format!(
            "SELECT DISTINCT {} AS \"v\" FROM {} AS s",
            self.token("s", column),
            self.source
        );
        let mut all: Vec<String> = Vec::new();
        for batch in connection.query(COUNTING, &sql)? {
            let batch = batch.map_err(|error| unreadable(connection.dialect, COUNTING, &error))?;
            let tokens = texts(batch.column(0))
                .map_err(|error| unreadable(connection.dialect, COUNTING, &error))?;
            all.extend(tokens.iter().map(|token| token.unwrap_or_default().to_owned()));
        }
        Ok(StringArray::from(all))
    }

    fn positions(&self, names: &[String]) -> Result<Vec<usize>, EngineError> {
        names.iter().map(|name| self.position(name)).collect()
    }
}

impl Table for SqlTable {
    fn columns(&self) -> &[InputColumn] {
        &self.columns
    }

    fn tuples(
        &self,
        columns: &[String],
        observer: &dyn Observer,
        take: TakeTuples<'_>,
    ) -> Result<(), EngineError> {
        let positions = self.positions(columns)?;
        let tokens = positions.iter().enumerate();
        let tokens: Vec<String> = tokens
            .map(|(at, &column)| format!("{} AS \"c{at}\"", self.token("s", column)))
            .collect();
        let by: Vec<String> = (1..=positions.len()).map(|at| at.to_string()).collect();
        let grouped = match by.is_empty() {
            true => String::new(),
            false => format!(" GROUP BY {}", by.join(", ")),
        };
        let (selected, from) = (tokens.join(", "), &self.source);
        let comma = if positions.is_empty() { "" } else { ", " };
        let sql = format!(
            "SELECT {selected}{comma}CAST(COUNT(*) AS bigint) AS \"n\" FROM {from} AS s{grouped}"
        );
        let session = self.session()?;
        let mut n_rows = 0;
        for batch in session.query(COUNTING, &sql)? {
            if observer.is_cancelled() {
                return Err(EngineError::Cancelled);
            }
            let batch = batch.map_err(|error| unreadable(session.dialect, COUNTING, &error))?;
            let values = positions.iter().zip(batch.columns());
            let values: Vec<ArrayRef> = values
                .map(|(&column, tokens)| self.values(tokens, column))
                .collect::<Result<_, _>>()?;
            let counts = numbers(&batch, positions.len()).ok_or(TableError::Refused {
                database: session.dialect.name,
                doing: COUNTING,
                reason: "the answer has no counts".to_owned(),
            })?;
            let counts: Vec<u64> =
                counts.values().iter().map(|&n| u64::try_from(n).unwrap_or(0)).collect();
            n_rows += counts.iter().sum::<u64>();
            take(&values, &counts)?;
            observer.progress(Phase::Count, n_rows, 0);
        }
        Ok(())
    }

    fn batches(&self, columns: &[String]) -> Result<Batches, EngineError> {
        let positions = self.positions(columns)?;
        let tokens = positions.iter().enumerate();
        let tokens: Vec<String> = tokens
            .map(|(at, &column)| format!("{} AS \"c{at}\"", self.token("s", column)))
            .collect();
        let sql = format!("SELECT {} FROM {} AS s", tokens.join(", "), self.source);
        let session = self.session()?;
        let reader = session.query("to read rows", &sql)?;
        let columns = positions.iter().map(|&at| self.columns[at].clone()).collect();
        let null_values = self.null_values.clone();
        Ok(Box::new(Rows { reader: Some(reader), columns, null_values, session }))
    }

    fn told_apart(&self, columns: &[String]) -> Result<Option<String>, EngineError> {
        let session = self.session()?;
        for name in columns {
            let column = self.position(name)?;
            let tokens: ArrayRef = Arc::new(self.distinct_tokens(&session, column)?);
            let values = self.values(&tokens, column)?;
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
    let dialect = connection.dialect;
    let doing = "to describe the table";
    let schema =
        connection.query(doing, &format!("SELECT * FROM {source} AS s WHERE 1 = 0"))?.schema();
    let declared = match (dialect.declared, named) {
        (Some(declared), Some(table)) => connection.texts(doing, &declared(table))?,
        _ => Vec::new(),
    };
    let plain = |text: &Option<String>| {
        text.as_deref().and_then(|it| it.strip_prefix('=')).unwrap_or_default().to_owned()
    };
    let declared_of = |field: &Field| match dialect.declared {
        Some(_) => {
            let row = declared.iter().find(|row| plain(&row[0]) == *field.name());
            row.map(|row| plain(&row[1]).to_lowercase()).unwrap_or_default()
        }
        None => field.data_type().to_string().to_lowercase(),
    };
    let (mut columns, mut described) = (Vec::new(), Vec::new());
    for field in schema.fields() {
        let declared = declared_of(field);
        let data_type = (dialect.read_as)(field, &declared);
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
    columns: Vec<InputColumn>,
    null_values: Vec<String>,
    session: Arc<Connection>,
}

impl Rows {
    fn decode(&self, batch: &RecordBatch) -> Result<RecordBatch, EngineError> {
        let fail = |error| unreadable(self.session.dialect, "to read rows", &error);
        let decode = |(column, tokens): (&InputColumn, &ArrayRef)| {
            let tokens = texts(tokens).map_err(fail)?;
            decoded(&tokens, &column.data_type, &self.null_values, &column.name)
        };
        let arrays = self.columns.iter().zip(batch.columns()).map(decode);
        let arrays = arrays.collect::<Result<Vec<_>, EngineError>>()?;
        let field = |column: &InputColumn| Field::new(&column.name, column.data_type.clone(), true);
        let schema: SchemaRef =
            Arc::new(Schema::new(self.columns.iter().map(field).collect::<Vec<_>>()));
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
