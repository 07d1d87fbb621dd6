//! Tests that hints can be followed. Each case provokes an error code, applies the change that the
//! message suggests, and repeats the call. The second call must succeed or lead to the next problem
//! that the message announces. The cases are data files in `hints/`.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::folder::{Answer, Folder};

/// The default call of a case.
const ANONYMIZE: &str = "anonymize policy.toml -o release";

/// A step, identified by its first word: `write FILE TEXT`, `write-latin-1 FILE TEXT`, `append FILE
/// TEXT [N]` (`{n}` counts), `replace FILE OLD NEW`, `copy FROM TO`, `remove FILE`, or `run CALL`.
type Step = Vec<String>;

/// An initial folder.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Start {
    on: Option<String>,
    steps: Vec<Step>,
}

/// A case that follows a hint.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    code: String,
    /// The initial folder, `small` by default.
    folder: Option<String>,
    /// The steps that introduce the error.
    #[serde(default)]
    wrong: Vec<Step>,
    /// The call that reports the error, [`ANONYMIZE`] by default.
    call: Option<String>,
    /// A part of the message, which replaces `{says}` in later steps: the hint as printed.
    says: Option<String>,
    /// The changes that the hint suggests.
    #[serde(default)]
    right: Vec<Step>,
    /// The second call, which equals the first by default.
    then: Option<String>,
    /// The code of the next problem, if the hint leads to another problem.
    next: Option<String>,
    /// Whether the second call succeeds, but its requirement cannot be satisfied.
    #[serde(default)]
    unmet: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Cases {
    case: Vec<Case>,
}

/// Codes whose hints no case follows, each with a reason.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Exceptions {
    exception: Vec<Exception>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Exception {
    why: String,
    codes: Vec<String>,
}

fn path(file: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cli/hints").join(file)
}

fn read<T: for<'a> Deserialize<'a>>(file: &str) -> T {
    let text = std::fs::read_to_string(path(file)).expect("the file with the cases is readable");
    toml::from_str(&text).unwrap_or_else(|error| panic!("{file}: {error}"))
}

/// Splits a call into arguments like a shell, as far as the hints require this, and runs it.
fn run(folder: &Folder, call: &str) -> Answer {
    let arguments: Vec<&str> = call.split_whitespace().map(|it| it.trim_matches('\'')).collect();
    folder.run(&arguments)
}

/// Performs a step, in which `says` replaces `{says}`.
fn take(folder: Folder, step: &Step, says: &str) -> Folder {
    let words: Vec<String> = step.iter().map(|word| word.replace("{says}", says)).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let bytes = |name: &str| std::fs::read(folder.path(name)).expect("the file to change exists");
    match words.as_slice() {
        ["write", file, text] => folder.with(file, text),
        ["write-latin-1", file, text] => {
            let byte = |letter: char| u8::try_from(u32::from(letter)).expect("Latin-1");
            folder.with(file, text.chars().map(byte).collect::<Vec<u8>>())
        }
        ["append", file, text, times @ ..] => {
            let n: usize = times.first().map_or(1, |n| n.parse().expect("a number"));
            let mut all = if folder.path(file).exists() { bytes(file) } else { Vec::new() };
            for at in 0..n {
                all.extend(text.replace("{n}", &at.to_string()).bytes());
            }
            folder.with(file, all)
        }
        ["replace", file, old, new] => {
            // Convert each byte to a character, because a file may contain arbitrary bytes.
            let letters = |bytes: &[u8]| bytes.iter().map(|&byte| char::from(byte)).collect();
            let (all, old): (String, String) = (letters(&bytes(file)), letters(old.as_bytes()));
            assert!(all.contains(&old), "{file} does not contain: {old}");
            let new: String = letters(new.as_bytes());
            let byte = |letter: char| u8::try_from(u32::from(letter)).expect("a byte");
            let changed: Vec<u8> = all.replace(&old, &new).chars().map(byte).collect();
            folder.with(file, changed)
        }
        ["copy", from, to] if folder.path(from).is_dir() => {
            let prefix = format!("{from}/");
            folder.listing().iter().fold(folder, |folder, (name, bytes)| {
                match name.strip_prefix(&prefix).filter(|it| !it.is_empty() && !it.ends_with('/')) {
                    Some(inner) => folder.with(&format!("{to}/{inner}"), bytes),
                    None => folder,
                }
            })
        }
        ["copy", from, to] => {
            let all = bytes(from);
            folder.with(to, all)
        }
        ["remove", file] => folder.without(file),
        ["run", call] => {
            let answer = run(&folder, call);
            assert!(answer.status <= 1, "{call}: {answer:?}");
            folder
        }
        other => panic!("no step: {other:?}"),
    }
}

