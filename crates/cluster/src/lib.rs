//! Tables that a cluster of one's own counts and recodes: [Ballista](https://datafusion.apache.org/ballista/), for who has no other one.
//!
//! [`Cluster`] is an [`Engine`] that sends the same SQL as databases get, in the dialect of DataFusion, to a scheduler; executors read the
//! table's files, and write the released rows beside them. What comes to this machine are counts, the values of each column by
//! themselves, and nothing else; what goes to the executors are maps and certified rows, as files in a folder that all of them see.
//!
//! The key decision: **a released table is one folder**, its certificate inside. It is made under another name, judged there, and gets
//! its own by one rename: nobody ever sees rows without their certificate, and whatever stops a run leaves the old folder or the new.

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
