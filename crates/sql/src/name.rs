//! Names of tables and columns in SQL.

use indistinct_engine::TableError;

/// Quotes a name according to standard SQL: in double quotes, with embedded quotes doubled.
pub fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

/// Quotes a string according to standard SQL: in single quotes, with embedded quotes doubled.
/// Backslashes have no special meaning.
pub fn literal(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}

/// The name of a table, optionally qualified with a schema.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TableName {
    /// Schema, optionally preceded by the database; empty for the default schema.
    pub schema: Vec<String>,
    /// Name of the table.
    pub name: String,
}

impl TableName {
    /// Parses `schema.name`. A part that contains a dot or is case-sensitive must be in double
    /// quotes.
    ///
    /// # Errors
    /// Returns [`TableError::Name`] if the name is invalid.
    pub fn parse(text: &str) -> Result<Self, TableError> {
        let malformed = || TableError::Name { name: text.to_owned() };
        let mut parts = Vec::new();
        let mut rest = text;
        loop {
            let part;
            (part, rest) = match rest.strip_prefix('"') {
                Some(inner) => split_quoted(inner).ok_or_else(malformed)?,
                None => {
                    let end = rest.find('.').unwrap_or(rest.len());
                    (rest[..end].to_owned(), &rest[end..])
                }
            };
            if part.is_empty() || part.contains('\0') {
                return Err(malformed());
            }
            parts.push(part);
            match rest.strip_prefix('.') {
                Some(next) => rest = next,
                None if rest.is_empty() => break,
                None => return Err(malformed()),
            }
        }
        if parts.len() > 3 {
            return Err(malformed());
        }
        let name = parts.pop().ok_or_else(malformed)?;
        Ok(Self { schema: parts, name })
    }

    /// Formats the name for SQL, with each part quoted as an identifier.
    pub fn sql(&self, quoted: fn(&str) -> String) -> String {
        let parts = self.schema.iter().chain([&self.name]);
        parts.map(|part| quoted(part)).collect::<Vec<_>>().join(".")
    }

    /// Returns a table with another name in the same schema.
    pub fn sibling(&self, name: String) -> Self {
        Self { schema: self.schema.clone(), name }
    }

    /// Returns the name of the table that stores the certificate of the released table.
    pub fn certificate(&self) -> Self {
        self.sibling(format!("{}_certificate", self.name))
    }
}

/// Splits a quoted name at the closing quote into the unquoted text and the remainder.
fn split_quoted(inner: &str) -> Option<(String, &str)> {
    let mut text = String::new();
    let mut rest = inner;
    loop {
        let at = rest.find('"')?;
        text.push_str(&rest[..at]);
        rest = &rest[at + 1..];
        match rest.strip_prefix('"') {
            Some(next) => {
                text.push('"');
                rest = next;
            }
            None => return Some((text, rest)),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn table_names_follow_sql_syntax() {
        let read = |text: &str| TableName::parse(text).ok().map(|name| name.sql(quoted));
        assert_eq!(read("visits").as_deref(), Some("\"visits\""));
        assert_eq!(read("public.visits").as_deref(), Some("\"public\".\"visits\""));
        assert_eq!(read("\"a.b\".\"c\"\"d\"").as_deref(), Some("\"a.b\".\"c\"\"d\""));
        for wrong in ["", ".", "a.", ".a", "\"a", "\"a\"b", "a.b.c.d", "\"\""] {
            assert_eq!(read(wrong), None, "{wrong}");
        }
        let name = TableName::parse("s.t").expect("a name");
        assert_eq!(name.certificate().sql(quoted), "\"s\".\"t_certificate\"");
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn quoted_names_round_trip(name in "[^\0]{1,12}") {
            let read = TableName::parse(&quoted(&name)).expect("a quoted name");
            prop_assert_eq!(read, TableName { schema: Vec::new(), name });
        }
    }
}
