//! What a release is: its certificate, its files, and how a directory is read back.
//!
//! A release is a directory that anybody may have: a [`certificate`], the released policy, the rows in one of several forms,
//! hierarchies and a report. Whatever is done with such a directory starts here.
//!
//! The key decision: **nothing here can search**. This crate depends on no search and on no method, so that whoever checks a
//! release cannot share a fault with what made it. A test of the workspace's arrows keeps it so.

#![deny(missing_docs)]

pub mod certificate;
mod error;
pub mod files;

pub use error::ReleaseError;
