//! What takes long: a thread for each question, its progress, a way to stop it, and its answer for whoever asks again.

use std::any::Any;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex};
use std::time::{Duration, Instant};

use indistinct::{Error, Message, Observer, OptimalityGap, Phase, Session, Values};
use tokio::sync::watch;

use crate::texts;

/// A question; of each there is one answer at a time.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Slot {
    /// A policy to begin with.
    Proposal,
    /// What the columns look like.
    Columns,
    /// The levels of a hierarchy.
    Levels(String),
    /// The values of a column with their labels.
    Values(String),
    /// What the raw table risks.
    Profile,
    /// What is reachable.
    Advice,
    /// What other choices cost.
    Comparison,
    /// Which levels together satisfy the policy.
    Lattice,
    /// What becomes of the table at some levels.
    Node,
    /// A release.
    Release,
    /// Whether a release holds what it claims.
    Verified,
    /// What attacks get out of it.
    Attack,
    /// What it is still good for.
    Measure,
    /// What joining it with recorded releases leaves.
    Linkage,
}

/// How far a question is.
#[derive(Debug)]
pub(crate) enum State<T> {
    /// Nobody asked it.
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
    /// Whether a page was shown without the answer.
    is_awaited: bool,
}

/// All questions of a studio.
#[derive(Debug)]
pub(crate) struct Work {
    session: Session,
    entries: Arc<(Mutex<BTreeMap<Slot, Entry>>, Condvar)>,
    /// Rises with every answer that a page waits for.
    n_answers: Arc<AtomicU64>,
    changes: watch::Sender<u64>,
}

/// Until when a page waits for answers before it shows progress instead. All that one page asks shares it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Patience(Instant);

impl Patience {
    /// Of somebody who goes to a page: they see at once that it is there, and answers follow.
    pub(crate) fn of_visit() -> Self {
        Self(Instant::now() + Duration::from_millis(40))
    }

    /// Of somebody who changed something: the page is there already, and its next state is the answer. It is to be there within 200 ms,
    /// with whatever is answered by then.
    pub(crate) fn of_change() -> Self {
        Self(Instant::now() + Duration::from_millis(120))
    }

    /// Of somebody who starts the studio with a table: it begins with a policy if that is soon there.
    pub(crate) fn of_start() -> Self {
        Self(Instant::now() + Duration::from_millis(1_000))
    }
}

impl Work {
    pub(crate) fn new(session: Session, changes: watch::Sender<u64>) -> Self {
        Self { session, entries: Arc::default(), n_answers: Arc::default(), changes }
    }

    /// The answer to a question, which is asked if it was not, or if the key says that it is another one by now.
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

    /// Asks a question if it was not asked, or if the key says that it is another one by now.
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

