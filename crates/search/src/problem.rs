//! The problem that a search solves, the trait that every search implements, and the result of a
//! search.

use std::ops::RangeInclusive;
use std::time::Duration;

use indistinct_core::loss::{self, Form, Loss};
use indistinct_core::principle::DependsOn;
use indistinct_core::{
    FrequencyTable, Nearest, Observer, Optimality, Policy, Requirement, SearchEffort,
    SuppressionRule,
};

use crate::SearchError;

/// A search problem, independent of the method. The documentation of a search names the fields that
/// the search ignores.
#[derive(Debug, Clone)]
pub struct Problem<'a> {
    /// The counted table.
    pub table: &'a FrequencyTable,
    /// The requirements on a release.
    pub policy: &'a Policy,
    /// The objective to minimize.
    pub objective: &'static Loss,
    /// The weight of each quasi-identifier, at least 0.
    pub weights: Vec<f64>,
    /// The lowest and highest level of each quasi-identifier.
    pub bounds: Vec<RangeInclusive<usize>>,
    /// The time limit of the search.
    pub time_limit: Option<Duration>,
    /// The maximum number of suppressed rows; `None` means the number that the policy permits for
    /// the table.
    pub most_suppressed: Option<u64>,
}

impl<'a> Problem<'a> {
    /// Creates a problem that minimizes `loss` with equal weights, without bounds on levels and
    /// without a time limit.
    pub fn new(table: &'a FrequencyTable, policy: &'a Policy) -> Self {
        let hierarchies = policy.hierarchies.iter();
        Self {
            table,
            policy,
            objective: loss::find("loss").expect("the registry contains `loss`"),
            weights: vec![1.0; policy.hierarchies.len()],
            bounds: hierarchies.map(|one| 0..=one.n_levels().saturating_sub(1)).collect(),
            time_limit: None,
            most_suppressed: None,
        }
    }

    /// Returns the maximum number of suppressed rows.
    pub(crate) fn max_suppressed(&self) -> u64 {
        self.most_suppressed.unwrap_or_else(|| self.policy.max_suppressed(self.table))
    }

    /// Returns what is proved by a search that examined all levels with the suppression rule of
    /// full-domain recoding.
    pub(crate) fn proof(&self) -> Proof {
        let requirements = &self.policy.requirements;
        let depends_on =
            |what: DependsOn| requirements.iter().any(|it| it.principle.depends_on() == what);
        // Searches require more of each class than the certifier requires of all classes together.
        if depends_on(DependsOn::ReleasedClasses) {
            return Proof::TheseRows;
        }
        let can_hold = requirements.iter().all(|it| it.fits_into(self.table.n_rows()));
        if self.max_suppressed() == 0 || !can_hold {
            return Proof::AnyRows;
        }
        let is_dropped = self.policy.suppressed == SuppressionRule::Dropped;
        // The search does not try every choice of additional classes or single rows to suppress.
        match is_dropped {
            true if requirements.iter().all(Requirement::fails_in_parts) => Proof::AnyRows,
            true if depends_on(DependsOn::ReleasedRows) => Proof::TheseRows,
            _ => Proof::WholeClasses,
        }
    }

    /// Returns the optimality of the best node that the search finds.
    pub(crate) fn best_optimality(&self) -> Optimality {
        // Suppressing further rows may reduce a loss that is not a sum of costs per row.
        let is_cost = matches!(self.objective.form, Form::Cells(_) | Form::Levels(_));
        match self.proof() {
            Proof::AnyRows if is_cost || self.max_suppressed() == 0 => Optimality::Proved,
            Proof::AnyRows | Proof::WholeClasses => Optimality::ProvedForLevels,
            Proof::TheseRows => Optimality::Heuristic,
        }
    }

    /// Validates all lists with one entry per quasi-identifier: hierarchies, weights, and level
    /// bounds.
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

    /// Returns the highest permitted level of each quasi-identifier.
    pub(crate) fn coarsest(&self) -> Vec<usize> {
        self.bounds.iter().map(|levels| *levels.end()).collect()
    }
}

