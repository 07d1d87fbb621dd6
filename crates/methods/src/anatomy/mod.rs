//! `method = "anatomy"`: unchanged quasi-identifiers and sensitive values in two separate tables,
//! and the facts about them.
//!
//! A verifier can recompute the contents of both tables. The random choice of the rows in each
//! class cannot be recomputed.

mod separation;

use crate::MethodWords;
use indistinct_core::{Draft, Observer};
use indistinct_release::facts::Fact;
use indistinct_search::Search;
use indistinct_search::anatomy::TwoTables;

pub use separation::{RECONSTRUCTION_ERROR, Separation, attribute_losses, losses};

use crate::answer::OfMethod;
use crate::error::Error;
use crate::task::{Solution, Task};
use crate::{Answer, Coarsening, Method, policy};
use separation::separation;

/// The method that publishes quasi-identifiers and sensitive values in two tables.
#[derive(Debug)]
pub(crate) struct AnatomyMethod;

impl Method for AnatomyMethod {
    fn kind(&self) -> policy::Method {
        &policy::method::ANATOMY
    }

    fn words(&self) -> MethodWords {
        MethodWords {
            done: Some(
                "The values of {attributes} were released unchanged in one table, and the \
                 sensitive values of each class were released in another table.",
            ),
            cost: Some("The release does not show which row of a class has which sensitive value."),
            chosen: Some(
                "The method forms as many small classes as possible. Smaller classes preserve more \
                 information about the sensitive value of each row.",
            ),
            ..MethodWords::NONE
        }
    }

    /// Divides the rows into classes by their sensitive values.
    fn propose(&self, task: &Task<'_>, observer: &dyn Observer) -> Result<Answer, Error> {
        let two_tables = TwoTables { key: task.key.for_classes() };
        Ok(Answer::from_outcome(two_tables.search(&task.problem()?, observer)?, Draft::Tables))
    }

    fn coarsening(&self) -> Coarsening {
        Coarsening::MoreValues
    }

    fn objective(&self, _task: &Task<'_>) -> &'static str {
        RECONSTRUCTION_ERROR
    }

    fn answer(&self, solution: &Solution<'_>) -> Option<OfMethod> {
        let release = solution.certified.tables()?;
        Some(OfMethod::TwoTables { separation: separation(release) })
    }

    fn facts(&self, _solution: &Solution<'_>) -> Vec<Fact> {
        vec![Fact::RandomAssignment {}]
    }
}
