//! `method = "full-domain"`: the lattice of levels.

use indistinct_core::loss::Form;
use indistinct_core::{ByPerson, Observer, RowsOfPerson};
use indistinct_search::full_domain::{FullDomain, Minimal};
use indistinct_search::{Outcome, Problem, Search, with_suppression};

use crate::answer::{NotPossible, OfMethod};
use crate::bound::Bounds;
use crate::error::Error;
use crate::invariant::PeopleProblem;
use crate::task::Task;
use crate::{Answer, Coarsening, Method, NotFound, Proposal, Quality, policy};

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
}

/// Searches a part of the lattice.
fn within(task: &Task<'_>, bounds: &Bounds, observer: &dyn Observer) -> Result<Answer, Error> {
    // Where people count, the search is on a table that has a tuple for each of them.
    let by_person = ByPerson::new(task.table(), task.policy());
    let mut problem = Problem { bounds: bounds.clone(), ..task.problem()? };
    if let Some(ByPerson { table, policy, .. }) = &by_person {
        (problem.table, problem.policy) = (table, policy);
        together(task, &mut problem.bounds)?;
    }
    let sees_people = by_person.is_some() && matches!(problem.objective.form, Form::Joint);
    let all_minimal = match task.file().search.all_minimal {
        true => Minimal::List,
        false => Minimal::Skip,
    };
    let n_suppressible = task.policy().max_suppressed(task.table());
    let search = FullDomain { all_minimal };
    // Of single rows it would have to be known whose they are.
    let outcome = match by_person {
        Some(_) => search.search(&problem, observer)?,
        None => with_suppression(&search, &problem, observer)?,
    };
    Ok(match outcome {
        Outcome::Found(found) => {
            let mut recoding = found.proposal.recoding.clone();
            if let Some(by_person) = &by_person {
                recoding.suppressed = by_person.marks(&recoding.suppressed);
            }
            // The joint distribution of such a table has people in it, so that its optimum is none of the other's.
            let quality = if sees_people { Quality::Heuristic } else { Quality::from(&*found) };
            Answer::found(Proposal {
                adds: found.proposal.minimal_nodes.map(|nodes| OfMethod::Lattice {
                    minimal_nodes: nodes.iter().map(|levels| task.by_name(levels)).collect(),
                }),
                lattice: Some(found.statistics),
                ..Proposal::new(recoding, quality)
            })
        }
        Outcome::NotFound(not_found) => Answer::NotFound(Box::new(NotFound {
            nearest: not_found.nearest,
            // Without some single rows there may be one, which is not tried where people count.
            is_proved: not_found.is_proved && (by_person.is_none() || n_suppressible == 0),
            lattice: Some(not_found.statistics),
            why: matches!(all_minimal, Minimal::List)
                .then(|| NotPossible::Lattice { minimal_nodes: Vec::new() }),
        })),
    })
}

/// Raises the lowest levels to those at which the rows of each person agree, where they are to stay together.
fn together(task: &Task<'_>, bounds: &mut Bounds) -> Result<(), Error> {
    let mut all = task.policy().requirements.iter().filter_map(|it| it.people.as_ref());
    let Some(people) = all.find(|people| people.rows() == RowsOfPerson::Together) else {
        return Ok(());
    };
    let table = task.table();
    let levels = people.levels_together(table, &task.policy().hierarchies);
    for ((column, allowed), level) in table.quasi_identifiers().iter().zip(bounds).zip(levels) {
        if level > *allowed.end() {
            let (attribute, highest) = (column.name.clone(), *allowed.end());
            return Err(PeopleProblem::NotTogether { attribute, level, highest }.into());
        }
        *allowed = level.max(*allowed.start())..=*allowed.end();
    }
    Ok(())
}
