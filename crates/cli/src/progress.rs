//! Displays progress bars on a terminal, prints progress messages with `-v`, and handles Ctrl-C.

use std::io::IsTerminal;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use indistinct::words::{number, percent, thousands};
use indistinct::{Observer, OptimalityGap, Phase, Session};

use crate::args::Global;
use crate::failure::{self, UsageError};
use crate::out;
use crate::render;

/// The maximum delay between Ctrl-C and the end of a read-only command.
const GRACE: Duration = Duration::from_millis(500);
/// The interval between checks of the time limit.
const TICK: Duration = Duration::from_millis(20);

/// The state that the handler for Ctrl-C reads and changes.
#[derive(Default)]
struct Signals {
    cancelled: AtomicBool,
    /// Whether the command can release the best recoding found so far.
    takes_best: AtomicBool,
    /// Whether a search is running.
    is_searching: AtomicBool,
    wants_best: AtomicBool,
    /// Whether the running command is read-only and can be stopped at any time.
    only_reads: Mutex<bool>,
}

impl Signals {
    fn only_reads(&self) -> MutexGuard<'_, bool> {
        self.only_reads.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Ends the process if the running command is read-only.
    fn end_of_reading(&self, message: &str, status: u8) {
        // Hold the lock until the process ends, so no other thread can start to write.
        let only_reads = self.only_reads();
        if *only_reads {
            out::error(message);
            std::process::exit(status.into());
        }
    }

    /// Handles Ctrl-C. The first Ctrl-C during a search requests the best recoding so far if the
    /// command can release it. In all other cases, Ctrl-C cancels the command.
    fn interrupted(&self) {
        let is_first = self.takes_best.load(Ordering::Relaxed)
            && self.is_searching.load(Ordering::Relaxed)
            && !self.wants_best.swap(true, Ordering::Relaxed);
        if is_first {
            out::error(
                "\nstopping with the best recoding found so far; press Ctrl-C again to cancel",
            );
        } else {
            self.cancelled.store(true, Ordering::Relaxed);
            if *self.only_reads() {
                std::thread::sleep(GRACE);
                self.end_of_reading(failure::CANCELLED, failure::STATUS_CANCELLED);
            }
        }
    }
}

/// Shows progress on standard error if it is a terminal, and stops after Ctrl-C.
pub struct Terminal {
    signals: Arc<Signals>,
    shows: Shows,
    current: Mutex<Option<Current>>,
    /// The time in seconds of the last report about the best recoding found so far.
    reported: AtomicU64,
    started: Instant,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Shows {
    /// Temporary progress bars.
    Bars,
    /// Prints a line at the start and the end of each phase, and at intervals during long phases.
    Lines,
    /// Prints a line at intervals during long phases, because standard error cannot display a bar.
    LongOnes,
    Nothing,
}

/// The running phase.
struct Current {
    phase: Phase,
    done: u64,
    total: u64,
    started: Instant,
    /// The number of seconds from the start of the phase to the next message.
    next_seconds: f64,
    bar: ProgressBar,
}

/// The duration after which a phase starts to print messages.
const LONG_SECONDS: f64 = 10.0;

impl Terminal {
    /// Starts to handle Ctrl-C.
    pub fn new(global: &Global) -> Self {
        let signals: Arc<Signals> = Arc::default();
        let hearing = Arc::clone(&signals);
        // Ignore errors, because only the first command of a process can install the handler.
        let _ = ctrlc::set_handler(move || hearing.interrupted());
        let shows = match (global.verbose, std::io::stderr().is_terminal()) {
            _ if global.quiet => Shows::Nothing,
            (0, true) => Shows::Bars,
            (0, false) => Shows::LongOnes,
            _ => Shows::Lines,
        };
        let (reported, started) = (AtomicU64::new(0), Instant::now());
        Self { signals, shows, current: Mutex::new(None), reported, started }
    }

    /// Marks the command as read-only while this value exists: Ctrl-C or the time limit ends it
    /// immediately.
    pub fn that_only_reads(self, time_limit: Option<Duration>) -> Self {
        *self.signals.only_reads() = true;
        if let Some(limit) = time_limit {
            let (signals, started) = (Arc::clone(&self.signals), self.started);
            std::thread::spawn(move || {
                while *signals.only_reads() {
                    let left = limit.saturating_sub(started.elapsed());
                    if left.is_zero() {
                        let message = UsageError::TimeLimit(limit).report();
                        signals.end_of_reading(&message, failure::STATUS_FAILED);
                    }
                    std::thread::sleep(TICK.min(left));
                }
            });
        }
        self
    }

    /// Marks the command as able to release the best recoding found so far.
    pub fn that_takes_the_best_so_far(self) -> Self {
        self.signals.takes_best.store(true, Ordering::Relaxed);
        self
    }

    /// Observes the operations of a session until [`end`](Terminal::end) is called.
    pub fn observe(self, session: &Session) -> (Arc<Self>, Session) {
        let terminal = Arc::new(self);
        let session = session.with_observer(Arc::clone(&terminal));
        (terminal, session)
    }

