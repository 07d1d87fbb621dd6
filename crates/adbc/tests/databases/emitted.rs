//! Releases without a connection: clients of the databases run generated scripts, and produce the
//! same rows and claims.

use std::path::{Path, PathBuf};
use std::process::Command;

use indistinct::anonymize::{Replace, WrittenRelease};
use indistinct::warning::Warning;
use indistinct::{Error, InputSpec, profile};

use crate::people;
use crate::same::{cells, claims};
use crate::server::{Scene, Server, all, files, quoted, unique};
use crate::{code, databases, message, released, verified};

const N: usize = 1_200;

/// Returns the dialect name of a database, and its address for its client.
pub fn dialect(server: &Server) -> (&'static str, String) {
    let path = |address: &str| address.split_once(':').expect("a file").1.to_owned();
    match server.name {
        "PostgreSQL" => ("postgresql", server.address.clone()),
        "SQLite" => ("sqlite", path(&server.address)),
        _ => ("duckdb", path(&server.address)),
    }
}

/// Returns the servers whose clients are installed; the CI environment includes all clients.
pub fn with_clients() -> Vec<Server> {
    let is_there = |server: &Server| {
        let client = match server.name {
            "PostgreSQL" => "psql",
            "SQLite" => "sqlite3",
            _ => "duckdb",
        };
        let is_there = Command::new(client).arg("--version").output().is_ok();
        assert!(
            is_there || std::env::var_os("INDISTINCT_TEST_DATABASES").is_none(),
            "INDISTINCT_TEST_DATABASES is set, but the client {client} is missing"
        );
        if !is_there {
            eprintln!(
                "SKIPPED: the client {client} is missing; `.ci/databases` sets up the test \
                 databases"
            );
        }
        is_there
    };
    all().into_iter().filter(is_there).collect()
}

/// Returns the scripts without an answer, sorted by name.
fn scripts(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("the folder of scripts exists");
    let paths = entries.map(|entry| entry.expect("an entry").path());
    let is_open = |path: &PathBuf| {
        path.extension().is_some_and(|it| it == "sql") && !path.with_extension("csv").exists()
    };
    let mut scripts: Vec<PathBuf> = paths.filter(is_open).collect();
    scripts.sort();
    scripts
}

/// Runs a script with the command in its header.
fn run(server: &Server, script: &Path) -> Result<(), String> {
    let text = std::fs::read_to_string(script).expect("a script");
    let line = text.lines().nth(1).expect("the second line contains the command");
    let command = line.strip_prefix("--   ").expect("a command");
    let done = Command::new("bash")
        .args(["-euc", command])
        .env("DATABASE", dialect(server).1)
        .current_dir(script.parent().expect("a folder"))
        .output()
        .expect("the command can be started");
    match done.status.success() {
        true => Ok(()),
        false => {
            let _ = std::fs::remove_file(script.with_extension("csv"));
            Err(String::from_utf8_lossy(&done.stderr).into_owned())
        }
    }
}

/// Runs a policy and its scripts until a release exists or an error occurs that further answers
/// cannot resolve. Returns the number of manual steps, including the last script.
pub fn to_the_end(
    server: &Server,
    policy: &Path,
    folder: &Path,
    directory: &Path,
    replace: Replace,
) -> (usize, Result<WrittenRelease, Error>) {
    for round in 1.. {
        let created = released(databases(), policy, directory, replace);
        match &created {
            Err(_) if said_code(&created) == "E-DATABASE-019" => {
                assert!(round < 6, "the scripts are complete after five rounds");
                let is_new = replace == Replace::Force || !directory.exists();
                assert!(is_new, "no release exists before the last round");
            }
            Err(_) => return (round, created),
            Ok(released) => {
                let left = released.warnings.iter().find(|it| {
                    matches!(it, Warning::RowsNotPublished { script, .. } if script.contains("5-publish"))
                });
                assert!(left.is_some(), "{:?}", released.warnings);
            }
        }
        for script in scripts(folder) {
            run(server, &script).unwrap_or_else(|error| {
                panic!("{}: {}: {error}", server.name, script.display());
            });
        }
        if created.is_ok() {
            return (round, created);
        }
    }
    unreachable!("the loop returns a result")
}

fn said_code(created: &Result<WrittenRelease, Error>) -> &'static str {
    use indistinct_diagnostics::Coded;
    created.as_ref().err().map_or("no error", Coded::code)
}

/// A table of people, and a policy that releases it by scripts.
pub struct Behind {
    table: String,
    pub target: String,
    pub policy: PathBuf,
    pub folder: PathBuf,
}

