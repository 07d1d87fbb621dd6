//! `method = "multidimensional"`: regions, or local recoding.

use indistinct_core::Observer;
use indistinct_search::multidimensional::{Multidimensional, Split};
use indistinct_search::with_suppression;

use crate::error::Error;
use crate::policy::{self, Split as PolicySplit};
use crate::task::{Task, align};
use crate::{Answer, Coarsening, Method};

/// Every class has values of its own.
#[derive(Debug)]
pub(crate) struct MultidimensionalMethod;

impl Method for MultidimensionalMethod {
    fn kind(&self) -> policy::Method {
        &policy::method::MULTIDIMENSIONAL
    }

    fn propose(&self, task: &Task<'_>, observer: &dyn Observer) -> Result<Answer, Error> {
        let search = Multidimensional {
            align: align(task.recoding()),
            split: match task.recoding().split {
                PolicySplit::Best => Split::Best,
                PolicySplit::Median => Split::Median,
            },
        };
        Ok(Answer::of_classes(with_suppression(&search, &task.problem()?, observer)?))
    }

    fn coarsening(&self) -> Coarsening {
        Coarsening::EarlierOrLargerClasses
    }
}
