//! The ledger: which releases there are about the same people, and what linking a new one with them needs.
//!
//! An SQLite file. It holds what everybody sees of each release ([`indistinct_linkage::seen::Seen`]), digests and the policy;
//! never rows.

#![deny(missing_docs)]
