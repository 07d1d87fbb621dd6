//! Names and values that look like SQL are treated as data in every dialect.

use indistinct::anonymize::Replace;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};

use crate::emitted::{dialect, to_the_end, with_clients};
use crate::server::{Scene, Server, all, quoted, unique};
use crate::{databases, released, verified};

/// Generates strings from fragments with a special meaning in SQL.
fn text() -> impl Strategy<Value = String> {
    let pieces = [
        "'",
        "\"",
        ";",
        "\\",
        "--",
        "/*",
        "*/",
        "$$",
        "$1",
        "?",
        "%",
        "_",
        "`",
        "[",
        "]",
        "=",
        ",",
        "\n",
        "\t",
        " ",
        "\u{0}1",
        "'; DROP TABLE canary; --",
        "\"; DROP TABLE canary; --",
        "\\'",
        "E'\\''",
        "ü",
        "ß",
        "日本",
        "🦀",
        "\u{202e}",
        "\u{300}",
        "NULL",
        "null",
        "a",
        "A",
        "0x",
        "{}",
        "\u{feff}",
    ];
    let pieces: Vec<&'static str> = pieces.into_iter().filter(|it| !it.contains('\u{0}')).collect();
    prop::collection::vec(prop::sample::select(pieces), 1..5).prop_map(|parts| parts.concat())
}

/// Generates names of two columns and a table, and rows of values.
fn tables() -> impl Strategy<Value = ([String; 2], String, Vec<[Option<String>; 2]>)> {
    let names = [text(), text()].prop_filter("two names", |[a, b]| {
        let plain = |text: &str| text.trim().to_lowercase();
        // PostgreSQL truncates longer names.
        let is_short = a.len().max(b.len()) <= 63;
        is_short && plain(a) != plain(b) && !plain(a).is_empty() && !plain(b).is_empty()
    });
    let value = || prop::option::weighted(0.9, text());
    (names, text(), prop::collection::vec([value(), value()], 1..8))
}

fn toml(text: &str) -> String {
    indistinct::policy::toml_text(text)
}

/// How a release is created.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Way {
    Connected,
    Scripts,
}

fn check(
    server: &Server,
    way: Way,
    [known, sensitive]: &[String; 2],
    name: &str,
    rows: &[[Option<String>; 2]],
) {
    let scene = Scene::new();
    // The prefix keeps the names within the length limit of PostgreSQL.
    let short: String = name.chars().take(6).collect();
    let (table, target) = (unique(&format!("{short} t")), unique(&format!("{short} r")));
    let cells: Vec<Vec<Option<String>>> = rows.iter().map(|row| row.to_vec()).collect();
    server.load(&table, &[known, sensitive], &cells);
    for (output, others) in [("sensitive", true), ("insensitive", false)] {
        let principle = match others {
            true => format!(
                "[[principles]]\nkind = \"distinct-l-diversity\"\nattribute = {}\nl = 1\n",
                toml(sensitive)
            ),
            false => String::new(),
        };
        let policy = format!(
            "version = 1\n[input]\npath = {}\ntable = {}\n[attributes.{}]\n\
             role = \"quasi-identifier\"\n[attributes.{}]\nrole = \"{output}\"\n\
             [[principles]]\nkind = \"k-anonymity\"\nk = 1\n{principle}[output]\ntable = {}\n",
            toml(&match way {
                Way::Connected => server.address.clone(),
                Way::Scripts => format!("emit+{}:{output}", dialect(server).0),
            }),
            toml(&quoted(&table)),
            toml(known),
            toml(sensitive),
            toml(&quoted(&target)),
        );
        let policy = scene.write("policy.toml", &policy);
        let created = match way {
            Way::Connected => released(databases(), &policy, &scene.path("r"), Replace::Force),
            Way::Scripts => {
                // The first release does not replace another one.
                let replace = if others { Replace::Forbid } else { Replace::Force };
                to_the_end(server, &policy, &scene.path(output), &scene.path("r"), replace).1
            }
        };
        created.unwrap_or_else(|error| panic!("{}: {error}: {known:?} {sensitive:?}", server.name));
        let columns = format!("{}, {}", quoted(known), quoted(sensitive));
        let mut got = server.rows(&format!("SELECT {columns} FROM {}", quoted(&target)));
        let plain = |row: &[Option<String>; 2]| {
            row.iter().map(|it| it.clone().unwrap_or_default()).collect()
        };
        let mut expected: Vec<Vec<String>> = rows.iter().map(plain).collect();
        got.sort();
        expected.sort();
        assert_eq!(got, expected, "{}", server.name);
        let verified = verified(&server.address, &quoted(&target)).expect("verified");
        assert!(verified.holds, "{}: {:?}", server.name, verified.checks);
    }
    for gone in [table, target.clone(), format!("{target}_certificate")] {
        server.run(&[&format!("DROP TABLE {}", quoted(&gone))]);
    }
}

#[test]
fn names_and_values_are_treated_as_data() {
    for server in all() {
        server.run(&[
            "DROP TABLE IF EXISTS canary",
            "CREATE TABLE canary (alive INTEGER)",
            "INSERT INTO canary VALUES (1)",
        ]);
        let n_cases = if std::env::var_os("INDISTINCT_TEST_DATABASES").is_some() { 64 } else { 24 };
        let config = Config { failure_persistence: None, ..Config::with_cases(n_cases) };
        let mut runner = TestRunner::new(config);
        let held = runner.run(&tables(), |(names, table, rows)| {
            check(&server, Way::Connected, &names, &table, &rows);
            Ok(())
        });
        if let Err(error) = held {
            panic!("{}: {error}", server.name);
        }
        assert_eq!(server.rows("SELECT alive FROM canary"), [["1"]], "{}", server.name);
    }
}

/// Names and values are also treated as data in scripts that the clients of the databases run.
#[test]
fn scripts_treat_names_and_values_as_data() {
    for server in with_clients() {
        server.run(&["DROP TABLE IF EXISTS canary2", "CREATE TABLE canary2 (alive INTEGER)"]);
        let config = Config { failure_persistence: None, ..Config::with_cases(12) };
        let mut runner = TestRunner::new(config);
        let held = runner.run(&tables(), |(names, table, rows)| {
            check(&server, Way::Scripts, &names, &table, &rows);
            Ok(())
        });
        if let Err(error) = held {
            panic!("{}: {error}", server.name);
        }
        assert!(server.has("canary2"), "{}", server.name);
    }
}
