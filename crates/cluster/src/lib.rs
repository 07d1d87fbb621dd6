//! Counting and recoding tables on a dedicated [Ballista](https://datafusion.apache.org/ballista/)
//! cluster, for users without another cluster.
//!
//! [`Cluster`] is an [`Engine`] that sends the same SQL as for databases, in the dialect of
//! DataFusion, to a scheduler. Executors read the files of the table, and write the released rows
//! to the same shared folder. This machine receives only counts and the values of each column
//! separately. Executors receive maps and certified rows as files in the shared folder.
//!
//! The key decision: **a released table is one folder**, which includes its certificate. The folder
//! is created and checked under a temporary name, and then renamed. Readers therefore never see
//! rows without their certificate, and an interrupted run leaves either the old folder or the new
//! one.

#![deny(missing_docs)]

mod connections;
mod engine;
pub mod executor;
mod fault;
mod place;
mod released;
pub mod scheduler;
mod session;
mod staged;
mod table;
mod target;
mod tasks;

pub use engine::Cluster;

#[cfg(doc)]
use indistinct_engine::Engine;
