//! Progress bars on a terminal, what is being done with `-v`, and Ctrl-C.

use std::io::IsTerminal;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use indicatif::{ProgressBar, ProgressStyle};
use indistinct::words::thousands;
use indistinct::{Observer, Phase};

use crate::args::Global;
use crate::render;

static CANCELLED: AtomicBool = AtomicBool::new(false);

/// Shows progress on standard error where it is a terminal, and cancels after Ctrl-C.
pub struct Terminal {
    shows: Shows,
    current: Mutex<Option<Current>>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Shows {
    /// Bars that come and go.
    Bars,
    /// A line for the start and the end of each phase.
    Lines,
    Nothing,
}

/// The phase that is under way.
struct Current {
    phase: Phase,
    total: u64,
    started: Instant,
    bar: ProgressBar,
}

impl Terminal {
    /// Starts to listen for Ctrl-C.
    pub fn new(global: &Global) -> Self {
        // A second command in one process would find a handler in place, which serves as well.
        let _ = ctrlc::set_handler(|| CANCELLED.store(true, Ordering::Relaxed));
        let shows = match (global.verbose, std::io::stderr().is_terminal()) {
            (0, true) if !global.quiet => Shows::Bars,
            (0, _) => Shows::Nothing,
            _ => Shows::Lines,
        };
        Self { shows, current: Mutex::new(None) }
    }
}

fn words(phase: Phase) -> (&'static str, &'static str) {
    match phase {
        Phase::Count => ("reading", "bytes"),
        Phase::Search => ("searching", "nodes"),
        Phase::Write => ("writing", "rows"),
    }
}

impl Current {
    fn start(shows: Shows, phase: Phase, total: u64) -> Self {
        let bar = if shows == Shows::Bars { bar(phase, total) } else { ProgressBar::hidden() };
        if shows == Shows::Lines {
            tracing::info!("{}", words(phase).0);
        }
        Self { phase, total, started: Instant::now(), bar }
    }

    fn end(self, shows: Shows) {
        self.bar.finish_and_clear();
        if shows == Shows::Lines {
            let (what, units) = words(self.phase);
            let seconds = self.started.elapsed().as_secs_f64();
            tracing::info!(
                "{what} ended after {seconds:.2} s; {} {units} in all",
                thousands(self.total)
            );
        }
    }
}

fn bar(phase: Phase, total: u64) -> ProgressBar {
    let units = match phase {
        Phase::Count => "{bytes} of {total_bytes}",
        Phase::Search => "{human_pos} of {human_len} nodes",
        Phase::Write => "{human_pos} of {human_len} rows",
    };
    // What stands beside the bar takes up to 50 columns.
    let width = render::stderr_width().saturating_sub(50).clamp(5, 30);
    let template = format!("{:>10} {{bar:{width}}} {units} {{elapsed}}", words(phase).0);
    let style = ProgressStyle::with_template(&template).expect("the template is well-formed");
    ProgressBar::new(total).with_style(style)
}

impl Observer for Terminal {
    fn progress(&self, phase: Phase, done: u64, total: u64) {
        if self.shows == Shows::Nothing {
            return;
        }
        // Another thread is showing something; this step need not be shown.
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
            current.bar.set_position(done);
        }
    }

    fn is_cancelled(&self) -> bool {
        CANCELLED.load(Ordering::Relaxed)
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        if let Ok(Some(current)) = self.current.get_mut().map(Option::take) {
            current.end(self.shows);
        }
    }
}
