//! `method = "microaggregation"`: numbers are replaced by the centers of their classes.

use indistinct_answers::MethodWords;
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

/// Sentences for the data holder.
const WORDS: MethodWords = MethodWords {
    done: Some(
        "Rows with similar numbers were put into classes, and their numbers replaced by the center of the class, so \
         that all rows of a class are alike in the {attributes}.",
    ),
    chosen: Some(
        "The method takes the rows that are farthest from the mean, each with those nearest to it, as many as the \
         principles need, and so on until all rows are in a class. For one column and principles on sizes alone it \
         takes the classes with the least squared error of all. Classes in which a principle failed were united with \
         the nearest ones.",
    ),
    ..MethodWords::NONE
};

impl Method for MicroaggregationMethod {
    fn kind(&self) -> policy::Method {
        &policy::method::MICROAGGREGATION
    }

    fn words(&self) -> MethodWords {
        WORDS
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
