//! Tests that this version reads the releases, ledgers, and plans of each version in
//! `crates/testkit/compat`, and that an independent verifier agrees about tampered releases.

use std::collections::BTreeSet;
use std::fs::DirEntry;
#[cfg(unix)]
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command as Process;

use serde_json::Value;
use toml::Table;

use crate::folder::{BINARY, Folder};

const TESTKIT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../testkit");

/// The pairs of releases about the same people.
const PAIRS: [[&str; 2]; 3] =
    [["full-domain", "curve"], ["planned-a", "planned-b"], ["version-1", "version-2"]];

/// A copy of the corpus of one version, in which commands can run.
struct Corpus {
    folder: Folder,
    /// The releases that this build can read.
    releases: Vec<String>,
}

impl Corpus {
    /// Copies the corpora of all versions.
    fn all() -> Vec<Self> {
        let versions = std::fs::read_dir(format!("{TESTKIT}/compat")).expect("the corpora");
        let versions = versions.map(|it| it.expect("an entry").path());
        let corpora: Vec<Self> =
            versions.filter(|it| it.join("releases").is_dir()).map(|it| Self::new(&it)).collect();
        assert!(!corpora.is_empty());
        corpora
    }

    fn new(version: &Path) -> Self {
        let mut folder = Folder::empty();
        for file in files(version) {
            let name = file.strip_prefix(version).expect("below").to_string_lossy().into_owned();
            folder = folder.with(&name, std::fs::read(&file).expect("a file"));
        }
        // Policies name the plan and the key relative to themselves.
        for (from, to) in [("plan.toml", "source/plan.toml"), ("person.key", "source/person.key")] {
            std::fs::copy(folder.path(from), folder.path(to)).expect("copied");
        }
        #[cfg(unix)]
        for name in ["releases.ledger", "source/person.key"] {
            let owner_only = std::fs::Permissions::from_mode(0o600);
            std::fs::set_permissions(folder.path(name), owner_only).expect("changed");
        }
        let mut corpus = Self { folder, releases: Vec::new() };
        // Spreadsheets require a feature.
        let is_readable = |it: &String| {
            let rows = corpus.folder.path(&format!("releases/{it}/data.xlsx"));
            cfg!(feature = "excel") || !rows.exists()
        };
        corpus.releases = corpus.all_releases().into_iter().filter(is_readable).collect();
        corpus
    }

    /// The names of the releases, including those that this build cannot read.
    fn all_releases(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.folder.path("releases")).expect("releases");
        let name = |it: DirEntry| it.file_name().to_string_lossy().into_owned();
        let mut names: Vec<String> = entries.map(|it| name(it.expect("an entry"))).collect();
        names.sort();
        names
    }

    /// Whether only the report fails, in the corpus of a version that is not finished. Its reports
    /// may still change.
    fn is_stale(&self, failing: &[Value]) -> bool {
        let is_finished = self.folder.path("FROZEN").exists();
        let is_report = |check: &Value| check["about"] == "report";
        !is_finished && !failing.is_empty() && failing.iter().all(is_report)
    }

    fn certificate(&self, release: &str) -> Value {
        let text = self.folder.text(&format!("releases/{release}/certificate.json"));
        serde_json::from_str(&text).expect("JSON")
    }

    fn toml(&self, file: &str) -> Table {
        self.folder.text(file).parse().expect("TOML")
    }

    /// Runs a command that must succeed, and returns its answer.
    fn ask(&self, arguments: &str) -> Value {
        let arguments: Vec<&str> = arguments.split(' ').chain(["--format", "json"]).collect();
        self.folder.run(&arguments).done().json()
    }
}

/// All certificates of the corpora, including those of releases in databases.
pub fn certificates() -> Vec<Value> {
    let mut paths = files(Path::new(&format!("{TESTKIT}/compat")));
    paths.retain(|path| path.ends_with("certificate.json"));
    let of = |path| std::fs::read_to_string(path).expect("a certificate");
    paths.into_iter().map(|path| serde_json::from_str(&of(path)).expect("JSON")).collect()
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("a folder").map(|it| it.expect("an entry"));
    let below = |path: PathBuf| if path.is_dir() { files(&path) } else { vec![path] };
    entries.flat_map(|it| below(it.path())).collect()
}

#[test]
fn releases_of_every_version_verify() {
    for corpus in Corpus::all() {
        for release in &corpus.releases {
            let directory = format!("releases/{release}");
            let answer = corpus.folder.run(&["verify", &directory, "--format", "json"]).json();
            let rows = &corpus.certificate(release)["claims"]["rows"];
            assert_eq!(answer["claims"]["n_released"], rows["n_released"], "{release}");
            let mut failing = answer["checks"].as_array().expect("checks").clone();
            failing.retain(|check| check["holds"] == false);
            if corpus.is_stale(&failing) {
                eprintln!("SKIPPED: the report of {release} is outdated; run compat/write");
                continue;
            }
            assert_eq!(failing, Vec::<Value>::new(), "{release}");
            let page = format!("{release}.html");
            corpus.folder.run(&["report", &directory, "-o", &page]).done();
            assert!(corpus.folder.text(&page).trim_end().ends_with("</html>"), "{release}");
        }
    }
}

