//! `method = "curve"`: neighbors along a Hilbert curve.

use indistinct_core::Observer;
use indistinct_search::Search;
use indistinct_search::curve::Curve;

use crate::error::Error;
use crate::policy::RecodingSection;
use crate::task::{Task, align};
use crate::{Answer, Coarsening, Method, policy};

/// Classes along a curve.
#[derive(Debug)]
pub(crate) struct CurveMethod;

impl Method for CurveMethod {
    fn kind(&self) -> policy::Method {
        &policy::method::CURVE
    }

    fn propose(&self, task: &Task<'_>, observer: &dyn Observer) -> Result<Answer, Error> {
        let search = Curve { align: align(task.recoding()) };
        Ok(Answer::of_classes(search.search(&task.problem()?, observer)?))
    }

    fn follows_from_the_table(&self, _recoding: &RecodingSection) -> bool {
        true
    }

    fn coarsening(&self) -> Coarsening {
        Coarsening::EarlierOrLargerClasses
    }
}
