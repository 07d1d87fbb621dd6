//! DataFusion, as Ballista runs it on a cluster.
//!
//! Tables are files that are registered for a session, so that nothing outlives a script: there are no scripts for it. Texts are
//! compared byte by byte, and a session's time zone is UTC.

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
                // Whatever its own time zone. A finer unit than its own would not hold all that it holds.
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
    text: "VARCHAR",
    integer: "BIGINT",
    repeated: |table| format!("(SELECT t.*, unnest(range(0, t.n)) AS i FROM {table} AS t) AS m"),
    transactions: false,
    scripts: None,
};
