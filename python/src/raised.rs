//! Converts library errors to exceptions. A single exception contains all problems.

use indistinct::{Error, Values};
use pyo3::prelude::*;

pyo3::import_exception!(indistinct._errors, IndistinctError);
pyo3::import_exception!(indistinct._errors, PolicyError);

/// The code, the message, the remedy, and the location in the policy (line and column).
pub(crate) type Problem = (String, String, Option<String>, Option<String>);

/// Converts an error to an exception. Its messages contain values from the table only if `values`
/// permits.
pub(crate) fn raised(error: &Error, values: Values) -> PyErr {
    if let Error::Policy(errors) = error {
        return PolicyError::new_err((policy_problems(errors),));
    }
    let problems: Vec<Problem> = error
        .messages(values)
        .into_iter()
        .map(|message| (message.code, message.text, message.help, None))
        .collect();
    IndistinctError::new_err((problems,))
}

/// The exception in a forked process.
pub(crate) fn forked() -> PyErr {
    let problem: Problem = (
        "E-PYTHON-011".to_owned(),
        "the process was forked after its parent had called Indistinct, whose threads do not exist \
         in the forked process"
            .to_owned(),
        Some(
            "start workers with the context 'spawn' or 'forkserver', such as \
             ProcessPoolExecutor(mp_context=multiprocessing.get_context('spawn'))"
                .to_owned(),
        ),
        None,
    );
    IndistinctError::new_err((vec![problem],))
}

pub(crate) fn policy_problems(errors: &indistinct::policy::PolicyErrors) -> Vec<Problem> {
    let place = |problem: &indistinct::policy::Problem| {
        let at = errors.position(problem)?;
        Some(format!("{}:{}:{}", errors.source_name, at.line, at.column))
    };
    let problem = |problem: &indistinct::policy::Problem| {
        let code = problem.code.as_str().to_owned();
        (code, problem.message.clone(), problem.help.clone(), place(problem))
    };
    errors.problems.iter().map(problem).collect()
}
