//! What a method is given, and what it is asked about.

use std::ops::RangeInclusive;

use indistinct_core::loss::Loss;
use indistinct_core::{FrequencyTable, Policy, Recoding, Release};
use indistinct_engine::output::RowOrder;
use indistinct_search::Problem;

use super::Proposal;
use crate::certified::Certified;
use crate::error::Error;
use crate::job::{Job, Prepared};
use crate::key::Key;
use crate::policy::{PolicyFile, RecodingSection, RowOrder as PolicyOrder};

/// For each quasi-identifier the levels that are allowed.
pub type Bounds = Vec<RangeInclusive<usize>>;

/// A counted table with the policy laid over it, for which a recoding is wanted.
#[derive(Clone, Copy)]
pub struct Task<'a> {
    pub(crate) job: &'a Job,
    pub(crate) prepared: &'a Prepared,
    pub(crate) key: &'a Key,
}

impl<'a> Task<'a> {
    /// The counted table.
    pub fn table(&self) -> &'a FrequencyTable {
        &self.prepared.counted.table
    }

    /// What must hold, and the hierarchies.
    pub fn policy(&self) -> &'a Policy {
        &self.prepared.policy
    }

    /// The policy as it was written.
    pub fn file(&self) -> &'a PolicyFile {
        self.job.policy()
    }

    /// `[recoding]` of it.
    pub fn recoding(&self) -> &'a RecodingSection {
        &self.file().recoding
    }

    /// The loss that is to be small.
    pub fn objective(&self) -> &'static Loss {
        self.job.objective()
    }

    /// The levels that the policy allows for each quasi-identifier.
    ///
    /// # Errors
    /// [`Error::Level`] if it names one that a hierarchy does not have.
    pub fn bounds(&self) -> Result<Bounds, Error> {
        self.job.level_bounds(&self.prepared.policy)
    }

    /// The same for a search.
    ///
    /// # Errors
    /// As [`Task::bounds`].
    pub fn problem(&self) -> Result<Problem<'a>, Error> {
        Ok(Problem {
            objective: self.objective(),
            weights: self.job.weights(),
            bounds: self.bounds()?,
            time_limit: self.file().search.time_limit(),
            ..Problem::new(self.table(), self.policy())
        })
    }
}

/// A proposal that the certifier has passed.
#[derive(Clone, Copy)]
pub struct Solution<'a> {
    pub(crate) task: Task<'a>,
    pub(crate) proposal: &'a Proposal,
    pub(crate) certified: &'a Certified<'a>,
}

impl Solution<'_> {
    /// The order of the released rows.
    pub(crate) fn order(&self) -> RowOrder {
        match self.task.file().output.order {
            PolicyOrder::Shuffled => RowOrder::Shuffled { key: self.task.key.bytes() },
            PolicyOrder::Sorted => RowOrder::Sorted,
        }
    }

    /// Where the release is one table of rows: it, and the recoding that made it.
    pub fn rows(&self) -> Option<(&Release<'_>, &Recoding)> {
        self.certified.rows()
    }
}
