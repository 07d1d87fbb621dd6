//! The keys of a policy file. Each key is declared once, as a field of its section.
//!
//! [`section!`] expands a declaration to the struct, its [`TableSpec`] (for unknown keys, types,
//! ranges, defaults, the JSON Schema, and the reference), its reader, and its writer. The comment
//! of a field is the documentation of the key.

#[macro_use]
mod declare;
mod values;

pub(crate) use values::{exact, list, table};

use indistinct_core::hierarchy::DateLevel;
use indistinct_core::principle::NumberRange;
use toml_edit::Value as TomlValue;

use super::suggest::one_of;
use super::words::ExplainedWord;

/// A table of a policy file.
#[derive(Debug)]
pub(crate) struct TableSpec {
    /// The path of the table, such as `recoding`. The path of the document is empty, and `*`
    /// matches any name.
    pub(crate) path: &'static str,
    /// The documentation of the table.
    pub(crate) doc: &'static str,
    /// The keys of the table, in the order of the documentation.
    pub(crate) keys: &'static [KeySpec],
}

/// A key of a table.
#[derive(Debug)]
pub(crate) struct KeySpec {
    /// The name of the key.
    pub(crate) name: &'static str,
    /// The values that the key accepts.
    pub(crate) kind: ValueKind,
    /// Whether the key is required.
    pub(crate) presence: Presence,
    /// The documentation of the key.
    pub(crate) doc: &'static str,
}

/// Whether a key is required.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Presence {
    /// The key is required.
    Required,
    /// The key may be omitted. The documentation of the key describes the effect of omitting it.
    Optional,
    /// The key has this default.
    Default(fn() -> TomlValue),
}

/// The values that a key accepts.
#[derive(Debug, Clone, Copy)]
pub(crate) enum ValueKind {
    /// A non-empty string.
    Text,
    /// A list of strings.
    Texts,
    /// A string of one character.
    Delimiter,
    /// `true` or `false`.
    Flag,
    /// An integer of at least 0.
    Whole,
    /// A number in a range.
    Number(NumberRange),
    /// A list of positive numbers, each of which is a multiple of the previous number.
    Widths,
    /// A list of ascending numbers in a range.
    Numbers(NumberRange),
    /// One of several words.
    Word(fn() -> Vec<ExplainedWord>),
    /// The name of a method.
    Method,
    /// `true`, or a list of the words of [`DateLevel`].
    Dates,
    /// A tree of labels. Each label has a list of the values or labels below it.
    Tree,
    /// A list that contains one list of strings for each value.
    Rows,
    /// A table.
    Table(&'static TableSpec),
    /// A table that contains a table for each name.
    Each(&'static TableSpec),
    /// A list that contains one table for each principle.
    Principles,
}

impl TableSpec {
    /// Returns the key with the given name.
    pub(crate) fn key(&self, name: &str) -> Option<&'static KeySpec> {
        self.keys.iter().find(|key| key.name == name)
    }
}

impl ValueKind {
    /// Returns the words that a key accepts. A policy may use any of the given `methods`.
    pub(crate) fn words(self, methods: &[ExplainedWord]) -> Vec<ExplainedWord> {
        match self {
            ValueKind::Word(words) => words(),
            ValueKind::Method => methods.to_vec(),
            _ => Vec::new(),
        }
    }

    /// Describes the expected value in words. A policy may use any of the given `methods`.
    pub(crate) fn expectation(self, methods: &[ExplainedWord]) -> String {
        let fixed = match self {
            ValueKind::Text => "a string",
            ValueKind::Texts => "a list of strings, such as [\"\", \"?\"]",
            ValueKind::Delimiter => "a string of one ASCII character, such as \";\"",
            ValueKind::Flag => "true or false",
            ValueKind::Whole => "an integer of at least 0",
            ValueKind::Number(range) => return range.expectation(),
            ValueKind::Numbers(range) => {
                return range.expectation().replacen("a number", "a list of ascending numbers", 1);
            }
            ValueKind::Widths => "a list of numbers above 0, such as [5, 10, 20]",
            ValueKind::Word(_) | ValueKind::Method => {
                return one_of(self.words(methods).iter().map(|explained| explained.word));
            }
            ValueKind::Dates => {
                return format!(
                    "true, or a list of {}",
                    one_of(DateLevel::ALL.map(DateLevel::name))
                );
            }
            ValueKind::Tree => {
                "a table of labels and the values below them, such as { \"respiratory\" = \
                 [\"flu\", \"pneumonia\"] }"
            }
            ValueKind::Rows => {
                "a list of lists of strings, such as [[\"flu\", \"respiratory\"], [\"ulcer\", \
                 \"digestive\"]]"
            }
            ValueKind::Table(_) | ValueKind::Each(_) => "a table",
            ValueKind::Principles => "a list of tables, each with the header [[principles]]",
        };
        fixed.to_owned()
    }
}

/// The kinds of hierarchy. A declaration contains either one of these keys or only keys of
/// [`HIERARCHY_ENDS`].
pub(crate) const HIERARCHY_KINDS: &[&str] =
    &["csv", "intervals", "round", "boundaries", "mask", "dates", "tree", "rows"];

/// The kinds of numeric hierarchies, which can be combined with top and bottom coding.
pub(crate) const HIERARCHY_ON_NUMBERS: &[&str] = &["intervals", "round"];

/// The keys for top and bottom coding of a numeric column.
pub(crate) const HIERARCHY_ENDS: &[&str] = &["bottom", "top"];

/// The version of the policy format that this version of Indistinct reads and writes.
pub(crate) const VERSION: u32 = 1;
