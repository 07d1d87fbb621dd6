//! The input of a method, and a certified result.

use std::collections::BTreeMap;

use indistinct_core::loss::Loss;
use indistinct_core::{CertifiedRelease, FrequencyTable, Policy, Recoding, Release};
use indistinct_engine::output::RowOrder;
use indistinct_search::Problem;
use indistinct_search::multidimensional::GeneralizeTo;

use crate::Proposal;
use crate::bound::{BoundPolicy, Bounds};
use crate::error::Error;
use crate::key::Key;
use crate::policy::{
    GeneralizeTo as PolicyGeneralizeTo, PolicyFile, RecodingSection, RowOrder as PolicyOrder,
};
use crate::prepared::PreparedTable;

/// Returns how the values of a class are generalized.
pub(crate) fn align(recoding: &RecodingSection) -> GeneralizeTo {
    match recoding.generalize_to {
        PolicyGeneralizeTo::Hierarchy => GeneralizeTo::Hierarchy,
        PolicyGeneralizeTo::Bounds => GeneralizeTo::Bounds,
    }
}

/// A prepared table that requires a recoding.
#[derive(Clone, Copy)]
pub struct Task<'a> {
    /// The policy with its table.
    pub bound: &'a BoundPolicy,
    /// The prepared table.
    pub prepared: &'a PreparedTable,
    /// The key of all random choices.
    pub key: &'a Key,
}

impl<'a> Task<'a> {
    /// Returns the counted table.
    pub fn table(&self) -> &'a FrequencyTable {
        &self.prepared.counted.table
    }

    /// Returns the principles and the hierarchies.
    pub fn policy(&self) -> &'a Policy {
        &self.prepared.policy
    }

    /// Returns the policy as written.
    pub fn file(&self) -> &'a PolicyFile {
        &self.bound.file
    }

    /// Returns the `[recoding]` section of the policy.
    pub fn recoding(&self) -> &'a RecodingSection {
        &self.file().recoding
    }

    /// Returns the loss to minimize.
    pub fn objective(&self) -> &'static Loss {
        self.bound.objective()
    }

    /// Returns the levels that the policy allows for each quasi-identifier.
    ///
    /// # Errors
    /// [`Error::Level`] if the policy names a level that the hierarchy does not have.
    pub fn bounds(&self) -> Result<Bounds, Error> {
        self.bound.level_bounds(&self.prepared.policy)
    }

    /// Maps quasi-identifier names to levels.
    pub fn by_name(&self, levels: &[usize]) -> BTreeMap<String, usize> {
        let columns = self.table().quasi_identifiers();
        columns.iter().map(|column| column.name.clone()).zip(levels.iter().copied()).collect()
    }

    /// Creates the search problem.
    ///
    /// # Errors
    /// The same errors as [`Task::bounds`].
    pub fn problem(&self) -> Result<Problem<'a>, Error> {
        Ok(Problem {
            objective: self.objective(),
            weights: self.bound.weights(),
            bounds: self.bounds()?,
            time_limit: self.file().search.time_limit(),
            ..Problem::new(self.table(), self.policy())
        })
    }
}

/// A certified proposal.
#[derive(Clone, Copy)]
pub struct Solution<'a> {
    /// The task.
    pub task: Task<'a>,
    /// The proposal.
    pub proposal: &'a Proposal,
    /// The certified release.
    pub certified: &'a CertifiedRelease<'a>,
}

impl Solution<'_> {
    /// Returns the order of the released rows.
    pub fn order(&self) -> RowOrder {
        match self.task.file().output.row_order {
            PolicyOrder::Shuffled => RowOrder::Shuffled { key: self.task.key.bytes() },
            PolicyOrder::Sorted => RowOrder::Sorted,
        }
    }

    /// Returns the release and its recoding, if the release is a single table of rows.
    pub fn rows(&self) -> Option<(&Release<'_>, &Recoding)> {
        self.certified.rows()
    }
}
