//! `method = "full-domain"`: the lattice of levels.

use indistinct_core::Observer;
use indistinct_search::full_domain::{FullDomain, Minimal};
use indistinct_search::{Outcome, Problem, with_single_rows};

use crate::answer::{NotPossible, OfMethod};
use crate::bound::Bounds;
use crate::error::Error;
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
    let problem = Problem { bounds: bounds.clone(), ..task.problem()? };
    let all_minimal = match task.file().search.all_minimal {
        true => Minimal::List,
        false => Minimal::Skip,
    };
    Ok(match with_single_rows(&FullDomain { all_minimal }, &problem, observer)? {
        Outcome::Found(found) => {
            let quality = Quality::from(&*found);
            Answer::found(Proposal {
                adds: found.proposal.minimal_nodes.map(|nodes| OfMethod::Lattice {
                    minimal_nodes: nodes.iter().map(|levels| task.by_name(levels)).collect(),
                }),
                lattice: Some(found.statistics),
                ..Proposal::new(found.proposal.recoding, quality)
            })
        }
        Outcome::NotFound(not_found) => Answer::NotFound(Box::new(NotFound {
            nearest: not_found.nearest,
            is_proved: not_found.is_proved,
            lattice: Some(not_found.statistics),
            why: matches!(all_minimal, Minimal::List)
                .then(|| NotPossible::Lattice { minimal_nodes: Vec::new() }),
        })),
    })
}
