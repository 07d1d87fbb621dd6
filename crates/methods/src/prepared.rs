//! The counted table with the policy laid over it.

use std::sync::Arc;

use indistinct_core::model::Population;
use indistinct_core::{Claims, FrequencyTable, Hierarchy, Policy, check_rows};
use indistinct_engine::CountedRows;
use indistinct_policy::RepeatedIdentifier;

use crate::Proposal;
use crate::bound::BoundPolicy;
use crate::error::Error;
use crate::invariant::{Members, NewVersion};

/// The counted table with the policy laid over it.
#[derive(Debug)]
pub struct PreparedTable {
    /// What was counted.
    pub counted: CountedRows,
    /// The policy, built for that table.
    pub policy: Policy,
    /// The population, laid over the table.
    pub population: Option<Arc<Population>>,
    /// What the holder should know of the table.
    pub warnings: Vec<String>,
    /// Identifiers that repeat, where the policy does not say whom rows are about.
    pub repeated: Vec<RepeatedIdentifier>,
    /// Who the rows are about, where the table is a version of a growing one.
    pub(crate) members: Option<Members>,
    /// The version that was found, and then the counted table without its counterfeits.
    pub(crate) new_version: Option<NewVersion>,
    original: Option<FrequencyTable>,
}

impl PreparedTable {
    /// A counted table that a policy was built for.
    pub fn new(
        counted: CountedRows,
        policy: Policy,
        population: Option<Arc<Population>>,
        warnings: Vec<String>,
    ) -> Self {
        let (members, new_version, original) = (None, None, None);
        let repeated = Vec::new();
        Self { counted, policy, population, warnings, repeated, members, new_version, original }
    }

    /// The counted table, without rows that are nobody's.
    pub fn original(&self) -> &FrequencyTable {
        self.original.as_ref().unwrap_or(&self.counted.table)
    }

    /// Which version of a growing table it is, where it is one.
    pub fn version(&self) -> Option<u32> {
        self.members.as_ref().map(|members| members.series.version())
    }

    /// The same without the counterfeits of a version that was found.
    pub(crate) fn without_counterfeits(mut self) -> Self {
        if let Some(original) = self.original.take() {
            self.counted.table = original;
        }
        Self { members: None, new_version: None, ..self }
    }

    /// Where a proposal is for another table than the counted one: from now on that is the table.
    pub fn take_up(&mut self, proposal: &mut Proposal) {
        if let Some(version) = proposal.version.take() {
            self.original = Some(std::mem::replace(&mut self.counted.table, version.table));
            self.new_version = Some(version.new_version);
        }
    }

    /// The same with a table that has further values, for which the principles are built anew.
    pub(crate) fn with_table(
        mut self,
        bound: &BoundPolicy,
        table: FrequencyTable,
    ) -> Result<Self, Error> {
        self.policy.requirements = bound.requirements(&table, self.population.clone())?;
        self.counted.table = table;
        Ok(self)
    }

    /// The same for another question about the table: what the holder should know of it was told.
    pub fn again(&self) -> Self {
        let population = self.population.clone();
        Self::new(self.counted.clone(), self.policy.clone(), population, Vec::new())
    }

    /// About how many bytes it takes.
    pub fn n_bytes(&self) -> usize {
        let of_hierarchies: usize = self.policy.hierarchies.iter().map(Hierarchy::n_bytes).sum();
        self.counted.table.n_bytes() + of_hierarchies
    }

    /// The same policy laid over another table with the same attributes and values, without a population.
    ///
    /// # Errors
    /// As [`BoundPolicy::requirements`].
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

    /// What holds on the table as it is.
    pub fn before(&self) -> Claims {
        check_rows(self.original(), &self.policy.requirements).claims
    }
}
