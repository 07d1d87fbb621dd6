//! Tests with a scheduler and two executors as separate processes on this machine. Releases must
//! equal those of the embedded engine.

mod address;
mod lost;
mod machines;
mod odd;
mod people;
mod program;
mod same;
mod types;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use indistinct::anonymize::{Outcome, Replace, WrittenRelease, anonymize};
use indistinct::verify::{ReleaseLocation, Verification};
use indistinct::{EmbeddedEngine, Error, Observer, Session, Silent};
use indistinct_cluster::Cluster;

/// A folder with the files of a test.
struct Scene(tempfile::TempDir);

impl Scene {
    fn new() -> Self {
        Self(tempfile::tempdir().expect("a folder"))
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.path(name);
        std::fs::write(&path, text).expect("written");
        path
    }

    /// The input section of a policy, for a table in this folder on a cluster.
    fn input(&self, scheduler: &str, table: &str) -> String {
        format!("path = '{}'\ntable = '{table}'", self.address(scheduler))
    }

    fn address(&self, scheduler: &str) -> String {
        format!("ballista://{scheduler}{}", self.0.path().display())
    }

    /// The names of all entries of the folder, including hidden ones.
    fn names(&self) -> Vec<String> {
        let all = std::fs::read_dir(self.0.path()).expect("a folder");
        let name = |entry: std::io::Result<std::fs::DirEntry>| entry.expect("an entry").file_name();
        let mut all: Vec<String> = all.map(|it| name(it).into_string().expect("a text")).collect();
        all.sort();
        all
    }
}

fn cluster() -> Cluster {
    Cluster::over(EmbeddedEngine::new(2))
}

/// A session that supports tables on a cluster.
fn session() -> Session {
    Session::default().with_engine(Arc::new(cluster()))
}

fn released_hearing(
    policy: &Path,
    directory: &Path,
    replace: Replace,
    observer: Arc<impl Observer + Send + 'static>,
) -> Result<WrittenRelease, Error> {
    let job = session().with_observer(observer).open(policy, None)?;
    match anonymize(&job, directory, replace)? {
        Outcome::Released(released) => Ok(*released),
        Outcome::Infeasible(_) => panic!("the policy is satisfiable"),
    }
}

/// Writes a release, either on the cluster or with the embedded engine.
fn released(policy: &Path, directory: &Path) -> Result<WrittenRelease, Error> {
    released_hearing(policy, directory, Replace::Forbid, Arc::new(Silent))
}

/// Verifies a release in a table on a cluster.
fn verified(address: &str, table: &str) -> Result<Verification, Error> {
    ReleaseLocation::at(Path::new(address), Some(table)).verify(&session(), None)
}

/// The code of an error.
fn code<T>(result: Result<T, Error>) -> &'static str {
    use indistinct_diagnostics::Coded;
    result.err().map_or("no error", |error| error.code())
}

/// The files of a folder, by name.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries =
        std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry"));
    let files = entries.filter(|entry| entry.file_type().expect("a type").is_file());
    let read = |entry: std::fs::DirEntry| {
        let name = entry.file_name().into_string().expect("a text");
        (name, std::fs::read(entry.path()).expect("readable"))
    };
    files.map(read).collect()
}

/// The claims of a certificate about the rows and the columns.
fn claims(certificate: &[u8]) -> String {
    let text = std::str::from_utf8(certificate).expect("UTF-8");
    let from = text.find("\"rows\"").expect("claims about the rows");
    text[from..text.find("\"sha256\"").expect("digests")].to_owned()
}
