//! Conversion of values by SQL, and content of error messages.

use indistinct::anonymize::Replace;
use indistinct::profile;
use indistinct::warning::Warning;

use crate::server::{Scene, Server, all, duckdb, postgresql, quoted, sqlite, unique};
use crate::{code, databases, message, people, released, verified};

/// Returns a policy for one quasi-identifier and one sensitive attribute.
fn policy(server: &Server, source: &str, quasi_identifier: &str) -> String {
    format!(
        "version = 1\n[input]\npath = '{}'\n{source}\nunlisted = \"drop\"\n\
         [attributes.{quasi_identifier}]\nrole = \"quasi-identifier\"\n\
         looks_like_identifier = \"accepted\"\nlooks_like_identifier_reason = \"a test\"\n\
         [[principles]]\nkind = \"k-anonymity\"\nk = 1\n[output]\nrow_order = \"sorted\"\n",
        server.address
    )
}

/// Returns the released values of a column in row order.
fn values(server: &Server, source: &str, column: &str) -> Result<Vec<String>, indistinct::Error> {
    let scene = Scene::new();
    let policy = scene.write("policy.toml", &policy(server, source, column));
    released(databases(), &policy, &scene.path("r"), Replace::Forbid)?;
    let text = std::fs::read_to_string(scene.path("r/data.csv")).expect("rows");
    // A blank line is not a row, so a single missing value is quoted.
    let plain = |line: &str| if line == "\"\"" { String::new() } else { line.to_owned() };
    Ok(text.lines().skip(1).map(plain).collect())
}

#[test]
fn postgresql_values_are_converted_exactly() {
    let Some(server) = postgresql() else { return };
    let table = unique("types");
    server.run(&[
        &format!(
            "CREATE TABLE {table} (n numeric(10,2), c char(6), z text, f double precision, g real, \
             b boolean, d date, i timestamptz, x bytea, u uuid, m money)"
        ),
        &format!(
            "INSERT INTO {table} VALUES (1.50, 'ab', '01234', 0.1, 0.1, true, '2023-02-01', \
             '2023-02-01 12:00+02', '\\x0aff', '00000000-0000-0000-0000-000000000001', \
             '$1,000.50'), (2, 'AB', '', 1e21, 2, false, '2023-02-02', \
             '2023-07-01 12:00:00.5+00', '\\x00', NULL, '-$3')"
        ),
    ]);
    let source = format!("table = \"{table}\"");
    let of = |column| values(&server, &source, column).expect("released");
    assert_eq!(of("n"), ["1.50", "2.00"]);
    assert_eq!(of("c"), ["AB", "ab"], "padding is not part of a value");
    assert_eq!(of("z"), ["", "01234"]);
    assert_eq!(of("f"), ["0.1", "1e21"]);
    assert_eq!(of("g"), ["0.1", "2"]);
    assert_eq!(of("b"), ["false", "true"]);
    assert_eq!(of("d"), ["2023-02-01", "2023-02-02"]);
    assert_eq!(of("i"), ["2023-02-01T10:00:00Z", "2023-07-01T12:00:00.500Z"]);
    assert_eq!(of("x"), ["\\x00", "\\x0aff"]);
    assert_eq!(of("m"), ["-3.00", "1000.50"]);
    assert_eq!(of("u"), ["", "00000000-0000-0000-0000-000000000001"]);
    server.run(&[&format!("INSERT INTO {table} (f, d) VALUES ('NaN', 'infinity')")]);
    assert_eq!(code(values(&server, &source, "f")), "E-INPUT-023");
    assert_eq!(code(values(&server, &source, "d")), "E-DATABASE-012");
    server.run(&[
        &format!("CREATE TABLE {table}_a (a int[])"),
        &format!("INSERT INTO {table}_a VALUES ('{{1}}')"),
    ]);
    assert_eq!(code(values(&server, &format!("table = \"{table}_a\""), "a")), "E-INPUT-022");
}

