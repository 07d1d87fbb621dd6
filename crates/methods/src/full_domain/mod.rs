//! `method = "full-domain"`: the lattice of levels.

use indistinct_core::loss::Form;
use indistinct_core::{ByPerson, Observer, Optimality};
use indistinct_search::full_domain::{FullDomain, Minimal, Survey};
use indistinct_search::{Outcome, Problem, Search, with_suppression};

use crate::answer::OfMethod;
use crate::bound::Bounds;
use crate::error::Error;
use crate::policy::RecodingSection;
use crate::task::Task;
use crate::{Answer, Coarsening, Method, Proposal, people, policy};

/// One level for each attribute.
#[derive(Debug)]
pub(crate) struct FullDomainMethod;

impl Method for FullDomainMethod {
    fn kind(&self) -> policy::Method {
        &policy::method::FULL_DOMAIN
    }

    fn propose(&self, task: &Task<'_>, observer: &dyn Observer) -> Result<Answer, Error> {
        within(task, &task.bounds()?, observer)
    }

    fn follows_from_the_table(&self, _recoding: &RecodingSection) -> bool {
        true
    }

    fn coarsening(&self) -> Coarsening {
        Coarsening::Levels(within)
    }
}

/// Passes a lattice problem to `f`. If people are counted, the problem uses a table with one tuple
/// per person.
fn with_problem<T>(
    task: &Task<'_>,
    bounds: &Bounds,
    f: impl FnOnce(&Problem<'_>, Option<&ByPerson>) -> Result<T, Error>,
) -> Result<T, Error> {
    let by_person = ByPerson::new(task.table(), task.policy());
    let mut problem = Problem { bounds: bounds.clone(), ..task.problem()? };
    if let Some(ByPerson { table, policy, .. }) = &by_person {
        (problem.table, problem.policy) = (table, policy);
        people::together(task, &mut problem.bounds)?;
    }
    f(&problem, by_person.as_ref())
}

/// Evaluates the nodes of the lattice of a policy, independently of its method: all nodes if there
/// are at most `most`, otherwise the nodes on a path through the best node. See
/// [`survey`](indistinct_search::full_domain::survey).
///
/// # Errors
/// [`Error`] if the policy names a level that does not exist, or the observer cancels.
pub fn survey(task: &Task<'_>, most: u64, observer: &dyn Observer) -> Result<Survey, Error> {
    with_problem(task, &task.bounds()?, |problem, _| {
        Ok(indistinct_search::full_domain::survey(problem, most, observer)?)
    })
}

/// Searches a part of the lattice. For a single node, the search determines the required
/// suppression.
///
/// # Errors
/// The same errors as [`survey`].
pub fn within(task: &Task<'_>, bounds: &Bounds, observer: &dyn Observer) -> Result<Answer, Error> {
    with_problem(task, bounds, |problem, by_person| of_problem(task, problem, by_person, observer))
}

fn of_problem(
    task: &Task<'_>,
    problem: &Problem<'_>,
    by_person: Option<&ByPerson>,
    observer: &dyn Observer,
) -> Result<Answer, Error> {
    let sees_people = by_person.is_some() && matches!(problem.objective.form, Form::Joint);
    let all_minimal = match task.file().search.all_minimal {
        true => Minimal::List,
        false => Minimal::Skip,
    };
    let search = FullDomain { all_minimal };
    // Suppressing single rows would require the person of each row, which is unknown here.
    let outcome = match by_person {
        Some(_) => search.search(problem, observer)?,
        None => with_suppression(&search, problem, observer)?,
    };
    Ok(match outcome {
        Outcome::Found(found) => {
            let recoding = found.proposal.recoding.clone();
            let recoding = match by_person {
                Some(by_person) => by_person.of_other(recoding),
                None => recoding,
            };
            // The joint distribution of this table includes people, so the optimum may differ from
            // that of the original table.
            let optimality = if sees_people { Optimality::Heuristic } else { found.optimality };
            Answer::found(Proposal {
                adds: found.proposal.minimal_nodes.map(|nodes| OfMethod::Lattice {
                    minimal_nodes: nodes.iter().map(|levels| task.by_name(levels)).collect(),
                }),
                effort: found.effort,
                ..Proposal::new(recoding, optimality)
            })
        }
        Outcome::NotFound(not_found) => Answer::not_found(not_found),
    })
}
