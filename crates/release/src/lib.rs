//! The contents of a release: its certificate, its files, its forms, and the code that reads and
//! verifies a release.
//!
//! A release is a public directory with a [`certificate`], the released policy, the rows in one of
//! several [`forms`], hierarchies, and a report. [`View`] represents such a directory in memory,
//! for loss measurement, attacks, linkage, and the ledger. [`verify()`](verify::verify) checks the
//! certificate against the files alone.
//!
//! Key design decision: **this crate cannot search**. The crate depends on no search and no method,
//! so the verifier shares no code with the methods that create releases. A workspace test checks
//! the dependencies.

#![deny(missing_docs)]

pub mod as_published;
pub mod certificate;
mod check;
pub mod directory;
mod error;
pub mod facts;
pub mod files;
pub mod forms;
pub mod linked;
mod links;
pub mod mapping;
mod not_together;
pub mod plan;
pub mod requirements;
mod rows;
pub mod rules;
pub mod table_rows;
pub mod unique;
pub mod verify;
mod view;

use indistinct_engine::EmbeddedEngine;

pub use error::{
    PlanColumnMismatch, PlanFault, PlanParameter, PrincipleError, ReadProblem, ReleaseError,
};
pub use not_together::{MappingFault, NotTogether};
pub use view::{HoldersPolicy, Original, View};

/// Returns an engine that counts rows with all available threads.
pub fn engine() -> EmbeddedEngine {
    EmbeddedEngine::new(rayon::current_num_threads())
}
