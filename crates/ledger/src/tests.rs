//! Tests the ledger file and its transactions.

use indistinct_diagnostics::Coded;
use std::collections::BTreeMap;
use std::fs;
#[cfg(unix)]
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use indistinct_linkage::as_published::{LabeledClass, LabeledColumn, LabeledRelease};
use rusqlite::Connection;

use super::*;

struct Scene {
    folder: tempfile::TempDir,
}

impl Scene {
    fn new() -> Self {
        Self { folder: tempfile::tempdir().unwrap() }
    }

    fn path(&self) -> PathBuf {
        self.folder.path().join("releases.ledger")
    }

    fn created(&self) -> Ledger {
        Ledger::create(&self.path()).unwrap()
    }

    fn open(&self) -> Result<Ledger, LedgerError> {
        Ledger::open(&self.path(), Access::Write)
    }

    /// Changes the file without using a [`Ledger`].
    fn tamper(&self, sql: &str) {
        let connection = Connection::open(self.path()).unwrap();
        connection.execute_batch(sql).unwrap();
    }

    fn findings(&self) -> Vec<Finding> {
        self.open().unwrap().verify().unwrap().findings
    }
}

fn published(n_rows: u64) -> LabeledRelease {
    let column = |name: &str, labels: &[&str]| LabeledColumn {
        name: name.to_owned(),
        labels: labels.iter().map(|label| (*label).to_owned()).collect(),
        chains: vec![vec!["34".to_owned(), "[30, 40)".to_owned(), "*".to_owned()]],
        ..LabeledColumn::default()
    };
    LabeledRelease {
        n_rows,
        quasi_identifiers: vec![column("age", &["[30, 40)"])],
        sensitive: vec![column("disease", &["flu", "ulcer"])],
        classes: vec![LabeledClass {
            regions: vec![vec![0]],
            sensitive: vec![vec![(0, 1), (1, n_rows - 1)]],
        }],
    }
}

fn record(ledger: &mut Ledger, name: &str) -> Record {
    let published = published(5);
    let files = BTreeMap::from([("data.csv".to_owned(), "12ab".to_owned())]);
    let new = NewRecord {
        name,
        population: Some("patients"),
        series: None,
        version: None,
        directory: "releases/one",
        certificate_sha256: "ab12",
        files: &files,
        policy: "version = 1\n",
        as_published: &published,
    };
    let entry = ledger.begin().unwrap();
    let record = entry.record(&new).unwrap();
    entry.commit().unwrap();
    record
}

fn code(answer: Result<Ledger, LedgerError>) -> &'static str {
    answer.expect_err("the ledger is rejected").code()
}

#[cfg(unix)]
fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o777
}

#[test]
fn recorded_releases_can_be_read() {
    let place = Scene::new();
    let mut ledger = place.created();
    let first = record(&mut ledger, "one");
    assert_eq!((first.state, first.n_rows, first.n_classes), (State::Pending, 5, 1));
    let second = record(&mut ledger, "one");
    assert_eq!(second.name, "one-2", "the second release has a distinct name");
    ledger.publish(first.id).unwrap();
    ledger.publish(first.id).unwrap();
    drop(ledger);
    let ledger = Ledger::open(&place.path(), Access::Read).unwrap();
    let all = ledger.releases().unwrap();
    assert_eq!(all[0], Record { state: State::Published, ..first.clone() });
    assert_eq!(all[1], second);
    assert_eq!(ledger.as_published(first.id).unwrap(), published(5));
    assert_eq!(ledger.release("one").unwrap().id, first.id);
    let unknown = ledger.release("two").expect_err("the release does not exist");
    assert_eq!(unknown.code(), "E-LEDGER-009");
    assert_eq!(unknown.help().as_deref(), Some("recorded releases: one, one-2"));
    let whats: Vec<_> = ledger.events().unwrap().into_iter().map(|event| event.what).collect();
    assert_eq!(whats, [What::Pending, What::Pending, What::Published].map(Some));
    assert_eq!(ledger.verify().unwrap().findings, []);
}

#[test]
fn dropped_entry_leaves_ledger_unchanged() {
    let place = Scene::new();
    let mut ledger = place.created();
    let head = ledger.head().unwrap();
    let published = published(5);
    let new = NewRecord {
        name: "one",
        population: None,
        series: None,
        version: None,
        directory: "one",
        certificate_sha256: "",
        files: &BTreeMap::new(),
        policy: "",
        as_published: &published,
    };
    drop(ledger.begin().unwrap().record(&new).map(|_| ()));
    assert_eq!((ledger.releases().unwrap(), ledger.head().unwrap()), (Vec::new(), head));
}

