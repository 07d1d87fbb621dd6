//! `method = "partition"`: regions of the hierarchies.

use indistinct_core::model::CountedColumn;
use indistinct_core::{Draft, Observer};
use indistinct_policy::MissingValues;
use indistinct_policy::method::{MOST_REFUSALS, REFUSES_ONE_IN, order_of_divisions};
use indistinct_release::facts::Fact;
use indistinct_release::plan::hexadecimal;
use indistinct_search::Search;
use indistinct_search::partition::Partition;
use sha2::{Digest, Sha256};

use crate::error::Error;
use crate::task::{Solution, Task};
use crate::{Answer, Method, MethodWords, policy};

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
                "The method starts with one region that contains all values, and divides regions \
                 by the labels of the hierarchies in a published order. A region is divided if \
                 each of its parts with rows has enough rows, both with and without noise, unless \
                 it is refused at random. A class has the labels of its region. The loss is \
                 usually higher than that of 'multidimensional'.",
            ),
            ..MethodWords::NONE
        }
    }

    fn propose(&self, task: &Task<'_>, observer: &dyn Observer) -> Result<Answer, Error> {
        let columns = task.table().quasi_identifiers();
        let position = |name: &String| columns.iter().position(|column| column.name == *name);
        let order = order_of_divisions(task.file()).iter().filter_map(position).collect();
        let may_be_missing = |column: &CountedColumn| {
            let attribute = task.file().attribute(&column.name);
            attribute.is_none_or(|it| it.missing_rule() == MissingValues::SeparateValue)
        };
        let search = Partition {
            order,
            key: task.key.for_regions(),
            refuses_one_in: REFUSES_ONE_IN,
            most_refusals: MOST_REFUSALS,
            may_be_missing: columns.iter().map(may_be_missing).collect(),
        };
        Ok(Answer::from_outcome(search.search(&task.problem()?, observer)?, Draft::Rows))
    }

    fn facts(&self, solution: &Solution<'_>) -> Vec<Fact> {
        let task = &solution.task;
        // The digest commits the data holder to the key. The key itself is private.
        let digest = Sha256::digest(task.key.for_regions());
        vec![
            Fact::Regions { order: order_of_divisions(task.file()) },
            Fact::NoisyDivisions { key_sha256: hexadecimal(&digest) },
        ]
    }
}