#[test]
fn collation_does_not_merge_values() {
    for server in all() {
        let table = unique("collated");
        let collated = match server.name {
            "PostgreSQL" => {
                server.run(&[
                    "CREATE COLLATION IF NOT EXISTS ignoring_case (provider = icu, locale = \
                     'und-u-ks-level2', deterministic = false)",
                ]);
                "text COLLATE ignoring_case"
            }
            "SQLite" => "TEXT COLLATE NOCASE",
            _ => "VARCHAR COLLATE NOCASE",
        };
        server.run(&[
            &format!("CREATE TABLE {table} (v {collated})"),
            &format!("INSERT INTO {table} VALUES ('a'), ('A'), ('a '), ('b')"),
        ]);
        let got = values(&server, &format!("table = \"{table}\""), "v").expect("released");
        assert_eq!(got, ["A", "a", "a ", "b"], "{}", server.name);
    }
}

#[test]
fn sqlite_columns_support_mixed_types() {
    let Some(server) = sqlite() else { return };
    server.run(&[
        "CREATE TABLE t (v TEXT, r REAL, n)",
        "INSERT INTO t VALUES ('01', 0.1, 5), ('1', 2, '05'), (NULL, NULL, x'0AFF')",
    ]);
    // The number of nulls exceeds the number of rows that a driver inspects to determine the type.
    server.run(&["CREATE TABLE many AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 \
                  FROM n WHERE i < 5000) SELECT CASE WHEN i > 4990 THEN 'text' END AS v FROM n"]);
    let of = |table: &str, column| {
        values(&server, &format!("table = \"{table}\""), column).expect("released")
    };
    assert_eq!(of("t", "v"), ["", "01", "1"]);
    assert_eq!(of("t", "r"), ["", "0.1", "2"]);
    assert_eq!(of("t", "n"), ["05", "0aff", "5"]);
    assert_eq!(of("many", "v").len(), 5000);
}

/// Codes for missing values apply to the column that declares them. Columns of numbers are compared
/// by value, and keep their types.
#[test]
fn codes_of_one_column_are_missing() {
    for server in all() {
        let (table, target) = (unique("codes"), unique("released"));
        let money = if server.name == "PostgreSQL" { "MONEY" } else { "NUMERIC(8,2)" };
        server.run(&[
            &format!(
                "CREATE TABLE {table} (f DOUBLE PRECISION, d NUMERIC(8,2), i INTEGER, \
                 t VARCHAR(9), h INTEGER, p INTEGER, m {money})"
            ),
            &format!(
                "INSERT INTO {table} VALUES (-9.0, -9.00, -9, '-9', -9, -9, -9.00), \
                 (1.5, 2.50, 3, '4', 99, 5, 2.50), (99, 99, 99, 'k.A.', 1, 99, 99), \
                 (NULL, NULL, NULL, NULL, NULL, NULL, NULL)"
            ),
        ]);
        let column = |name: &str, codes: &str| {
            let role = if name == "p" { "insensitive" } else { "quasi-identifier" };
            format!("[attributes.{name}]\nrole = \"{role}\"\n{codes}")
        };
        let codes = "null_values = [\"-9\", \"99\", \"k.A.\"]\n";
        let columns = ["f", "d", "i", "t", "p", "m"].map(|name| column(name, codes)).concat();
        let policy = format!(
            "version = 1\n[input]\npath = '{}'\ntable = \"{table}\"\n{columns}{}[[principles]]\n\
             kind = \"k-anonymity\"\nk = 1\n[output]\ntable = \"{target}\"\n",
            server.address,
            column("h", "")
        );
        let scene = Scene::new();
        let path = scene.write("policy.toml", &policy);
        released(databases(), &path, &scene.path("r"), Replace::Forbid).expect("released");
        let count = |condition: &str| {
            let sql = format!("SELECT COUNT(*) AS n FROM {target} WHERE {condition}");
            server.rows(&sql)[0][0].clone()
        };
        for column in ["f", "d", "i", "t", "p", "m"] {
            assert_eq!(count(&format!("{column} IS NULL")), "3", "{}: {column}", server.name);
        }
        for column in ["f", "d", "i", "p", "m"] {
            assert_eq!(count(&format!("{column} > 1")), "1", "{}: {column}", server.name);
        }
        assert_eq!(count("h IN (-9, 99, 1)"), "3", "{}", server.name);
        assert!(verified(&server.address, &target).expect("verified").holds, "{}", server.name);
        let spec = indistinct::InputSpec {
            path: server.address.clone().into(),
            table: Some(table.clone()),
            column_null_values: vec![("f".to_owned(), vec!["-9".to_owned()])],
            ..indistinct::InputSpec::default()
        };
        let profiled = profile::of_data(&crate::session(), &spec, None).expect("profiled");
        assert_eq!(profiled.columns[0].n_missing, 2, "{}", server.name);
    }
}

