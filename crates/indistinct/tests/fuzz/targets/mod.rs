//! The fuzz targets. Each target reads an input twice or in two ways, compares the results, and
//! returns the shape of the answer.

mod ledger;

use std::collections::BTreeMap;
use std::fmt::Debug;
use std::path::Path;

use indistinct::{InputSpec, Silent};
use indistinct_core::hierarchy::{Arx, HierarchyRule, to_arx_csv};
use indistinct_core::{Dictionary, Hierarchy, Role};
use indistinct_engine::{CountRequest, EmbeddedEngine, Engine, Format, Input, marginals};
use indistinct_policy::{PolicyFile, released_policy};
use indistinct_release::certificate::Certificate;
use indistinct_release::files;
use indistinct_release::plan::PlanFile;

use crate::support::{Scene, write_plan};

pub use ledger::ledger;

/// A reader of files to be fuzzed.
pub struct Target {
    /// The name of the target and of its corpus.
    pub name: &'static str,
    /// Words that occur in files of this format.
    pub words: &'static [&'static str],
    /// Initial inputs in addition to the saved corpus.
    pub seeds: fn(&Path) -> Vec<Vec<u8>>,
    /// Reads an input and returns a description of the answer; panics if the target finds a defect.
    pub run: fn(&Path, &[u8]) -> String,
}

/// Returns all targets.
pub fn all() -> [Target; 7] {
    [csv(), json_lines(), policy(), hierarchy(), certificate(), plan(), ledger()]
}

/// Returns the magnitude of a count: its number of binary digits.
fn about(n: usize) -> u32 {
    usize::BITS - n.leading_zeros()
}

/// Returns the words of a string without numbers and punctuation.
fn words_of(text: &str) -> String {
    text.chars().filter(|char| char.is_ascii_alphabetic() || *char == ' ').take(90).collect()
}

/// Returns the kind of an error: its words without numbers and cells.
fn kind(error: &impl Debug) -> String {
    let text = format!("{error:?}");
    words_of(&text.split(['(', '{', '"']).take(3).collect::<Vec<_>>().join(" "))
}

/// Writes a value, reads it, and asserts that writing it again produces the same text. Returns the
/// value that was read.
fn again<T, E: Debug>(
    read: &T,
    write: impl Fn(&T) -> String,
    parse: impl Fn(&str) -> Result<T, E>,
) -> T {
    let written = write(read);
    let again = parse(&written)
        .unwrap_or_else(|error| panic!("{error:?} for the written text {written:?}"));
    assert_eq!(write(&again), written);
    again
}

const CELLS: &[&str] = &[
    "\"",
    "\"\"",
    "\r\n",
    "\n",
    ",",
    ";",
    "\t",
    "\u{feff}",
    "NA",
    "null",
    "a",
    "1",
    "-0.0",
    "1e999",
    "9007199254740993",
    "é",
    "\u{0}",
    "*",
];

fn seeds_csv(_: &Path) -> Vec<Vec<u8>> {
    let texts = [
        "age,city\n31,Rome\n35,\"Ro,me\"\n",
        "a\n\"\"\n\"x\ny\"\n",
        "\u{feff}a;b\r\n1;2\r\n",
        "a,b,c\n,,\n1,,\"\"\"\"\n",
    ];
    texts.map(|text| text.as_bytes().to_vec()).into()
}

