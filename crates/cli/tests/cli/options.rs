//! Tests of the global options, and of invalid command lines.

use insta::assert_snapshot;

use crate::folder::Folder;

const ANONYMIZE: [&str; 4] = ["anonymize", "policy.toml", "-o", "release"];

/// A policy with two warnings of `anonymize`: one about its text, and one that requires the table.
fn warned() -> Folder {
    let folder = Folder::new().replaced("policy.toml", "k = 2", "k = 1");
    folder.replaced("policy.toml", "[[principles]]\nkind = \"distinct-l-diversity\"\nl = 2\n", "")
}

fn run(folder: &Folder, options: &[&str]) -> crate::folder::Answer {
    folder.run(&[options, &ANONYMIZE[..]].concat())
}

#[test]
fn quiet_suppresses_warnings_but_not_output() {
    let loud = run(&warned(), &[]).done();
    assert!(loud.stderr.contains("W-POLICY-101"), "{loud:?}");
    assert!(loud.stderr.contains("no principle covers"), "{loud:?}");
    for option in ["--quiet", "-q"] {
        let quiet = run(&warned(), &[option]).done();
        assert_eq!(quiet.stderr, "");
        assert!(quiet.stdout.starts_with("Read 4 rows"), "{quiet:?}");
    }
    let folder = warned().without("table.csv");
    assert!(
        run(&folder, &["-q"]).stderr.contains("E-INPUT-001"),
        "--quiet does not suppress errors"
    );
}

#[test]
fn quiet_and_verbose_are_mutually_exclusive() {
    let message = Folder::new().refused(&["-q", "-v", "verify", "release"]);
    assert!(message.contains("cannot be used with"), "{message}");
}

#[test]
fn verbose_logs_phases_without_cells() {
    assert_eq!(run(&Folder::new(), &[]).done().stderr, "", "no progress without a terminal");
    let verbose = run(&Folder::new(), &["-v"]).done();
    for phase in ["reading", "searching", "writing"] {
        assert!(verbose.stderr.contains(&format!("INFO {phase}")), "{verbose:?}");
    }
    assert!(verbose.stderr.contains("table table.csv"), "{verbose:?}");
    assert!(!verbose.stderr.contains("threads"), "{verbose:?}");
    let more = run(&Folder::new(), &["-vv", "--threads", "3"]).done();
    assert!(more.stderr.contains("DEBUG") && more.stderr.contains("3 threads"), "{more:?}");
    for cell in ["Ada", "Rome", " 31", "asthma"] {
        assert!(!more.stderr.contains(cell), "{more:?}");
    }
}

#[test]
fn release_is_identical_for_any_thread_count() {
    let listings: Vec<_> = ["1", "2", "7"]
        .map(|threads| {
            let folder = Folder::new();
            run(&folder, &["--threads", threads]).done();
            let mut listing = folder.listing();
            listing.retain(|name, _| name.starts_with("release/"));
            listing
        })
        .to_vec();
    assert!(listings[0].contains_key("release/data.csv"));
    assert!(listings.iter().all(|listing| *listing == listings[0]));
}

#[test]
fn invalid_thread_counts_are_rejected() {
    for threads in ["0", "1025", "many"] {
        let message = Folder::new().refused(&["--threads", threads, "verify", "release"]);
        assert!(message.contains("--threads"), "{message}");
    }
}

#[test]
fn colors_require_a_terminal_or_an_option() {
    let folder = Folder::new().without("table.csv");
    let stderr = |options: &[&str]| run(&folder, options).stderr;
    assert!(!stderr(&[]).contains('\u{1b}'), "standard error is not a terminal in tests");
    assert!(!stderr(&["--color", "never"]).contains('\u{1b}'));
    assert!(stderr(&["--color", "always"]).contains('\u{1b}'));
    let warned = run(&warned(), &["--color", "always"]).done();
    assert!(warned.stderr.contains("\u{1b}["), "{warned:?}");
    assert!(!warned.stdout.contains('\u{1b}'), "answers contain no colors");
    let message = folder.refused(&["--color", "sometimes", "verify", "release"]);
    assert!(message.contains("auto, always, never"), "{message}");
}

#[test]
fn help() {
    let folder = Folder::empty();
    assert_snapshot!(folder.run(&["--help"]).done().stdout);
    assert_eq!(folder.run(&["help"]).done().stdout, folder.run(&["--help"]).done().stdout);
}

