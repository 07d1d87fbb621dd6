//! The target for ledgers: complete or damaged database files, and complete files with changed
//! cells.

use std::path::Path;
use std::sync::LazyLock;
use std::time::Duration;

use indistinct::{Session, Silent};
use indistinct_core::Rational;
use indistinct_core::remaining::{Measure, RemainingRequirement};
use indistinct_engine::Within;
use indistinct_ledger::{Access, EarlierReleases, Ledger, people};
use indistinct_linkage::as_published::LabeledRelease;
use rusqlite::Connection;
use rusqlite::types::Value;

use super::{Target, about, kind, released};

/// The first bytes of a SQLite file. Any other input is interpreted as cells.
const MAGIC: &[u8] = b"SQLite format 3\0";
/// The columns whose cells are changed, by table.
const COLUMNS: &[(&str, &[&str])] = &[
    ("meta", &["key", "value"]),
    (
        "releases",
        &[
            "id",
            "name",
            "population",
            "series",
            "version",
            "state",
            "directory",
            "certificate_sha256",
            "policy",
            "seen",
            "n_rows",
            "n_classes",
            "files",
            "added_at",
            "record_sha256",
        ],
    ),
    ("people", &["series", "release_id", "person", "signature"]),
    ("events", &["seq", "at", "what", "release_id", "name", "record_sha256", "reason", "hash"]),
];
/// The time limit for linking a release, regardless of its content.
const LINKED_WITHIN: Duration = Duration::from_secs(5);

/// A ledger with one release and one person of a series, an empty ledger, and the published content
/// of the release.
struct Honest {
    whole: Vec<u8>,
    empty: Vec<u8>,
    published: LabeledRelease,
}

static HONEST: LazyLock<Honest> = LazyLock::new(|| {
    let (scene, release) = released();
    let path = scene.path("ledger");
    indistinct::ledger::init(&path).expect("a ledger");
    let empty = std::fs::read(&path).expect("a ledger");
    let adding = indistinct::ledger::AddOptions::default();
    indistinct::ledger::add(&Session::default(), &path, &release, &adding).expect("recorded");
    let person = "INSERT INTO people VALUES ('s', 1, zeroblob(32), '[\"flu\"]')";
    Connection::open(&path).and_then(|it| it.execute_batch(person)).expect("a ledger");
    let whole = std::fs::read(&path).expect("a ledger");
    let ledger = Ledger::open(&path, Access::Read).expect("a ledger");
    let published =
        ledger.as_published(ledger.releases().expect("one")[0].id).expect("the record is valid");
    Honest { whole, empty, published }
});

/// Writes other cells into all rows, from lines of the form `table.column=value`. A value that a
/// column cannot store is skipped.
fn change_cells(path: &Path, lines: &str) {
    let connection = Connection::open(path).expect("a ledger");
    let set = "PRAGMA synchronous = OFF; PRAGMA journal_mode = MEMORY; BEGIN";
    connection.execute_batch(set).expect("a ledger");
    for line in lines.lines() {
        let Some((place, text)) = line.split_once('=') else { continue };
        let Some((table, column)) = place.split_once('.') else { continue };
        let known = COLUMNS.iter().find(|it| it.0 == table);
        if !known.is_some_and(|it| it.1.contains(&column)) {
            continue;
        }
        let value = match (column, text.parse::<i64>()) {
            ("seen", _) => zstd::encode_all(text.as_bytes(), 1).map(Value::Blob).expect("packed"),
            ("person", _) => Value::Blob(text.bytes().chain([0; 32]).take(32).collect()),
            (_, Ok(number)) => Value::Integer(number),
            _ if text == "null" => Value::Null,
            _ => Value::Text(text.to_owned()),
        };
        let _ = connection.execute(&format!("UPDATE {table} SET {column} = ?1"), [value]);
    }
    connection.execute_batch("COMMIT").expect("a ledger");
}

