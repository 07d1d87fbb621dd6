//! A table or a query, and the statements about it.

use arrow_array::{ArrayRef, StringArray};
use arrow_schema::DataType;
use indistinct_engine::{EngineError, InputColumn};

use crate::dialects::{Column, Dialect};
use crate::token::{MARK, decoded};

/// A query about a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Query {
    /// What it is for, in a word.
    pub kind: &'static str,
    /// The columns of its answer.
    pub columns: Vec<String>,
    /// A single SELECT.
    pub sql: String,
}

/// A table or a query, with what is known of its columns.
#[derive(Debug, Clone)]
pub struct Source {
    /// How it is spoken of.
    pub dialect: &'static Dialect,
    /// What stands behind FROM, before an alias.
    pub from: String,
    /// Its columns.
    pub columns: Vec<InputColumn>,
    /// The same in the words of the database.
    pub described: Vec<Column>,
    /// Texts that stand for a missing value.
    pub null_values: Vec<String>,
}

impl Source {
    /// The place of a column.
    ///
    /// # Errors
    /// [`EngineError::UnknownColumn`].
    pub fn position(&self, name: &str) -> Result<usize, EngineError> {
        let found = self.columns.iter().position(|column| column.name == name);
        found.ok_or_else(|| EngineError::UnknownColumn { column: name.to_owned(), nearest: None })
    }

    /// The places of columns.
    ///
    /// # Errors
    /// As [`Source::position`].
    pub fn positions(&self, names: &[String]) -> Result<Vec<usize>, EngineError> {
        names.iter().map(|name| self.position(name)).collect()
    }

    /// The token of a column's value in a row of a table that is called `alias`.
    pub fn token(&self, alias: &str, column: usize) -> String {
        let expression = format!("{alias}.{}", (self.dialect.quoted)(&self.columns[column].name));
        (self.dialect.token)(&expression, &self.described[column])
    }

    /// Values of a column from their tokens.
    ///
    /// # Errors
    /// [`EngineError`] if a token is none of the column's type.
    pub fn values(&self, tokens: &StringArray, column: usize) -> Result<ArrayRef, EngineError> {
        let InputColumn { name, data_type } = &self.columns[column];
        decoded(tokens, data_type, &self.null_values, name)
    }

    /// The columns `c0`, `c1`, ... with the tokens of these columns, as a SELECT names them.
    fn selected(&self, columns: &[usize]) -> String {
        let tokens = columns.iter().enumerate();
        let tokens = tokens.map(|(at, &column)| format!("{} AS c{at}", self.token("s", column)));
        tokens.collect::<Vec<_>>().join(", ")
    }

    /// The distinct combinations of columns as `c0`, `c1`, ..., each with its rows as `n`.
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

    /// The distinct tokens of a column as `v`.
    pub fn distinct(&self, column: usize) -> Query {
        let sql =
            format!("SELECT DISTINCT {} AS v FROM {} AS s", self.token("s", column), self.from);
        Query { kind: "distinct", columns: vec!["v".to_owned()], sql }
    }

    /// The tokens of a column, as `v`, of values that may be taken for one with those of others: what is missing, and zero. They are few, however
    /// many values there are.
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

    /// A row, if a column has values of several kinds with one text; no query where a column has values of one kind.
    pub fn kinds(&self, column: usize) -> Option<Query> {
        let InputColumn { name, data_type } = &self.columns[column];
        let value = format!("s.{}", (self.dialect.quoted)(name));
        let (kind, from) = ((self.dialect.kind?)(&value), &self.from);
        let sql = match data_type {
            // Read as numbers are texts and binary values that look like some.
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

    /// The tokens of all rows as `c0`, `c1`, ...
    pub fn rows(&self, columns: &[usize]) -> Query {
        let sql = format!("SELECT {} FROM {} AS s", self.selected(columns), self.from);
        let names = (0..columns.len()).map(|at| format!("c{at}"));
        Query { kind: "rows", columns: names.collect(), sql }
    }

    /// What columns hold, each by itself and some of them together. Each column comes with how many of its values are wanted as a
    /// sample.
    ///
    /// Lines with `c` of a column, by its place among `columns`, are for each of at most so many of its values, taken evenly in their order: the
    /// token `v` and its rows `n` (a single line without a value where none is wanted), and of all values that are there `n_distinct`, `n_present` rows, `n_unique`
    /// rows with a value of their own, and `most_rows`, the rows of the most frequent one; no line where all are missing. The line with
    /// [`Source::ALL`] for `c` has all rows as `n`, that with [`Source::TOGETHER`] the rows with a combination of `together` of their own.
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
                 SELECT g.v, g.n, ROW_NUMBER() OVER (ORDER BY g.v) AS i, COUNT(*) OVER () AS n_distinct, \
                 CAST(SUM(g.n) OVER () AS bigint) AS n_present, \
                 CAST(SUM(CASE WHEN g.n = 1 THEN 1 ELSE 0 END) OVER () AS bigint) AS n_unique, MAX(g.n) OVER () AS most_rows \
                 FROM (SELECT {token} AS v, CAST(COUNT(*) AS bigint) AS n FROM {from} AS s GROUP BY 1) AS g \
                 WHERE g.v NOT IN ({missing})) AS w WHERE {taken}"
            ));
        }
        if together.len() > 1 {
            let tokens = together.iter().enumerate().map(|(at, &column)| {
                let (token, missing) = (self.token("s", column), self.missing_tokens(column));
                // What is missing is one value, however it is written.
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

    /// Stands for the whole table among [`Source::facts`].
    pub const ALL: i64 = -1;
    /// Stands for columns together among [`Source::facts`].
    pub const TOGETHER: i64 = -2;

    /// The tokens of a column that stand for a missing value, as literals.
    fn missing_tokens(&self, column: usize) -> Vec<String> {
        let is_text = self.columns[column].data_type == DataType::Utf8;
        let named = self.null_values.iter().filter(|_| is_text).map(String::as_str);
        let tokens = named.chain([""]).map(|text| format!("{MARK}{text}"));
        tokens.chain([String::new()]).map(|token| (self.dialect.literal)(&token)).collect()
    }
}
