//! Tables in databases: counted and recoded where they are, by SQL.
//!
//! [`Databases`] is an [`Engine`] that sends SQL through ADBC, the Arrow project's interface to databases, and passes everything
//! that is no database on to the embedded engine. What crosses the wire are counts, the values of each column by themselves, maps
//! and certified rows; the rows of the table stay where they are.
//!
//! The key decision: **one transaction** makes, judges and publishes a release. Every dialect here has transactions that hold the
//! definition of tables, too: whatever stops a run, the database itself takes back what was not committed. There is nothing to
//! recover, and nothing left over to clean up.
//!
//! Second: **every value travels as a token**, the text `=` followed by the value's own text, or the empty text for NULL. A token
//! is never NULL, so that joins are plain equalities (null-safe joins fall back to nested loops); it is compared byte by byte
//! whatever the collation of its column; and no driver can guess another type for it.

#![deny(missing_docs)]

mod connection;
mod dialect;
pub mod drivers;
mod engine;
mod fault;
mod name;
mod place;
mod publish;
mod query;
mod recode;
mod released;
mod step;
mod table;
mod token;

pub use engine::Databases;
pub use step::Step;

#[cfg(doc)]
use indistinct_engine::Engine;