    /// Removes the progress bar and allows the command to write.
    pub fn end(&self) {
        *self.signals.only_reads() = false;
        let current = self.current.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(current) = current {
            current.end(self.shows);
        }
    }
}

fn words(phase: Phase) -> (&'static str, &'static str) {
    match phase {
        Phase::Count => ("reading", "bytes"),
        Phase::Search => ("searching", "nodes"),
        Phase::Write => ("writing", "rows"),
        Phase::Link => ("joining releases", "combinations"),
        Phase::Measure => ("measuring", "steps"),
    }
}

impl Current {
    fn start(shows: Shows, phase: Phase, total: u64) -> Self {
        let bar = if shows == Shows::Bars { bar(phase, total) } else { ProgressBar::hidden() };
        if shows == Shows::Lines {
            tracing::info!("{}", words(phase).0);
        }
        Self { phase, done: 0, total, started: Instant::now(), next_seconds: LONG_SECONDS, bar }
    }

    /// Prints the phase, its progress, and an estimate of the remaining time, at increasing
    /// intervals.
    fn tell(&mut self, done: u64) {
        let elapsed = self.started.elapsed().as_secs_f64();
        if elapsed < self.next_seconds {
            return;
        }
        self.next_seconds = elapsed + LONG_SECONDS.max(elapsed / 2.0);
        out::error(&long_line(self.phase, done, self.total, elapsed));
    }

    /// Formats the progress, with the total if it is known.
    fn so_far(&self) -> String {
        match self.total {
            total if total > self.done => {
                format!("{} of {}", thousands(self.done), thousands(total))
            }
            _ => thousands(self.done),
        }
    }

    fn end(self, shows: Shows) {
        self.bar.finish_and_clear();
        if shows == Shows::Lines {
            let (what, units) = words(self.phase);
            let seconds = self.started.elapsed().as_secs_f64();
            tracing::info!("{what} ended after {seconds:.2} s; {} {units}", self.so_far());
        }
    }
}

/// Formats the message for a long phase. The remaining time is estimated only if the total is
/// known. Searches have no estimate either, because they rule out an unpredictable number of nodes
/// without evaluation.
fn long_line(phase: Phase, done: u64, total: u64, elapsed: f64) -> String {
    let (what, units) = words(phase);
    let so_far = format!("{what} for {elapsed:.0} s");
    if total == 0 || done == 0 || done > total {
        return format!("{so_far}; {} {units}", thousands(done));
    }
    let so_far = format!("{so_far}; {} of {} {units}", thousands(done), thousands(total));
    if phase == Phase::Search {
        return so_far;
    }
    let left = elapsed * (total as f64 / done as f64 - 1.0);
    format!("{so_far}, about {left:.0} s left")
}

fn bar(phase: Phase, total: u64) -> ProgressBar {
    let units = match phase {
        Phase::Count => "{bytes} of {total_bytes}",
        Phase::Search => "{human_pos} of {human_len} nodes {msg}",
        Phase::Write => "{human_pos} of {human_len} rows",
        Phase::Link => "{human_pos} combinations",
        Phase::Measure => "{human_pos} steps",
    };
    // Reserve 50 columns for the text next to the bar.
    let width = render::stderr_width().saturating_sub(50).clamp(5, 30);
    let template = format!("{:>10} {{bar:{width}}} {units} {{elapsed}}", words(phase).0);
    let style = ProgressStyle::with_template(&template).expect("the template is valid");
    ProgressBar::new(total).with_style(style)
}

impl Observer for Terminal {
    fn progress(&self, phase: Phase, done: u64, total: u64) {
        self.signals.is_searching.store(phase == Phase::Search, Ordering::Relaxed);
        if self.shows == Shows::Nothing {
            return;
        }
        // Another thread may already be updating the display; if so, skip this step.
        let Ok(mut current) = self.current.try_lock() else { return };
        if current.as_ref().is_none_or(|current| current.phase != phase) {
            if let Some(before) = current.take() {
                before.end(self.shows);
            }
            *current = Some(Current::start(self.shows, phase, total));
        }
        if let Some(current) = current.as_mut() {
            if current.total != total {
                current.total = total;
                current.bar.set_length(total);
            }
            // Keep the maximum, because threads may report progress out of order.
            current.done = current.done.max(done);
            current.bar.set_position(current.done);
            if matches!(self.shows, Shows::Lines | Shows::LongOnes) {
                current.tell(done);
            }
        }
    }

    /// Reports at most once per second.
    fn best_so_far(&self, best: OptimalityGap) {
        let second = self.started.elapsed().as_secs();
        if self.shows == Shows::Nothing || self.reported.swap(second, Ordering::Relaxed) == second {
            return;
        }
        let gap =
            best.fraction().map(|gap| format!(", at most {} above the optimum", percent(gap)));
        let best = format!("best {}{}", number(best.objective), gap.unwrap_or_default());
        if self.shows == Shows::Lines {
            tracing::info!("{best}");
        } else if let Ok(mut current) = self.current.try_lock()
            && let Some(current) = current.as_mut()
        {
            current.bar.set_message(best);
        }
    }

    fn wants_best_so_far(&self) -> bool {
        self.signals.wants_best.load(Ordering::Relaxed)
    }

    fn is_cancelled(&self) -> bool {
        self.signals.cancelled.load(Ordering::Relaxed)
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        self.end();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_phase_shows_progress_and_time_left() {
        assert_eq!(
            long_line(Phase::Count, 25, 100, 20.0),
            "reading for 20 s; 25 of 100 bytes, about 60 s left"
        );
        assert_eq!(long_line(Phase::Search, 1, 2, 20.0), "searching for 20 s; 1 of 2 nodes");
        assert_eq!(long_line(Phase::Write, 0, 100, 20.0), "writing for 20 s; 0 rows");
        assert_eq!(long_line(Phase::Search, 7, 0, 20.0), "searching for 20 s; 7 nodes");
    }
}
