//! A policy as text.
//!
//! [`PolicyDocument`] is the only type that writes policies: it creates new policies and edits
//! existing ones without changing the remaining text, including comments. A document does not have
//! to be a valid policy.

use std::fmt;

use toml_edit::{ArrayOfTables, DocumentMut, Item, Table, TableLike, Value};

/// A policy as an editable TOML document. The policy may be invalid.
#[derive(Debug, Clone, Default)]
pub struct PolicyDocument {
    document: DocumentMut,
    /// Comments that precede the next key or table, or the end of the document.
    comment: String,
}

/// The error for a string that is not valid TOML.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotToml {
    /// The line number of the error, counted from 1.
    pub line: usize,
}

impl PolicyDocument {
    /// Creates an empty document.
    pub fn new() -> Self {
        Self::default()
    }

    /// Parses a string as TOML.
    ///
    /// # Errors
    /// Returns [`NotToml`] if the text is not valid TOML.
    pub fn parse(text: &str) -> Result<Self, NotToml> {
        match text.parse() {
            Ok(document) => Ok(Self { document, comment: String::new() }),
            Err(error) => {
                let error: toml_edit::TomlError = error;
                let start = error.span().map_or(0, |span| span.start);
                Err(NotToml { line: text[..start].lines().count().max(1) })
            }
        }
    }

    /// Returns a copy that contains only the sections with these names.
    #[must_use]
    pub fn only(&self, sections: &[&str]) -> Self {
        let mut copy = self.clone();
        copy.document.as_table_mut().retain(|key, _| sections.contains(&key));
        copy
    }

    /// Writes comments before the next new key or table, one for each line. An empty line stays
    /// empty.
    pub fn comment(&mut self, text: &str) {
        for line in text.lines() {
            let line = line.replace(|c: char| c.is_control() && c != '\t', " ");
            self.comment.push_str(if line.is_empty() { "" } else { "# " });
            self.comment.push_str(&line);
            self.comment.push('\n');
        }
    }

    /// Returns the item at a path, such as `["attributes", "age", "role"]` or `["principles", "0",
    /// "k"]`.
    pub fn get(&self, path: &[&str]) -> Option<&Item> {
        path.iter().try_fold(self.document.as_item(), |item, key| match item {
            Item::ArrayOfTables(_) | Item::Value(Value::Array(_)) => {
                item.get(key.parse::<usize>().ok()?)
            }
            _ => item.get(key),
        })
    }

    /// Returns the value at a path as a single line, without the comment that follows it.
    pub fn value(&self, path: &[&str]) -> Option<String> {
        self.get(path).and_then(one_line)
    }

    /// Returns the string at a path.
    pub fn text(&self, path: &[&str]) -> Option<&str> {
        self.get(path)?.as_str()
    }

    /// Returns the items of a table, in the order of the file.
    pub fn entries(&self, path: &[&str]) -> Vec<(&str, &Item)> {
        let table = self.get(path).and_then(Item::as_table_like);
        table.map(|table| table.iter().collect()).unwrap_or_default()
    }

