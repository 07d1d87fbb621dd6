//! The keys of a policy file: name, type, default and explanation.
//!
//! The one source for the walker (unknown keys, types, ranges, defaults), the JSON Schema and the reference.

use indistinct_core::hierarchy::{DateLevel, Side};
use indistinct_core::{Format, Role, Suppressed, loss};

use super::linkage::LINKAGE;
use super::method::{self, Method};
use super::words::{
    Align, Choice, ExplainedWord, LooksLikeIdentifier, MissingValues, OutputFormat, RowOrder,
    Split, Unlisted, words_of,
};

/// A table of a policy file.
#[derive(Debug)]
pub(super) struct TableSpec {
    /// Its path, such as `recoding`; empty for the document. A `*` stands for any name.
    pub(super) path: &'static str,
    /// What it is for.
    pub(super) doc: &'static str,
    /// Its keys, in the order of the documentation.
    pub(super) keys: &'static [KeySpec],
}

/// A key of a table.
#[derive(Debug)]
pub(super) struct KeySpec {
    /// Its name.
    pub(super) name: &'static str,
    /// What it takes.
    pub(super) kind: ValueKind,
    /// Whether it must be there.
    pub(super) presence: Presence,
    /// What it means.
    pub(super) doc: &'static str,
}

/// Whether a key must be there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Presence {
    /// It must.
    Required,
    /// It may be left out, which means what its explanation says.
    Optional,
    /// Left out it has this value, as it would stand in the file.
    Default(&'static str),
}

/// What a key takes.
#[derive(Debug, Clone, Copy)]
pub(super) enum ValueKind {
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
    /// A table.
    Table(&'static TableSpec),
    /// A table with one table for each name.
    Each(&'static TableSpec),
    /// A list of tables, one for each principle.
    Principles,
}

/// The limits of a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Range {
    /// Any number.
    Any,
    /// At least this one.
    AtLeast(i64),
    /// Above this one.
    Above(i64),
    /// From the first to the second, both included.
    Within(i64, i64),
}

impl Range {
    /// In words, after "a number".
    pub(super) fn words(self) -> String {
        match self {
            Range::Any => String::new(),
            Range::AtLeast(limit) => format!(" of at least {limit}"),
            Range::Above(limit) => format!(" above {limit}"),
            Range::Within(low, high) => format!(" from {low} to {high}"),
        }
    }
}

impl ValueKind {
    /// The words that it takes, where it takes one of several: `methods` are those that a policy may name.
    pub(super) fn words(self, methods: &[Method]) -> Vec<ExplainedWord> {
        match self {
            ValueKind::Word(words) => words(),
            ValueKind::Method => methods.iter().map(|method| method.explained()).collect(),
            _ => Vec::new(),
        }
    }

    /// What is expected, in words.
    pub(super) fn expectation(self) -> String {
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
                let words = self.words(method::REGISTRY);
                super::suggest::one_of(words.iter().map(|explained| explained.word))
            }
            ValueKind::Dates => {
                let levels = super::suggest::one_of(DateLevel::ALL.map(DateLevel::name));
                format!("true, or a list of {levels}")
            }
            ValueKind::Tree => {
                "a table of labels with the values below them, such as { \"respiratory\" = [\"flu\", \"pneumonia\"] }"
                    .to_owned()
            }
            ValueKind::Table(_) | ValueKind::Each(_) => "a table".to_owned(),
            ValueKind::Principles => "a list of tables, each begun by [[principles]]".to_owned(),
        }
    }
}

/// The largest whole number that TOML is sure to keep.
pub(super) const MAX_WHOLE: i128 = i64::MAX as i128;

/// The kinds of hierarchy: a declaration has exactly one of these keys.
pub(super) const HIERARCHY_KINDS: &[&str] = &["csv", "intervals", "mask", "dates", "tree"];

/// The version of the format that this version of Indistinct reads and writes.
pub(super) const VERSION: u32 = 1;

fn roles() -> Vec<ExplainedWord> {
    let doc = |role| match role {
        Role::Identifier => "Names the person directly: never written.",
        Role::QuasiIdentifier => {
            "Known to others; together with other quasi-identifiers it may single a person out: generalized."
        }
        Role::Sensitive => {
            "What nobody must learn about a person: published, and protected by the principles."
        }
        Role::Insensitive => {
            "Published unchanged and not protected. If in doubt, choose another role."
        }
    };
    Role::ALL.iter().map(|role| ExplainedWord { word: role.name(), doc: doc(*role) }).collect()
}

