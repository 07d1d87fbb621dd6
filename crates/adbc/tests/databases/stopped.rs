//! Interrupted runs leave the complete old release or the complete new release, and no other
//! tables.

use std::process::Command;
use std::sync::{Arc, Mutex};

use indistinct::anonymize::Replace;
use indistinct_adbc::Step;

use crate::server::{Scene, Server, all, postgresql, quoted, sqlite, unique};
use crate::{code, databases, people, released, verified};

fn policy(server: &Server, table: &str, target: &str, k: usize) -> String {
    let input = format!("path = '{}'\ntable = '{table}'", server.address);
    let policy = people::policy(&input, &format!("table = \"{target}\""), "identifier");
    policy.replace("k = 5", &format!("k = {k}"))
}

/// Verifies the current release and returns its `k`.
pub fn in_place(server: &Server, target: &str) -> Option<u64> {
    if !server.has(target) {
        return None;
    }
    let verified = verified(&server.address, target).expect("a release");
    assert!(verified.holds, "{:?}", verified.checks);
    let claims = verified.claims.expect("claims");
    Some(if claims.smallest_class >= Some(25) { 25 } else { 5 })
}

/// Returns the remaining staging tables.
pub fn residual_metadata(server: &Server) -> Vec<Vec<String>> {
    let schema = match server.name {
        "SQLite" => "SELECT name FROM sqlite_master WHERE name LIKE 'indistinct_staging%'",
        _ => {
            "SELECT table_name FROM information_schema.tables WHERE table_name LIKE \
             'indistinct_staging%'"
        }
    };
    server.rows(schema)
}

/// How a run is interrupted.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Way {
    /// The process is killed.
    Killed,
    /// The database terminates the connection.
    Cut,
    /// The server is stopped and restarted.
    Restarted,
}

const STEP: &str = "INDISTINCT_TEST_STEP";

/// Entry point of the process that is killed. Without a step in the environment, the test does
/// nothing.
#[test]
fn aborted_run_entry_point() {
    let Ok(step) = std::env::var(STEP) else { return };
    let step = Step::ALL[step.parse::<usize>().expect("a number")];
    let [policy, directory] = ["INDISTINCT_TEST_POLICY", "INDISTINCT_TEST_DIRECTORY"]
        .map(|name| std::env::var(name).expect("set"));
    let engine = databases().hearing(move |at| {
        if at == step {
            std::process::abort();
        }
    });
    let _ = released(engine, policy.as_ref(), directory.as_ref(), Replace::Force);
}

fn stop(
    server: &Server,
    way: Way,
    step: Step,
    policy: &std::path::Path,
    directory: &std::path::Path,
) {
    match way {
        Way::Killed => {
            let at = Step::ALL.iter().position(|it| *it == step).expect("a step");
            let status = Command::new(std::env::current_exe().expect("this test"))
                .args(["stopped::aborted_run_entry_point", "--exact", "--test-threads", "1"])
                .env(STEP, at.to_string())
                .env("INDISTINCT_TEST_POLICY", policy)
                .env("INDISTINCT_TEST_DIRECTORY", directory)
                .output()
                .expect("the command can be started");
            assert!(!status.status.success(), "the process was killed");
        }
        Way::Cut | Way::Restarted => {
            let cut = match way {
                Way::Cut => None,
                _ => Some(
                    std::env::var("INDISTINCT_TEST_RESTART")
                        .expect("the test script sets the variable"),
                ),
            };
            // The connection is separate from the run because the driver is loaded only once for
            // all tests.
            let killer = postgresql().expect("PostgreSQL is available");
            let application = unique("run");
            let at = Mutex::new(false);
            let heard = application.clone();
            let engine = databases().hearing(move |now| {
                let mut done = at.lock().expect("not poisoned");
                if now == step && !*done {
                    *done = true;
                    match &cut {
                        None => killer.run(&[&format!(
                            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE \
                             application_name = '{heard}'"
                        )]),
                        Some(command) => {
                            let status = Command::new("bash").args(["-c", command]).status();
                            assert!(status.expect("the command can be started").success());
                        }
                    }
                }
            });
            let text = std::fs::read_to_string(policy).expect("the policy");
            let named = format!("{}?application_name={application}", server.address);
            let text = text.replace(&format!("'{}'", server.address), &format!("'{named}'"));
            let policy = policy.with_extension("cut.toml");
            std::fs::write(&policy, text).expect("written");
            let _ = released(engine, &policy, directory, Replace::Force);
        }
    }
}

