//! The native part of the Python package, which translates arguments, calls the library, and
//! returns its answers as JSON.
//!
//! This crate makes no decisions and contains no defaults; the library defines the defaults of
//! omitted arguments.

mod arguments;
mod ask;
mod ledger;
mod plan;
mod raised;
mod run;
mod table;

use pyo3::prelude::*;

/// Runs the command `indistinct` with the given arguments, and returns its exit status.
#[pyfunction]
fn command(py: Python<'_>, typed: Vec<std::ffi::OsString>) -> u8 {
    py.detach(|| indistinct_cli::main(typed))
}

#[pymodule]
fn _native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_class::<table::Table>()?;
    module.add_function(wrap_pyfunction!(command, module)?)?;
    ask::add(module)?;
    ledger::add(module)?;
    plan::add(module)
}