fn formats() -> Vec<ExplainedWord> {
    Format::ALL.iter().map(|kind| ExplainedWord { word: kind.name, doc: kind.doc }).collect()
}

fn objectives() -> Vec<ExplainedWord> {
    loss::REGISTRY
        .iter()
        .map(|loss| ExplainedWord { word: loss.name, doc: loss.definition })
        .collect()
}

pub(super) const fn key(
    name: &'static str,
    kind: ValueKind,
    presence: Presence,
    doc: &'static str,
) -> KeySpec {
    KeySpec { name, kind, presence, doc }
}

use Presence::{Default, Optional, Required};

/// The document.
pub(super) static ROOT: TableSpec = TableSpec {
    path: "",
    doc: "A policy: which table, what its columns are, what must hold of the release, and how to get there.",
    keys: &[
        key(
            "version",
            ValueKind::Whole { at_least: 1, at_most: MAX_WHOLE },
            Required,
            "Version of this format: 1.",
        ),
        key("title", ValueKind::Text, Optional, "The title of the release, for readers."),
        key("purpose", ValueKind::Text, Optional, "What the release is for; stands in its report."),
        key("recipient", ValueKind::Text, Optional, "Who gets the release; stands in its report."),
        key(
            "contact",
            ValueKind::Text,
            Optional,
            "Who answers questions about the release; stands in its report.",
        ),
        key(
            "date",
            ValueKind::Text,
            Optional,
            "The date of the release as its holder gives it, such as \"2025-03-31\"; stands in its report. No clock is read.",
        ),
        key("input", ValueKind::Table(&INPUT), Optional, INPUT.doc),
        key("attributes", ValueKind::Each(&ATTRIBUTE), Required, ATTRIBUTE.doc),
        key("principles", ValueKind::Principles, Required, PRINCIPLE.doc),
        key("recoding", ValueKind::Table(&RECODING), Optional, RECODING.doc),
        key("search", ValueKind::Table(&SEARCH), Optional, SEARCH.doc),
        key("linkage", ValueKind::Table(&LINKAGE), Optional, LINKAGE.doc),
        key("output", ValueKind::Table(&OUTPUT), Optional, OUTPUT.doc),
    ],
};

/// `[input]`.
pub(super) static INPUT: TableSpec = TableSpec {
    path: "input",
    doc: "The table to be released.",
    keys: &[
        key(
            "path",
            ValueKind::Text,
            Required,
            "A file, a folder or a pattern of files, relative to the policy file. `check` works without it.",
        ),
        key(
            "format",
            ValueKind::Word(formats),
            Optional,
            "The format of the file; if left out, its extension decides.",
        ),
        key(
            "delimiter",
            ValueKind::Delimiter,
            Optional,
            "What separates the fields of a CSV file; a comma if left out, or a tab for `.tsv`.",
        ),
        key(
            "null_values",
            ValueKind::Texts,
            Default("[\"\"]"),
            "Texts that stand for a missing value in CSV and JSON; the empty text always does.",
        ),
        key(
            "unlisted",
            ValueKind::Word(words_of::<Unlisted>),
            Default("error"),
            "What to do with columns that the policy does not name.",
        ),
    ],
};

