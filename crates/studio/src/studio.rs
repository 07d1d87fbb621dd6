//! A running studio: the workspace, access control, the open policy, and running computations.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use indistinct::columns::{TableOverview, input_of, look};
use indistinct::compare::principle_of_k;
use indistinct::{InputSpec, Message, PolicyText, Session, Values};
use tokio::sync::watch;

use crate::desk::Desk;
use crate::document::Document;
use crate::guard::Guard;
use crate::history::History;
use crate::place::{Refusal, Workspace, named_files};
use crate::recent::Recent;
use crate::texts;
use crate::work::{Patience, Slot, State, Work};
use crate::{Options, StudioError};

/// A running studio.
#[derive(Debug)]
pub struct Studio {
    session: Session,
    pub(crate) place: Workspace,
    pub(crate) guard: Guard,
    pub(crate) work: Work,
    pub(crate) changes: watch::Sender<u64>,
    pub(crate) recent: Recent,
    desk: Mutex<Option<Desk>>,
    problems: Arc<Mutex<Option<(String, Problems)>>>,
    last_request: Mutex<Instant>,
}

/// A proposed policy that was written to a file.
#[derive(Debug)]
pub(crate) struct ProposedPolicy {
    /// The path relative to the workspace.
    pub(crate) name: String,
}

/// The state of a proposal when the time limit of the request expires.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Proposing {
    /// The policy is open.
    Opened,
    /// The proposal is still being computed. The first page displays the progress.
    UnderWay,
}

/// A snapshot of the open policy.
#[derive(Debug, Clone)]
pub(crate) struct Opened {
    pub(crate) path: PathBuf,
    /// The path relative to the workspace.
    pub(crate) name: String,
    pub(crate) text: String,
    pub(crate) version: String,
    /// The description of the change that undo would revert.
    /// `redo` describes the change to restore.
    pub(crate) undo: Option<String>,
    pub(crate) redo: Option<String>,
    session: Session,
    /// The cached errors and warnings of the policy, with their cache key.
    problems: Arc<Mutex<Option<(String, Problems)>>>,
}

/// The errors and the warnings of a policy.
pub(crate) type Problems = Arc<(Vec<Message>, Vec<Message>)>;

impl Opened {
    fn new(
        desk: &Desk,
        session: Session,
        problems: Arc<Mutex<Option<(String, Problems)>>>,
    ) -> Self {
        let history = &desk.history;
        let what = |at: usize| history.steps()[at].what.clone();
        Self {
            path: desk.path.clone(),
            name: desk.name.clone(),
            text: desk.text().to_owned(),
            version: history.version(),
            undo: history.before().map(|_| what(history.at())),
            redo: history.after().map(what),
            session,
            problems,
        }
    }

    /// Returns the folder that contains the policy, which is the base of relative paths.
    pub(crate) fn folder(&self) -> &Path {
        self.path.parent().unwrap_or(Path::new(""))
    }

    pub(crate) fn document(&self) -> Result<Document, Refusal> {
        Document::parse(&self.text)
    }

    /// Returns the input table of the policy.
    pub(crate) fn input(&self) -> Option<InputSpec> {
        input_of(PolicyText { text: &self.text, name: &self.name, folder: self.folder() })
    }

    /// Returns the errors and warnings of the policy. The result is cached until the policy or one
    /// of its files changes, to avoid a database query for every page.
    pub(crate) fn problems(&self) -> Problems {
        let key = format!("{}\n{}", self.path.display(), self.key());
        let mut cached = self.problems.lock().expect("no panic");
        if let Some((_, problems)) = cached.as_ref().filter(|(own, _)| *own == key) {
            return Arc::clone(problems);
        }
        let found = Arc::new(match self.session.open(&self.path, None) {
            Err(error) => (error.messages(Values::Shown), Vec::new()),
            Ok(job) => (
                Vec::new(),
                indistinct::Error::Policy(job.policy_warnings()).messages(Values::Shown),
            ),
        });
        *cached = Some((key, Arc::clone(&found)));
        found
    }

    /// Returns whether the table is in a database or object store, in which changes are
    /// undetectable.
    pub(crate) fn is_in_database(&self) -> bool {
        self.input().is_some_and(|spec| spec.is_address() || spec.is_object())
    }

