//! What a release is: its certificate, its files, the forms that it can take, how it is read back, and how it is verified.
//!
//! A release is a directory that anybody may have: a [`certificate`], the released policy, the rows in one of several [`forms`],
//! hierarchies and a report. [`View`] is such a directory, read back: whoever measures, attacks, links or records a release works on
//! it. [`verify()`](verify::verify) checks the certificate from the bytes alone.
//!
//! The key decision: **nothing here can search**. This crate depends on no search and on no method, so that whoever checks a
//! release cannot share a fault with what made it. A test of the workspace's arrows keeps it so.

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
pub mod verify;
mod view;
pub mod words;

use indistinct_engine::EmbeddedEngine;

pub use error::{
    PlanColumnMismatch, PlanFault, PlanParameter, PrincipleError, ReadProblem, ReleaseError,
};
pub use not_together::{MappingFault, NotTogether};
pub use view::{HoldersPolicy, Original, View};

/// What counts rows, with as many threads as there are.
pub fn engine() -> EmbeddedEngine {
    EmbeddedEngine::new(rayon::current_num_threads())
}
