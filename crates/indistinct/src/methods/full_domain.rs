//! `method = "full-domain"`: the lattice of levels.

use std::collections::BTreeMap;

use indistinct_core::Observer;
use indistinct_search as search;

use super::{
    Answer, Bounds, Coarsening, Method, NotFound, NotPossible, OfMethod, Proposal, Quality,
};
use super::{Solution, Task};
use crate::error::Error;
use crate::policy;

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

    fn coarsening(&self) -> Coarsening {
        Coarsening::Levels(within)
    }

    fn answer(&self, solution: &Solution<'_>) -> Option<OfMethod> {
        let named = |levels: &Vec<usize>| by_name(&solution.task, levels);
        let nodes = solution.proposal.minimal_nodes.as_ref()?;
        Some(OfMethod::Lattice { minimal_nodes: nodes.iter().map(named).collect() })
    }
}

/// Levels by the names of their quasi-identifiers.
pub(crate) fn by_name(task: &Task<'_>, levels: &[usize]) -> BTreeMap<String, usize> {
    let columns = task.table().quasi_identifiers();
    columns.iter().map(|column| column.name.clone()).zip(levels.iter().copied()).collect()
}

/// Searches a part of the lattice.
fn within(task: &Task<'_>, bounds: &Bounds, observer: &dyn Observer) -> Result<Answer, Error> {
    let problem = search::Problem {
        table: task.table(),
        policy: task.policy(),
        objective: task.objective(),
        weights: task.weights(),
        bounds: bounds.clone(),
    };
    let all_minimal = task.job.minimal_nodes();
    let options = search::Options { all_minimal, deadline: task.time_limit() };
    Ok(match search::full_domain(&problem, &options, observer)? {
        search::Outcome::Found(found) => Answer::found(Proposal {
            minimal_nodes: found.minimal_nodes,
            lattice: Some(found.statistics),
            ..Proposal::new(
                found.recoding,
                if found.optimal { Quality::Optimal } else { Quality::TimeLimit },
            )
        }),
        search::Outcome::Infeasible(infeasible) => Answer::NotFound(Box::new(NotFound {
            nearest: infeasible.nearest,
            is_proved: true,
            lattice: Some(infeasible.statistics),
            why: matches!(all_minimal, search::Minimal::List)
                .then(|| NotPossible::Lattice { minimal_nodes: Vec::new() }),
        })),
    })
}
