//! Ctrl-C ends with 130 and leaves nothing behind, whatever is being done.

use std::io::{BufRead, BufReader, Read};
use std::process::{Command, Stdio};

use crate::folder::{BINARY, Folder};

/// Long enough that a signal always comes before the end of a phase.
const ROWS: u64 = 400_000;

/// Runs the binary with `-v` and sends it SIGINT when it says that a phase begins; gives what was in the folder.
fn interrupted_in(folder: &Folder, phase: &str) {
    let before: Vec<String> = folder.listing().into_keys().collect();
    let mut child = folder
        .process(&["-v", "anonymize", "policy.toml", "-o", "release"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts");
    let mut stderr = BufReader::new(child.stderr.take().expect("standard error"));
    let mut line = String::new();
    while !line.ends_with(&format!("INFO {phase}\n")) {
        line.clear();
        let n_bytes = stderr.read_line(&mut line).expect("text");
        assert!(n_bytes > 0, "it ended before {phase}");
    }
    let signal = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(signal.expect("kill runs").success(), "{BINARY} still ran");
    let mut rest = String::new();
    stderr.read_to_string(&mut rest).expect("text");
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(130), "{phase}: {rest}");
    assert!(output.stdout.is_empty(), "it answered");
    assert!(rest.ends_with("cancelled; nothing was written\n"), "{rest}");
    let after: Vec<String> = folder.listing().into_keys().collect();
    assert_eq!(after, before, "{phase}: something is left behind");
}

#[test]
fn ctrl_c_leaves_nothing_behind() {
    let folder = Folder::empty();
    let rows = ROWS.to_string();
    folder.run(&["generate", "census", "--rows", &rows, "-o", "census.csv"]).done();
    for phase in ["reading", "searching", "writing"] {
        interrupted_in(&folder, phase);
    }
}
