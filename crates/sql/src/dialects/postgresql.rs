//! PostgreSQL, version 12 and later.
//!
//! `CAST(x AS text)` of a `char(n)` value removes its padding, and NUMERIC values keep their scale.
//! Because a nondeterministic collation would merge `a` and `A` in a GROUP BY, tokens are compared
//! with the collation `"C"`. The session settings ensure that floating-point numbers have the
//! shortest text that restores the value, and that timestamps are in UTC.

use arrow_schema::DataType;

use super::{Column, Dialect, NumberType, Scripts, instants, nested};
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
    // The planner has no statistics on tokens. With its default settings, the planner would first
    // join the tuples with the maps, or use a nested loop over all rows.
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
    token: |expression: &str, column: &Column| {
        // The text of an amount of money contains the currency sign and separators of the locale.
        let text = match column.declared.as_str() {
            "money" => format!("CAST(CAST({expression} AS numeric) AS text)"),
            _ => format!("CAST({expression} AS text)"),
        };
        format!("(COALESCE('=' || {text}, '') COLLATE \"C\")")
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
    numbers: |declared| match declared.split('(').next() {
        Some("numeric" | "money") => vec![NumberType {
            name: "numeric".to_owned(),
            precision: 1000,
            scale: None,
            preserves_zeros: true,
        }],
        _ => Vec::new(),
    },
    number_of: super::cast,
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
