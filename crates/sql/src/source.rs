//! Generates the statements that read a table or a query.

use arrow_array::{ArrayRef, StringArray};
use arrow_schema::DataType;
use indistinct_core::model::{decimal, number_of};
use indistinct_engine::{EngineError, InputColumn, InputSpec};

use crate::dialects::{Column, Dialect};
use crate::token::{MARK, decoded};

/// A query for a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Query {
    /// Purpose of the query, as a single word.
    pub kind: &'static str,
    /// Columns of the result.
    pub columns: Vec<String>,
    /// A single SELECT statement.
    pub sql: String,
}

/// Kind of the query that returns all rows.
pub const ROWS: &str = "rows";

/// A table or a query, with a description of its columns.
#[derive(Debug, Clone)]
pub struct Source {
    /// SQL dialect of the database.
    pub dialect: &'static Dialect,
    /// Content of the FROM clause, excluding the alias.
    pub from: String,
    /// The columns with Arrow types.
    pub columns: Vec<InputColumn>,
    /// The columns with their database types.
    pub described: Vec<Column>,
    /// Strings that represent a missing value.
    pub null_values: Vec<String>,
}

impl Source {
    /// Returns the source with a subquery instead of the table, in which the values that the input
    /// declares as missing in single columns are NULL. Columns keep their types.
    #[must_use]
    pub fn without_null_values(mut self, spec: &InputSpec) -> Self {
        let codes = |at: usize| spec.own_null_values(&self.columns[at].name);
        if (0..self.columns.len()).all(|at| codes(at).is_empty()) {
            return self;
        }
        let selected = (0..self.columns.len()).map(|at| {
            let name = (self.dialect.quoted)(&self.columns[at].name);
            match codes(at) {
                [] => format!("s.{name}"),
                codes => {
                    let is_missing = self.is_among(at, codes);
                    format!("CASE WHEN {is_missing} THEN NULL ELSE s.{name} END AS {name}")
                }
            }
        });
        let selected = selected.collect::<Vec<_>>().join(", ");
        self.from = format!("(SELECT {selected} FROM {} AS s)", self.from);
        self
    }

    /// Returns a condition for values of a column that are among the given strings. Columns with
    /// numeric types are also compared by value.
    fn is_among(&self, column: usize, values: &[String]) -> String {
        let InputColumn { name, data_type } = &self.columns[column];
        let tokens = values.iter().map(|text| (self.dialect.literal)(&format!("{MARK}{text}")));
        let tokens = tokens.collect::<Vec<_>>().join(", ");
        let is_token = format!("{} IN ({tokens})", self.token("s", column));
        let is_numeric = data_type.is_numeric()
            || !(self.dialect.numbers)(&self.described[column].declared).is_empty();
        let numbers = values.iter().filter(|_| is_numeric).filter_map(|text| number_of(text));
        let numbers: Vec<String> = numbers.filter_map(|number| decimal(&number)).collect();
        match numbers.is_empty() {
            true => is_token,
            false => {
                let value = format!("s.{}", (self.dialect.quoted)(name));
                // PostgreSQL does not compare amounts of money with numbers.
                let value = match self.described[column].declared.as_str() {
                    "money" => format!("CAST({value} AS numeric)"),
                    _ => value,
                };
                format!("({is_token} OR {value} IN ({}))", numbers.join(", "))
            }
        }
    }

    /// Returns the position of a column.
    ///
    /// # Errors
    /// Returns [`EngineError::UnknownColumn`] if the column does not exist.
    pub fn position(&self, name: &str) -> Result<usize, EngineError> {
        let found = self.columns.iter().position(|column| column.name == name);
        found.ok_or_else(|| EngineError::UnknownColumn { column: name.to_owned(), nearest: None })
    }

    /// Returns the positions of columns.
    ///
    /// # Errors
    /// Returns the same errors as [`Source::position`].
    pub fn positions(&self, names: &[String]) -> Result<Vec<usize>, EngineError> {
        names.iter().map(|name| self.position(name)).collect()
    }

    /// Returns the token expression for a column of the table with the given alias.
    pub fn token(&self, alias: &str, column: usize) -> String {
        let expression = format!("{alias}.{}", (self.dialect.quoted)(&self.columns[column].name));
        (self.dialect.token)(&expression, &self.described[column])
    }