/// `[attributes.NAME]`.
pub(super) static ATTRIBUTE: TableSpec = TableSpec {
    path: "attributes.*",
    doc: "One table for each column, `[attributes.NAME]`: what the column means for the person in the row.",
    keys: &[
        key(
            "role",
            ValueKind::Word(roles),
            Required,
            "What the column means for the person in the row.",
        ),
        key(
            "hierarchy",
            ValueKind::Table(&HIERARCHY),
            Optional,
            "How values are generalized; if left out, a quasi-identifier is its value or `*`. For a sensitive attribute: its taxonomy.",
        ),
        key(
            "weight",
            ValueKind::Number(Range::AtLeast(0)),
            Default("1"),
            "Importance of a quasi-identifier in losses and orders.",
        ),
        key(
            "min_level",
            ValueKind::Whole { at_least: 0, at_most: MAX_WHOLE },
            Optional,
            "A quasi-identifier is never finer than this level of its hierarchy; 0, the original value, if left out.",
        ),
        key(
            "max_level",
            ValueKind::Whole { at_least: 0, at_most: MAX_WHOLE },
            Optional,
            "A quasi-identifier is never coarser than this level; no limit if left out.",
        ),
        key(
            "missing",
            ValueKind::Word(words_of::<MissingValues>),
            Optional,
            "What to do with missing values of a quasi-identifier or a sensitive attribute. If left out, a missing value is a value of its own, and an error where a principle needs numbers.",
        ),
        key(
            "looks_like_identifier",
            ValueKind::Word(words_of::<LooksLikeIdentifier>),
            Optional,
            "For a column that holds what direct identifiers hold, such as e-mail addresses, and is none: without it no release is made.",
        ),
        key(
            "looks_like_identifier_reason",
            ValueKind::Text,
            Optional,
            "Why such a column may be published; becomes a statement of the certificate.",
        ),
    ],
};

/// `hierarchy` of an attribute.
pub(super) static HIERARCHY: TableSpec = TableSpec {
    path: "attributes.*.hierarchy",
    doc: "How the values of an attribute are generalized: exactly one of `csv`, `intervals`, `mask`, `dates` and `tree`. A top level `*` is added if there is none.",
    keys: &[
        key(
            "csv",
            ValueKind::Text,
            Optional,
            "A file in the format of ARX, relative to the policy file: no header, `;` between fields; the first column has the original value, each further column one level.",
        ),
        key(
            "intervals",
            ValueKind::Widths,
            Optional,
            "For numbers: the widths of the intervals of levels 1, 2, ..., each a multiple of the one before. `[5, 10]` gives `[20, 25)` and `[20, 30)`.",
        ),
        key(
            "anchor",
            ValueKind::Number(Range::Any),
            Default("0"),
            "A number at which an interval begins; with `intervals`.",
        ),
        key(
            "min",
            ValueKind::Number(Range::Any),
            Optional,
            "Values below it fall into one interval at the lower end; with `intervals`.",
        ),
        key(
            "max",
            ValueKind::Number(Range::Any),
            Optional,
            "This value and those above it fall into one interval at the upper end; with `intervals`.",
        ),
        key(
            "mask",
            ValueKind::Word(words_of::<Side>),
            Optional,
            "For codes: hides one character more at each level, from this end.",
        ),
        key(
            "dates",
            ValueKind::Dates,
            Optional,
            "For dates: the levels, from fine to coarse; `true` stands for all of them.",
        ),
        key(
            "tree",
            ValueKind::Tree,
            Optional,
            "Labels, each with the values or labels below it, to any depth.",
        ),
    ],
};

/// `[[principles]]`; the parameters of each kind come from the registry of principles.
pub(super) static PRINCIPLE: TableSpec = TableSpec {
    path: "principles",
    doc: "What must hold of the release: one `[[principles]]` for each principle. All must hold.",
    keys: &[
        key("kind", ValueKind::Text, Required, "Which principle."),
        key(
            "attribute",
            ValueKind::Text,
            Optional,
            "The sensitive attribute that it is about; may be left out if there is only one.",
        ),
    ],
};

