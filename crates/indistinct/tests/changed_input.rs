//! Tests that a failure leaves no directory that could be mistaken for a release and does not
//! modify existing files.

mod support;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use indistinct::anonymize::{Outcome, Replace, anonymize};
use indistinct::generate::{self, Example};
use indistinct::{Error, Job, Observer, Phase, Session, Values};
use support::{Scene, assert_holds, files_of, infeasible, opened, released};

/// Returns a folder with the hospital table and its policy, including an insensitive column, so
/// that the input is read a second time.
fn hospital(rows: u64) -> (Scene, String) {
    let scene = Scene::new();
    opened(
        generate::to_files(&Example::Hospital, rows, 1, &scene.path("hospital.csv"))
            .map_err(indistinct::Error::from),
    );
    let policy = std::fs::read_to_string(scene.path("policy.toml")).expect("a policy");
    let counted = "[attributes.cost]\nrole = \"sensitive\"";
    assert!(policy.contains(counted));
    (scene, policy.replace(counted, "[attributes.cost]\nrole = \"insensitive\""))
}

fn hospital_job() -> (Scene, Job) {
    let (scene, policy) = hospital(2_000);
    let job = scene.job(&policy);
    (scene, job)
}

const BEFORE: [&str; 3] = ["hierarchies", "hospital.csv", "policy.toml"];

/// An observer that modifies the input when a phase is first reported.
struct Meddler<F> {
    phase: Phase,
    deed: Mutex<Option<F>>,
}

impl<F: FnOnce() + Send> Meddler<F> {
    fn at(phase: Phase, deed: F) -> Arc<Self> {
        Arc::new(Self { phase, deed: Mutex::new(Some(deed)) })
    }

    fn is_done(&self) -> bool {
        self.deed.lock().expect("no other thread panicked").is_none()
    }
}

impl<F: FnOnce() + Send> Observer for Meddler<F> {
    fn progress(&self, phase: Phase, _done: u64, _total: u64) {
        if phase == self.phase
            && let Some(deed) = self.deed.lock().expect("no other thread panicked").take()
        {
            deed();
        }
    }
}

/// Returns the outcome of a job with an observer.
fn released_under<T: Observer + Send + 'static>(
    job: Job,
    directory: &Path,
    observer: &Arc<T>,
) -> Result<Outcome, Error> {
    let observer = Arc::clone(observer);
    let job = job.in_session(&Session::default().with_observer(observer));
    support::anonymized(&job, directory)
}

fn code_of(error: &Error) -> String {
    error.messages(Values::Hidden).remove(0).code
}

fn rewrite(path: &Path, edit: impl Fn(&str) -> String) {
    let text = std::fs::read_to_string(path).expect("a table");
    let edited = edit(&text);
    assert_ne!(text, edited);
    std::fs::write(path, edited).expect("written");
}