#[test]
fn removed_release_is_erased_but_event_remains() {
    let place = Scene::new();
    let mut ledger = place.created();
    let (one, two) = (record(&mut ledger, "one"), record(&mut ledger, "two"));
    ledger
        .connection()
        .execute("INSERT INTO people VALUES ('s', ?1, zeroblob(32), '[]')", [one.id.0])
        .unwrap();
    ledger.remove(one.id, "the release was never shared").unwrap();
    ledger.forget(two.id).unwrap();
    ledger.forget(two.id).unwrap();
    assert_eq!(ledger.releases().unwrap(), []);
    let count = "SELECT count(*) FROM people";
    assert_eq!(ledger.query(|it| it.query_row(count, [], |row| row.get(0))), Ok(0));
    let events = ledger.events().unwrap();
    assert_eq!(events.len(), 4);
    assert_eq!((events[2].what, events[2].name.as_str()), (Some(What::Removed), "one"));
    assert_eq!(events[2].reason.as_deref(), Some("the release was never shared"));
    assert_eq!(events[3].what, Some(What::Forgotten));
    assert_eq!(ledger.verify().unwrap().findings, []);
    // Numbers are never reused, so people recorded for release 1 cannot be attributed to a later
    // release.
    assert_eq!(record(&mut ledger, "three").id, ReleaseId(3));
    drop(ledger);
    let bytes = fs::read(place.path()).unwrap();
    let is_there = |text: &str| bytes.windows(text.len()).any(|part| part == text.as_bytes());
    // The name and the population are adjacent in a record.
    assert!(is_there("threepatients"));
    assert!(
        !is_there("onepatients") && !is_there("twopatients"),
        "removed records are overwritten"
    );
}

#[cfg(unix)]
#[test]
fn ledger_has_private_mode() {
    let place = Scene::new();
    drop(place.created());
    assert_eq!(mode(&place.path()), 0o600);
    fs::set_permissions(place.path(), fs::Permissions::from_mode(0o644)).unwrap();
    let read = Ledger::open(&place.path(), Access::Read).unwrap();
    assert_eq!((read.notices(), mode(&place.path())), (&[Notice::ModeLax][..], 0o644));
    let write = place.open().unwrap();
    assert_eq!((write.notices(), mode(&place.path())), (&[Notice::ModeHealed][..], 0o600));
    assert_eq!(place.open().unwrap().notices(), []);
}

#[test]
fn invalid_ledger_is_rejected() {
    let place = Scene::new();
    assert_eq!(code(place.open()), "E-LEDGER-001");
    for text in ["", "name,disease\nAda,flu\n", "SQLite format 3\0 and then something else"] {
        fs::write(place.path(), text).unwrap();
        assert_eq!(code(place.open()), "E-LEDGER-003", "{text:?}");
        assert_eq!(code(Ledger::create(&place.path())), "E-LEDGER-002");
    }
    assert_eq!(code(Ledger::open(place.folder.path(), Access::Read)), "E-LEDGER-003");
    fs::remove_file(place.path()).unwrap();
    place.tamper("CREATE TABLE t (a)");
    assert_eq!(code(place.open()), "E-LEDGER-003", "another database");
    let nowhere = place.folder.path().join("no/such/folder.ledger");
    assert_eq!(code(Ledger::create(&nowhere)), "E-LEDGER-008");
}

#[test]
fn newer_damaged_and_read_only_ledgers_are_rejected() {
    let place = Scene::new();
    record(&mut place.created(), "one");
    let good = fs::read(place.path()).unwrap();
    place.tamper("PRAGMA user_version = 9");
    let newer = place.open().expect_err("the ledger is newer than this version");
    assert_eq!(newer.code(), "E-LEDGER-004");
    assert!(newer.to_string().contains("format 9"), "{newer}");
    fs::write(place.path(), &good).unwrap();
    place.tamper("DROP TABLE people");
    assert_eq!(code(place.open()), "E-LEDGER-005");
    for planted in [
        "CREATE TRIGGER planted AFTER INSERT ON events BEGIN DELETE FROM releases; END",
        "CREATE VIEW planted AS SELECT * FROM releases",
        "CREATE TABLE planted (name TEXT)",
        "CREATE INDEX planted ON releases (name)",
        "ALTER TABLE releases ADD COLUMN planted TEXT",
    ] {
        fs::write(place.path(), &good).unwrap();
        place.tamper(planted);
        assert_eq!(code(place.open()), "E-LEDGER-005", "{planted}");
    }
    for at in [4096 + 8, 2 * 4096 + 3] {
        let mut bad = good.clone();
        bad[at..at + 200].fill(0xff);
        fs::write(place.path(), &bad).unwrap();
        assert_eq!(code(place.open()), "E-LEDGER-005", "at {at}");
    }
    fs::write(place.path(), &good[..good.len() / 2]).unwrap();
    assert_eq!(code(place.open()), "E-LEDGER-005");
    fs::write(place.path(), &good).unwrap();
    let mut read_only = fs::metadata(place.path()).unwrap().permissions();
    read_only.set_readonly(true);
    fs::set_permissions(place.path(), read_only).unwrap();
    assert_eq!(code(place.open()), "E-LEDGER-006");
    let read = Ledger::open(&place.path(), Access::Read).unwrap();
    assert_eq!(read.releases().unwrap().len(), 1, "the ledger can still be read");
}

