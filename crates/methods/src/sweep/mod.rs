//! `method = "sweep"`: forms one class after another and generalizes sensitive values of the last
//! class.

use crate::MethodWords;
use indistinct_core::Observer;
use indistinct_search::sweep::{Choice, LevelWeights, Sweep};
use indistinct_search::{Outcome, Search};

use crate::error::Error;
use crate::policy::{
    self, LevelWeights as PolicyWeights, RecodingSection, ValueSelection as PolicySelection,
};
use crate::task::Task;
use crate::{Answer, Coarsening, Method, Proposal};

/// Classes for (tau, l)-diversity.
#[derive(Debug)]
pub(crate) struct SweepMethod;

impl Method for SweepMethod {
    fn kind(&self) -> policy::Method {
        &policy::method::SWEEP
    }

    fn words(&self) -> MethodWords {
        MethodWords {
            chosen: Some(
                "The method forms one class after another from neighboring rows. Each class is as \
                 small as the principle allows. If the remaining sensitive values are insufficient \
                 for another class, the method generalizes them by their taxonomy until they are \
                 sufficient.",
            ),
            ..MethodWords::NONE
        }
    }

    fn propose(&self, task: &Task<'_>, observer: &dyn Observer) -> Result<Answer, Error> {
        let search = Sweep {
            choice: match task.recoding().value_selection {
                PolicySelection::Dominant => Choice::Dominant,
                PolicySelection::Random => Choice::Random { key: task.key.for_sensitive_values() },
            },
            level_weights: match task.recoding().level_weights {
                PolicyWeights::Observed => LevelWeights::Observed,
                PolicyWeights::Domain => LevelWeights::Domain,
                PolicyWeights::Rows => LevelWeights::Rows,
            },
        };
        Ok(match search.search(&task.problem()?, observer)? {
            Outcome::Found(found) => Answer::found(Proposal {
                generalizes_values: found.proposal.n_generalized > 0,
                effort: found.effort,
                ..Proposal::new(found.proposal.recoding, found.optimality)
            }),
            Outcome::NotFound(not_found) => Answer::not_found(not_found),
        })
    }

    fn follows_from_the_table(&self, recoding: &RecodingSection) -> bool {
        recoding.value_selection == PolicySelection::Dominant
    }

    fn coarsening(&self) -> Coarsening {
        Coarsening::LargerClasses
    }
}
