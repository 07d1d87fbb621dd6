//! Runs that are interrupted while a statement waits for another user leave the old release in
//! place and no other tables.

use std::path::Path;
use std::process::{Child, Command};
use std::time::{Duration, Instant};

use indistinct::anonymize::Replace;
use indistinct_adbc::Step;

use crate::server::{Scene, Server, postgresql, quoted, unique};
use crate::stopped::{in_place, residual_metadata};
use crate::{databases, people, released};

const STEP: &str = "INDISTINCT_TEST_BEFORE";
const POLICY: &str = "INDISTINCT_TEST_POLICY";
const DIRECTORY: &str = "INDISTINCT_TEST_DIRECTORY";

/// Statement at which the run is blocked.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Middle {
    /// The first statement that reads the table for the released rows is blocked by another user's
    /// lock.
    Recoding,
    /// The statement that removes the old release is blocked because another user is reading the
    /// release.
    Clearing,
}

impl Middle {
    /// Returns the step before the blocked statement.
    fn before(self) -> Step {
        match self {
            Self::Recoding => Step::Claimed,
            Self::Clearing => Step::Judged,
        }
    }

    fn held_by(self, table: &str, target: &str) -> String {
        match self {
            Self::Recoding => format!("LOCK TABLE {} IN ACCESS EXCLUSIVE MODE", quoted(table)),
            Self::Clearing => format!("LOCK TABLE {} IN ACCESS SHARE MODE", quoted(target)),
        }
    }
}

/// How a run is interrupted.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Way {
    Killed,
    Cut,
    Restarted,
}

/// Entry point of the process that is interrupted, which waits before a step until it may continue.
/// Without a step in the environment, the test does nothing.
#[test]
fn interrupted_run_entry_point() {
    let Ok(step) = std::env::var(STEP) else { return };
    let step = Step::ALL[step.parse::<usize>().expect("a number")];
    let [policy, directory] = [POLICY, DIRECTORY].map(|name| std::env::var(name).expect("set"));
    let marker = Path::new(&policy).with_extension("");
    let engine = databases().hearing(move |at| {
        if at == step {
            std::fs::write(marker.with_extension("reached"), "").expect("written");
            until("the process may continue", || marker.with_extension("go").exists());
        }
    });
    let stopped = released(engine, policy.as_ref(), directory.as_ref(), Replace::Force);
    assert!(stopped.is_err(), "the run was stopped");
}

fn until(what: &str, is_so: impl Fn() -> bool) {
    let begin = Instant::now();
    while !is_so() {
        assert!(begin.elapsed() < Duration::from_secs(50), "{what}: not after 50 s");
        std::thread::sleep(Duration::from_millis(20));
    }
}

fn started(step: Step, policy: &Path, directory: &Path) -> Child {
    let at = Step::ALL.iter().position(|it| *it == step).expect("a step");
    Command::new(std::env::current_exe().expect("this test"))
        .args(["midway::interrupted_run_entry_point", "--exact", "--test-threads", "1"])
        .env(STEP, at.to_string())
        .env(POLICY, policy)
        .env(DIRECTORY, directory)
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::null())
        .spawn()
        .expect("the command can be started")
}

fn stopped_midway(server: &Server, way: Way) {
    let scene = Scene::new();
    let table = unique("people");
    people::load(server, &table, 600);
    for middle in [Middle::Recoding, Middle::Clearing] {
        let (target, application) = (unique("released"), unique("midway"));
        let policy = |address: &str, k: usize| {
            let input = format!("path = '{address}'\ntable = '{table}'");
            let output = format!("table = \"{target}\"");
            people::policy(&input, &output, "insensitive").replace("k = 5", &format!("k = {k}"))
        };
        let old = scene.write(&format!("{target}_old.toml"), &policy(&server.address, 5));
        let named = format!("{}?application_name={application}", server.address);
        let new = scene.write(&format!("{target}.toml"), &policy(&named, 25));
        let directory = scene.path(&target);
        released(databases(), &old, &directory, Replace::Forbid).expect("released");

        let mut run = started(middle.before(), &new, &directory);
        until("the step is reached", || scene.path(&format!("{target}.reached")).exists());
        let held = server.holding(&middle.held_by(&table, &target));
        std::fs::write(scene.path(&format!("{target}.go")), "").expect("written");
        let of_run = |condition: &str| {
            let known = format!(
                "SELECT 1 AS n FROM pg_stat_activity WHERE application_name = \
                 '{application}'{condition}"
            );
            !server.rows(&known).is_empty()
        };
        until("the statement waits for a lock", || of_run(" AND wait_event_type = 'Lock'"));
        match way {
            Way::Killed => run.kill().expect("killed"),
            Way::Cut => server.run(&[&format!(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = \
                 '{application}'"
            )]),
            Way::Restarted => {
                let command = std::env::var("INDISTINCT_TEST_RESTART")
                    .expect("the test script sets the variable");
                let status = Command::new("bash").args(["-c", &command]).status();
                assert!(status.expect("the command can be started").success());
            }
        }
        let status = run.wait().expect("the command ends");
        assert_eq!(status.success(), way != Way::Killed, "{middle:?} {way:?}");
        drop(held);
        // The server detects the closed connection only when its statement continues.
        until("the server has ended the statement", || !of_run(""));
        assert_eq!(in_place(server, &target), Some(5), "{middle:?} {way:?}");
        assert_eq!(residual_metadata(server), Vec::<Vec<String>>::new(), "{middle:?} {way:?}");
        released(databases(), &new, &directory, Replace::Force).expect("the next run");
        assert_eq!(in_place(server, &target), Some(25));
    }
}

#[test]
fn killed_run_preserves_old_release() {
    if let Some(server) = postgresql() {
        stopped_midway(&server, Way::Killed);
    }
}

#[test]
fn lost_connection_preserves_old_release() {
    if let Some(server) = postgresql() {
        stopped_midway(&server, Way::Cut);
    }
}

/// This test requires a separate process because it stops the server for all other tests.
#[test]
#[ignore = "restarts the server, so .ci/databases runs this test separately"]
fn server_restart_preserves_old_release() {
    if let Some(server) = postgresql() {
        stopped_midway(&server, Way::Restarted);
    }
}
