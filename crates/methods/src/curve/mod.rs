//! `method = "curve"`: classes of neighboring rows along a Hilbert curve.

use crate::MethodWords;
use indistinct_core::{Draft, Observer};
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

    fn words(&self) -> MethodWords {
        MethodWords {
            chosen: Some(
                "The method orders the rows along a Hilbert curve, on which neighboring rows have \
                 similar quasi-identifiers. It divides the ordered rows into classes that satisfy \
                 every principle. Each class is released with the narrowest values that cover its \
                 rows, so the closer the rows, the lower the loss.",
            ),
            ..MethodWords::NONE
        }
    }

    fn propose(&self, task: &Task<'_>, observer: &dyn Observer) -> Result<Answer, Error> {
        let search = Curve { align: align(task.recoding()) };
        Ok(Answer::from_outcome(search.search(&task.problem()?, observer)?, Draft::Rows))
    }

    fn follows_from_the_table(&self, _recoding: &RecodingSection) -> bool {
        true
    }

    fn coarsening(&self) -> Coarsening {
        Coarsening::EarlierOrLargerClasses
    }
}
