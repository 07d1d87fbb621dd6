//! Runs long computations. Each query runs in a separate thread, reports progress, can be canceled,
//! and caches its answer.

use std::any::Any;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex};
use std::time::{Duration, Instant};

use indistinct::{Error, Message, Observer, OptimalityGap, Phase, Session, Values};
use tokio::sync::watch;

use crate::texts::{self, Language, fill, fill_name, t};

/// A kind of query. The studio stores at most one answer for each kind.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Slot {
    /// A proposed policy.
    Proposal,
    /// The overview of the columns.
    Columns,
    /// The levels of a hierarchy.
    Levels(String),
    /// The values of a column with their labels.
    Values(String),
    /// The values of a column with their numbers of rows.
    Counts(String),
    /// The original rows.
    Rows,
    /// The rows that would be released.
    Recoded,
    /// The risk profile of the original table.
    Profile,
    /// The principles that the table can satisfy.
    Advice,
    /// The comparison of other choices.
    Comparison,
    /// The nodes of the lattice that satisfy the policy.
    Lattice,
    /// The table at selected levels.
    Node,
    /// A release.
    Release,
    /// The verification of a release.
    Verified,
    /// The results of attacks on the release.
    Attack,
    /// The utility of the release.
    Measure,
    /// The effect of linkage with recorded releases.
    Linkage,
}

impl Slot {
    /// Returns the name of the query.
    pub(crate) fn name(&self) -> String {
        match self {
            Slot::Levels(column) => fill_name("question.levels", column),
            Slot::Values(column) | Slot::Counts(column) => fill_name("question.values", column),
            // The other variants have no fields.
            other => t(&format!("question.{other:?}").to_lowercase()).to_owned(),
        }
    }
}

/// The state of a query.
#[derive(Debug)]
pub(crate) enum State<T> {
    /// The query was not started.
    None,
    Running,
    Done(Arc<T>),
    Failed(Arc<Vec<Message>>),
}

type Answer = Result<Arc<dyn Any + Send + Sync>, Arc<Vec<Message>>>;

#[derive(Debug)]
struct Entry {
    key: String,
    progress: Arc<Progress>,
    answer: Option<Answer>,
    /// Whether a page was rendered without the answer.
    is_awaited: bool,
}

/// All queries of a studio.
#[derive(Debug)]
pub(crate) struct Work {
    session: Session,
    entries: Arc<(Mutex<BTreeMap<Slot, Entry>>, Condvar)>,
    /// The number of answers that arrived after a page was rendered without these answers.
    n_answers: Arc<AtomicU64>,
    changes: watch::Sender<u64>,
}

/// The deadline after which a page shows progress instead of answers. All queries of a page share
/// the same deadline.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Patience(Instant);

impl Patience {
    /// Returns the deadline for a page visit. The page appears immediately, and answers are added
    /// later.
    pub(crate) fn of_visit() -> Self {
        Self(Instant::now() + Duration::from_millis(40))
    }

    /// Returns the deadline after a change. The page must be updated within 200 ms, with the
    /// answers available by then.
    pub(crate) fn of_change() -> Self {
        Self(Instant::now() + Duration::from_millis(120))
    }

    /// Returns the deadline at startup with a table. This deadline is longer, so the proposed
    /// policy
    /// is already open on the first page.
    pub(crate) fn of_start() -> Self {
        Self(Instant::now() + Duration::from_millis(1_000))
    }
}

impl Work {
    pub(crate) fn new(session: Session, changes: watch::Sender<u64>) -> Self {
        Self { session, entries: Arc::default(), n_answers: Arc::default(), changes }
    }

