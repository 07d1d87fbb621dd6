//! PostgreSQL, 12 and later.
//!
//! `CAST(x AS text)` of a `char(n)` leaves its padding out; NUMERIC keeps its scale; a collation that is not deterministic would
//! merge `a` and `A` in a GROUP BY, so tokens are compared under `"C"`. With what the session sets, texts of floating-point numbers
//! are the shortest that read back, and instants are in UTC.

use arrow_schema::DataType;

use super::{Column, Dialect, Scripts, instants, nested};
use crate::name::{literal, quoted};

pub(super) static POSTGRESQL: Dialect = Dialect {
    name: "PostgreSQL",
    scheme: "postgresql",
    name_limit_bytes: 63,
    quoted,
    literal,
    session: &[
        "SET TIME ZONE 'UTC'",
        "SET DateStyle TO 'ISO, YMD'",
        "SET IntervalStyle TO 'iso_8601'",
        "SET extra_float_digits TO 1",
        "SET bytea_output TO 'hex'",
        "SET standard_conforming_strings TO on",
        "SET client_encoding TO 'UTF8'",
        "SET lock_timeout TO '60s'",
    ],
    // Nothing is known of the values of a token: left alone, the planner joins the tuples with the maps first, or with all rows in a loop.
    looking_up: &[
        "SET join_collapse_limit TO 1",
        "SET enable_mergejoin TO off",
        "SET enable_nestloop TO off",
    ],
    type_of: |declared| match declared.split('(').next().unwrap_or_default().trim_end() {
        array if array.ends_with(']') || declared.ends_with(']') => nested(),
        "boolean" => DataType::Boolean,
        "smallint" => DataType::Int16,
        "integer" => DataType::Int32,
        "bigint" | "oid" => DataType::Int64,
        "real" => DataType::Float32,
        "double precision" => DataType::Float64,
        "date" => DataType::Date32,
        "timestamp without time zone" => instants(false),
        "timestamp with time zone" => instants(true),
        "timestamp" => instants(declared.ends_with("with time zone")),
        _ => DataType::Utf8,
    },
    token: |expression: &str, _: &Column| {
        format!("(COALESCE('=' || CAST({expression} AS text), '') COLLATE \"C\")")
    },
    kind: None,
    type_name: |data_type| match data_type {
        DataType::Int64 => Some("bigint"),
        DataType::Float64 => Some("double precision"),
        DataType::Boolean => Some("boolean"),
        DataType::Date32 => Some("date"),
        DataType::Timestamp(_, None) => Some("timestamp"),
        DataType::Timestamp(_, Some(_)) => Some("timestamptz"),
        _ => None,
    },
    text: "text",
    integer: "bigint",
    repeated: |table| format!("{table} AS m CROSS JOIN LATERAL generate_series(1, m.n) AS r(i)"),
    transactions: true,
    scripts: Some(Scripts {
        columns: |table| {
            format!(
                "SELECT a.attname AS name, format_type(a.atttypid, a.atttypmod) AS type FROM pg_attribute AS a \
                 WHERE a.attrelid = CAST({} AS regclass) AND a.attnum > 0 AND NOT a.attisdropped ORDER BY a.attnum",
                literal(&table.sql(quoted))
            )
        },
        columns_alone: false,
        temporary: Some(|name, columns| format!("CREATE TEMPORARY TABLE {name} ({columns})")),
        moved: super::renamed,
        client: "psql --no-psqlrc -q --csv -v ON_ERROR_STOP=1 -f {script} -o {answer} \"$DATABASE\"",
    }),
};
