//! Generates SQL for tables that remain in their database, with dialects and with statements for
//! counting and recoding.
//!
//! [`Source`] generates the statements for reading a table, and [`Recoding`] generates the
//! statements for creating its released rows. A caller with a connection runs the statements.
//! [`Emit`] is an [`Engine`] without a connection. This engine writes scripts for other people to
//! run and reads the answers from files.
//!
//! Key design decision: **every value is represented by a token**, which is the text `=` followed
//! by the text of the value, or an empty string for NULL. Tokens are never NULL, so joins are plain
//! equalities. Databases would run null-safe joins as slow nested loops. Tokens are compared byte
//! by byte regardless of the collation of the column, and their type is always text.

#![deny(missing_docs)]

mod dialects;
mod emit;
mod name;
mod place;
mod queried;
mod query;
mod recode;
mod released;
mod source;
mod token;

pub use dialects::{Column, Dialect, NumberType, REGISTRY, Scripts, common_type, find};
pub use emit::Emit;
pub use name::{TableName, literal, quoted};
pub use place::TableLocation;
pub use queried::{Client, QueriedTable, is_certified, watched};
pub use query::one_select;
pub use recode::{Recoding, Tokens};
pub use released::{CERTIFICATE, unpack};
pub use source::{Query, ROWS, Source};
pub use token::texts;

#[cfg(doc)]
use indistinct_engine::Engine;
