//! DuckDB.
//!
//! One process at a time has a file open for writing. A column's collation, such as NOCASE, is left out by the cast to text and
//! the concatenation of its token.

use adbc_core::options::OptionDatabase;
use arrow_schema::DataType;

use super::{Access, Column, Dialect, common_type};
use crate::name::{TableName, literal};

pub(super) static DUCKDB: Dialect = Dialect {
    name: "DuckDB",
    schemes: &["duckdb"],
    is_file: true,
    package: "@duckdb/node-bindings-linux-x64 (npm)",
    install: "npm install --prefix {} @duckdb/node-bindings-linux-x64",
    libraries: &["node_modules/@duckdb/node-bindings-linux-x64/libduckdb.so", "libduckdb.so"],
    entrypoint: Some(b"duckdb_adbc_init"),
    name_limit_bytes: 1000,
    options: |_, path, access| {
        let mode = if access == Access::Read { "READ_ONLY" } else { "READ_WRITE" };
        vec![
            (OptionDatabase::Other("path".to_owned()), path.into()),
            (OptionDatabase::Other("access_mode".to_owned()), mode.into()),
        ]
    },
    session: &["SET TimeZone = 'UTC'"],
    reading: &[],
    exists: |table: &TableName| {
        let schema = match table.schema.last() {
            Some(schema) => literal(schema),
            None => "current_schema()".to_owned(),
        };
        format!(
            "SELECT 1 AS n FROM information_schema.tables WHERE lower(table_schema) = lower({schema}) AND lower(table_name) = lower({})",
            literal(&table.name)
        )
    },
    declared: None,
    read_as: |field, _| common_type(field.data_type()),
    token: |expression: &str, column: &Column| {
        let text = match column.declared.as_str() {
            "binary" => format!("lower(hex({expression}))"),
            _ => format!("CAST({expression} AS VARCHAR)"),
        };
        format!("(COALESCE('=' || {text}, '') COLLATE \"binary\")")
    },
    type_name: |data_type| match data_type {
        DataType::Int64 => Some("BIGINT"),
        DataType::Float64 => Some("DOUBLE"),
        DataType::Boolean => Some("BOOLEAN"),
        DataType::Date32 => Some("DATE"),
        DataType::Timestamp(_, None) => Some("TIMESTAMP"),
        DataType::Timestamp(_, Some(_)) => Some("TIMESTAMPTZ"),
        _ => None,
    },
    text: "VARCHAR",
    repeated: |table| {
        format!("{table} AS m CROSS JOIN LATERAL (SELECT unnest(range(m.n)) AS i) AS r")
    },
    lock: None,
};
