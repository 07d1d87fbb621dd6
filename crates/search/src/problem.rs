//! What is searched for, and what every search is.

use std::ops::RangeInclusive;
use std::time::Duration;

use indistinct_core::loss::{self, Loss};
use indistinct_core::{FrequencyTable, Observer, Policy};

use crate::{Impossibility, Outcome, SearchError};

/// What is searched for, whatever the search. A search that does not look at a field says so.
#[derive(Debug, Clone)]
pub struct Problem<'a> {
    /// The counted table.
    pub table: &'a FrequencyTable,
    /// What a release must meet.
    pub policy: &'a Policy,
    /// What is to be least.
    pub objective: &'static Loss,
    /// The weight of each quasi-identifier, at least 0.
    pub weights: Vec<f64>,
    /// For each quasi-identifier its lowest and highest level.
    pub bounds: Vec<RangeInclusive<usize>>,
    /// How long to search.
    pub time_limit: Option<Duration>,
    /// The most rows that may be suppressed; as many as the policy allows of the table if `None`.
    pub most_suppressed: Option<u64>,
}

impl<'a> Problem<'a> {
    /// The least `loss` with equal weights, at any levels, however long it takes.
    pub fn new(table: &'a FrequencyTable, policy: &'a Policy) -> Self {
        let hierarchies = policy.hierarchies.iter();
        Self {
            table,
            policy,
            objective: loss::find("loss").expect("the registry has it"),
            weights: vec![1.0; policy.hierarchies.len()],
            bounds: hierarchies.map(|one| 0..=one.n_levels().saturating_sub(1)).collect(),
            time_limit: None,
            most_suppressed: None,
        }
    }

    /// The most rows that may be suppressed.
    pub(crate) fn max_suppressed(&self) -> u64 {
        self.most_suppressed.unwrap_or_else(|| self.policy.max_suppressed(self.table))
    }

    /// What it proves that no recoding does which suppresses classes as a whole.
    pub(crate) fn proof_of_whole_classes(&self) -> Impossibility {
        let n_rows = self.table.n_rows();
        let can_hold = self.policy.requirements.iter().all(|it| it.fits_into(n_rows));
        match can_hold && self.max_suppressed() > 0 {
            true => Impossibility::WholeClasses,
            false => Impossibility::AnyRows,
        }
    }

    /// Checks what has one entry for each quasi-identifier: hierarchies, weights and level bounds.
    pub(crate) fn check(&self) -> Result<(), SearchError> {
        let columns = self.table.quasi_identifiers();
        let expect = |what, got| match got == columns.len() {
            true => Ok(()),
            false => Err(SearchError::Length { what, got, expected: columns.len() }),
        };
        expect("hierarchies", self.policy.hierarchies.len())?;
        expect("weights", self.weights.len())?;
        expect("level bounds", self.bounds.len())?;
        for (at, column) in columns.iter().enumerate() {
            let (min, max) = (*self.bounds[at].start(), *self.bounds[at].end());
            let n_levels = self.policy.hierarchies[at].n_levels();
            let attribute = || column.name.clone();
            if min > max || max >= n_levels {
                let highest = n_levels.saturating_sub(1);
                return Err(SearchError::Bounds { attribute: attribute(), min, max, highest });
            }
            let got = self.weights[at];
            if !got.is_finite() || got < 0.0 {
                return Err(SearchError::Weight { attribute: attribute(), got });
            }
        }
        Ok(())
    }

    /// The highest level that each quasi-identifier may have.
    pub(crate) fn coarsest(&self) -> Vec<usize> {
        self.bounds.iter().map(|levels| *levels.end()).collect()
    }
}

/// A search for a recoding, with what it has to know beyond the problem. The number of threads is that of the current rayon
/// pool; answers do not depend on it.
pub trait Search {
    /// What it proposes.
    type Proposal;
    /// What it tells of what comes nearest, where it finds nothing.
    type Nearest;

    /// Searches for a recoding that satisfies the policy. That none is found is an [`Outcome`], not an error.
    ///
    /// # Errors
    /// [`SearchError`] if the problem is not well-formed, the search does not serve the policy, the observer cancels, or the
    /// time is up before anything was found.
    fn search(
        &self,
        problem: &Problem<'_>,
        observer: &dyn Observer,
    ) -> Result<Outcome<Self::Proposal, Self::Nearest>, SearchError>;
}
