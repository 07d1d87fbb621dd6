//! A hostile campaign: thousands of small attacks on the program, and an oracle that shares no code
//! with it.
//!
//! The campaign has four kinds of attacks: changes to every file of a release with matching
//! digests, manipulations of the folder, corrupt inputs, and malicious strings. In every case, the
//! program must end with an answer or an error within the limits of time and memory, and leave no
//! incomplete files. If `verify` accepts a release, the independent count in this file must confirm
//! its claims.
//!
//! A small part of the campaign runs with the other tests. To run all of it:
//! `INDISTINCT_HOSTILE=all cargo test --release -p indistinct-cli --test campaign`. The figures of
//! the last complete run are in `docs/reliability.md`.

#![cfg(unix)]

mod place;

use std::collections::BTreeMap;
use std::os::unix::fs::symlink;
use std::process::Command;

use place::{Answer, Random, Scene, share};

/// The claims of the releases under attack.
const K: usize = 3;
const L: usize = 2;

/// Whether the released rows satisfy the claims, by an independent count of the sensitive values of
/// rows with equal quasi-identifiers.
fn is_true(place: &Scene) -> bool {
    let text = place.text("release/data.csv");
    let mut classes: BTreeMap<Vec<String>, Vec<String>> = BTreeMap::new();
    for line in text.lines().skip(1) {
        let Some(cells) = cells(line) else { return false };
        let [quasi @ .., sensitive] = &cells[..] else { return false };
        classes.entry(quasi.to_vec()).or_default().push(sensitive.clone());
    }
    classes.values_mut().all(|values| {
        let n = values.len();
        values.sort();
        values.dedup();
        n >= K && values.len() >= L
    })
}

/// Splits a line into cells that contain no line breaks. Returns `None` if a quotation mark is not
/// closed.
fn cells(line: &str) -> Option<Vec<String>> {
    let (mut cells, mut cell, mut is_open) = (Vec::new(), String::new(), false);
    let mut chars = line.trim_end_matches('\r').chars().peekable();
    while let Some(char) = chars.next() {
        match char {
            '"' if is_open && chars.peek() == Some(&'"') => cell.push(chars.next()?),
            '"' if is_open || cell.is_empty() => is_open = !is_open,
            ',' if !is_open => cells.push(std::mem::take(&mut cell)),
            other => cell.push(other),
        }
    }
    cells.push(cell);
    (!is_open).then_some(cells)
}

fn verified(place: &Scene, what: &str) -> Answer {
    let answer = place.run(&["verify", "release"]);
    answer.ended(what);
    if answer.status == Some(0) {
        assert!(
            is_true(place),
            "{what}: the verifier accepted a false release\n{}",
            place.text("release/data.csv")
        );
    }
    answer
}

#[test]
fn changed_files_never_verify_false_claims() {
    let place = Scene::released();
    let mut random = Random(1);
    let whole = place.listing("release");
    let (mut n, mut n_accepted) = (0, 0);
    for (name, bytes) in &whole {
        for _ in 0..share(12, 400) {
            let mut changed = bytes.clone();
            random.change(&mut changed);
            place.write(&format!("release/{name}"), &changed);
            place.fit_digests();
            n += 1;
            let answer = verified(&place, &format!("{name} after {n} changes"));
            let is_accepted = answer.status == Some(0);
            n_accepted += usize::from(is_accepted);
            // The report must follow from the other files.
            let is_report = name.starts_with("report");
            assert!(
                !(is_report && is_accepted && changed != *bytes),
                "{name}: the verifier accepted a changed report"
            );
            place.restore("release", &whole);
        }
    }
    assert_eq!(verified(&place, "restored").status, Some(0));
    println!("{n} changed files, {n_accepted} accepted, no false one");
}

/// Changes bytes of the footer of a Parquet file, and fits its length.
fn change_footer(random: &mut Random, bytes: &mut Vec<u8>) {
    let end = bytes.len() - 8;
    let length: [u8; 4] = bytes[end..end + 4].try_into().expect("a length");
    let start = end - u32::from_le_bytes(length) as usize;
    let mut footer = bytes[start..end].to_vec();
    random.change(&mut footer);
    bytes.truncate(start);
    bytes.extend_from_slice(&footer);
    bytes.extend_from_slice(&(footer.len() as u32).to_le_bytes());
    bytes.extend_from_slice(b"PAR1");
}