/// A change of a table, with its description.
type Change = (&'static str, fn(&str) -> String);

/// Returns all kinds of changes of a table.
fn changes() -> Vec<Change> {
    fn insensitive_cell(text: &str) -> String {
        // The cost is the last column.
        let end = text.rfind(|c: char| c.is_ascii_digit()).expect("a digit");
        let other = if &text[end..=end] == "1" { "2" } else { "1" };
        format!("{}{other}{}", &text[..end], &text[end + 1..])
    }
    fn row_order(text: &str) -> String {
        let mut lines: Vec<&str> = text.lines().collect();
        lines[1..].reverse();
        lines.join("\n") + "\n"
    }
    fn one_row_less(text: &str) -> String {
        let end = text.trim_end().rfind('\n').expect("lines");
        text[..=end].to_owned()
    }
    fn one_row_more(text: &str) -> String {
        let last = text.lines().last().expect("lines").to_owned();
        format!("{text}{last}\n")
    }
    fn new_value(text: &str) -> String {
        text.to_owned() + "x,33,female,99999,French,2024-01-01,asthma,1.00\n"
    }
    fn emptied(text: &str) -> String {
        text.lines().next().expect("a header").to_owned() + "\n"
    }
    vec![
        ("a cell that was not counted", insensitive_cell),
        ("the order of rows", row_order),
        ("one row fewer", one_row_less),
        ("one row more", one_row_more),
        ("a row with a new value", new_value),
        ("no rows", emptied),
    ]
}

#[test]
fn input_changed_between_passes_leaves_no_files() {
    for (what, change) in changes() {
        let (scene, job) = hospital_job();
        let data = scene.path("hospital.csv");
        let meddler = Meddler::at(Phase::Search, move || rewrite(&data, change));
        let outcome = released_under(job, &scene.path("release"), &meddler);
        assert!(meddler.is_done(), "{what}");
        let error = outcome.expect_err(what);
        assert_eq!(code_of(&error), "E-OUTPUT-008", "{what}: {error}");
        assert!(error.to_string().contains("changed"), "{what}: {error}");
        assert_eq!(scene.names(), BEFORE, "{what}");
    }
}

#[test]
fn input_removed_between_passes_leaves_no_files() {
    let (scene, job) = hospital_job();
    let data = scene.path("hospital.csv");
    let meddler = Meddler::at(Phase::Search, move || std::fs::remove_file(&data).expect("removed"));
    let outcome = released_under(job, &scene.path("release"), &meddler);
    outcome.expect_err("the input no longer exists");
    assert_eq!(scene.names(), ["hierarchies", "policy.toml"]);
}

/// While rows are being written, the second pass may already have read the required input. The
/// release is then of the table that was counted.
#[test]
fn input_changed_while_writing_never_alters_release() {
    for (what, change) in changes() {
        let (scene, job) = hospital_job();
        let data = scene.path("hospital.csv");
        let meddler = Meddler::at(Phase::Write, move || rewrite(&data, change));
        match released_under(job, &scene.path("release"), &meddler) {
            Err(_) => assert_eq!(scene.names(), BEFORE, "{what}"),
            Ok(outcome) => {
                let claims = assert_holds(&scene.path("release")).claims.expect("rows");
                assert_eq!(claims.n_released, released(outcome).n_released, "{what}");
            }
        }
        assert!(meddler.is_done(), "{what}");
    }
}

/// An observer that cancels from the given phase on.
struct CancelAt {
    phase: Phase,
    heard: AtomicBool,
}

impl Observer for CancelAt {
    fn progress(&self, phase: Phase, _done: u64, _total: u64) {
        if phase == self.phase {
            self.heard.store(true, Ordering::SeqCst);
        }
    }

    fn is_cancelled(&self) -> bool {
        self.heard.load(Ordering::SeqCst)
    }
}

#[test]
fn cancellation_in_any_phase_leaves_no_files() {
    for phase in [Phase::Count, Phase::Search, Phase::Write] {
        let (scene, job) = hospital_job();
        let observer = Arc::new(CancelAt { phase, heard: AtomicBool::new(false) });
        let outcome = released_under(job, &scene.path("release"), &observer);
        let error = outcome.expect_err("cancelled");
        assert!(observer.is_cancelled() && error.is_cancelled(), "{phase:?}: {error:?}");
        assert_eq!(scene.names(), BEFORE, "{phase:?}");
    }
}

#[test]
fn infeasible_policy_leaves_no_files() {
    let (scene, policy) = hospital(2_000);
    let policy = policy.replace("k = 5", "k = 2001");
    let answer = infeasible(scene.outcome(&policy, "release"));
    assert_eq!(answer.n_rows, 2_000);
    let nearest = answer.nearest().expect("the answer contains the nearest recoding");
    assert!(nearest.n_failing_rows > answer.n_suppressible);
    assert_eq!(scene.names(), BEFORE);
}

#[test]
fn only_forced_releases_replace_existing_releases() {
    let (scene, policy) = hospital(2_000);
    let job = scene.job(&policy);
    let directory = scene.path("release");
    released(opened(anonymize(&job, &directory, Replace::Forbid)));
    let private = scene.path("release.private");
    let (old, old_private) = (files_of(&directory), files_of(&private));
    let all = scene.names();
    let assert_untouched = |what: &str| {
        assert!(files_of(&directory) == old && files_of(&private) == old_private, "{what}");
        assert_eq!(scene.names(), all, "{what}");
    };

    let error =
        anonymize(&job, &directory, Replace::Forbid).expect_err("the directory already exists");
    assert!(matches!(&error, Error::Engine(_)) && error.to_string().contains("exists"), "{error}");
    assert_untouched("without force");

    for phase in [Phase::Count, Phase::Search, Phase::Write] {
        let observer = CancelAt { phase, heard: AtomicBool::new(false) };
        let job = scene.job(&policy);
        let job = job.in_session(&Session::default().with_observer(Arc::new(observer)));
        let outcome = anonymize(&job, &directory, Replace::Force);
        assert!(outcome.expect_err("cancelled").is_cancelled());
        assert_untouched("cancelled");
    }
    let impossible = scene.job(&policy.replace("k = 5", "k = 2001"));
    infeasible(opened(anonymize(&impossible, &directory, Replace::Force)));
    assert_untouched("infeasible");

    let coarser = scene.job(&policy.replace("k = 5", "k = 50"));
    released(opened(anonymize(&coarser, &directory, Replace::Force)));
    assert_holds(&directory);
    assert_eq!(scene.names(), all);
    assert!(files_of(&directory)["policy.toml"] != old["policy.toml"]);
    assert!(files_of(&private) != old_private);
}

#[test]
fn folder_without_release_is_not_replaced() {
    let (scene, job) = hospital_job();
    let directory = scene.path("hierarchies");
    let old = files_of(&directory);
    anonymize(&job, &directory, Replace::Force).expect_err("the directory is not a release");
    assert_eq!(files_of(&directory), old);
    assert_eq!(scene.names(), BEFORE);
}

const FULL_DISK: &str = "INDISTINCT_TEST_FULL_DISK";

/// Run by the test below in a process that may write only small files.
#[test]
fn child_with_file_size_limit() {
    let Some(folder) = std::env::var_os(FULL_DISK).map(PathBuf::from) else { return };
    let job = opened(Session::default().open(&folder.join("policy.toml"), None));
    match anonymize(&job, &folder.join("release"), Replace::Force) {
        Ok(Outcome::Released(_)) => println!("answer: released"),
        Ok(Outcome::Infeasible(_)) => println!("answer: infeasible"),
        Err(error) => println!("answer: {} {error}", code_of(&error)),
    }
}

/// Runs the child with a file size limit, which makes the operating system reject writes as on a
/// full disk. The limit is in blocks of 512 bytes for each file.
fn answer_with_limit(scene: &Scene, blocks: &str) -> String {
    let this = std::env::current_exe().expect("a test binary");
    let output = Command::new("sh")
        .args(["-c", "trap '' XFSZ; ulimit -f \"$1\"; shift; exec \"$@\"", "sh", blocks])
        .arg(this)
        .args(["--exact", "child_with_file_size_limit", "--nocapture", "--test-threads=1"])
        .env(FULL_DISK, scene.folder())
        .output()
        .expect("a shell");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{text}{}", String::from_utf8_lossy(&output.stderr));
    let at =
        text.find("answer: ").unwrap_or_else(|| panic!("the output contains no answer: {text}"));
    text[at + 8..].lines().next().expect("a line").to_owned()
}

#[test]
fn full_disk_leaves_no_files() {
    for order in ["shuffled", "sorted"] {
        for format in ["csv", "parquet"] {
            let (scene, policy) = hospital(20_000);
            let policy = policy
                .replace("row_order = \"shuffled\"", &format!("row_order = \"{order}\""))
                .replace("format = \"csv\"", &format!("format = \"{format}\""));
            scene.write("policy.toml", &policy);
            for blocks in ["0", "1", "16", "64"] {
                let answer = answer_with_limit(&scene, blocks);
                let is_write =
                    ["E-OUTPUT-006", "E-OUTPUT-007"].iter().any(|code| answer.starts_with(code));
                assert!(is_write, "{order} {format} {blocks}: {answer}");
                assert_eq!(scene.names(), BEFORE, "{order} {format} {blocks}: {answer}");
            }
            assert_eq!(answer_with_limit(&scene, "unlimited"), "released");
            let directory = scene.path("release");
            let old = files_of(&directory);
            assert!(answer_with_limit(&scene, "16").starts_with("E-"));
            assert!(files_of(&directory) == old, "the old release remains unchanged");
            assert_eq!(scene.names().len(), BEFORE.len() + 2);
        }
    }
}
