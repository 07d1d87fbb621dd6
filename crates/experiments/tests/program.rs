//! Tests of the command-line program.

use std::path::Path;

use assert_cmd::Command;

/// Runs the program in a folder, checks its exit status, and returns its output.
fn run(folder: &Path, arguments: &[&str], status: i32) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_indistinct-experiments"))
        .args(arguments)
        .current_dir(folder)
        .output()
        .expect("the program starts");
    assert_eq!(output.status.code(), Some(status), "{arguments:?}: {output:?}");
    String::from_utf8(if status == 0 { output.stdout } else { output.stderr }).expect("UTF-8")
}

fn is_empty(folder: &Path) -> bool {
    folder.read_dir().expect("a folder").next().is_none()
}

#[test]
fn list_states_experiment_requirements() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = run(folder.path(), &["--list"], 0);
    for words in ["l-diversity-9", "tau-l-8", "Adult, Nursery", "the table is synthetic"] {
        assert!(text.contains(words), "expected '{words}' in {text}");
    }
}

#[test]
fn unavailable_experiments_are_rejected_with_help() {
    let folder = tempfile::tempdir().expect("a folder");
    for (arguments, words) in [
        (&["l-diversity-9", "-o", "out"][..], "https://archive.ics.uci.edu/dataset/2/adult"),
        (&["tau-l-5", "-o", "out", "--data", "."], "was not found in '.'"),
        (&["l-diversity-21", "-o", "out"], "l-diversity-11"),
        (&["epsilon-m-6"], "--output <DIR>"),
    ] {
        let message = run(folder.path(), arguments, 2);
        assert!(message.contains(words), "expected '{words}' in {message}");
    }
    assert!(is_empty(folder.path()));
}

#[test]
fn synthetic_experiment_needs_no_data() {
    let folder = tempfile::tempdir().expect("a folder");
    let arguments = ["epsilon-m-6", "--quick", "-o", "out"];
    let text = run(folder.path(), &arguments, 0);
    assert!(text.contains("pass: The error decreases as s increases"), "{text}");
    let written = std::fs::read_to_string(folder.path().join("out/experiments.md"));
    assert!(written.expect("the text").contains("## epsilon-m-6"));
    assert!(folder.path().join("out/experiments/epsilon-m-6.comparison.csv").is_file());
    let message = run(folder.path(), &arguments, 2);
    assert!(message.contains("exists"), "{message}");
}
