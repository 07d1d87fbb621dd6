//! Oracles: the definitions of the literature, written down as plainly as they can be.
//!
//! The tests of the other crates hold their results against what is computed here. Nothing here shares a line with the
//! core: plain rows and lists of counts, big fractions where a boundary matters, no cleverness, no speed. A development
//! dependency only. (The binary `conformance` does use the core: it is the core's mouth, not an oracle.)

#![deny(missing_docs)]

pub mod belief_worlds;
pub mod categorical_oracles;
pub mod implication_worlds;
pub mod linkage_oracle;
pub mod method_worlds;
pub mod numeric_oracles;
pub mod people_oracle;
pub mod perturbation_oracle;
pub mod principles;
pub mod transport;
pub mod uniques_oracle;
pub mod vectors;

pub mod adult;
pub mod lattice_generator;
pub mod lattice_oracle;
pub mod suppression_oracle;
