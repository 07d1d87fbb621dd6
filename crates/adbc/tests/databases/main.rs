//! Releases of tables in real databases equal the releases of files, and are either complete or
//! absent.

mod altered;
mod emitted;
mod hostile;
mod messages;
mod midway;
mod numbers;
mod people;
mod sail;
mod same;
mod server;
mod sheets;
mod stopped;
mod types;

use std::path::Path;
use std::sync::Arc;

use indistinct::anonymize::{Outcome, Replace, WrittenRelease, anonymize};
use indistinct::verify::{ReleaseLocation, Verification};
use indistinct::{EmbeddedEngine, Error, Session};
use indistinct_adbc::Databases;

/// Creates a release.
fn released(
    engine: Databases,
    policy: &Path,
    directory: &Path,
    replace: Replace,
) -> Result<WrittenRelease, Error> {
    let job = session_of(engine).open(policy, None)?;
    match anonymize(&job, directory, replace)? {
        Outcome::Released(released) => Ok(*released),
        Outcome::Infeasible(_) => panic!("the policy is infeasible"),
    }
}

fn databases() -> Databases {
    Databases::over(EmbeddedEngine::new(2))
}

fn session_of(engine: Databases) -> Session {
    Session::default().with_engine(Arc::new(engine))
}

/// Returns a session that can open tables in databases.
fn session() -> Session {
    session_of(databases())
}

/// Verifies the release in a table.
fn verified(address: &str, table: &str) -> Result<Verification, Error> {
    ReleaseLocation::at(Path::new(address), Some(table)).verify(&session(), None)
}

/// Returns the code of an error.
fn code<T>(result: Result<T, Error>) -> &'static str {
    use indistinct_diagnostics::Coded;
    match result {
        Ok(_) => "no error",
        Err(error) => error.code(),
    }
}

/// Returns the complete message of an error.
fn message<T>(result: Result<T, Error>) -> String {
    use indistinct_diagnostics::Coded;
    match result {
        Ok(_) => String::new(),
        Err(error) => format!("{error} {error:?} {}", error.help().unwrap_or_default()),
    }
}
