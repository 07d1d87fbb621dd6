//! Typed facts about a search: the quality of its result, its effort, and the recoding that comes
//! closest to satisfying the policy. This module also defines how long computations report progress
//! and are canceled.

use serde::{Deserialize, Serialize};

use crate::certify::PrincipleClaim;

/// Whether the same method may have a better recoding: one with a lower objective that also
/// satisfies the policy.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(tag = "status", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Optimality {
    /// The search proved that no recoding is better, regardless of which rows are suppressed.
    Proved,
    /// The search proved that no recoding that suppresses failing classes as a whole is better. A
    /// recoding that suppresses individual rows or other classes may be better.
    ProvedForLevels,
    /// It is unknown whether a better recoding exists, because the time limit or the user stopped
    /// the search early.
    Stopped {
        /// A proven lower bound on the objective of every recoding of the method, if known.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        lower_bound: Option<f64>,
        /// The distance of the objective from the lower bound, as a fraction of the bound: 0.08
        /// means at most 8% above the optimum.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        gap_fraction: Option<f64>,
    },
    /// A better recoding exists, but a coarser recoding was chosen to ensure that enough sensitive
    /// values remain possible after linkage with earlier releases.
    CoarsenedForLinkage,
    /// It is unknown whether a better recoding exists, because the method does not try all
    /// recodings or all sets of rows to suppress.
    Heuristic,
    /// It is unknown whether a better recoding exists, because the method does not try all
    /// partitions into small classes.
    Separated,
    /// No search was required, because a plan determines the classes.
    ByPlan,
    /// The retention probability is proved to be the largest with six decimal places that satisfies
    /// the policy.
    LargestRetention,
    /// No search was required, because the policy determines the recoding.
    AsRequested,
}

impl Optimality {
    /// All variants, without bounds.
    pub const ALL: [Self; 9] = [
        Self::Proved,
        Self::ProvedForLevels,
        Self::STOPPED,
        Self::CoarsenedForLinkage,
        Self::Heuristic,
        Self::Separated,
        Self::ByPlan,
        Self::LargestRetention,
        Self::AsRequested,
    ];

    /// The result of a search that was stopped without a known bound.
    pub const STOPPED: Self = Self::Stopped { lower_bound: None, gap_fraction: None };

    /// Creates the result of a search that was stopped with a known bound.
    pub fn stopped_at(gap: OptimalityGap) -> Self {
        Self::Stopped { lower_bound: Some(gap.lower_bound), gap_fraction: gap.fraction() }
    }

    /// Returns the part that a certificate may contain. The figures of a stopped search depend on
    /// rows that may not be in the release.
    #[must_use]
    pub fn as_published(self) -> Self {
        match self {
            Self::Stopped { .. } => Self::STOPPED,
            other => other,
        }
    }

    /// Returns whether the search proved that no other recoding of the method is better.
    pub fn is_proved(self) -> bool {
        matches!(self, Self::Proved | Self::LargestRetention)
    }

    /// Returns whether it is proved that no other levels are better if failing classes are
    /// suppressed as a whole.
    pub fn is_proved_for_levels(self) -> bool {
        matches!(self, Self::Proved | Self::ProvedForLevels)
    }

    /// Returns whether the search was stopped early.
    pub fn is_stopped(self) -> bool {
        matches!(self, Self::Stopped { .. })
    }

    /// Returns the maximum distance from the optimum, as a fraction of the lower bound, if it is
    /// known.
    pub fn gap_fraction(self) -> Option<f64> {
        match self {
            Self::Stopped { gap_fraction, .. } => gap_fraction,
            _ => None,
        }
    }
}

/// The reached objective and a proven lower bound on the optimum.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct OptimalityGap {
    /// The reached objective.
    pub objective: f64,
    /// The lower bound on the optimum.
    pub lower_bound: f64,
}

impl OptimalityGap {
    /// Returns the gap as a fraction of the bound, or `None` if the bound is not positive and
    /// therefore provides no information.
    pub fn fraction(self) -> Option<f64> {
        let is_known = self.lower_bound > 0.0 && self.objective.is_finite();
        is_known.then(|| ((self.objective - self.lower_bound) / self.lower_bound).max(0.0))
    }
}

