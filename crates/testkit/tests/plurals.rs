//! Checks that `language::words` formats all counts, such as "1 row" and "2 rows". No text of the
//! product may contain a placeholder followed by a plural noun, except for listed cases with a
//! reason.

use std::path::{Path, PathBuf};

/// Nouns that texts count.
const NOUNS: &[&str] = &[
    "attributes",
    "cells",
    "classes",
    "columns",
    "combinations",
    "files",
    "hints",
    "households",
    "labels",
    "levels",
    "lines",
    "months",
    "nodes",
    "originals",
    "others",
    "people",
    "persons",
    "principles",
    "queries",
    "records",
    "releases",
    "rows",
    "seconds",
    "sets",
    "statements",
    "tables",
    "tuples",
    "values",
];

/// Permitted cases: the end of the path, the text, and the reason.
const RIGHT: &[(&str, &str, &str)] = &[
    (
        "cli/src/progress.rs",
        "{human_len} nodes",
        "the template of a progress bar, whose number indicatif formats",
    ),
    ("cli/src/progress.rs", "{human_len} rows", "the same"),
    ("cli/src/progress.rs", "{human_pos} combinations", "the same"),
    (
        "core/src/hierarchy/error.rs",
        "{n_labels} labels",
        "at least two, because one is the expected number",
    ),
    ("core/src/hierarchy/error.rs", "{n_levels} levels", "more than 250"),
    ("engine/src/input/header.rs", "{n_again} columns", "at least two"),
    ("engine/src/output/output_error.rs", "{n_rows} rows", "more than a million"),
    ("core/src/model/frequency_table.rs", "{got} tuples", "an error for programs, not for users"),
    ("core/src/model/frequency_table.rs", "{got} rows", "the same"),
    ("core/src/recoding/perturbation/domain.rs", "{MOST_VALUES} values", "a limit in the millions"),
    ("engine/src/error.rs", "{got} columns", "more than 512"),
    ("engine/src/error.rs", "{limit} columns", "a limit of 100,000"),
    ("engine/src/input/ipc_sizes.rs", "{length} rows", "more than the file can contain"),
    ("engine/src/output/output_error.rs", "{limit} rows", "a limit of one million"),
    ("profiling/src/combinations.rs", "{} cells", "a limit of 400,000,000"),
    ("linkage/src/error.rs", "{limit} rows", "a limit in the millions"),
    ("linkage/src/error.rs", "{} combinations", "a limit in the millions"),
    ("linkage/src/error.rs", "{} classes", "a limit in the millions"),
    ("report/src/contrast.rs", "{} others", "a single one is stated by name"),
    ("text/src/messages.toml", "{most} combinations", "a limit in the millions"),
    ("text/src/messages.toml", "{l} values", "l is at least 2"),
    ("text/src/messages.toml", "{certain.median} values", "a median can be a fraction"),
    ("text/src/figures/values.rs", "{} others", "at least two"),
    ("search/src/error.rs", "{n_vectors} combinations", "more than a limit in the millions"),
];

/// The source files of the product.
fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("the source folder is readable").flatten() {
        let path = entry.path();
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        if path.is_dir()
            && !["tests", "testkit", "experiments", "target", "benches", "examples"].contains(&name)
        {
            sources(&path, found);
        } else if name.ends_with(".rs") && name != "tests.rs" || name == "messages.toml" {
            found.push(path);
        }
    }
}

/// Finds placeholders that are followed by a noun of [`NOUNS`], such as `{n} rows`, outside
/// comments and tests.
fn raw_plurals(text: &str) -> Vec<String> {
    let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
    let lines = code.lines().map(str::trim).filter(|line| !line.starts_with("//"));
    // A backslash continues a string literal on the next line.
    let joined = lines.collect::<Vec<_>>().join("\n").replace("\\\n", "");
    let mut found = Vec::new();
    for (at, _) in joined.match_indices("} ") {
        let after = joined[at + 2..].split(|it: char| !it.is_ascii_alphabetic()).next();
        let Some(noun) = after.filter(|noun| NOUNS.contains(noun)) else { continue };
        let Some(open) = joined[..at].rfind('{') else { continue };
        let inner = &joined[open + 1..at];
        if inner.chars().all(|it| it.is_ascii_alphanumeric() || "_:.<>^".contains(it)) {
            found.push(format!("{{{inner}}} {noun}"));
        }
    }
    found
}

#[test]
fn counts_use_pluralization_function() {
    let mut files = Vec::new();
    sources(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/..")), &mut files);
    assert!(files.len() > 500, "{}", files.len());
    let mut used = vec![false; RIGHT.len()];
    let mut wrong = Vec::new();
    for path in files {
        let text = std::fs::read_to_string(&path).expect("the source file is readable");
        for raw in raw_plurals(&text) {
            match RIGHT.iter().position(|(file, right, _)| path.ends_with(file) && raw == *right) {
                Some(at) => used[at] = true,
                None => wrong.push(format!("{}: {raw}", path.display())),
            }
        }
    }
    let unused = RIGHT.iter().zip(used).filter(|(_, used)| !used);
    wrong.extend(unused.map(|((file, right, _), _)| {
        format!("{file} no longer contains {right}; remove it from the list")
    }));
    assert!(wrong.is_empty(), "use words::counted for these counts:\n{}", wrong.join("\n"));
}

#[test]
fn raw_plural_is_detected() {
    let text = "// {n} rows\nformat!(\"{n_left:>3} rows, {} \\\n    values of {a} classes\", words::count(n, \"row\"))\nformat!(\"{n} rows {m} more\")";
    assert_eq!(raw_plurals(text), ["{n_left:>3} rows", "{} values", "{a} classes", "{n} rows"]);
}
