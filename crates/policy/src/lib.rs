//! The policy file of Indistinct: which table, what its columns are, what must hold of the release, and how to get there.
//!
//! [`PolicyFile::parse`] walks the TOML tree along the key tables (`keys.rs`) and the registry of principles, and
//! reports *everything* that is wrong at once: [`PolicyErrors`], each [`Problem`] with a stable [`Code`], a place and
//! what to do. [`PolicyFile::bind`] then lays the policy over the columns of a table. The same tables give the
//! [`json_schema`] for editors, and a test writes the reference for people from them (`docs/policy.md`).
//!
//! Numbers mean exactly what is written: `0.02` is 1/50, never a double.

#![deny(missing_docs)]
#![deny(clippy::iter_over_hash_type)]

mod attributes;
mod availability;
mod bind;
mod domain;
mod keys;
mod linkage;
pub mod method;
mod model;
mod noise;
mod parameters;
mod parse;
mod people;
mod population;
mod principles;
mod problem;
mod purpose;
mod released;
mod repeated;
mod schema;
mod sections;
mod source;
mod suggest;
#[cfg(test)]
mod tests;
mod tree;
mod value;
mod walk;
mod words;
mod write;

pub use method::{Counts, Form, InLedger, Method, MethodKind, QuasiIdentifiers, Suppresses};
pub use model::{PolicyFile, RecodingSection};
pub use problem::{Code, PolicyErrors, Position, Problem, Severity, position_of};
pub use purpose::Purpose;
pub use released::released_policy;
pub use repeated::RepeatedIdentifier;
pub use schema::json_schema;
pub use sections::{
    AttributeSpec, DomainSection, HierarchySpec, InputSection, LinkageSection, OutputSection,
    PeopleSection, PopulationSection, PrincipleSpec, ReleaseContext, SearchSection, Unit,
};
pub use words::{
    Align, Alike, Choice, LevelWeights, LooksLikeIdentifier, MissingValues, OutputFormat, RowOrder,
    Split, Unlisted,
};
pub use write::{key as toml_key, text as toml_text, texts as toml_texts};

/// What the plan of a planned release is called within a release directory.
pub const PLAN: &str = "plan.toml";
