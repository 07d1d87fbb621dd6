//! The ledger: which releases there are about the same people, and what linking a new one with them needs.
//!
//! An SQLite file of the holder, mode 0600. It holds what everybody sees of each release
//! ([`indistinct_linkage::as_published::LabeledRelease`]), what the holder knows of the labels, digests and the policy; never rows.
//!
//! The key decision: **a release is recorded before it exists**. [`Entry::record`] writes it as *pending*, and only then is it
//! put in place and [`Ledger::publish`]ed; so whatever a crash leaves is either recorded or not there, and whoever checks a
//! candidate at the same time sees it. Every change also extends a chain of hashes ([`Event`]), so that a record that was
//! changed or removed by other means is found ([`Ledger::verify`]).
//!
//! Invariant: no rows. Invariant: a transaction that writes is short; nothing is linked while one is open.

#![deny(missing_docs)]

mod effect;
mod error;
mod event;
mod ledger;
pub mod people;
mod record;
mod schema;
#[cfg(test)]
mod tests;
mod verify;

pub use effect::{Coarser, EarlierReleases, Linkage, LinkageRefusal};
pub use error::{Damage, LedgerError};
pub use event::{Event, What};
pub use ledger::{Access, Entry, Ledger, Notice};
pub use record::{NewRecord, Record, ReleaseId, State};
pub use schema::VERSION;
pub use verify::{Audit, Finding};
