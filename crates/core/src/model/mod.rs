//! Attributes and roles, dictionaries, frequency tables, and equivalence classes.

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

/// The role of an attribute.
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
    /// A direct identifier, such as a name or a patient number. It is never released.
    Identifier,
    /// Known to an adversary from other sources. Together, the quasi-identifiers may identify a
    /// person.
    QuasiIdentifier,
    /// Must not be disclosed to an adversary.
    Sensitive,
    /// Released unchanged and not counted.
    Insensitive,
}

impl Role {
    /// All roles, in the order in which messages list them.
    pub const ALL: [Role; 4] =
        [Role::Identifier, Role::QuasiIdentifier, Role::Sensitive, Role::Insensitive];

    /// Returns the name of the role in a policy file.
    pub fn name(self) -> &'static str {
        match self {
            Role::Identifier => "identifier",
            Role::QuasiIdentifier => "quasi-identifier",
            Role::Sensitive => "sensitive",
            Role::Insensitive => "insensitive",
        }
    }
}