impl Behind {
    pub fn new(
        scene: &Scene,
        server: &Server,
        others: &str,
        change: impl Fn(String) -> String,
    ) -> Self {
        let (table, target) = (unique("people"), unique("released"));
        people::load(server, &table, N);
        let name = format!("scripts {target}");
        let input = format!("path = 'emit+{}:{name}'\ntable = '{table}'", dialect(server).0);
        let policy = change(people::policy(&input, &format!("table = '{target}'"), others));
        let policy = scene.write(&format!("{target}.toml"), &policy);
        Self { table, target, policy, folder: scene.path(&name) }
    }
}

#[test]
fn scripts_produce_identical_release() {
    let by_classes =
        |policy: String| policy.replace("[recoding]", "[recoding]\nmethod = \"multidimensional\"");
    let changes: [&dyn Fn(String) -> String; 2] = [&|policy| policy, &by_classes];
    for (others, change) in
        [("identifier", changes[0]), ("insensitive", changes[0]), ("insensitive", changes[1])]
    {
        let scene = Scene::new();
        scene.write("people.csv", &people::csv(N));
        let policy = change(people::policy("path = \"people.csv\"", "", others));
        let policy = scene.write("file.toml", &policy);
        released(databases(), &policy, &scene.path("file"), Replace::Forbid).expect("released");
        let expected = files(&scene.path("file"));
        for server in with_clients() {
            let behind = Behind::new(&scene, &server, others, change);
            let Behind { target, policy, folder, .. } = &behind;
            let directory = scene.path(&format!("of {target}"));
            let (rounds, created) =
                to_the_end(&server, policy, folder, &directory, Replace::Forbid);
            created.expect("released");
            assert_eq!(rounds, 4, "the rounds describe, count, recode and check, and publish");

            let plain = ["age", "zip", "sex", "disease", "cost"];
            let plain = if others == "identifier" { &plain[..4] } else { &plain[..] };
            let texts = plain.iter().map(|name| format!("CAST({name} AS VARCHAR(99)) AS {name}"));
            let texts = texts.collect::<Vec<_>>().join(", ");
            let mut got = server.rows(&format!("SELECT {texts} FROM {}", quoted(target)));
            got.sort();
            assert_eq!(got, cells(&expected["data.csv"], plain), "{}, {others}", server.name);
            let got = files(&directory);
            assert_eq!(claims(&got["certificate.json"]), claims(&expected["certificate.json"]));
            assert!(!got.contains_key("data.csv"));
            let verified = verified(&server.address, target).expect("verified");
            assert!(verified.holds, "{}: {:?}", server.name, verified.checks);
            // Direct identifiers do not leave the database.
            for entry in std::fs::read_dir(folder).expect("a folder") {
                let entry = entry.expect("an entry");
                // The last script includes a report, which contains the word "person".
                if entry.file_name().to_string_lossy().starts_with("5-") {
                    continue;
                }
                let text = std::fs::read(entry.path()).expect("read");
                let text = String::from_utf8_lossy(&text).into_owned();
                assert!(!text.contains("person "), "{}", server.name);
            }

            // A release only replaces another release, and only if requested.
            let again = scene.path(&format!("again of {target}"));
            std::fs::remove_file(script_named(folder, "5-publish").with_extension("csv"))
                .expect("there");
            let created = released(databases(), policy, &again, Replace::Forbid);
            created.expect("all results exist");
            let publish = script_named(folder, "5-publish");
            assert!(run(&server, &publish).is_err(), "{}: the release already exists", server.name);
        }
    }
}

fn script_named(folder: &Path, stem: &str) -> PathBuf {
    let entries = std::fs::read_dir(folder).expect("the folder of scripts exists");
    let mut paths = entries.map(|entry| entry.expect("an entry").path());
    let is_it = |path: &PathBuf| {
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        name.starts_with(stem) && name.ends_with(".sql")
    };
    paths.find(is_it).expect("a script")
}

#[test]
fn file_release_requires_only_counts() {
    let scene = Scene::new();
    scene.write("people.csv", &people::csv(N));
    let policy = people::policy("path = \"people.csv\"", "", "identifier");
    let policy = scene.write("file.toml", &policy);
    released(databases(), &policy, &scene.path("file"), Replace::Forbid).expect("released");
    for server in with_clients() {
        let behind = Behind::new(&scene, &server, "identifier", |policy| {
            policy
                .lines()
                .filter(|line| !line.starts_with("table = 'released"))
                .collect::<Vec<_>>()
                .join("\n")
        });
        for round in 0..3 {
            let created =
                released(databases(), &behind.policy, &scene.path(server.name), Replace::Forbid);
            assert_eq!(created.is_ok(), round == 2, "{}", code(created));
            for script in scripts(&behind.folder) {
                run(&server, &script).expect("an answer");
            }
        }
        assert_eq!(files(&scene.path(server.name)), files(&scene.path("file")), "{}", server.name);
    }
}