/// Counts a table as a whole and column by column, and asserts that the rows and values agree.
fn table(folder: &Path, name: &str, bytes: &[u8], format: Format) -> String {
    let path = folder.join(name);
    std::fs::write(&path, bytes).expect("written");
    let spec = InputSpec { path, format: Some(format), ..InputSpec::default() };
    let input = match Input::open(&spec) {
        Ok(input) => input,
        Err(error) => return format!("not opened: {}", kind(&error)),
    };
    let names: Vec<String> = input.columns().iter().map(|column| column.name.clone()).collect();
    let engine = EmbeddedEngine::new(1);
    let mut alone = Vec::new();
    let by_column = marginals(&input, &names, 1, &Silent, &mut |table| alone.push(table));
    let request = CountRequest { quasi_identifiers: names.clone(), ..CountRequest::default() };
    let counted = engine.count(&input, &request, &Silent);
    if let (Ok(all), Ok(())) = (&counted, &by_column) {
        for (column, alone) in all.table.quasi_identifiers().iter().zip(&alone) {
            let own = &alone.quasi_identifiers()[0];
            assert_eq!(column.dictionary.values(), own.dictionary.values(), "{}", column.name);
            assert_eq!(all.table.marginal(column), alone.marginal(own), "{}", column.name);
        }
        assert_eq!(alone.len(), names.len());
        let rows: u64 = input
            .batches(&names)
            .expect("the input has these columns")
            .map(|batch| batch.expect("the counted rows can be read again").num_rows() as u64)
            .sum();
        assert_eq!(rows, all.table.n_rows(), "the second pass reads a different number of rows");
    }
    match counted {
        Ok(all) => {
            let (n_columns, n_tuples) = (about(names.len()), about(all.table.n_tuples()));
            format!("counted: {n_columns} {n_tuples} {}", about(all.table.n_rows() as usize))
        }
        Err(error) => format!("not counted: {}", kind(&error)),
    }
}

/// The target for CSV tables.
pub fn csv() -> Target {
    let run = |folder: &Path, bytes: &[u8]| table(folder, "t.csv", bytes, Format::Csv);
    Target { name: "csv", words: CELLS, seeds: seeds_csv, run }
}

/// The target for JSON lines tables.
pub fn json_lines() -> Target {
    let seeds = |_: &Path| {
        let texts = [
            "{\"age\": 31, \"city\": \"Rome\"}\n{\"city\": \"Oslo\", \"age\": null}\n",
            "{\"a\": 1.50, \"b\": true}\n{\"a\": -0.0, \"b\": false}\n",
            "{\"a\": \"\\u00e9\\n\"}\n",
        ];
        texts.map(|text| text.as_bytes().to_vec()).into()
    };
    let run = |folder: &Path, bytes: &[u8]| table(folder, "t.jsonl", bytes, Format::Json);
    let words = &[
        "{",
        "}",
        "[",
        "]",
        ":",
        ",",
        "\"",
        "\\u0000",
        "\\ud800",
        "null",
        "true",
        "1e400",
        "9007199254740993",
        "\"a\"",
        "\n",
        "{\"a\":1}\n",
        "-0.0",
        "1.50",
    ];
    Target { name: "json-lines", words, seeds, run }
}

/// Returns a policy as a release publishes it, with a file for each hierarchy of a
/// quasi-identifier.
fn as_released(policy: &PolicyFile) -> String {
    let with_file = policy
        .attributes
        .iter()
        .filter(|it| it.role == Role::QuasiIdentifier && it.hierarchy.is_some());
    let files: BTreeMap<String, String> =
        with_file.map(|it| (it.name.clone(), files::hierarchy(&it.name))).collect();
    let stated: Vec<_> = policy.principles.iter().map(|spec| spec.parameters.clone()).collect();
    released_policy(policy, &files, &stated)
}

/// Returns the published content of a policy.
fn reported(policy: &PolicyFile) -> impl Debug + PartialEq {
    let attributes: Vec<_> = policy
        .attributes
        .iter()
        .map(|it| (it.name.clone(), it.role, it.looks_like_identifier_reason.clone(), it.missing))
        .collect();
    let principles: Vec<_> = policy
        .principles
        .iter()
        .map(|it| (it.kind.name, it.attribute.clone(), it.others.name()))
        .collect();
    let output = &policy.output;
    (
        (policy.version, policy.title.clone(), policy.release.clone(), attributes, principles),
        (policy.people.clone(), policy.recoding.method.name, policy.search.all_minimal),
        (output.format.name(), output.row_order.name(), output.table.clone()),
    )
}