#[test]
fn changed_parquet_files_are_rejected() {
    let place = Scene::released_as("parquet");
    let mut random = Random(4);
    let whole = place.listing("release");
    let bytes = &whole["data.parquet"];
    // The file may have been written by another version.
    let version = env!("CARGO_PKG_VERSION").len();
    let at = bytes.windows(11).position(|it| it == b"indistinct ").expect("a creator") + 11;
    let without_version = |bytes: &[u8]| {
        let mut bytes = bytes.to_vec();
        let end = bytes.len().min(at + version);
        bytes.drain(at.min(end)..end);
        bytes
    };
    for turn in 0..share(60, 4_000) {
        let mut changed = bytes.clone();
        match turn % 2 {
            0 => random.change(&mut changed),
            _ => change_footer(&mut random, &mut changed),
        }
        place.write("release/data.parquet", &changed);
        place.fit_digests();
        let answer = verified_without_rows(&place, &format!("Parquet, turn {turn}"));
        let is_same = without_version(&changed) == without_version(bytes);
        assert!(answer.status != Some(0) || is_same, "turn {turn}: accepted");
        place.restore("release", &whole);
    }
    assert_eq!(verified_without_rows(&place, "restored").status, Some(0));
}

#[test]
fn moved_rows_never_verify_false_claims() {
    let place = Scene::released();
    let mut random = Random(2);
    let whole = place.listing("release");
    let text = place.text("release/data.csv");
    let lines: Vec<&str> = text.lines().collect();
    for turn in 0..share(40, 2_000) {
        let mut lines: Vec<String> = lines.iter().map(|line| (*line).to_owned()).collect();
        for _ in 0..=random.below(3) {
            let (at, other) =
                (1 + random.below(lines.len() - 1), 1 + random.below(lines.len() - 1));
            match random.below(4) {
                0 => drop(lines.remove(at)),
                1 => lines.push(lines[at].clone()),
                2 => {
                    let (mut one, two) =
                        (cells(&lines[at]).unwrap(), cells(&lines[other]).unwrap());
                    let cell = random.below(one.len());
                    one[cell].clone_from(&two[cell]);
                    lines[at] =
                        one.iter().map(|it| format!("\"{it}\"")).collect::<Vec<_>>().join(",");
                }
                _ => lines.swap(at, other),
            }
        }
        place.write("release/data.csv", (lines.join("\n") + "\n").as_bytes());
        place.fit_digests();
        verified(&place, &format!("rows moved, round {turn}"));
        place.restore("release", &whole);
    }
}

#[test]
fn changed_certificate_numbers_fail_verification() {
    let place = Scene::released();
    let whole = place.listing("release");
    let text = place.text("release/certificate.json");
    let claims_end = text.find("\"facts\"").expect("the certificate has facts");
    let digits: Vec<usize> = text[..claims_end]
        .match_indices(|char: char| char.is_ascii_digit())
        .map(|(at, _)| at)
        .filter(|&at| !text[..at].rsplit('\n').next().unwrap_or_default().contains("indistinct"))
        // Skip digits after the ninth decimal, where differences are due to rounding.
        .filter(|&at| {
            let number = text[..at].rsplit(|char: char| !char.is_ascii_digit() && char != '.');
            number.clone().next().and_then(|it| it.split_once('.')).is_none_or(|it| it.1.len() < 9)
        })
        .collect();
    let step = (digits.len() / share(60, usize::MAX)).max(1);
    for &at in digits.iter().step_by(step) {
        let mut changed = text.clone().into_bytes();
        changed[at] = if changed[at] == b'9' { b'1' } else { changed[at] + 1 };
        place.write("release/certificate.json", &changed);
        let answer = verified(&place, &format!("digit {at} of the certificate"));
        let shown: String =
            text[..at].chars().rev().take(40).collect::<Vec<_>>().iter().rev().collect();
        assert_ne!(answer.status, Some(0), "the verifier accepted a changed digit after {shown}");
        place.restore("release", &whole);
    }
}

