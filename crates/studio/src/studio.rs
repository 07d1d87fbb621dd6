//! A running studio: the folder, who may ask, the policy that is open, and what is under way.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use indistinct::columns::{TableOverview, input_of, look};
use indistinct::compare::principle_of_k;
use indistinct::{InputSpec, Message, PolicyText, Session, Values};
use tokio::sync::watch;

use crate::desk::{Desk, StepNames};
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

/// A policy that was proposed and written.
#[derive(Debug)]
pub(crate) struct ProposedPolicy {
    /// As seen from the folder.
    pub(crate) name: String,
}

/// How far a proposal is when somebody has waited for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Proposing {
    /// The policy is open.
    Opened,
    /// The first page shows how far it is.
    UnderWay,
}

/// The policy that is open, as it was at a moment.
#[derive(Debug, Clone)]
pub(crate) struct Opened {
    pub(crate) path: PathBuf,
    /// As seen from the folder.
    pub(crate) name: String,
    pub(crate) text: String,
    pub(crate) version: String,
    /// What undo and redo would take back, or do again.
    pub(crate) undo: Option<String>,
    pub(crate) redo: Option<String>,
    session: Session,
    /// What is wrong with it, as far as somebody asked already.
    problems: Arc<Mutex<Option<(String, Problems)>>>,
}

/// What keeps a policy from being used, and what is probably not intended.
pub(crate) type Problems = Arc<(Vec<Message>, Vec<Message>)>;

const WORDS: StepNames = StepNames { opened: texts::STEP_OPENED, outside: texts::STEP_OUTSIDE };

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

    /// The folder that paths in the policy start from.
    pub(crate) fn folder(&self) -> &Path {
        self.path.parent().unwrap_or(Path::new(""))
    }

    pub(crate) fn document(&self) -> Result<Document, Refusal> {
        Document::parse(&self.text)
    }

    /// The table that the policy names.
    pub(crate) fn input(&self) -> Option<InputSpec> {
        input_of(PolicyText { text: &self.text, name: &self.name, folder: self.folder() })
    }

    /// What keeps the policy from being used, and what is probably not intended. As long as neither the policy nor a file that it names
    /// is another one, nothing is opened again: a database would be asked for every page.
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

    /// Whether the table is in a database or an object store: then nobody tells when it changes.
    pub(crate) fn is_in_database(&self) -> bool {
        self.input().is_some_and(|spec| spec.is_address() || spec.is_object())
    }

    /// Changes when the bytes of the table may have.
    pub(crate) fn table_key(&self) -> String {
        let Some(spec) = self.input() else { return String::new() };
        let which = (&spec.path, &spec.table, &spec.query, &spec.counts, spec.format);
        let how = (spec.delimiter, spec.encoding, &spec.null_values, &spec.written);
        format!("{which:?} {how:?} {:?}", spec.stamp())
    }

    /// Changes with what choices of k, method and limit have in common.
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

    /// Changes with the policy, its table, or another file that it names.
    pub(crate) fn key(&self) -> String {
        format!("{}\n{}\n{}", self.table_key(), self.stamps(), self.text)
    }

    /// Changes with what the columns are and how they become coarser, and not with what must hold of them.
    pub(crate) fn key_of_columns(&self) -> String {
        let Ok(document) = self.document() else { return self.key() };
        let text = document.only(&["input", "attributes", "people"]);
        let is_usable = self.problems().0.is_empty();
        format!("{}\n{}\n{is_usable}\n{text}", self.table_key(), self.stamps())
    }

    /// Changes with how one column becomes coarser, whatever is declared for the others.
    pub(crate) fn key_of_hierarchy(&self, declared: Option<&str>) -> String {
        let is_usable = self.problems().0.is_empty();
        format!("{}\n{}\n{is_usable}\n{declared:?}", self.table_key(), self.stamps())
    }

    /// When the files were written that the policy names.
    fn stamps(&self) -> String {
        let stamp = |path: &String| {
            InputSpec { path: self.folder().join(path), ..InputSpec::default() }.stamp()
        };
        format!("{:?}", named_files(&self.text).iter().map(stamp).collect::<Vec<_>>())
    }
}

impl Studio {
    /// A studio for a server that listens at a port.
    ///
    /// # Errors
    /// [`StudioError`] if the folder or the file to begin with is not to be used.
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

    /// The path of an address that opens a session, once.
    pub fn entrance(&self) -> String {
        format!("/?token={}", self.guard.new_entry())
    }

