//! `method = "sweep"`: classes one after the other, with sensitive values of the last one generalized.

use indistinct_core::Observer;
use indistinct_search::Nearest;
use indistinct_search::sweep::{self, Choice, Options, Outcome, Problem};

use super::{Answer, Coarsening, Method, Proposal, Quality, Task};
use crate::error::Error;
use crate::policy::{self, Choice as PolicyChoice};

/// Classes for (tau, l)-diversity.
#[derive(Debug)]
pub(crate) struct SweepMethod;

impl Method for SweepMethod {
    fn kind(&self) -> policy::Method {
        &policy::method::SWEEP
    }

    fn propose(&self, task: &Task<'_>, observer: &dyn Observer) -> Result<Answer, Error> {
        let problem = Problem {
            table: task.table(),
            policy: task.policy(),
            weights: task.weights(),
            bounds: task.bounds()?,
            choice: match task.recoding().choice {
                PolicyChoice::Dominant => Choice::Dominant,
                PolicyChoice::Random => Choice::Random { key: task.key.for_secrets() },
            },
        };
        let options = Options { deadline: task.time_limit() };
        Ok(match sweep::sweep(&problem, &options, observer)? {
            Outcome::Found(found) => Answer::found(Proposal {
                assumes: found.assumes,
                ..Proposal::new(found.recoding, Quality::Heuristic)
            }),
            Outcome::Infeasible(infeasible) => {
                let nearest = Nearest {
                    n_suppressed_needed: infeasible.n_suppressed_needed,
                    ..task.coarsest(task.table().n_rows())?
                };
                Answer::not_found(Some(nearest), infeasible.is_proved)
            }
        })
    }

    fn coarsening(&self) -> Coarsening {
        Coarsening::LargerClasses
    }
}
