//! Progress reports and cancellation of long computations.

use crate::optimality::OptimalityGap;

/// The current phase of a computation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Phase {
    /// Reading the input and counting its distinct rows; progress is in bytes or rows.
    Count,
    /// Searching for a recoding; progress is in nodes.
    Search,
    /// Writing the release; progress is in rows.
    Write,
    /// Joining releases; progress is in combinations of classes.
    Link,
}

/// Receives progress reports and can cancel the computation. Methods are called from several
/// threads.
pub trait Observer: Sync {
    /// Reports that `done` of `total` units are complete; `total` is 0 if it is unknown.
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

    /// Returns whether the computation should stop. This method is called often and must be fast.
    fn is_cancelled(&self) -> bool {
        false
    }
}

/// An observer that ignores progress and never cancels.
#[derive(Debug, Clone, Copy, Default)]
pub struct Silent;

impl Observer for Silent {}
