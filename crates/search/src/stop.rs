//! Conditions that stop a search.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use indistinct_core::{Observer, Optimality};

use crate::SearchError;

/// The observer, which may cancel the search or request the best result so far, and the time limit.
pub(crate) struct Stop<'a> {
    pub observer: &'a dyn Observer,
    ends: Option<Instant>,
    /// Whether `is_over` has ever returned true, so the result may be worse than that of a
    /// complete search.
    has_struck: AtomicBool,
}

impl<'a> Stop<'a> {
    pub fn new(observer: &'a dyn Observer, limit: Option<Duration>) -> Self {
        let ends = limit.and_then(|limit| Instant::now().checked_add(limit));
        Self { observer, ends, has_struck: AtomicBool::new(false) }
    }

    /// Returns whether the search must return the best result so far, because of the time limit or
    /// a request of the observer.
    pub fn is_over(&self) -> bool {
        let is_over = self.ends.is_some_and(|ends| Instant::now() >= ends)
            || self.observer.wants_best_so_far();
        if is_over {
            self.has_struck.store(true, Ordering::Relaxed);
        }
        is_over
    }

    /// Returns whether the search must stop for any reason.
    pub fn is_requested(&self) -> bool {
        self.observer.is_cancelled() || self.is_over()
    }

    /// Returns whether the search has been stopped early.
    pub fn has_struck(&self) -> bool {
        self.has_struck.load(Ordering::Relaxed)
    }

    /// Returns the optimality of the result of a heuristic.
    pub fn optimality(&self) -> Optimality {
        if self.has_struck() { Optimality::STOPPED } else { Optimality::Heuristic }
    }

    /// Returns why a stopped search has no result: cancellation, a request for the best result so
    /// far, or the time limit.
    pub fn error(&self) -> SearchError {
        if self.observer.is_cancelled() || self.observer.wants_best_so_far() {
            return SearchError::Cancelled;
        }
        SearchError::TimeLimit
    }

    /// Returns an error if a search that has no intermediate result must stop.
    pub fn check(&self) -> Result<(), SearchError> {
        if self.is_requested() { Err(self.error()) } else { Ok(()) }
    }
}
