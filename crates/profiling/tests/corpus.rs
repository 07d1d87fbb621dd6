//! Tests the recognizers on a corpus of messy tables (`crates/testkit/tables`): they must find all
//! expected kinds and no others.
//!
//! `UPDATE_DOCS=1` writes the table in `docs/init.md`.

// The tests read tables from files. The crate itself does not read files.
#![allow(clippy::disallowed_methods)]

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use indistinct_profiling::proposal::{ColumnProposal, ProposedRole, propose, to_combine};
use indistinct_profiling::uniques::{BUDGET, MOST_COLUMNS, MinimalUniques, minimal_uniques};
use indistinct_profiling::{ColumnProfile, Meaning, Sureness, examine};

const TABLES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../testkit/tables");
const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/init.md");
const BEGIN: &str = "<!-- corpus: begin -->\n";
const END: &str = "<!-- corpus: end -->\n";

/// A table with the expected findings of each column.
struct Table {
    name: String,
    profile: Vec<ColumnProfile>,
    proposed: Vec<ColumnProposal>,
    expected: Vec<String>,
}

fn rows(path: &Path, delimiter: u8) -> Vec<csv::StringRecord> {
    let reader = csv::ReaderBuilder::new().delimiter(delimiter).has_headers(false).from_path(path);
    reader.expect("the file exists").records().map(|row| row.expect("a row")).collect()
}

fn tables() -> Vec<Table> {
    let mut by_table: BTreeMap<String, (u8, Vec<(String, String)>)> = BTreeMap::new();
    for row in &rows(&PathBuf::from(TABLES).join("expected.csv"), b',')[1..] {
        let entry = by_table.entry(row[0].to_owned()).or_insert((row[1].as_bytes()[0], Vec::new()));
        entry.1.push((row[2].to_owned(), row[3].to_owned()));
    }
    by_table
        .into_iter()
        .map(|(name, (delimiter, columns))| table(name, delimiter, &columns))
        .collect()
}

fn table(name: String, delimiter: u8, columns: &[(String, String)]) -> Table {
    let all = rows(&PathBuf::from(TABLES).join(&name), delimiter);
    let (header, rows) = all.split_first().expect("a header");
    assert!(header.iter().eq(columns.iter().map(|(column, _)| column)), "{name}");
    let mut codes: Vec<Vec<u32>> = Vec::new();
    let mut profile = Vec::new();
    for (at, (column, _)) in columns.iter().enumerate() {
        let mut counted: BTreeMap<&str, u64> = BTreeMap::new();
        rows.iter().for_each(|row| *counted.entry(&row[at]).or_default() += 1);
        let values: Vec<(&str, u64)> = counted.into_iter().collect();
        let code = |value: &str| values.iter().position(|(other, _)| *other == value);
        codes.push(rows.iter().map(|row| code(&row[at]).expect("counted") as u32).collect());
        profile.push(examine(column, rows.len() as u64, &values));
    }
    let combined: Vec<&[u32]> = to_combine(&profile).iter().map(|at| &codes[*at][..]).collect();
    // Equal rows form one tuple.
    let mut tuples: BTreeMap<Vec<u32>, u64> = BTreeMap::new();
    for row in 0..rows.len() {
        *tuples.entry(combined.iter().map(|codes| codes[row]).collect()).or_default() += 1;
    }
    let codes: Vec<Vec<u32>> =
        (0..combined.len()).map(|at| tuples.keys().map(|tuple| tuple[at]).collect()).collect();
    let codes: Vec<&[u32]> = codes.iter().map(Vec::as_slice).collect();
    let counts: Vec<u64> = tuples.into_values().collect();
    let uniques: MinimalUniques = minimal_uniques(&codes, &counts, MOST_COLUMNS, BUDGET);
    let proposed = propose(&profile, &uniques);
    let expected = columns.iter().map(|(_, what)| what.clone()).collect();
    Table { name, profile, proposed, expected }
}

/// The results for one kind over the whole corpus.
#[derive(Default)]
struct Tally {
    n_columns: usize,
    n_found: usize,
    n_published: usize,
}

