//! Tests of killed executors and canceled jobs.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use indistinct::anonymize::Replace;
use indistinct::{Error, Observer};

use crate::machines::{Machines, WITHIN, files_below};
use crate::{Scene, claims, code, files, people, released, released_hearing, verified};

/// The number of files, large enough to kill an executor during its work.
const N_FILES: usize = 8;
const N_OF_FILE: usize = 30_000;

fn load(scene: &Scene) {
    std::fs::create_dir(scene.path("people")).expect("made");
    for n in 0..N_FILES {
        let batch = people::batch(n * N_OF_FILE..(n + 1) * N_OF_FILE);
        people::parquet(&scene.path("people").join(format!("part-{n}.parquet")), &batch);
    }
}

/// Whether a folder contains intermediate results.
fn has_results(work: &Path) -> bool {
    files_below(work).iter().any(|path| path.extension().is_none_or(|it| it != "lock"))
}

/// Waits for an event that must occur before the whole operation has finished.
fn wait_until(has_begun: impl Fn() -> bool, is_over: impl Fn() -> bool) {
    let until = Instant::now() + WITHIN;
    while !has_begun() {
        assert!(Instant::now() < until && !is_over(), "the program did not start");
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn killed_executor_does_not_change_release() {
    let mut machines = Machines::start();
    let scene = Scene::new();
    load(&scene);
    let policy = people::policy("path = \"people\"", "format = \"parquet\"", "insensitive");
    released(&scene.write("file.toml", &policy), &scene.path("file")).expect("released");
    let input = scene.input(&machines.scheduler, "people");
    let policy = people::policy(&input, "table = \"released\"", "insensitive");
    let policy = scene.write("cluster.toml", &policy);
    let directory = scene.path("cluster");
    std::thread::scope(|scope| {
        let making = scope.spawn(|| released(&policy, &directory));
        // Kill the executor as soon as it has intermediate results that other tasks need.
        wait_until(|| has_results(&machines.work(2)), || making.is_finished());
        machines.kill(2);
        making.join().expect("no panic").expect("released");
    });
    let claimed = |folder: &str| claims(&files(&scene.path(folder))["certificate.json"]);
    assert_eq!(claimed("cluster"), claimed("file"));
    let there = verified(&scene.address(&machines.scheduler), "released").expect("verified");
    assert!(there.holds, "{:?}", there.checks);
    assert!(machines.is_clean(1));
    // A new executor on the same machine removes the results of the killed one.
    machines.start_executor(2);
    assert!(machines.is_clean(2));
    // An executor that exits regularly also removes its folder.
    machines.end(1);
    assert_eq!(std::fs::read_dir(machines.work(1)).expect("a folder").count(), 0);
    let left: Vec<String> = scene.names().into_iter().filter(|it| it.starts_with('.')).collect();
    assert!(left.is_empty(), "{left:?}");
}

#[test]
fn unknown_job_restarts_on_new_scheduler() {
    let (machines, address, second) = Machines::with_two_schedulers();
    let scene = Scene::new();
    load(&scene);
    let policy = |input: &str| people::policy(input, "", "identifier");
    released(&scene.write("file.toml", &policy("path = \"people\"")), &scene.path("file"))
        .expect("released");
    let input = scene.input(&machines.scheduler, "people");
    let cluster = scene.write("cluster.toml", &policy(&input));
    let directory = scene.path("cluster");
    std::thread::scope(|scope| {
        let making = scope.spawn(|| released(&cluster, &directory));
        wait_until(
            || [1, 2].iter().any(|&n| has_results(&machines.work(n))),
            || making.is_finished(),
        );
        address.lead_to(&second);
        making.join().expect("no panic").expect("released");
    });
    assert_eq!(files(&directory), files(&scene.path("file")));
    assert!(machines.is_clean(1) && machines.is_clean(2));
}

/// An observer that requests cancellation on demand.
#[derive(Default)]
struct Stopped(AtomicBool);

impl Observer for Stopped {
    fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Acquire)
    }
}

#[test]
fn cancelled_job_leaves_no_files() {
    let machines = Machines::start();
    let scene = Scene::new();
    load(&scene);
    let input = scene.input(&machines.scheduler, "people");
    let policy = people::policy(&input, "table = \"released\"", "insensitive");
    let policy = scene.write("cluster.toml", &policy);
    let directory = scene.path("cluster");
    // Cancel once during counting, and once while rows are written.
    for is_in_recode in [false, true] {
        let stopped = Arc::new(Stopped::default());
        std::thread::scope(|scope| {
            let making = scope.spawn(|| {
                released_hearing(&policy, &directory, Replace::Forbid, Arc::clone(&stopped))
            });
            let begun = || match is_in_recode {
                false => [1, 2].iter().any(|&n| has_results(&machines.work(n))),
                true => scene.names().iter().any(|name| name.contains("indistinct-staging")),
            };
            wait_until(begun, || making.is_finished());
            stopped.0.store(true, Ordering::Release);
            let begun = Instant::now();
            let created = making.join().expect("no panic");
            assert!(matches!(created, Err(Error::Cancelled)), "{}", code(created));
            assert!(begun.elapsed() < Duration::from_secs(20), "{:?}", begun.elapsed());
        });
        assert_eq!(scene.names(), ["cluster.toml", "people"]);
        assert!(machines.is_clean(1) && machines.is_clean(2));
    }
}
