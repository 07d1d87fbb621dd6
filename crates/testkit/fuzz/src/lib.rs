//! The fuzz targets, as the tests of the façade have them: there is one definition of what is tried.

#[path = "../../../indistinct/tests/support/mod.rs"]
mod support;

#[path = "../../../indistinct/tests/fuzz/targets/mod.rs"]
pub mod targets;
