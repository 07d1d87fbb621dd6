//! The digest of released rows detects every changed cell, and `verify` names the columns that no
//! digest covers.

use std::path::PathBuf;

use indistinct::anonymize::Replace;
use indistinct::text::{Block, Verdict, describe_check};
use indistinct::verify::{Check, Difference, Subject, Verification};
use serde_json::Value;

use crate::emitted::{Behind, to_the_end, with_clients};
use crate::server::{Scene, Server, all, quoted, sqlite, unique};
use crate::{databases, people, released, verified};

const N: usize = 1_200;

/// The released columns of the table of people.
const COLUMNS: [&str; 8] = ["age", "zip", "sex", "admitted", "smoker", "weight", "cost", "disease"];

/// Returns the check of the rows in the table.
fn of_rows(verified: &Verification) -> &Check {
    let is_it = |check: &&Check| check.about == Subject::TableRows;
    verified.checks.iter().find(is_it).expect("the rows are in a table")
}

/// Returns the words about the check of the rows, which are not compared completely.
fn not_compared(verified: &Verification) -> String {
    match describe_check(of_rows(verified)) {
        Block::Verdict(Verdict::NotCompared, _, details) => details[0].to_string(),
        other => panic!("{other:?}"),
    }
}

/// Releases people with insensitive attributes to a table. Returns the name of the table.
fn released_table(scene: &Scene, server: &Server) -> (String, PathBuf) {
    let (table, target) = (unique("people"), unique("released"));
    people::load(server, &table, N);
    let input = format!("path = '{}'\ntable = '{table}'", server.address);
    let policy = people::policy(&input, &format!("table = '{target}'"), "insensitive");
    let policy = scene.write(&format!("{target}.toml"), &policy);
    let directory = scene.path(&target);
    released(databases(), &policy, &directory, Replace::Forbid).expect("released");
    (target, directory)
}

/// Changes one cell of a column to another value of the column.
fn change(server: &Server, table: &str, column: &str) {
    let row = if server.name == "PostgreSQL" { "ctid" } else { "rowid" };
    let ordered = |what: &str, order: &str| {
        format!(
            "(SELECT {what} FROM {table} WHERE {column} IS NOT NULL ORDER BY {column} {order} \
             LIMIT 1)"
        )
    };
    server.run(&[&format!(
        "UPDATE {table} SET {column} = {} WHERE {row} = {}",
        ordered(column, "DESC"),
        ordered(row, "ASC")
    )]);
}

/// Returns the certificate in a directory.
fn certificate(directory: &std::path::Path) -> Value {
    let text = std::fs::read_to_string(directory.join("certificate.json")).expect("a certificate");
    serde_json::from_str(&text).expect("JSON")
}

fn fact(certificate: &Value) -> &Value {
    let facts = certificate["facts"].as_array().expect("facts");
    facts.iter().find(|fact| fact["fact"] == "table-rows").expect("a fact about the rows")
}

#[test]
fn one_changed_cell_in_any_column_fails_verification() {
    let mut digests = Vec::new();
    for server in all() {
        let scene = Scene::new();
        let (table, directory) = released_table(&scene, &server);
        let intact = verified(&server.address, &table).expect("verified");
        assert!(intact.holds && of_rows(&intact).unchecked.is_empty(), "{}", server.name);
        server.run(&[&format!("CREATE TABLE {table}_copy AS SELECT * FROM {table}")]);
        for column in COLUMNS {
            change(&server, &table, column);
            let changed = verified(&server.address, &table).expect("verified");
            let found = &of_rows(&changed).differences;
            assert_eq!(*found, [Difference::RowsChanged], "{}: {column}", server.name);
            assert!(!changed.holds);
            server.run(&[
                &format!("DELETE FROM {table}"),
                // The order of the rows has no effect.
                &format!("INSERT INTO {table} SELECT * FROM {table}_copy ORDER BY cost DESC"),
            ]);
            assert!(verified(&server.address, &table).expect("verified").holds);
        }
        // A missing value differs from an empty string.
        let text = "SET cost = '' WHERE cost IS NULL";
        if server.name == "SQLite" {
            server.run(&[&format!("UPDATE {table} SET cost = NULL WHERE cost < '5'")]);
            let missing = verified(&server.address, &table).expect("verified");
            server.run(&[&format!("UPDATE {table} {text}")]);
            let empty = verified(&server.address, &table).expect("verified");
            assert!(!missing.holds && !empty.holds);
        }
        digests.push(fact(&certificate(&directory)).clone());
    }
    assert!(digests.windows(2).all(|pair| pair[0] == pair[1]), "{digests:?}");
}

