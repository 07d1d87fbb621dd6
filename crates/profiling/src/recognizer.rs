//! What a recognizer is.

use serde::Serialize;

use crate::hipaa::Item;
use crate::piece::Piece;
use crate::sample::Sample;
use crate::text::Cell;

/// What a kind of value means for the person in the row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Meaning {
    /// It names or reaches the person, or leads to a record that does.
    Identifies,
    /// Others may know it, and it is exact enough to single people out: never to be published as it is.
    Exact,
    /// Others may know it.
    KnownToOthers,
    /// It says how many people a row of a survey stands for.
    Weight,
    /// It says who lives together.
    Household,
    /// It is different for everybody: whoever knows it of a person finds the row, and no principle can hide it among others.
    OfOneRow,
}

/// What a recognizer looks for, and what it takes to say that a column has it.
#[derive(Debug)]
pub struct Kind {
    /// A stable name, such as `e-mail`.
    pub name: &'static str,
    /// What such values are called, in the plural.
    pub plural: &'static str,
    /// What they mean.
    pub meaning: Meaning,
    /// The identifier of HIPAA Safe Harbor that they are.
    pub hipaa: Option<Item>,
    /// The share of the values that fit from which on the values alone tell it; above 1 if they never do.
    pub alone: f64,
    /// The same where the name of the column has one of the words.
    pub named: f64,
    /// Fewer different values that fit tell nothing by themselves.
    pub least: usize,
}

impl Kind {
    /// Folded words in the names of such columns, in many languages.
    pub fn words(&self) -> &'static [&'static str] {
        crate::words::named(self.name)
    }
}

/// How sure it is that a column has a kind of value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Sureness {
    /// Something speaks for it; somebody who knows the table has to say.
    Possible,
    /// Most of it speaks for it.
    Likely,
    /// The values and the name, or values with check digits, leave hardly any doubt.
    Sure,
}

impl Sureness {
    /// In a word.
    pub fn name(self) -> &'static str {
        match self {
            Sureness::Possible => "possible",
            Sureness::Likely => "likely",
            Sureness::Sure => "sure",
        }
    }
}

/// What speaks for a piece of a text being of a kind, the strongest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Clue {
    /// Its form or a word before it: one is enough.
    Clear,
    /// Its form, which chance may have once.
    Form,
    /// Check digits or a form that other numbers often have: most of the numbers in the texts have to.
    CheckDigit,
    /// Names of people, which are ordinary words as well.
    Name,
    /// A number that may be one of a list, unless nearly each is in one row.
    Code,
}

impl Clue {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::Clear, Self::Form, Self::CheckDigit, Self::Name, Self::Code];
}

/// Looks for one kind of value.
pub trait Recognizer: Sync {
    /// What it looks for.
    fn kind(&self) -> &'static Kind;

    /// Whether a value is one.
    fn fits(&self, cell: &Cell<'_>) -> bool;

    /// What speaks for a piece of a longer text being one; `None` if nothing does, or such values are not looked for within texts.
    fn fits_within(&self, _piece: &Piece<'_>) -> Option<Clue> {
        None
    }

    /// Whether such values are codes that are generalized by hiding their last characters.
    fn are_masked(&self) -> bool {
        false
    }

    /// Whether the looks of a column say the same already, and more of it.
    fn follows_from_profile(&self) -> bool {
        false
    }

    /// How sure it is, with the share of the looked-at values that fit; `None` if the column has no such values.
    fn judge(&self, sample: &Sample<'_>, n_fitting: usize) -> Option<Sureness> {
        by_share(self.kind(), sample, n_fitting)
    }
}

/// By the share of the values that fit, and by the name of the column.
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

/// What a column was found to hold; none of its values.
#[derive(Debug, Clone, Serialize, schemars::JsonSchema)]
pub struct Finding {
    /// The kind, by its name.
    #[serde(serialize_with = "name_of")]
    #[schemars(with = "String")]
    pub kind: &'static Kind,
    /// The share of the looked-at distinct values that fit, in [0, 1].
    pub share_fraction: f64,
    /// How sure it is.
    pub sureness: Sureness,
    /// Whether they are parts of longer texts.
    #[serde(skip)]
    pub is_within: bool,
    /// Whether such values are codes that are generalized by hiding their last characters.
    #[serde(skip)]
    pub are_masked: bool,
    /// Whether the looks of a column say the same already.
    #[serde(skip)]
    pub follows_from_profile: bool,
}

impl Finding {
    /// What the values mean. Whatever is exact identifies where it is in a text, which no hierarchy generalizes.
    pub fn meaning(&self) -> Meaning {
        if self.is_within { Meaning::Identifies } else { self.kind.meaning }
    }

    /// What was found, such as "telephone numbers within texts".
    pub fn what(&self) -> String {
        let within = if self.is_within { " within texts" } else { "" };
        format!("{}{within}", self.kind.plural)
    }
}

fn name_of<S: serde::Serializer>(kind: &&'static Kind, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(kind.name)
}
