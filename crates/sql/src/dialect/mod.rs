//! The dialects: one file each and the registry.

mod duckdb;
mod postgresql;
mod sqlite;

use adbc_core::options::{OptionDatabase, OptionValue};
use arrow_schema::{DataType, Field};

use crate::name::TableName;

/// What a connection is opened for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Access {
    /// Reading alone, which the database holds us to.
    Read,
    /// Writing a release.
    Write,
}

/// How one kind of database is spoken to.
#[derive(Debug)]
pub(crate) struct Dialect {
    /// Its name, for people.
    pub(crate) name: &'static str,
    /// The schemes of its addresses.
    pub(crate) schemes: &'static [&'static str],
    /// Whether an address names a file of this machine.
    pub(crate) is_file: bool,
    /// What brings its driver.
    pub(crate) package: &'static str,
    /// How that is put where it is looked for; `{}` stands for the folder.
    pub(crate) install: &'static str,
    /// The driver's file, as paths below a folder with drivers.
    pub(crate) libraries: &'static [&'static str],
    /// The driver's first function, where it is not the usual one.
    pub(crate) entrypoint: Option<&'static [u8]>,
    /// The longest name of a table, in bytes.
    pub(crate) name_limit_bytes: usize,
    /// The options of a connection, from an address and from what follows its scheme.
    pub(crate) options: fn(&str, &str, Access) -> Vec<(OptionDatabase, OptionValue)>,
    /// What is said at the start of each session, so that texts of values are the same everywhere.
    pub(crate) session: &'static [&'static str],
    /// What is said first in a transaction that only reads.
    pub(crate) reading: &'static [&'static str],
    /// A query with a row where a table is.
    pub(crate) exists: fn(&TableName) -> String,
    /// A query with the name and the declared type of each column, for dialects whose results do not tell types.
    pub(crate) declared: Option<fn(&TableName) -> String>,
    /// The type that values of a column of a result are read as, given its declared type.
    pub(crate) read_as: fn(&Field, &str) -> DataType,
    /// The token of an expression that has values of a column.
    pub(crate) token: fn(&str, &Column) -> String,
    /// The type of a released column whose values all are of this type; `None` for text.
    pub(crate) type_name: fn(&DataType) -> Option<&'static str>,
    /// The type of texts.
    pub(crate) text: &'static str,
    /// From a table with a column `n` to its rows, each as often as `n` says: what follows FROM. Its alias is `m`.
    pub(crate) repeated: fn(&str) -> String,
    /// A query with the text `true` if nobody else writes to this target, and from now on nobody does until the transaction
    /// ends; `None` where writing alone does that.
    pub(crate) lock: Option<fn(i64) -> String>,
}

/// A column as the database has it.
#[derive(Debug, Clone)]
pub(crate) struct Column {
    /// Its type in the database's or the driver's words, in lower case; empty if not known.
    pub(crate) declared: String,
}

/// All dialects.
pub(crate) static REGISTRY: &[&Dialect] =
    &[&postgresql::POSTGRESQL, &sqlite::SQLITE, &duckdb::DUCKDB];

/// Types that have the same texts in all dialects; others are read as the database's own text.
pub(crate) fn common_type(data_type: &DataType) -> DataType {
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
