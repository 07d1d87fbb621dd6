//! The fuzz targets, shared with the tests of the façade.

#[path = "../../../indistinct/tests/support/mod.rs"]
mod support;

#[path = "../../../indistinct/tests/fuzz/targets/mod.rs"]
pub mod targets;
