//! Progress and cancellation: what a long computation tells, and is told.

use crate::optimality::OptimalityGap;

/// What is being done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Phase {
    /// Reading the input and counting tuples; in bytes or rows.
    Count,
    /// Searching for a recoding; in nodes.
    Search,
    /// Writing the release; in rows.
    Write,
    /// Joining releases; in combinations of classes.
    Link,
}

/// Hears of progress and can cancel. Called from several threads.
pub trait Observer: Sync {
    /// `done` of `total` units are done; `total` is 0 where it is not known.
    fn progress(&self, phase: Phase, done: u64, total: u64) {
        let _ = (phase, done, total);
    }

    /// The best result so far of a search that can prove a lower bound.
    fn best_so_far(&self, best: OptimalityGap) {
        let _ = best;
    }

    /// Whether the best answer so far is good enough, so that a search should end with it. Asked often; must be cheap.
    fn wants_best_so_far(&self) -> bool {
        false
    }

    /// Whether the work should stop. Asked often; must be cheap.
    fn is_cancelled(&self) -> bool {
        false
    }
}

/// Hears nothing and never cancels.
#[derive(Debug, Clone, Copy, Default)]
pub struct Silent;

impl Observer for Silent {}
