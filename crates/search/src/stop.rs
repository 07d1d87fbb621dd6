//! When a search is to stop.

use std::time::{Duration, Instant};

use indistinct_core::Observer;

use crate::SearchError;

/// Whoever may cancel, and when the time is up.
#[derive(Clone, Copy)]
pub(crate) struct Stop<'a> {
    pub observer: &'a dyn Observer,
    ends: Option<Instant>,
}

impl<'a> Stop<'a> {
    pub fn new(observer: &'a dyn Observer, limit: Option<Duration>) -> Self {
        Self { observer, ends: limit.and_then(|limit| Instant::now().checked_add(limit)) }
    }

    pub fn is_time_up(&self) -> bool {
        self.ends.is_some_and(|ends| Instant::now() >= ends)
    }

    /// Whether to stop, for whatever reason.
    pub fn asked(&self) -> bool {
        self.observer.is_cancelled() || self.is_time_up()
    }

    /// For searches that have nothing to show before they are done.
    pub fn check(&self) -> Result<(), SearchError> {
        if self.observer.is_cancelled() {
            return Err(SearchError::Cancelled);
        }
        if self.is_time_up() { Err(SearchError::TimeLimit) } else { Ok(()) }
    }
}