#[test]
fn help_of_each_command_lists_its_options() {
    for (command, words) in [
        (&["init"][..], &["<DATA>", "--output <FILE>", "--delimiter", "--null-value"][..]),
        (&["profile"], &["<POLICY_OR_DATA>", "--delimiter", "--null-value"]),
        (
            &["anonymize"],
            &["<POLICY>", "--output <DIR>", "--force", "--private <DIR|none>", "DIR.private"],
        ),
        (&["compare"], &["<POLICY>", "-k", "--methods", "--limit", "--output <FILE.html>"]),
        (&["check"], &["<DATA>", "--policy <FILE>", "overrides the input path"]),
        (&["verify"], &["<DIRECTORY>"]),
        (&["hierarchy"], &["build", "check", "show"]),
        (&["hierarchy", "build"], &["<POLICY>", "--attribute <NAME>", "--output <FILE>"]),
        (&["hierarchy", "check"], &["<POLICY_OR_FILE>", "--data <DATA>", "--attribute <NAME>"]),
        (&["hierarchy", "show"], &["<POLICY_OR_FILE>", "--attribute <NAME>", "--lines <N>"]),
        (&["generate"], &["hospital", "census", "salary", "survey"]),
        (&["generate", "hospital"], &["--rows <N>", "--seed <S>", "--output <FILE>"]),
        (&["generate", "salary"], &["--rows <N>", "--seed <S>", "--output <FILE>"]),
        (
            &["generate", "census"],
            &["--rows <N>", "--seed <S>", "--output <FILE>", "--distinct <N>"],
        ),
    ] {
        let help = Folder::empty().run(&[command, &["--help"]].concat()).done().stdout;
        for word in words {
            assert!(help.contains(word), "{command:?} {word}\n{help}");
        }
        for option in ["--quiet", "--verbose", "--threads", "--color", "--format", "--show-values"]
        {
            assert!(help.contains(option), "{command:?} {option}\n{help}");
        }
        assert!(help.lines().all(|line| line.chars().count() <= 100), "{help}");
    }
}

#[test]
fn version() {
    let version = Folder::empty().run(&["--version"]).done().stdout;
    assert!(version.starts_with(concat!("indistinct ", env!("CARGO_PKG_VERSION"))), "{version}");
    let verbose = Folder::empty().run(&["--version", "--verbose"]).done().stdout;
    assert!(verbose.starts_with(version.trim_end()), "{verbose}");
    for feature in ["studio", "databases", "objects", "excel", "stata", "pdf"] {
        assert!(verbose.contains(feature), "{verbose}");
    }
}

#[test]
fn completions_and_manual_pages_cover_every_command() {
    let folder = Folder::empty();
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = folder.run(&["completions", shell]).done().stdout;
        for word in ["anonymize", "verify", "policy"] {
            assert!(script.contains(word), "{shell}: {word}");
        }
    }
    folder.run(&["manual", "man"]).done();
    for page in ["indistinct", "indistinct-anonymize", "indistinct-ledger-add"] {
        let page = folder.text(&format!("man/{page}.1"));
        assert!(page.contains(".SH SYNOPSIS"), "{page}");
    }
}

#[test]
fn unknown_arguments_are_rejected_with_suggestion() {
    let folder = Folder::new();
    assert_snapshot!(folder.refused(&["anonymise", "policy.toml"]));
    assert_snapshot!(folder.refused(&["anonymize", "policy.toml", "-o", "release", "--forse"]));
    assert_snapshot!(folder.refused(&["anonymize", "policy.toml"]));
    let message = folder.refused(&["verify", "release", "--format", "yaml"]);
    assert!(message.contains("text, json"), "{message}");
    assert!(folder.refused(&[]).contains("Usage: indistinct"));
    assert_snapshot!(folder.refused(&["profile", "table.csv", "--delimiter", ";;"]));
}

#[test]
fn options_set_by_policy_are_rejected() {
    let folder = Folder::new();
    for arguments in [
        &["profile", "policy.toml", "--delimiter", ";"][..],
        &["profile", "policy.toml", "--null-value", "?"],
        &["hierarchy", "check", "policy.toml", "--data", "table.csv"],
    ] {
        let message = folder.refused(arguments);
        assert!(message.contains("E-USAGE-006"), "{message}");
    }
}

#[test]
fn delimiter_and_null_values_are_accepted_without_policy() {
    let folder = Folder::empty().with("t.csv", "age;city\n31;?\n?;n/a\n");
    let message = folder.refused(&["profile", "t.csv"]);
    assert!(message.contains("E-INPUT-012"), "{message}");
    let arguments =
        ["profile", "t.csv", "--delimiter", ";", "--null-value", "?", "--null-value", "n/a"];
    let json = folder.run(&[&arguments[..], &["--format", "json"]].concat()).done().json();
    assert_eq!(json["columns"][0]["n_missing"], 1);
    assert_eq!(json["columns"][1]["n_missing"], 2);
    let tabs = Folder::empty().with("t.csv", "age\tcity\n31\tRome\n");
    tabs.run(&["profile", "t.csv", "--delimiter", "tab"]).done();
}
