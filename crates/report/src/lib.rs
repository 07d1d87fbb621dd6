//! The certificate of a release, and the two reports: one page for everybody, one for the holder of the table.

#![deny(missing_docs)]

pub mod certificate;
