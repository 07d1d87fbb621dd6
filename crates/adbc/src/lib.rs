//! Counts and recodes database tables in place with SQL.
//!
//! [`Databases`] is an [`Engine`] that sends SQL through ADBC, the database interface of the Arrow
//! project, and delegates all other tables to the embedded engine. Only counts, the distinct values
//! of each column, recoding maps, and certified rows are transferred. The rows of the table remain
//! in the database.
//!
//! Key design decision: **a single transaction** creates, checks, and publishes a release. In all
//! supported dialects, transactions include table definitions. If a run is interrupted, the
//! database rolls back the transaction, so neither recovery nor cleanup is necessary.
//!
//! The `indistinct_sql` crate defines the statements and the representation of values.

#![deny(missing_docs)]

mod connection;
mod driver;
pub mod drivers;
mod engine;
mod fault;
mod place;
mod publish;
mod released;
mod step;
mod table;

pub use engine::Databases;
pub use step::Step;

#[cfg(doc)]
use indistinct_engine::Engine;
