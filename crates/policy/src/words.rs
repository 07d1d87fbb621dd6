//! The words that keys of a policy take, each with its explanation.

use indistinct_core::Suppressed;
use indistinct_core::hierarchy::{DateLevel, Side};

/// An enumeration whose variants have a name in a policy file.
pub(super) trait Word: Copy + 'static {
    /// Variant, name, explanation; in the order of the documentation.
    const WORDS: &'static [(Self, &'static str, &'static str)];
}

/// A word with its explanation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Explained {
    /// The word.
    pub(super) word: &'static str,
    /// What it means.
    pub(super) doc: &'static str,
}

/// The words of an enumeration.
pub(super) fn words_of<T: Word>() -> Vec<Explained> {
    T::WORDS.iter().map(|&(_, word, doc)| Explained { word, doc }).collect()
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
    /// What becomes of columns that the policy does not name.
    Unlisted {
        Error = "error": "A forgotten column is a leak: stop.",
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
    /// How the table is recoded.
    Method {
        FullDomain = "full-domain": "Every value of an attribute goes to the same level of its hierarchy; the best combination of levels is searched for.",
        Multidimensional = "multidimensional": "Every class has values of its own: the table is divided into regions, or record by record, where that loses least.",
        Curve = "curve": "Rows that are near each other along a Hilbert curve through the quasi-identifiers form a class.",
        Sweep = "sweep": "For tau-l-diversity: classes are taken one after the other, and secrets of the last one are generalized.",
        Anatomy = "anatomy": "Quasi-identifiers stay as they are, in one table; how often each secret occurs in a class stands in another, and only the number of the class joins the two. Does not protect membership.",
        Perturbation = "perturbation": "For epsilon-m- and e1-e2-m-anonymity of the only sensitive attribute: quasi-identifiers stay as they are, secrets are replaced by noise from a domain at random.",
        Planned = "planned": "The classes are those of a plan that was made before the table was seen (`indistinct plan`), so that joining releases by the same plan leaves at least l secrets for everybody. The class is published.",
        Invariant = "invariant": "For versions of a growing table (with `anonymize --ledger FILE`): everybody stays in classes with the same set of secrets, and rows that are nobody's make up for people who left. The class is published.",
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
    /// Which secrets the sweep generalizes (reading E-13).
    Choice {
        Dominant = "dominant": "Those that cover the most frequent base value, as the text does: whoever knows the rule may conclude what they were.",
        Random = "random": "Drawn among all that can be generalized: that one was chosen says nothing about it.",
    }
}

words! {
    /// How the release is written.
    OutputFormat {
        Csv = "csv": "Text with a header.",
        Parquet = "parquet": "Apache Parquet.",
    }
}

words! {
    /// The order of the released rows; never that of the input.
    RowOrder {
        Shuffled = "shuffled": "By a secret random order.",
        Sorted = "sorted": "By all released columns.",
    }
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

impl Word for Suppressed {
    const WORDS: &'static [(Self, &'static str, &'static str)] = &[
        (Suppressed::Dropped, "dropped", "They are not written."),
        (Suppressed::Starred, "starred", "They are written with `*` for every quasi-identifier."),
    ];
}

impl Method {
    /// Which of the keys of `[recoding]` that belong to some methods only have an effect with this one.
    pub(super) fn own_keys(self) -> &'static [&'static str] {
        match self {
            Method::FullDomain | Method::Anatomy => &[],
            Method::Sweep => &["choice"],
            Method::Multidimensional => &["align", "split"],
            Method::Curve | Method::Invariant => &["align"],
            Method::Perturbation => &["domain"],
            Method::Planned => &["align", "plan"],
        }
    }

    /// Which keys of `[recoding]` have no effect with this method.
    pub(super) fn keys_without_effect(self) -> impl Iterator<Item = &'static str> {
        let of_others = METHOD_KEYS.iter().filter(move |key| !self.own_keys().contains(key));
        let searched = match self {
            Method::Perturbation => SEARCH_KEYS,
            Method::Anatomy => &["objective"],
            Method::Planned => &["objective", "suppressed"],
            _ => &[],
        };
        of_others.chain(searched).copied()
    }
}

impl Method {
    /// Whether quasi-identifiers are released as they are, whatever their hierarchies say.
    pub fn keeps_quasi_identifiers(self) -> bool {
        matches!(self, Method::Anatomy | Method::Perturbation)
    }
}

/// The keys of `[recoding]` that belong to some methods only.
pub(super) const METHOD_KEYS: &[&str] = &["align", "split", "choice", "plan", "domain"];

/// The keys of `[recoding]` on what is lost and suppressed: a method that does neither takes none of them.
const SEARCH_KEYS: &[&str] = &["suppression_limit", "objective", "suppressed"];
