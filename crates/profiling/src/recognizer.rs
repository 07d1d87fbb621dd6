//! Kinds of values, the evidence for each kind, and the findings in a column.

use serde::Serialize;

use crate::hipaa::Item;
use crate::sample::Sample;
use crate::text::Cell;

/// The significance of a kind of value for the person in the row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Meaning {
    /// The value names the person, provides a way to contact the person, or refers to a record with
    /// such information.
    Identifies,
    /// Others may know the value, and it is exact enough to single people out. Such values must not
    /// be published unchanged.
    Exact,
    /// Others may know the value.
    KnownToOthers,
    /// The person's value, such as a diagnosis, must not be disclosed.
    Sensitive,
    /// The value is the number of people whom a row of a survey represents.
    Weight,
    /// The value identifies the household of the person.
    Household,
    /// The value is different for each person. An adversary who knows a person's value finds the
    /// row, which no principle can prevent.
    OfOneRow,
}

/// A kind of value and the way it is recognized.
#[derive(Debug)]
pub struct Kind {
    /// The stable name of the kind, such as `e-mail`.
    pub name: &'static str,
    /// The plural name of such values.
    pub plural: &'static str,
    /// The meaning of such values.
    pub meaning: Meaning,
    /// The identifier of HIPAA Safe Harbor to which such values belong, if any.
    pub hipaa: Option<Item>,
    /// The evidence that is required to find such values in a column.
    pub evidence: Evidence,
    /// Whether a value is of this kind.
    pub fits: fn(&Cell<'_>) -> bool,
    /// Returns the evidence that a part of a longer text is of this kind. Returns `None` without
    /// evidence or if strings are not searched for this kind.
    pub fits_within: fn(&Kind, &Piece<'_>) -> Option<Clue>,
    /// Returns the certainty for a number of matching values in the sample, or `None` if the column
    /// does not contain such values.
    pub judge: fn(&Kind, &Sample<'_>, usize) -> Option<Sureness>,
    /// Whether such values are codes that are generalized by masking their last characters.
    pub are_masked: bool,
    /// Whether the column profile already contains this information in more detail.
    pub follows_from_profile: bool,
}

/// The evidence that is required to find a kind of value in a column.
#[derive(Debug, Clone, Copy)]
pub struct Evidence {
    /// The minimum fraction of matching values if the column name provides no evidence. The
    /// fraction is above 1 if values alone are never sufficient.
    pub alone: f64,
    /// The minimum fraction of matching values if the column name contains a word that indicates
    /// the kind.
    pub named: f64,
    /// The minimum number of distinct matching values that is sufficient without the name of the
    /// column.
    pub least: usize,
}

impl Kind {
    /// The default settings for identifying values that are not searched for within longer text.
    pub(crate) const IDENTIFIER: Self = Self {
        name: "",
        plural: "",
        meaning: Meaning::Identifies,
        hipaa: None,
        evidence: Evidence { alone: 2.0, named: 2.0, least: 1 },
        fits: |_| false,
        fits_within: |_, _| None,
        judge: by_share,
        are_masked: false,
        follows_from_profile: false,
    };

    /// Returns folded words, in many languages, that occur in the names of columns with
    /// such values.
    pub fn words(&self) -> &'static [&'static str] {
        crate::words::named(self.name)
    }
}

/// The certainty that a column contains a kind of value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Sureness {
    /// Some evidence exists, but only someone who knows the table can decide.
    Possible,
    /// Most of the evidence supports the finding.
    Likely,
    /// The values and the column name, or values with check digits, leave little doubt.
    Sure,
}

impl Sureness {
    /// Returns the certainty as a word.
    pub fn name(self) -> &'static str {
        match self {
            Sureness::Possible => "possible",
            Sureness::Likely => "likely",
            Sureness::Sure => "sure",
        }
    }
}

/// The evidence that a part of a string is of a certain kind, strongest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Clue {
    /// The format or a preceding word is conclusive, so a single occurrence is sufficient.
    Clear,
    /// A format that may occur by chance.
    Form,
    /// Check digits or a format that many other numbers share. Most numbers in the strings must
    /// match.
    CheckDigit,
    /// A name of a person, which may also be an ordinary word.
    Name,
    /// A number that may be an entry of a code list, unless nearly every number occurs in only one
    /// row.
    Code,
}

impl Clue {
    /// All kinds of evidence.
    pub const ALL: [Self; 5] = [Self::Clear, Self::Form, Self::CheckDigit, Self::Name, Self::Code];
}

/// A part of a longer value.
#[derive(Debug)]
pub struct Piece<'a> {
    /// The content of the part.
    pub cell: Cell<'a>,
    /// The two preceding words in folded form, nearest first; empty if there are fewer words.
    pub before: [String; 2],
    /// Whether the part is adjacent to a number and can therefore be part of a longer number.
    pub is_cut: bool,
    /// Whether a `#` precedes the part.
    pub is_numbered: bool,
}

impl Piece<'_> {
    /// Returns whether one of the two preceding words is in the list.
    pub fn is_after(&self, words: &[&str]) -> bool {
        self.before.iter().any(|word| words.contains(&word.as_str()))
    }

    /// Returns whether the immediately preceding word is in the list.
    pub fn is_after_next(&self, words: &[&str]) -> bool {
        words.contains(&self.before[0].as_str())
    }
}

/// Determines the certainty from the fraction of matching values and the column name.
pub fn by_share(kind: &Kind, sample: &Sample<'_>, n_fitting: usize) -> Option<Sureness> {
    let share = sample.share(n_fitting);
    let is_named = sample.is_named(kind.words());
    if is_named && n_fitting > 0 && share >= kind.evidence.named {
        return Some(Sureness::Sure);
    }
    if n_fitting >= kind.evidence.least && share >= kind.evidence.alone {
        let is_clear = share >= 0.9 && n_fitting >= 2 * kind.evidence.least;
        return Some(if is_clear { Sureness::Sure } else { Sureness::Likely });
    }
    None
}

/// A kind of value in a column. A finding contains no values.
#[derive(Debug, Clone, Serialize, schemars::JsonSchema)]
pub struct Finding {
    /// The kind of value, serialized as its name.
    #[serde(serialize_with = "name_of")]
    #[schemars(with = "String")]
    pub kind: &'static Kind,
    /// The fraction of sampled distinct values that match, in [0, 1].
    pub share_fraction: f64,
    /// The certainty of the finding.
    pub sureness: Sureness,
    /// Whether the values are parts of longer strings.
    #[serde(skip)]
    pub is_within: bool,
}

impl Finding {
    /// Returns the meaning of the values. Exact values within longer text are identifying, because
    /// no hierarchy generalizes them.
    pub fn meaning(&self) -> Meaning {
        if self.is_within { Meaning::Identifies } else { self.kind.meaning }
    }

    /// Returns whether the values are codes that are generalized by masking their last characters.
    pub fn are_masked(&self) -> bool {
        self.kind.are_masked && !self.is_within
    }

    /// Returns whether the column profile already contains this information.
    pub fn follows_from_profile(&self) -> bool {
        self.kind.follows_from_profile && !self.is_within
    }

    /// Describes the finding, such as "telephone numbers within longer text".
    pub fn what(&self) -> String {
        let within = if self.is_within { " within longer text" } else { "" };
        format!("{}{within}", self.kind.plural)
    }
}

fn name_of<S: serde::Serializer>(kind: &&'static Kind, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(kind.name)
}
