//! Reads the inline tree of a hierarchy: labels with the values, or the labels, below them.

use std::collections::BTreeSet;
use std::ops::Range;

use indistinct_core::hierarchy::TreeNode;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::walk::{Walker, in_file_order};
use super::{Code, Problem};

struct Reader<'w> {
    walker: &'w mut Walker,
    path: &'w str,
    values: BTreeSet<String>,
    sound: bool,
}

/// The topmost nodes, in the order of the file; `None` if something is wrong, which is reported.
pub(super) fn read(
    walker: &mut Walker,
    path: &str,
    table: &DeTable<'_>,
    span: Range<usize>,
) -> Option<Vec<TreeNode>> {
    let mut reader = Reader { walker, path, values: BTreeSet::new(), sound: true };
    let nodes = reader.branches(table, span);
    reader.sound.then_some(nodes)
}

impl Reader<'_> {
    // Messages name no value: those of an inline tree are cells of the table.
    fn wrong(&mut self, code: Code, span: Range<usize>, what: &str, help: &str) {
        self.sound = false;
        let message = format!("'{}': {what}", self.path);
        self.walker.report(Problem::at(code, span, message).help(help));
    }

    fn branches(&mut self, table: &DeTable<'_>, span: Range<usize>) -> Vec<TreeNode> {
        if table.is_empty() {
            self.wrong(Code::Hierarchy, span, "no labels", "write \"LABEL\" = [\"value\", ...]");
        }
        let mut nodes = Vec::new();
        for entry in in_file_order(table) {
            let children = self.below(entry.value);
            nodes.push(TreeNode::Inner(entry.key.to_owned(), children));
        }
        nodes
    }

    fn below(&mut self, value: &Spanned<DeValue<'_>>) -> Vec<TreeNode> {
        match value.get_ref() {
            DeValue::Table(table) => self.branches(table, value.span()),
            DeValue::Array(items) => {
                if items.is_empty() {
                    self.wrong(
                        Code::Hierarchy,
                        value.span(),
                        "nothing below a label",
                        "write the values in brackets: [\"value\", ...]",
                    );
                }
                items.iter().flat_map(|item| self.item(item)).collect()
            }
            _ => {
                self.wrong(
                    Code::WrongType,
                    value.span(),
                    "below a label is neither a list nor a table",
                    "write the values in brackets: [\"value\", ...]",
                );
                Vec::new()
            }
        }
    }

    fn item(&mut self, item: &Spanned<DeValue<'_>>) -> Vec<TreeNode> {
        match item.get_ref() {
            DeValue::String(value) => {
                if !self.values.insert(value.to_string()) {
                    self.wrong(
                        Code::Hierarchy,
                        item.span(),
                        "a value is repeated",
                        "a value has one place in the tree: remove one of the two",
                    );
                }
                vec![TreeNode::Leaf(value.to_string())]
            }
            DeValue::Table(table) => self.branches(table, item.span()),
            _ => {
                self.wrong(
                    Code::WrongType,
                    item.span(),
                    "a value is not a text",
                    "put every value in quotes, numbers as well",
                );
                Vec::new()
            }
        }
    }
}
