//! The keywords that are valid as values of policy keys, with the documentation of each keyword.

use indistinct_core::Status;
use indistinct_diagnostics::{Word, words};

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

words! {
    /// How to handle columns that the policy does not declare.
    pub enum Unlisted {
        /// Undeclared columns are an error, because an overlooked column could disclose
        /// information.
        Error = "error",
        /// Undeclared columns are omitted from the release.
        Drop = "drop",
    }

    /// How to handle missing values.
    pub enum MissingValues {
        /// A missing value is a separate value.
        SeparateValue = "separate-value",
        /// A missing value is an error.
        Error = "error",
    }

    /// How to handle values of a sensitive attribute, or identifiers of people, that differ only in
    /// spelling.
    pub enum SpellingVariants {
        /// Spelling variants are different values.
        Distinct = "distinct",
        /// Spelling variants are the same value. A sensitive value is released in its shortest
        /// spelling; if several spellings are equally short, the first of them in text order is
        /// released.
        Merged = "merged",
    }

    /// How to handle a column that looks like an identifier but is not declared as an identifier.
    pub enum LooksLikeIdentifier {
        /// The column is published for the stated reason.
        Accepted = "accepted",
    }

    /// The released values of a class.
    pub enum GeneralizeTo {
        /// The lowest label of the hierarchy that covers the values of the class.
        Hierarchy = "hierarchy",
        /// Intervals from the smallest to the largest number, and sets of other values.
        Bounds = "bounds",
    }

    /// How to choose the point at which a class is split.
    pub enum Split {
        /// A class is split at the point where the loss decreases most.
        Best = "best",
        /// A class is split at the median of the widest attribute, as in the literature.
        Median = "median",
    }

    /// How to choose the sensitive values that the sweep generalizes (reading E-13).
    pub enum ValueSelection {
        /// The values that cover the most frequent base value, as in the paper. An adversary who
        /// knows this rule may infer the original values.
        Dominant = "dominant",
        /// A random selection of all values that can be generalized. The selection discloses
        /// nothing about the values.
        Random = "random",
    }

    /// The weight of a quasi-identifier value in the average information of its level, which
    /// determines the order of classes in the sweep.
    pub enum LevelWeights {
        /// The number of covered original values that occur in the table, as defined in the paper.
        Observed = "observed",
        /// The number of covered original values, whether or not they occur in the table.
        Domain = "domain",
        /// The number of rows with a covered value.
        Rows = "rows",
    }

    /// How the release is written.
    pub enum OutputFormat {
        /// Text with a header line.
        Csv = "csv",
        /// Apache Parquet.
        Parquet = "parquet",
        /// An Excel workbook with at most 1,048,575 rows. Writing workbooks requires a build with
        /// `--features excel`.
        Xlsx = "xlsx",
    }

    /// The order of the released rows, which is never the order of the input.
    pub enum RowOrder {
        /// Random order.
        Shuffled = "shuffled",
        /// Sorted by all released columns.
        Sorted = "sorted",
    }
}
