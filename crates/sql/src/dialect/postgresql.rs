//! PostgreSQL, 12 and later.
//!
//! `CAST(x AS text)` of a `char(n)` leaves its padding out; NUMERIC keeps its scale; a collation that is not deterministic would
//! merge `a` and `A` in a GROUP BY, so tokens are compared under `"C"`. With what the session sets, texts of floating-point numbers
//! are the shortest that read back, and instants are in UTC.

use adbc_core::options::OptionDatabase;
use arrow_schema::{DataType, Field};

use super::{Column, Dialect, common_type};
use crate::name::{TableName, literal};

pub(super) static POSTGRESQL: Dialect = Dialect {
    name: "PostgreSQL",
    schemes: &["postgresql", "postgres"],
    is_file: false,
    package: "adbc-driver-postgresql (PyPI)",
    install: "pip install --target {} adbc-driver-postgresql",
    libraries: &[
        "adbc_driver_postgresql/libadbc_driver_postgresql.so",
        "libadbc_driver_postgresql.so",
    ],
    entrypoint: None,
    name_limit_bytes: 63,
    options: |address, _, _| vec![(OptionDatabase::Uri, address.into())],
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
    reading: &["SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY"],
    exists: |table: &TableName| {
        format!("SELECT 1 AS n WHERE to_regclass({}) IS NOT NULL", literal(&table.sql()))
    },
    declared: None,
    read_as,
    token: |expression: &str, _: &Column| {
        format!("(COALESCE('=' || CAST({expression} AS text), '') COLLATE \"C\")")
    },
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
    repeated: |table| format!("{table} AS m CROSS JOIN LATERAL generate_series(1, m.n) AS r(i)"),
    lock: Some(|key| format!("SELECT CAST(pg_try_advisory_xact_lock({key}) AS text) AS n")),
};

fn read_as(field: &Field, _: &str) -> DataType {
    match field.metadata().get("POSTGRESQL:type").map(String::as_str) {
        // An object identifier is unsigned, and the driver reads it as signed.
        Some("oid") => DataType::Int64,
        _ => common_type(field.data_type()),
    }
}