/// Returns whether a release remains valid after its table was changed.
fn holds_after(server: &Server, change: &[&str]) -> bool {
    let scene = Scene::new();
    let (table, target) = (unique("alike"), unique("released"));
    server.run(&[
        &format!("CREATE TABLE {table} (v VARCHAR(20), r DOUBLE PRECISION)"),
        &format!("INSERT INTO {table} VALUES ('5', 0.0), ('5', 1.5), (NULL, 0.0), (NULL, 1.5)"),
    ]);
    let column = |name: &str| format!("[attributes.{name}]\nrole = \"quasi-identifier\"\n");
    let policy = format!(
        "version = 1\n[input]\npath = '{}'\ntable = \"{table}\"\n{}{}[[principles]]\nkind = \
         \"k-anonymity\"\nk = 1\n[output]\ntable = \"{target}\"\n",
        server.address,
        column("v"),
        column("r"),
    );
    let policy = scene.write("policy.toml", &policy);
    released(databases(), &policy, &scene.path("r"), Replace::Forbid).expect("released");
    for change in change {
        server.run(&[&change.replace("TARGET", &target)]);
    }
    crate::verified(&server.address, &target).is_ok_and(|verified| verified.holds)
}

#[test]
fn database_distinguishable_rows_fail_verification() {
    for server in all() {
        assert!(holds_after(&server, &[]), "{}", server.name);
        let empty = "UPDATE TARGET SET v = '' WHERE v IS NULL AND r > 1";
        assert!(!holds_after(&server, &[empty]), "{}", server.name);
    }
    // DuckDB converts -0.0 to 0.0.
    if let Some(server) = postgresql() {
        let zero =
            "UPDATE TARGET SET r = CAST('-0.0' AS DOUBLE PRECISION) WHERE v IS NULL AND r < 1";
        assert!(!holds_after(&server, &[zero]), "{}", server.name);
    }
    // SQLite columns can contain both numbers and strings, as in this column without a declared type.
    let Some(server) = sqlite() else { return };
    let mixed = [
        "CREATE TABLE TARGET_2 (v, r)",
        "INSERT INTO TARGET_2 SELECT v, r FROM TARGET",
        "UPDATE TARGET_2 SET v = 5 WHERE v = '5' AND r = '1.5'",
        "DROP TABLE TARGET",
        "ALTER TABLE TARGET_2 RENAME TO TARGET",
    ];
    assert!(holds_after(&server, &mixed[..2]));
    assert!(!holds_after(&server, &mixed));
}

