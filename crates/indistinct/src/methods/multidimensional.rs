//! `method = "multidimensional"`: regions, or local recoding.

use indistinct_core::recoding::ClassColumn;
use indistinct_core::{Generalization, Observer, Recoding};
use indistinct_search::multidimensional::{
    self, Align, NoRecoding, Options, Outcome, Problem, Split,
};

use super::{Answer, Coarsening, Method, Proposal, Quality, Task};
use crate::error::Error;
use crate::policy::{self, Align as PolicyAlign, Split as PolicySplit};

/// Every class has values of its own.
#[derive(Debug)]
pub(crate) struct MultidimensionalMethod;

/// What the values of a class are generalized to.
pub(crate) fn align(task: &Task<'_>) -> Align {
    match task.recoding().align {
        PolicyAlign::Hierarchy => Align::Hierarchy,
        PolicyAlign::Values => Align::Values,
    }
}

impl Method for MultidimensionalMethod {
    fn kind(&self) -> policy::Method {
        &policy::method::MULTIDIMENSIONAL
    }

    fn propose(&self, task: &Task<'_>, observer: &dyn Observer) -> Result<Answer, Error> {
        let problem = Problem {
            table: task.table(),
            policy: task.policy(),
            objective: task.objective(),
            weights: task.weights(),
            bounds: task.bounds()?,
            align: align(task),
            split: match task.recoding().split {
                PolicySplit::Best => Split::Best,
                PolicySplit::Median => Split::Median,
            },
            classes: match task.file().output.class_column {
                Some(_) => ClassColumn::Published,
                None => ClassColumn::Absent,
            },
        };
        let options = Options { deadline: task.time_limit() };
        Ok(match multidimensional::multidimensional(&problem, &options, observer)? {
            Outcome::Found(found) => {
                let recoding = Recoding {
                    generalization: Generalization::Classes(found.classes),
                    suppressed: found.suppressed,
                    secrets: None,
                };
                Answer::found(Proposal::new(recoding, Quality::Heuristic))
            }
            Outcome::Infeasible(infeasible) => {
                let nearest = task.coarsest(infeasible.n_failing_rows)?;
                Answer::not_found(Some(nearest), infeasible.proof == NoRecoding::Proved)
            }
        })
    }

    fn coarsening(&self) -> Coarsening {
        Coarsening::EarlierOrLargerClasses
    }
}
