//! Generates and checks `docs/coverage.md`. The page lists the implemented parts of the five
//! papers, the sentences about guarantees, and past errors, each with the tests that check it.
//!
//! The page is generated from [`items()`], `mutations.toml`, [`SENTENCES`], and [`POINTS`]. This
//! test fails if a named file or test does not exist, if a mutation no longer applies, or if the
//! page is outdated. To update the page, run `UPDATE_DOCS=1 cargo test -p indistinct-testkit --test
//! coverage`. `.ci/mutations` applies the mutations and runs their tests.

mod items;
mod mutations;
mod points;
mod sentences;

use std::fmt::Write;
use std::path::Path;

use items::{State, items};
use mutations::mutations;
use points::POINTS;
use sentences::{PASSED_ON, SENTENCES, WORDS};

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

const TEXTS: [(char, &str); 5] = [
    ('A', "(delta, l)-diversity"),
    ('B', "l-diversity (TKDD 2007)"),
    ('C', "(epsilon, m)-anonymity (SIGMOD 2008)"),
    ('D', "(l, delta)-diversity across releases"),
    ('E', "Functional (tau, l)-diversity"),
];

/// Returns an error message if a named test does not exist.
fn missing(test: &str) -> Option<String> {
    let (file, name) = test.split_once(": ").expect("file: test");
    let Ok(text) = std::fs::read_to_string(Path::new(ROOT).join("crates").join(file)) else {
        return Some(format!("{file} does not exist"));
    };
    let is_there = text.match_indices(&format!("fn {name}(")).any(|(at, _)| {
        // The `#[test]` attribute is on one of the preceding lines.
        text[..at].lines().rev().take(6).any(|line| line.trim() == "#[test]")
    });
    (!is_there).then(|| format!("{file} has no test {name}"))
}

fn links(tests: &[&str]) -> String {
    let link = |test: &&str| {
        let (file, name) = test.split_once(": ").expect("file: test");
        format!("[`{name}`](../crates/{file})")
    };
    tests.iter().map(link).collect::<Vec<_>>().join(", ")
}

/// A link to a file below `crates/`, or to a page in the same folder.
fn link_to(file: &str) -> String {
    match file.strip_prefix("../docs/") {
        Some(page) => format!("[{page}]({page})"),
        None => format!("[{file}](../crates/{file})"),
    }
}

fn page() -> String {
    let mut page = String::from(
        "# Coverage of the papers\n\n\
         This page lists all definitions, theorems, algorithms, tables, and figures of the five \
         papers that Indistinct implements. For each item, the page lists the source file and the \
         tests, or states why the item is not implemented. If a paper contains an error, \
         [readings.md](readings.md) describes how Indistinct behaves. The last two sections list \
         the statements that Indistinct makes about guarantees, and the requirements that an \
         earlier version violated. Each entry names its tests.\n\n\
         The column *detected mutation* shows a change of the code that makes the item wrong and\n\
         that a test of the item detects.\n\
         `.ci/mutations` applies each change in `crates/testkit/tests/coverage/mutations.toml`\n\
         and requires that the test fails.\n\n\
         The test `crates/testkit/tests/coverage` generates this page and fails if a listed test \
         does not exist.\n",
    );
    let n_not = items().filter(|item| matches!(item.state, State::Not(_))).count();
    let (n_items, mutations) = (items().count(), mutations());
    let n_executed = mutations.iter().filter(|it| it.is_executed).count();
    let mutated = match mutations.len() - n_executed {
        0 => "For each of the others, the mutation was executed and detected.".to_owned(),
        n => format!(
            "For {n_executed} of the others, the mutation was executed and detected; {n} mutations \
             were not executed."
        ),
    };
    write!(
        page,
        "\nOf the {n_items} items on this page, {n_not} are not implemented.\n{mutated}\n"
    )
    .expect("writing to a string cannot fail");
    for (letter, title) in TEXTS {
        write!(
            page,
            "\n## {letter}. {title}\n\n\
             | item | content | source file | tests | detected mutation |\n\
             |---|---|---|---|---|\n"
        )
        .expect("writing to a string cannot fail");
        for item in items().filter(|item| item.text == letter) {
            let (place, held) = match item.state {
                State::Held(file, tests) => (format!("[{file}](../crates/{file})"), links(tests)),
                State::Not(reason) => ("**not implemented**".to_owned(), reason.to_owned()),
            };
            let mutation = mutations.iter().find(|it| it.item == item.key());
            let change = match mutation {
                Some(it) if it.is_executed => &it.change,
                Some(_) => "not executed",
                None => "",
            };
            writeln!(page, "| {} | {} | {place} | {held} | {change} |", item.name, item.what)
                .expect("writing to a string cannot fail");
        }
    }
    page += "\n## Statements about guarantees\n\n\
             | statement | source file | tests |\n|---|---|---|\n";
    for sentence in SENTENCES {
        let (place, held) = (link_to(sentence.source), links(sentence.tests));
        writeln!(page, "| {} | {place} | {held} |", sentence.says)
            .expect("writing to a string cannot fail");
    }
    page += "\n\
             ## Requirements from past errors\n\n\
             The letter in each number denotes the subject: A for proofs, bounds, and advice; B \
             for measures, attacks, and statements; C for the papers and their figures; D for \
             malicious input.\n\n\
             | | requirement | tests |\n\
             |---|---|---|\n";
    for point in POINTS {
        writeln!(page, "| {} | {} | {} |", point.number, point.holds, links(point.tests))
            .expect("writing to a string cannot fail");
    }
    page
}

