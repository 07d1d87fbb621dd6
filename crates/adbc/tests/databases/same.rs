//! The same policy on all engines produces the same certificates and rows.

use std::convert::identity;
use std::path::PathBuf;

use indistinct::anonymize::Replace;
use indistinct::verify::ReleaseLocation;
use indistinct::words;

use crate::server::{Scene, Server, all, files, quoted, unique};
use crate::{code, databases, people, released, verified};

const N: usize = 3_000;

/// Returns the sorted lines of a CSV file without its header.
pub fn lines(bytes: &[u8]) -> Vec<String> {
    let text = String::from_utf8(bytes.to_vec()).expect("UTF-8");
    let mut lines: Vec<String> = text.lines().skip(1).map(str::to_owned).collect();
    lines.sort();
    lines
}

/// Returns the claims of a certificate about rows and columns.
pub fn claims(certificate: &[u8]) -> String {
    let text = std::str::from_utf8(certificate).expect("UTF-8");
    let from = text.find("\"rows\"").expect("claims on rows");
    text[from..text.find("\"sha256\"").expect("digests")].to_owned()
}

/// Returns the sorted cells of columns in a CSV file.
pub fn cells(bytes: &[u8], names: &[&str]) -> Vec<Vec<String>> {
    let mut reader = csv::Reader::from_reader(bytes);
    let header = reader.headers().expect("a header").clone();
    let at = |name: &&str| header.iter().position(|it| it == *name).expect("a column");
    let at: Vec<usize> = names.iter().map(at).collect();
    let rows = reader.records().map(|row| {
        let row = row.expect("a row");
        at.iter().map(|&at| row[at].to_owned()).collect()
    });
    let mut rows: Vec<Vec<String>> = rows.collect();
    rows.sort();
    rows
}

fn input(address: &str, table: &str) -> String {
    format!("path = '{address}'\ntable = '{}'\nunlisted = \"error\"", quoted(table))
}

/// A database table of people, and a policy that releases it to another table.
struct ToTable {
    table: String,
    target: String,
    policy: PathBuf,
}

impl ToTable {
    /// Creates `n` people; `others` is the role of the other columns, and `change` modifies the
    /// policy.
    fn new(
        scene: &Scene,
        server: &Server,
        n: usize,
        others: &str,
        change: impl Fn(String) -> String,
    ) -> Self {
        let (table, target) = (unique("people"), unique("released"));
        people::load(server, &table, n);
        let output = format!("table = \"{target}\"");
        let policy = change(people::policy(&input(&server.address, &table), &output, others));
        Self { table, target, policy: scene.write("table.toml", &policy) }
    }
}

/// Runs the policy on a file, and releases it to a folder.
fn of_file(scene: &Scene, others: &str) -> std::collections::BTreeMap<String, Vec<u8>> {
    scene.write("people.csv", &people::csv(N));
    let unlisted = "path = \"people.csv\"";
    let policy = scene.write("file.toml", &people::policy(unlisted, "", others));
    released(databases(), &policy, &scene.path("file"), Replace::Forbid).expect("released");
    files(&scene.path("file"))
}

#[test]
fn file_release_is_identical_for_all_databases() {
    for others in ["identifier", "insensitive"] {
        let scene = Scene::new();
        let expected = of_file(&scene, others);
        for server in all() {
            let table = unique("people");
            people::load(&server, &table, N);
            let input = input(&server.address, &table);
            let policy = scene.write("table.toml", &people::policy(&input, "", others));
            let directory = scene.path(server.name);
            released(databases(), &policy, &directory, Replace::Forbid).expect("released");
            let got = files(&directory);
            assert_eq!(got.keys().collect::<Vec<_>>(), expected.keys().collect::<Vec<_>>());
            for (name, bytes) in &got {
                let is_same = match (name.as_str(), others) {
                    // Databases sort numbers by magnitude, files sort them as text.
                    ("data.csv", "insensitive") => lines(bytes) == lines(&expected[name]),
                    ("certificate.json", "insensitive") => claims(bytes) == claims(&expected[name]),
                    _ => *bytes == expected[name],
                };
                assert!(is_same, "{}, {others}: {name} differs", server.name);
            }
            server.run(&[&format!("DROP TABLE {}", quoted(&table))]);
        }
    }
}

