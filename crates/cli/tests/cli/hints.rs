//! A hint can be followed: for each code an input that provokes it, what its message asks for, and
//! the call after that, which does what was asked or meets the next problem that the message
//! announces. The cases are data, in `hints/`.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::folder::{Answer, Folder};

/// What most cases call.
const ANONYMIZE: &str = "anonymize policy.toml -o release";

/// A step, by its first word: `write FILE TEXT`, `write-latin-1 FILE TEXT`, `append FILE TEXT [N]`
/// (`{n}` counts), `replace FILE OLD NEW`, `copy FROM TO`, `remove FILE` or `run CALL`.
type Step = Vec<String>;

/// A folder to begin with.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Start {
    on: Option<String>,
    steps: Vec<Step>,
}

/// Follows a hint.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    code: String,
    /// The folder to begin with; `small` if left out.
    folder: Option<String>,
    /// What goes wrong.
    #[serde(default)]
    wrong: Vec<Step>,
    /// The call that meets it; [`ANONYMIZE`] if left out.
    call: Option<String>,
    /// A part of the message, which takes the place of `{says}` in what follows: the hint as it is
    /// written.
    says: Option<String>,
    /// What the hint asks for in the files.
    #[serde(default)]
    right: Vec<Step>,
    /// The call after that; the same if left out.
    then: Option<String>,
    /// The code that comes then, where the hint leads on to another problem.
    next: Option<String>,
    /// The call is answered then, and what was asked cannot be met.
    #[serde(default)]
    unmet: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Cases {
    case: Vec<Case>,
}

/// Codes whose hints no case follows, and why.
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
    let text = std::fs::read_to_string(path(file)).expect("the file of cases can be read");
    toml::from_str(&text).unwrap_or_else(|error| panic!("{file}: {error}"))
}

/// The arguments of a call as a shell would take them, as far as hints need it.
fn run(folder: &Folder, call: &str) -> Answer {
    let arguments: Vec<&str> = call.split_whitespace().map(|it| it.trim_matches('\'')).collect();
    folder.run(&arguments)
}

/// Takes a step; `says` takes the place of `{says}`.
fn take(folder: Folder, step: &Step, says: &str) -> Folder {
    let words: Vec<String> = step.iter().map(|word| word.replace("{says}", says)).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let bytes = |name: &str| std::fs::read(folder.path(name)).expect("a file to change");
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
            // A letter for each byte, so that any file can be changed.
            let letters = |bytes: &[u8]| bytes.iter().map(|&byte| char::from(byte)).collect();
            let (all, old): (String, String) = (letters(&bytes(file)), letters(old.as_bytes()));
            assert!(all.contains(&old), "nothing to replace in {file}: {old}");
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

/// A folder to begin with, and what it begins with itself.
fn start(name: &str, starts: &BTreeMap<String, Start>) -> Folder {
    let Some(begin) = starts.get(name) else { panic!("there is no folder '{name}'") };
    let folder = begin.on.as_ref().map_or_else(Folder::empty, |on| start(on, starts));
    begin.steps.iter().fold(folder, |folder, step| take(folder, step, ""))
}

/// A message as one line, without the marks at its margin.
fn flat(message: &str) -> String {
    message.split_whitespace().filter(|word| *word != "|").collect::<Vec<_>>().join(" ")
}

impl Case {
    /// What is wrong with the hint, if anything.
    fn fault(&self, starts: &BTreeMap<String, Start>) -> Option<String> {
        let code = &self.code;
        let call = self.call.as_deref().unwrap_or(ANONYMIZE);
        let folder = start(self.folder.as_deref().unwrap_or("small"), starts);
        let folder = self.wrong.iter().fold(folder, |folder, step| take(folder, step, ""));
        let before = run(&folder, call);
        let status = if code.starts_with('W') { 0 } else { 2 };
        if before.status != status || !before.stderr.contains(code.as_str()) {
            return Some(format!("{code} is not what `{call}` meets: {before:?}"));
        }
        let message = flat(&before.stderr);
        if !message.contains("help:") && !message.contains("(expected") {
            return Some(format!("{code} does not say what to do: {before:?}"));
        }
        let says = self.says.as_deref().unwrap_or_default();
        let following = self.right.iter().flatten().chain(&self.then);
        if !says.is_empty() && !following.clone().any(|text| text.contains("{says}")) {
            return Some(format!("{code}: nothing follows what is said"));
        }
        if !message.contains(says) {
            return Some(format!("{code} does not say {says:?}: {before:?}"));
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

/// No code is forgotten, and none is an exception that is followed.
#[test]
fn every_code_is_followed_or_says_why_not() {
    let cases: Vec<Cases> = FILES.iter().map(|file| read(file)).collect();
    let followed: BTreeSet<&str> =
        cases.iter().flat_map(|file| &file.case).map(|case| case.code.as_str()).collect();
    let exceptions: Exceptions = read("exceptions.toml");
    let mut excepted = BTreeSet::new();
    for exception in &exceptions.exception {
        assert!(exception.why.len() > 20, "{}", exception.why);
        for code in &exception.codes {
            assert!(excepted.insert(code.as_str()), "{code} is excepted twice");
        }
    }
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/errors.md");
    let page = std::fs::read_to_string(page).expect("the page of errors");
    let codes = page.lines().filter_map(|line| line.strip_prefix("| ")?.split_once(" |"));
    let all: BTreeSet<&str> =
        codes.map(|it| it.0).filter(|it| it.starts_with("E-") || it.starts_with("W-")).collect();
    let known: BTreeSet<&str> = followed.union(&excepted).copied().collect();
    let open: Vec<&&str> = all.difference(&known).collect();
    assert!(open.is_empty(), "neither followed nor an exception: {open:?}");
    let gone: Vec<&&str> = known.difference(&all).collect();
    assert!(gone.is_empty(), "no code of the page: {gone:?}");
    let both: Vec<&&str> = followed.intersection(&excepted).collect();
    assert!(both.is_empty(), "followed, and an exception: {both:?}");
}