#[test]
fn duckdb_values_are_converted_exactly() {
    let Some(server) = duckdb() else { return };
    server.run(&[
        "CREATE TYPE mood AS ENUM ('sad', 'ok')",
        "CREATE TABLE t (n DECIMAL(10,2), h HUGEINT, z VARCHAR, f DOUBLE, b BOOLEAN, d DATE, i \
         TIMESTAMPTZ, l TIMESTAMP, x BLOB, u UUID, m mood)",
        "INSERT INTO t VALUES (1.50, 170141183460469231731687303715884105727, '01234', 0.1, true, '2023-02-01', '2023-02-01 12:00:00+02', '2023-02-01 12:00:00.25', '\\x0A\\xFF', '00000000-0000-0000-0000-000000000001', 'sad'), \
         (2, -1, '', 1e21, false, '2023-02-02', '2023-07-01 12:00:00.5+00', '2023-02-02', '\\x00', NULL, 'ok')",
    ]);
    let of = |column| values(&server, "table = \"t\"", column).expect("released");
    assert_eq!(of("n"), ["1.50", "2.00"]);
    assert_eq!(of("h"), ["-1", "170141183460469231731687303715884105727"]);
    assert_eq!(of("z"), ["", "01234"]);
    assert_eq!(of("f"), ["0.1", "1e21"]);
    assert_eq!(of("b"), ["false", "true"]);
    assert_eq!(of("d"), ["2023-02-01", "2023-02-02"]);
    assert_eq!(of("i"), ["2023-02-01T10:00:00Z", "2023-07-01T12:00:00.500Z"]);
    assert_eq!(of("l"), ["2023-02-01T12:00:00.250", "2023-02-02T00:00:00"]);
    assert_eq!(of("x"), ["00", "0aff"]);
    assert_eq!(of("u"), ["", "00000000-0000-0000-0000-000000000001"]);
    assert_eq!(of("m"), ["ok", "sad"]);
    server.run(&["INSERT INTO t (f, d) VALUES ('NaN', 'infinity')"]);
    assert_eq!(code(values(&server, "table = \"t\"", "f")), "E-INPUT-023");
    assert_eq!(code(values(&server, "table = \"t\"", "d")), "E-DATABASE-012");
    server.run(&["CREATE TABLE nested (a INTEGER[])", "INSERT INTO nested VALUES ([1])"]);
    assert_eq!(code(values(&server, "table = \"nested\"", "a")), "E-INPUT-022");
}

#[test]
fn only_single_select_queries_are_accepted() {
    for server in all() {
        let table = unique("people");
        people::load(&server, &table, 200);
        let q = quoted(&table);
        let query = |text: &str| format!("query = '''{text}'''");
        let got =
            values(&server, &query(&format!("SELECT sex FROM {q} WHERE age > 0 -- all")), "sex");
        assert_eq!(got.expect("released").len(), 200);
        for wrong in [
            format!("DELETE FROM {q}"),
            format!("SELECT sex FROM {q}; DROP TABLE {q}"),
            format!("WITH gone AS (DELETE FROM {q} RETURNING *) SELECT * FROM gone"),
        ] {
            assert_eq!(code(values(&server, &query(&wrong), "sex")), "E-DATABASE-009", "{wrong}");
        }
        assert_eq!(server.rows(&format!("SELECT age FROM {q}")).len(), 200, "{}", server.name);
        let both = format!("table = '{table}'\n{}", query("SELECT 1"));
        assert_eq!(code(values(&server, &both, "sex")), "E-DATABASE-005");
        assert_eq!(code(values(&server, "", "sex")), "E-DATABASE-005");
        assert_eq!(code(values(&server, "table = 'a.b.c.d'", "sex")), "E-DATABASE-007");
        assert_eq!(code(values(&server, "table = 'nosuch'", "sex")), "E-DATABASE-011");
    }
}

#[test]
fn queries_with_side_effects_are_rejected() {
    // A function that writes passes the check of the query, but the database rejects the write.
    let Some(server) = postgresql() else { return };
    let name = unique("sneaky");
    server.run(&[
        &format!("CREATE TABLE {name}_t (a integer)"),
        &format!(
            "CREATE FUNCTION {name}() RETURNS integer LANGUAGE sql VOLATILE AS 'INSERT INTO \
                  {name}_t VALUES (1) RETURNING a'"
        ),
    ]);
    let error = values(&server, &format!("query = 'SELECT {name}() AS v'"), "v");
    assert_eq!(code(error), "E-DATABASE-011");
    assert!(server.rows(&format!("SELECT a FROM {name}_t")).is_empty());
}

