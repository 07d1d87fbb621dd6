//! The ledger: the releases about the same people, and the requirements for linking a new release
//! with them.
//!
//! The ledger is an SQLite file of the data holder with mode 0600. For each release, the file
//! contains the published view ([`indistinct_linkage::as_published::LabeledRelease`]), the data
//! holder's knowledge about the labels, digests, and the policy, but no rows.
//!
//! Key design decision: **a release is recorded before it exists**. [`Entry::record`] stores the
//! release as *pending*; only then is it put in place and marked by [`Ledger::publish`]. After a
//! crash, every release is therefore recorded, and concurrent checks of other candidates include
//! pending releases. Every change also extends a hash chain ([`Event`]), so [`Ledger::verify`]
//! detects records that were changed or removed by other means.
//!
//! Invariant: the ledger contains no rows. Invariant: write transactions are short, and no linkage
//! runs while a transaction is open.

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
