//! The ledger, which records releases about the same people so that new releases can be checked for
//! linkage with them.
//!
//! The ledger is an SQLite file that belongs to the data holder and has mode 0600. For each
//! release, the file contains the published view
//! ([`indistinct_linkage::as_published::LabeledRelease`]), the data holder's knowledge about the
//! labels, digests, and the policy, but no rows.
//!
//! The key design decision is that **a release is recorded before it exists**. [`Entry::record`]
//! stores the release as *pending*. Afterwards, the files are put in place and [`Ledger::publish`]
//! marks the release as published. After a crash, every release is therefore recorded, and
//! concurrent checks of other candidates include pending releases. Every change also extends a hash
//! chain ([`Event`]), so [`Ledger::verify`] detects records that were changed or removed by other
//! means.
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
