//! `method = "partition"`: regions of the hierarchies.

use indistinct_answers::MethodWords;
use indistinct_core::Observer;
use indistinct_release::facts::Fact;
use indistinct_search::partition::{Partition, Regions};
use indistinct_search::{Outcome, Search};

use crate::answer::{OfMethod, RegionSplits};
use crate::error::Error;
use crate::task::{Solution, Task};
use crate::{Answer, Method, Proposal, policy};

/// Regions of the hierarchies.
#[derive(Debug)]
pub(crate) struct PartitionMethod;

impl Method for PartitionMethod {
    fn kind(&self) -> policy::Method {
        &policy::method::PARTITION
    }

    fn words(&self) -> MethodWords {
        MethodWords {
            chosen: Some(
                "The method starts with one region, whose labels cover all values, and divides \
                 regions by the hierarchies in a published order. A region is divided if each of \
                 its parts with rows remains large enough after random noise is subtracted. Labels \
                 are never narrowed to the values of the rows. The loss is therefore higher than \
                 that of 'multidimensional', but the labels disclose less about the values below \
                 them.",
            ),
            ..MethodWords::NONE
        }
    }

    fn propose(&self, task: &Task<'_>, observer: &dyn Observer) -> Result<Answer, Error> {
        let search = Partition { key: task.key.for_regions() };
        let found = match search.search(&task.problem()?, observer)? {
            Outcome::Found(found) => found,
            Outcome::NotFound(not_found) => return Ok(Answer::not_found(not_found)),
        };
        let Regions { recoding, splits } = found.proposal;
        let columns = task.table().quasi_identifiers();
        let regions = RegionSplits {
            splits: splits.iter().map(|&at| columns[at].name.clone()).collect(),
            key_sha256: task.key.commitment_of_regions(),
        };
        Ok(Answer::found(Proposal {
            adds: Some(OfMethod::Regions { regions }),
            effort: found.effort,
            ..Proposal::new(recoding, found.optimality)
        }))
    }

    fn facts(&self, solution: &Solution<'_>) -> Vec<Fact> {
        let Some(OfMethod::Regions { regions }) = &solution.proposal.adds else {
            return Vec::new();
        };
        vec![
            Fact::Regions { splits: regions.splits.clone() },
            Fact::NoisySplits { key_sha256: regions.key_sha256.clone() },
        ]
    }
}
