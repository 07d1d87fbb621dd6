//! SQLite.
//!
//! Because any column can contain values of any type, and results contain no column types, the
//! declared type of a column determines how its values are read. Columns declared as floating-point
//! are read with 17 digits, which distinguish any two numbers. Other columns are read with SQLite's
//! own text conversion. A column of a query has the declared type of the table column that it
//! selects; expressions have no declared type.

use arrow_schema::DataType;

use super::{Column, Dialect, NumberType, Scripts};
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
        _ => None,
    },
    numbers: |declared| {
        let digits = |name: &str| NumberType {
            name: name.to_owned(),
            precision: EXACT_DIGITS,
            scale: None,
            preserves_zeros: false,
        };
        match Affinity::of(declared) {
            Affinity::Real => vec![digits("REAL")],
            Affinity::Integer | Affinity::Numeric => {
                vec![NumberType::fixed("INTEGER", 18, 0), digits("NUMERIC")]
            }
            Affinity::Text | Affinity::Blob => Vec::new(),
        }
    },
    number_of,
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

/// The affinity of a column, which determines how values are converted when they are stored.
#[derive(PartialEq)]
enum Affinity {
    Integer,
    Text,
    Blob,
    Real,
    Numeric,
}

impl Affinity {
    /// Returns the affinity of a declared type in lowercase. Expressions in a query have none.
    fn of(declared: &str) -> Self {
        let has = |parts: &[&str]| parts.iter().any(|part| declared.contains(part));
        match declared {
            _ if has(&["int"]) => Self::Integer,
            _ if has(&["char", "clob", "text"]) => Self::Text,
            _ if has(&["blob"]) || declared.is_empty() => Self::Blob,
            _ if has(&["real", "floa", "doub"]) => Self::Real,
            _ => Self::Numeric,
        }
    }
}

/// Returns whether a declared type has the affinity REAL.
fn is_float(declared: &str) -> bool {
    Affinity::of(declared) == Affinity::Real
}

/// Number of decimal digits for which the quotient of two integers is the nearest floating-point
/// number, because both integers and the power of ten are exact.
const EXACT_DIGITS: usize = 15;

/// Returns an expression for the number with a decimal text. SQLite does not always convert the
/// text of a fraction to the nearest floating-point number, so the expression divides integers.
fn number_of(text: &str, number: &NumberType) -> String {
    let integer = format!("CAST(replace({text}, '.', '') AS INTEGER)");
    if number.scale == Some(0) {
        return integer;
    }
    let zeros = format!("substr('{}', 1, length({text}) - instr({text}, '.'))", "0".repeat(15));
    format!(
        "CAST(CASE instr({text}, '.') WHEN 0 THEN {integer} ELSE CAST({integer} AS REAL) / \
         CAST('1' || {zeros} AS INTEGER) END AS {})",
        number.name
    )
}
