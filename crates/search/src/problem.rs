//! What is searched for, and what every search is.

use std::ops::RangeInclusive;
use std::time::Duration;

use indistinct_core::loss::{self, Form, Loss};
use indistinct_core::principle::DependsOn;
use indistinct_core::{FrequencyTable, Observer, Optimality, Policy, Requirement, SuppressionRule};

use crate::{Outcome, SearchError};

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

    /// What a search proves that has looked at all levels, each without the rows that full-domain suppresses there.
    pub(crate) fn proof(&self) -> Proof {
        let requirements = &self.policy.requirements;
        let can_hold = requirements.iter().all(|it| it.fits_into(self.table.n_rows()));
        if self.max_suppressed() == 0 || !can_hold {
            return Proof::AnyRows;
        }
        let is_dropped = self.policy.suppressed == SuppressionRule::Dropped;
        let depend_on_released = || {
            let depends = |it: &Requirement| it.principle.depends_on() == DependsOn::ReleasedRows;
            requirements.iter().any(depends)
        };
        // Which further classes are starred so that the starred rows hold is a choice, too, as is that of single rows.
        match is_dropped {
            true if requirements.iter().all(Requirement::fails_in_parts) => Proof::AnyRows,
            true if depend_on_released() => Proof::TheseRows,
            _ => Proof::WholeClasses,
        }
    }

    /// How sure it is that the best node of such a search is the best recoding.
    pub(crate) fn best_optimality(&self) -> Optimality {
        // Leaving out further rows may lower a loss that is not a cost of each row.
        let is_cost = matches!(self.objective.form, Form::Cells(_) | Form::Levels(_));
        match self.proof() {
            Proof::AnyRows if is_cost || self.max_suppressed() == 0 => Optimality::Proved,
            Proof::AnyRows | Proof::WholeClasses => Optimality::ProvedForLevels,
            Proof::TheseRows => Optimality::Heuristic,
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

/// Of which recodings it is proved what is so for the rows that a search suppresses at each of the levels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Proof {
    /// Whichever rows are suppressed.
    AnyRows,
    /// Of those that suppress the classes that fail as a whole, and starred rows that fail with the smallest others.
    WholeClasses,
    /// Of none: what fails depends on which rows are left.
    TheseRows,
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