/// The set of recodings that a proof covers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Proof {
    /// All recodings, whichever rows they suppress.
    AnyRows,
    /// Recodings that suppress each failing class as a whole and, if the suppressed rows fail as a
    /// class, the smallest other classes.
    WholeClasses,
    /// No other recoding, because the failing classes depend on the remaining rows, or because the
    /// search requires more than the certifier.
    TheseRows,
}

/// A search for a recoding. The implementing type holds the options of the method. The search uses
/// the threads of the current rayon pool, and the results do not depend on the number of threads.
pub trait Search {
    /// The type of a proposed recoding.
    type Proposal;
    /// The description of the nearest recoding, reported if no recoding satisfies the policy.
    type Nearest;

    /// Searches for a recoding that satisfies the policy. If no recoding is found, the result is an
    /// [`Outcome`], not an error.
    ///
    /// # Errors
    /// [`SearchError`] if the problem is invalid, the search does not support the policy, the
    /// observer cancels, or the time limit expires before anything is found.
    fn search(
        &self,
        problem: &Problem<'_>,
        observer: &dyn Observer,
    ) -> Result<Outcome<Self::Proposal, Self::Nearest>, SearchError>;
}

/// The result of a search: a proposal `P`, or a description `N` of the recoding that comes closest
/// to the policy.
#[derive(Debug, Clone, PartialEq)]
pub enum Outcome<P, N = Nearest> {
    /// The search found a recoding that satisfies the policy.
    Found(Box<FoundRecoding<P>>),
    /// The search found no such recoding.
    NotFound(NotFound<N>),
}

/// A recoding that satisfies the policy according to the search; the certifier makes the final
/// decision.
#[derive(Debug, Clone, PartialEq)]
pub struct FoundRecoding<P> {
    /// The proposal to certify.
    pub proposal: P,
    /// The proof, if any, that no better recoding of the same method exists.
    pub optimality: Optimality,
    /// The value of the objective; `None` if the search minimizes no objective of the registry.
    pub objective: Option<f64>,
    /// Number of suppressed rows.
    pub n_suppressed: u64,
    /// Number of classes that an adversary can distinguish, including the class of suppressed rows
    /// that are shown as `*`.
    pub n_classes: u64,
    /// The effort of the search.
    pub effort: SearchEffort,
}

impl<P> FoundRecoding<P> {
    /// Creates the result of a search that minimizes no objective of the registry and does not
    /// report its effort.
    pub(crate) fn new(
        proposal: P,
        optimality: Optimality,
        n_suppressed: u64,
        n_classes: usize,
    ) -> Self {
        let (objective, n_classes) = (None, n_classes as u64);
        let effort = SearchEffort::default();
        Self { proposal, optimality, objective, n_suppressed, n_classes, effort }
    }
}

/// The result of a search that found no recoding.
#[derive(Debug, Clone, PartialEq)]
pub struct NotFound<N = Nearest> {
    /// The recoding that comes closest to the policy; `None` if no recoding was fully evaluated.
    pub nearest: Option<N>,
    /// Whether it is proved that no recoding of the method satisfies the policy, regardless of
    /// which rows are suppressed.
    pub is_proved: bool,
    /// The effort of the search.
    pub effort: SearchEffort,
}

impl<N> NotFound<N> {
    /// Creates the result of a search that does not report its effort.
    pub(crate) fn new(nearest: N, is_proved: bool) -> Self {
        Self { nearest: Some(nearest), is_proved, effort: SearchEffort::default() }
    }
}

impl<P, N> Outcome<P, N> {
    /// Converts the outcome into a result.
    ///
    /// # Errors
    /// [`NotFound`] if the search found no recoding.
    pub fn found(self) -> Result<FoundRecoding<P>, NotFound<N>> {
        match self {
            Outcome::Found(found) => Ok(*found),
            Outcome::NotFound(not_found) => Err(not_found),
        }
    }
}