    /// Returns the principles, in the order of the file.
    pub fn principles(&self) -> Vec<&dyn TableLike> {
        match self.document.get("principles") {
            Some(Item::ArrayOfTables(tables)) => tables.iter().map(|it| it as _).collect(),
            Some(Item::Value(Value::Array(array))) => {
                array.iter().filter_map(Value::as_inline_table).map(|it| it as _).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Returns the table at a path and creates it if it is missing. Returns `None` if the path
    /// contains an item that is not a table.
    fn table_mut(&mut self, path: &[&str]) -> Option<&mut dyn TableLike> {
        let mut item = self.document.as_item_mut();
        for (at, key) in path.iter().enumerate() {
            if let (Item::ArrayOfTables(_) | Item::Value(Value::Array(_)), Ok(index)) =
                (&item, key.parse::<usize>())
            {
                item = item.get_mut(index)?;
                continue;
            }
            let table = item.as_table_like_mut()?;
            if !table.contains_key(key) {
                let mut new = Table::new();
                new.set_implicit(at + 1 < path.len());
                if at + 1 == path.len() {
                    let comment = std::mem::take(&mut self.comment);
                    new.decor_mut().set_prefix(format!("\n{comment}"));
                }
                table.insert(key, Item::Table(new));
            }
            item = table.get_mut(key)?;
        }
        item.as_table_like_mut()
    }

    /// Sets a key, and creates the tables that contain it. A comment after the former value
    /// remains. Does nothing if the path contains an item that is not a table.
    pub fn set(&mut self, path: &[&str], value: impl Into<Value>) {
        let Some((key, tables)) = path.split_last() else { return };
        let Some(table) = self.table_mut(tables) else { return };
        let is_new = !table.contains_key(key);
        put(table, key, value.into());
        let comment = if is_new { std::mem::take(&mut self.comment) } else { String::new() };
        if !comment.is_empty()
            && let Some(table) = self.table_mut(tables)
            && let Some(mut key) = table.key_mut(key)
        {
            key.leaf_decor_mut().set_prefix(comment);
        }
    }

    /// Sets keys of a table. If the table is missing, it is created, even if there are no keys.
    pub fn set_all<'a>(
        &mut self,
        table: &[&str],
        entries: impl IntoIterator<Item = (&'a str, Value)>,
    ) {
        self.table_mut(table);
        for (key, value) in entries {
            self.set(&[table, &[key]].concat(), value);
        }
    }

    /// Writes a comment after the value of a key.
    pub fn remark(&mut self, path: &[&str], text: &str) {
        let Some((key, tables)) = path.split_last() else { return };
        let item = self.table_mut(tables).and_then(|table| table.get_mut(key));
        if let Some(Item::Value(value)) = item {
            value.decor_mut().set_suffix(format!("  # {text}"));
        }
    }

    /// Removes a key or a table.
    pub fn remove(&mut self, path: &[&str]) {
        let Some((key, tables)) = path.split_last() else { return };
        if tables.is_empty() || self.get(tables).is_some() {
            self.table_mut(tables).and_then(|table| table.remove(key));
        }
    }

    /// Returns the list of principles as tables. Returns `None` if `principles` is not a list of
    /// tables.
    fn principles_mut(&mut self) -> Option<&mut ArrayOfTables> {
        let table = self.document.as_table_mut();
        let item =
            table.entry("principles").or_insert_with(|| Item::ArrayOfTables(ArrayOfTables::new()));
        if !item.is_array_of_tables() {
            let tables = item.clone().into_array_of_tables().ok()?;
            *item = Item::ArrayOfTables(tables);
        }
        item.as_array_of_tables_mut()
    }

    /// Adds a principle at the end of the list. Returns `false` if `principles` is not a list of
    /// tables.
    pub fn add_principle<'a>(
        &mut self,
        kind: &str,
        entries: impl IntoIterator<Item = (&'a str, Value)>,
    ) -> bool {
        let mut table = Table::new();
        put(&mut table, "kind", kind.into());
        for (key, value) in entries {
            put(&mut table, key, value);
        }
        let comment = std::mem::take(&mut self.comment);
        table.decor_mut().set_prefix(format!("\n{comment}"));
        self.principles_mut().map(|tables| tables.push(table)).is_some()
    }

    /// Removes a principle. Returns `false` if the position is out of range.
    pub fn remove_principle(&mut self, at: usize) -> bool {
        match self.principles_mut() {
            Some(tables) if at < tables.len() => {
                tables.remove(at);
                true
            }
            _ => false,
        }
    }
}

impl fmt::Display for PolicyDocument {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = self.document.to_string();
        f.write_str(text.strip_prefix('\n').unwrap_or(&text))?;
        f.write_str(&self.comment)
    }
}

/// Replaces a value and keeps the comment after it.
fn put(table: &mut dyn TableLike, key: &str, mut value: Value) {
    match table.get_mut(key) {
        Some(Item::Value(old)) => {
            *value.decor_mut() = old.decor().clone();
            *old = value;
        }
        _ => {
            value.decor_mut().clear();
            table.insert(key, Item::Value(value));
        }
    }
}

/// Formats a value as a single line, without the comment that follows it.
pub fn one_line(item: &Item) -> Option<String> {
    let mut value = match item {
        Item::Value(value) => value.clone(),
        Item::Table(table) => Value::InlineTable(table.clone().into_inline_table()),
        _ => return None,
    };
    value.decor_mut().clear();
    Some(value.to_string().trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn new_document_preserves_key_and_comment_order() {
        let mut document = PolicyDocument::new();
        document.comment("A policy.\n\nThe end.");
        document.set(&["version"], 1);
        document.set(&["input", "path"], "t \"1\".csv");
        document.comment("In years.\nrole = \"insensitive\"\u{b}\rrole");
        document.set(&["attributes", "a.b", "role"], "sensitive");
        document.remark(&["attributes", "a.b", "role"], "why");
        document.add_principle("k-anonymity", [("k", Value::from(5))]);
        document.comment("the end");
        assert_eq!(
            document.to_string(),
            "# A policy.\n\n# The end.\nversion = 1\n\n[input]\npath = 't \"1\".csv'\n\n# In \
             years.\n# role = \"insensitive\"  role\n[attributes.\"a.b\"]\nrole = \"sensitive\"  # \
             why\n\n[[principles]]\nkind = \"k-anonymity\"\nk = 5\n# the end\n"
        );
    }

    #[test]
    fn edits_preserve_unrelated_text() {
        let text = "# a policy\nversion = 1\n\n# how old\n[attributes.age]\nrole = \"?\" # to \
                    decide\n\n# first\n[[principles]]\nkind = \"k-anonymity\"\nk = 5 # five\n";
        let mut document = PolicyDocument::parse(text).expect("TOML");
        assert_eq!(document.to_string(), text);
        document.set(&["attributes", "age", "role"], "sensitive");
        document.set(&["principles", "0", "k"], 7);
        document.set(&["version", "no", "table"], 1);
        document.remove(&["search", "all_minimal"]);
        let changed = text.replace("\"?\"", "\"sensitive\"").replace("k = 5", "k = 7");
        assert_eq!(document.to_string(), changed);
        assert_eq!(document.value(&["principles", "0", "k"]).as_deref(), Some("7"));
        assert_eq!(PolicyDocument::parse("a = 1\nb ="), Err(NotToml { line: 2 }));
    }

    impl PartialEq for PolicyDocument {
        fn eq(&self, other: &Self) -> bool {
            self.to_string() == other.to_string()
        }
    }
}