#[test]
fn table_release_matches_file_release() {
    for others in ["identifier", "insensitive"] {
        let scene = Scene::new();
        let expected = of_file(&scene, others);
        for server in all() {
            let ToTable { table, target, policy } =
                ToTable::new(&scene, &server, N, others, identity);
            let directory = scene.path(server.name);
            released(databases(), &policy, &directory, Replace::Forbid).expect("released");

            // The columns are cast to text, so the number format of the driver has no effect.
            let plain = ["age", "zip", "sex", "disease", "cost"];
            let plain = if others == "identifier" { &plain[..4] } else { &plain[..] };
            let texts = plain.iter().map(|name| format!("CAST({name} AS VARCHAR(99)) AS {name}"));
            let texts = texts.collect::<Vec<_>>().join(", ");
            let mut got = server.rows(&format!("SELECT {texts} FROM {}", quoted(&target)));
            got.sort();
            assert_eq!(got, cells(&expected["data.csv"], plain), "{}, {others}", server.name);

            // The directory contains no rows, and its certificate makes the same claims about them.
            let files = files(&directory);
            assert!(!files.contains_key("data.csv"));
            assert_eq!(claims(&files["certificate.json"]), claims(&expected["certificate.json"]));

            // The certificate stored with the rows equals the certificate in the directory and is
            // valid.
            let text = format!(
                "SELECT content FROM {} WHERE file = 'certificate.json'",
                quoted(&format!("{target}_certificate"))
            );
            assert_eq!(server.rows(&text)[0][0].as_bytes(), files["certificate.json"]);
            let verified = verified(&server.address, &target).expect("verified");
            assert!(verified.holds, "{}: {:?}", server.name, verified.checks);
            // The directory alone cannot confirm rows stored in the database, but provides their
            // location.
            let alone = indistinct::verify::verify(&crate::session(), &directory, None);
            assert_eq!(code(alone), "E-VERIFY-008");
            let found = ReleaseLocation::in_directory(&directory).expect("a release");
            let there = found.verify(&crate::session(), None).expect("verified");
            assert!(there.holds, "{}: {:?}", server.name, there.checks);
            let command = format!("indistinct verify {}", words::in_shell(&server.address));
            assert!(found.command().starts_with(&command), "{}", found.command());
            server.run(&[
                &format!("DROP TABLE {}", quoted(&table)),
                &format!("DROP TABLE {}", quoted(&target)),
                &format!("DROP TABLE {}", quoted(&format!("{target}_certificate"))),
            ]);
        }
    }
}

/// The default method of `init`: tuples are grouped into classes with separate values.
#[test]
fn tuple_classes_match_file_release() {
    for others in ["identifier", "insensitive"] {
        let scene = Scene::new();
        let method = |policy: String| {
            policy.replace("[recoding]", "[recoding]\nmethod = \"multidimensional\"")
        };
        scene.write("people.csv", &people::csv(N));
        let of_file = method(people::policy("path = \"people.csv\"", "", others));
        let of_file = scene.write("file.toml", &of_file);
        released(databases(), &of_file, &scene.path("file"), Replace::Forbid).expect("released");
        let expected = files(&scene.path("file"));
        for server in all() {
            let ToTable { target, policy, .. } = ToTable::new(&scene, &server, N, others, method);
            let directory = scene.path(server.name);
            released(databases(), &policy, &directory, Replace::Forbid).expect("released");
            let plain = ["age", "zip", "sex", "disease"];
            let texts = plain.iter().map(|name| format!("CAST({name} AS VARCHAR(99)) AS {name}"));
            let texts = texts.collect::<Vec<_>>().join(", ");
            let mut got = server.rows(&format!("SELECT {texts} FROM {}", quoted(&target)));
            got.sort();
            assert_eq!(got, cells(&expected["data.csv"], &plain), "{}, {others}", server.name);
            assert!(verified(&server.address, &target).expect("verified").holds);
        }
    }
}

#[test]
fn rows_are_written_in_value_order() {
    for server in all() {
        let scene = Scene::new();
        let ToTable { target, policy, .. } =
            ToTable::new(&scene, &server, 500, "identifier", identity);
        released(databases(), &policy, &scene.path("r"), Replace::Forbid).expect("released");
        let physical = server.rows(&format!("SELECT * FROM {}", quoted(&target)));
        let groups: Vec<&Vec<String>> =
            physical.chunk_by(|a, b| a == b).map(|equal| &equal[0]).collect();
        let mut distinct = groups.clone();
        distinct.sort();
        distinct.dedup();
        assert_eq!(groups.len(), distinct.len(), "{}: equal rows are adjacent", server.name);
    }
}

#[test]
fn modified_release_fails_verification() {
    for server in all() {
        let scene = Scene::new();
        let ToTable { target, policy, .. } =
            ToTable::new(&scene, &server, 500, "identifier", identity);
        released(databases(), &policy, &scene.path("r"), Replace::Forbid).expect("released");
        let target = quoted(&target);
        let name = target.trim_matches('"');
        assert!(verified(&server.address, name).expect("verified").holds);
        // If a missing value occurs with an empty string, recipients distinguish two classes.
        let some = format!(
            "UPDATE {target} SET sex = '' WHERE sex IS NULL AND age = (SELECT min(age) FROM \
             {target} WHERE sex IS NULL)"
        );
        server.run(&[&format!("UPDATE {target} SET sex = NULL WHERE sex = 'f'"), &some]);
        assert!(!verified(&server.address, name).expect("verified").holds, "{}", server.name);
        server.run(&[&format!("DROP TABLE {}", quoted(&format!("{name}_certificate")))]);
        assert_eq!(code(verified(&server.address, name)), "E-DATABASE-018");
    }
}

