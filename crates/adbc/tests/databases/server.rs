//! Database servers of the tests, with connections that are independent of the engine.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use adbc_core::options::{
    AdbcVersion, IngestMode, OptionConnection, OptionDatabase, OptionStatement,
};
use adbc_core::{Connection as _, Database as _, Driver as _, Optionable as _, Statement as _};
use adbc_driver_manager::{ManagedConnection, ManagedDriver};
use arrow_array::{Array, ArrayRef, RecordBatch, StringArray, cast::AsArray};
use arrow_cast::cast;
use arrow_schema::DataType;

/// A database that the tests may modify without restrictions.
pub struct Server {
    pub name: &'static str,
    /// Address of the database for the engine.
    pub address: String,
    entrypoint: Option<&'static [u8]>,
    options: Vec<(OptionDatabase, String)>,
    driver: PathBuf,
    _folder: Option<tempfile::TempDir>,
}

/// Skips a database with a reason; the CI environment does not allow skipping.
fn skip(what: &str) -> Option<Server> {
    assert!(
        std::env::var_os("INDISTINCT_TEST_DATABASES").is_none(),
        "INDISTINCT_TEST_DATABASES is set, but {what}"
    );
    eprintln!("SKIPPED: {what}; `.ci/databases` sets up the test databases");
    None
}

fn driver(name: &str) -> Option<PathBuf> {
    let found = indistinct_adbc::drivers::found().into_iter().find(|one| one.database == name)?;
    found.driver
}

