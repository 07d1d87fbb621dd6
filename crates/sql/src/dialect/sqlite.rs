//! SQLite.
//!
//! Any column holds values of any type, and a result does not say which: what a table declares decides how values are read. A
//! column that is declared as floating-point is read as such, with 17 digits, which tell any two numbers apart; any other has the
//! texts that SQLite itself gives its values. A query declares nothing.

use adbc_core::options::OptionDatabase;
use arrow_schema::DataType;

use super::{Access, Column, Dialect};
use crate::name::{TableName, literal};

pub(super) static SQLITE: Dialect = Dialect {
    name: "SQLite",
    schemes: &["sqlite"],
    is_file: true,
    package: "adbc-driver-sqlite (PyPI)",
    install: "pip install --target {} adbc-driver-sqlite",
    libraries: &["adbc_driver_sqlite/libadbc_driver_sqlite.so", "libadbc_driver_sqlite.so"],
    entrypoint: None,
    name_limit_bytes: 1000,
    options: |_, path, access| {
        // As a URI, so that a file that is not there is not made.
        let mode = if access == Access::Read { "ro" } else { "rw" };
        let path = path.replace('%', "%25").replace('?', "%3f").replace('#', "%23");
        vec![(OptionDatabase::Uri, format!("file:{path}?mode={mode}").into())]
    },
    session: &[],
    reading: &[],
    exists: |table: &TableName| {
        let schema = table.schema.last().map_or("main", String::as_str);
        format!(
            "SELECT 1 AS n FROM {}.sqlite_master WHERE type IN ('table', 'view') AND lower(name) = lower({})",
            crate::name::quoted(schema),
            literal(&table.name)
        )
    },
    declared: Some(|table: &TableName| {
        let schema = table.schema.last().map_or("main", String::as_str);
        format!(
            "SELECT '=' || name AS name, '=' || type AS type FROM pragma_table_info({}, {})",
            literal(&table.name),
            literal(schema)
        )
    }),
    read_as: |_, declared| if is_float(declared) { DataType::Float64 } else { DataType::Utf8 },
    token: |expression: &str, column: &Column| {
        let text = match is_float(&column.declared) {
            true => format!(
                "CASE typeof({expression}) WHEN 'real' THEN printf('%!.17g', {expression}) ELSE CAST({expression} AS TEXT) END"
            ),
            false => format!("CAST({expression} AS TEXT)"),
        };
        let text = format!(
            "CASE typeof({expression}) WHEN 'blob' THEN lower(hex({expression})) ELSE {text} END"
        );
        format!("(COALESCE('=' || {text}, '') COLLATE BINARY)")
    },
    type_name: |data_type| match data_type {
        DataType::Int64 => Some("INTEGER"),
        // Texts of floating-point numbers are not always read as the nearest one.
        _ => None,
    },
    text: "TEXT",
    repeated: |table| {
        format!(
            "(WITH RECURSIVE r(k, i) AS (SELECT k, n FROM {table} UNION ALL SELECT k, i - 1 FROM r WHERE i > 1) SELECT k FROM r) AS r \
             CROSS JOIN {table} AS m ON m.k = r.k"
        )
    },
    lock: None,
};

/// Whether a declared type has the affinity REAL.
fn is_float(declared: &str) -> bool {
    !declared.contains("int") && ["real", "floa", "doub"].iter().any(|part| declared.contains(part))
}
