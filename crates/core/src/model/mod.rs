//! Attributes and roles, dictionaries, frequency tables, and equivalence classes.

mod class;
mod dictionary;
mod frequency_table;
mod numbers;
mod people;
mod population;
mod taxonomy;

pub use class::{ClassView, Histogram, sum_by_key};
pub use dictionary::{Dictionary, Meaning, Order, folded, number_of};
pub use frequency_table::{CountedColumn, FrequencyTable, InvalidTable, RowGroups, n_unique_rows};
pub use indistinct_labels::{
    NotADecimal, Rational, decimal, from_ratio, parse_decimal, to_big, to_f64,
};
pub(crate) use numbers::share_of;
pub use numbers::{NotNumbers, Numbers};
pub use people::{People, RowsOfPerson};
pub use population::{Population, PopulationError};
pub use taxonomy::{Branch, Taxonomy};

use indistinct_diagnostics::words;
use serde::{Deserialize, Serialize};

words! {
    /// The role of an attribute.
    #[derive(Hash, Serialize, Deserialize, schemars::JsonSchema)]
    #[serde(rename_all = "kebab-case")]
    pub enum Role {
        /// An attribute that identifies a person directly. Direct identifiers are never released.
        Identifier = "identifier",
        /// An attribute that others may know and that may identify a person in combination with
        /// other attributes. Quasi-identifiers are generalized.
        QuasiIdentifier = "quasi-identifier",
        /// An attribute that must not be disclosed for any person. Sensitive attributes are
        /// released, and the principles protect them.
        Sensitive = "sensitive",
        /// An attribute that is released unchanged and that no principle protects. If in doubt,
        /// choose another role.
        Insensitive = "insensitive",
    }
}