#[test]
fn tampered_release_folder_is_rejected() {
    type Tamper = fn(&Scene);
    let tampers: [(&str, Tamper); 12] = [
        ("an additional file", |place| place.write("release/notes.txt", b"Ada has the flu")),
        ("a missing file", |place| place.remove("release/report.html")),
        ("a folder whose name discloses a cell", |place| {
            std::fs::create_dir(place.path("release/Ada has the flu")).expect("made");
        }),
        ("a nested folder whose name discloses a cell", |place| {
            std::fs::create_dir(place.path("release/hierarchies/Ada has the flu")).expect("made");
        }),
        ("a compressed table without a matching extension", |place| {
            let packed = Command::new("gzip").arg(place.path("release/data.csv")).status();
            assert!(packed.expect("gzip runs").success());
            let (from, to) = (place.path("release/data.csv.gz"), place.path("release/data.csv"));
            std::fs::rename(from, to).expect("moved");
            place.fit_digests();
        }),
        ("a symbolic link to the table", |place| {
            place.write("elsewhere.csv", place.text("release/data.csv").as_bytes());
            place.remove("release/data.csv");
            symlink("../elsewhere.csv", place.path("release/data.csv")).expect("linked");
        }),
        ("a symbolic link to a folder", |place| {
            std::fs::rename(place.path("release/hierarchies"), place.path("away")).expect("moved");
            symlink("../away", place.path("release/hierarchies")).expect("linked");
        }),
        ("a pipe instead of the table", |place| place.pipe("release/data.csv")),
        ("a pipe instead of the policy", |place| place.pipe("release/policy.toml")),
        ("a pipe instead of a hierarchy", |place| place.pipe("release/hierarchies/age.csv")),
        ("an endless policy", |place| {
            place.remove("release/policy.toml");
            symlink("/dev/zero", place.path("release/policy.toml")).expect("linked");
        }),
        ("a folder instead of the table", |place| {
            place.remove("release/data.csv");
            std::fs::create_dir(place.path("release/data.csv")).expect("made");
        }),
    ];
    for (what, tamper) in tampers {
        let place = Scene::released();
        tamper(&place);
        let answer = verified_without_rows(&place, what);
        assert_ne!(answer.status, Some(0), "{what}: accepted");
        for command in
            [&["measure", "release"][..], &["attack", "release"], &["link", "release", "release"]]
        {
            place.run(command).ended(what);
        }
        assert_eq!(place.run(&["ledger", "init", "all.ledger"]).status, Some(0), "{what}");
        let added = place.run(&["ledger", "add", "all.ledger", "release"]);
        added.ended(what);
        assert_ne!(added.status, Some(0), "{what}: recorded");
    }
}

/// Runs [`verified`] without counting rows, which may be missing.
fn verified_without_rows(place: &Scene, what: &str) -> Answer {
    let answer = place.run(&["verify", "release"]);
    answer.ended(what);
    answer
}

#[test]
fn corrupt_inputs_terminate_and_leave_no_files() {
    let place = Scene::new();
    let mut random = Random(3);
    let whole = place.listing("");
    for turn in 0..share(60, 3_000) {
        for (name, bytes) in &whole {
            let mut changed = bytes.clone();
            random.change(&mut changed);
            place.write(name, &changed);
            let what = format!("{name}, turn {turn}");
            let answer = place.run(&["anonymize", "policy.toml", "-o", "release"]);
            answer.ended(&what);
            if answer.status == Some(0) {
                assert_eq!(place.run(&["verify", "release"]).status, Some(0), "{what}: {answer:?}");
            }
            let left = place.listing("");
            let is_staging = |name: &&String| name.contains(".indistinct-");
            assert_eq!(left.keys().find(is_staging), None, "{what}: the staging folder remains");
            assert!(answer.status == Some(0) || !place.path("release").exists(), "{what}");
            place.restore("", &whole);
        }
    }
}

#[test]
fn hostile_texts_are_preserved_but_not_interpreted() {
    let nasty = [
        "\u{1b}[2J",
        "\u{9b}1A",
        "\u{202e}evil",
        "=1+1",
        "+1",
        "-1+1",
        "@SUM(A1)",
        "\"",
        "\"\"",
        "a,b",
        "a;b",
        "'",
        "\\",
        "*",
        "<script>alert(1)</script>",
        "</style>",
        "&lt;",
        "a\nb",
        "a\r\nb",
        "\t",
        " ",
        "\u{feff}",
        "\u{2028}",
        "null",
        "NaN",
        "{}",
        "[1, 2)",
        "> 5",
        "../../etc/passwd",
        "CON",
        "%s%n",
        "$(true)",
        "\u{0}",
        "é",
        "e\u{301}",
        "🙂",
    ];
    let quoted = |text: &str| format!("\"{}\"", text.replace('"', "\"\""));
    for text in nasty {
        let place = Scene::new();
        let cell = quoted(text);
        let mut table = "age,city,disease\n".to_owned();
        for at in 0..12 {
            let city = if at % 2 == 0 { cell.as_str() } else { "Rome" };
            let value = if at % 3 == 0 { cell.as_str() } else { ["flu", "ulcer"][at % 2] };
            table += &format!("{},{city},{value}\n", 30 + at % 2);
        }
        place.write("table.csv", table.as_bytes());
        for command in [
            &["profile", "table.csv", "--show-values"][..],
            &["anonymize", "policy.toml", "-o", "release", "--show-values"],
            &["verify", "release"],
            &["attack", "release"],
        ] {
            let answer = place.run(command);
            answer.ended(text);
            let is_obeyed = |char: char| {
                (char.is_control() && char != '\n') || ('\u{202a}'..='\u{202e}').contains(&char)
            };
            assert!(!answer.stdout.contains(is_obeyed), "{text:?}: {answer:?}");
            assert!(!answer.stderr.contains(is_obeyed), "{text:?}: {answer:?}");
        }
        if place.path("release/report.html").exists() {
            let page = place.text("release/report.html");
            assert!(!page.contains("<script>alert"), "{text:?}");
        }
    }
}
