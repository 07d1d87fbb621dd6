//! Runs long computations in a separate thread, while the calling thread handles signals and
//! reports progress.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Duration;

use indistinct::{Error, Observer, Phase, Session, Values};
use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;

use crate::raised::{forked, raised};

/// The maximum delay before a signal is handled.
const STEP: Duration = Duration::from_millis(50);

/// The shared state of a computation, with its progress and the request to cancel it.
#[derive(Default)]
struct Watch {
    cancelled: AtomicBool,
    latest: Mutex<Option<(Phase, u64, u64)>>,
}

impl Observer for Watch {
    fn progress(&self, phase: Phase, done: u64, total: u64) {
        // Skip this progress report if another thread holds the lock.
        if let Ok(mut latest) = self.latest.try_lock() {
            *latest = Some((phase, done, total));
        }
    }

    fn is_cancelled(&self) -> bool {
        self.cancelled.load(Ordering::Relaxed)
    }
}

impl Watch {
    fn tell(&self, progress: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
        let Some(progress) = progress else { return Ok(()) };
        let latest = self.latest.lock().ok().and_then(|mut latest| latest.take());
        let Some((phase, done, total)) = latest else { return Ok(()) };
        let name = match phase {
            Phase::Count => "count",
            Phase::Search => "search",
            Phase::Write => "write",
            Phase::Link => "link",
            Phase::Measure => "measure",
        };
        progress.call1((name, done, total)).map(|_| ())
    }
}

/// Rejects calls in a forked process if its parent has already called the library: the threads of
/// the parent do not exist in the forked process, so a computation would wait for them forever.
fn check_process() -> PyResult<()> {
    static FIRST: OnceLock<u32> = OnceLock::new();
    let here = std::process::id();
    match *FIRST.get_or_init(|| here) == here {
        true => Ok(()),
        false => Err(forked()),
    }
}

/// Runs a long computation without the interpreter's lock. `progress` is called with the phase, the
/// completed amount, and the total amount. Ctrl-C and exceptions in `progress` cancel the
/// computation.
pub(crate) fn run<T: Send>(
    py: Python<'_>,
    progress: Option<&Bound<'_, PyAny>>,
    values: Values,
    work: impl FnOnce(&Session) -> Result<T, Error> + Send,
) -> PyResult<T> {
    check_process()?;
    let watch = Arc::new(Watch::default());
    let session = indistinct_cli::session().with_observer(Arc::clone(&watch));
    std::thread::scope(|scope| {
        let (sender, mut receiver) = mpsc::channel();
        let session = &session;
        scope.spawn(move || sender.send(work(session)).is_ok());
        let mut stopped: Option<PyErr> = None;
        loop {
            let (again, answer) = py.detach(move || {
                let answer = receiver.recv_timeout(STEP);
                (receiver, answer)
            });
            receiver = again;
            match answer {
                Ok(answer) => {
                    if let Some(error) = stopped {
                        return Err(error);
                    }
                    watch.tell(progress)?;
                    return answer.map_err(|error| match error.is_cancelled() {
                        true => PyKeyboardInterrupt::new_err(()),
                        false => raised(&error, values),
                    });
                }
                Err(RecvTimeoutError::Timeout) if stopped.is_none() => {
                    if let Err(error) = py.check_signals().and_then(|()| watch.tell(progress)) {
                        watch.cancelled.store(true, Ordering::Relaxed);
                        stopped = Some(error);
                    }
                }
                Err(RecvTimeoutError::Timeout) => {}
                // The thread panicked. The panic is propagated at the end of the scope.
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(stopped.unwrap_or_else(|| PyKeyboardInterrupt::new_err(())));
                }
            }
        }
    })
}

/// Serializes an answer as JSON.
pub(crate) fn json(answer: &impl serde::Serialize) -> String {
    serde_json::to_string(answer).expect("answers are serializable as JSON")
}