#[test]
fn second_writer_waits_for_lock() {
    let place = Scene::new();
    let mut ledger = place.created();
    let entry = ledger.begin().unwrap();
    let other = Connection::open(place.path()).unwrap();
    other.busy_timeout(std::time::Duration::ZERO).unwrap();
    let error =
        other.execute_batch("BEGIN IMMEDIATE").expect_err("the first connection holds the lock");
    assert_eq!(LedgerError::from_sqlite(&place.path(), &error).code(), "E-LEDGER-007");
    std::thread::scope(|scope| {
        let second = scope.spawn(|| record(&mut place.open().unwrap(), "second"));
        let published = published(5);
        let new = NewRecord {
            name: "first",
            population: None,
            series: None,
            version: None,
            directory: "first",
            certificate_sha256: "",
            files: &BTreeMap::new(),
            policy: "",
            as_published: &published,
        };
        std::thread::sleep(std::time::Duration::from_millis(50));
        entry.record(&new).unwrap();
        entry.commit().unwrap();
        assert_eq!(
            second.join().unwrap().id,
            ReleaseId(2),
            "the second release is recorded second"
        );
    });
    assert_eq!(ledger.verify().unwrap().findings, []);
}

#[test]
fn external_ledger_changes_are_detected() {
    let place = Scene::new();
    let mut ledger = place.created();
    let (one, _) = (record(&mut ledger, "one"), record(&mut ledger, "two"));
    ledger.publish(one.id).unwrap();
    drop(ledger);
    assert_eq!(place.findings(), []);
    let good = fs::read(place.path()).unwrap();
    let changed = |name: &str| Finding::RecordChanged { name: name.to_owned() };
    let name = || "two".to_owned();
    let cases: Vec<(&str, Vec<Finding>)> = vec![
        ("UPDATE releases SET policy = 'x' WHERE id = 1", vec![changed("one")]),
        ("UPDATE releases SET population = NULL WHERE id = 2", vec![changed("two")]),
        ("UPDATE releases SET files = '{}' WHERE id = 2", vec![changed("two")]),
        ("UPDATE releases SET n_rows = 6 WHERE id = 2", vec![changed("two")]),
        (
            "UPDATE releases SET seen = zeroblob(9) WHERE id = 2",
            vec![changed("two"), Finding::Unreadable { name: name() }],
        ),
        ("DELETE FROM releases WHERE id = 2", vec![Finding::RecordMissing { name: name() }]),
        (
            "UPDATE releases SET state = 'published' WHERE id = 2",
            vec![Finding::StateChanged { name: name() }],
        ),
        (
            "DELETE FROM releases WHERE id = 2; DELETE FROM events WHERE seq = 2; UPDATE events \
             SET seq = 2 WHERE seq = 3",
            vec![Finding::ChainBroken { event: 2 }],
        ),
        (
            "DELETE FROM events WHERE seq = 3; UPDATE releases SET state = 'pending'",
            vec![Finding::ChainCut],
        ),
        ("UPDATE events SET name = 'three' WHERE seq = 2", vec![Finding::ChainBroken { event: 2 }]),
        (
            "DELETE FROM events WHERE seq = 2",
            vec![Finding::ChainBroken { event: 3 }, Finding::RecordAdded { name: name() }],
        ),
        (
            "INSERT INTO people VALUES ('s', 9, zeroblob(32), '[]')",
            vec![Finding::PeopleWithoutRelease { n_people: 1 }],
        ),
    ];
    for (sql, findings) in cases {
        fs::write(place.path(), &good).unwrap();
        place.tamper(sql);
        assert_eq!(place.findings(), findings, "{sql}");
    }
}

#[test]
fn external_changes_of_people_are_detected() {
    let place = Scene::new();
    let mut ledger = place.created();
    let key_file = place.path().with_extension("key");
    let key = people::PeopleKey::create(&key_file).unwrap();
    let recorded = record(&mut ledger, "one");
    let of = |name: &str| (key.person("s", name), ["flu".to_owned(), "ulcer".to_owned()].into());
    let entry = ledger.begin().unwrap();
    let people = [of("ann"), of("bob")];
    people::record(entry.transaction(), "s", recorded.id, &key, &people).unwrap();
    entry.commit().unwrap();
    drop(ledger);
    assert_eq!(place.findings(), []);
    let good = fs::read(place.path()).unwrap();
    for sql in [
        "UPDATE people SET signature = '[\"flu\"]'",
        "DELETE FROM people",
        "INSERT INTO people VALUES ('s', 1, zeroblob(32), '[]')",
        "UPDATE people SET person = zeroblob(32) WHERE person = (SELECT max(person) FROM people)",
    ] {
        fs::write(place.path(), &good).unwrap();
        place.tamper(sql);
        let changed = Finding::PeopleChanged { name: "one".to_owned() };
        assert_eq!(place.findings(), [changed], "{sql}");
    }
}
