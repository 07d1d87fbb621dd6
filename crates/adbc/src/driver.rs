//! Drivers for each kind of database: addresses, driver files, and additional statements.

use adbc_core::options::{OptionDatabase, OptionValue};
use arrow_schema::{DataType, Field};
use indistinct_sql::{Dialect, TableName, common_type, find, literal, quoted};

/// Purpose of a connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Access {
    /// Read-only access, which the database enforces.
    Read,
    /// Access for writing a release.
    Write,
}

/// Driver and connection settings of one kind of database.
#[derive(Debug)]
pub(crate) struct Driver {
    /// Scheme of the dialect in addresses.
    scheme: &'static str,
    /// Schemes of database addresses.
    pub(crate) schemes: &'static [&'static str],
    /// Whether an address names a local file.
    pub(crate) is_file: bool,
    /// Package that contains the driver.
    pub(crate) package: &'static str,
    /// Instructions for installing the driver, with `{}` as a placeholder for the folder.
    pub(crate) install: &'static str,
    /// Paths of the driver library, relative to a driver folder.
    pub(crate) libraries: &'static [&'static str],
    /// Entry point of the driver, if it differs from the default.
    pub(crate) entrypoint: Option<&'static [u8]>,
    /// Returns the connection options, given an address, its part after the scheme, and the access
    /// mode.
    pub(crate) options: fn(&str, &str, Access) -> Vec<(OptionDatabase, OptionValue)>,
    /// Initial statements of a read-only transaction.
    pub(crate) reading: &'static [&'static str],
    /// Statements for sharing the snapshot of a reading transaction; `None` if a writing
    /// transaction cannot read the same snapshot.
    pub(crate) snapshot: Option<Snapshot>,
    /// Returns a query that yields a row if the table exists.
    pub(crate) exists: fn(&TableName) -> String,
    /// Returns a query for the name and declared type of each column, for drivers whose results
    /// have no types.
    pub(crate) declared: Option<fn(&TableName) -> String>,
    /// Returns the data type to use when reading a result column with the given declared type.
    pub(crate) read_as: fn(&Field, &str) -> DataType,
    /// Returns a query that locks the target until the transaction ends and yields the text `true`
    /// if no other process holds the lock. `None` if writing already locks the target.
    pub(crate) lock: Option<fn(i64) -> String>,
}

/// Statements that let a second transaction read the snapshot of the first transaction.
#[derive(Debug)]
pub(crate) struct Snapshot {
    /// Query that returns the name of the snapshot. The name is valid until the transaction ends.
    pub(crate) export: &'static str,
    /// Returns the initial statements of a transaction that reads the snapshot with a given name.
    pub(crate) import: fn(&str) -> Vec<String>,
}

impl Driver {
    /// Returns the SQL dialect of the database.
    pub(crate) fn dialect(&self) -> &'static Dialect {
        find(self.scheme).expect("every driver has a dialect")
    }
}

/// All drivers.
pub(crate) static REGISTRY: &[&Driver] = &[&POSTGRESQL, &SQLITE, &DUCKDB, &SPARK];

static POSTGRESQL: Driver = Driver {
    scheme: "postgresql",
    schemes: &["postgresql", "postgres"],
    is_file: false,
    package: "adbc-driver-postgresql (PyPI)",
    install: "pip install --target {} adbc-driver-postgresql",
    libraries: &[
        "adbc_driver_postgresql/libadbc_driver_postgresql.so",
        "libadbc_driver_postgresql.so",
    ],
    entrypoint: None,
    options: |address, _, _| vec![(OptionDatabase::Uri, address.into())],
    reading: &["SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY"],
    snapshot: Some(Snapshot {
        export: "SELECT pg_export_snapshot() AS n",
        import: |name| {
            vec![
                "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ".to_owned(),
                format!("SET TRANSACTION SNAPSHOT {}", literal(name)),
            ]
        },
    }),
    exists: |table| {
        format!("SELECT 1 AS n WHERE to_regclass({}) IS NOT NULL", literal(&table.sql(quoted)))
    },
    declared: None,
    read_as: |field, _| match field.metadata().get("POSTGRESQL:type").map(String::as_str) {
        // Object identifiers are unsigned, but the driver reads them as signed integers.
        Some("oid") => DataType::Int64,
        // The driver reads amounts of money as the number of their smallest units.
        Some("money") => DataType::Utf8,
        _ => common_type(field.data_type()),
    },
    lock: Some(|key| format!("SELECT CAST(pg_try_advisory_xact_lock({key}) AS text) AS n")),
};