#[test]
fn releases_of_every_version_can_be_attacked_and_measured() {
    for corpus in Corpus::all() {
        for release in &corpus.releases {
            let policy = format!("source/{release}.toml");
            let input = corpus.toml(&policy)["input"]["path"].as_str().expect("a path").to_owned();
            let original = format!("--original source/{input} --policy {policy}");
            corpus.ask(&format!("attack releases/{release}"));
            corpus.ask(&format!("attack releases/{release} {original}"));
            corpus.ask(&format!("measure releases/{release} {original} --queries 10"));
        }
    }
}

#[test]
fn releases_of_every_version_can_be_linked() {
    for corpus in Corpus::all() {
        for [one, two] in PAIRS {
            let answer = corpus.ask(&format!("link releases/{one} releases/{two}"));
            let sensitive = answer["sensitive"].as_array().expect("a list");
            assert!(!sensitive.is_empty(), "{one} and {two}");
            assert_eq!(answer["together"].is_object(), one.starts_with("planned"), "{answer:#}");
        }
    }
}

#[test]
fn ledgers_of_every_version_can_be_continued() {
    for corpus in Corpus::all() {
        let list = corpus.ask("ledger list releases.ledger");
        let names: Vec<&Value> =
            list["releases"].as_array().expect("a list").iter().map(|it| &it["name"]).collect();
        assert_eq!(names, ["curve", "full-domain", "version-1", "version-2"]);
        corpus.ask("ledger verify releases.ledger");
        corpus.ask("ledger check releases.ledger releases/curve");
        corpus.ask("ledger check releases.ledger source/curve.toml");
        for policy in ["curve", "version-2"] {
            let next = format!("anonymize source/{policy}.toml -o next-{policy}");
            let answer = corpus.ask(&format!("{next} --ledger releases.ledger"));
            let linked = answer["linkage"]["effect"]["linked_with"].as_array().expect("a list");
            assert_eq!(linked.len(), 2, "{answer:#}");
        }
        let list = corpus.ask("ledger list releases.ledger");
        assert_eq!(list["releases"].as_array().map(Vec::len), Some(6));
    }
}

#[test]
fn plans_of_every_version_can_be_followed() {
    for corpus in Corpus::all() {
        corpus.ask("anonymize source/planned-b.toml -o planned");
        let answer = corpus.ask("link releases/planned-a planned");
        assert_eq!(answer["together"]["same_plan"], true, "{answer:#}");
    }
}

#[test]
fn every_principle_method_format_and_fact_occurs_in_the_corpora() {
    let (mut principles, mut methods) = (BTreeSet::new(), BTreeSet::new());
    let (mut formats, mut facts) = (BTreeSet::new(), BTreeSet::new());
    let text = |value: &toml::Value| value.as_str().expect("a text").to_owned();
    for corpus in Corpus::all() {
        for name in corpus.all_releases() {
            let policy = corpus.toml(&format!("releases/{name}/policy.toml"));
            let required = policy.get("principles").and_then(toml::Value::as_array);
            principles.extend(required.into_iter().flatten().map(|it| text(&it["kind"])));
            methods.insert(text(&policy["recoding"]["method"]));
            formats.insert(text(&policy["output"]["format"]));
        }
    }
    for certificate in certificates() {
        let stated = certificate["facts"].as_array().expect("facts");
        facts.extend(stated.iter().map(|it| it["fact"].as_str().expect("a name").to_owned()));
    }
    for kind in indistinct_core::principle::REGISTRY {
        assert!(principles.contains(kind.name), "no release with {}", kind.name);
    }
    for method in indistinct_policy::method::REGISTRY {
        assert!(methods.contains(method.name), "no release with {}", method.name);
    }
    assert!(["csv", "parquet", "xlsx"].iter().all(|it| formats.contains(*it)), "{formats:?}");
    for fact in crate::specification::facts() {
        assert!(facts.contains(&fact.name), "no release with the fact {}", fact.name);
    }
}

/// Whether the Python that the verifier needs is there. In CI, it has to be.
pub fn has_python() -> bool {
    let found = Process::new("python3").args(["-c", "import tomllib"]).output();
    let is_there = found.is_ok_and(|it| it.status.success());
    assert!(is_there || std::env::var_os("CI").is_none(), "CI needs Python 3.11");
    if !is_there {
        eprintln!("SKIPPED: Python 3.11 is missing, so no second verifier was compared");
    }
    is_there
}

#[test]
fn an_independent_verifier_agrees_on_tampered_releases() {
    if !has_python() {
        return;
    }
    let most = match std::env::var("INDISTINCT_HOSTILE") {
        Ok(value) if value == "all" => "0",
        _ => "150",
    };
    for corpus in Corpus::all() {
        let releases = corpus.releases.iter().map(|it| corpus.folder.path("releases").join(it));
        let mut process = Process::new("python3");
        process.args(["-B", &format!("{TESTKIT}/verifier/tamper.py"), BINARY, most]);
        let output = process.args(releases).output().expect("it runs");
        let text = String::from_utf8_lossy(&output.stdout);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{text}\n{errors}");
        let n_of = |what: &str| {
            let line = text.lines().find_map(|line| line.trim().strip_suffix(what));
            line.map_or(0, |n| n.trim().parse::<u64>().expect("a number"))
        };
        assert!(n_of("rejected by both") >= 300 && n_of("accepted by both") >= 20, "{text}");
        println!("{text}");
    }
}
