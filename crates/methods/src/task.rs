//! What a method is given, and what it is asked about.

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

/// What the values of a class are generalized to.
pub(crate) fn align(recoding: &RecodingSection) -> GeneralizeTo {
    match recoding.generalize_to {
        PolicyGeneralizeTo::Hierarchy => GeneralizeTo::Hierarchy,
        PolicyGeneralizeTo::Bounds => GeneralizeTo::Bounds,
    }
}

/// A counted table with the policy laid over it, for which a recoding is wanted.
#[derive(Clone, Copy)]
pub struct Task<'a> {
    /// The policy with its table.
    pub bound: &'a BoundPolicy,
    /// The table, counted.
    pub prepared: &'a PreparedTable,
    /// What every random choice follows from.
    pub key: &'a Key,
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
        &self.bound.file
    }

    /// `[recoding]` of it.
    pub fn recoding(&self) -> &'a RecodingSection {
        &self.file().recoding
    }

    /// The loss that is to be small.
    pub fn objective(&self) -> &'static Loss {
        self.bound.objective()
    }

    /// The levels that the policy allows for each quasi-identifier.
    ///
    /// # Errors
    /// [`Error::Level`] if it names one that a hierarchy does not have.
    pub fn bounds(&self) -> Result<Bounds, Error> {
        self.bound.level_bounds(&self.prepared.policy)
    }

    /// Levels by the names of their quasi-identifiers.
    pub fn by_name(&self, levels: &[usize]) -> BTreeMap<String, usize> {
        let columns = self.table().quasi_identifiers();
        columns.iter().map(|column| column.name.clone()).zip(levels.iter().copied()).collect()
    }

    /// What a search is given.
    ///
    /// # Errors
    /// As [`Task::bounds`].
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

/// A proposal that the certifier has passed.
#[derive(Clone, Copy)]
pub struct Solution<'a> {
    /// What was asked.
    pub task: Task<'a>,
    /// What was proposed.
    pub proposal: &'a Proposal,
    /// What the certifier passed.
    pub certified: &'a CertifiedRelease<'a>,
}

impl Solution<'_> {
    /// The order of the released rows.
    pub fn order(&self) -> RowOrder {
        match self.task.file().output.row_order {
            PolicyOrder::Shuffled => RowOrder::Shuffled { key: self.task.key.bytes() },
            PolicyOrder::Sorted => RowOrder::Sorted,
        }
    }

    /// Where the release is one table of rows: it, and the recoding that made it.
    pub fn rows(&self) -> Option<(&Release<'_>, &Recoding)> {
        self.certified.rows()
    }
}
