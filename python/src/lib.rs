//! The native part of the Python package: translates arguments, runs the library, and gives its answers as JSON.
//!
//! No default and no decision is made here; what an argument that is left out means is said by the library.

mod arguments;
mod ask;
mod ledger;
mod plan;
mod raised;
mod run;
mod table;

use pyo3::prelude::*;

/// What `indistinct` on the path does: runs the command with these arguments, and gives its exit status.
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
