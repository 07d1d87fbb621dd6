//! Scripts for Spark that the Spark client runs on a Sail server.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use indistinct::anonymize::Replace;

use crate::people;
use crate::same::{cells, claims};
use crate::server::{Scene, files};
use crate::{code, databases, released, verified};

/// Environment variable with the path of the client and server packages.
const PACKAGES: &str = "INDISTINCT_TEST_SAIL";
/// Environment variable with the address of another Spark Connect server, such as Spark.
const REMOTE: &str = "INDISTINCT_TEST_SPARK";

/// A server with its client.
struct Sail {
    process: Child,
    asks: ChildStdin,
    hears: BufReader<ChildStdout>,
    /// Address of the server with the session.
    address: String,
    _folder: tempfile::TempDir,
}

impl Sail {
    fn start() -> Option<Self> {
        let Some(packages) = std::env::var_os(PACKAGES) else {
            assert!(
                std::env::var_os("INDISTINCT_TEST_DATABASES").is_none(),
                "INDISTINCT_TEST_DATABASES is set, but {PACKAGES} is not"
            );
            eprintln!(
                "SKIPPED: Sail is missing ({PACKAGES}); `.ci/databases` sets up the test databases"
            );
            return None;
        };
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/databases/sail.py");
        let mut command = Command::new("python3");
        command.arg("-W").arg("ignore").arg(script).args(std::env::var_os(REMOTE));
        command.env("PYTHONPATH", packages).stdin(Stdio::piped()).stdout(Stdio::piped());
        let folder = tempfile::tempdir().expect("a folder");
        let mut process =
            command.current_dir(folder.path()).stderr(Stdio::null()).spawn().expect("it starts");
        let asks = process.stdin.take().expect("piped");
        let hears = BufReader::new(process.stdout.take().expect("piped"));
        let mut this = Self { process, asks, hears, address: String::new(), _folder: folder };
        this.address = this.message().replacen("sc:", "spark:", 1);
        assert!(this.address.starts_with("spark://"), "{}", this.address);
        Some(this)
    }

    fn message(&mut self) -> String {
        let mut line = String::new();
        self.hears.read_line(&mut line).expect("it answers");
        line.trim_end().to_owned()
    }

    fn run(&mut self, script: &Path) {
        let quoted = |path: &Path| indistinct::policy::toml_text(&path.display().to_string());
        let line = format!("[{}, {}]", quoted(script), quoted(&script.with_extension("csv")));
        writeln!(self.asks, "{line}").expect("it listens");
        assert_eq!(self.message(), "done", "{}", script.display());
    }

    /// Returns the cells of a query result.
    fn rows(&mut self, scene: &Scene, query: &str, names: &[&str]) -> Vec<Vec<String>> {
        let script = scene.write("query.sql", &format!("{query};\n"));
        self.run(&script);
        cells(&std::fs::read(script.with_extension("csv")).expect("an answer"), names)
    }
}

impl Drop for Sail {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Returns the statement that creates the table of people.
fn table(name: &str, n: usize) -> String {
    let types = [
        "STRING",
        "INT",
        "STRING",
        "STRING",
        "DATE",
        "BOOLEAN",
        "DOUBLE",
        "DECIMAL(9,2)",
        "STRING",
    ];
    let cast = people::COLUMNS.iter().zip(types).enumerate();
    let cast =
        cast.map(|(at, ((name, _), data_type))| format!("CAST(c{at} AS {data_type}) AS {name}"));
    let row = |n| {
        let cell = |cell: Option<String>| cell.map_or("NULL".to_owned(), |it| format!("'{it}'"));
        format!("({})", people::row(n).into_iter().map(cell).collect::<Vec<_>>().join(", "))
    };
    let names: Vec<String> = (0..types.len()).map(|at| format!("c{at}")).collect();
    format!(
        "CREATE TABLE {name} AS SELECT {} FROM VALUES {} AS t({});\n",
        cast.collect::<Vec<_>>().join(", "),
        (0..n).map(row).collect::<Vec<_>>().join(",\n"),
        names.join(", ")
    )
}

/// Returns the scripts without an answer, in order.
fn open_scripts(folder: &Path, ran: &[PathBuf]) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("the folder of scripts exists");
    let paths = entries.map(|entry| entry.expect("an entry").path());
    let mut open: Vec<PathBuf> = paths
        .filter(|path| path.extension().is_some_and(|it| it == "sql") && !ran.contains(path))
        .collect();
    open.sort();
    open
}

