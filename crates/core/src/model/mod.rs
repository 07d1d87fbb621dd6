//! Attributes and roles, dictionaries, the frequency table and the view of one equivalence class.

mod class;
mod dictionary;
mod frequency_table;
mod numbers;
mod people;
mod population;
mod taxonomy;

pub use class::{ClassView, Histogram, sum_by_key};
pub use dictionary::{Dictionary, Order, folded};
pub use frequency_table::{CountedColumn, FrequencyTable, InvalidTable, RowGroups};
pub use indistinct_labels::{NotADecimal, Rational, from_ratio, parse_decimal, to_f64};
pub(crate) use numbers::share_of;
pub use numbers::{NotNumbers, Numbers};
pub use people::{People, RowsOfPerson};
pub use population::{Population, PopulationError};
pub use taxonomy::{Branch, Taxonomy};

use serde::{Deserialize, Serialize};

/// What an attribute is to the person behind a row.
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    Hash,
    PartialOrd,
    Ord,
    Serialize,
    Deserialize,
    schemars::JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum Role {
    /// A direct identifier (a name, a number of the person): never written.
    Identifier,
    /// Known to an adversary from elsewhere; together the quasi-identifiers may single a person out.
    QuasiIdentifier,
    /// What the adversary must not learn.
    Sensitive,
    /// Published untouched and not counted.
    Insensitive,
}

impl Role {
    /// The four roles, in the order in which messages list them.
    pub const ALL: [Role; 4] =
        [Role::Identifier, Role::QuasiIdentifier, Role::Sensitive, Role::Insensitive];

    /// The name in a policy file.
    pub fn name(self) -> &'static str {
        match self {
            Role::Identifier => "identifier",
            Role::QuasiIdentifier => "quasi-identifier",
            Role::Sensitive => "sensitive",
            Role::Insensitive => "insensitive",
        }
    }
}
