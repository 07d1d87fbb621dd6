//! The keys that say how a table is recoded, and for how long one is searched for.

use indistinct_core::recoding::Center;
use indistinct_core::{SuppressionRule, loss};

use super::Presence::{Default, Optional, Required};
use super::{MAX_WHOLE, Range, TableSpec, ValueKind, key};
use crate::words::{Align, Choice, ExplainedWord, LevelWeights, Split, words_of};

fn objectives() -> Vec<ExplainedWord> {
    loss::REGISTRY
        .iter()
        .map(|loss| ExplainedWord { word: loss.name, doc: loss.definition })
        .collect()
}

/// `[recoding]`.
pub(crate) static RECODING: TableSpec = TableSpec {
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
            ValueKind::Word(words_of::<SuppressionRule>),
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
            "level_weights",
            ValueKind::Word(words_of::<LevelWeights>),
            Default("occurring"),
            "For the sweep: what the values of a level count in its average information, by which classes are ordered.",
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
        key(
            "noise",
            ValueKind::Each(&NOISE),
            Optional,
            "For the method noise, which needs it: for each column what becomes of it, such as `{ age = { swap = 0.05 }, income = { add = 0.1 } }`.",
        ),
        key(
            "aggregate",
            ValueKind::Texts,
            Optional,
            "For microaggregation, which needs it: the quasi-identifiers whose numbers are replaced by the center of their class.",
        ),
        key(
            "center",
            ValueKind::Word(words_of::<Center>),
            Default("mean"),
            "For microaggregation: what stands for the numbers of a class, rounded to the digits of the column.",
        ),
    ],
};

/// `[recoding.noise.NAME]`: the operations of the registry of the core, a key each.
pub(crate) static NOISE: TableSpec = TableSpec {
    path: "recoding.noise.*",
    doc: "What becomes of a quasi-identifier that gets noise: exactly one of these.",
    keys: &[
        key(
            "swap",
            ValueKind::Number(Range::Within(0, 1)),
            Optional,
            "Rank swapping, for numbers: a row swaps its value with one whose rank is away by at most this share of all ranks.",
        ),
        key(
            "pram",
            ValueKind::Number(Range::Within(0, 1)),
            Optional,
            "Post randomization with an invariant matrix: a row keeps its value with this probability, and otherwise gets one drawn from the column.",
        ),
        key(
            "add",
            ValueKind::Number(Range::Above(0)),
            Optional,
            "For numbers: normal noise with this share of the column's variance, correlated as the columns that get some are.",
        ),
        key(
            "shuffle",
            ValueKind::Flag,
            Default("false"),
            "The values of the column are dealt to the rows anew, by chance.",
        ),
    ],
};

/// `[recoding.domain]`.
pub(crate) static DOMAIN: TableSpec = TableSpec {
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
pub(crate) static SEARCH: TableSpec = TableSpec {
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
            "After this time the search ends with the best recoding found so far, marked as such; no limit if left out. Full-domain recoding then still lowers single levels as far as the policy allows, which can take a little longer.",
        ),
    ],
};
