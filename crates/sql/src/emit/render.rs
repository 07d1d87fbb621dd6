//! Renders statements as scripts that any database client can run.

use arrow_array::{Array, ArrayRef, RecordBatch, cast::AsArray, types::Int64Type};

use crate::dialects::Dialect;

/// First line of every script.
pub(super) const MARK: &str = "-- Written by Indistinct";

/// Maximum number of rows in an INSERT statement.
const ROWS_AT_ONCE: usize = 500;

/// Returns the text of a script.
pub(super) fn script(dialect: &Dialect, name: &str, statements: &[String]) -> String {
    let client = dialect
        .scripts()
        .client
        .replace("{script}", &format!("{name}.sql"))
        .replace("{answer}", &format!("{name}.csv"));
    let mut text = format!(
        "{MARK} for {}. Run this script without changes, for example with:\n--   {client}\n",
        dialect.name
    );
    for statement in dialect.session.iter().copied().chain(statements.iter().map(String::as_str)) {
        text += statement;
        text += ";\n";
    }
    text
}

/// Returns the statements that create a temporary table with the given rows.
pub(super) fn temporary(dialect: &Dialect, name: &str, rows: &RecordBatch) -> Vec<String> {
    let lines: Vec<String> = (0..rows.num_rows()).map(|row| line(dialect, rows, row)).collect();
    let schema = rows.schema();
    let typed = schema.fields().iter().zip(rows.columns()).map(|(field, array)| {
        let data_type = if array.data_type().is_integer() { dialect.integer } else { dialect.text };
        (field.name().as_str(), data_type)
    });
    let typed: Vec<(&str, &str)> = typed.collect();
    match dialect.scripts().temporary {
        Some(create) => {
            let columns = typed.iter().map(|(name, data_type)| format!("{name} {data_type}"));
            let mut statements = vec![create(name, &columns.collect::<Vec<_>>().join(", "))];
            statements.extend(lines.chunks(ROWS_AT_ONCE).map(|lines| inserted(name, lines)));
            statements
        }
        None => {
            let names: Vec<&str> = typed.iter().map(|(name, _)| *name).collect();
            let cast = |value: &str, (name, data_type): &(&str, &str)| {
                format!("CAST({value} AS {data_type}) AS {name}")
            };
            let columns = typed.iter().map(|it| match lines.is_empty() {
                true => cast("NULL", it),
                false => cast(it.0, it),
            });
            let columns = columns.collect::<Vec<_>>().join(", ");
            let from = match lines.is_empty() {
                true => "WHERE 1 = 0".to_owned(),
                false => format!("FROM VALUES {} AS t({})", lines.join(",\n"), names.join(", ")),
            };
            vec![format!("CREATE OR REPLACE TEMPORARY VIEW {name} AS SELECT {columns} {from}")]
        }
    }
}

/// Returns the statement that inserts lines of literals into a table.
pub(super) fn inserted(table: &str, lines: &[String]) -> String {
    format!("INSERT INTO {table} VALUES {}", lines.join(",\n"))
}

/// Returns the statement that drops a temporary table.
pub(super) fn dropped(dialect: &Dialect, name: &str) -> String {
    let what = if dialect.scripts().temporary.is_some() { "TABLE" } else { "VIEW" };
    format!("DROP {what} {name}")
}

fn line(dialect: &Dialect, rows: &RecordBatch, row: usize) -> String {
    let cell = |array: &ArrayRef| match array.is_null(row) {
        true => "NULL".to_owned(),
        false if array.data_type().is_integer() => {
            array.as_primitive::<Int64Type>().value(row).to_string()
        }
        false => (dialect.literal)(array.as_string::<i32>().value(row)),
    };
    format!("({})", rows.columns().iter().map(cell).collect::<Vec<_>>().join(", "))
}