/// The documented GRANTs in docs/databases.md are sufficient and necessary for a release.
#[test]
fn documented_grants_are_sufficient_and_necessary() {
    let Some(server) = postgresql() else { return };
    let (role, table, target) = (unique("steward"), unique("visits"), unique("released"));
    people::load(&server, &table, 300);
    server.run(&[&format!("CREATE ROLE {role} LOGIN")]);
    let address = server.address.replace("indistinct@", &format!("{role}@"));
    let scene = Scene::new();
    let input = format!("path = '{address}'\ntable = 'public.{table}'");
    let to_file = scene.write("file.toml", &people::policy(&input, "", "insensitive"));
    let output = format!("table = 'public.{target}'");
    let to_table = scene.write("table.toml", &people::policy(&input, &output, "insensitive"));
    let run =
        |policy, name: &str| released(databases(), policy, &scene.path(name), Replace::Forbid);
    let refused = message(run(&to_file, "a"));
    assert!(refused.contains("permission denied for table"), "{refused}");
    server.run(&[&format!("GRANT SELECT ON {table} TO {role}")]);
    run(&to_file, "b").expect("read access is sufficient");
    let refused = run(&to_table, "c");
    assert!(!server.has(&target) && !scene.path("c").exists());
    assert_eq!(code(refused), "E-DATABASE-011");
    server.run(&[&format!("GRANT CREATE ON SCHEMA public TO {role}")]);
    run(&to_table, "d").expect("these privileges are sufficient");
    assert!(server.has(&target));
}

#[test]
fn messages_contain_no_values_or_passwords() {
    for server in all() {
        let table = unique("people");
        people::load(&server, &table, 200);
        let query = format!("SELECT CAST(disease AS INTEGER) / 0 AS v FROM {}", quoted(&table));
        let error = message(values(&server, &format!("query = '{query}'"), "v"));
        assert!(!error.contains("HIV") && !error.contains("flu"), "{error}");
    }
    let Some(mut other) = postgresql() else { return };
    other.address = other.address.replace("indistinct@", "indistinct:hunter2@");
    let error = values(&other, "table = 'people'", "v");
    assert!(!message(error).contains("hunter2"));
    assert_eq!(code(values(&other, "table = 'people'", "v")), "E-DATABASE-003");
}

#[test]
fn profile_and_init_read_database_tables() {
    for server in all() {
        let table = unique("people");
        people::load(&server, &table, 300);
        let spec = indistinct::InputSpec {
            path: server.address.clone().into(),
            table: Some(table.clone()),
            ..indistinct::InputSpec::default()
        };
        let facts = profile::of_data(&crate::session(), &spec, None).expect("profiled");
        assert_eq!(facts.n_rows, 300);
        assert_eq!(facts.columns.len(), people::COLUMNS.len());
        let scene = Scene::new();
        let path = scene.path("policy.toml");
        let proposed = indistinct::init::propose(&crate::session(), &spec, Some(&path));
        // Resolve the roles that the proposal leaves open.
        let decided =
            proposed.expect("proposed").policy.replace("role = \"?\"", "role = \"insensitive\"");
        scene.write("policy.toml", &decided);
        let job = crate::session().open(&path, None).expect("the policy names the table");
        assert_eq!(profile::of_policy(&job, None).expect("profiled").n_rows, 300);
    }
}

/// Warnings about columns that were not counted are the same as for files, and identifiers remain
/// in the database.
#[test]
fn uncounted_columns_are_profiled_in_the_database() {
    let scene = Scene::new();
    scene.write("people.csv", &people::csv(3_000));
    let look = |policy: &std::path::Path, name: &str| {
        let created = released(databases(), policy, &scene.path(name), Replace::Forbid);
        let mut warnings = created.expect("released").warnings;
        warnings.retain(|it| {
            matches!(it, Warning::UniqueValues { .. } | Warning::UniqueCombinations { .. })
        });
        warnings
    };
    let of_file =
        scene.write("file.toml", &people::policy("path = \"people.csv\"", "", "insensitive"));
    let expected = look(&of_file, "file");
    assert!(!expected.is_empty());
    for server in all() {
        let table = unique("people");
        people::load(&server, &table, 3_000);
        let input = format!("path = '{}'\ntable = '{table}'", server.address);
        let policy = scene.write("table.toml", &people::policy(&input, "", "insensitive"));
        assert_eq!(look(&policy, server.name), expected, "{}", server.name);
    }
}
