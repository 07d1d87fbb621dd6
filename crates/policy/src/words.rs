//! The words that keys of a policy accept, each with its documentation.

use indistinct_core::hierarchy::{DateLevel, Side};
use indistinct_core::recoding::Center;
use indistinct_core::remaining::Measure;
use indistinct_core::{Encoding, Notation, Role, RowsOfPerson, Status, SuppressionRule};

/// An enumeration whose variants have names in a policy file.
pub(super) trait Word: Copy + 'static {
    /// The variant, name, and documentation of each word, in the order of the reference.
    const WORDS: &'static [(Self, &'static str, &'static str)];
}

/// A word with its documentation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ExplainedWord {
    /// The name of the word.
    pub(crate) word: &'static str,
    /// The meaning of the word.
    pub(crate) doc: &'static str,
    /// Whether the word is stable or experimental.
    pub(crate) status: Status,
}

impl ExplainedWord {
    /// Returns the meaning of the word, with a reason if the word is experimental.
    pub(crate) fn text(&self) -> String {
        let end = if self.doc.ends_with('.') { "" } else { "." };
        match self.status.reason() {
            Some(reason) => format!("{}{end} Experimental: {reason}", self.doc),
            None => self.doc.to_owned(),
        }
    }
}

/// Returns the words of an enumeration.
pub(super) fn words_of<T: Word>() -> Vec<ExplainedWord> {
    T::WORDS
        .iter()
        .map(|&(_, word, doc)| ExplainedWord { word, doc, status: Status::Stable })
        .collect()
}

/// Returns the name of a variant.
pub(super) fn name_of<T: Word + PartialEq>(variant: T) -> &'static str {
    let found = T::WORDS.iter().find(|(known, _, _)| *known == variant);
    found.expect("the words of an enumeration cover all of its variants").1
}

/// Returns the variant with the given name.
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

        words_for!($name { $($variant = $word: $text,)+ });

        impl $name {
            /// Returns the name of the variant in a policy file.
            pub fn name(self) -> &'static str {
                name_of(self)
            }
        }
    };
}

macro_rules! words_for {
    ($name:ident { $($variant:ident = $word:literal: $text:literal,)+ }) => {
        impl Word for $name {
            const WORDS: &'static [(Self, &'static str, &'static str)] =
                &[$(($name::$variant, $word, $text),)+];
        }
    };
}

words! {
    /// How to handle columns that the policy does not declare.
    Unlisted {
        Error = "error": "Undeclared columns are an error, because an overlooked column could \
                          disclose information.",
        Drop = "drop": "Undeclared columns are omitted from the release.",
    }
}

words! {
    /// How to handle missing values.
    MissingValues {
        SeparateValue = "separate-value": "A missing value is a separate value.",
        Error = "error": "A missing value is an error.",
    }
}

words! {
    /// How to handle values of a sensitive attribute that differ only in spelling.
    SpellingVariants {
        Distinct = "distinct": "Spelling variants are different values.",
        Merged = "merged": "Spelling variants are one value, released in its shortest spelling, or \
                            in the first of several equally short ones.",
    }
}

words! {
    /// How to handle a column that looks like an identifier and is not declared as one.
    LooksLikeIdentifier {
        Accepted = "accepted": "The column is published for the stated reason.",
    }
}

words! {
    /// The released values of a class.
    GeneralizeTo {
        Hierarchy = "hierarchy": "The lowest label of the hierarchy that covers the values of the \
                                  class.",
        Bounds = "bounds": "Bounding intervals of numbers, and sets of other values.",
    }
}

words! {
    /// How to choose the point at which a class is split.
    Split {
        Best = "best": "At the point where the loss decreases most.",
        Median = "median": "At the median of the widest attribute, as in the literature.",
    }
}

words! {
    /// Which sensitive values the sweep generalizes (reading E-13).
    ValueSelection {
        Dominant = "dominant": "The values that cover the most frequent base value, as in the \
                                paper. An adversary who knows this rule may infer the original \
                                values.",
        Random = "random": "A random selection of all values that can be generalized. The \
                            selection discloses nothing about the values.",
    }
}

words! {
    /// The weight of a quasi-identifier value in the average information of its level, which
    /// determines the order of classes in the sweep.
    LevelWeights {
        Observed = "observed": "The number of covered original values that occur in the table, as \
                                in the paper.",
        Domain = "domain": "The number of covered original values, whether or not they occur in \
                            the table.",
        Rows = "rows": "The number of rows with a covered value.",
    }
}

words! {
    /// How the release is written.
    OutputFormat {
        Csv = "csv": "Text with a header line.",
        Parquet = "parquet": "Apache Parquet.",
        Xlsx = "xlsx": "An Excel workbook with at most 1,048,575 rows. Requires a build with \
                        `--features excel`.",
    }
}

words! {
    /// The order of the released rows, which is never that of the input.
    RowOrder {
        Shuffled = "shuffled": "Random order.",
        Sorted = "sorted": "Sorted by all released columns.",
    }
}

words_for!(Role {
    Identifier = "identifier": "Identifies the person directly. Never released.",
    QuasiIdentifier = "quasi-identifier": "Known to others. In combination with other \
                                           quasi-identifiers, it may identify a person. \
                                           Generalized.",
    Sensitive = "sensitive": "Must not be disclosed for any person. Released, and protected by the \
                              principles.",
    Insensitive = "insensitive": "Released unchanged and not protected. If in doubt, choose \
                                  another role.",
});

words_for!(Center {
    Mean = "mean": "The mean.",
    Median = "median": "The median.",
});

words_for!(Side {
    Right = "right": "The last characters are hidden first: 13053, 1305*, 130**.",
    Left = "left": "The first characters are hidden first: 13053, *3053, **053.",
});

words_for!(DateLevel {
    Day = "day": "The day, for values with a time of day.",
    Month = "month": "Month and year.",
    Quarter = "quarter": "Quarter and year.",
    Year = "year": "The year.",
    Decade = "decade": "Ten years.",
});

words_for!(SuppressionRule {
    Dropped = "drop-rows": "Suppressed rows are omitted from the release.",
    Starred = "star-rows": "Suppressed rows are released with `*` for every quasi-identifier.",
    Cells = "star-cells": "Suppressed rows are released with `*` for as few quasi-identifiers as \
                           possible, starting with those of the lowest weight. For `full-domain` \
                           and `multidimensional`.",
});

words_for!(RowsOfPerson {
    Uniform = "uniform": "All rows of a person have the same released quasi-identifiers, at \
                          sufficiently coarse levels.",
    Independent = "independent": "Each row is recoded separately. A person may be in several \
                                  classes, and each class contains enough other people.",
});

words_for!(Measure {
    Distinct = "distinct": "The number of sensitive values that remain possible for a person.",
    Frequency = "frequency": "The reciprocal of the share of the most frequent remaining sensitive \
                              value.",
    Entropy = "entropy": "The exponential of the entropy of the remaining sensitive values.",
});

impl Word for Notation {
    const WORDS: &'static [(Self, &'static str, &'static str)] = Self::ALL;
}

impl Word for Encoding {
    const WORDS: &'static [(Self, &'static str, &'static str)] = Self::ALL;
}