    /// The answer to a question that somebody asked.
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
        let (mut entries, _) = waited.expect("no panic");
        if let Some(entry) = entries.get_mut(slot) {
            entry.is_awaited = entry.answer.is_none();
        }
        drop(entries);
        self.state(slot)
    }

    /// Rises with every answer that a page waits for.
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
        std::thread::spawn(move || {
            let answer = catch_unwind(AssertUnwindSafe(|| question(&session)));
            let answer: Answer = match answer {
                Ok(Ok(answer)) => Ok(Arc::new(answer)),
                Ok(Err(error)) => Err(Arc::new(error.messages(Values::Shown))),
                Err(_) => Err(Arc::new(vec![Message {
                    code: String::new(),
                    text: texts::QUESTION_FAULT.to_owned(),
                    help: Some(texts::QUESTION_FAULT_HELP.to_owned()),
                }])),
            };
            let mut all = entries.0.lock().expect("no panic");
            // Somebody may have asked another question meanwhile.
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

    /// How far a question is that somebody asked.
    pub(crate) fn state<T: Send + Sync + 'static>(&self, slot: &Slot) -> State<T> {
        let entries = self.entries.0.lock().expect("no panic");
        let Some(entry) = entries.get(slot) else { return State::None };
        match &entry.answer {
            None => State::Running,
            Some(Ok(answer)) => match Arc::clone(answer).downcast::<T>() {
                Ok(answer) => State::Done(answer),
                Err(_) => State::None,
            },
            Some(Err(messages)) => State::Failed(Arc::clone(messages)),
        }
    }

    /// What a question was asked about; `None` if it was not.
    pub(crate) fn key(&self, slot: &Slot) -> Option<String> {
        let entries = self.entries.0.lock().expect("no panic");
        entries.get(slot).map(|entry| entry.key.clone())
    }

    /// Forgets a question, and stops what is under way.
    pub(crate) fn forget(&self, slot: &Slot) {
        let removed = self.entries.0.lock().expect("no panic").remove(slot);
        if let Some(entry) = removed {
            entry.progress.cancel();
            self.n_answers.fetch_add(1, Ordering::Relaxed);
        }
        self.changes.send_modify(|_| ());
    }

    /// Stops everything; another policy is opened, or the studio ends.
    pub(crate) fn forget_all(&self) {
        let all = std::mem::take(&mut *self.entries.0.lock().expect("no panic"));
        all.values().for_each(|entry| entry.progress.cancel());
    }

    /// Ends a search with the best that it has.
    pub(crate) fn take_best(&self, slot: &Slot) {
        let entries = self.entries.0.lock().expect("no panic");
        if let Some(entry) = entries.get(slot) {
            entry.progress.wants_best.store(true, Ordering::Relaxed);
        }
    }

    /// The question that is under way: a release, which can be stopped with its best, or else the longest.
    pub(crate) fn running(&self) -> Option<(Slot, Arc<Progress>)> {
        let entries = self.entries.0.lock().expect("no panic");
        let open = entries.iter().filter(|(_, entry)| entry.answer.is_none());
        let first =
            open.min_by_key(|(slot, entry)| (**slot != Slot::Release, entry.progress.started))?;
        Some((first.0.clone(), Arc::clone(&first.1.progress)))
    }
}

/// What a question tells while it is under way, and is told.
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

/// Progress is told so often at most.
const EVERY_MS: u64 = 250;

/// Progress at a moment.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Now {
    pub(crate) phase: Option<Phase>,
    pub(crate) done: u64,
    pub(crate) total: u64,
    /// Since the question was asked.
    pub(crate) seconds: f64,
    /// What the phase may still take, where that can be told.
    pub(crate) seconds_left: Option<f64>,
    pub(crate) best: Option<OptimalityGap>,
    pub(crate) wants_best: bool,
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
            // A search rules out more than it looks at, and nobody knows when.
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
    fn a_question_is_asked_once_and_again_when_it_is_another_one() {
        let work = Work::new(Session::default(), watch::Sender::new(0));
        let requested = Arc::new(AtomicU64::new(0));
        let ask = |key: &str| {
            let requested = Arc::clone(&requested);
            let question = move |_: &Session| Ok(requested.fetch_add(1, Ordering::Relaxed) + 1);
            work.ask(&Slot::Profile, key, Patience(Instant::now() + LONG), question)
        };
        for (key, wanted) in [("a", 1u64), ("a", 1), ("b", 2)] {
            let State::Done(answer) = ask(key) else { panic!("no answer to {key}") };
            assert_eq!(*answer, wanted);
        }
    }

    #[test]
    fn what_runs_can_be_stopped_and_a_fault_is_an_answer() {
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

    /// However many questions a page has, it waits once.
    #[test]
    fn a_page_waits_once_for_all_that_it_asks_and_is_told_of_what_came_too_late() {
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
        // Waiting for each would take 1,200 ms; a busy machine takes some of that by itself.
        assert!(begun.elapsed() < Duration::from_millis(1_100), "{:?}", begun.elapsed());
        assert_eq!(work.n_answers(), 0);
        drop(sender);
        for slot in &slots {
            let state = work.wait_for::<i32>(slot, Patience(Instant::now() + LONG));
            assert!(matches!(state, State::Done(_)));
        }
        assert_eq!(work.n_answers(), 4, "each of them makes the page that was shown old");
    }
}
