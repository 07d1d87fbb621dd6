//! The policy file of Indistinct: the input table, the roles of its columns, the requirements for
//! the release, and how to satisfy them.
//!
//! Every key is declared once, as a field of its section (`sections.rs`). The reader, the writer,
//! the [`json_schema`] for editors, and the reference (`docs/policy.md`) are derived from the
//! declaration.
//!
//! [`PolicyFile::parse`] walks the TOML tree along these declarations and the registry of
//! principles, and reports *all* problems at once: [`PolicyErrors`], each [`Problem`] with a stable
//! [`Code`], a location, and a remedy. [`PolicyFile::bind`] then applies the policy to the columns
//! of a table. [`PolicyDocument`] writes and edits policies as text.
//!
//! Numbers are exact. For example, `0.02` is read as 1/50 and never converted to a floating-point
//! number.

#![deny(missing_docs)]
#![deny(clippy::iter_over_hash_type)]

mod attributes;
mod bind;
pub mod document;
#[macro_use]
mod keys;
mod linkage;
pub mod method;
mod model;
mod parameters;
mod parse;
mod people;
mod principles;
mod problem;
mod recoding;
mod released;
mod schema;
mod sections;
mod stated_classes;
mod suggest;
#[cfg(test)]
mod tests;
mod tree;
mod value;
mod walk;
mod words;
mod write;

pub use document::PolicyDocument;
pub use method::{
    ClassLabels, Counts, Form, InLedger, Method, MethodKind, QuasiIdentifiers, Suppresses,
};
pub use model::{PolicyFile, Purpose};
pub use problem::{Code, PolicyErrors, Position, Problem, Severity, position_of};
pub use recoding::RecodingSection;
pub use released::released_policy;
pub use schema::json_schema;
pub use sections::{
    AttributeSpec, CoarsenKeys, DomainSection, HierarchySpec, InputSection, LinkageSection,
    OutputSection, PeopleSection, PopulationSection, PrincipleSpec, ReleaseContext, SearchSection,
    Unit,
};
pub use words::{
    GeneralizeTo, LevelWeights, LooksLikeIdentifier, MissingValues, OutputFormat, RowOrder,
    SpellingVariants, Split, Unlisted, ValueSelection,
};
pub use write::{key as toml_key, text as toml_text, texts as toml_texts};

/// The name of the file in the release directory that contains the plan of a planned release.
pub const PLAN: &str = "plan.toml";