    /// Returns a cache key that changes if the table may have changed.
    pub(crate) fn table_key(&self) -> String {
        let Some(spec) = self.input() else { return String::new() };
        let which = (&spec.path, &spec.table, &spec.query, &spec.counts, spec.format);
        let how = (spec.delimiter, spec.encoding, &spec.null_values, &spec.column_null_values);
        let how = (how, &spec.written, spec.skipped_rows);
        format!("{which:?} {how:?} {:?}", spec.stamp())
    }

    /// Returns a cache key for comparisons, which does not depend on k, the method, or the
    /// suppression limit.
    pub(crate) fn comparison_key(&self) -> String {
        let Ok(mut document) = self.document() else { return self.key() };
        for key in ["method", "suppression_limit"] {
            document.set("recoding", key, None);
        }
        let at = document.principles().iter().position(|it| it.kind == principle_of_k().0);
        if let Some(at) = at {
            let _ = document.remove_principle(at);
        }
        format!("{}\n{}\n{}", self.table_key(), self.stamps(), document.text())
    }

    /// Returns a cache key that changes with the policy, its table,
    /// and other files that the policy names.
    pub(crate) fn key(&self) -> String {
        format!("{}\n{}\n{}", self.table_key(), self.stamps(), self.text)
    }

    /// Returns a cache key that changes with the columns and their hierarchies, but not with the
    /// principles.
    pub(crate) fn key_of_columns(&self) -> String {
        let Ok(document) = self.document() else { return self.key() };
        let text = document.only(&["input", "attributes", "people"]);
        let is_usable = self.problems().0.is_empty();
        format!("{}\n{}\n{is_usable}\n{text}", self.table_key(), self.stamps())
    }

    /// Returns a cache key that changes with the hierarchy of one column, but not with the
    /// hierarchies of others.
    pub(crate) fn key_of_hierarchy(&self, declared: Option<&str>) -> String {
        let is_usable = self.problems().0.is_empty();
        format!("{}\n{}\n{is_usable}\n{declared:?}", self.table_key(), self.stamps())
    }

    /// Returns the modification stamps of the files that the policy names.
    fn stamps(&self) -> String {
        let stamp = |path: &String| {
            InputSpec { path: self.folder().join(path), ..InputSpec::default() }.stamp()
        };
        format!("{:?}", named_files(&self.text).iter().map(stamp).collect::<Vec<_>>())
    }
}

impl Studio {
    /// Creates a studio for a server that listens on the given port.
    ///
    /// # Errors
    /// [`StudioError`] if the folder or the initial file cannot be used.
    pub fn new(options: &Options, port: u16) -> Result<Self, StudioError> {
        let session = options.session.clone().with_cache();
        let place = Workspace::new(&options.folder).map_err(StudioError::Folder)?;
        let changes = watch::Sender::new(0);
        let work = Work::new(session.clone(), changes.clone());
        let studio = Self {
            session,
            place,
            guard: Guard::new(port),
            work,
            changes,
            recent: Recent::new(options.recent.clone()),
            desk: Mutex::new(None),
            problems: Arc::default(),
            last_request: Mutex::new(Instant::now()),
        };
        if let Some(file) = &options.file {
            studio.begin(file).map_err(StudioError::Folder)?;
        }
        Ok(studio)
    }

    /// Returns a path with a one-time token that starts a session.
    pub fn entrance(&self) -> String {
        format!("/?token={}", self.guard.new_entry())
    }

    /// Opens a policy, or the policy of a table. If the table has no policy, the studio proposes a
    /// policy.
    fn begin(&self, file: &Path) -> Result<(), Refusal> {
        let not_there = |_| Refusal::about("not_there", &file.display().to_string());
        let real = file.canonicalize().map_err(not_there)?;
        let shown = self.place.shown(&real);
        if file.extension().is_some_and(|it| it == "toml") {
            if let Ok(text) = std::fs::read_to_string(&real) {
                self.place.allow_those_of(&text);
            }
            return self.open(&shown);
        }
        let policy = policy_path_for(&shown);
        match self.place.existing(&policy) {
            Ok(_) => self.open(&policy),
            // The first page displays the proposal, even if it is still in progress.
            Err(_) => self.propose(&shown, None, &policy, Patience::of_start()).map(|_| ()),
        }
    }

