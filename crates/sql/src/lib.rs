//! SQL for tables that stay where they are: what the dialects call things, and the statements that count and recode.
//!
//! [`Source`] writes the statements about one table, [`Recoding`] those that make its released rows. Whoever has a connection runs
//! them; [`Emit`] has none, and is an [`Engine`] all the same: it writes scripts for somebody else to run, and reads their answers
//! as files.
//!
//! The key decision: **every value travels as a token**, the text `=` followed by the value's own text, or the empty text for NULL. A
//! token is never NULL, so that joins are plain equalities (null-safe joins fall back to nested loops); it is compared byte by byte
//! whatever the collation of its column; and nothing on its way can guess another type for it.

#![deny(missing_docs)]

mod answers;
mod dialects;
mod emit;
mod name;
mod place;
mod query;
mod recode;
mod released;
mod source;
mod token;

pub use answers::{Ask, count, distinct, distinguishable, is_certified, rows, scan, watched};
pub use dialects::{Column, Dialect, REGISTRY, Scripts, common_type, find};
pub use emit::Emit;
pub use name::{TableName, literal, quoted};
pub use place::TableLocation;
pub use query::one_select;
pub use recode::{Recoding, Tokens};
pub use released::{CERTIFICATE, unpack};
pub use source::{Query, Source};
pub use token::texts;

#[cfg(doc)]
use indistinct_engine::Engine;
