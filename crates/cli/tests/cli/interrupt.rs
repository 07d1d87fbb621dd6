//! Tests of Ctrl-C: the program exits with status 130 and leaves no files, whatever it is doing.
//! During a search, the first Ctrl-C requests the best recoding so far.

use std::io::{BufRead, BufReader, Read};
use std::process::{Child, ChildStderr, Command, Stdio};

use crate::folder::{BINARY, Folder};

/// Enough rows to interrupt every phase before it ends.
const ROWS: u64 = 400_000;

fn interrupt(child: &Child) {
    let signal = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(signal.expect("kill runs").success(), "{BINARY} still ran");
}

/// Reads messages of the binary until a line contains a string.
fn read_until(stderr: &mut BufReader<ChildStderr>, text: &str) {
    let mut line = String::new();
    while !line.contains(text) {
        line.clear();
        let n_bytes = stderr.read_line(&mut line).expect("text");
        assert!(n_bytes > 0, "the process ended before it printed '{text}'");
    }
}

/// Starts `anonymize`, and waits until a message announces a phase.
fn started(folder: &Folder, options: &[&str], phase: &str) -> (Child, BufReader<ChildStderr>) {
    let mut child = folder
        .process(&[&["-v"], options, &["anonymize", "policy.toml", "-o", "release"]].concat())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts");
    let mut stderr = BufReader::new(child.stderr.take().expect("standard error"));
    read_until(&mut stderr, &format!("INFO {phase}"));
    (child, stderr)
}

/// Runs the binary with `-v`, sends SIGINT when a message announces a phase (twice during a
/// search), and asserts that the folder is unchanged.
fn interrupted_in(folder: &Folder, phase: &str) {
    let before: Vec<String> = folder.listing().into_keys().collect();
    let (child, mut stderr) = started(folder, &[], phase);
    interrupt(&child);
    if phase == "searching" {
        read_until(&mut stderr, "press Ctrl-C again to cancel");
        interrupt(&child);
    }
    let mut rest = String::new();
    stderr.read_to_string(&mut rest).expect("text");
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(130), "{phase}: {rest}");
    assert!(output.stdout.is_empty(), "it answered");
    assert!(rest.ends_with("cancelled; nothing was written\n"), "{rest}");
    let after: Vec<String> = folder.listing().into_keys().collect();
    assert_eq!(after, before, "{phase}: additional files remain");
}

#[test]
fn ctrl_c_leaves_no_files() {
    let folder = Folder::empty();
    let rows = ROWS.to_string();
    folder.run(&["generate", "census", "--rows", &rows, "-o", "census.csv"]).done();
    for phase in ["reading", "searching", "writing"] {
        interrupted_in(&folder, phase);
    }
}

/// The search over 24 attributes cannot prove optimality within the time of a test.
#[test]
fn interrupted_search_releases_best_result_with_gap() {
    let folder = Folder::empty();
    let survey =
        ["generate", "survey", "--rows", "10000", "--attributes", "24", "-o", "survey.csv"];
    folder.run(&survey).done();
    let folder = folder.replaced("policy.toml", "\"multidimensional\"", "\"full-domain\"");
    let (child, mut stderr) = started(&folder, &["--format", "json"], "searching");
    read_until(&mut stderr, "above the optimum");
    interrupt(&child);
    let mut rest = String::new();
    stderr.read_to_string(&mut rest).expect("text");
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(0), "{rest}");
    let answer: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let recoding = &answer["recoding"];
    let recoding = &recoding["optimality"];
    assert_eq!(recoding["status"], "stopped");
    let number = |value: &serde_json::Value| value.as_f64().expect("a number");
    let (loss, at_least) = (number(&answer["loss"]["loss"]), number(&recoding["lower_bound"]));
    assert!(0.0 < at_least && at_least < loss, "{at_least} {loss}");
    assert!((number(&recoding["gap_fraction"]) - (loss / at_least - 1.0)).abs() < 1e-9);
    let percent = folder.text("release.private/report.html");
    assert!(
        percent.contains("The search was stopped."),
        "the private report states that the search was stopped"
    );
    assert!(percent.contains("above the optimum"), "the private report states the gap");
    folder.run(&["verify", "release"]).done();
}

/// `measure` with this many queries would take minutes. It must end soon after Ctrl-C, and at its
/// time limit.
#[test]
fn read_only_commands_can_be_interrupted() {
    let folder = Folder::empty();
    folder.run(&["generate", "census", "--rows", "20000", "-o", "census.csv"]).done();
    folder.run(&["anonymize", "policy.toml", "-o", "release"]).done();
    let before: Vec<String> = folder.listing().into_keys().collect();
    let measure = ["measure", "release", "--original", "census.csv", "--queries", "3000000"];
    let mut child = folder
        .process(&[&["-v"][..], &measure].concat())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts");
    let mut stderr = BufReader::new(child.stderr.take().expect("standard error"));
    read_until(&mut stderr, "INFO reading");
    // The input is read within two seconds. After that, no code checks for signals.
    std::thread::sleep(std::time::Duration::from_secs(2));
    interrupt(&child);
    let output = child.wait_with_output().expect("it ends");
    assert_eq!((output.status.code(), output.stdout.is_empty()), (Some(130), true));
    let limited = [&measure[..], &["--time-limit", "0.2"]].concat();
    folder.run(&limited).refused("E-USAGE-013");
    let after: Vec<String> = folder.listing().into_keys().collect();
    assert_eq!(after, before, "additional files remain");
}

/// Each command first reads 20,000 rows, which takes longer than a millisecond.
#[test]
fn all_commands_respect_their_time_limit() {
    let folder = Folder::empty();
    folder.run(&["generate", "census", "--rows", "20000", "-o", "census.csv"]).done();
    for release in ["release", "second"] {
        folder.run(&["anonymize", "policy.toml", "-o", release]).done();
    }
    let before: Vec<String> = folder.listing().into_keys().collect();
    let commands: [&[&str]; 5] = [
        &["advise", "policy.toml"],
        &["plan", "policy.toml", "--l", "2", "--delta", "0.1"],
        &["measure", "release", "--original", "census.csv"],
        &["attack", "release", "--original", "census.csv"],
        &["link", "release", "second", "--original", "census.csv", "--original", "census.csv"],
    ];
    for command in commands {
        folder.run(&[command, &["--time-limit", "0.001"]].concat()).refused("E-USAGE-013");
    }
    let after: Vec<String> = folder.listing().into_keys().collect();
    assert_eq!(after, before, "additional files remain");
}
