//! A time limit for operations that have no time limit in the policy.

use std::ops::Deref;
use std::time::{Duration, Instant};

use indistinct_core::{Observer, OptimalityGap, Phase};

/// An observer that delegates to another observer and cancels after a time limit. The operation
/// then returns an error for which `is_cancelled` is true. If `anonymize` should return the best
/// result found within the limit, set the limit in the policy instead
/// (`search.time_limit_seconds`).
#[derive(Clone, Copy)]
pub struct Within<O> {
    observer: O,
    until: Option<Instant>,
}

impl<O> Within<O> {
    /// Creates an observer with a time limit that starts now.
    pub fn new(limit: Duration, observer: O) -> Self {
        Self { observer, until: Instant::now().checked_add(limit) }
    }
}

impl<O: Deref<Target: Observer> + Sync> Observer for Within<O> {
    fn progress(&self, phase: Phase, done: u64, total: u64) {
        self.observer.progress(phase, done, total);
    }

    fn best_so_far(&self, best: OptimalityGap) {
        self.observer.best_so_far(best);
    }

    fn wants_best_so_far(&self) -> bool {
        self.observer.wants_best_so_far()
    }

    fn is_cancelled(&self) -> bool {
        self.until.is_some_and(|until| Instant::now() >= until) || self.observer.is_cancelled()
    }
}
