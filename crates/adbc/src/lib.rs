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
//! What the statements say, and how values travel, is in `indistinct_sql`.

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