/// Returns a name that no other test uses.
pub fn unique(stem: &str) -> String {
    static NEXT: AtomicUsize = AtomicUsize::new(0);
    format!("{stem}_{}_{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed))
}

pub fn postgresql() -> Option<Server> {
    let name = "PostgreSQL";
    let Ok(address) = std::env::var("INDISTINCT_TEST_POSTGRESQL") else {
        return skip("PostgreSQL is missing (INDISTINCT_TEST_POSTGRESQL)");
    };
    let Some(driver) = driver(name) else { return skip("the PostgreSQL driver is missing") };
    let options = vec![(OptionDatabase::Uri, address.clone())];
    Some(Server { name, address, entrypoint: None, options, driver, _folder: None })
}

pub fn sqlite() -> Option<Server> {
    let name = "SQLite";
    let Some(driver) = driver(name) else { return skip("the SQLite driver is missing") };
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a file?#%.db");
    let address = format!("sqlite:{}", path.display());
    let options = vec![(OptionDatabase::Uri, path.display().to_string())];
    Some(Server { name, address, entrypoint: None, options, driver, _folder: Some(folder) })
}

pub fn duckdb() -> Option<Server> {
    let name = "DuckDB";
    let Some(driver) = driver(name) else { return skip("the DuckDB driver is missing") };
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.duckdb");
    let address = format!("duckdb:{}", path.display());
    let options = vec![(OptionDatabase::Other("path".to_owned()), path.display().to_string())];
    let entrypoint = Some(b"duckdb_adbc_init".as_slice());
    Some(Server { name, address, entrypoint, options, driver, _folder: Some(folder) })
}

/// Returns all available databases.
pub fn all() -> Vec<Server> {
    [postgresql(), sqlite(), duckdb()].into_iter().flatten().collect()
}

/// Quotes a name for SQL, independently of the engine.
pub fn quoted(name: &str) -> String {
    let mut text = String::from("\"");
    for c in name.chars() {
        if c == '"' {
            text.push('"');
        }
        text.push(c);
    }
    text + "\""
}

impl Server {
    fn connect(&self) -> ManagedConnection {
        let version = AdbcVersion::V110;
        let driver =
            ManagedDriver::load_dynamic_from_filename(&self.driver, self.entrypoint, version);
        let options = self.options.iter().map(|(key, value)| (key.clone(), value.as_str().into()));
        let database = driver.expect("a driver").new_database_with_opts(options);
        database.expect("a database").new_connection().expect("a connection")
    }

    /// Runs statements one after another.
    pub fn run(&self, statements: &[&str]) {
        let mut connection = self.connect();
        for sql in statements {
            let mut statement = connection.new_statement().expect("a statement");
            statement.set_sql_query(sql).expect("taken");
            if let Err(error) = statement.execute_update() {
                panic!("{}: {sql}: {error}", self.name);
            }
        }
    }

    /// Runs a statement in a transaction that remains open until the connection is dropped.
    pub fn holding(&self, sql: &str) -> ManagedConnection {
        let mut connection = self.connect();
        connection.set_option(OptionConnection::AutoCommit, "false".into()).expect("taken");
        let mut statement = connection.new_statement().expect("a statement");
        statement.set_sql_query(sql).expect("taken");
        statement.execute_update().expect("it runs");
        drop(statement);
        connection
    }

    /// Returns the cells of a query result as strings, with an empty string for NULL.
    pub fn rows(&self, sql: &str) -> Vec<Vec<String>> {
        let mut connection = self.connect();
        let mut statement = connection.new_statement().expect("a statement");
        statement.set_sql_query(sql).expect("taken");
        let reader = match statement.execute() {
            Ok(reader) => reader,
            Err(error) => panic!("{}: {sql}: {error}", self.name),
        };
        let mut rows = Vec::new();
        for batch in reader {
            let batch = batch.expect("a batch");
            let texts = batch.columns().iter().map(|it| cast(it, &DataType::Utf8).expect("texts"));
            let texts: Vec<ArrayRef> = texts.collect();
            for row in 0..batch.num_rows() {
                let cell = |array: &ArrayRef| {
                    let array = array.as_string::<i32>();
                    if array.is_null(row) { String::new() } else { array.value(row).to_owned() }
                };
                rows.push(texts.iter().map(cell).collect());
            }
        }
        rows
    }

    /// Creates a table of text columns.
    pub fn load(&self, table: &str, columns: &[&str], rows: &[Vec<Option<String>>]) {
        let mut connection = self.connect();
        let array = |at: usize| -> ArrayRef {
            Arc::new(rows.iter().map(|row| row[at].clone()).collect::<StringArray>())
        };
        let arrays = columns.iter().enumerate().map(|(at, name)| (*name, array(at), true));
        let batch = RecordBatch::try_from_iter_with_nullable(arrays)
            .expect("the columns have the same length");
        let mut statement = connection.new_statement().expect("a statement");
        statement.set_option(OptionStatement::TargetTable, table.into()).expect("taken");
        statement
            .set_option(OptionStatement::IngestMode, IngestMode::Create.into())
            .expect("taken");
        statement.bind(batch).expect("taken");
        statement.execute_update().expect("loaded");
    }

    /// Returns whether a table exists, by querying it.
    pub fn has(&self, table: &str) -> bool {
        let mut connection = self.connect();
        let mut statement = connection.new_statement().expect("a statement");
        let sql = format!("SELECT 1 FROM {} WHERE 1 = 0", quoted(table));
        // DuckDB looks up the table when the query is set.
        statement.set_sql_query(sql).is_ok() && statement.execute().is_ok()
    }
}

/// A temporary folder for policies, input files, and releases.
pub struct Scene {
    pub folder: tempfile::TempDir,
}

impl Scene {
    pub fn new() -> Self {
        Self { folder: tempfile::tempdir().expect("a folder") }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.path(name);
        std::fs::write(&path, text).expect("written");
        path
    }
}

/// Returns the files of a folder with their content.
pub fn files(folder: &Path) -> std::collections::BTreeMap<String, Vec<u8>> {
    let mut found = std::collections::BTreeMap::new();
    let mut open = vec![folder.to_owned()];
    while let Some(at) = open.pop() {
        for entry in std::fs::read_dir(at).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                open.push(path);
            } else {
                let name = path.strip_prefix(folder).expect("within").display().to_string();
                found.insert(name, std::fs::read(&path).expect("read"));
            }
        }
    }
    found
}