/// Interrupts runs at every step: the current release is always complete, and the next run
/// publishes the new release.
fn stopped_everywhere(server: &Server, way: Way) {
    let scene = Scene::new();
    let table = unique("people");
    people::load(server, &table, 600);
    for earlier in [false, true] {
        for step in Step::ALL {
            let target = unique("released");
            let (old, new) =
                (policy(server, &table, &target, 5), policy(server, &table, &target, 25));
            let (old, new) = (scene.write("old.toml", &old), scene.write("new.toml", &new));
            let directory = scene.path(&target);
            if earlier {
                released(databases(), &old, &directory, Replace::Forbid).expect("released");
            }
            let before = if earlier { Some(5) } else { None };
            assert_eq!(in_place(server, &target), before);
            stop(server, way, step, &new, &directory);
            let expected = if step == Step::Committed { Some(25) } else { before };
            assert_eq!(in_place(server, &target), expected, "{} {way:?} {step:?}", server.name);
            assert_eq!(
                residual_metadata(server),
                Vec::<Vec<String>>::new(),
                "{} {way:?} {step:?}",
                server.name
            );
            released(databases(), &new, &directory, Replace::Force).expect("the next run succeeds");
            assert_eq!(in_place(server, &target), Some(25));
            for gone in [target.clone(), format!("{target}_certificate")] {
                server.run(&[&format!("DROP TABLE {}", quoted(&gone))]);
            }
        }
    }
}

#[test]
fn killed_run_leaves_a_complete_release() {
    for server in all() {
        stopped_everywhere(&server, Way::Killed);
    }
}

#[test]
fn lost_connection_leaves_a_complete_release() {
    if let Some(server) = postgresql() {
        stopped_everywhere(&server, Way::Cut);
    }
}

/// This test requires a separate process because it stops the server for all other tests.
#[test]
#[ignore = "restarts the server, so .ci/databases runs this test separately"]
fn server_restart_leaves_a_complete_release() {
    if let Some(server) = postgresql() {
        stopped_everywhere(&server, Way::Restarted);
    }
}

#[test]
fn concurrent_table_changes_are_detected() {
    for others in ["identifier", "insensitive"] {
        for server in [postgresql(), sqlite()].into_iter().flatten() {
            let scene = Scene::new();
            let (table, target) = (unique("people"), unique("released"));
            people::load(&server, &table, 600);
            let input = format!("path = '{}'\ntable = '{table}'", server.address);
            let policy = people::policy(&input, &format!("table = \"{target}\""), others);
            let policy = scene.write("policy.toml", &policy);
            let name = server.name;
            let (address, changed) = (server.address.clone(), table.clone());
            let engine = databases().hearing(move |step| {
                if step == Step::Connected {
                    let other = if name == "PostgreSQL" { postgresql() } else { None };
                    let change =
                        format!("UPDATE {changed} SET disease = 'flu' WHERE disease = 'HIV'");
                    match other {
                        Some(other) => other.run(&[&change]),
                        None => {
                            let path = address.strip_prefix("sqlite:").expect("a file");
                            let connection = rusqlite::Connection::open(path).expect("opened");
                            connection.execute(&change, []).expect("changed");
                        }
                    }
                }
            });
            let created = released(engine, &policy, &scene.path("r"), Replace::Forbid);
            match others {
                // The certified rows have been sent, so later changes of the table have no effect.
                "identifier" => assert!(created.is_ok(), "{name}: {}", code(created)),
                // The connection that writes reads the snapshot that was counted.
                _ if name == "PostgreSQL" => {
                    assert!(created.is_ok(), "{name}: {}", code(created));
                    assert!(verified(&server.address, &target).expect("verified").holds);
                }
                _ => {
                    assert_eq!(code(created), "E-DATABASE-016", "{name}");
                    assert!(!server.has(&target) && !scene.path("r").exists());
                }
            }
        }
    }
}