/// The target for policies. A valid policy has the same content after it was written as a release
/// publishes it; an invalid policy has displayable problems.
pub fn policy() -> Target {
    let seeds = |_: &Path| {
        let all = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors();
        let root = all.map(|it| it.join("examples")).find(|it| it.is_dir()).expect("examples");
        let files = ["hospital/policy.toml", "two-hospitals/city.toml", "visits/policy.toml"];
        files.map(|file| std::fs::read(root.join(file)).expect("an example")).into()
    };
    let run = |_: &Path, bytes: &[u8]| {
        let text = String::from_utf8_lossy(bytes);
        match PolicyFile::parse(&text, "policy.toml") {
            Ok(policy) => {
                let parse = |text: &str| PolicyFile::parse_released(text, "policy.toml");
                assert_eq!(reported(&again(&policy, as_released, parse)), reported(&policy));
                let (n, m) = (policy.attributes.len(), policy.principles.len());
                format!("{} {} {}", policy.recoding.method.name, about(n), about(m))
            }
            Err(errors) => {
                // All problems are displayable.
                assert!(!errors.to_string().is_empty() && !errors.is_empty());
                let mut codes: Vec<&str> =
                    errors.problems.iter().map(|problem| problem.code.as_str()).collect();
                codes.sort_unstable();
                codes.dedup();
                codes.join(" ")
            }
        }
    };
    let words = &[
        "[",
        "]",
        "[[principles]]\n",
        "[attributes.x]\n",
        "role = \"sensitive\"\n",
        "k = 5\n",
        "kind = ",
        "\"k-anonymity\"",
        "\"t-closeness\"",
        "hierarchy = ",
        "{ intervals = [5, 10] }",
        "{ mask = \"right\" }",
        "{ tree = { a = [\"b\"] } }",
        "{ rows = [[\"a\", \"*\"]] }",
        "= -1",
        "1e309",
        "nan",
        "inf",
        "true",
        "\"\"\"",
        "\n",
        "#",
        "method = \"perturbation\"\n",
        "method = \"anatomy\"\n",
        "method = \"sweep\"\n",
        "99999999999999999999",
        "0.1",
        "[recoding]\n",
        "[output]\n",
        "[people]\nid = \"x\"\n",
    ];
    Target { name: "policy", words, seeds, run }
}

/// The target for hierarchies in ARX format. A valid hierarchy has the same content after it was
/// written.
pub fn hierarchy() -> Target {
    let seeds = |_: &Path| {
        let texts = [
            "flu;lungs;*\nasthma;lungs;*\nulcer;stomach;*\n",
            "1;[1, 3);*\n2;[1, 3);*\n;;*\n",
            "\"a;b\";x\n\"c\"\"d\";x\n",
        ];
        texts.map(|text| text.as_bytes().to_vec()).into()
    };
    let run = |_: &Path, bytes: &[u8]| {
        let text = String::from_utf8_lossy(bytes);
        let nulls = vec!["NA".to_owned()];
        let resolved = |arx: Arx| {
            let (nothing, _) = Dictionary::from_distinct(Vec::new());
            HierarchyRule::Arx(arx).resolve("a", &nothing)
        };
        match Arx::parse("a", &text, &nulls).and_then(resolved) {
            Ok(hierarchy) => {
                let parse = |text: &str| Arx::parse("a", text, &[]).and_then(resolved);
                let again: Hierarchy = again(&hierarchy, to_arx_csv, parse);
                assert_eq!(again.n_levels(), hierarchy.n_levels());
                let n_values = hierarchy.domain_level(0).map.len();
                format!("levels {} values {}", about(hierarchy.n_levels()), about(n_values))
            }
            Err(error) => kind(&error),
        }
    };
    let words = &[";", "\n", "*", "\"", "NA", "a;b;*\n", ";;;;;;;;", "[1, 2)", "\u{feff}", "\r\n"];
    Target { name: "hierarchy", words, seeds, run }
}

const POLICY: &str = "version = 1\n[input]\npath = \"t.csv\"\n[attributes.age]\n\
                      role = \"quasi-identifier\"\n\
     [attributes.disease]\nrole = \"sensitive\"\n[[principles]]\nkind = \"k-anonymity\"\nk = 2\n\
     [recoding]\nseed = 1\n";

