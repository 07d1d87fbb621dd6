//! The keys of a policy file: name, type, default and explanation.
//!
//! The one source for the walker (unknown keys, types, ranges, defaults), the JSON Schema and the reference. Here is what a
//! key can be; [`tables`] and [`recoding`] have them all.

mod recoding;
mod tables;

pub(crate) use recoding::{DOMAIN, NOISE, RECODING, SEARCH};
pub(crate) use tables::{
    ATTRIBUTE, HIERARCHY, INPUT, LINKAGE, MINIMUM, OUTPUT, PEOPLE, POPULATION, PRINCIPLE, RELEASE,
    ROOT,
};

use indistinct_core::hierarchy::DateLevel;

use super::suggest::one_of;
use super::words::ExplainedWord;

/// A table of a policy file.
#[derive(Debug)]
pub(crate) struct TableSpec {
    /// Its path, such as `recoding`; empty for the document. A `*` stands for any name.
    pub(crate) path: &'static str,
    /// What it is for.
    pub(crate) doc: &'static str,
    /// Its keys, in the order of the documentation.
    pub(crate) keys: &'static [KeySpec],
}

/// A key of a table.
#[derive(Debug)]
pub(crate) struct KeySpec {
    /// Its name.
    pub(crate) name: &'static str,
    /// What it takes.
    pub(crate) kind: ValueKind,
    /// Whether it must be there.
    pub(crate) presence: Presence,
    /// What it means.
    pub(crate) doc: &'static str,
}

/// Whether a key must be there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Presence {
    /// It must.
    Required,
    /// It may be left out, which means what its explanation says.
    Optional,
    /// Left out it has this value, as it would stand in the file.
    Default(&'static str),
}

/// What a key takes.
#[derive(Debug, Clone, Copy)]
pub(crate) enum ValueKind {
    /// A text that is not empty.
    Text,
    /// A list of texts.
    Texts,
    /// One character, as a text.
    Delimiter,
    /// `true` or `false`.
    Flag,
    /// A whole number within inclusive limits.
    Whole { at_least: i128, at_most: i128 },
    /// A number within limits.
    Number(Range),
    /// A list of numbers above 0.
    Widths,
    /// One of several words.
    Word(fn() -> Vec<ExplainedWord>),
    /// The name of a method.
    Method,
    /// `true`, or a list of the words of [`DateLevel`].
    Dates,
    /// Labels with the values or labels below them.
    Tree,
    /// A list of lists of texts, one for each value.
    Rows,
    /// A table.
    Table(&'static TableSpec),
    /// A table with one table for each name.
    Each(&'static TableSpec),
    /// A list of tables, one for each principle.
    Principles,
}

/// The limits of a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Range {
    /// Any number.
    Any,
    /// At least this one.
    AtLeast(i64),
    /// Above this one.
    Above(i64),
    /// From the first to the second, both included.
    Within(i64, i64),
    /// Above the first, up to the second.
    AboveUpTo(i64, i64),
}

impl Range {
    /// In words, after "a number".
    pub(crate) fn words(self) -> String {
        match self {
            Range::Any => String::new(),
            Range::AtLeast(limit) => format!(" of at least {limit}"),
            Range::Above(limit) => format!(" above {limit}"),
            Range::Within(low, high) => format!(" from {low} to {high}"),
            Range::AboveUpTo(low, high) => format!(" above {low} and at most {high}"),
        }
    }
}

impl TableSpec {
    /// The key with the given name.
    pub(crate) fn key(&self, name: &str) -> Option<&'static KeySpec> {
        self.keys.iter().find(|key| key.name == name)
    }
}

impl ValueKind {
    /// The words that it takes, where it takes one of several: `methods` are those that a policy may name.
    pub(crate) fn words(self, methods: &[ExplainedWord]) -> Vec<ExplainedWord> {
        match self {
            ValueKind::Word(words) => words(),
            ValueKind::Method => methods.to_vec(),
            _ => Vec::new(),
        }
    }

    /// What is expected, in words; `methods` as above.
    pub(crate) fn expectation(self, methods: &[ExplainedWord]) -> String {
        match self {
            ValueKind::Text => "a text in quotes".to_owned(),
            ValueKind::Texts => "a list of texts in quotes, such as [\"\", \"?\"]".to_owned(),
            ValueKind::Delimiter => "one ASCII character in quotes, such as \";\"".to_owned(),
            ValueKind::Flag => "true or false".to_owned(),
            ValueKind::Whole { at_least, at_most: MAX_WHOLE } => {
                format!("a whole number of at least {at_least}")
            }
            ValueKind::Whole { at_least, at_most } => {
                format!("a whole number from {at_least} to {at_most}")
            }
            ValueKind::Number(range) => format!("a number{}", range.words()),
            ValueKind::Widths => "a list of numbers above 0, such as [5, 10, 20]".to_owned(),
            ValueKind::Word(_) | ValueKind::Method => {
                let words = self.words(methods);
                one_of(words.iter().map(|explained| explained.word))
            }
            ValueKind::Dates => {
                let levels = one_of(DateLevel::ALL.map(DateLevel::name));
                format!("true, or a list of {levels}")
            }
            ValueKind::Tree => {
                "a table of labels with the values below them, such as { \"respiratory\" = [\"flu\", \"pneumonia\"] }"
                    .to_owned()
            }
            ValueKind::Rows => {
                "a list of lists of texts, such as [[\"flu\", \"respiratory\"], [\"ulcer\", \"digestive\"]]".to_owned()
            }
            ValueKind::Table(_) | ValueKind::Each(_) => "a table".to_owned(),
            ValueKind::Principles => "a list of tables, each begun by [[principles]]".to_owned(),
        }
    }
}

/// The largest whole number that TOML is sure to keep.
pub(crate) const MAX_WHOLE: i128 = i64::MAX as i128;

/// The kinds of hierarchy: a declaration has exactly one of these keys, or none and some of [`HIERARCHY_ENDS`].
pub(crate) const HIERARCHY_KINDS: &[&str] =
    &["csv", "intervals", "round", "mask", "dates", "tree", "rows"];

/// The kinds that are about numbers in their order: those that go with ends.
pub(crate) const HIERARCHY_ON_NUMBERS: &[&str] = &["intervals", "round"];

/// The keys that code the ends of a column of numbers.
pub(crate) const HIERARCHY_ENDS: &[&str] = &["bottom", "top"];

/// The version of the format that this version of Indistinct reads and writes.
pub(crate) const VERSION: u32 = 1;

/// A key, in a table's list.
pub(crate) const fn key(
    name: &'static str,
    kind: ValueKind,
    presence: Presence,
    doc: &'static str,
) -> KeySpec {
    KeySpec { name, kind, presence, doc }
}
