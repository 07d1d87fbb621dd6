//! The functions of the native module, which return the answers of the library as JSON.

use std::collections::BTreeMap;
use std::path::PathBuf;

use indistinct::anonymize::{PrivateLocation, Replace};
use indistinct::attack::{AttackRequest, Minimum, Prior, THRESHOLDS, Threshold, find_threshold};
use indistinct::compare::{self, Choices, Variation};
use indistinct::linked::{self, OriginalOf, parse_minimum};
use indistinct::measure::Options;
use indistinct::profile::Checklist;
use indistinct::text::describe_warning;
use indistinct::warning::Warning;
use indistinct::{Aim, Job, Values};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use serde::Serialize;

use crate::arguments::{Data, Policy, check_path, values};
use crate::raised::{Problem, policy_problems};
use crate::run::{json, run};
use crate::table::Table;

/// An answer and the warnings about the policy.
type Answered = (String, Vec<Problem>);

/// Adds the verdict to an answer.
fn with_holds(answer: &impl Serialize, holds: bool) -> String {
    let mut answer = serde_json::to_value(answer).expect("answers are serializable as JSON");
    answer["holds"] = holds.into();
    answer.to_string()
}

/// Describes the warnings in a JSON answer.
#[pyfunction]
fn describe_warnings(facts: &str) -> PyResult<Vec<String>> {
    let warnings: Vec<Warning> =
        serde_json::from_str(facts).map_err(|error| PyValueError::new_err(error.to_string()))?;
    Ok(warnings.iter().map(describe_warning).collect())
}

fn warnings(job: &Job) -> Vec<Problem> {
    policy_problems(&job.policy_warnings())
}

/// Converts a seed to the range that policies support.
fn seed_of(given: Option<Bound<'_, PyAny>>) -> PyResult<Option<u64>> {
    let Some(given) = given else { return Ok(None) };
    match given.extract::<i64>().map(u64::try_from) {
        Ok(Ok(seed)) => Ok(Some(seed)),
        _ => Err(PyValueError::new_err("seed must be an integer from 0 to 9223372036854775807")),
    }
}

/// Creates a release directory.
#[pyfunction]
#[pyo3(signature = (
    data, policy, directory, *, seed, private, force, ledger, show_values, progress
))]
#[expect(clippy::too_many_arguments, reason = "the arguments are keywords in Python")]
fn anonymize(
    py: Python<'_>,
    data: Option<Data>,
    policy: Policy,
    directory: PathBuf,
    seed: Option<Bound<'_, PyAny>>,
    private: Option<PathBuf>,
    force: bool,
    ledger: Option<PathBuf>,
    show_values: bool,
    progress: Option<Bound<'_, PyAny>>,
) -> PyResult<Answered> {
    let values = values(show_values);
    let seed = seed_of(seed)?;
    run(py, progress.as_ref(), values, |session| {
        let job = policy
            .job(session, data.as_ref(), Aim::Release)?
            .with_seed(seed)
            .with_private(private_location(private))
            .with_values(values);
        let replace = if force { Replace::Force } else { Replace::Forbid };
        let outcome = match &ledger {
            None => indistinct::anonymize::anonymize(&job, &directory, replace)?,
            Some(ledger) => {
                indistinct::ledger::anonymize(&job, &directory, replace, ledger, &|_| {})?
            }
        };
        Ok((json(&outcome), warnings(&job)))
    })
}

/// Reads the tables of a release directory; `like` is the original table, whose dictionary types
/// they use.
#[pyfunction]
#[pyo3(signature = (directory, like=None))]
fn tables(py: Python<'_>, directory: PathBuf, like: Option<Py<Table>>) -> PyResult<Vec<Table>> {
    let like = like.map(|table| table.get().inner().columns()).unwrap_or_default();
    let read =
        |session: &indistinct::Session| indistinct::tables::tables(session, &directory, &like);
    Ok(run(py, None, Values::Hidden, read)?.into_iter().map(Table::of_memory).collect())
}

/// Copies a release directory and its private directory.
#[pyfunction]
fn copy_release(
    py: Python<'_>,
    source: PathBuf,
    private_source: Option<PathBuf>,
    target: PathBuf,
    private_target: Option<PathBuf>,
    force: bool,
) -> PyResult<()> {
    let replace = if force { Replace::Force } else { Replace::Forbid };
    let private_target = private_location(private_target);
    run(py, None, Values::Hidden, |_| {
        let source = (source.as_path(), private_source.as_deref());
        indistinct::tables::copy(source, (&target, &private_target), replace)
    })
}

fn private_location(given: Option<PathBuf>) -> PrivateLocation {
    given.map(PrivateLocation::from).unwrap_or_default()
}

#[pyfunction]
#[pyo3(signature = (data, policy, *, show_values, progress))]
fn check(
    py: Python<'_>,
    data: Option<Data>,
    policy: Policy,
    show_values: bool,
    progress: Option<Bound<'_, PyAny>>,
) -> PyResult<Answered> {
    let values = values(show_values);
    run(py, progress.as_ref(), values, |session| {
        let job = policy.job(session, data.as_ref(), Aim::Check)?.with_values(values);
        let checked = indistinct::check::check(&job, values)?;
        Ok((with_holds(&checked, checked.holds()), warnings(&job)))
    })
}