fn tally(tables: &[Table]) -> (BTreeMap<&str, Tally>, Vec<String>, Vec<String>) {
    let (mut kinds, mut missed, mut alarms): (BTreeMap<&str, Tally>, _, _) =
        (BTreeMap::new(), Vec::new(), Vec::new());
    for table in tables {
        for ((profile, proposed), what) in
            table.profile.iter().zip(&table.proposed).zip(&table.expected)
        {
            let place = format!("{}: {}", table.name, profile.name);
            let tally = kinds.entry(what).or_default();
            tally.n_columns += 1;
            if what == "none" {
                let alarm = profile.finding(
                    &[Meaning::Identifies, Meaning::Exact, Meaning::Household, Meaning::Weight],
                    Sureness::Likely,
                );
                if let Some(alarm) = alarm {
                    alarms.push(format!("{place} looks like {}", alarm.kind.name));
                } else if matches!(proposed.role, ProposedRole::Identifier) {
                    alarms.push(format!("{place} is omitted"));
                }
                continue;
            }
            let finding = profile.findings.iter().find(|finding| finding.kind.name == what);
            match finding {
                Some(_) => tally.n_found += 1,
                None => {
                    let instead: Vec<&str> =
                        profile.findings.iter().map(|finding| finding.kind.name).collect();
                    missed.push(format!("{place} is {what}, found {instead:?}"));
                }
            }
            // Dates of birth and coordinates may be generalized. No other identifying kind may be
            // published.
            let may_be_generalized =
                matches!(what.as_str(), "birth-date" | "coordinates" | "coordinate");
            let is_retained =
                matches!(proposed.role, ProposedRole::Identifier | ProposedRole::Undecided)
                    || may_be_generalized && proposed.role == ProposedRole::QuasiIdentifier;
            if !is_retained {
                tally.n_published += 1;
                missed.push(format!("{place} ({what}) would be published"));
            }
        }
    }
    (kinds, missed, alarms)
}

fn page(kinds: &BTreeMap<&str, Tally>, n_alarms: usize, n_tables: usize) -> String {
    let mut page =
        String::from("| content | columns | found | would be published |\n|---|---|---|---|\n");
    let (mut columns, mut found, mut published) = (0, 0, 0);
    for (kind, tally) in kinds.iter().filter(|(kind, _)| **kind != "none") {
        let Tally { n_columns, n_found, n_published } = tally;
        let _ = writeln!(page, "| {kind} | {n_columns} | {n_found} | {n_published} |");
        (columns, found, published) =
            (columns + n_columns, found + n_found, published + n_published);
    }
    let n_none = kinds.get("none").map_or(0, |tally| tally.n_columns);
    let _ = writeln!(
        page,
        "| **all of these** | {columns} | {found} ({:.1}%) | {published} |",
        100.0 * found as f64 / columns as f64
    );
    let _ = writeln!(
        page,
        "| none of these ({n_tables} tables) | {n_none} | {n_alarms} false alarms | |"
    );
    page
}

#[test]
fn corpus_recall_and_false_alarms_meet_targets() {
    let tables: Vec<Table> =
        tables().into_iter().filter(|table| !table.name.contains('/')).collect();
    assert_eq!(tables.len(), 70);
    let (kinds, missed, alarms) = tally(&tables);
    let shown = format!("{BEGIN}{}{END}", page(&kinds, alarms.len(), tables.len()));
    let text = std::fs::read_to_string(PAGE).expect("docs/init.md");
    let (before, rest) = text.split_once(BEGIN).expect("the page has the start marker");
    let (_, after) = rest.split_once(END).expect("the page has the end marker");
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::write(PAGE, format!("{before}{shown}{after}")).expect("docs/init.md is writable");
    } else {
        assert!(
            text.contains(&shown),
            "docs/init.md is not up to date: UPDATE_DOCS=1 cargo test -p indistinct-profiling\n\
             {shown}"
        );
    }
    assert!(alarms.is_empty(), "{}", alarms.join("\n"));
    assert!(kinds.values().all(|tally| tally.n_published == 0), "{}", missed.join("\n"));
    let of = |count: fn(&Tally) -> usize| {
        kinds
            .iter()
            .filter(|(kind, _)| **kind != "none")
            .map(|(_, tally)| count(tally))
            .sum::<usize>()
    };
    let (n, found) = (of(|tally| tally.n_columns), of(|tally| tally.n_found));
    assert!(found * 100 >= n * 95, "{found} of {n}:\n{}", missed.join("\n"));
}

/// An acceptance corpus that was not used to tune the recognizers.
#[test]
fn acceptance_tables_publish_no_identifier() {
    let tables: Vec<Table> =
        tables().into_iter().filter(|table| table.name.contains('/')).collect();
    assert_eq!(tables.len(), 10);
    let (kinds, missed, alarms) = tally(&tables);
    assert!(kinds.values().all(|tally| tally.n_published == 0), "{}", missed.join("\n"));
    assert!(alarms.is_empty(), "{}", alarms.join("\n"));
}
