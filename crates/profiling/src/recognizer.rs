//! The trait of recognizers, and the kinds of values that they find.

use serde::Serialize;

use crate::hipaa::Item;
use crate::piece::Piece;
use crate::sample::Sample;
use crate::text::Cell;

/// What a value of a kind means for the person in its row.
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
    /// The value is the number of people whom a row of a survey represents.
    Weight,
    /// The value identifies the household of the person.
    Household,
    /// The value is different for each person. An adversary who knows the value of a person finds
    /// the row, which no principle can prevent.
    OfOneRow,
}

/// A kind of value, and the evidence that is required to find it in a column.
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
    /// The minimum fraction of matching values that is sufficient without the name of the column.
    /// Above 1 if values alone are never sufficient.
    pub alone: f64,
    /// The minimum fraction of matching values if the name of the column contains one of the words.
    pub named: f64,
    /// The minimum number of distinct matching values that is sufficient without the name of the
    /// column.
    pub least: usize,
}

impl Kind {
    /// Returns folded words that occur in the names of such columns, in many languages.
    pub fn words(&self) -> &'static [&'static str] {
        crate::words::named(self.name)
    }
}

/// The certainty that a column contains a kind of value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Sureness {
    /// Some evidence exists, but only a person who knows the table can decide.
    Possible,
    /// Most of the evidence supports the finding.
    Likely,
    /// The values and the column name, or values with check digits, leave hardly any doubt.
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

/// The evidence that a part of a text is of a certain kind, strongest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Clue {
    /// The format or a preceding word is conclusive, so a single occurrence is sufficient.
    Clear,
    /// A format that may occur by chance.
    Form,
    /// Check digits or a format that many other numbers share. Most numbers in the texts must
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

/// Recognizes one kind of value.
pub trait Recognizer: Sync {
    /// Returns the kind of value.
    fn kind(&self) -> &'static Kind;

    /// Whether a value is of this kind.
    fn fits(&self, cell: &Cell<'_>) -> bool;

    /// Returns the evidence that a part of a longer text is of this kind. Returns `None` without
    /// evidence, or if the recognizer does not search texts.
    fn fits_within(&self, _piece: &Piece<'_>) -> Option<Clue> {
        None
    }

    /// Whether such values are codes that are generalized by masking their last characters.
    fn are_masked(&self) -> bool {
        false
    }

    /// Whether the column profile already contains this information in more detail.
    fn follows_from_profile(&self) -> bool {
        false
    }

    /// Returns the certainty for a number of matching values in the sample, or `None` if the column
    /// does not contain such values.
    fn judge(&self, sample: &Sample<'_>, n_fitting: usize) -> Option<Sureness> {
        by_share(self.kind(), sample, n_fitting)
    }
}

/// Determines the certainty from the fraction of matching values and the column name.
pub fn by_share(kind: &Kind, sample: &Sample<'_>, n_fitting: usize) -> Option<Sureness> {
    let share = sample.share(n_fitting);
    let is_named = sample.is_named(kind.words());
    if is_named && n_fitting > 0 && share >= kind.named {
        return Some(Sureness::Sure);
    }
    if n_fitting >= kind.least && share >= kind.alone {
        let is_clear = share >= 0.9 && n_fitting >= 2 * kind.least;
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
    /// Whether the values are parts of longer texts.
    #[serde(skip)]
    pub is_within: bool,
    /// Whether such values are codes that are generalized by masking their last characters.
    #[serde(skip)]
    pub are_masked: bool,
    /// Whether the column profile already contains this information.
    #[serde(skip)]
    pub follows_from_profile: bool,
}

impl Finding {
    /// Returns the meaning of the values. Exact values within texts are identifying, because no
    /// hierarchy generalizes them.
    pub fn meaning(&self) -> Meaning {
        if self.is_within { Meaning::Identifies } else { self.kind.meaning }
    }

    /// Describes the finding, such as "telephone numbers within texts".
    pub fn what(&self) -> String {
        let within = if self.is_within { " within texts" } else { "" };
        format!("{}{within}", self.kind.plural)
    }
}

fn name_of<S: serde::Serializer>(kind: &&'static Kind, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(kind.name)
}