#[test]
fn busy_table_is_released_with_pass_through_columns() {
    let Some(server) = postgresql() else { return };
    let scene = Scene::new();
    let (table, target) = (unique("people"), unique("released"));
    people::load(&server, &table, 600);
    let input = format!("path = '{}'\ntable = '{table}'", server.address);
    let policy = people::policy(&input, &format!("table = \"{target}\""), "insensitive");
    let policy = scene.write("policy.toml", &policy);
    let is_over = std::sync::atomic::AtomicBool::new(false);
    let over = std::sync::atomic::Ordering::Relaxed;
    let n_rows = |table: &str| -> u64 {
        server.rows(&format!("SELECT count(*) FROM {table}"))[0][0].parse().expect("a count")
    };
    let created = std::thread::scope(|scope| {
        scope.spawn(|| {
            while !is_over.load(over) {
                server.run(&[&format!("INSERT INTO {table} SELECT * FROM {table} LIMIT 5")]);
            }
        });
        while n_rows(&table) == 600 {}
        let created = released(databases(), &policy, &scene.path("r"), Replace::Forbid);
        is_over.store(true, over);
        created
    });
    let created = created.expect("released");
    assert!(n_rows(&table) > created.n_rows, "the table changes during the run");
    assert_eq!(n_rows(&target), created.n_released);
    assert!(verified(&server.address, &target).expect("verified").holds);
}

const SECOND: &str = "INDISTINCT_TEST_SECOND";

/// Entry point of the second of two concurrent processes. Without a policy in the environment, the
/// test does nothing.
#[test]
fn concurrent_run_entry_point() {
    let Ok(policy) = std::env::var(SECOND) else { return };
    let directory = std::path::Path::new(&policy).with_extension("second");
    let second = released(databases(), policy.as_ref(), &directory, Replace::Force);
    println!("the second run: {}", code(second));
    assert!(!directory.exists());
}

#[test]
fn second_concurrent_run_is_rejected() {
    for server in all() {
        let scene = Scene::new();
        let (table, target) = (unique("people"), unique("released"));
        people::load(&server, &table, 600);
        let path = scene.write("policy.toml", &policy(&server, &table, &target, 5));
        let (inner, message) = (path.clone(), Arc::new(Mutex::new(String::new())));
        let heard = Arc::clone(&message);
        let engine = databases().hearing(move |step| {
            if step == Step::Staged {
                let second = Command::new(std::env::current_exe().expect("this test"))
                    .args(["stopped::concurrent_run_entry_point", "--exact", "--nocapture"])
                    .env(SECOND, &inner)
                    .output()
                    .expect("the command can be started");
                *heard.lock().expect("not poisoned") =
                    String::from_utf8_lossy(&second.stdout).into_owned();
            }
        });
        released(engine, &path, &scene.path("first"), Replace::Force)
            .expect("the first run succeeds");
        let message = message.lock().expect("not poisoned");
        assert!(message.contains("the second run: E-DATABASE-015"), "{}: {message}", server.name);
        assert_eq!(in_place(&server, &target), Some(5));
    }
}

/// Cancels after a timeout.
#[derive(Debug)]
struct Impatient(std::time::Instant);

impl indistinct::Observer for Impatient {
    fn is_cancelled(&self) -> bool {
        self.0.elapsed().as_millis() > 700
    }
}

#[test]
fn cancellation_stops_running_query() {
    // The query generates rows for a long time, and returns none of them before all are counted.
    for server in [postgresql(), crate::server::duckdb()].into_iter().flatten() {
        let numbers = match server.name {
            "PostgreSQL" => "generate_series(1, 2000000000) AS r(i)",
            _ => "range(2000000000000) AS r(i)",
        };
        server.run(&[&format!(
            "CREATE VIEW endless AS SELECT i % 7 AS age, i % 3 AS ward, md5(CAST(i AS \
             VARCHAR(30))) AS digest FROM {numbers}"
        )]);
        let scene = Scene::new();
        let policy = format!(
            "version = 1\n[input]\npath = '{}'\ntable = 'endless'\n[attributes.age]\nrole = \"quasi-identifier\"\n\
             [attributes.ward]\nrole = \"quasi-identifier\"\n[attributes.digest]\nrole = \"identifier\"\n\
             [[principles]]\nkind = \"k-anonymity\"\nk = 2\n",
            server.address
        );
        let policy = scene.write("policy.toml", &policy);
        let begin = std::time::Instant::now();
        let session = crate::session().with_observer(Arc::new(Impatient(begin)));
        let job = session.open(&policy, None).expect("opened");
        let stopped = indistinct::anonymize::anonymize(&job, &scene.path("r"), Replace::Forbid);
        let error = stopped.expect_err("the run was stopped");
        assert!(error.is_cancelled(), "{}: {error}", server.name);
        assert!(begin.elapsed().as_secs() < 30, "{}: {:?}", server.name, begin.elapsed());
    }
}
