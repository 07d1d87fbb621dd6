//! A folder with a table and its release, functions that modify it, and calls of the program within
//! limits of time and memory.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use sha2::{Digest, Sha256};
use tempfile::TempDir;

/// The maximum duration of a run, which is sufficient for a debug build on a busy machine.
const PATIENCE: Duration = Duration::from_secs(120);
/// The address space of a run: more than the small tables require, but less than a forged length
/// would allocate.
const MEMORY_KIB: u64 = 8 << 20;

const POLICY: &str = r#"version = 1
[input]
path = "table.csv"
[attributes.age]
role = "quasi-identifier"
hierarchy = { intervals = [10, 20] }
[attributes.city]
role = "quasi-identifier"
[attributes.disease]
role = "sensitive"
[[principles]]
kind = "k-anonymity"
k = 3
[[principles]]
kind = "distinct-l-diversity"
l = 2
[recoding]
suppression_limit = 0.2
seed = 7
[output]
row_order = "sorted"
"#;

/// Returns the number of cases to run: a few, or all of them on request.
pub fn share(few: usize, all: usize) -> usize {
    match std::env::var("INDISTINCT_HOSTILE") {
        Ok(value) if value == "all" => all,
        _ => few,
    }
}

/// A pseudo-random number generator with the same sequence in every run.
pub struct Random(pub u64);

impl Random {
    pub fn below(&mut self, n: usize) -> usize {
        // The generator of Numerical Recipes, whose high bits have the best quality.
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % n.max(1)
    }

    /// Changes, removes, inserts, or repeats some bytes.
    pub fn change(&mut self, bytes: &mut Vec<u8>) {
        for _ in 0..=self.below(3) {
            let at = self.below(bytes.len().max(1));
            let end = (at + 1 + self.below(20)).min(bytes.len());
            match self.below(6) {
                0 if !bytes.is_empty() => bytes[at] ^= 1 << self.below(8),
                1 if !bytes.is_empty() => bytes[at] = b"0123456789,;\"'\n{}[]=-*"[self.below(22)],
                2 => drop(bytes.drain(at.min(end)..end)),
                3 => {
                    let part = bytes[at.min(end)..end].to_vec();
                    let to = self.below(bytes.len() + 1);
                    bytes.splice(to..to, part);
                }
                4 => bytes.truncate(at),
                _ => bytes.insert(at.min(bytes.len()), self.below(256) as u8),
            }
        }
    }
}

/// The result of a run. The status is missing if a signal ended the run.
#[derive(Debug)]
pub struct Answer {
    pub status: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

impl Answer {
    /// Asserts that the run ended with a valid status (done, not met, or an error), without a panic
    /// or a signal.
    pub fn ended(&self, what: &str) {
        assert!(matches!(self.status, Some(0..=2)), "{what}: {self:?}");
        assert!(!self.stderr.contains("panicked"), "{what}: {self:?}");
    }
}

pub struct Scene {
    folder: TempDir,
}

impl Scene {
    /// Creates a table and its policy.
    pub fn new() -> Self {
        let place = Self { folder: tempfile::tempdir().expect("a folder") };
        let mut table = "age,city,disease\n".to_owned();
        for at in 0..40 {
            let (age, city) = (20 + (at * 7) % 40, ["Rome", "Oslo", "Bern"][at % 3]);
            table +=
                &format!("{age},{city},{}\n", ["flu", "ulcer", "asthma", "angina"][(at * 5) % 4]);
        }
        place.write("table.csv", table.as_bytes());
        place.write("policy.toml", POLICY.as_bytes());
        place
    }

    /// Creates a table, its policy, and its release.
    pub fn released() -> Self {
        Self::released_as("csv")
    }

