//! Messages about databases that cannot be opened, and about tables that cannot be replaced.

use std::path::Path;

use indistinct::anonymize::Replace;
use indistinct::{Error, InputSpec, profile};

use crate::server::{Scene, all, duckdb, postgresql, quoted, sqlite, unique};
use crate::{code, databases, message, people, released, session, verified};

/// Opens a table at an address.
fn opened(address: &str) -> Result<(), Error> {
    let spec = InputSpec {
        path: address.into(),
        table: Some("people".to_owned()),
        ..InputSpec::default()
    };
    profile::of_data(&session(), &spec, None).map(|_| ())
}

#[test]
fn missing_files_are_reported_as_missing() {
    let scene = Scene::new();
    for (scheme, server) in [("sqlite", sqlite()), ("duckdb", duckdb())] {
        if server.is_none() {
            continue;
        }
        let address = format!("{scheme}:{}", scene.path("nosuch.db").display());
        assert_eq!(code(opened(&address)), "E-DATABASE-022");
        let message = message(opened(&address));
        assert!(message.contains("nosuch.db' is not a file"), "{message}");
        assert!(!message.contains("privileges") && !message.contains("memory"), "{message}");
        assert!(!scene.path("nosuch.db").exists());
        // The address of a release.
        assert_eq!(code(verified(&address, "people")), "E-DATABASE-022");
    }
}

#[test]
fn unreachable_servers_are_reported_as_unreachable() {
    if postgresql().is_none() {
        return;
    }
    // No server accepts connections at a port that was just released.
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a free port");
    let port = listener.local_addr().expect("an address").port();
    drop(listener);
    let address = format!("postgresql://me@127.0.0.1:{port}/clinic");
    assert_eq!(code(opened(&address)), "E-DATABASE-022");
    let message = message(opened(&address));
    assert!(message.contains("a server must be running"), "{message}");
    assert!(!message.contains("privileges"), "{message}");
}

/// The file was written by DuckDB 2.0.1 and contains no tables.
#[test]
fn files_of_newer_duckdb_versions_require_a_newer_driver() {
    if duckdb().is_none() {
        return;
    }
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/databases/data/newer.duckdb");
    let address = format!("duckdb:{}", file.display());
    assert_eq!(code(opened(&address)), "E-DATABASE-023");
    let message = message(opened(&address));
    assert!(message.contains("version number 69"), "{message}");
    assert!(message.contains("the driver is '"), "{message}");
}

#[test]
fn dependent_views_are_reported() {
    let Some(server) = postgresql() else { return };
    let scene = Scene::new();
    let (table, target, view) = (unique("people"), unique("released"), unique("view"));
    people::load(&server, &table, 600);
    let input = format!("path = '{}'\ntable = '{table}'", server.address);
    let policy = people::policy(&input, &format!("table = \"{target}\""), "identifier");
    let policy = scene.write("policy.toml", &policy);
    let again = || released(databases(), &policy, &scene.path("r"), Replace::Force);
    again().expect("released");
    server.run(&[&format!("CREATE VIEW {view} AS SELECT age FROM {}", quoted(&target))]);
    let refused = again();
    assert_eq!(code(refused), "E-DATABASE-024");
    let message = message(again());
    assert!(message.contains("depend on it") && !message.contains("privileges"), "{message}");
    assert!(verified(&server.address, &target).expect("verified").holds, "nothing has changed");
}

#[test]
fn all_columns_with_unsupported_types_are_listed() {
    for server in all() {
        if server.name == "SQLite" {
            continue;
        }
        let table = unique("nested");
        server.run(&[
            &format!("CREATE TABLE {table} (a INTEGER[], age INTEGER, b VARCHAR[])"),
            &format!("INSERT INTO {table} VALUES (NULL, 5, NULL)"),
        ]);
        let spec = InputSpec {
            path: server.address.clone().into(),
            table: Some(table.clone()),
            ..InputSpec::default()
        };
        let profiled = profile::of_data(&session(), &spec, None).map(|_| ());
        let proposed = indistinct::init::propose(&session(), &spec, None).map(|_| ());
        for answer in [profiled, proposed] {
            let error = answer.expect_err("the types are unsupported");
            assert_eq!(code::<()>(Err(error)), "E-INPUT-022", "{}", server.name);
        }
        let text = message(profile::of_data(&session(), &spec, None));
        assert!(text.contains("'a' (") && text.contains("'b' ("), "{}: {text}", server.name);
        assert!(!text.contains("'age'"), "{}: {text}", server.name);
        let skipping = InputSpec { unsupported: indistinct::Unsupported::Skipped, ..spec.clone() };
        let profiled = profile::of_data(&session(), &skipping, None).expect("profiled");
        let skipped: Vec<&str> = profiled.skipped.keys().map(String::as_str).collect();
        assert_eq!(skipped, ["a", "b"], "{}", server.name);
        let proposed = indistinct::init::propose(&session(), &skipping, None).expect("proposed");
        assert!(proposed.policy.contains("[attributes.a]\nrole = \"identifier\""));
        // A query omits these columns.
        let query = Some(format!("SELECT age FROM {table}"));
        let spec = InputSpec { table: None, query, ..spec };
        profile::of_data(&session(), &spec, None).expect("profiled");
    }
}

const PERMITTED: &str = "INDISTINCT_DUCKDB_EXTERNAL_ACCESS";

/// Queries in policies from others must not read local files.
#[test]
fn duckdb_queries_cannot_read_files() {
    let Some(server) = duckdb() else { return };
    let scene = Scene::new();
    let file = scene.write("secret.csv", "age\n5\n5\n7\n");
    let path = file.display();
    server.run(&[&format!("CREATE VIEW outside AS SELECT * FROM read_csv('{path}')")]);
    let of = |query: String| {
        let spec = InputSpec {
            path: server.address.clone().into(),
            query: Some(query),
            ..InputSpec::default()
        };
        profile::of_data(&session(), &spec, None)
    };
    for query in [
        format!("SELECT * FROM read_csv('{path}')"),
        format!("SELECT * FROM '{path}'"),
        format!("SELECT content AS age FROM read_text('{path}')"),
        format!("SELECT file AS age FROM glob('{path}')"),
        "SELECT * FROM outside".to_owned(),
    ] {
        let answer = of(query.clone());
        if std::env::var_os(PERMITTED).is_some() {
            answer.expect("the data holder permits the access");
            continue;
        }
        let text = message(answer);
        assert!(!text.contains("secret"), "{query}: {text}");
        assert_eq!(code(of(query.clone())), "E-DATABASE-025", "{query}: {text}");
        assert!(text.contains(PERMITTED), "{text}");
    }
    if std::env::var_os(PERMITTED).is_none() {
        let permitted = std::process::Command::new(std::env::current_exe().expect("this test"))
            .args(["messages::duckdb_queries_cannot_read_files", "--exact"])
            .env(PERMITTED, "1")
            .output()
            .expect("the command can be started");
        assert!(permitted.status.success(), "{permitted:?}");
    }
}
