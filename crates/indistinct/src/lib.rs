//! Indistinct publishes tables about people under stated privacy principles, verifies every release
//! independently of the search that produced it, and states the limits of the protection.
//!
//! The command line and other programs use this crate. A [`Session`] opens a [`Job`], which is a
//! policy with its table. [`anonymize::anonymize`] creates a release from a job, and
//! [`verify::verify`] verifies a release from its bytes alone.
//!
//! The key decision: **a binding translates, it never decides**. The policy format defines all
//! defaults, and the core computes all verdicts. An answer such as [`anonymize::Outcome`] is data;
//! an [`Error`] means that no answer could be computed.
//!
//! # A tour
//!
//! This example starts with a table and ends with a release that anyone can verify. The steps are
//! in the order in which a data holder performs them.
//!
//! ```
//! use indistinct::anonymize::{Outcome, Replace, anonymize};
//! use indistinct::check::check;
//! use indistinct::generate::{Example, to_files};
//! use indistinct::verify::verify;
//! use indistinct::{Session, Values, profile};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! // A synthetic table of 1,000 patients, with a policy and hierarchies in the same folder.
//! let folder = tempfile::tempdir()?;
//! to_files(&Example::Hospital, 1_000, 7, &folder.path().join("hospital.csv"))?;
//!
//! // A session holds the engine, the number of threads, and an observer, which receives progress
//! // and can cancel. The default session has no observer.
//! let session = Session::default();
//!
//! // A job is a policy with its table. Opening a job reports every error in the policy or the
//! // table, with a code and a location.
//! let job = session.open(&folder.path().join("policy.toml"), None)?;
//!
//! // The risk of the original table: the quasi-identifiers of nearly every person are unique.
//! let raw = profile::of_policy(&job, profile::Options::default())?;
//! assert_eq!(raw.n_rows, 1_000);
//! assert!(raw.risk.unique_fraction.is_some_and(|fraction| fraction > 0.9));
//!
//! // The original table therefore violates the policy. The answer contains the level reached.
//! let before = check(&job, Values::Hidden)?;
//! assert!(!before.holds());
//! assert_eq!(before.smallest_class, Some(1));
//!
//! // The search proposes the recoding with the least loss, and the certifier decides whether it
//! // satisfies the policy. Files are written only afterward.
//! let directory = folder.path().join("release");
//! let released = match anonymize(&job, &directory, Replace::Forbid)? {
//!     Outcome::Released(released) => released,
//! Outcome::Infeasible(infeasible) => panic!("the nearest recoding: {:?}", infeasible.nearest()),
//! }; assert!(released.recoding.optimality.is_proved_for_levels());
//! assert!(released.principles.iter().all(|claim| claim.holds)); assert_eq!(released.n_released +
//! released.n_suppressed, released.n_rows); println!("levels {:?} cost {:.3}",
//! released.recoding.levels, released.loss["loss"]);
//!
//! // A recipient can verify the directory without any other information: `verify` recomputes
//! // every claim from the released rows and lists the facts that the rows cannot confirm as
//! // attested by the data holder.
//! let verified = verify(&session, &directory, None)?;
//! assert!(verified.holds);
//! assert!(verified.claims.is_some_and(|claims| claims.smallest_class >= Some(5)));
//! assert!(verified.facts.iter().any(|fact| matches!(fact, indistinct::Fact::Suppression { .. })));
//!
//! // Everything about the original is stored outside the release, for the data holder only.
//! assert!(!directory.join("mapping").exists());
//! assert!(released.private.is_some_and(|folder| folder.join("mapping/age.csv").exists()));
//!
//! // Verification detects a changed row.
//! let data = directory.join("data.csv");
//! let rows = std::fs::read_to_string(&data)?;
//! let end = rows.trim_end().rfind('\n').expect("more than a header");
//! std::fs::write(&data, &rows[..=end])?;
//! let verified = verify(&session, &directory, None)?;
//! assert!(!verified.holds);
//! for check in verified.checks.iter().filter(|check| !check.holds) {
//!     println!("{:?}: {:?}", check.about, check.differences);
//! }
//! # Ok(())
//! # }
//! ```

#![deny(missing_docs)]

pub mod advise;
pub mod anonymize;
pub mod attack;
pub mod check;
pub mod columns;
pub mod compare;
mod error;
mod given;
pub mod hierarchies;
pub mod init;
pub mod invariant;
mod job;
pub mod lattice;
pub mod ledger;
pub mod linked;
pub mod measure;
mod original;
pub mod plan;
pub mod population;
pub mod profile;
mod release;
pub mod rows;
mod session;
pub mod tables;
pub mod verify;

use std::io::Write;
use std::path::Path;

pub use error::{Error, Message};
/// The losses, with their definitions.
pub use indistinct_core::loss;
/// The principles, with their definitions, parameters, and limits.
pub use indistinct_core::principle;
pub use indistinct_core::recoding::AttributeExplanation;
pub use indistinct_core::risk::Risk;
pub use indistinct_core::{
    Claims, CountedUnit, Figure, Nearest, NodeCounts, Observer, Optimality, OptimalityGap, Phase,
    PrincipleClaim, Role, RowsOfPerson, SearchEffort, Silent,
};
/// Warnings for the data holder.
pub use indistinct_diagnostics::warning;
pub use indistinct_diagnostics::{Coded, Values};
pub use indistinct_engine::objects::ObjectStores;
pub use indistinct_engine::{
    EmbeddedEngine, Encoding, Engine, InputColumn, InputSpec, MemoryTable, SkippedRows, TableRef,
    Unsupported, may_contain_credential,
};
pub use indistinct_generate as generate;
pub use indistinct_import as import;
/// The recoding methods.
pub use indistinct_methods as methods;
pub use indistinct_policy as policy;
pub use indistinct_profiling::gate::{GateError, LooksLikeIdentifier, SinglesOut};
pub use indistinct_release::certificate::Certificate;
pub use indistinct_release::facts::{Basis, Fact};
pub use indistinct_release::{NotTogether, PrincipleError, ReleaseError};
pub(crate) use indistinct_release::{files, requirements, rules};
pub use indistinct_render::STYLE;
/// The English sentences that present answers.
pub use indistinct_text as text;
pub use indistinct_text::words;
pub use job::{Aim, Job, PolicyText};
pub use session::Session;

/// Writes new files into a folder and creates the folder if necessary. If one of the files already
/// exists, no file is written.
///
/// # Errors
/// [`Error`] if a file already exists, or if the operating system reports an error.
pub fn write_new_files<'a>(
    folder: &Path,
    files: impl Iterator<Item = (&'a Path, &'a [u8])> + Clone,
) -> Result<(), Error> {
    let taken = std::io::Error::from(std::io::ErrorKind::AlreadyExists);
    if let Some((path, _)) = files.clone().find(|(path, _)| path.symlink_metadata().is_ok()) {
        return Err(Error::io(path, &taken));
    }
    std::fs::create_dir_all(folder).map_err(|error| Error::io(folder, &error))?;
    for (path, bytes) in files {
        write_new_file(path, bytes)?;
    }
    Ok(())
}

/// Writes a file that must not exist yet.
///
/// # Errors
/// [`Error::Release`] if the file exists or cannot be written.
pub fn write_new_file(path: &Path, bytes: &[u8]) -> Result<(), Error> {
    std::fs::OpenOptions::new()
        .write(true)
        .create_new(true)
        .open(path)
        .and_then(|mut file| file.write_all(bytes))
        .map_err(|error| Error::io(path, &error))
}
