//! DuckDB.
//!
//! Only one process at a time can open a file for writing. The cast to text and the concatenation
//! ensure that the collation of a column, such as NOCASE, does not affect its tokens.

use arrow_schema::{DataType, TimeUnit};

use super::{Column, Dialect, NumberType, Scripts, instants, nested};
use crate::name::{literal, quoted};

pub(super) static DUCKDB: Dialect = Dialect {
    name: "DuckDB",
    scheme: "duckdb",
    name_limit_bytes: 1000,
    quoted,
    literal,
    session: &["SET TimeZone = 'UTC'"],
    looking_up: &[],
    type_of: |declared| match declared {
        "BOOLEAN" => DataType::Boolean,
        "TINYINT" => DataType::Int8,
        "SMALLINT" => DataType::Int16,
        "INTEGER" => DataType::Int32,
        "BIGINT" => DataType::Int64,
        "UTINYINT" => DataType::UInt8,
        "USMALLINT" => DataType::UInt16,
        "UINTEGER" => DataType::UInt32,
        "UBIGINT" => DataType::UInt64,
        "FLOAT" => DataType::Float32,
        "DOUBLE" => DataType::Float64,
        "DATE" => DataType::Date32,
        "TIMESTAMP" => instants(false),
        "TIMESTAMP WITH TIME ZONE" => instants(true),
        "TIMESTAMP_S" => DataType::Timestamp(TimeUnit::Second, None),
        "TIMESTAMP_MS" => DataType::Timestamp(TimeUnit::Millisecond, None),
        "TIMESTAMP_NS" => DataType::Timestamp(TimeUnit::Nanosecond, None),
        "BLOB" => DataType::Binary,
        other if other.ends_with(']') => nested(),
        other if ["STRUCT(", "MAP(", "UNION("].iter().any(|it| other.starts_with(it)) => nested(),
        _ => DataType::Utf8,
    },
    token: |expression: &str, column: &Column| {
        let text = match column.declared.as_str() {
            "binary" => format!("lower(hex({expression}))"),
            _ => format!("CAST({expression} AS VARCHAR)"),
        };
        format!("(COALESCE('=' || {text}, '') COLLATE \"binary\")")
    },
    kind: None,
    type_name: |data_type| match data_type {
        DataType::Int64 => Some("BIGINT"),
        DataType::Float64 => Some("DOUBLE"),
        DataType::Boolean => Some("BOOLEAN"),
        DataType::Date32 => Some("DATE"),
        DataType::Timestamp(_, None) => Some("TIMESTAMP"),
        DataType::Timestamp(_, Some(_)) => Some("TIMESTAMPTZ"),
        _ => None,
    },
    // The driver describes HUGEINT as a decimal type with 38 digits.
    numbers: |declared| match declared {
        "hugeint" | "decimal128(38, 0)" => vec![NumberType::fixed("HUGEINT", 38, 0)],
        _ => super::decimals(declared),
    },
    number_of: super::cast,
    text: "VARCHAR",
    integer: "BIGINT",
    repeated: |table| {
        format!("{table} AS m CROSS JOIN LATERAL (SELECT unnest(range(m.n)) AS i) AS r")
    },
    transactions: true,
    scripts: Some(Scripts {
        columns: |table| {
            format!(
                "SELECT column_name AS name, column_type AS type FROM (DESCRIBE {})",
                table.sql(quoted)
            )
        },
        columns_alone: false,
        temporary: Some(|name, columns| format!("CREATE TEMPORARY TABLE {name} ({columns})")),
        moved: super::renamed,
        client: "duckdb -csv \"$DATABASE\" < {script} > {answer}",
    }),
};