    /// Creates a table, its policy, and its release in a format.
    pub fn released_as(format: &str) -> Self {
        let place = Self::new();
        let policy = POLICY.replace("[output]", &format!("[output]\nformat = \"{format}\""));
        place.write("policy.toml", policy.as_bytes());
        let answer = place.run(&["anonymize", "policy.toml", "-o", "release"]);
        assert_eq!(answer.status, Some(0), "{answer:?}");
        place
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn text(&self, name: &str) -> String {
        String::from_utf8_lossy(&std::fs::read(self.path(name)).unwrap_or_default()).into_owned()
    }

    pub fn write(&self, name: &str, bytes: &[u8]) {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().expect("the path has a parent folder"))
            .expect("made");
        std::fs::write(path, bytes).expect("written");
    }

    pub fn remove(&self, name: &str) {
        std::fs::remove_file(self.path(name)).expect("removed");
    }

    /// Replaces a file by a named pipe.
    pub fn pipe(&self, name: &str) {
        self.remove(name);
        let created = Command::new("mkfifo").arg(self.path(name)).status().expect("mkfifo runs");
        assert!(created.success());
    }

    /// Returns the files in a folder and its subfolders.
    pub fn listing(&self, folder: &str) -> BTreeMap<String, Vec<u8>> {
        let mut found = BTreeMap::new();
        list(&self.path(folder), "", &mut found);
        found
    }

    /// Restores a folder to its original content.
    pub fn restore(&self, folder: &str, whole: &BTreeMap<String, Vec<u8>>) {
        if folder.is_empty() {
            for name in ["release", "release.private"] {
                let _ = std::fs::remove_dir_all(self.path(name));
            }
        }
        for (name, bytes) in whole {
            std::fs::write(self.path(folder).join(name), bytes).expect("written");
        }
    }

    /// Updates the digests of the certificate to match the files.
    pub fn fit_digests(&self) {
        let text = self.text("release/certificate.json");
        let Ok(mut certificate) = serde_json::from_str::<serde_json::Value>(&text) else { return };
        let Some(digests) = certificate["claims"]["sha256"].as_object_mut() else { return };
        for (name, digest) in digests {
            let Ok(bytes) = std::fs::read(self.path("release").join(name)) else { continue };
            let hex: String =
                Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect();
            *digest = hex.into();
        }
        let text = serde_json::to_string_pretty(&certificate).expect("JSON");
        self.write("release/certificate.json", (text + "\n").as_bytes());
    }

    /// Runs the program in this folder.
    pub fn run(&self, arguments: &[&str]) -> Answer {
        let (stdout, stderr) =
            (self.folder.path().join("stdout"), self.folder.path().join("stderr"));
        let limited = format!("ulimit -v {MEMORY_KIB}; exec \"$0\" \"$@\"");
        let mut process = Command::new("sh")
            .args(["-c", &limited, env!("CARGO_BIN_EXE_indistinct")])
            .args(arguments)
            .args(["--threads", "1"])
            .current_dir(self.folder.path())
            .stdin(Stdio::null())
            .stdout(std::fs::File::create(&stdout).expect("made"))
            .stderr(std::fs::File::create(&stderr).expect("made"))
            .spawn()
            .expect("it runs");
        let begin = Instant::now();
        let status = loop {
            if let Some(status) = process.try_wait().expect("the process can be polled") {
                break status.code();
            }
            if begin.elapsed() > PATIENCE {
                process.kill().expect("the process can be killed");
                panic!("{arguments:?} did not end within {PATIENCE:?}");
            }
            std::thread::sleep(Duration::from_millis(2));
        };
        let answer = Answer { status, stdout: self.text("stdout"), stderr: self.text("stderr") };
        self.remove("stdout");
        self.remove("stderr");
        answer
    }
}

fn list(folder: &Path, prefix: &str, found: &mut BTreeMap<String, Vec<u8>>) {
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let entry = entry.expect("an entry");
        let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
        let kind = entry.file_type().expect("a type");
        if kind.is_dir() {
            list(&entry.path(), &format!("{name}/"), found);
        } else if kind.is_file() {
            found.insert(name, std::fs::read(entry.path()).expect("a file"));
        }
    }
}
