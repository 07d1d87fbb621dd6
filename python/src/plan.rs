//! Functions for the central agency.

use std::path::PathBuf;

use indistinct::plan::{
    self, Basis, Choice, Cover, Dependence, Failure, FurtherRequest, Linked, Order, Outcome,
    Rational, Request, Source, Weight, WeightedTable, parse_fraction,
};
use indistinct::{Aim, Values};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::arguments::{Data, Policy};
use crate::run::{json, run};

fn fraction(text: &str) -> PyResult<Rational> {
    parse_fraction(text).ok_or_else(|| {
        PyValueError::new_err(format!("'{text}' is not a number such as 0.01 or 1/300"))
    })
}

/// The fields of a plan request.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
struct PlanFields {
    title: Option<String>,
    l: u64,
    delta: Option<String>,
    releases: Option<u64>,
    total_failure: Option<String>,
    order: Option<String>,
    columns: Vec<String>,
    p: Option<String>,
    classes: Option<u64>,
    rows: Option<u64>,
    linked_k: Option<u64>,
    linked_entropy: Option<String>,
    basis: Option<String>,
    confidence: Option<String>,
    known_distribution: bool,
    eta: Option<String>,
    independent: bool,
    all_combinations: bool,
}

fn request(fields: PlanFields) -> PyResult<Request> {
    let failure = match (&fields.delta, fields.releases, &fields.total_failure) {
        (Some(delta), None, None) => Failure::OfEach(fraction(delta)?),
        (None, Some(releases), Some(total)) => Failure::OfAny { releases, total: fraction(total)? },
        _ => {
            return Err(PyValueError::new_err(
                "expected either delta, the failure probability of a release, or both releases and \
                 total_failure",
            ));
        }
    };
    let order = match (fields.order.as_deref(), fields.columns.is_empty()) {
        (None, true) => Request::DEFAULT_ORDER,
        (Some("space-filling"), true) => Order::SpaceFilling,
        (Some("lexicographic"), _) => Order::Lexicographic(fields.columns),
        _ => {
            return Err(PyValueError::new_err(
                "order must be 'space-filling' or 'lexicographic'; only 'lexicographic' supports \
                 columns",
            ));
        }
    };
    let choice = match (&fields.p, fields.classes, fields.rows) {
        (None, None, None) => Choice::Default,
        (Some(p), None, None) => Choice::P(fraction(p)?),
        (None, Some(classes), None) => Choice::Classes(classes),
        (None, None, Some(rows)) => Choice::Rows(rows),
        _ => return Err(PyValueError::new_err("expected at most one of p, classes, and rows")),
    };
    let basis = match fields.basis.as_deref() {
        None => Request::DEFAULT_BASIS,
        Some("text") => Basis::Text,
        Some("actual-classes") => Basis::ActualClasses,
        Some("actual-masses") => Basis::ActualMasses,
        Some("exact-failure") => Basis::ExactFailure,
        Some(_) => {
            return Err(PyValueError::new_err(
                "basis must be 'text', 'actual-classes', 'actual-masses', or 'exact-failure'",
            ));
        }
    };
    Ok(Request {
        title: fields.title,
        l: fields.l,
        linked: Linked {
            k: fields.linked_k,
            entropy_l: fields.linked_entropy.as_deref().map(fraction).transpose()?,
        },
        failure,
        order,
        choice,
        basis,
        confidence: Request::confidence(
            fields.known_distribution,
            fields.confidence.as_deref().map(fraction).transpose()?,
        ),
        eta: fields.eta.as_deref().map(fraction).transpose()?,
        dependence: match fields.independent {
            true => Dependence::Independent,
            false => Dependence::Dependent,
        },
        cover: match fields.all_combinations {
            true => Cover::All(Vec::new()),
            false => Request::DEFAULT_COVER,
        },
        also: FurtherRequest::default(),
    })
}

/// Chooses a plan, and returns the answer with the named files of the plan, if a plan exists.
#[pyfunction(name = "plan")]
#[pyo3(signature = (data, policy, *, count, probability, sensitive, quasi_identifiers, fields, name, progress))]
#[expect(clippy::too_many_arguments, reason = "the arguments are keywords in Python")]
fn make_plan(
    py: Python<'_>,
    data: Option<Data>,
    policy: Option<Policy>,
    count: Option<String>,
    probability: Option<String>,
    sensitive: Option<String>,
    quasi_identifiers: Vec<String>,
    fields: PlanFields,
    name: String,
    progress: Option<Bound<'_, PyAny>>,
) -> PyResult<(String, Vec<(String, String)>)> {
    let request = request(fields)?;
    let weight = match (count, probability) {
        (Some(column), None) => Some(Weight::Count(column)),
        (None, Some(column)) => Some(Weight::Probability(column)),
        (None, None) => None,
        _ => {
            return Err(PyValueError::new_err(
                "expected either count or probability, but not both",
            ));
        }
    };
    if policy.is_none() && (weight.is_none() || sensitive.is_none() || data.is_none()) {
        return Err(PyValueError::new_err(
            "without a policy, plan requires a table of frequencies: data, sensitive, and count or \
             probability",
        ));
    }
    let name = PathBuf::from(name).file_name().map(|it| it.to_string_lossy().into_owned());
    run(py, progress.as_ref(), Values::Hidden, |session| {
        let job;
        let source = match (&policy, weight, sensitive) {
            (Some(policy), _, sensitive) => {
                job = policy.job(session, data.as_ref(), Aim::Plan)?;
                Source::Earlier { job: &job, sensitive }
            }
            (None, Some(weight), Some(sensitive)) => Source::Weighted(WeightedTable {
                input: data.as_ref().map(|it| it.spec(None, None)).unwrap_or_default(),
                sensitive,
                quasi_identifiers,
                weight,
            }),
            _ => unreachable!("the arguments were checked above"),
        };
        Ok(match plan::plan(session, &source, &request)? {
            Outcome::Planned(planned) => {
                let texts = planned.plan.texts(&name.unwrap_or_default());
                let answer = serde_json::json!({ "status": "planned", "plan": &planned });
                (answer.to_string(), texts.files)
            }
            outcome => (json(&outcome), Vec::new()),
        })
    })
}

pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(make_plan, module)?)
}
