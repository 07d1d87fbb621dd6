//! SQLite.
//!
//! Because any column can contain values of any type, and results contain no column types, the
//! declared type of a column determines how its values are read. Columns declared as floating-point
//! are read with 17 digits, which distinguish any two numbers. Other columns are read with SQLite's
//! own text conversion. The columns of a query have no declared type.

use arrow_schema::DataType;

use super::{Column, Dialect, Scripts};
use crate::name::{literal, quoted};

pub(super) static SQLITE: Dialect = Dialect {
    name: "SQLite",
    scheme: "sqlite",
    name_limit_bytes: 1000,
    quoted,
    literal,
    session: &[],
    looking_up: &[],
    type_of: |declared| match is_float(&declared.to_lowercase()) {
        true => DataType::Float64,
        false => DataType::Utf8,
    },
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
    kind: Some(|expression| format!("typeof({expression})")),
    type_name: |data_type| match data_type {
        DataType::Int64 => Some("INTEGER"),
        // SQLite does not always convert the text of a floating-point number to the nearest number.
        _ => None,
    },
    text: "TEXT",
    integer: "INTEGER",
    repeated: |table| {
        format!(
            "(WITH RECURSIVE r(k, i) AS (SELECT k, n FROM {table} UNION ALL SELECT k, i - 1 FROM r WHERE i > 1) SELECT k FROM r) AS r \
             CROSS JOIN {table} AS m ON m.k = r.k"
        )
    },
    transactions: true,
    scripts: Some(Scripts {
        columns: |table| {
            let schema = table.schema.last().map_or("main", String::as_str);
            format!(
                "SELECT name, type FROM pragma_table_info({}, {})",
                literal(&table.name),
                literal(schema)
            )
        },
        columns_alone: false,
        temporary: Some(|name, columns| format!("CREATE TEMPORARY TABLE {name} ({columns})")),
        moved: super::renamed,
        client: "sqlite3 -bail -csv -header \"$DATABASE\" < {script} > {answer}",
    }),
};

/// Returns whether a declared type has the affinity REAL.
fn is_float(declared: &str) -> bool {
    !declared.contains("int") && ["real", "floa", "doub"].iter().any(|part| declared.contains(part))
}