/// `[recoding]`.
pub(super) static RECODING: TableSpec = TableSpec {
    path: "recoding",
    doc: "How the table is recoded until the principles hold.",
    keys: &[
        key("method", ValueKind::Method, Default("full-domain"), "The method."),
        key(
            "suppression_limit",
            ValueKind::Number(Range::Within(0, 1)),
            Default("0"),
            "The largest fraction of records that may be suppressed, inclusive. Taken exactly: 0.02 is 1/50.",
        ),
        key(
            "objective",
            ValueKind::Word(objectives),
            Default("loss"),
            "The loss that the search minimizes.",
        ),
        key(
            "suppressed",
            ValueKind::Word(words_of::<Suppressed>),
            Default("dropped"),
            "What to do with suppressed records.",
        ),
        key(
            "align",
            ValueKind::Word(words_of::<Align>),
            Default("hierarchy"),
            "For recodings by region or class: what the values of a class are generalized to.",
        ),
        key(
            "split",
            ValueKind::Word(words_of::<Split>),
            Default("best"),
            "For the multidimensional recoding: where a class is split.",
        ),
        key(
            "choice",
            ValueKind::Word(words_of::<Choice>),
            Default("dominant"),
            "For the sweep: which sensitive values are generalized.",
        ),
        key(
            "domain",
            ValueKind::Table(&DOMAIN),
            Optional,
            "For the perturbation, which needs it: the numbers that noise is drawn from, such as `{ min = 1000, max = 100000, step = 1 }`.",
        ),
        key(
            "seed",
            ValueKind::Whole { at_least: 0, at_most: MAX_WHOLE },
            Optional,
            "Makes random choices repeatable. Only for the holder, and never released. If left out, the operating system provides one.",
        ),
        key(
            "plan",
            ValueKind::Text,
            Optional,
            "For the planned recoding, which needs it: the plan that `indistinct plan -o plan.toml` wrote, relative to the policy file.",
        ),
    ],
};

/// `[recoding.domain]`.
pub(super) static DOMAIN: TableSpec = TableSpec {
    path: "recoding.domain",
    doc: "The numbers that noise is drawn from, each as likely as any other, at most 1,000,000. It is public: choose it from what is known about the attribute, not from the table. Every sensitive value must be one of them.",
    keys: &[
        key("min", ValueKind::Number(Range::Any), Required, "The smallest of them."),
        key(
            "max",
            ValueKind::Number(Range::Any),
            Required,
            "The largest of them, a whole number of steps above the smallest.",
        ),
        key(
            "step",
            ValueKind::Number(Range::Above(0)),
            Required,
            "The distance from one to the next.",
        ),
    ],
};

/// `[search]`.
pub(super) static SEARCH: TableSpec = TableSpec {
    path: "search",
    doc: "Settings of the search.",
    keys: &[
        key(
            "all_minimal",
            ValueKind::Flag,
            Default("false"),
            "Also list every minimal node of the lattice: those that satisfy the policy while no node strictly below does.",
        ),
        key(
            "time_limit_seconds",
            ValueKind::Number(Range::Above(0)),
            Optional,
            "After this time the search ends with the best recoding found so far, marked as such; no limit if left out.",
        ),
    ],
};

/// `[output]`.
pub(super) static OUTPUT: TableSpec = TableSpec {
    path: "output",
    doc: "How the release is written.",
    keys: &[
        key(
            "format",
            ValueKind::Word(words_of::<OutputFormat>),
            Optional,
            "The format; if left out, Parquet for Parquet or Arrow input (by `input.format` or by extension), and CSV otherwise.",
        ),
        key(
            "order",
            ValueKind::Word(words_of::<RowOrder>),
            Default("shuffled"),
            "The order of the rows; never that of the input.",
        ),
        key(
            "class_column",
            ValueKind::Text,
            Optional,
            "Name of a column with the number of each row's class, randomly permuted; none if left out.",
        ),
        key(
            "delimiter",
            ValueKind::Delimiter,
            Optional,
            "What separates the fields of a CSV file; a comma if left out.",
        ),
    ],
};

impl TableSpec {
    /// The key with the given name.
    pub(super) fn key(&self, name: &str) -> Option<&'static KeySpec> {
        self.keys.iter().find(|key| key.name == name)
    }
}

#[cfg(test)]
mod tests {
    use super::super::availability::NOT_YET;
    use super::*;
    use indistinct_core::principle;

    #[test]
    fn nothing_is_at_once_there_and_not_available() {
        for (place, word) in NOT_YET {
            let known = match *place {
                "" => ROOT.key(word).is_some(),
                "principles" => {
                    PRINCIPLE.key(word).is_some()
                        || principle::REGISTRY
                            .iter()
                            .any(|kind| kind.parameters.iter().any(|spec| spec.name == *word))
                }
                "principles.kind" => principle::find(word).is_some(),
                "recoding.objective" => loss::find(word).is_some(),
                "recoding.method" => method::REGISTRY.iter().any(|known| known.name == *word),
                other => panic!("unknown place {other}"),
            };
            assert!(!known, "{place} has {word} now: remove its line in availability.rs");
        }
    }
}
