//! Progress and cancellation: what a long computation tells, and is told.

/// What is being done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Phase {
    /// Reading the input and counting tuples; in bytes or rows.
    Count,
    /// Searching for a recoding; in nodes.
    Search,
    /// Writing the release; in rows.
    Write,
}

/// Hears of progress and can cancel. Called from several threads.
pub trait Observer: Sync {
    /// `done` of `total` units are done; `total` is 0 where it is not known.
    fn progress(&self, phase: Phase, done: u64, total: u64) {
        let _ = (phase, done, total);
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