    /// Returns the answer to a query, after starting the query if it is new or if its key has
    /// changed.
    pub(crate) fn ask<T: Send + Sync + 'static>(
        &self,
        slot: &Slot,
        key: &str,
        patience: Patience,
        question: impl FnOnce(&Session) -> Result<T, Error> + Send + 'static,
    ) -> State<T> {
        self.start(slot, key, question);
        self.wait_for(slot, patience)
    }

    /// Starts a query if the query is new or its key has changed.
    pub(crate) fn start<T: Send + Sync + 'static>(
        &self,
        slot: &Slot,
        key: &str,
        question: impl FnOnce(&Session) -> Result<T, Error> + Send + 'static,
    ) {
        let mut entries = self.entries.0.lock().expect("no panic");
        if entries.get(slot).is_some_and(|entry| entry.key == key) {
            return;
        }
        let progress = Arc::new(Progress::new(self.changes.clone()));
        let entry = Entry {
            key: key.to_owned(),
            progress: Arc::clone(&progress),
            answer: None,
            is_awaited: false,
        };
        if let Some(old) = entries.insert(slot.clone(), entry) {
            old.progress.cancel();
        }
        self.spawn(slot.clone(), progress, question);
    }

    /// Waits for the answer to a query that was started earlier.
    pub(crate) fn wait_for<T: Send + Sync + 'static>(
        &self,
        slot: &Slot,
        patience: Patience,
    ) -> State<T> {
        let entries = self.entries.0.lock().expect("no panic");
        let is_open = |all: &mut BTreeMap<Slot, Entry>| {
            all.get(slot).is_some_and(|entry| entry.answer.is_none())
        };
        let left = patience.0.saturating_duration_since(Instant::now());
        let waited = self.entries.1.wait_timeout_while(entries, left, is_open);
        let (entries, _) = waited.expect("no panic");
        drop(entries);
        self.state(slot)
    }

    /// Returns the number of answers that arrived after a page was rendered without these answers.
    pub(crate) fn n_answers(&self) -> u64 {
        self.n_answers.load(Ordering::Relaxed)
    }

    fn spawn<T: Send + Sync + 'static>(
        &self,
        slot: Slot,
        progress: Arc<Progress>,
        question: impl FnOnce(&Session) -> Result<T, Error> + Send + 'static,
    ) {
        let (entries, changes) = (Arc::clone(&self.entries), self.changes.clone());
        let n_answers = Arc::clone(&self.n_answers);
        let session = self.session.with_observer(Arc::clone(&progress));
        let language = Language::current();
        std::thread::spawn(move || {
            let answer = catch_unwind(AssertUnwindSafe(|| language.run(|| question(&session))));
            let answer: Answer = match answer {
                Ok(Ok(answer)) => Ok(Arc::new(answer)),
                Ok(Err(error)) => Err(Arc::new(error.messages(Values::Shown))),
                Err(_) => Err(Arc::new(vec![Message {
                    code: String::new(),
                    text: language.run(|| t("question_fault")).to_owned(),
                    help: Some(language.run(|| t("question_fault_help")).to_owned()),
                }])),
            };
            let mut all = entries.0.lock().expect("no panic");
            // A newer query may have replaced this query in the meantime.
            let own = all.get_mut(&slot).filter(|it| Arc::ptr_eq(&it.progress, &progress));
            if let Some(entry) = own {
                entry.answer = Some(answer);
                n_answers.fetch_add(u64::from(entry.is_awaited), Ordering::Relaxed);
            }
            drop(all);
            entries.1.notify_all();
            changes.send_modify(|_| ());
        });
    }

    /// Returns the state of a query. The answer to a running query will update the pages.
    pub(crate) fn state<T: Send + Sync + 'static>(&self, slot: &Slot) -> State<T> {
        let mut entries = self.entries.0.lock().expect("no panic");
        let Some(entry) = entries.get_mut(slot) else { return State::None };
        match &entry.answer {
            None => {
                entry.is_awaited = true;
                State::Running
            }
            Some(Ok(answer)) => match Arc::clone(answer).downcast::<T>() {
                Ok(answer) => State::Done(answer),
                Err(_) => State::None,
            },
            Some(Err(messages)) => State::Failed(Arc::clone(messages)),
        }
    }

    /// Returns the key of the last query in a slot, or `None` if the slot is empty.
    pub(crate) fn key(&self, slot: &Slot) -> Option<String> {
        let entries = self.entries.0.lock().expect("no panic");
        entries.get(slot).map(|entry| entry.key.clone())
    }

    /// Cancels a query and discards its answer.
    pub(crate) fn forget(&self, slot: &Slot) {
        let removed = self.entries.0.lock().expect("no panic").remove(slot);
        if let Some(entry) = removed {
            entry.progress.cancel();
            self.n_answers.fetch_add(1, Ordering::Relaxed);
        }
        self.changes.send_modify(|_| ());
    }

    /// Cancels all queries, for example if another policy is opened.
    pub(crate) fn forget_all(&self) {
        let all = std::mem::take(&mut *self.entries.0.lock().expect("no panic"));
        all.values().for_each(|entry| entry.progress.cancel());
    }

    /// Stops a search, which then returns its best result.
    pub(crate) fn take_best(&self, slot: &Slot) {
        let entries = self.entries.0.lock().expect("no panic");
        if let Some(entry) = entries.get(slot) {
            entry.progress.wants_best.store(true, Ordering::Relaxed);
        }
    }

    /// Selects the running query to display. This is a release, which can be stopped early, or
    /// otherwise the oldest query.
    pub(crate) fn running(&self) -> Option<(Slot, Arc<Progress>)> {
        let mut entries = self.entries.0.lock().expect("no panic");
        let (slot, entry) = first_running(&mut entries)?;
        Some((slot.clone(), Arc::clone(&entry.progress)))
    }

    /// Returns the same query as [`running`](Self::running) for a page that displays its progress.
    /// The answer will update the pages, although no page may need it.
    pub(crate) fn displayed(&self) -> Option<(Slot, Arc<Progress>)> {
        let mut entries = self.entries.0.lock().expect("no panic");
        let (slot, entry) = first_running(&mut entries)?;
        entry.is_awaited = true;
        Some((slot.clone(), Arc::clone(&entry.progress)))
    }
}

