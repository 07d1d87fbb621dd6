//! Oracles, which are literal implementations of the definitions in the literature.
//!
//! The tests of the other crates compare their results with these oracles. The oracles share no
//! code with the core: they operate on plain rows and lists of counts, use arbitrary-precision
//! fractions at boundaries, and are not optimized. This crate is only a development dependency.
//! (The binary `conformance` does use the core: it exposes the core to the test vectors and is not
//! an oracle.)

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
pub mod refinement_oracle;
pub mod transport;
pub mod uniques_oracle;
pub mod vectors;

pub mod adult;
pub mod lattice_generator;
pub mod lattice_oracle;
pub mod suppression_oracle;
