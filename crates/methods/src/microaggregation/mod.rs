//! `method = "microaggregation"`: replaces numbers with the centers of their classes.

use crate::MethodWords;
use indistinct_core::{Draft, Observer};
use indistinct_search::Search;
use indistinct_search::microaggregation::Microaggregation;

use crate::answer::OfMethod;
use crate::error::Error;
use crate::task::{Solution, Task};
use crate::{Answer, Method, generated, policy};

/// Centers of classes.
#[derive(Debug)]
pub(crate) struct MicroaggregationMethod;

/// The loss that the method minimizes.
const OBJECTIVE: &str = "squared error";

impl Method for MicroaggregationMethod {
    fn kind(&self) -> policy::Method {
        &policy::method::MICROAGGREGATION
    }

    fn words(&self) -> MethodWords {
        MethodWords {
            done: Some(
                "Rows with similar numbers were grouped into classes, and the numbers were \
                 replaced by the centers of the classes. All rows of a class have the same values \
                 of the {attributes}.",
            ),
            chosen: Some(
                "The method repeatedly forms a class from the row farthest from the mean and as \
                 many of its nearest rows as the principles require. For a single column and \
                 principles on class sizes only, the classes minimize the squared error. Classes \
                 that violated a principle were merged with the nearest classes.",
            ),
            ..MethodWords::NONE
        }
    }

    fn propose(&self, task: &Task<'_>, observer: &dyn Observer) -> Result<Answer, Error> {
        let section = task.recoding();
        let columns = task.table().quasi_identifiers().iter();
        let search = Microaggregation {
            center: section.center,
            columns: columns.map(|column| section.aggregate.contains(&column.name)).collect(),
        };
        Ok(Answer::from_outcome(search.search(&task.problem()?, observer)?, Draft::Centers))
    }

    fn objective(&self, _task: &Task<'_>) -> &'static str {
        OBJECTIVE
    }

    fn answer(&self, solution: &Solution<'_>) -> Option<OfMethod> {
        let (release, _) = solution.rows()?;
        Some(OfMethod::Generated { generated: generated::columns(release) })
    }
}
