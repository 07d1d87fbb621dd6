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
    /// Returns numeric types for a released column, in order of preference, given the declared type
    /// of the input column. Only types whose values are read as decimal text are included.
    pub numbers: fn(&str) -> Vec<NumberType>,
    /// Returns the expression that converts decimal text to such a type without rounding.
    pub number_of: fn(&str, &NumberType) -> String,
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

/// A numeric type for the decimal text of released values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NumberType {
    /// Name of the type.
    pub name: String,
    /// Maximum number of digits.
    pub precision: usize,
    /// Number of digits after the decimal point, or `None` for any number.
    pub scale: Option<usize>,
    /// Whether the type preserves zeros at the end of a fraction.
    pub preserves_zeros: bool,
}

impl NumberType {
    /// Creates a type with a fixed number of digits after the decimal point.
    fn fixed(name: &str, precision: usize, scale: usize) -> Self {
        Self { name: name.to_owned(), precision, scale: Some(scale), preserves_zeros: true }
    }

    /// Returns whether the type can represent the number, and the database would return the same
    /// text.
    pub(crate) fn represents(&self, text: &str) -> bool {
        let digits = text.strip_prefix('-').unwrap_or(text);
        let (whole, part) = digits.split_once('.').unwrap_or((digits, ""));
        let are_digits = |it: &str| it.bytes().all(|byte| byte.is_ascii_digit());
        let is_plain = are_digits(whole)
            && are_digits(part)
            && (whole == "0" || !whole.is_empty() && !whole.starts_with('0'))
            && digits.contains('.') != part.is_empty();
        let is_negative_zero = digits != text && !digits.contains(|it| ('1'..='9').contains(&it));
        is_plain
            && !is_negative_zero
            && whole.trim_start_matches('0').len() + part.len() <= self.precision
            && self.scale.is_none_or(|scale| part.len() == scale)
            && (self.preserves_zeros || !part.ends_with('0'))
    }
}

/// Returns the precision and the scale of a declared decimal type.
fn decimal(declared: &str) -> Option<(usize, usize)> {
    let (name, digits) = declared.strip_suffix(')')?.split_once('(')?;
    let (precision, scale) = digits.split_once(',')?;
    let is_decimal = name.starts_with("decimal");
    Some((precision.trim().parse().ok()?, scale.trim().parse().ok()?)).filter(|_| is_decimal)
}

/// Returns the exact numeric type `DECIMAL` with the digits of a declared decimal type.
fn decimals(declared: &str) -> Vec<NumberType> {
    let of = |(precision, scale)| {
        NumberType::fixed(&format!("DECIMAL({precision}, {scale})"), precision, scale)
    };
    decimal(declared).map(of).into_iter().collect()
}

/// Returns the expression of a cast to a numeric type.
fn cast(expression: &str, number: &NumberType) -> String {
    format!("CAST({expression} AS {})", number.name)
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