static SQLITE: Driver = Driver {
    scheme: "sqlite",
    schemes: &["sqlite"],
    is_file: true,
    package: "adbc-driver-sqlite (PyPI)",
    install: "pip install --target {} adbc-driver-sqlite",
    libraries: &["adbc_driver_sqlite/libadbc_driver_sqlite.so", "libadbc_driver_sqlite.so"],
    entrypoint: None,
    options: |_, path, access| {
        // If SQLite opens a database by URI, it does not create a missing file.
        let mode = if access == Access::Read { "ro" } else { "rw" };
        let path = path.replace('%', "%25").replace('?', "%3f").replace('#', "%23");
        vec![(OptionDatabase::Uri, format!("file:{path}?mode={mode}").into())]
    },
    reading: &[],
    snapshot: None,
    exists: |table| {
        let schema = table.schema.last().map_or("main", String::as_str);
        format!(
            "SELECT 1 AS n FROM {}.sqlite_master WHERE type IN ('table', 'view') AND lower(name) = \
             lower({})",
            quoted(schema),
            literal(&table.name)
        )
    },
    declared: Some(|table| {
        let schema = table.schema.last().map_or("main", String::as_str);
        format!(
            "SELECT '=' || name AS name, '=' || type AS type FROM pragma_table_info({}, {})",
            literal(&table.name),
            literal(schema)
        )
    }),
    read_as: |_, declared| common_type(&(find("sqlite").expect("a dialect").type_of)(declared)),
    lock: None,
};

/// Environment variable that permits DuckDB queries and views to access files and servers.
pub(crate) const EXTERNAL_ACCESS: &str = "INDISTINCT_DUCKDB_EXTERNAL_ACCESS";

static DUCKDB: Driver = Driver {
    scheme: "duckdb",
    schemes: &["duckdb"],
    is_file: true,
    package: "@duckdb/node-bindings-linux-x64 (npm)",
    install: "npm install --prefix {} @duckdb/node-bindings-linux-x64",
    libraries: &["node_modules/@duckdb/node-bindings-linux-x64/libduckdb.so", "libduckdb.so"],
    entrypoint: Some(b"duckdb_adbc_init"),
    options: |_, path, access| {
        let mode = if access == Access::Read { "READ_ONLY" } else { "READ_WRITE" };
        // Without this restriction, a query in an untrusted policy could read local files.
        let is_permitted = std::env::var_os(EXTERNAL_ACCESS).is_some_and(|value| value == "1");
        let external = if is_permitted { "true" } else { "false" };
        vec![
            (OptionDatabase::Other("path".to_owned()), path.into()),
            (OptionDatabase::Other("access_mode".to_owned()), mode.into()),
            (OptionDatabase::Other("enable_external_access".to_owned()), external.into()),
        ]
    },
    reading: &[],
    snapshot: None,
    exists: |table| {
        let schema = match table.schema.last() {
            Some(schema) => literal(schema),
            None => "current_schema()".to_owned(),
        };
        format!(
            "SELECT 1 AS n FROM information_schema.tables WHERE lower(table_schema) = \
             lower({schema}) AND lower(table_name) = lower({})",
            literal(&table.name)
        )
    },
    declared: None,
    read_as: |field, _| common_type(field.data_type()),
    lock: None,
};

/// Environment variable that contains the access token of a Spark Connect server.
pub(crate) const SPARK_TOKEN: &str = "SPARK_CONNECT_TOKEN";

static SPARK: Driver = Driver {
    scheme: "spark",
    schemes: &["spark", "sc"],
    is_file: false,
    package: "adbc-driver-spark (PyPI)",
    install: "pip install --no-deps --target {} adbc-driver-spark",
    libraries: &["adbc_driver_spark/libadbc_driver_spark.so", "libadbc_driver_spark.so"],
    entrypoint: None,
    options: |_, rest, _| {
        let mut options = vec![(OptionDatabase::Uri, format!("sc:{rest}").into())];
        if let Ok(token) = std::env::var(SPARK_TOKEN) {
            options.push((OptionDatabase::Other("adbc.spark.token".to_owned()), token.into()));
        }
        options
    },
    reading: &[],
    snapshot: None,
    exists: |table| {
        let dialect = find("spark").expect("a dialect");
        let schema = table.sibling(String::new()).schema;
        let parts = schema.iter().map(|part| (dialect.quoted)(part)).collect::<Vec<_>>();
        let within =
            if parts.is_empty() { String::new() } else { format!(" IN {}", parts.join(".")) };
        format!("SHOW TABLES{within} LIKE {}", (dialect.literal)(&table.name))
    },
    declared: None,
    read_as: |field, _| common_type(field.data_type()),
    lock: None,
};
