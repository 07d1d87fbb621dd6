//! DataFusion, as used by a Ballista cluster.
//!
//! Tables are files that are registered for a session. Scripts are not supported, because tables do
//! not persist after a script. Strings are compared byte by byte, and the time zone of a session is
//! UTC.

use arrow_schema::DataType;

use super::{Column, Dialect};
use crate::name::{literal, quoted};

pub(super) static DATAFUSION: Dialect = Dialect {
    name: "DataFusion",
    scheme: "datafusion",
    name_limit_bytes: 255,
    quoted,
    literal,
    session: &[],
    looking_up: &[],
    type_of: |declared| declared.parse().unwrap_or(DataType::Utf8),
    token: |expression: &str, column: &Column| {
        let text = match column.declared.as_str() {
            binary if binary.contains("binary") => format!("encode({expression}, 'hex')"),
            instant if instant.starts_with("timestamp") && instant.contains('"') => {
                // The cast converts the timestamp to the time zone of the session, which is UTC.
                // The cast preserves the unit because a finer unit would reduce the range.
                let unit = if instant.starts_with("timestamp(ns") { 9 } else { 6 };
                format!("CAST(CAST({expression} AS TIMESTAMP({unit}) WITH TIME ZONE) AS VARCHAR)")
            }
            _ => format!("CAST({expression} AS VARCHAR)"),
        };
        format!("COALESCE('=' || {text}, '')")
    },
    kind: None,
    type_name: |data_type| match data_type {
        DataType::Int64 => Some("BIGINT"),
        DataType::Float64 => Some("DOUBLE"),
        DataType::Boolean => Some("BOOLEAN"),
        DataType::Date32 => Some("DATE"),
        DataType::Timestamp(_, None) => Some("TIMESTAMP(6)"),
        DataType::Timestamp(_, Some(_)) => Some("TIMESTAMP(6) WITH TIME ZONE"),
        _ => None,
    },
    numbers: |_| Vec::new(),
    number_of: super::cast,
    text: "VARCHAR",
    integer: "BIGINT",
    repeated: |table| format!("(SELECT t.*, unnest(range(0, t.n)) AS i FROM {table} AS t) AS m"),
    transactions: false,
    scripts: None,
};
