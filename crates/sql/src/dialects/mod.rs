//! The dialects: one file each and the registry.

mod datafusion;
mod duckdb;
mod postgresql;
mod spark;
mod sqlite;

use arrow_schema::{DataType, TimeUnit};

use crate::name::TableName;

/// How the SQL of one kind of database is written.
#[derive(Debug)]
pub struct Dialect {
    /// The database's name, for people.
    pub name: &'static str,
    /// Its name in addresses.
    pub scheme: &'static str,
    /// The longest name of a table, in bytes.
    pub name_limit_bytes: usize,
    /// A name as an identifier.
    pub quoted: fn(&str) -> String,
    /// A text as a literal, in sessions that begin with `session`.
    pub literal: fn(&str) -> String,
    /// What is said at the start of each session, so that texts of values are the same everywhere.
    pub session: &'static [&'static str],
    /// What is said before rows are looked up in maps, so that each of them is: in the order of the joins, by hashes.
    pub looking_up: &'static [&'static str],
    /// The Arrow type of a type by its name; one that is not among the [common](common_type) ones has texts of its own.
    pub type_of: fn(&str) -> DataType,
    /// The token of an expression that has values of a column.
    pub token: fn(&str, &Column) -> String,
    /// What tells values of one column apart that have one text, as an expression of a value: where a column holds values of any type.
    pub kind: Option<fn(&str) -> String>,
    /// The type of a released column whose values all are of this type; `None` for text.
    pub type_name: fn(&DataType) -> Option<&'static str>,
    /// The type of texts.
    pub text: &'static str,
    /// The type of whole numbers.
    pub integer: &'static str,
    /// From a table with the columns `k`, its key, and `n` to its rows, each as often as `n` says: what follows FROM. Its alias is `m`.
    pub repeated: fn(&str) -> String,
    /// Whether several statements, those that define tables among them, are one transaction between BEGIN and COMMIT.
    pub transactions: bool,
    /// What scripts need besides; `None` where tables do not outlive a script.
    pub scripts: Option<Scripts>,
}

/// What scripts need of a dialect, which nobody but a client of the database runs.
#[derive(Debug)]
pub struct Scripts {
    /// A query with the `name` and `type` of each column of a table, in their order.
    pub columns: fn(&TableName) -> String,
    /// Whether that is a statement which cannot stand inside another one.
    pub columns_alone: bool,
    /// The statement that makes a temporary table with no rows, from its name and its columns with their types; without one, a
    /// temporary view of literal rows is made.
    pub temporary: Option<fn(&str, &str) -> String>,
    /// The statements that give a table a new name in the same schema.
    pub moved: fn(&TableName, &TableName) -> Vec<String>,
    /// The database's own client, running `{script}` and writing `{answer}`.
    pub client: &'static str,
}

impl Dialect {
    /// What scripts need.
    pub(crate) fn scripts(&self) -> &Scripts {
        self.scripts.as_ref().expect("a folder of scripts is of a dialect that has them")
    }
}

/// A column as the database has it.
#[derive(Debug, Clone, Default)]
pub struct Column {
    /// Its type in the database's or the driver's words, in lower case; empty if not known.
    pub declared: String,
}

/// All dialects.
pub static REGISTRY: &[&Dialect] = &[
    &postgresql::POSTGRESQL,
    &sqlite::SQLITE,
    &duckdb::DUCKDB,
    &spark::SPARK,
    &datafusion::DATAFUSION,
];

/// The dialect with this name in addresses.
pub fn find(scheme: &str) -> Option<&'static Dialect> {
    REGISTRY.iter().copied().find(|dialect| dialect.scheme == scheme)
}

/// Types that have the same texts in all dialects; others are read as the database's own text.
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
        // Without a plain text: counting refuses them.
        | DataType::Struct(_)
        | DataType::List(_)
        | DataType::LargeList(_)
        | DataType::FixedSizeList(..)
        | DataType::Map(..)
        | DataType::Union(..) => data_type.clone(),
        _ => DataType::Utf8,
    }
}

/// A type without a plain text, whatever it is.
fn nested() -> DataType {
    DataType::Struct(arrow_schema::Fields::empty())
}

/// Points in time, local ones or in UTC.
fn instants(in_utc: bool) -> DataType {
    DataType::Timestamp(TimeUnit::Microsecond, in_utc.then(|| "UTC".into()))
}

/// What most dialects say: the new name has no schema, and the table stays in its own.
fn renamed(old: &TableName, new: &TableName) -> Vec<String> {
    let quoted = crate::name::quoted;
    vec![format!("ALTER TABLE {} RENAME TO {}", old.sql(quoted), quoted(&new.name))]
}
