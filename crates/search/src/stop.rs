//! When a search is to stop.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use indistinct_core::Observer;

use crate::SearchError;

/// Whoever may cancel or ask for the best so far, and when the time is up.
pub(crate) struct Stop<'a> {
    pub observer: &'a dyn Observer,
    ends: Option<Instant>,
    /// Whether somebody was told to stop: then what is answered may not be what more time would give.
    has_struck: AtomicBool,
}

impl<'a> Stop<'a> {
    pub fn new(observer: &'a dyn Observer, limit: Option<Duration>) -> Self {
        let ends = limit.and_then(|limit| Instant::now().checked_add(limit));
        Self { observer, ends, has_struck: AtomicBool::new(false) }
    }

    /// Whether the best so far is to do, since the time is up or somebody asks for it.
    pub fn is_over(&self) -> bool {
        let is_over = self.ends.is_some_and(|ends| Instant::now() >= ends)
            || self.observer.wants_best_so_far();
        if is_over {
            self.has_struck.store(true, Ordering::Relaxed);
        }
        is_over
    }

    /// Whether to stop, for whatever reason.
    pub fn is_requested(&self) -> bool {
        self.observer.is_cancelled() || self.is_over()
    }

    /// Whether anybody was told to stop.
    pub fn has_struck(&self) -> bool {
        self.has_struck.load(Ordering::Relaxed)
    }

    /// Why there is nothing to show: it was cancelled, or somebody asked for the best so far, or the time was up.
    pub fn error(&self) -> SearchError {
        if self.observer.is_cancelled() || self.observer.wants_best_so_far() {
            return SearchError::Cancelled;
        }
        SearchError::TimeLimit
    }

    /// For searches that have nothing to show before they are done.
    pub fn check(&self) -> Result<(), SearchError> {
        if self.is_requested() { Err(self.error()) } else { Ok(()) }
    }
}