/// Creates an initial folder, including the folder on which it is based.
fn start(name: &str, starts: &BTreeMap<String, Start>) -> Folder {
    let Some(begin) = starts.get(name) else { panic!("unknown folder '{name}'") };
    let folder = begin.on.as_ref().map_or_else(Folder::empty, |on| start(on, starts));
    begin.steps.iter().fold(folder, |folder, step| take(folder, step, ""))
}

/// Joins the lines of a message, without the marks at its margin.
fn flat(message: &str) -> String {
    message.split_whitespace().filter(|word| *word != "|").collect::<Vec<_>>().join(" ")
}

impl Case {
    /// Returns the problem of the hint, if any.
    fn fault(&self, starts: &BTreeMap<String, Start>) -> Option<String> {
        let code = &self.code;
        let call = self.call.as_deref().unwrap_or(ANONYMIZE);
        let folder = start(self.folder.as_deref().unwrap_or("small"), starts);
        let folder = self.wrong.iter().fold(folder, |folder, step| take(folder, step, ""));
        let before = run(&folder, call);
        let status = if code.starts_with('W') { 0 } else { 2 };
        if before.status != status || !before.stderr.contains(code.as_str()) {
            return Some(format!("`{call}` does not report {code}: {before:?}"));
        }
        let message = flat(&before.stderr);
        if !message.contains("help:") && !message.contains("(expected") {
            return Some(format!("{code} has no hint: {before:?}"));
        }
        let says = self.says.as_deref().unwrap_or_default();
        let following = self.right.iter().flatten().chain(&self.then);
        if !says.is_empty() && !following.clone().any(|text| text.contains("{says}")) {
            return Some(format!("{code}: no step uses the hint"));
        }
        if !message.contains(says) {
            return Some(format!("the message of {code} does not contain {says:?}: {before:?}"));
        }
        let folder = self.right.iter().fold(folder, |folder, step| take(folder, step, says));
        let then = self.then.as_deref().unwrap_or(call).replace("{says}", says);
        let after = run(&folder, &then);
        let reached = match (&self.next, self.unmet) {
            (Some(next), _) => after.status == 2 && after.stderr.contains(next.as_str()),
            (None, true) => after.status == 1,
            (None, false) => after.status == 0,
        };
        (!reached || after.stderr.contains(code.as_str()))
            .then(|| format!("{code} leads `{then}` to: {after:?}"))
    }
}

fn each_leads_on(file: &str) {
    let starts: BTreeMap<String, Start> = read("folders.toml");
    let cases: Cases = read(file);
    let faults: Vec<String> = cases.case.iter().filter_map(|case| case.fault(&starts)).collect();
    assert!(faults.is_empty(), "{} of {file}:\n{}", faults.len(), faults.join("\n\n"));
}

macro_rules! files {
    ($($test:ident: $file:literal;)*) => {
        const FILES: &[&str] = &[$($file),*];
        $(#[test]
        fn $test() {
            each_leads_on($file);
        })*
    };
}

files! {
    hints_about_the_policy_are_followed: "policy.toml";
    hints_about_tables_are_followed: "tables.toml";
    hints_about_hierarchies_are_followed: "hierarchies.toml";
    hints_about_principles_are_followed: "principles.toml";
    hints_about_methods_are_followed: "methods.toml";
    hints_about_releases_are_followed: "releases.toml";
    hints_about_plans_are_followed: "plans.toml";
    hints_about_ledgers_are_followed: "ledgers.toml";
    hints_about_calls_are_followed: "calls.toml";
}

/// Every code must have a case or an exception, and no code may have both.
#[test]
fn every_hint_has_a_case_or_an_exception() {
    let cases: Vec<Cases> = FILES.iter().map(|file| read(file)).collect();
    let followed: BTreeSet<&str> =
        cases.iter().flat_map(|file| &file.case).map(|case| case.code.as_str()).collect();
    let exceptions: Exceptions = read("exceptions.toml");
    let mut excepted = BTreeSet::new();
    for exception in &exceptions.exception {
        assert!(exception.why.len() > 20, "{}", exception.why);
        for code in &exception.codes {
            assert!(excepted.insert(code.as_str()), "{code} has two exceptions");
        }
    }
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/errors.md");
    let page = std::fs::read_to_string(page).expect("docs/errors.md exists");
    let codes = page.lines().filter_map(|line| line.strip_prefix("| ")?.split_once(" |"));
    let all: BTreeSet<&str> =
        codes.map(|it| it.0).filter(|it| it.starts_with("E-") || it.starts_with("W-")).collect();
    let known: BTreeSet<&str> = followed.union(&excepted).copied().collect();
    let open: Vec<&&str> = all.difference(&known).collect();
    assert!(open.is_empty(), "codes without a case or an exception: {open:?}");
    let gone: Vec<&&str> = known.difference(&all).collect();
    assert!(gone.is_empty(), "codes that docs/errors.md does not list: {gone:?}");
    let both: Vec<&&str> = followed.intersection(&excepted).collect();
    assert!(both.is_empty(), "codes with both a case and an exception: {both:?}");
}