fn first_running(entries: &mut BTreeMap<Slot, Entry>) -> Option<(&Slot, &mut Entry)> {
    let open = entries.iter_mut().filter(|(_, entry)| entry.answer.is_none());
    open.min_by_key(|(slot, entry)| (**slot != Slot::Release, entry.progress.started))
}

/// The progress of a query, and the requests to cancel or stop this query.
#[derive(Debug)]
pub(crate) struct Progress {
    pub(crate) started: Instant,
    phase: Mutex<Option<(Phase, u64, u64, Instant)>>,
    best: Mutex<Option<OptimalityGap>>,
    wants_best: AtomicBool,
    cancelled: AtomicBool,
    reported_ms: AtomicU64,
    changes: watch::Sender<u64>,
}

/// The minimum interval between progress notifications.
const EVERY_MS: u64 = 250;

/// A snapshot of the progress.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Now {
    pub(crate) phase: Option<Phase>,
    pub(crate) done: u64,
    pub(crate) total: u64,
    /// The time since the start of the query.
    pub(crate) seconds: f64,
    /// The estimated remaining time of the phase, if an estimate is possible.
    pub(crate) seconds_left: Option<f64>,
    pub(crate) best: Option<OptimalityGap>,
    pub(crate) wants_best: bool,
}

impl Now {
    /// Describes the current phase, its progress, and the estimated remaining time.
    pub(crate) fn text(&self) -> String {
        let phase = t(match self.phase {
            None => "phase.start",
            Some(Phase::Count) => "phase.count",
            Some(Phase::Search) => "phase.search",
            Some(Phase::Write) => "phase.write",
            Some(Phase::Link) => "phase.link",
            Some(Phase::Measure) => "phase.measure",
        });
        let mut text = fill("progress", [phase, &format!("{:.0}", self.seconds)]);
        if let Some(left) = self.seconds_left.filter(|left| *left >= 1.0) {
            text += &fill("progress_left", [&format!("{left:.0}")]);
        }
        if self.phase == Some(Phase::Search) && self.done > 0 {
            text += &fill("progress_nodes", [&texts::counted("count.node", self.done)]);
        }
        if let Some(best) = self.best {
            text += &fill("progress_best", [&texts::number(best.objective)]);
            if let Some(gap) = best.fraction() {
                text += &fill("progress_gap", [&texts::percent(gap)]);
            }
        }
        if self.wants_best {
            text += t("progress_ending");
        }
        text + "."
    }

    /// Returns the completed fraction from 0 to 1, or `None` if the total is unknown.
    pub(crate) fn fraction(&self) -> Option<f64> {
        let is_known =
            self.phase != Some(Phase::Search) && self.total > 0 && self.done <= self.total;
        is_known.then(|| self.done as f64 / self.total as f64)
    }
}

impl Progress {
    fn new(changes: watch::Sender<u64>) -> Self {
        Self {
            started: Instant::now(),
            phase: Mutex::new(None),
            best: Mutex::new(None),
            wants_best: AtomicBool::new(false),
            cancelled: AtomicBool::new(false),
            reported_ms: AtomicU64::new(0),
            changes,
        }
    }

    fn cancel(&self) {
        self.cancelled.store(true, Ordering::Relaxed);
    }

    pub(crate) fn now(&self) -> Now {
        let phase = *self.phase.lock().expect("no panic");
        let (done, total) = phase.map_or((0, 0), |(_, done, total, _)| (done, total));
        let seconds_left = phase.and_then(|(phase, done, total, since)| {
            // The remaining time of a search cannot be predicted, because a search excludes nodes
            // without evaluating them.
            let is_known = phase != Phase::Search && done > 0 && done <= total;
            is_known.then(|| since.elapsed().as_secs_f64() * (total - done) as f64 / done as f64)
        });
        Now {
            phase: phase.map(|(phase, ..)| phase),
            done,
            total,
            seconds: self.started.elapsed().as_secs_f64(),
            seconds_left,
            best: *self.best.lock().expect("no panic"),
            wants_best: self.wants_best.load(Ordering::Relaxed),
        }
    }

    fn tell(&self) {
        let now = self.started.elapsed().as_millis() as u64;
        let reported = self.reported_ms.load(Ordering::Relaxed);
        let is_time = now >= reported + EVERY_MS
            && self
                .reported_ms
                .compare_exchange(reported, now, Ordering::Relaxed, Ordering::Relaxed)
                .is_ok();
        if is_time {
            self.changes.send_modify(|_| ());
        }
    }
}

