//! The fuzz targets, which are shared with the tests of the façade crate.

#[path = "../../../indistinct/tests/support/mod.rs"]
mod support;

#[path = "../../../indistinct/tests/fuzz/targets/mod.rs"]
pub mod targets;
