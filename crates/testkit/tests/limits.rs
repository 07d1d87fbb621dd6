//! Limits for product crates: no functions longer than a screen, no process-wide state, and no
//! functions of a specific operating system outside one module.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The maximum number of lines of code in a function, including its signature and closing brace.
const MOST_LINES: usize = 80;

/// Crates that are not part of the product.
const APART: [&str; 2] = ["experiments", "testkit"];

/// Types that make a `static` mutable or lazily initialized.
const CELLS: [&str; 10] = [
    "Atomic", "Cell<", "LazyCell", "LazyLock", "Mutex", "Once", "OnceCell", "OnceLock", "RefCell",
    "RwLock",
];

/// The permitted statics with state, and the reason. No answer depends on them.
const STATE: &[(&str, &str, &str)] = &[
    (
        "cli/src/out.rs",
        "REFUSED",
        "whether writing to standard output has failed; a process has only one standard output",
    ),
    ("cluster/src/session.rs", "RUNTIME", "threads for requests, started on first use"),
    (
        "engine/src/input/guard.rs",
        "IS_GUARDED",
        "whether a panic on this thread is caught, for the hook",
    ),
    ("engine/src/input/guard.rs", "ONCE", "the panic hook; a process has only one"),
    ("objects/src/lib.rs", "RUNTIME", "a thread for requests, started on first use"),
    (
        "profiling/src/recognizers/person_name.rs",
        "NAMES",
        "a constant: the list of names, parsed on first use",
    ),
    ("profiling/src/words.rs", "LISTS", "a constant: the lists of words, parsed on first use"),
    ("studio/src/pages/mod.rs", "ASSETS", "a constant: the files of the pages"),
    ("studio/src/pages/mod.rs", "WHOLE_STYLE", "a constant: the style sheet"),
    ("studio/src/texts.rs", "TEXTS", "a constant: the sentences of the pages, parsed on first use"),
    ("studio/src/pages/settings.rs", "SCHEMA", "a constant: the JSON Schema of the policy"),
    ("text/src/messages.rs", "MESSAGES", "a constant: the sentences, parsed on first use"),
];

/// The source files of the product, relative to `crates`, without test files and test modules.
fn product() -> Vec<(String, Vec<String>)> {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .expect("the crate is in the folder of crates");
    let mut files = Vec::new();
    for entry in std::fs::read_dir(crates).expect("a folder") {
        let entry = entry.expect("an entry");
        let name = entry.file_name().into_string().expect("a text");
        if !APART.contains(&name.as_str()) {
            below(&entry.path().join("src"), &mut files);
        }
    }
    files.sort();
    assert!(files.len() > 500, "expected more than 500 files, found {}", files.len());
    let read = |path: &PathBuf| {
        let text = std::fs::read_to_string(path).expect("a file");
        let name = path
            .strip_prefix(crates)
            .expect("the path is below the folder of crates")
            .to_str()
            .expect("a text");
        (name.replace('\\', "/"), without_tests(&text))
    };
    files.iter().map(read).collect()
}

fn below(folder: &Path, files: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for entry in entries {
        let path = entry.expect("an entry").path();
        let is_test = path.file_stem().is_some_and(|stem| stem == "tests");
        if path.is_dir() && !is_test {
            below(&path, files);
        } else if path.extension().is_some_and(|it| it == "rs") && !is_test {
            files.push(path);
        }
    }
}

fn without_tests(text: &str) -> Vec<String> {
    let (mut lines, mut is_test) = (Vec::new(), false);
    let all: Vec<&str> = text.lines().collect();
    for (at, line) in all.iter().enumerate() {
        let next = all.get(at + 1).copied().unwrap_or_default();
        is_test |= *line == "#[cfg(test)]" && next.starts_with("mod ") && next.ends_with('{');
        if !is_test {
            lines.push((*line).to_owned());
        }
        is_test &= *line != "}";
    }
    lines
}

/// The name of the function that starts on a line, if any.
fn function(line: &str) -> Option<&str> {
    let mut words = line.split_whitespace();
    let word = words.find(|word| {
        !word.starts_with("pub") && !["const", "async", "unsafe", "default"].contains(word)
    })?;
    let name = words.next().filter(|_| word == "fn")?;
    name.split(['(', '<']).next()
}

