//! Tests that a canceled request, at whatever check, returns no answer and leaves no files.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use indistinct::anonymize::{Replace, anonymize};
use indistinct::attack::{AttackRequest, Prior, attack};
use indistinct::verify::verify;
use indistinct::{Error, Observer, Phase, Session};

use super::support::{Scene, opened};
use super::{DISTINCT, K, NEAR, TAU, policy, scene};

/// An observer that counts the cancellation checks, in total and since rows were last written, and
/// cancels from a given check on.
struct Counting {
    n_requests: AtomicUsize,
    since_written: AtomicUsize,
    no_from: usize,
}

impl Counting {
    /// Creates the observer together with a session that it observes.
    fn new(no_from: usize) -> (Arc<Self>, Session) {
        let (n_requests, since_written) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let counting = Arc::new(Self { n_requests, since_written, no_from });
        let observer = Arc::clone(&counting);
        (counting, Session::default().with_observer(observer))
    }

    fn n_requests(&self) -> usize {
        self.n_requests.load(Ordering::SeqCst)
    }

    /// Whether a check returned that the request is canceled.
    fn said_so(&self) -> bool {
        self.n_requests() > self.no_from
    }
}

impl Observer for Counting {
    fn progress(&self, phase: Phase, _done: u64, _total: u64) {
        if phase == Phase::Write {
            self.since_written.store(0, Ordering::SeqCst);
        }
    }

    fn is_cancelled(&self) -> bool {
        self.since_written.fetch_add(1, Ordering::SeqCst);
        self.n_requests.fetch_add(1, Ordering::SeqCst) >= self.no_from
    }
}

/// Runs a request with observers that cancel at different checks, and asserts that each canceled
/// request fails. Returns the total number of checks.
fn stopped_everywhere<T>(what: &str, ask: &dyn Fn(&Session) -> Result<T, Error>) -> usize {
    let (all, session) = Counting::new(usize::MAX);
    drop(opened(ask(&session)));
    let n = all.n_requests();
    for no_from in (0..n).step_by(n.div_ceil(50)).chain([n - 1]) {
        let (observer, session) = Counting::new(no_from);
        let answer = ask(&session);
        if observer.said_so() {
            let error = answer.err().unwrap_or_else(|| {
                panic!("{what}: an answer despite cancellation from check {no_from} of {n}")
            });
            assert!(
                error.is_cancelled(),
                "{what}: cancelled from check {no_from} of {n}: {error:?}"
            );
        }
    }
    n
}

#[test]
fn cancelled_attack_returns_no_answer() {
    let numbers = "method = \"multidimensional\"\nseed = 3";
    let levels = "method = \"full-domain\"\nseed = 3";
    let sweep = "method = \"sweep\"\nseed = 3";
    let noise = "method = \"perturbation\"\ndomain = { min = 0, max = 5000, step = 1 }\nseed = 3";
    for (sensitive, principles, recoding, n_attacks) in [
        ("cost", NEAR, numbers, 5),
        ("disease", DISTINCT, levels, 5),
        ("disease", TAU, sweep, 5),
        ("disease", K, numbers, 5),
        ("cost", NEAR, noise, 1),
    ] {
        let scene = scene(60);
        let (directory, _) = scene.release(&policy(sensitive, principles, recoding, ""), "out");
        let original = scene.path("table.csv");
        let n_requests = AttackRequest {
            original: Some((&original).into()),
            register: Some((&original).into()),
            prior: Some(Prior { table: (&original).into(), weight: None }),
            worlds: Some(3),
            ..AttackRequest::default()
        };
        let n_classes =
            opened(attack(&Session::default(), &directory, &n_requests)).n_classes as usize;
        let what = format!("{sensitive}: {recoding}");
        let n = stopped_everywhere(&what, &|session| attack(session, &directory, &n_requests));
        assert!(
            n > n_attacks * n_classes,
            "{what}: {n} cancellation checks for {n_classes} classes"
        );
    }
}

#[test]
fn cancelled_verify_returns_no_answer() {
    let scene = scene(150);
    let recoding = "method = \"multidimensional\"\nseed = 3";
    let (directory, released) = scene.release(&policy("disease", DISTINCT, recoding, ""), "out");
    let n = stopped_everywhere("verify", &|session| verify(session, &directory, None));
    let n_classes = released.n_classes as usize;
    assert!(n > n_classes && n_classes > 10, "{n} cancellation checks for {n_classes} classes");
}

fn names(scene: &Scene) -> Vec<String> {
    scene.names().into_iter().filter(|name| name != "policy.toml").collect()
}

#[test]
fn cancelled_release_leaves_no_files() {
    let scene = scene(150);
    let recoding = "method = \"multidimensional\"\nseed = 3";
    let mut job = scene.job(&policy("disease", DISTINCT, recoding, ""));
    let directory = scene.path("release");
    let (all, session) = Counting::new(usize::MAX);
    job = job.in_session(&session);
    opened(anonymize(&job, &directory, Replace::Forbid));
    let n_classes =
        opened(attack(&Session::default(), &directory, &AttackRequest::default())).n_classes;
    // The public and the private report are written after the rows.
    let since_written = all.since_written.load(Ordering::SeqCst);
    assert!(
        since_written as u64 > n_classes,
        "{since_written} cancellation checks after writing the rows, {n_classes} classes"
    );
    for part in ["release", "release.private"] {
        std::fs::remove_dir_all(scene.path(part)).expect("there");
    }
    let before = names(&scene);
    let n = all.n_requests();
    for no_from in (n.saturating_sub(since_written)..n).chain((0..n).step_by(n.div_ceil(20))) {
        let (observer, session) = Counting::new(no_from);
        job = job.in_session(&session);
        let answer = anonymize(&job, &directory, Replace::Force);
        if observer.said_so() {
            let error = answer.err().unwrap_or_else(|| {
                panic!("a release despite cancellation from check {no_from} of {n}")
            });
            assert!(error.is_cancelled(), "cancelled from check {no_from} of {n}: {error:?}");
            assert_eq!(names(&scene), before, "cancelled from check {no_from} of {n}");
        }
        for part in ["release", "release.private"] {
            let _ = std::fs::remove_dir_all(scene.path(part));
        }
    }
}
