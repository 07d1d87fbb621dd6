//! Runs the commands of docs/cluster.md with the actual program.

use std::process::Command;

use crate::machines::{Machines, program};
use crate::{Scene, people};

fn run(command: &mut Command) -> String {
    let done = command.output().expect("it starts");
    let message = String::from_utf8_lossy(&done.stdout).into_owned();
    assert!(done.status.success(), "{message}{}", String::from_utf8_lossy(&done.stderr));
    message
}

#[test]
fn anonymize_and_verify_on_a_cluster() {
    let machines = Machines::start();
    let scene = Scene::new();
    people::parquet(&scene.path("visits.parquet"), &people::batch(0..1_000));
    let address = scene.address(&machines.scheduler);
    let policy = people::policy(
        &format!("path = '{address}'\ntable = 'visits.parquet'"),
        "table = 'visits_released'",
        "insensitive",
    );
    scene.write("policy.toml", &policy);
    let here = |words: &[&str]| run(program().args(words).current_dir(scene.path("")));
    here(&["init", &address, "--table", "visits.parquet", "-o", "first.toml"]);
    assert!(
        std::fs::read_to_string(scene.path("first.toml")).expect("a policy").contains(&address)
    );
    here(&["anonymize", "policy.toml", "-o", "release"]);
    here(&["verify", &address, "--table", "visits_released"]);
    assert!(run(program().arg("--help")).contains("scheduler"));
    assert!(run(program().args(["executor", "--help"])).contains("--memory"));
}