#[test]
fn invalid_script_results_are_rejected() {
    for server in with_clients() {
        let scene = Scene::new();
        let behind = Behind::new(&scene, &server, "identifier", |policy| policy);
        let Behind { policy, folder, .. } = &behind;
        let directory = scene.path("r");
        let run_all =
            || scripts(folder).iter().for_each(|script| run(&server, script).expect("an answer"));
        let again = || released(databases(), policy, &directory, Replace::Forbid);
        let refused = message(again());
        assert!(refused.contains("1-describe") && refused.contains("$DATABASE"), "{refused}");
        run_all();
        assert_eq!(code(again()), "E-DATABASE-019");
        run_all();
        let answer = script_named(folder, "2-count").with_extension("csv");
        let whole = std::fs::read_to_string(&answer).expect("an answer");
        let lines: Vec<&str> = whole.lines().collect();
        let half = lines[..lines.len() / 2].join("\n") + "\n";
        let doubled = whole.clone() + lines[1] + "\n";
        let other = whole.replacen(&lines[1][..12], "0123456789ab", 1);
        let bare = whole.replacen("asked_lines", "lines", 1);
        for wrong in [half, doubled, other, bare] {
            std::fs::write(&answer, wrong).expect("written");
            assert_eq!(code(again()), "E-DATABASE-020", "{}", server.name);
            assert!(!directory.exists());
        }
        std::fs::write(&answer, whole).expect("written");
        assert_eq!(code(again()), "E-DATABASE-019");
        // Files of other programs are not replaced.
        let recode = script_named(folder, "3-recode");
        let script = std::fs::read(&recode).expect("a script");
        std::fs::write(&recode, "mine").expect("written");
        assert_eq!(code(again()), "E-DATABASE-020");
        assert_eq!(std::fs::read(&recode).expect("there"), b"mine");
        std::fs::write(&recode, script).expect("written");
        run_all();
        again().expect("released");
    }
}

#[test]
fn table_changes_between_scripts_are_detected() {
    for others in ["identifier", "insensitive"] {
        for server in with_clients() {
            let scene = Scene::new();
            let behind = Behind::new(&scene, &server, others, |policy| policy);
            let Behind { table, policy, folder, target } = &behind;
            let again = || released(databases(), policy, &scene.path("r"), Replace::Forbid);
            for _ in 0..2 {
                assert_eq!(code(again()), "E-DATABASE-019");
                scripts(folder).iter().for_each(|script| run(&server, script).expect("an answer"));
            }
            assert_eq!(code(again()), "E-DATABASE-019");
            server.run(&[&format!("UPDATE {table} SET disease = 'flu' WHERE disease = 'HIV'")]);
            scripts(folder).iter().for_each(|script| run(&server, script).expect("an answer"));
            match others {
                // The script contains the certified rows, so later changes of the table have no
                // effect.
                "identifier" => assert!(again().is_ok(), "{}", server.name),
                _ => {
                    assert_eq!(code(again()), "E-DATABASE-016", "{}", server.name);
                    assert!(!scene.path("r").exists() && !server.has(target));
                }
            }
        }
    }
}

#[test]
fn unsupported_script_requests_are_rejected() {
    let scene = Scene::new();
    let at = |address: String, table: Option<&str>, query: Option<&str>| {
        let spec = InputSpec {
            path: address.into(),
            table: table.map(str::to_owned),
            query: query.map(str::to_owned),
            ..InputSpec::default()
        };
        code(profile::of_data(&crate::session(), &spec, None))
    };
    let folder = scene.path("scripts").display().to_string();
    assert_eq!(
        at(format!("emit+postgresql:{folder}"), None, Some("SELECT 1 AS a")),
        "E-DATABASE-017"
    );
    assert_eq!(at(format!("emit+postgresql:{folder}"), None, None), "E-DATABASE-005");
    assert_eq!(at(format!("emit+oracle:{folder}"), Some("t"), None), "E-DATABASE-001");
    assert_eq!(at("emit+postgresql:".to_owned(), Some("t"), None), "E-DATABASE-004");
    assert_eq!(at(format!("emit+spark:{folder}"), Some("t"), None), "E-DATABASE-019");
}
