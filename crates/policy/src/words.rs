//! The words that keys of a policy take, each with its explanation.

use indistinct_core::hierarchy::{DateLevel, Side};
use indistinct_core::recoding::Center;
use indistinct_core::remaining::Measure;
use indistinct_core::{Encoding, Notation, RowsOfPerson, SuppressionRule};

/// An enumeration whose variants have a name in a policy file.
pub(super) trait Word: Copy + 'static {
    /// Variant, name, explanation; in the order of the documentation.
    const WORDS: &'static [(Self, &'static str, &'static str)];
}

/// A word with its explanation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ExplainedWord {
    /// The word.
    pub(crate) word: &'static str,
    /// What it means.
    pub(crate) doc: &'static str,
}

/// The words of an enumeration.
pub(super) fn words_of<T: Word>() -> Vec<ExplainedWord> {
    T::WORDS.iter().map(|&(_, word, doc)| ExplainedWord { word, doc }).collect()
}

/// The name of a variant.
pub(super) fn name_of<T: Word + PartialEq>(variant: T) -> &'static str {
    let found = T::WORDS.iter().find(|(known, _, _)| *known == variant);
    found.expect("the words of an enumeration name all its variants").1
}

/// The variant with the given name.
pub(super) fn find<T: Word>(name: &str) -> Option<T> {
    T::WORDS.iter().find(|(_, word, _)| *word == name).map(|(variant, _, _)| *variant)
}

macro_rules! words {
    ($(#[$doc:meta])* $name:ident { $($variant:ident = $word:literal: $text:literal,)+ }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
        pub enum $name {
            $(#[doc = $text] $variant,)+
        }

        impl Word for $name {
            const WORDS: &'static [(Self, &'static str, &'static str)] =
                &[$(($name::$variant, $word, $text),)+];
        }

        impl $name {
            /// The word in a policy file.
            pub fn name(self) -> &'static str {
                match self { $($name::$variant => $word,)+ }
            }
        }
    };
}

words! {
    /// What to do with columns that the policy does not name.
    Unlisted {
        Error = "error": "Stop: a forgotten column would be a leak.",
        Drop = "drop": "They are not written.",
    }
}

words! {
    /// What becomes of missing values.
    MissingValues {
        OwnValue = "own-value": "A missing value is a value of its own.",
        Error = "error": "A missing value is an error.",
    }
}

words! {
    /// What texts of a sensitive attribute are that a reader takes for one.
    Alike {
        OwnValues = "own-values": "They are different values, as they are written.",
        OneValue = "one-value": "They are one value: the shortest way of writing is taken and released, and of equally short ones the first.",
    }
}

words! {
    /// What is said of a column that looks like an identifier and is none.
    LooksLikeIdentifier {
        Accepted = "accepted": "It is published anyway, for the reason that is given.",
    }
}

words! {
    /// What the values of a class are generalized to, for recodings by region or class.
    Align {
        Hierarchy = "hierarchy": "The lowest label of the hierarchy that covers them.",
        Values = "values": "Bounding intervals and sets.",
    }
}

words! {
    /// Where a class is split, for the multidimensional recoding.
    Split {
        Best = "best": "Where the loss falls most.",
        Median = "median": "At the median of the widest attribute, the textbook order.",
    }
}

words! {
    /// Which sensitive values the sweep generalizes (reading E-13).
    Choice {
        Dominant = "dominant": "Those that cover the most frequent base value, as in the text: somebody who knows the rule may conclude what they were.",
        Random = "random": "Drawn at random from all that can be generalized: the choice says nothing about them.",
    }
}

impl Word for Notation {
    const WORDS: &'static [(Self, &'static str, &'static str)] = Self::ALL;
}

impl Word for Encoding {
    const WORDS: &'static [(Self, &'static str, &'static str)] = Self::ALL;
}

words! {
    /// What a quasi-identifier value counts in the average information of its level, by which the sweep orders classes.
    LevelWeights {
        Occurring = "occurring": "The number of original values below it that occur in the table, as in the text.",
        Domain = "domain": "The number of original values below it, whether they occur or not.",
        Rows = "rows": "The number of rows with a value below it.",
    }
}

words! {
    /// How the release is written.
    OutputFormat {
        Csv = "csv": "Text with a header.",
        Parquet = "parquet": "Apache Parquet.",
        Xlsx = "xlsx": "A spreadsheet, of at most 1,048,575 rows, by a build with `--features excel`.",
    }
}

words! {
    /// The order of the released rows; never that of the input.
    RowOrder {
        Shuffled = "shuffled": "In random order.",
        Sorted = "sorted": "By all released columns.",
    }
}

impl Word for Center {
    const WORDS: &'static [(Self, &'static str, &'static str)] = &[
        (Center::Mean, "mean", "Their mean."),
        (Center::Median, "median", "The one in the middle."),
    ];
}

impl Word for Side {
    const WORDS: &'static [(Self, &'static str, &'static str)] = &[
        (Side::Right, "right", "The last characters go first: 13053, 1305*, 130**."),
        (Side::Left, "left", "The first characters go first: 13053, *3053, **053."),
    ];
}

impl Word for DateLevel {
    const WORDS: &'static [(Self, &'static str, &'static str)] = &[
        (DateLevel::Day, "day", "The day, for values with a time of day."),
        (DateLevel::Month, "month", "Month and year."),
        (DateLevel::Quarter, "quarter", "Quarter and year."),
        (DateLevel::Year, "year", "The year."),
        (DateLevel::Decade, "decade", "Ten years."),
    ];
}

impl Word for SuppressionRule {
    const WORDS: &'static [(Self, &'static str, &'static str)] = &[
        (SuppressionRule::Dropped, "dropped", "They are not written."),
        (
            SuppressionRule::Starred,
            "starred",
            "They are written with `*` for every quasi-identifier.",
        ),
        (
            SuppressionRule::Cells,
            "cells",
            "They are written with `*` for as few quasi-identifiers as will do, those of the least weight first. For `full-domain` and `multidimensional`.",
        ),
    ];
}

impl Word for RowsOfPerson {
    const WORDS: &'static [(Self, &'static str, &'static str)] = &[
        (
            RowsOfPerson::Together,
            "together",
            "All rows of a person have the same released quasi-identifiers: levels are at least so coarse that they agree.",
        ),
        (
            RowsOfPerson::Apart,
            "apart",
            "Each row is recoded by its own values. A person may be in several classes, each of which has enough other people.",
        ),
    ];
}

impl Word for Measure {
    const WORDS: &'static [(Self, &'static str, &'static str)] = &[
        (Measure::Distinct, "distinct", "How many sensitive values a person may still have."),
        (Measure::Frequency, "frequency", "1 / the share of the most frequent of them."),
        (Measure::Entropy, "entropy", "The exponential of their entropy."),
    ];
}