fn seeds(_: &Path) -> Vec<Vec<u8>> {
    let published = serde_json::to_string(&HONEST.published).expect("the record can be serialized");
    let cells = [
        format!("releases.seen={published}\n"),
        "releases.state=pending\nreleases.n_rows=-1\nreleases.version=null\n".to_owned(),
        "people.signature=[]\npeople.series=null\nmeta.value=x\n".to_owned(),
        "events.what=published\nevents.seq=9\nreleases.files={\"a\":\"b\"}\n".to_owned(),
    ];
    let files = [HONEST.whole.clone(), HONEST.empty.clone()];
    files.into_iter().chain(cells.map(String::into_bytes)).collect()
}

/// Links a valid release twice with the ledger's content about other releases, and asserts that
/// both answers are equal.
fn linked(ledger: &Ledger) -> String {
    let earlier = match EarlierReleases::read(ledger, None, None) {
        Ok(earlier) => earlier,
        Err(error) => return format!("not read back: {}", kind(&error)),
    };
    let required = RemainingRequirement { measure: Measure::Entropy, l: Rational::from_integer(2) };
    let effect = || {
        let within = Within::new(LINKED_WITHIN, &Silent);
        earlier.effect(&HONEST.published, None, Some(&required), &within)
    };
    match (effect(), effect()) {
        (Ok(effect), Ok(again)) => {
            assert_eq!(effect, again);
            let n = about(usize::try_from(effect.linked.n_combinations).unwrap_or(usize::MAX));
            format!("linked: {} {n} {}", effect.holds, effect.linked_with.len())
        }
        (Err(error), _) | (_, Err(error)) => format!("not linked: {}", kind(&error)),
    }
}

fn run(folder: &Path, bytes: &[u8]) -> String {
    let path = folder.join("ledger");
    for pair in ["ledger-wal", "ledger-shm", "ledger-journal"] {
        let _ = std::fs::remove_file(folder.join(pair));
    }
    if bytes.starts_with(MAGIC) {
        std::fs::write(&path, bytes).expect("written");
    } else {
        std::fs::write(&path, &HONEST.whole).expect("written");
        change_cells(&path, &String::from_utf8_lossy(bytes));
    }
    let ledger = match Ledger::open(&path, Access::Read) {
        Err(error) => return format!("not opened: {}", kind(&error)),
        Ok(ledger) => ledger,
    };
    let listed = match ledger.releases() {
        Ok(releases) => format!("releases {}", about(releases.len())),
        Err(error) => kind(&error),
    };
    let people = people::history(ledger.connection(), "s");
    let people = people.map_or_else(|error| kind(&error), |all| format!("people {}", all.len()));
    match ledger.verify() {
        Ok(found) => {
            let n = about(found.findings.len());
            format!("{listed}, {people}, findings {n}, {}", linked(&ledger))
        }
        Err(error) => format!("{listed}, {people}, not verified: {}", kind(&error)),
    }
}

/// The target for ledgers.
pub fn ledger() -> Target {
    let words = &[
        "SQLite format 3\u{0}",
        "\u{0}",
        "\n",
        "releases.seen=",
        "releases.state=published\n",
        "releases.files={}\n",
        "releases.n_rows=-9223372036854775808\n",
        "releases.version=",
        "people.signature=",
        "people.person=",
        "events.what=removed\n",
        "events.release_id=",
        "events.hash=\n",
        "meta.value=",
        "null",
        "18446744073709551615",
        "4294967295",
        "{}",
        "[]",
        "[[0]]",
        "[[[0,1]]]",
        "\"labels\":[\"*\"]",
        "\"chains\":[[\"1\",\"*\"]]",
        "\"single\":[0]",
        "\"bottoms\":\"values\"",
        "\"regions\":[[0]]",
        "\"sensitive\":[[[0,1]]]",
        "\"[1, 3)\"",
        "\"{a, b}\"",
        "\"1*\"",
    ];
    Target { name: "ledger", words, seeds, run }
}