    /// Opens a policy, or the policy of a table: one is proposed where there is none.
    fn begin(&self, file: &Path) -> Result<(), Refusal> {
        let not_there = |_| Refusal(texts::not_there(&file.display().to_string()));
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
            // Whether it is there already or still under way, the first page shows it.
            Err(_) => self.propose(&shown, &policy, Patience::of_start()).map(|_| ()),
        }
    }

    /// Opens a policy, as seen from the folder.
    ///
    /// # Errors
    /// [`Refusal`] if it is outside, cannot be read, or names files outside.
    pub(crate) fn open(&self, policy: &str) -> Result<(), Refusal> {
        let opened = self.try_to_open(policy);
        // A proposal that cannot be opened would be asked for again by every page that offers it.
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
            // A table read as a policy would put its cells on the page.
            return Err(Refusal(texts::not_a_policy(policy)));
        }
        let desk = Desk::open(&path, self.place.shown(&path), &WORDS)?;
        self.place.check_policy(desk.text(), desk.folder())?;
        self.forget_all();
        self.recent.add(&desk.path);
        *self.desk.lock().expect("no panic") = Some(desk);
        self.changed();
        Ok(())
    }

    /// Writes a proposed policy for a table, and opens it if it is there before the patience ends.
    ///
    /// # Errors
    /// [`Refusal`] if the table cannot be read, or something is there already.
    pub(crate) fn propose(
        &self,
        table: &str,
        policy: &str,
        patience: Patience,
    ) -> Result<Proposing, Refusal> {
        let data = self.place.existing(table)?;
        self.propose_for(InputSpec { path: data, ..InputSpec::default() }, policy, patience)
    }

    /// The same for a table of a database.
    ///
    /// # Errors
    /// As [`Studio::propose`].
    pub(crate) fn propose_database(
        &self,
        address: &str,
        table: Option<&str>,
        policy: &str,
        patience: Patience,
    ) -> Result<Proposing, Refusal> {
        let path = match address.split_once(':') {
            // What follows is a file, which has to be below the folder.
            Some((scheme @ ("sqlite" | "duckdb"), file)) => {
                format!("{scheme}:{}", self.place.existing(file)?.display())
            }
            Some((_, rest)) if rest.starts_with("//") => {
                self.place.allow(address);
                address.to_owned()
            }
            _ => return Err(Refusal(texts::NO_ADDRESS.to_owned())),
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
            return Err(Refusal(texts::not_a_policy(policy)));
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
        // Somebody else may have asked for another one meanwhile: that is theirs.
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

    /// The policy that is open, with what was changed outside; `None` where none is.
    pub(crate) fn opened(&self) -> Option<Opened> {
        let mut desk = self.desk.lock().expect("no panic");
        let desk = desk.as_mut()?;
        // A file that is gone leaves what was known of it: it can be written again.
        if desk.refresh(&WORDS).unwrap_or(false) {
            self.changed();
        }
        Some(Opened::new(desk, self.session.clone(), Arc::clone(&self.problems)))
    }

    /// Takes up what somebody else wrote to the policy, if anybody looks on.
    pub(crate) fn look_outside(&self) {
        if self.changes.receiver_count() > 0 {
            let _ = self.opened();
        }
    }

    /// What its questions are asked with.
    pub(crate) fn session(&self) -> &Session {
        &self.session
    }

    /// Forgets all answers.
    pub(crate) fn forget_all(&self) {
        self.work.forget_all();
        *self.problems.lock().expect("no panic") = None;
    }

    /// Changes the policy that is open, if it still has the version that somebody saw.
    ///
    /// # Errors
    /// [`Refusal`] if nothing is open, it was changed meanwhile, or the change is refused.
    pub(crate) fn change(
        &self,
        what: &str,
        edit: impl FnOnce(&mut Document) -> Result<(), Refusal>,
    ) -> Result<(), Refusal> {
        self.with_desk(|desk, place| {
            let folder = desk.folder().to_owned();
            desk.change(what, |text| place.check_policy(text, &folder), edit)
        })
    }

    /// Does something with the policy that is open.
    ///
    /// # Errors
    /// [`Refusal`] if nothing is open, or what `f` says.
    pub(crate) fn with_desk<T>(
        &self,
        f: impl FnOnce(&mut Desk, &Workspace) -> Result<T, Refusal>,
    ) -> Result<T, Refusal> {
        let mut desk = self.desk.lock().expect("no panic");
        let desk = desk.as_mut().ok_or_else(|| Refusal(texts::NOTHING_OPEN.to_owned()))?;
        let done = f(desk, &self.place)?;
        self.changed();
        Ok(done)
    }

    /// Reads the history of the policy that is open.
    pub(crate) fn with_steps<T>(&self, f: impl FnOnce(&History) -> T) -> Option<T> {
        self.desk.lock().expect("no panic").as_ref().map(|desk| f(&desk.history))
    }

    /// Tells everybody who looks on that something is different.
    pub(crate) fn changed(&self) {
        self.changes.send_modify(|n| *n += 1);
    }

    /// Rises with every change that pages show.
    pub(crate) fn sequence(&self) -> u64 {
        *self.changes.borrow()
    }

    /// The columns of the table that is open.
    pub(crate) fn overview(&self, opened: &Opened, patience: Patience) -> State<TableOverview> {
        let Some(spec) = opened.input() else { return State::None };
        let question = move |session: &Session| look(session, &spec, Values::Shown);
        self.work.ask(&Slot::Columns, &opened.table_key(), patience, question)
    }

    pub(crate) fn note_request(&self) {
        *self.last_request.lock().expect("no panic") = Instant::now();
    }

    /// How long nobody has asked anything, while nothing is under way.
    pub(crate) fn idle(&self) -> Duration {
        if self.work.running().is_some() {
            return Duration::ZERO;
        }
        self.last_request.lock().expect("no panic").elapsed()
    }
}

/// The name of the policy of a table.
pub(crate) fn policy_path_for(table: &str) -> String {
    let (folder, name) =
        table.rsplit_once('/').map_or(("", table), |(folder, name)| (folder, name));
    let stem = name.split('.').next().filter(|stem| !stem.is_empty()).unwrap_or("policy");
    match folder {
        "" => format!("{stem}.toml"),
        folder => format!("{folder}/{stem}.toml"),
    }
}

/// All that is wrong, in one text.
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
    fn a_policy_is_beside_its_table() {
        assert_eq!(policy_path_for("a.csv.gz"), "a.toml");
        assert_eq!(policy_path_for("b/c/d.parquet"), "b/c/d.toml");
        assert_eq!(policy_path_for(".csv"), "policy.toml");
    }
}