/// Moving the values of an insensitive attribute to other rows changes no claim.
#[test]
fn swapped_cells_fail_verification() {
    for server in all() {
        let scene = Scene::new();
        let (table, _) = released_table(&scene, &server);
        let holds = || verified(&server.address, &table).expect("verified").holds;
        assert!(holds());
        server.run(&[
            &format!(
                "CREATE TABLE {table}_rotated AS SELECT age, zip, sex, admitted, smoker, weight, \
                 LEAD(cost, 1) OVER (ORDER BY cost, disease) AS cost, disease FROM {table}"
            ),
            &format!(
                "UPDATE {table}_rotated SET cost = (SELECT MIN(cost) FROM {table}) WHERE cost IS \
                 NULL"
            ),
            &format!("DELETE FROM {table}"),
            &format!("INSERT INTO {table} SELECT * FROM {table}_rotated"),
        ]);
        assert!(!holds(), "{}", server.name);
    }
}

/// Certificates without a digest remain valid, but the answer states that rows were not checked.
#[test]
fn rows_without_digest_are_reported_as_unchecked() {
    for server in all() {
        let scene = Scene::new();
        let (table, directory) = released_table(&scene, &server);
        let mut old = certificate(&directory);
        // The report of an earlier version contains no sentence about the digest.
        old["indistinct"] = "0.1.0".into();
        let facts = old["facts"].as_array_mut().expect("facts");
        facts.retain(|fact| fact["fact"] != "table-rows");
        let text = old.to_string().replace('\'', "''");
        server.run(&[&format!(
            "UPDATE {} SET content = '{text}' WHERE file = 'certificate.json'",
            quoted(&format!("{table}_certificate"))
        )]);
        let before = verified(&server.address, &table).expect("verified");
        assert!(before.holds, "{:?}", before.checks);
        assert_eq!(of_rows(&before).unchecked, COLUMNS);
        assert!(COLUMNS.iter().all(|name| not_compared(&before).contains(name)));
        change(&server, &table, "cost");
        assert!(verified(&server.address, &table).expect("verified").holds);
    }
}

/// Scripts do not return insensitive attributes, so the digest covers the other columns.
#[test]
fn scripts_leave_insensitive_attributes_unchecked() {
    for server in with_clients() {
        let scene = Scene::new();
        let behind = Behind::new(&scene, &server, "insensitive", |policy| policy);
        let Behind { target, policy, folder, .. } = &behind;
        let directory = scene.path("r");
        to_the_end(&server, policy, folder, &directory, Replace::Forbid).1.expect("released");
        let insensitive = ["admitted", "smoker", "weight", "cost"];
        let stated = certificate(&directory);
        assert_eq!(fact(&stated)["unchecked_attributes"], serde_json::json!(insensitive));
        change(&server, target, "cost");
        let unchanged = verified(&server.address, target).expect("verified");
        assert!(unchanged.holds, "{}: {:?}", server.name, unchanged.checks);
        assert_eq!(of_rows(&unchanged).unchecked, insensitive);
        let shown = not_compared(&unchanged);
        assert!(insensitive.iter().all(|name| shown.contains(name)) && !shown.contains("disease"));
        change(&server, target, "disease");
        let changed = verified(&server.address, target).expect("verified");
        assert_eq!(of_rows(&changed).differences, [Difference::RowsChanged], "{}", server.name);

        let behind = Behind::new(&scene, &server, "identifier", |policy| policy);
        let Behind { target, policy, folder, .. } = &behind;
        let directory = scene.path("s");
        to_the_end(&server, policy, folder, &directory, Replace::Forbid).1.expect("released");
        let complete = verified(&server.address, target).expect("verified");
        assert!(complete.holds && of_rows(&complete).unchecked.is_empty(), "{}", server.name);
        assert_eq!(fact(&certificate(&directory)).get("unchecked_attributes"), None);
    }
}

/// Releases in databases of each version are valid.
#[test]
fn tables_of_every_version_verify() {
    let Some(_) = sqlite() else { return };
    let corpora = concat!(env!("CARGO_MANIFEST_DIR"), "/../testkit/compat");
    let versions = std::fs::read_dir(corpora).expect("the corpora");
    let tables = versions.map(|version| version.expect("an entry").path().join("tables/people.db"));
    let mut tables = tables.filter(|path| path.exists()).peekable();
    assert!(tables.peek().is_some());
    for table in tables {
        let scene = Scene::new();
        let copy = scene.path("people.db");
        std::fs::copy(&table, &copy).expect("copied");
        let address = format!("sqlite:{}", copy.display());
        let verified = verified(&address, "released").expect("verified");
        let is_frozen = table.ancestors().nth(2).expect("a version").join("FROZEN").exists();
        // The report of a version that is not finished may change.
        let mut checks =
            verified.checks.iter().filter(|it| is_frozen || it.about != Subject::Report);
        assert!(checks.all(|check| check.holds), "{:?}", verified.checks);
    }
}