fn released() -> (Scene, std::path::PathBuf) {
    let scene = Scene::new();
    scene.write("t.csv", "age,disease\n1,flu\n1,ulcer\n2,flu\n2,asthma\n");
    let (release, _) = scene.release(POLICY, "release");
    (scene, release)
}

/// The target for certificates. A valid certificate has the same content after it was written.
pub fn certificate() -> Target {
    let seeds = |_: &Path| {
        let (_scene, release) = released();
        vec![std::fs::read(release.join("certificate.json")).expect("a certificate")]
    };
    let run = |_: &Path, bytes: &[u8]| {
        let text = String::from_utf8_lossy(bytes);
        match Certificate::parse(&text) {
            Ok(certificate) => {
                let write = |it: &Certificate| {
                    serde_json::to_string(it).expect("a certificate can be serialized")
                };
                assert_eq!(again(&certificate, write, Certificate::parse), certificate);
                let (n, m) = (certificate.facts.len(), certificate.claims.columns.len());
                format!("facts {} columns {}", about(n), about(m))
            }
            Err(error) => {
                // The problem, without words and numbers from the input.
                let text = error.to_string();
                let about = text.split(" at line").next().unwrap_or("");
                words_of(&about.split(['`', '"']).step_by(2).collect::<String>())
            }
        }
    };
    let words = &[
        "{",
        "}",
        "[",
        "]",
        ":",
        ",",
        "null",
        "true",
        "-1",
        "1e999",
        "\"claims\":",
        "\"facts\":",
        "\"basis\":",
        "\"sha256\":",
        "\"value\":",
        "18446744073709551616",
        "\"\\u0000\"",
        "{\"a\":1,\"a\":2}",
        "[[[[[[[[[[",
    ];
    Target { name: "certificate", words, seeds, run }
}

/// The target for plans. The text of a valid plan is parsed as the same plan.
pub fn plan() -> Target {
    let seeds = |_: &Path| {
        let scene = Scene::new();
        let counts: String =
            (0..8).map(|n| format!("{},{},{}\n", n / 2, ["flu", "ulcer"][n % 2], 10 + n)).collect();
        let counts = scene.write("counts.csv", &format!("age,disease,n\n{counts}"));
        write_plan(&counts, &scene.path("plan.toml"), 2, 1);
        let text = std::fs::read(scene.path("plan.toml")).expect("a plan");
        vec![text]
    };
    let run = |folder: &Path, bytes: &[u8]| {
        let path = folder.join("plan.toml");
        std::fs::write(&path, bytes).expect("written");
        match PlanFile::read(&path) {
            Ok(plan) => {
                let texts = plan.texts("again.toml");
                for (name, text) in &texts.files {
                    std::fs::write(folder.join(name), text).expect("written");
                }
                let again =
                    PlanFile::read(&folder.join("again.toml")).expect("the written plan is valid");
                assert_eq!(again, plan);
                format!("combinations {} l {}", about(plan.n_combinations()), plan.l().min(9))
            }
            Err(error) => words_of(&error.to_string()),
        }
    };
    let words = &[
        "[",
        "[[class]]\n",
        "[files]\n",
        "designated = [[\"flu\", 1]]\n",
        "combinations = [[\"1\"]]\n",
        "quasi_identifiers = []\n",
        "sensitive_values = []\n",
        "n_classes = ",
        "n_combinations = ",
        "n_rows = ",
        "total = ",
        "releases = 2\ntotal_failure = \"1/10\"\n",
        "p = \"1/3\"\n",
        "delta = \"1/100\"\n",
        "basis = \"exact-failure\"\n",
        "basis = \"text\"\n",
        "classes = \"a.csv\"\n",
        "\"1/0\"",
        "\"-1/3\"",
        "\"1e-9\"",
        "\"0.01\"",
        "18446744073709551615",
        "-1",
        "1e999",
        "\"\"\"",
        "[]",
        "0",
        "1",
        "\n",
    ];
    Target { name: "plan", words, seeds, run }
}