/// The effort of a search. The counts do not depend on the number of threads.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, schemars::JsonSchema)]
pub struct SearchEffort {
    /// The numbers of lattice nodes, if a lattice was searched.
    #[serde(flatten)]
    pub lattice: Option<NodeCounts>,
    /// Number of classes before the first improvement, or 0 for methods that do not improve
    /// classes.
    #[serde(skip_serializing_if = "is_zero")]
    pub n_first_classes: u64,
    /// Number of times that neighboring classes were rebuilt.
    #[serde(skip_serializing_if = "is_zero")]
    pub n_improvements: u64,
    /// Wall time in seconds, if it was measured.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seconds: Option<f64>,
}

/// The numbers of nodes of a generalization lattice that were evaluated or excluded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, schemars::JsonSchema)]
pub struct NodeCounts {
    /// All nodes.
    pub n_nodes: u64,
    /// Nodes that were evaluated by forming their classes.
    pub n_evaluated: u64,
    /// Nodes that were excluded by a proof.
    pub n_pruned: u64,
}

impl SearchEffort {
    /// Returns a copy of the effort with the given wall time.
    #[must_use]
    pub fn lasting(self, seconds: f64) -> Self {
        Self { seconds: Some(seconds), ..self }
    }
}

/// The recoding that comes closest to satisfying the policy: the one that requires the fewest
/// suppressed rows.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct Nearest<L = Vec<usize>> {
    /// The level of each quasi-identifier. If classes have their own released values, this is the
    /// highest allowed level. The list is empty if all rows form one class, because no attribute
    /// has a level then.
    pub levels: L,
    /// Number of rows in classes in which a principle fails.
    pub n_failing_rows: u64,
    /// Number of rows that the search would suppress if the limit allowed it; a smaller set of rows
    /// may be sufficient. The value is `None` if the number is unknown, or if suppression does not
    /// help because suppressed rows, or people in the population without a released row, still
    /// violate a principle.
    pub n_suppressed_needed: Option<u64>,
    /// The level of each principle without suppression. Searches leave this list empty; the code
    /// that reports the result fills it.
    pub principles: Vec<PrincipleClaim>,
}

impl<L> Nearest<L> {
    /// Creates the result of a search without the levels of the principles.
    pub fn new(levels: L, n_failing_rows: u64, n_suppressed_needed: Option<u64>) -> Self {
        Self { levels, n_failing_rows, n_suppressed_needed, principles: Vec::new() }
    }
}

fn is_zero(count: &u64) -> bool {
    *count == 0
}

/// The current phase of a computation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Phase {
    /// Reading the input and counting its distinct rows. Progress is measured in bytes or rows.
    Count,
    /// Searching for a recoding. Progress is measured in nodes.
    Search,
    /// Writing the release. Progress is measured in rows.
    Write,
    /// Joining releases. Progress is measured in combinations of classes.
    Link,
    /// Measuring a release. Progress is measured in steps of unequal length.
    Measure,
}

/// Receives progress reports and can cancel the computation. Methods are called from several
/// threads.
pub trait Observer: Sync {
    /// Reports that `done` of `total` units are complete. If the total is unknown, `total` is 0.
    fn progress(&self, phase: Phase, done: u64, total: u64) {
        let _ = (phase, done, total);
    }

    /// Reports the best result found so far, for searches that can prove a lower bound.
    fn best_so_far(&self, best: OptimalityGap) {
        let _ = best;
    }

    /// Returns whether the search should end with the best result so far. This method is called
    /// often and must be fast.
    fn wants_best_so_far(&self) -> bool {
        false
    }

    /// Returns whether to stop the computation. This method is called often and must be fast.
    fn is_cancelled(&self) -> bool {
        false
    }
}

/// An observer that ignores progress and never cancels.
#[derive(Debug, Clone, Copy, Default)]
pub struct Silent;

impl Observer for Silent {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gap_is_relative_to_lower_bound() {
        let gap = |objective, lower_bound| OptimalityGap { objective, lower_bound }.fraction();
        assert_eq!(gap(0.375, 0.25), Some(0.5));
        assert_eq!(gap(0.25, 0.25), Some(0.0));
        // The order of summation may change the last digit of the objective. A bound of 0 provides
        // no information.
        assert_eq!(gap(0.25, 0.250_000_1), Some(0.0));
        assert_eq!(gap(0.25, 0.0), None);
        assert_eq!(gap(f64::INFINITY, 0.25), None);
    }
}