#[pyfunction]
#[pyo3(signature = (data, policy, *, table, query, checklist, progress))]
fn profile(
    py: Python<'_>,
    data: Option<Data>,
    policy: Option<Policy>,
    table: Option<String>,
    query: Option<String>,
    checklist: Option<&str>,
    progress: Option<Bound<'_, PyAny>>,
) -> PyResult<Answered> {
    let checklist = match checklist {
        None => None,
        Some("hipaa") => Some(Checklist::Hipaa),
        Some(other) => {
            let wrong = format!("unknown checklist '{other}'; expected 'hipaa'");
            return Err(PyValueError::new_err(wrong));
        }
    };
    run(py, progress.as_ref(), Values::Hidden, |session| match (policy, data) {
        (Some(policy), data) => {
            let job = policy.job(session, data.as_ref(), Aim::Check)?;
            let profiled = indistinct::profile::of_policy(&job, checklist)?;
            Ok((json(&profiled), warnings(&job)))
        }
        (None, data) => {
            let spec = data.map(|it| it.spec(table, query)).unwrap_or_default();
            let profiled = indistinct::profile::of_data(session, &spec, checklist)?;
            Ok((json(&profiled), Vec::new()))
        }
    })
}

#[pyfunction]
#[pyo3(signature = (data, policy, *, show_values, progress))]
fn advise(
    py: Python<'_>,
    data: Option<Data>,
    policy: Policy,
    show_values: bool,
    progress: Option<Bound<'_, PyAny>>,
) -> PyResult<(String, Vec<Problem>, String)> {
    let values = values(show_values);
    run(py, progress.as_ref(), values, |session| {
        let job = policy.job(session, data.as_ref(), Aim::Release)?.with_values(values);
        let advice = indistinct::advise::advise(&job, values)?;
        Ok((json(&advice), warnings(&job), indistinct::advise::page(&advice)))
    })
}

#[expect(clippy::too_many_arguments, reason = "the arguments are keywords in Python")]
#[pyfunction(name = "compare")]
#[pyo3(signature = (data, policy, *, k, methods, limits, varied, progress))]
fn compare_choices(
    py: Python<'_>,
    data: Option<Data>,
    policy: Policy,
    k: Vec<u64>,
    methods: Vec<String>,
    limits: Vec<f64>,
    varied: Vec<(String, String, Vec<f64>)>,
    progress: Option<Bound<'_, PyAny>>,
) -> PyResult<(String, Vec<Problem>, String)> {
    let varied = varied.into_iter();
    let varied = varied
        .map(|(principle, parameter, values)| Variation { principle, parameter, values })
        .collect();
    let choices = Choices { k, methods, limits, varied };
    run(py, progress.as_ref(), Values::Hidden, |session| {
        let job = policy.job(session, data.as_ref(), Aim::Release)?;
        let data = data.as_ref().map(Data::table);
        let compared = compare::compare_text(session, policy.text(), data, &choices)?;
        Ok((json(&compared), warnings(&job), compare::page(&compared)))
    })
}

/// Returns the text of a proposed policy.
#[pyfunction]
#[pyo3(signature = (data, *, table, query, progress))]
fn init(
    py: Python<'_>,
    data: Data,
    table: Option<String>,
    query: Option<String>,
    progress: Option<Bound<'_, PyAny>>,
) -> PyResult<String> {
    run(py, progress.as_ref(), Values::Hidden, |session| {
        Ok(indistinct::init::propose(session, &data.spec(table, query), None)?.policy)
    })
}

#[pyfunction]
#[pyo3(signature = (directory, *, population, progress))]
fn verify(
    py: Python<'_>,
    directory: PathBuf,
    population: Option<PathBuf>,
    progress: Option<Bound<'_, PyAny>>,
) -> PyResult<String> {
    run(py, progress.as_ref(), Values::Hidden, |session| {
        check_path(&directory)?;
        let population = population.as_deref();
        Ok(json(&indistinct::verify::verify(session, &directory, population)?))
    })
}

#[pyfunction]
#[pyo3(signature = (directory, original, *, policy, queries, dimension, volume, seed, target, progress))]
#[expect(clippy::too_many_arguments, reason = "the arguments are keywords in Python")]
fn measure(
    py: Python<'_>,
    directory: PathBuf,
    original: Data,
    policy: Option<PathBuf>,
    queries: Option<usize>,
    dimension: Option<usize>,
    volume: Option<f64>,
    seed: Option<Bound<'_, PyAny>>,
    target: Option<String>,
    progress: Option<Bound<'_, PyAny>>,
) -> PyResult<String> {
    let seed = seed_of(seed)?.unwrap_or(indistinct::measure::DEFAULT_SEED);
    let options =
        Options { n_queries: queries, dimension, volume, seed, target, ..Options::default() };
    run(py, progress.as_ref(), Values::Hidden, |session| {
        check_path(&directory)?;
        let (table, policy) = (original.table(), policy.as_deref());
        let measured = indistinct::measure::measure(session, &directory, table, policy, &options)?;
        Ok(json(&measured))
    })
}

