//! Progress bars on a terminal, and Ctrl-C.

use std::io::IsTerminal;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use indicatif::{ProgressBar, ProgressStyle};
use indistinct::{Observer, Phase};

use crate::args::Global;

static CANCELLED: AtomicBool = AtomicBool::new(false);

/// Shows progress on standard error where it is a terminal, and cancels after Ctrl-C.
pub struct Terminal {
    bar: Option<Mutex<(Option<Phase>, ProgressBar)>>,
}

impl Terminal {
    /// Starts to listen for Ctrl-C.
    pub fn new(global: &Global) -> Self {
        // A second command in one process would find a handler in place, which serves as well.
        let _ = ctrlc::set_handler(|| CANCELLED.store(true, Ordering::Relaxed));
        let shown = !global.quiet && std::io::stderr().is_terminal();
        Self { bar: shown.then(|| Mutex::new((None, ProgressBar::hidden()))) }
    }
}

fn start(phase: Phase, total: u64) -> ProgressBar {
    let (words, units) = match phase {
        Phase::Count => ("reading", "{bytes} of {total_bytes}"),
        Phase::Search => ("searching", "{human_pos} of {human_len} nodes"),
        Phase::Write => ("writing", "{human_pos} of {human_len} rows"),
    };
    let template = format!("{words:>10} {{bar:30}} {units} {{elapsed}}");
    let style = ProgressStyle::with_template(&template).expect("the template is well-formed");
    ProgressBar::new(total).with_style(style)
}

impl Observer for Terminal {
    fn progress(&self, phase: Phase, done: u64, total: u64) {
        let Some(bar) = &self.bar else { return };
        // Another thread is drawing; this step need not be shown.
        let Ok(mut bar) = bar.try_lock() else { return };
        if bar.0 != Some(phase) {
            bar.1.finish_and_clear();
            *bar = (Some(phase), start(phase, total));
        }
        bar.1.set_length(total);
        bar.1.set_position(done);
    }

    fn is_cancelled(&self) -> bool {
        CANCELLED.load(Ordering::Relaxed)
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        if let Some(Ok(bar)) = self.bar.as_ref().map(Mutex::lock) {
            bar.1.finish_and_clear();
        }
    }
}