#[test]
fn force_replaces_only_releases() {
    for server in all() {
        let scene = Scene::new();
        let ToTable { target, policy, .. } =
            ToTable::new(&scene, &server, 500, "identifier", identity);
        let again = |replace| released(databases(), &policy, &scene.path("r"), replace);
        server.run(&[&format!("CREATE TABLE {} (a INTEGER)", quoted(&target))]);
        assert_eq!(code(again(Replace::Forbid)), "E-DATABASE-013", "{}", server.name);
        assert_eq!(code(again(Replace::Force)), "E-DATABASE-014", "{}", server.name);
        assert!(server.rows(&format!("SELECT a FROM {}", quoted(&target))).is_empty());
        assert!(!scene.path("r").exists(), "no files are left behind");
        server.run(&[&format!("DROP TABLE {}", quoted(&target))]);
        again(Replace::Forbid).expect("released");
        std::fs::rename(scene.path("r"), scene.path("first")).expect("moved");
        assert_eq!(
            code(released(databases(), &policy, &scene.path("q"), Replace::Forbid)),
            "E-DATABASE-013"
        );
        released(databases(), &policy, &scene.path("q"), Replace::Force).expect("replaced");
        assert!(verified(&server.address, &target).expect("verified").holds);
    }
}

#[test]
fn population_principles_match_file_release() {
    let scene = Scene::new();
    scene.write("people.csv", &people::csv(N));
    scene.write("population.csv", &people::csv(3 * N));
    let presence = "[[principles]]\nkind = \"delta-presence\"\nmin = 0\nmax = 0.9\npopulation = \
                    \"population.csv\"\n[recoding]";
    let with = |policy: String| policy.replace("[recoding]", presence);
    let of_file = with(people::policy("path = \"people.csv\"", "", "identifier"));
    let of_file = scene.write("file.toml", &of_file);
    released(databases(), &of_file, &scene.path("file"), Replace::Forbid).expect("released");
    let expected = files(&scene.path("file"));
    for server in all() {
        let table = unique("people");
        people::load(&server, &table, N);
        let policy = with(people::policy(&input(&server.address, &table), "", "identifier"));
        let policy = scene.write("table.toml", &policy);
        released(databases(), &policy, &scene.path(server.name), Replace::Forbid)
            .expect("released");
        assert_eq!(files(&scene.path(server.name)), expected, "{}", server.name);
    }
}

#[test]
fn people_are_counted_in_the_database() {
    let scene = Scene::new();
    // Each person has ten rows that are not adjacent.
    let text = people::csv(600);
    let named = text.lines().enumerate().map(|(n, line)| match n {
        0 => line.to_owned(),
        _ => format!("person {}{}", n % 60, &line[line.find(',').expect("cells")..]),
    });
    scene.write("people.csv", &(named.collect::<Vec<_>>().join("\n") + "\n"));
    let people_of = |input: &str| {
        people::policy(input, "", "identifier")
            + "[people]\nid = \"name\"\nrows = \"independent\"\n"
    };
    let of_file = scene.write("file.toml", &people_of("path = \"people.csv\""));
    released(databases(), &of_file, &scene.path("file"), Replace::Forbid).expect("released");
    let expected = files(&scene.path("file"));
    for server in all() {
        let table = unique("people");
        people::load(&server, &table, 600);
        let number = match server.name {
            "PostgreSQL" => "CAST(substr(name, 8) AS integer)",
            _ => "CAST(substr(name, 8) AS INTEGER)",
        };
        server.run(&[&format!(
            "UPDATE {} SET name = 'person ' || (({number} + 1) % 60)",
            quoted(&table)
        )]);
        let of_table = scene.write("table.toml", &people_of(&input(&server.address, &table)));
        let directory = scene.path(server.name);
        released(databases(), &of_table, &directory, Replace::Forbid).expect("released");
        assert_eq!(files(&directory), expected, "{}", server.name);
        server
            .run(&[&format!("UPDATE {} SET name = NULL WHERE name = 'person 7'", quoted(&table))]);
        let refused = released(databases(), &of_table, &directory, Replace::Force);
        assert!(
            crate::message(refused).contains("does not identify a person in 10 rows"),
            "{}",
            server.name
        );
    }
}