    /// Decodes the values of a column from their tokens.
    ///
    /// # Errors
    /// Returns [`EngineError`] if a token is invalid for the type of the column.
    pub fn values(&self, tokens: &StringArray, column: usize) -> Result<ArrayRef, EngineError> {
        let InputColumn { name, data_type } = &self.columns[column];
        decoded(tokens, data_type, &self.null_values, name)
    }

    /// Returns a select list in which the tokens of the given columns are named `c0`, `c1`, and so
    /// on.
    fn selected(&self, columns: &[usize]) -> String {
        let tokens = columns.iter().enumerate();
        let tokens = tokens.map(|(at, &column)| format!("{} AS c{at}", self.token("s", column)));
        tokens.collect::<Vec<_>>().join(", ")
    }

    /// Returns a query for the distinct combinations of columns `c0`, `c1`, and so on, with the
    /// number of rows `n` of each combination.
    pub fn count(&self, columns: &[usize]) -> Query {
        let selected = self.selected(columns);
        let comma = if columns.is_empty() { "" } else { ", " };
        let by: Vec<String> = (1..=columns.len()).map(|at| at.to_string()).collect();
        let grouped = match by.is_empty() {
            true => String::new(),
            false => format!(" GROUP BY {}", by.join(", ")),
        };
        let from = &self.from;
        let sql = format!(
            "SELECT {selected}{comma}CAST(COUNT(*) AS bigint) AS n FROM {from} AS s{grouped}"
        );
        let names = (0..columns.len()).map(|at| format!("c{at}"));
        Query { kind: "count", columns: names.chain(["n".to_owned()]).collect(), sql }
    }

    /// Returns a query that selects the distinct tokens of a column as `v`.
    pub fn distinct(&self, column: usize) -> Query {
        let sql =
            format!("SELECT DISTINCT {} AS v FROM {} AS s", self.token("s", column), self.from);
        Query { kind: "distinct", columns: vec!["v".to_owned()], sql }
    }

    /// Returns a query for the tokens `v` of values that may have several spellings, which are
    /// missing values and zero. The result is small for any number of values.
    pub fn spellings(&self, column: usize) -> Query {
        let token = self.token("s", column);
        let known = ["", "=", "=0", "=-0", "=0.0", "=-0.0"].map(self.dialect.literal);
        let sql = format!(
            "SELECT DISTINCT {token} AS v FROM {} AS s WHERE {token} IN ({})",
            self.from,
            known.join(", ")
        );
        Query { kind: "spellings", columns: vec!["v".to_owned()], sql }
    }

    /// Returns a query that yields a row if a column contains values of several kinds with equal
    /// text, or `None` if all values are of one kind.
    pub fn kinds(&self, column: usize) -> Option<Query> {
        let InputColumn { name, data_type } = &self.columns[column];
        let value = format!("s.{}", (self.dialect.quoted)(name));
        let (kind, from) = ((self.dialect.kind?)(&value), &self.from);
        let sql = match data_type {
            // The database treats text and binary values that look like numbers as numbers, so such
            // values must be detected by kind.
            DataType::Float64 => format!(
                "SELECT 1 AS n FROM {from} AS s WHERE {kind} NOT IN ('real', 'integer', 'null') LIMIT 1"
            ),
            _ => format!(
                "SELECT 1 AS n FROM {from} AS s WHERE {value} IS NOT NULL GROUP BY {} HAVING COUNT(DISTINCT {kind}) > 1 LIMIT 1",
                self.token("s", column)
            ),
        };
        Some(Query { kind: "kinds", columns: vec!["n".to_owned()], sql })
    }

    /// Returns a query for the tokens of all rows, which are named `c0`, `c1`, and so on.
    pub fn rows(&self, columns: &[usize]) -> Query {
        let sql = format!("SELECT {} FROM {} AS s", self.selected(columns), self.from);
        let names = (0..columns.len()).map(|at| format!("c{at}"));
        Query { kind: ROWS, columns: names.collect(), sql }
    }