#[test]
fn spark_scripts_produce_identical_release() {
    const N: usize = 800;
    // The tables belong to the session, which the driver ends with its connection. Therefore, each
    // iteration uses a separate server.
    for others in ["identifier", "insensitive"] {
        let Some(mut sail) = Sail::start() else { return };
        let scene = Scene::new();
        scene.write("people.csv", &people::csv(N));
        let policy = people::policy("path = \"people.csv\"", "", others);
        let policy = scene.write("file.toml", &policy);
        released(databases(), &policy, &scene.path("file"), Replace::Forbid).expect("released");
        let expected = files(&scene.path("file"));

        let (name, target) = (format!("people_{others}"), format!("released_{others}"));
        sail.run(&scene.write("load.sql", &table(&name, N)));
        let input = format!("path = 'emit+spark:scripts'\ntable = '{name}'");
        let policy = people::policy(&input, &format!("table = '{target}'"), others);
        let policy = scene.write("table.toml", &policy);
        let mut ran: Vec<PathBuf> = Vec::new();
        for round in 0..4 {
            let created = released(databases(), &policy, &scene.path("r"), Replace::Forbid);
            assert_eq!(created.is_ok(), round == 3, "{round}: {}", code(created));
            for script in open_scripts(&scene.path("scripts"), &ran) {
                sail.run(&script);
                ran.push(script);
            }
        }
        let plain = ["age", "zip", "sex", "disease"];
        let texts = plain.map(|name| format!("CAST({name} AS STRING) AS {name}")).join(", ");
        let got = sail.rows(&scene, &format!("SELECT {texts} FROM {target}"), &plain);
        assert_eq!(got, cells(&expected["data.csv"], &plain), "{others}");
        let got = files(&scene.path("r"));
        assert_eq!(claims(&got["certificate.json"]), claims(&expected["certificate.json"]));
        let query = format!(
            "SELECT file, content FROM {target}_certificate WHERE file = 'certificate.json'"
        );
        let marker = sail.rows(&scene, &query, &["content"]);
        assert_eq!(marker[0][0].as_bytes(), got["certificate.json"]);

        // A connection counts the released rows in the database and verifies them.
        let verified = verified(&sail.address, &target).expect("verified");
        assert!(verified.holds, "{:?}", verified.checks);
    }
}

/// Text that looks like an escape sequence of Spark remains unchanged.
#[test]
fn spark_scripts_treat_names_and_values_as_data() {
    let Some(mut sail) = Sail::start() else { return };
    let scene = Scene::new();
    let values = ["a\\'b", "\\", "'; DROP TABLE canary; --", "\"x\"", "`y`", "ü🦀", "a\nb", "=1"];
    // The values are written as code points, independently of quoting rules.
    let coded = |text: &str| {
        let bytes: String = text.bytes().map(|byte| format!("{byte:02X}")).collect();
        format!("(CAST(X'{bytes}' AS STRING))")
    };
    let lines = values.map(coded).join(", ");
    let load = format!(
        "CREATE TABLE canary (alive INT);\nCREATE TABLE odd AS SELECT v AS `a ``; -- '\"` FROM \
         VALUES {lines} AS t(v);\n"
    );
    sail.run(&scene.write("load.sql", &load));
    let policy = "version = 1\n[input]\npath = 'emit+spark:scripts'\ntable = 'odd'\n\
                  [attributes.\"a `; -- '\\\"\"]\nrole = \"quasi-identifier\"\n\
                  [[principles]]\nkind = \"k-anonymity\"\nk = 1\n[output]\ntable = 'even'\n";
    let policy = scene.write("policy.toml", policy);
    let mut ran: Vec<PathBuf> = Vec::new();
    for round in 0..4 {
        let created = released(databases(), &policy, &scene.path("r"), Replace::Forbid);
        assert_eq!(created.is_ok(), round == 3, "{round}: {}", crate::message(created));
        for script in open_scripts(&scene.path("scripts"), &ran) {
            sail.run(&script);
            ran.push(script);
        }
    }
    let query = "SELECT hex(CAST(`a ``; -- '\"` AS BINARY)) AS h FROM even";
    let got: Vec<String> = sail.rows(&scene, query, &["h"]).into_iter().flatten().collect();
    let mut expected =
        values.map(|text| text.bytes().map(|byte| format!("{byte:02X}")).collect::<String>());
    expected.sort();
    assert_eq!(got, expected);
    sail.rows(&scene, "SELECT COUNT(*) AS n FROM canary", &["n"]);
}
