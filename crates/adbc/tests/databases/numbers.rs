//! Released columns of numbers have numeric types, with exactly the original numbers.

use indistinct::anonymize::Replace;

use crate::emitted::{dialect, to_the_end, with_clients};
use crate::server::{Scene, Server, all, unique};
use crate::{databases, released, verified};

/// The columns with their types in PostgreSQL, SQLite, and DuckDB, and the types of the released
/// columns.
const COLUMNS: [(&str, [&str; 3], [&str; 3]); 5] = [
    ("i", ["integer", "INTEGER", "INTEGER"], ["bigint", "integer", "BIGINT"]),
    ("f", ["double precision", "REAL", "DOUBLE"], ["double precision", "real", "DOUBLE"]),
    (
        "d",
        ["numeric(12,3)", "DECIMAL(12,3)", "DECIMAL(12,3)"],
        ["numeric", "real", "DECIMAL(12,3)"],
    ),
    ("h", ["numeric(38)", "BIGINT", "HUGEINT"], ["numeric", "integer", "HUGEINT"]),
    // The released values are intervals.
    ("g", ["numeric(6,2)", "NUMERIC", "DECIMAL(6,2)"], ["text", "text", "VARCHAR"]),
];

/// Creates a table of numbers. SQLite stores integers with at most 64 bits.
fn load(server: &Server, at: usize, table: &str) {
    let types = COLUMNS.map(|(name, types, _)| format!("{name} {}", types[at]));
    let rows = (0..60_i64).map(|n| {
        let huge = if server.name == "SQLite" { "10000000000000" } else { "9".repeat(34).leak() };
        let mark = if n % 2 == 0 { "-" } else { "" };
        // Most of these fractions have no exact binary representation.
        let float = format!("{mark}{}.{:011}", 1 + n * 37 % 999, 10_000_000_019 * (n % 9 + 1));
        let decimal = format!("{mark}{}.{:03}", n * 7919 % 100_000, n * 577 % 1000);
        if n == 7 {
            return "(NULL, NULL, NULL, NULL, 5.25)".to_owned();
        }
        format!("({}, {float}, {decimal}, {mark}{huge}{:02}, {}.50)", n * 3, n, 10 + n % 20)
    });
    let rows = rows.collect::<Vec<_>>().join(", ");
    server.run(&[
        &format!("CREATE TABLE {table} ({})", types.join(", ")),
        &format!("INSERT INTO {table} VALUES {rows}"),
    ]);
}

/// Returns a policy that releases the original numbers, except for intervals of `g`.
fn policy(address: &str, table: &str, target: &str) -> String {
    let reason = "\nlooks_like_identifier = \"accepted\"\nlooks_like_identifier_reason = \"test\"";
    let columns = COLUMNS.map(|(name, ..)| {
        let hierarchy = match name {
            "g" => "\nhierarchy = { intervals = [10, 100] }\nmin_level = 1",
            _ => "",
        };
        format!("[attributes.{name}]\nrole = \"quasi-identifier\"{reason}{hierarchy}\n")
    });
    format!(
        "version = 1\n[input]\npath = '{address}'\ntable = '{table}'\n{}[[principles]]\nkind = \
         \"k-anonymity\"\nk = 1\n[output]\ntable = '{target}'\n",
        columns.concat()
    )
}

/// Checks the types and the numbers of a released table.
fn check(server: &Server, at: usize, table: &str, target: &str) {
    let type_of = if server.name == "PostgreSQL" { "pg_typeof" } else { "typeof" };
    for (name, _, types) in COLUMNS {
        let context = format!("{}: {name}", server.name);
        let sql = format!(
            "SELECT DISTINCT CAST({type_of}({name}) AS VARCHAR(99)) AS t FROM {target} \
             WHERE {name} IS NOT NULL ORDER BY t"
        );
        let found: Vec<String> =
            server.rows(&sql).into_iter().map(|mut row| row.remove(0)).collect();
        let is_mixed = name == "d" && server.name == "SQLite" && found == ["integer", "real"];
        assert!(is_mixed || found == [types[at]], "{context}: {found:?}");
        if name != "g" {
            let missing = |from: &str, to: &str| {
                format!(
                    "SELECT {name} FROM {from} WHERE {name} IS NOT NULL \
                     EXCEPT SELECT {name} FROM {to}"
                )
            };
            assert!(server.rows(&missing(table, target)).is_empty(), "{context}");
            assert!(server.rows(&missing(target, table)).is_empty(), "{context}");
            let above = |from: &str| {
                server.rows(&format!("SELECT COUNT(*) AS n FROM {from} WHERE {name} > 40"))
            };
            assert_eq!(above(table), above(target), "{context}");
        }
    }
}

#[test]
fn numbers_keep_their_type_and_value() {
    for server in all() {
        let at = ["PostgreSQL", "SQLite", "DuckDB"].iter().position(|it| *it == server.name);
        let at = at.expect("the server is one of the three");
        let scene = Scene::new();
        let (table, target) = (unique("numbers"), unique("released"));
        load(&server, at, &table);
        let policy = policy(&server.address, &table, &target);
        // The columns of a query have the types of the columns that it selects.
        let of_query = policy.replace(
            &format!("table = '{table}'\n"),
            &format!("query = \"SELECT * FROM {table} -- all\"\n"),
        );
        for (policy, folder) in [(policy, "r"), (of_query, "q")] {
            let path = scene.write("policy.toml", &policy);
            released(databases(), &path, &scene.path(folder), Replace::Force).expect("released");
            check(&server, at, &table, &target);
            let verified = verified(&server.address, &target).expect("verified");
            assert!(verified.holds, "{}: {folder}", server.name);
            server.run(&[
                &format!("DROP TABLE {target}"),
                &format!("DROP TABLE {target}_certificate"),
            ]);
        }
    }
}

#[test]
fn scripts_preserve_numbers() {
    for server in with_clients() {
        let at = ["PostgreSQL", "SQLite", "DuckDB"].iter().position(|it| *it == server.name);
        let at = at.expect("the server is one of the three");
        let scene = Scene::new();
        let (table, target) = (unique("numbers"), unique("released"));
        load(&server, at, &table);
        let address = format!("emit+{}:scripts", dialect(&server).0);
        let path = scene.write("policy.toml", &policy(&address, &table, &target));
        let (folder, directory) = (scene.path("scripts"), scene.path("r"));
        to_the_end(&server, &path, &folder, &directory, Replace::Forbid).1.expect("released");
        check(&server, at, &table, &target);
        assert!(verified(&server.address, &target).expect("verified").holds, "{}", server.name);
    }
}
