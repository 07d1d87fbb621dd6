//! `method = "multidimensional"`: regions, or local recoding.

use indistinct_core::Observer;
use indistinct_search::Search;
use indistinct_search::multidimensional::{Align, Multidimensional, Split};

use super::{Answer, Coarsening, Method, Task};
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
        let search = Multidimensional {
            align: align(task),
            split: match task.recoding().split {
                PolicySplit::Best => Split::Best,
                PolicySplit::Median => Split::Median,
            },
        };
        Ok(Answer::of_classes(search.search(&task.problem()?, observer)?))
    }

    fn coarsening(&self) -> Coarsening {
        Coarsening::EarlierOrLargerClasses
    }
}
