//! Reads the inline tree of a hierarchy, which contains labels with the values or labels below
//! them.

use std::collections::BTreeSet;
use std::ops::Range;

use indistinct_core::model::Branch;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::{Code, Problem};

/// A key of a TOML table with its value.
pub(super) struct Entry<'t> {
    pub(super) key: &'t str,
    pub(super) key_span: Range<usize>,
    pub(super) value: &'t Spanned<DeValue<'t>>,
}

/// Returns the entries of a table in the order of the file. The TOML tree sorts them by name.
pub(super) fn in_file_order<'t>(table: &'t DeTable<'t>) -> Vec<Entry<'t>> {
    let mut entries: Vec<Entry<'t>> = table
        .iter()
        .map(|(key, value)| Entry { key: key.get_ref(), key_span: key.span(), value })
        .collect();
    entries.sort_by_key(|entry| entry.key_span.start);
    entries
}

struct Reader<'a> {
    path: &'a str,
    values: BTreeSet<String>,
    problems: Vec<Problem>,
}

/// Returns the top-level nodes, in the order of the file.
pub(super) fn read(
    path: &str,
    table: &DeTable<'_>,
    span: Range<usize>,
) -> Result<Vec<Branch>, Vec<Problem>> {
    let mut reader = Reader { path, values: BTreeSet::new(), problems: Vec::new() };
    let nodes = reader.branches(table, span);
    if reader.problems.is_empty() { Ok(nodes) } else { Err(reader.problems) }
}

const VALUES_IN_BRACKETS: &str = "write the values in brackets: [\"value\", ...]";

impl Reader<'_> {
    // Messages must not contain values, because the values of an inline tree are cells from the
    // table.
    fn wrong(&mut self, code: Code, span: Range<usize>, what: &str, help: &str) {
        let message = format!("'{}': {what}", self.path);
        self.problems.push(Problem::at(code, span, message).help(help));
    }

    fn branches(&mut self, table: &DeTable<'_>, span: Range<usize>) -> Vec<Branch> {
        if table.is_empty() {
            self.wrong(Code::Hierarchy, span, "no labels", "write \"LABEL\" = [\"value\", ...]");
        }
        let mut nodes = Vec::new();
        for entry in in_file_order(table) {
            let children = self.below(entry.value);
            nodes.push(Branch::Inner(entry.key.to_owned(), children));
        }
        nodes
    }

    fn below(&mut self, value: &Spanned<DeValue<'_>>) -> Vec<Branch> {
        match value.get_ref() {
            DeValue::Table(table) => self.branches(table, value.span()),
            DeValue::Array(items) => {
                if items.is_empty() {
                    let what = "a label has no values";
                    self.wrong(Code::Hierarchy, value.span(), what, VALUES_IN_BRACKETS);
                }
                items.iter().flat_map(|item| self.item(item)).collect()
            }
            _ => {
                let what = "the value of a label is neither a list nor a table";
                self.wrong(Code::WrongType, value.span(), what, VALUES_IN_BRACKETS);
                Vec::new()
            }
        }
    }

    fn item(&mut self, item: &Spanned<DeValue<'_>>) -> Vec<Branch> {
        match item.get_ref() {
            DeValue::String(value) => {
                if !self.values.insert(value.to_string()) {
                    let help = "a value has one position in the tree: remove one of the two";
                    self.wrong(Code::Hierarchy, item.span(), "a value is repeated", help);
                }
                vec![Branch::Leaf(value.to_string())]
            }
            DeValue::Table(table) => self.branches(table, item.span()),
            _ => {
                let help = "put every value in quotes, including numbers";
                self.wrong(Code::WrongType, item.span(), "a value is not a string", help);
                Vec::new()
            }
        }
    }
}
