//! Oracles: the definitions of the literature, written down as plainly as they can be.
//!
//! The tests of the other crates hold their results against what is computed here. Nothing here shares a line with the
//! core: plain rows and lists of counts, big integers where a boundary matters, no cleverness, no speed. A development
//! dependency only.

#![deny(missing_docs)]

pub mod principles;
pub mod vectors;

pub mod adult;
pub mod lattice_generator;
pub mod lattice_oracle;
