//! `method = "multidimensional"`: regions, or local recoding.

use crate::MethodWords;
use indistinct_core::{ByPerson, Draft, Observer};
use indistinct_search::multidimensional::{Grain, Multidimensional, Split};
use indistinct_search::{Search, with_suppression};

use crate::error::Error;
use crate::policy::{self, RecodingSection, Split as PolicySplit};
use crate::task::{Task, align};
use crate::{Answer, Coarsening, Method, people};

/// Released values may differ between classes.
#[derive(Debug)]
pub(crate) struct MultidimensionalMethod;

impl Method for MultidimensionalMethod {
    fn kind(&self) -> policy::Method {
        &policy::method::MULTIDIMENSIONAL
    }

    fn words(&self) -> MethodWords {
        MethodWords {
            chosen: Some(
                "The method divides the table into regions, each with as few distinct rows as the \
                 principles allow, and releases every class with the narrowest values that cover \
                 its rows. Each division reduces {objective} as much as possible. The method stops \
                 if it finds no further division into classes that satisfy every principle.",
            ),
            ..MethodWords::NONE
        }
    }

    fn propose(&self, task: &Task<'_>, observer: &dyn Observer) -> Result<Answer, Error> {
        let search = Multidimensional {
            align: align(task.recoding()),
            split: match task.recoding().split {
                PolicySplit::Best => Split::Best,
                PolicySplit::Median => Split::Median,
            },
            grain: Grain::Tuples,
        };
        let Some(by_person) = ByPerson::new(task.table(), task.policy()) else {
            let outcome = with_suppression(&search, &task.problem()?, observer)?;
            return Ok(Answer::from_outcome(outcome, Draft::Rows));
        };
        // If people are counted, the search uses a table with one tuple per person. Single rows
        // could be divided only if the person of each row were known.
        let mut problem = task.problem()?;
        (problem.table, problem.policy) = (&by_person.table, &by_person.policy);
        people::together(task, &mut problem.bounds)?;
        let search = Multidimensional { grain: Grain::Combinations, ..search };
        let outcome = search.search(&problem, observer)?;
        Ok(Answer::from_outcome(outcome, |found| Draft::Rows(by_person.of_other(found))))
    }

    fn follows_from_the_table(&self, _recoding: &RecodingSection) -> bool {
        true
    }

    fn coarsening(&self) -> Coarsening {
        Coarsening::EarlierOrLargerClasses
    }
}