/// The functions of a file with their lines of code. In formatted code, a function ends with a
/// brace in the column of its first letter.
fn functions(lines: &[String]) -> Vec<(String, usize)> {
    let mut found = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        let Some(name) = function(line) else { continue };
        let indent = &line[..line.len() - line.trim_start().len()];
        let is_last = |line: &&String| {
            line.strip_prefix(indent).is_some_and(|rest| {
                rest == "}"
                    || !rest.starts_with([' ', '#', ')', 'w']) && rest.ends_with(';')
                    || rest.starts_with(')') && rest.ends_with(';')
            })
        };
        let is_code =
            |line: &&String| !matches!(line.trim(), "" | "{") && !line.trim().starts_with("//");
        let last = lines[at..].iter().position(|line| is_last(&line)).unwrap_or(0);
        found.push((name.to_owned(), lines[at..=at + last].iter().filter(is_code).count()));
    }
    found
}

#[test]
fn function_length_is_limited() {
    let mut long = Vec::new();
    for (file, lines) in product() {
        let functions = functions(&lines).into_iter().filter(|(_, n_lines)| *n_lines > MOST_LINES);
        long.extend(functions.map(|(name, n_lines)| format!("{file}: {name}, {n_lines} lines")));
    }
    assert!(long.is_empty(), "functions of more than {MOST_LINES} lines:\n{}", long.join("\n"));
}

/// Adds all source files in a folder, including tests.
fn all_below(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        match path.is_dir() {
            true if path.ends_with("target") => {}
            true => all_below(&path, files),
            false if path.extension().is_some_and(|it| it == "rs") => files.push(path),
            false => {}
        }
    }
}

/// Product code reaches functions of an operating system only through `diagnostics::platform`,
/// which has an implementation for each system. Tests may use them after an attribute
/// `cfg(unix)`. The workspace `cluster` supports only Linux.
#[test]
fn functions_of_one_system_are_in_platform_module() {
    let names = ["unix", "windows", "linux"].map(|system| format!("os::{system}"));
    let is_specific = |line: &str| {
        names.iter().any(|name| line.contains(name)) || line.contains(concat!("rus", "tix"))
    };
    let is_apart =
        |file: &str| file.starts_with("diagnostics/src/platform/") || file.starts_with("cluster/");
    let mut found = Vec::new();
    for (file, lines) in product().into_iter().filter(|(file, _)| !is_apart(file)) {
        let lines = lines.into_iter().filter(|line| is_specific(line));
        found.extend(lines.map(|line| format!("{file}: {line}")));
    }
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the folder of crates");
    let mut files = Vec::new();
    all_below(crates, &mut files);
    for path in files {
        let file = path.strip_prefix(crates).expect("below").to_string_lossy().replace('\\', "/");
        let text = std::fs::read_to_string(&path).expect("a file");
        let mut is_guarded = is_apart(&file);
        for line in text.lines() {
            is_guarded |= line.contains("cfg(unix)");
            if is_specific(line) && !is_guarded {
                found.push(format!("{file}: {line}, without cfg(unix)"));
            }
        }
    }
    assert!(found.is_empty(), "use a function of diagnostics::platform:\n{}", found.join("\n"));
}

#[test]
fn global_state_is_listed() {
    let mut found = BTreeSet::new();
    for (file, lines) in product() {
        for line in &lines {
            let item = line
                .trim_start()
                .trim_start_matches("pub(crate) ")
                .trim_start_matches("pub(super) ");
            let Some(rest) = item.trim_start_matches("pub ").strip_prefix("static ") else {
                continue;
            };
            let (name, kind) = rest.split_once(':').unwrap_or((rest, ""));
            let kind = kind.split('=').next().unwrap_or_default();
            if name.starts_with("mut ") || CELLS.iter().any(|cell| kind.contains(cell)) {
                found.insert((file.clone(), name.to_owned()));
            }
        }
    }
    let listed: BTreeSet<(String, String)> =
        STATE.iter().map(|(file, name, _)| ((*file).to_owned(), (*name).to_owned())).collect();
    assert_eq!(
        found, listed,
        "global state must be listed here; the state of a request belongs to a session"
    );
}

#[test]
fn function_ends_at_closing_brace() {
    let text = "pub(crate) fn one(\n    a: u8,\n) -> u8 {\n    // A remark.\n    let b = a;\n\
                \n    b\n}\n\nfn two();\n";
    let lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let wanted = [("one".to_owned(), 6), ("two".to_owned(), 1)];
    assert_eq!(functions(&lines), wanted);
}