#[test]
fn coverage_entries_name_existing_tests() {
    let mut wrong = Vec::new();
    let mut names = std::collections::BTreeSet::new();
    let mut check = |file: &str, tests: &[&str], of: &str| {
        if !Path::new(ROOT).join("crates").join(file).is_file() {
            wrong.push(format!("{of}: {file} does not exist"));
        }
        if tests.is_empty() {
            wrong.push(format!("{of}: no test is listed"));
        }
        wrong.extend(tests.iter().filter_map(|test| Some(format!("{of}: {}", missing(test)?))));
    };
    for item in items() {
        assert!(
            names.insert((item.text, item.name)),
            "{} {} is listed twice",
            item.text,
            item.name
        );
        match item.state {
            State::Held(file, tests) => check(file, tests, item.name),
            State::Not(reason) => assert!(reason.len() > 10, "{} has a reason", item.name),
        }
    }
    for sentence in SENTENCES {
        check(sentence.source, sentence.tests, sentence.says);
    }
    for point in POINTS {
        // Checks the file of the first test.
        let file = point.tests[0].split(": ").next().expect("file: test");
        check(file, point.tests, point.number);
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// The sources of the program, with their paths below `crates/`.
fn sources(folder: &Path, found: &mut Vec<(String, String)>) {
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|it| it == "rs" || it == "toml") {
            let crates = Path::new(ROOT).join("crates");
            let name = path.strip_prefix(crates).expect("below it").to_string_lossy().into_owned();
            found.push((name, std::fs::read_to_string(&path).expect("a source")));
        }
    }
}

#[test]
fn files_with_guarantee_statements_are_listed() {
    let mut all = Vec::new();
    for entry in std::fs::read_dir(format!("{ROOT}/crates")).expect("the crates") {
        let path = entry.expect("an entry").path();
        // Experiments and the test kit make no statements about guarantees to users.
        if path.ends_with("experiments") || path.ends_with("testkit") {
            continue;
        }
        for folder in ["src", "assets/texts"].map(|it| path.join(it)) {
            if folder.is_dir() {
                sources(&folder, &mut all);
            }
        }
    }
    let has_word = |text: &str| WORDS.iter().any(|word| text.contains(word));
    let speaks = |name: &str, text: &str| {
        if name.ends_with(".toml") {
            return has_word(text);
        }
        let code = text.split("#[cfg(test)]").next().unwrap_or(text);
        let lines = code.lines().filter(|line| !line.trim_start().starts_with("//"));
        lines.into_iter().any(|line| {
            let texts = line.split('"').skip(1).step_by(2);
            texts.into_iter().any(has_word)
        })
    };
    let listed: Vec<&str> =
        SENTENCES.iter().map(|it| it.source).chain(PASSED_ON.iter().map(|it| it.0)).collect();
    let unlisted: Vec<&String> = all
        .iter()
        .filter(|(name, text)| speaks(name, text) && !listed.contains(&name.as_str()))
        .map(|it| &it.0)
        .collect();
    assert!(unlisted.is_empty(), "add the tests of the sentences in {unlisted:?} to sentences.rs");
    for (name, _) in PASSED_ON {
        let is_there = all.iter().any(|(own, text)| own == name && speaks(own, text));
        assert!(
            is_there,
            "{name} no longer contains a statement about a guarantee; remove it from the list"
        );
    }
}

/// The points are A1 to D30: proofs and advice, measures and attacks, the papers, malicious input.
#[test]
fn every_coverage_point_has_tests() {
    let letter = |number: u32| match number {
        1..=6 => 'A',
        7..=16 => 'B',
        17..=20 => 'C',
        _ => 'D',
    };
    let all: Vec<String> = (1..=30).map(|number| format!("{}{number}", letter(number))).collect();
    let there: Vec<&str> = POINTS.iter().map(|point| point.number).collect();
    assert_eq!(there, all);
}

#[test]
fn coverage_page_is_up_to_date() {
    let path = format!("{ROOT}/docs/coverage.md");
    let page = page();
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::write(&path, &page).expect("the page can be written");
    }
    let written = std::fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(written, page, "UPDATE_DOCS=1 cargo test -p indistinct-testkit --test coverage");
}