    /// Opens a policy by its path relative to the workspace.
    ///
    /// # Errors
    /// [`Refusal`] if the policy is outside the workspace, is unreadable, or names files outside
    /// the workspace.
    pub(crate) fn open(&self, policy: &str) -> Result<(), Refusal> {
        let opened = self.try_to_open(policy);
        // A proposal that cannot be opened is discarded, because every page would try to open it
        // again.
        let is_there =
            || matches!(self.work.state(&Slot::Proposal), State::Done::<ProposedPolicy>(_));
        if opened.is_err() && is_there() {
            self.work.forget(&Slot::Proposal);
        }
        opened
    }

    fn try_to_open(&self, policy: &str) -> Result<(), Refusal> {
        let path = self.place.existing(policy)?;
        if path.extension().is_none_or(|it| it != "toml") {
            // Do not parse a table as a policy, because the error message would display cells of
            // the table.
            return Err(Refusal::about("not_a_policy", policy));
        }
        let desk = Desk::open(&path, self.place.shown(&path))?;
        self.place.check_policy(desk.text(), desk.folder())?;
        self.forget_all();
        self.recent.add(&desk.path);
        *self.desk.lock().expect("no panic") = Some(desk);
        self.changed();
        Ok(())
    }

    /// Writes a proposed policy for a file or one of its sheets, and opens the policy if it is
    /// complete within the time limit.
    ///
    /// # Errors
    /// [`Refusal`] if the table is unreadable or the policy file already exists.
    pub(crate) fn propose(
        &self,
        file: &str,
        sheet: Option<&str>,
        policy: &str,
        patience: Patience,
    ) -> Result<Proposing, Refusal> {
        let (path, table) = (self.place.existing(file)?, sheet.map(str::to_owned));
        self.propose_for(InputSpec { path, table, ..InputSpec::default() }, policy, patience)
    }

    /// Writes a proposed policy for a database table. For files, see [`Studio::propose`].
    ///
    /// # Errors
    /// The same errors as [`Studio::propose`].
    pub(crate) fn propose_database(
        &self,
        address: &str,
        table: Option<&str>,
        policy: &str,
        patience: Patience,
    ) -> Result<Proposing, Refusal> {
        let path = match address.split_once(':') {
            // The address of a file database contains a path, which must be within the workspace.
            Some((scheme @ ("sqlite" | "duckdb"), file)) => {
                format!("{scheme}:{}", self.place.existing(file)?.display())
            }
            Some((_, rest)) if rest.starts_with("//") => {
                self.place.allow(address);
                address.to_owned()
            }
            _ => return Err(Refusal::new("no_address")),
        };
        let spec = InputSpec {
            path: path.into(),
            table: table.map(str::to_owned),
            ..InputSpec::default()
        };
        self.propose_for(spec, policy, patience)
    }

    fn propose_for(
        &self,
        spec: InputSpec,
        policy: &str,
        patience: Patience,
    ) -> Result<Proposing, Refusal> {
        let path = self.place.fresh(policy)?;
        if path.extension().is_none_or(|it| it != "toml") {
            return Err(Refusal::about("not_a_policy", policy));
        }
        let name = policy.to_owned();
        let key = format!("{policy}\n{spec:?}");
        let question = move |session: &Session| {
            let proposal = indistinct::init::propose(session, &spec, Some(&path))?;
            if session.observer().is_cancelled() {
                return Err(indistinct::Error::Cancelled);
            }
            indistinct::write_new_file(&path, proposal.policy.as_bytes())?;
            Ok(ProposedPolicy { name })
        };
        self.work.forget(&Slot::Proposal);
        self.work.start(&Slot::Proposal, &key, question);
        self.changed();
        let answer = self.work.wait_for::<ProposedPolicy>(&Slot::Proposal, patience);
        // A concurrent request may have replaced this proposal with another one.
        let is_own = self.work.key(&Slot::Proposal).is_some_and(|it| it == key);
        match answer {
            _ if !is_own => Ok(Proposing::UnderWay),
            State::Done(proposed) => self.open(&proposed.name).map(|()| Proposing::Opened),
            State::Failed(messages) => {
                self.work.forget(&Slot::Proposal);
                Err(Refusal(in_one(&messages)))
            }
            State::Running | State::None => Ok(Proposing::UnderWay),
        }
    }

