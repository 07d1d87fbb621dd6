//! The counted table, prepared for a policy.

use std::sync::Arc;

use indistinct_core::model::Population;
use indistinct_core::{Claims, FrequencyTable, Hierarchy, Policy, check_rows};
use indistinct_diagnostics::warning::{RepeatedIdentifier, Warning};
use indistinct_engine::CountedRows;

use crate::Proposal;
use crate::bound::BoundPolicy;
use crate::error::Error;
use crate::invariant::{Members, NewVersion};

/// The counted table, prepared for a policy.
#[derive(Debug)]
pub struct PreparedTable {
    /// The counted rows.
    pub counted: CountedRows,
    /// The policy, built for the table.
    pub policy: Policy,
    /// The population, joined with the table.
    pub population: Option<Arc<Population>>,
    /// Warnings about the table, for the data holder.
    pub warnings: Vec<Warning>,
    /// Warnings about repeated identifiers if the policy does not specify the people of the rows.
    pub repeated: Vec<RepeatedIdentifier>,
    /// The people of the rows, if the table is a version of a growing table.
    pub(crate) members: Option<Members>,
    /// The version that was found; `original` is then the counted table without counterfeits.
    pub(crate) new_version: Option<NewVersion>,
    original: Option<FrequencyTable>,
}

impl PreparedTable {
    /// Creates a prepared table from a counted table and a policy built for it.
    pub fn new(
        counted: CountedRows,
        policy: Policy,
        population: Option<Arc<Population>>,
        warnings: Vec<Warning>,
    ) -> Self {
        let (members, new_version, original) = (None, None, None);
        let repeated = Vec::new();
        Self { counted, policy, population, warnings, repeated, members, new_version, original }
    }

    /// Returns the counted table, without counterfeits.
    pub fn original(&self) -> &FrequencyTable {
        self.original.as_ref().unwrap_or(&self.counted.table)
    }

    /// Returns the version number, if the table is a version of a growing table.
    pub fn version(&self) -> Option<u32> {
        self.members.as_ref().map(|members| members.series.version())
    }

    /// Removes the version that was found and its counterfeits.
    pub(crate) fn remove_counterfeits(&mut self) {
        if let Some(original) = self.original.take() {
            self.counted.table = original;
        }
        (self.members, self.new_version) = (None, None);
    }

    /// Replaces the counted table if the proposal is for another table.
    pub fn take_up(&mut self, proposal: &mut Proposal) {
        if let Some(version) = proposal.version.take() {
            self.original = Some(std::mem::replace(&mut self.counted.table, version.table));
            self.new_version = Some(version.new_version);
        }
    }

    /// Replaces the table with a table with additional values, and rebuilds the principles for it.
    pub(crate) fn replace_table(
        &mut self,
        bound: &BoundPolicy,
        table: FrequencyTable,
    ) -> Result<(), Error> {
        self.policy.requirements = bound.requirements(&table, self.population.clone())?;
        self.counted.table = table;
        Ok(())
    }

    /// Copies the table for another request, without warnings that were already reported.
    pub fn again(&self) -> Self {
        let population = self.population.clone();
        Self::new(self.counted.clone(), self.policy.clone(), population, Vec::new())
    }

    /// Returns the approximate size in bytes.
    pub fn n_bytes(&self) -> usize {
        let of_hierarchies: usize = self.policy.hierarchies.iter().map(Hierarchy::n_bytes).sum();
        self.counted.table.n_bytes() + of_hierarchies
    }

    /// Prepares another table with the same attributes and values for the same policy, without a
    /// population.
    ///
    /// # Errors
    /// The same errors as [`BoundPolicy::requirements`].
    pub fn of_table(&self, bound: &BoundPolicy, table: FrequencyTable) -> Result<Self, Error> {
        let policy = Policy {
            hierarchies: self.policy.hierarchies.clone(),
            requirements: bound.requirements(&table, None)?,
            ..self.policy
        };
        let counted = CountedRows {
            table,
            fingerprint: self.counted.fingerprint.clone(),
            types: self.counted.types.clone(),
            unified: self.counted.unified.clone(),
        };
        Ok(Self::new(counted, policy, None, Vec::new()))
    }

    /// Returns the claims about the original table before recoding.
    pub fn before(&self) -> Claims {
        check_rows(self.original(), &self.policy.requirements).claims
    }
}
