//! A database connection with a single transaction.

use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

use adbc_core::options::{IngestMode, OptionConnection, OptionStatement};
use adbc_core::{Connection as _, Database as _, Driver as _, Optionable as _, Statement as _};
use adbc_driver_manager::{ManagedConnection, ManagedDatabase, ManagedStatement};
use arrow_array::{Array, RecordBatch, RecordBatchReader, StringArray};
use arrow_schema::SchemaRef;
use indistinct_core::Observer;
use indistinct_engine::{EngineError, TableError};
use indistinct_sql::{Dialect, TableName, texts, watched};

use crate::driver::{Access, Driver};
use crate::drivers;
use crate::fault::{refused, unopened, unreadable};
use crate::place::DatabaseLocation;

/// Reader of result rows.
pub(crate) type Reader = Box<dyn RecordBatchReader + Send>;

/// A connection in a transaction. Dropping the value without [`Connection::commit`] leaves the
/// database unchanged.
pub(crate) struct Connection {
    pub(crate) dialect: &'static Dialect,
    pub(crate) driver: &'static Driver,
    connection: Mutex<ManagedConnection>,
    /// The database, which must remain open while the connection is open.
    _database: ManagedDatabase,
}

impl std::fmt::Debug for Connection {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Connection({})", self.dialect.name)
    }
}

impl Connection {
    /// Opens a connection and starts a transaction.
    pub(crate) fn open(place: &DatabaseLocation, access: Access) -> Result<Self, TableError> {
        let dialect = place.dialect();
        let (mut driver, path) = drivers::load(place.driver)?;
        let opening = "to open the connection";
        let fail = |error| unopened(dialect, &path, &error);
        if place.driver.is_file && !Path::new(&place.rest).is_file() {
            let reason = format!("'{}' is not a file", place.rest);
            return Err(TableError::Unreachable { database: dialect.name, reason });
        }
        let options = (place.driver.options)(&place.address, &place.rest, access);
        let database = driver.new_database_with_opts(options).map_err(fail)?;
        let connection = database.new_connection().map_err(fail)?;
        let driver = place.driver;
        let this =
            Self { dialect, driver, connection: Mutex::new(connection), _database: database };
        for statement in dialect.session {
            this.execute(opening, statement)?;
        }
        if dialect.transactions {
            this.lock().set_option(OptionConnection::AutoCommit, false.into()).map_err(fail)?;
        }
        if access == Access::Read {
            for statement in place.driver.reading {
                this.execute(opening, statement)?;
            }
        }
        Ok(this)
    }

    fn lock(&self) -> MutexGuard<'_, ManagedConnection> {
        self.connection.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn statement(&self, doing: &'static str, sql: &str) -> Result<ManagedStatement, TableError> {
        let fail = |error| refused(self.dialect, doing, &error);
        let mut statement = self.lock().new_statement().map_err(fail)?;
        statement.set_sql_query(sql).map_err(fail)?;
        Ok(statement)
    }

    /// Runs a statement without a result.
    pub(crate) fn execute(&self, doing: &'static str, sql: &str) -> Result<(), TableError> {
        let mut statement = self.statement(doing, sql)?;
        statement.execute_update().map(|_| ()).map_err(|error| refused(self.dialect, doing, &error))
    }

    /// Runs a query. The rows must be read completely, or dropped, before the next statement.
    pub(crate) fn query(&self, doing: &'static str, sql: &str) -> Result<Reader, TableError> {
        let mut statement = self.statement(doing, sql)?;
        let reader = statement.execute().map_err(|error| refused(self.dialect, doing, &error))?;
        Ok(Box::new(OpenRows { reader, _statement: statement }))
    }

    /// Returns all batches of a query with a small result.
    pub(crate) fn fetch(
        &self,
        doing: &'static str,
        sql: &str,
    ) -> Result<Vec<RecordBatch>, TableError> {
        let rows = self.query(doing, sql)?;
        let batches = rows.collect::<Result<Vec<_>, _>>();
        batches.map_err(|error| unreadable(self.dialect, doing, &error))
    }

    /// Returns whether a query has a row.
    pub(crate) fn has_row(&self, doing: &'static str, sql: &str) -> Result<bool, TableError> {
        Ok(self.fetch(doing, sql)?.iter().any(|batch| batch.num_rows() > 0))
    }

    /// Returns the text columns of a query with a small result.
    pub(crate) fn texts(
        &self,
        doing: &'static str,
        sql: &str,
    ) -> Result<Vec<Vec<Option<String>>>, TableError> {
        let mut rows = Vec::new();
        for batch in self.fetch(doing, sql)? {
            let columns: Vec<StringArray> = batch
                .columns()
                .iter()
                .map(texts)
                .collect::<Result<_, _>>()
                .map_err(|error| unreadable(self.dialect, doing, &error))?;
            for row in 0..batch.num_rows() {
                let cell = |column: &StringArray| {
                    column.is_valid(row).then(|| column.value(row).to_owned())
                };
                rows.push(columns.iter().map(cell).collect());
            }
        }
        Ok(rows)
    }

    /// Creates a temporary table from a batch.
    pub(crate) fn load(&self, name: &str, batch: RecordBatch) -> Result<(), TableError> {
        let doing = "to create a temporary table";
        let fail = |error| refused(self.dialect, doing, &error);
        let mut statement = self.lock().new_statement().map_err(fail)?;
        statement.set_option(OptionStatement::Temporary, true.into()).map_err(fail)?;
        statement.set_option(OptionStatement::TargetTable, name.into()).map_err(fail)?;
        statement
            .set_option(OptionStatement::IngestMode, IngestMode::Create.into())
            .map_err(fail)?;
        statement.bind(batch).map_err(fail)?;
        statement.execute_update().map(|_| ()).map_err(fail)
    }

    /// Returns whether a table or view of this name exists.
    pub(crate) fn has_table(&self, table: &TableName) -> Result<bool, TableError> {
        self.has_row("to look up the table", &(self.driver.exists)(table))
    }

    /// Calls a function that runs statements. If the observer cancels the operation and the driver
    /// supports cancellation, the running statement is cancelled.
    pub(crate) fn watched<T>(
        &self,
        observer: &dyn Observer,
        run: impl FnOnce() -> Result<T, EngineError>,
    ) -> Result<T, EngineError> {
        // If the driver does not support cancellation, the statement runs to completion.
        watched(observer, &|| drop(self.lock().cancel()), run)
    }

    /// Commits the transaction.
    pub(crate) fn commit(&self) -> Result<(), TableError> {
        self.lock().commit().map_err(|error| refused(self.dialect, "to commit", &error))
    }

    /// Rolls back the transaction.
    pub(crate) fn rollback(&self) {
        // If the connection is lost, the database rolls back the transaction.
        let _ = self.lock().rollback();
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        self.rollback();
    }
}

/// Result rows with their statement. Some drivers require the statement to remain open.
struct OpenRows {
    reader: Reader,
    _statement: ManagedStatement,
}

impl Iterator for OpenRows {
    type Item = Result<RecordBatch, arrow_schema::ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.reader.next()
    }
}

impl RecordBatchReader for OpenRows {
    fn schema(&self) -> SchemaRef {
        self.reader.schema()
    }
}
