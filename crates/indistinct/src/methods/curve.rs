//! `method = "curve"`: neighbors along a Hilbert curve.

use indistinct_core::Observer;
use indistinct_search::curve::{self, Options, Outcome, Problem};

use super::multidimensional::align;
use super::{Answer, Coarsening, Method, Proposal, Quality, Task};
use crate::error::Error;
use crate::policy;

/// Classes along a curve.
#[derive(Debug)]
pub(crate) struct CurveMethod;

impl Method for CurveMethod {
    fn kind(&self) -> policy::Method {
        &policy::method::CURVE
    }

    fn propose(&self, task: &Task<'_>, observer: &dyn Observer) -> Result<Answer, Error> {
        let problem = Problem {
            table: task.table(),
            policy: task.policy(),
            weights: task.weights(),
            bounds: task.bounds()?,
            align: align(task),
        };
        let options = Options { deadline: task.time_limit() };
        Ok(match curve::curve(&problem, &options, observer)? {
            Outcome::Found(found) => {
                Answer::found(Proposal::new(found.recoding, Quality::Heuristic))
            }
            Outcome::Infeasible(infeasible) => {
                let nearest = task.coarsest(infeasible.n_failing_rows)?;
                Answer::not_found(Some(nearest), infeasible.is_proved)
            }
        })
    }

    fn coarsening(&self) -> Coarsening {
        Coarsening::EarlierOrLargerClasses
    }
}
