//! Progress of measurements that run in parallel.

use std::sync::atomic::{AtomicU64, Ordering};

use indistinct_core::{Observer, Phase};

/// An observer of several measurements of one release. Each report of a measurement counts as one
/// step.
pub struct Steps<'a> {
    observer: &'a dyn Observer,
    n_done: AtomicU64,
}

impl<'a> Steps<'a> {
    /// Reports the start of the measurements.
    pub fn new(observer: &'a dyn Observer) -> Self {
        observer.progress(Phase::Measure, 0, 0);
        Self { observer, n_done: AtomicU64::new(0) }
    }
}

impl Observer for Steps<'_> {
    fn progress(&self, phase: Phase, _: u64, _: u64) {
        let n_done = self.n_done.fetch_add(1, Ordering::Relaxed) + 1;
        self.observer.progress(phase, n_done, 0);
    }

    fn is_cancelled(&self) -> bool {
        self.observer.is_cancelled()
    }
}
