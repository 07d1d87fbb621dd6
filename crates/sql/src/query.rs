//! Checks that a query in a policy is a single SELECT statement.
//!
//! The check catches mistakes and protects drivers that run several statements at once. If the
//! database supports read-only transactions, they provide the actual protection.

use indistinct_engine::TableError;

/// Keywords that no SELECT statement requires outside quotes.
const NOT_READING: [&str; 14] = [
    "insert", "update", "delete", "merge", "into", "create", "drop", "alter", "truncate", "copy",
    "grant", "attach", "pragma", "call",
];

/// Returns the query without a trailing semicolon if the query is a single SELECT statement.
///
/// # Errors
/// Returns [`TableError::NotOneSelect`] if the query is not a single SELECT statement.
pub fn one_select(query: &str) -> Result<&str, TableError> {
    let refused = |reason: String| Err(TableError::NotOneSelect { reason });
    let query = query.trim().trim_end_matches(|c: char| c == ';' || c.is_whitespace());
    if query.contains('\0') {
        return refused("it contains a NUL character".to_owned());
    }
    if query.contains(';') {
        return refused("it contains a semicolon before its end".to_owned());
    }
    let words = words(query);
    match words.first().map(String::as_str) {
        Some("select" | "with") => {}
        _ => return refused("it does not start with SELECT or WITH".to_owned()),
    }
    match words.iter().find(|word| NOT_READING.contains(&word.as_str())) {
        Some(word) => refused(format!("it contains the keyword {}", word.to_uppercase())),
        None => Ok(query),
    }
}

/// Returns the words outside quotes and comments in lower case.
fn words(query: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut rest = query;
    while let Some(first) = rest.chars().next() {
        let skip = |end: &str, from: usize| {
            rest[from..].find(end).map_or(rest.len(), |at| from + at + end.len())
        };
        let length = match first {
            '\'' | '"' | '`' => skip(&first.to_string(), 1),
            '-' if rest.starts_with("--") => skip("\n", 2),
            '/' if rest.starts_with("/*") => skip("*/", 2),
            c if c.is_alphanumeric() || c == '_' => {
                let is_word = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
                let end = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
                words.push(rest[..end].to_lowercase());
                end
            }
            c => c.len_utf8(),
        };
        rest = &rest[length..];
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_single_select_is_accepted() {
        for fine in [
            "SELECT * FROM visits",
            " select a, \"update\" from t where b = 'insert' ; ",
            "-- all of them\nWITH a AS (SELECT 1) SELECT * FROM a",
            "/* x */ SELECT updated_at, 'it''s' FROM t -- end",
        ] {
            assert!(one_select(fine).is_ok(), "{fine}");
        }
        for wrong in [
            "",
            "DELETE FROM visits",
            "SELECT 1; DROP TABLE visits",
            "SELECT 1;; SELECT 2",
            "WITH a AS (DELETE FROM t RETURNING *) SELECT * FROM a",
            "SELECT * INTO other FROM visits",
            "EXPLAIN SELECT 1",
            "ATTACH 'x' AS y",
            "'SELECT'",
            "SELECT 'a;b'",
            "SELECT '\0'",
        ] {
            assert!(one_select(wrong).is_err(), "{wrong}");
        }
    }
}
