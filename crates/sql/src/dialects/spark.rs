//! Spark, version 3.4 and later, and compatible systems such as Databricks and Sail.
//!
//! In literals, a backslash starts an escape sequence. Double quotes denote text, so names are
//! quoted with backticks. Spark formats timestamps in the time zone of the session without an
//! offset, so the text is computed from the microseconds. Spark has no transactions.

use arrow_schema::DataType;

use super::{Column, Dialect, Scripts, instants, nested};

pub(super) static SPARK: Dialect = Dialect {
    name: "Spark",
    scheme: "spark",
    name_limit_bytes: 255,
    quoted: |name| format!("`{}`", name.replace('`', "``")),
    literal: |text| format!("'{}'", text.replace('\\', "\\\\").replace('\'', "\\'")),
    session: &[],
    looking_up: &[],
    type_of: |declared| match declared {
        "boolean" => DataType::Boolean,
        "tinyint" => DataType::Int8,
        "smallint" => DataType::Int16,
        "int" => DataType::Int32,
        "bigint" => DataType::Int64,
        "float" => DataType::Float32,
        "double" => DataType::Float64,
        "date" => DataType::Date32,
        "timestamp" => instants(true),
        "timestamp_ntz" => instants(false),
        "binary" => DataType::Binary,
        other
            if ["array<", "map<", "struct<", "variant"].iter().any(|it| other.starts_with(it)) =>
        {
            nested()
        }
        _ => DataType::Utf8,
    },
    token: |expression: &str, column: &Column| {
        let text = match column.declared.as_str() {
            "binary" => format!("lower(hex({expression}))"),
            instant if instant.starts_with("timestamp") && instant.contains("utc") => {
                instant_of(expression)
            }
            _ => format!("CAST({expression} AS STRING)"),
        };
        format!("coalesce(concat('=', {text}), '')")
    },
    kind: None,
    type_name: |data_type| match data_type {
        DataType::Int64 => Some("BIGINT"),
        DataType::Float64 => Some("DOUBLE"),
        DataType::Boolean => Some("BOOLEAN"),
        DataType::Date32 => Some("DATE"),
        DataType::Timestamp(_, None) => Some("TIMESTAMP_NTZ"),
        DataType::Timestamp(_, Some(_)) => Some("TIMESTAMP"),
        _ => None,
    },
    numbers: super::decimals,
    number_of: super::cast,
    text: "STRING",
    integer: "BIGINT",
    repeated: |table| {
        format!(
            "(SELECT t.*, explode(sequence(CAST(1 AS BIGINT), t.n)) AS i FROM {table} AS t) AS m"
        )
    },
    transactions: false,
    scripts: Some(Scripts {
        columns: |table| format!("DESCRIBE TABLE {}", table.sql(SPARK.quoted)),
        columns_alone: true,
        temporary: None,
        // Some compatible systems cannot rename tables.
        moved: |old, new| {
            let (old, new) = (old.sql(SPARK.quoted), new.sql(SPARK.quoted));
            vec![format!("CREATE TABLE {new} AS SELECT * FROM {old}"), format!("DROP TABLE {old}")]
        },
        client: "run the statements of {script} in a Spark client, and write the rows of the last \
                 statement to {answer}",
    }),
};

/// Returns an expression for the text of a timestamp in UTC.
fn instant_of(expression: &str) -> String {
    let instant = format!("unix_micros({expression})");
    let time = format!("pmod({instant}, 86400000000)");
    let two = |number: String| format!("lpad(CAST({number} AS STRING), 2, '0')");
    format!(
        "concat(CAST(date_add(DATE'1970-01-01', CAST(({instant} - {time}) div 86400000000 AS INT)) AS STRING), ' ', {}, ':', {}, ':', {}, \
         '.', lpad(CAST({time} % 1000000 AS STRING), 6, '0'), 'Z')",
        two(format!("{time} div 3600000000")),
        two(format!("{time} div 60000000 % 60")),
        two(format!("{time} div 1000000 % 60"))
    )
}