impl Observer for Progress {
    fn progress(&self, phase: Phase, done: u64, total: u64) {
        if let Ok(mut at) = self.phase.try_lock() {
            let since = at.filter(|(old, ..)| *old == phase).map_or_else(Instant::now, |it| it.3);
            *at = Some((phase, done, total, since));
        }
        self.tell();
    }

    fn best_so_far(&self, now: OptimalityGap) {
        if let Ok(mut best) = self.best.try_lock() {
            *best = Some(now);
        }
        self.tell();
    }

    fn wants_best_so_far(&self) -> bool {
        self.wants_best.load(Ordering::Relaxed)
    }

    fn is_cancelled(&self) -> bool {
        self.cancelled.load(Ordering::Relaxed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LONG: Duration = Duration::from_secs(20);

    #[test]
    fn repeated_query_is_computed_once() {
        let work = Work::new(Session::default(), watch::Sender::new(0));
        let requested = Arc::new(AtomicU64::new(0));
        let ask = |key: &str| {
            let requested = Arc::clone(&requested);
            let question = move |_: &Session| Ok(requested.fetch_add(1, Ordering::Relaxed) + 1);
            work.ask(&Slot::Profile, key, Patience(Instant::now() + LONG), question)
        };
        for (key, wanted) in [("a", 1u64), ("a", 1), ("b", 2)] {
            let State::Done(answer) = ask(key) else { panic!("no answer for {key}") };
            assert_eq!(*answer, wanted);
        }
    }

    #[test]
    fn running_query_is_stoppable_and_panic_is_reported() {
        let work = Work::new(Session::default(), watch::Sender::new(0));
        let state = work.ask(&Slot::Release, "a", Patience::of_visit(), |session| {
            while !session.observer().wants_best_so_far() {
                std::thread::sleep(Duration::from_millis(2));
            }
            Ok(7)
        });
        assert!(matches!(state, State::Running));
        work.take_best(&Slot::Release);
        let patience = || Patience(Instant::now() + LONG);
        let state = work.wait_for::<i32>(&Slot::Release, patience());
        assert!(matches!(state, State::Done(answer) if *answer == 7));
        let fault = |_: &Session| panic!("a fault");
        let state = work.ask::<i32>(&Slot::Attack, "a", patience(), fault);
        assert!(matches!(state, State::Failed(_)));
    }

    /// Without the update, the page would display the progress of a completed query until the user
    /// reloads it.
    #[test]
    fn answer_updates_pages_that_display_only_its_progress() {
        for is_displayed in [false, true] {
            let work = Work::new(Session::default(), watch::Sender::new(0));
            let (sender, receiver) = std::sync::mpsc::channel::<()>();
            let receiver = Mutex::new(receiver);
            work.start(&Slot::Profile, "", move |_| {
                let _ = receiver.lock().expect("no panic").recv();
                Ok(1)
            });
            let running = if is_displayed { work.displayed() } else { work.running() };
            assert_eq!(running.map(|(slot, _)| slot), Some(Slot::Profile));
            drop(sender);
            let state = work.wait_for::<i32>(&Slot::Profile, Patience(Instant::now() + LONG));
            assert!(matches!(state, State::Done(_)));
            assert_eq!(work.n_answers(), u64::from(is_displayed));
        }
    }

    /// A page waits only once, regardless of the number of its queries.
    #[test]
    fn page_waits_once_for_all_queries() {
        let work = Work::new(Session::default(), watch::Sender::new(0));
        let (sender, receiver) = std::sync::mpsc::channel::<()>();
        let receiver = Arc::new(Mutex::new(receiver));
        let begun = Instant::now();
        let patience = Patience(begun + Duration::from_millis(300));
        let slots = ["a", "b", "c", "d"].map(|name| Slot::Levels(name.to_owned()));
        for slot in &slots {
            let receiver = Arc::clone(&receiver);
            let state = work.ask(slot, "", patience, move |_| {
                let _ = receiver.lock().expect("no panic").recv();
                Ok(1)
            });
            assert!(matches!(state, State::Running));
        }
        assert!(begun.elapsed() >= Duration::from_millis(300));
        // If each query waited separately, the waits would take 1,200 ms. The margin accounts for a
        // busy machine.
        assert!(begun.elapsed() < Duration::from_millis(1_100), "{:?}", begun.elapsed());
        assert_eq!(work.n_answers(), 0);
        drop(sender);
        for slot in &slots {
            let state = work.wait_for::<i32>(slot, Patience(Instant::now() + LONG));
            assert!(matches!(state, State::Done(_)));
        }
        assert_eq!(work.n_answers(), 4, "each answer makes the displayed page outdated");
    }
}
