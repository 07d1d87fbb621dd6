//! The SQL dialects, with one file for each dialect, and their registry.

mod datafusion;
mod duckdb;
mod postgresql;
mod spark;
mod sqlite;

use arrow_schema::{DataType, TimeUnit};

use crate::name::TableName;

/// SQL syntax and types of one kind of database.
#[derive(Debug)]
pub struct Dialect {
    /// Name of the database for messages.
    pub name: &'static str,
    /// Scheme of the database in addresses.
    pub scheme: &'static str,
    /// Maximum length of a table name in bytes.
    pub name_limit_bytes: usize,
    /// Quotes a name as an identifier.
    pub quoted: fn(&str) -> String,
    /// Formats a string as a literal that is valid in sessions that start with the
    /// `session` statements.
    pub literal: fn(&str) -> String,
    /// Statements that start each session and make the text format of values consistent.
    pub session: &'static [&'static str],
    /// Statements that force hash joins in the written order. These statements run before rows are
    /// joined with maps.
    pub looking_up: &'static [&'static str],
    /// Returns the Arrow type for the name of a database type. Types that are not
    /// [common](common_type) use the text format of the database.
    pub type_of: fn(&str) -> DataType,
    /// Returns the expression for the tokens of a column.
    pub token: fn(&str, &Column) -> String,
    /// Expression that distinguishes values of a column with equal text, if columns can contain
    /// values of any type.
    pub kind: Option<fn(&str) -> String>,
    /// Returns the type name for a released column whose values all have the given type, or `None`
    /// for text.
    pub type_name: fn(&DataType) -> Option<&'static str>,
    /// Name of the text type.
    pub text: &'static str,
    /// Name of the integer type.
    pub integer: &'static str,
    /// The content of a FROM clause with alias `m` that repeats the rows of a table with the
    /// columns `k` (key) and `n` (number of repetitions).
    pub repeated: fn(&str) -> String,
    /// Whether several statements between BEGIN and COMMIT form one transaction, including
    /// statements that define tables.
    pub transactions: bool,
    /// The script features of the dialect; `None` if tables do not persist after a script.
    pub scripts: Option<Scripts>,
}

/// Dialect features for scripts, which are run by a database client.
#[derive(Debug)]
pub struct Scripts {
    /// Query that returns the `name` and `type` of each column of a table, in order.
    pub columns: fn(&TableName) -> String,
    /// Whether the `columns` query is a statement that cannot be nested in another statement.
    pub columns_alone: bool,
    /// Statement that creates an empty temporary table from its name and typed columns. If `None`,
    /// a temporary view of literal rows is created instead.
    pub temporary: Option<fn(&str, &str) -> String>,
    /// Statements that rename a table within its schema.
    pub moved: fn(&TableName, &TableName) -> Vec<String>,
    /// Command that runs `{script}` in the database client and writes the result to `{answer}`.
    pub client: &'static str,
}

impl Dialect {
    /// Returns the script features of the dialect.
    pub(crate) fn scripts(&self) -> &Scripts {
        self.scripts.as_ref().expect("a script folder has a dialect with scripts")
    }
}

/// A column as described by the database.
#[derive(Debug, Clone, Default)]
pub struct Column {
    /// Type name in lowercase as reported by the database or driver; empty if unknown.
    pub declared: String,
}

/// The registry of all dialects.
pub static REGISTRY: &[&Dialect] = &[
    &postgresql::POSTGRESQL,
    &sqlite::SQLITE,
    &duckdb::DUCKDB,
    &spark::SPARK,
    &datafusion::DATAFUSION,
];

/// Returns the dialect with the given scheme.
pub fn find(scheme: &str) -> Option<&'static Dialect> {
    REGISTRY.iter().copied().find(|dialect| dialect.scheme == scheme)
}

/// Returns the type if all dialects have the same text format for it. Other types use the text
/// format of the database.
pub fn common_type(data_type: &DataType) -> DataType {
    match data_type {
        DataType::Boolean
        | DataType::Int8
        | DataType::Int16
        | DataType::Int32
        | DataType::Int64
        | DataType::UInt8
        | DataType::UInt16
        | DataType::UInt32
        | DataType::UInt64
        | DataType::Float32
        | DataType::Float64
        | DataType::Date32
        | DataType::Timestamp(..)
        // Columns whose types have no plain text format are rejected when they are counted.
        | DataType::Struct(_)
        | DataType::List(_)
        | DataType::LargeList(_)
        | DataType::FixedSizeList(..)
        | DataType::Map(..)
        | DataType::Union(..) => data_type.clone(),
        _ => DataType::Utf8,
    }
}

/// Returns an arbitrary type without a plain text format.
fn nested() -> DataType {
    DataType::Struct(arrow_schema::Fields::empty())
}

/// Returns the type for timestamps, either local or in UTC.
fn instants(in_utc: bool) -> DataType {
    DataType::Timestamp(TimeUnit::Microsecond, in_utc.then(|| "UTC".into()))
}

/// Returns the statement that most dialects use to rename a table. The new name has no schema
/// because the table remains in its schema.
fn renamed(old: &TableName, new: &TableName) -> Vec<String> {
    let quoted = crate::name::quoted;
    vec![format!("ALTER TABLE {} RENAME TO {}", old.sql(quoted), quoted(&new.name))]
}