    /// Returns a query for statistics on columns, individually and combined. `columns` contains
    /// positions of columns with sample sizes.
    ///
    /// For each column, the result contains up to that many sample values, evenly spaced in sorted
    /// order. The row of a sample value has the index of the column in `columns` as `c`, the token
    /// `v`, and its number of rows `n`. If no sample is requested, the column has a single row
    /// without a value. The rows also contain totals for the values that are not missing:
    /// `n_distinct` values, `n_present` rows, `n_unique` rows whose value occurs once, and
    /// `most_rows`, the number of rows with the most frequent value. A column without values has no
    /// row. The row with [`Source::ALL`] as `c` contains the total number of rows as `n`. The row
    /// with [`Source::TOGETHER`] contains the number of rows that are unique in the combination of
    /// the `together` columns.
    pub fn facts(&self, columns: &[(usize, u64)], together: &[usize]) -> Query {
        let from = &self.from;
        let rest = "0 AS n_distinct, 0 AS n_present, 0 AS n_unique, 0 AS most_rows";
        let all = format!(
            "SELECT {} AS c, '' AS v, CAST(COUNT(*) AS bigint) AS n, {rest} FROM {from} AS s",
            Self::ALL
        );
        let mut parts = vec![all];
        for (at, &(column, n_sampled)) in columns.iter().enumerate() {
            let (token, sampled) = (self.token("s", column), n_sampled > 0);
            let (v, taken) = match sampled {
                true => ("w.v", format!("(w.i * {n_sampled}) % w.n_distinct < {n_sampled}")),
                false => ("''", "w.i = 1".to_owned()),
            };
            let missing = self.missing_tokens(column).join(", ");
            parts.push(format!(
                "SELECT {at} AS c, {v} AS v, w.n, w.n_distinct, w.n_present, w.n_unique, w.most_rows FROM (\
                 SELECT g.v, g.n, ROW_NUMBER() OVER (ORDER BY g.v) AS i, COUNT(*) OVER () AS \
                 n_distinct, CAST(SUM(g.n) OVER () AS bigint) AS n_present, \
                 CAST(SUM(CASE WHEN g.n = 1 THEN 1 ELSE 0 END) OVER () AS bigint) AS n_unique, \
                 MAX(g.n) OVER () AS most_rows FROM (SELECT {token} AS v, CAST(COUNT(*) AS bigint) \
                 AS n FROM {from} AS s GROUP BY 1) AS g WHERE g.v NOT IN ({missing})) AS w WHERE {taken}"
            ));
        }
        if together.len() > 1 {
            let tokens = together.iter().enumerate().map(|(at, &column)| {
                let (token, missing) = (self.token("s", column), self.missing_tokens(column));
                // All spellings of a missing value are treated as one value.
                format!(
                    "CASE WHEN {token} IN ({}) THEN '' ELSE {token} END AS c{at}",
                    missing.join(", ")
                )
            });
            let by: Vec<String> = (1..=together.len()).map(|at| at.to_string()).collect();
            parts.push(format!(
                "SELECT {} AS c, '' AS v, CAST(COUNT(*) AS bigint) AS n, {rest} FROM (\
                 SELECT {} FROM {from} AS s GROUP BY {} HAVING COUNT(*) = 1) AS g",
                Self::TOGETHER,
                tokens.collect::<Vec<_>>().join(", "),
                by.join(", ")
            ));
        }
        let names = ["c", "v", "n", "n_distinct", "n_present", "n_unique", "most_rows"];
        let columns = names.map(str::to_owned).to_vec();
        Query { kind: "columns", columns, sql: parts.join(" UNION ALL ") }
    }

    /// Index that identifies the complete table in the result of [`Source::facts`].
    pub const ALL: i64 = -1;
    /// Index that identifies the combined columns in the result of [`Source::facts`].
    pub const TOGETHER: i64 = -2;

    /// Returns the tokens that represent a missing value in a column, as literals.
    fn missing_tokens(&self, column: usize) -> Vec<String> {
        let is_text = self.columns[column].data_type == DataType::Utf8;
        let named = self.null_values.iter().filter(|_| is_text).map(String::as_str);
        let tokens = named.chain([""]).map(|text| format!("{MARK}{text}"));
        tokens.chain([String::new()]).map(|token| (self.dialect.literal)(&token)).collect()
    }
}
