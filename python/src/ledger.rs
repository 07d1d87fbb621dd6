//! Functions for the ledger of releases.

use std::path::PathBuf;

use indistinct::ledger::{self, AddOptions, CheckOptions};
use indistinct::{Aim, Values};
use pyo3::prelude::*;

use crate::arguments::{Data, Policy, check_path};
use crate::run::{json, run};

#[pyfunction]
#[pyo3(signature = (path, *, key))]
fn ledger_init(py: Python<'_>, path: PathBuf, key: Option<PathBuf>) -> PyResult<()> {
    run(py, None, Values::Hidden, |_| match &key {
        Some(key) => indistinct::invariant::init(&path, key),
        None => ledger::init(&path),
    })
}

#[pyfunction]
#[pyo3(signature = (path, directory, *, name, population))]
fn ledger_add(
    py: Python<'_>,
    path: PathBuf,
    directory: PathBuf,
    name: Option<String>,
    population: Option<String>,
) -> PyResult<String> {
    let options = AddOptions { name, population };
    run(py, None, Values::Hidden, |session| {
        check_path(&directory)?;
        Ok(json(&ledger::add(session, &path, &directory, &options)?))
    })
}

#[pyfunction]
fn ledger_list(py: Python<'_>, path: PathBuf) -> PyResult<String> {
    run(py, None, Values::Hidden, |_| Ok(json(&ledger::list(&path)?)))
}

#[pyfunction]
fn ledger_verify(py: Python<'_>, path: PathBuf) -> PyResult<String> {
    run(py, None, Values::Hidden, |_| Ok(json(&ledger::verify(&path)?)))
}

#[pyfunction]
fn ledger_remove(py: Python<'_>, path: PathBuf, name: &str, reason: &str) -> PyResult<String> {
    run(py, None, Values::Hidden, |_| Ok(json(&ledger::remove(&path, name, reason)?)))
}

/// Links a release directory, or the release that a policy would produce, with the recorded
/// releases.
#[pyfunction]
#[pyo3(signature = (path, *, directory, policy, data, minimum, original, population, progress))]
#[expect(clippy::too_many_arguments, reason = "the arguments are keywords in Python")]
fn ledger_check(
    py: Python<'_>,
    path: PathBuf,
    directory: Option<PathBuf>,
    policy: Option<Policy>,
    data: Option<Data>,
    minimum: Option<String>,
    original: Option<PathBuf>,
    population: Option<String>,
    progress: Option<Bound<'_, PyAny>>,
) -> PyResult<String> {
    run(py, progress.as_ref(), Values::Hidden, |session| {
        let minimum = minimum.as_deref().map(indistinct::linked::parse_minimum).transpose()?;
        let options = CheckOptions { minimum, original, population };
        let checked = match (policy, directory) {
            (Some(policy), _) => {
                let job = policy.job(session, data.as_ref(), Aim::Release)?;
                ledger::check_policy(&path, &job, &options)?
            }
            (None, directory) => {
                let directory = directory.unwrap_or_default();
                check_path(&directory)?;
                ledger::check_release(session, &path, &directory, &options)?
            }
        };
        Ok(json(&checked))
    })
}

pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(ledger_init, module)?)?;
    module.add_function(wrap_pyfunction!(ledger_add, module)?)?;
    module.add_function(wrap_pyfunction!(ledger_list, module)?)?;
    module.add_function(wrap_pyfunction!(ledger_verify, module)?)?;
    module.add_function(wrap_pyfunction!(ledger_remove, module)?)?;
    module.add_function(wrap_pyfunction!(ledger_check, module)?)
}
