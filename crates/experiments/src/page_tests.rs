//! Tests that compare `docs/experiments.md` with the stored results in `docs/experiments/`.

use std::path::{Path, PathBuf};

use crate::comparison::{Agreement, Row};
use crate::figure::{Panel, Series};
use crate::registry::REGISTRY;
use crate::writing::{cells, contents_line, introduction, omitted, table_line, tally, total};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Returns the records of a file with stored results, without the header.
fn records(file: &str) -> Vec<Vec<String>> {
    let path = root().join("docs/experiments").join(file);
    let records = csv::Reader::from_path(path).expect("the file is readable").into_records();
    records.map(|it| it.expect("a record").iter().map(str::to_owned).collect()).collect()
}

fn comparison(name: &str) -> Vec<Vec<String>> {
    records(&format!("{name}.comparison.csv"))
}

/// Returns the stored plots of an experiment, without titles.
pub(crate) fn stored(name: &str) -> Vec<Panel> {
    let mut panels: Vec<Panel> = Vec::new();
    for record in records(&format!("{name}.csv")) {
        let [plot, series, parameter, value] = &record[..] else { panic!("{record:?}") };
        if panels.last().is_none_or(|panel| panel.id != *plot) {
            panels.push(Panel::new(plot.as_str(), "", ("", ""), Vec::new()));
        }
        let panel = panels.last_mut().expect("a plot");
        if panel.series.last().is_none_or(|it| it.name != *series) {
            panel.series.push(Series { name: series.clone(), values: Vec::new() });
        }
        if panel.series.len() == 1 {
            panel.labels.push(parameter.clone());
        }
        panel.series.last_mut().expect("a series").values.push(value.parse().ok());
    }
    panels
}

/// Checks that the stored comparison of an experiment contains these rows.
pub(crate) fn assert_rows(name: &str, rows: &[Row]) {
    let stored = comparison(name);
    for row in rows {
        let cells = cells(row);
        assert!(stored.contains(&cells), "{name} lacks {cells:#?}");
    }
}

/// Joins lines, because the page wraps some paragraphs.
fn unwrapped(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Checks that the page contains a text, regardless of line breaks.
pub(crate) fn assert_on_page(text: &str) {
    let page = std::fs::read_to_string(root().join("docs/experiments.md")).expect("the page");
    assert!(unwrapped(&page).contains(&unwrapped(text)), "the page lacks: {text}");
}

fn verdicts(records: &[Vec<String>]) -> [usize; 4] {
    let all = [Agreement::Pass, Agreement::Fail, Agreement::NotComparable, Agreement::Differs];
    let verdict = |record: &Vec<String>| {
        *all.iter().find(|it| it.word() == record[3]).expect("a known verdict")
    };
    tally(records.iter().map(verdict))
}

#[test]
fn page_matches_stored_comparisons() {
    let page = std::fs::read_to_string(root().join("docs/experiments.md")).expect("the page");
    let mut of_all = Vec::new();
    let mut n_lines = 0;
    for experiment in REGISTRY {
        let records = comparison(experiment.name);
        assert_on_page(&contents_line(experiment.name, experiment.title, verdicts(&records)));
        let heading = format!("\n## {}\n", experiment.name);
        let section = page.split(&heading).nth(1).expect("a section");
        let section = section.split("\n## ").next().expect("its text");
        for record in &records {
            let line = table_line(record);
            assert!(section.contains(&line), "{} lacks {line}", experiment.name);
        }
        n_lines += section.lines().filter(|line| line.starts_with("| ")).count() - 1;
        of_all.extend(records);
    }
    assert_eq!(n_lines, of_all.len(), "the page has no other rows");
    for text in [introduction(), total(verdicts(&of_all)), omitted()] {
        assert_on_page(&text);
    }
}

#[test]
fn differences_on_page_are_tested_or_unknown() {
    let mut n_tested = 0;
    for experiment in REGISTRY {
        for record in comparison(experiment.name) {
            let [statement, _, _, verdict, reason] = &record[..] else { panic!("{record:?}") };
            let contradicts =
                [Agreement::Fail, Agreement::Differs].iter().any(|it| it.word() == verdict);
            let Some((_, cause)) = reason.split_once("; reason for the difference: ") else {
                assert!(!contradicts, "{}: {statement} has no reason", experiment.name);
                continue;
            };
            assert!(contradicts, "{}: {statement} has no difference", experiment.name);
            if cause == "unknown" {
                continue;
            }
            let (_, test) = cause.rsplit_once(" (test `").expect("a test");
            let (file, name) = test.trim_end_matches("`)").split_once(": ").expect("file: test");
            let source = std::fs::read_to_string(root().join("crates").join(file));
            let source = source.unwrap_or_else(|error| panic!("{file}: {error}"));
            assert!(source.contains(&format!("#[test]\n{}", indented(&source, name))), "{test}");
            n_tested += 1;
        }
    }
    assert!(n_tested >= 8, "only {n_tested} reasons have a test");
}

/// Returns the first line of a function with its indentation in the source.
fn indented(source: &str, name: &str) -> String {
    let start = format!("fn {name}(");
    let line = source.lines().find(|line| line.trim_start().starts_with(&start));
    line.unwrap_or_else(|| panic!("the function {name} does not exist")).to_owned()
}