#[pyfunction]
#[pyo3(signature = (directory, *, original, register, prior, prior_weight, policy, worlds, thresholds, minima, progress))]
#[expect(clippy::too_many_arguments, reason = "the arguments are keywords in Python")]
fn attack(
    py: Python<'_>,
    directory: PathBuf,
    original: Option<Data>,
    register: Option<Data>,
    prior: Option<Data>,
    prior_weight: Option<String>,
    policy: Option<PathBuf>,
    worlds: Option<u64>,
    thresholds: Vec<String>,
    minima: Vec<String>,
    progress: Option<Bound<'_, PyAny>>,
) -> PyResult<String> {
    let threshold = |name: &String| -> PyResult<&'static Threshold> {
        find_threshold(name).ok_or_else(|| {
            let known: Vec<&str> = THRESHOLDS.iter().map(|it| it.name).collect();
            let known = known.join(", ");
            PyValueError::new_err(format!("unknown threshold '{name}'; expected one of {known}"))
        })
    };
    let minimum = |text: &String| -> PyResult<Minimum> {
        text.parse().map_err(|error| PyValueError::new_err(format!("{error}")))
    };
    let thresholds = thresholds.iter().map(threshold).collect::<PyResult<Vec<_>>>()?;
    let minima = minima.iter().map(minimum).collect::<PyResult<Vec<_>>>()?;
    run(py, progress.as_ref(), Values::Hidden, |session| {
        check_path(&directory)?;
        let request = AttackRequest {
            original: original.as_ref().map(Data::table),
            register: register.as_ref().map(Data::table),
            prior: prior
                .as_ref()
                .map(|it| Prior { table: it.table(), weight: prior_weight.as_deref() }),
            policy: policy.as_deref(),
            worlds,
            thresholds,
            minima,
            ..AttackRequest::default()
        };
        let attacked = indistinct::attack::attack(session, &directory, &request)?;
        Ok(with_holds(&attacked, attacked.holds()))
    })
}

#[pyfunction]
#[pyo3(signature = (
    directories, *, originals, person, sensitive, minimum, worst, show_values, progress
))]
#[expect(clippy::too_many_arguments, reason = "the arguments are keywords in Python")]
fn link(
    py: Python<'_>,
    directories: Vec<PathBuf>,
    originals: Vec<(usize, PathBuf)>,
    person: Option<BTreeMap<String, String>>,
    sensitive: Option<String>,
    minimum: Option<String>,
    worst: Option<usize>,
    show_values: bool,
    progress: Option<Bound<'_, PyAny>>,
) -> PyResult<String> {
    let values = values(show_values);
    run(py, progress.as_ref(), values, |session| {
        directories.iter().try_for_each(|it| check_path(it))?;
        let original = |(release, data)| OriginalOf { release, data };
        let request = linked::LinkRequest {
            originals: originals.into_iter().map(original).collect(),
            person,
            sensitive,
            minimum: minimum.as_deref().map(parse_minimum).transpose()?,
            n_worst: worst,
            values,
        };
        let linked = linked::link(session, &directories, &request)?;
        Ok(with_holds(&linked, linked.holds))
    })
}

/// Converts a policy from JSON to TOML.
#[pyfunction]
fn toml_of(policy: &str) -> PyResult<String> {
    let wrong = |error: String| PyValueError::new_err(error);
    let value: toml::Table =
        serde_json::from_str(policy).map_err(|error| wrong(error.to_string()))?;
    toml::to_string(&value).map_err(|error| wrong(error.to_string()))
}

/// Converts a policy from TOML to JSON.
#[pyfunction]
fn json_of(policy: &str) -> PyResult<String> {
    let value: toml::Table = toml::from_str(policy)
        .map_err(|error| PyValueError::new_err(error.message().to_owned()))?;
    Ok(json(&value))
}

pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(describe_warnings, module)?)?;
    module.add_function(wrap_pyfunction!(anonymize, module)?)?;
    module.add_function(wrap_pyfunction!(tables, module)?)?;
    module.add_function(wrap_pyfunction!(copy_release, module)?)?;
    module.add_function(wrap_pyfunction!(check, module)?)?;
    module.add_function(wrap_pyfunction!(profile, module)?)?;
    module.add_function(wrap_pyfunction!(advise, module)?)?;
    module.add_function(wrap_pyfunction!(compare_choices, module)?)?;
    module.add_function(wrap_pyfunction!(init, module)?)?;
    module.add_function(wrap_pyfunction!(verify, module)?)?;
    module.add_function(wrap_pyfunction!(measure, module)?)?;
    module.add_function(wrap_pyfunction!(attack, module)?)?;
    module.add_function(wrap_pyfunction!(link, module)?)?;
    module.add_function(wrap_pyfunction!(toml_of, module)?)?;
    module.add_function(wrap_pyfunction!(json_of, module)?)
}
