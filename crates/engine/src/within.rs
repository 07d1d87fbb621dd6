//! A limit of time for questions that have none in the policy.

use std::ops::Deref;
use std::time::{Duration, Instant};

use indistinct_core::{Observer, OptimalityGap, Phase};

/// Passes everything on to an observer, and cancels when the time is up: the question then ends with an error whose
/// `is_cancelled` is true, whatever it is about. A search of `anonymize` that is to answer with the best so
/// far is limited by the policy instead (`search.time_limit_seconds`).
#[derive(Clone, Copy)]
pub struct Within<O> {
    observer: O,
    until: Option<Instant>,
}

impl<O> Within<O> {
    /// From now on, so long.
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
