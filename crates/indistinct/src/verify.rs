//! Checks a release directory against its certificate, from its bytes alone: see [`indistinct_release::verify`]. The report is made again, and compared
//! with the one that is there.

use std::path::Path;

use indistinct_core::Observer;
use indistinct_engine::InputSpec;
use indistinct_engine::output::fetch_release;
use indistinct_methods::Registry;
use indistinct_release::verify::{self as release, Question};
pub use indistinct_release::verify::{Check, Verified};
use indistinct_report::check_report;

use crate::engines;
use crate::error::Error;

/// Checks a release directory against its certificate.
///
/// With a population table, whose quasi-identifiers have the released labels (as the file in the private part), what the
/// holder states about presence in it is checked as well.
///
/// # Errors
/// [`Error`] if the directory or its certificate is not there or cannot be read at all. A claim that does not hold is
/// an answer, not an error.
pub fn verify(
    directory: &Path,
    population: Option<&Path>,
    observer: &dyn Observer,
) -> Result<Verified, Error> {
    verify_with(&Registry::standard(), directory, population, observer)
}

/// The same where the policy may name other methods than those of Indistinct.
///
/// # Errors
/// As [`verify`].
pub fn verify_with(
    methods: &Registry,
    directory: &Path,
    population: Option<&Path>,
    observer: &dyn Observer,
) -> Result<Verified, Error> {
    let kinds = methods.kinds();
    let question =
        Question { directory, methods: &kinds, rows: None, population, report: check_report };
    Ok(release::verify(&question, observer)?)
}

/// Checks a release whose rows are in a database, with the certificate that lies beside them there; or one at a prefix of an object store,
/// which is brought here for that.
///
/// # Errors
/// As [`verify`], or [`Error`] if there is no such release.
pub fn verify_table(
    spec: &InputSpec,
    population: Option<&Path>,
    observer: &dyn Observer,
) -> Result<Verified, Error> {
    let folder = tempfile::tempdir().map_err(|error| Error::io(Path::new("."), &error))?;
    let rows = match spec.path.to_str().filter(|_| spec.is_object()) {
        Some(address) => {
            fetch_release(address, folder.path())?;
            None
        }
        None => Some(engines::of_process().released(spec, folder.path())?),
    };
    let kinds = Registry::standard().kinds();
    let question = Question {
        directory: folder.path(),
        methods: &kinds,
        rows: rows.as_ref(),
        population,
        report: check_report,
    };
    Ok(release::verify(&question, observer)?)
}