    /// Returns the open policy, including changes by other programs, or `None` if no policy is
    /// open.
    pub(crate) fn opened(&self) -> Option<Opened> {
        let mut desk = self.desk.lock().expect("no panic");
        let desk = desk.as_mut()?;
        // If the file was deleted, the last text that was read remains available and can be saved
        // again.
        if desk.refresh().unwrap_or(false) {
            self.changed();
        }
        Some(Opened::new(desk, self.session.clone(), Arc::clone(&self.problems)))
    }

    /// Adopts changes that other programs made to the policy file, if a browser is connected.
    pub(crate) fn look_outside(&self) {
        if self.changes.receiver_count() > 0 {
            let _ = self.opened();
        }
    }

    /// Returns the session for computations.
    pub(crate) fn session(&self) -> &Session {
        &self.session
    }

    /// Discards all answers.
    pub(crate) fn forget_all(&self) {
        self.work.forget_all();
        *self.problems.lock().expect("no panic") = None;
    }

    /// Changes the open policy, provided that the page displayed the current version.
    ///
    /// # Errors
    /// [`Refusal`] if no policy is open, the policy was changed in the meantime, or the change is
    /// invalid.
    pub(crate) fn change(
        &self,
        what: &str,
        edit: impl FnOnce(&mut Document) -> Result<(), Refusal>,
    ) -> Result<(), Refusal> {
        self.with_desk(|desk, place| desk.change(what, place, edit))
    }

    /// Calls `f` with the open policy.
    ///
    /// # Errors
    /// [`Refusal`] if no policy is open, and any error of `f`.
    pub(crate) fn with_desk<T>(
        &self,
        f: impl FnOnce(&mut Desk, &Workspace) -> Result<T, Refusal>,
    ) -> Result<T, Refusal> {
        let mut desk = self.desk.lock().expect("no panic");
        let desk = desk.as_mut().ok_or_else(|| Refusal::new("nothing_open"))?;
        let done = f(desk, &self.place)?;
        self.changed();
        Ok(done)
    }

    /// Reads the history of the open policy.
    pub(crate) fn with_steps<T>(&self, f: impl FnOnce(&History) -> T) -> Option<T> {
        self.desk.lock().expect("no panic").as_ref().map(|desk| f(&desk.history))
    }

    /// Notifies all connected browsers of a change.
    pub(crate) fn changed(&self) {
        self.changes.send_modify(|n| *n += 1);
    }

    /// Returns a counter that increases with every visible change.
    pub(crate) fn sequence(&self) -> u64 {
        *self.changes.borrow()
    }

    /// Returns the overview of the columns of the open table.
    pub(crate) fn overview(&self, opened: &Opened, patience: Patience) -> State<TableOverview> {
        let Some(spec) = opened.input() else { return State::None };
        let question = move |session: &Session| look(session, &spec, Values::Shown);
        self.work.ask(&Slot::Columns, &opened.table_key(), patience, question)
    }

    pub(crate) fn note_request(&self) {
        *self.last_request.lock().expect("no panic") = Instant::now();
    }

    /// Returns the time since the last request, or zero while a computation is running.
    pub(crate) fn idle(&self) -> Duration {
        if self.work.running().is_some() {
            return Duration::ZERO;
        }
        self.last_request.lock().expect("no panic").elapsed()
    }
}

/// Returns the default path of the policy for a table.
pub(crate) fn policy_path_for(table: &str) -> String {
    let (folder, name) =
        table.rsplit_once('/').map_or(("", table), |(folder, name)| (folder, name));
    let stem = name.split('.').next().filter(|stem| !stem.is_empty()).unwrap_or("policy");
    match folder {
        "" => format!("{stem}.toml"),
        folder => format!("{folder}/{stem}.toml"),
    }
}

/// Joins all messages into one text.
pub(crate) fn in_one(messages: &[Message]) -> String {
    let all = messages.iter().map(|message| match texts::help(message) {
        Some(help) => format!("{} ({}; {help})", message.text, message.code),
        None => format!("{} ({})", message.text, message.code),
    });
    all.collect::<Vec<_>>().join(". ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn default_policy_path_is_next_to_table() {
        assert_eq!(policy_path_for("a.csv.gz"), "a.toml");
        assert_eq!(policy_path_for("b/c/d.parquet"), "b/c/d.toml");
        assert_eq!(policy_path_for(".csv"), "policy.toml");
    }
}
