//! Indistinct publishes tables about people under stated privacy principles, checks every release independently of the
//! search that made it, and says what it does not protect against.
//!
//! This crate is what the command line calls, and what other programs call: questions are asked of a [`Session`]; a [`Job`] is a policy
//! with its table; [`anonymize::anonymize`] makes a release of it, [`verify::verify`] checks one from its bytes alone.
//!
//! The key decision: **a binding translates, it never decides**. All defaults stand in the policy format, all verdicts in the
//! core; an answer such as [`anonymize::Outcome`] is data, and an [`Error`] is only what keeps a question from being answered.
//!
//! # A tour
//!
//! From a table to a release that anyone can check, in the order in which the holder of the table goes about it.
//!
//! ```
//! use indistinct::anonymize::{Outcome, Replace, anonymize};
//! use indistinct::check::check;
//! use indistinct::generate::{Example, to_files};
//! use indistinct::verify::verify;
//! use indistinct::{Session, Values, profile};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! // A table of 1,000 patients who do not exist, with a policy and hierarchies beside it.
//! let folder = tempfile::tempdir()?;
//! to_files(&Example::Hospital, 1_000, 7, &folder.path().join("hospital.csv"))?;
//!
//! // A session has the engine, the threads, and an observer who hears of progress and can cancel; by default nobody observes.
//! let session = Session::default();
//!
//! // A job is a policy with its table. Whatever is wrong with either is told at once, with a code and a place.
//! let job = session.open(&folder.path().join("policy.toml"), None)?;
//!
//! // What the table risks as it is: nearly everybody is alone with their quasi-identifiers.
//! let raw = profile::of_policy(&job, profile::Options::default())?;
//! assert_eq!(raw.n_rows, 1_000);
//! assert!(raw.risk.unique_fraction.is_some_and(|fraction| fraction > 0.9));
//!
//! // So it does not satisfy the policy; the answer is the level reached, not only that it is too low.
//! let before = check(&job, Values::Hidden)?;
//! assert!(!before.holds());
//! assert_eq!(before.smallest_class, Some(1));
//!
//! // The search proposes the recoding with the least loss, the certifier decides, and only then is anything written.
//! let directory = folder.path().join("release");
//! let released = match anonymize(&job, &directory, Replace::Forbid)? {
//!     Outcome::Released(released) => released,
//!     Outcome::Infeasible(infeasible) => panic!("what comes nearest: {:?}", infeasible.nearest()),
//! };
//! assert!(released.recoding.optimality.is_proved_for_levels());
//! assert!(released.principles.iter().all(|claim| claim.holds));
//! assert_eq!(released.n_released + released.n_suppressed, released.n_rows);
//! println!("levels {:?} cost {:.3}", released.recoding.levels, released.loss["loss"]);
//!
//! // Whoever gets the directory can check it, knowing nothing else: every claim is computed again from the released rows,
//! // and what they cannot show is listed as a statement of the holder.
//! let verified = verify(&session, &directory, None)?;
//! assert!(verified.holds);
//! assert!(verified.claims.is_some_and(|claims| claims.smallest_class >= Some(5)));
//! assert!(verified.facts.iter().any(|fact| matches!(fact, indistinct::Fact::Suppression { .. })));
//!
//! // Everything about the original stays beside the release, for the holder's eyes alone.
//! assert!(!directory.join("mapping").exists());
//! assert!(released.private.join("mapping/age.csv").exists());
//!
//! // A changed row does not go unnoticed.
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
mod session;
pub mod tables;
pub mod verify;

use std::io::Write;
use std::path::Path;

pub use error::{Error, Message};
/// The principles, with their definitions, parameters and limits.
pub use indistinct_core::principle;
pub use indistinct_core::recoding::AttributeExplanation;
pub use indistinct_core::risk::Risk;
pub use indistinct_core::{
    Claims, CountedUnit, Figure, Nearest, NodeCounts, Observer, Optimality, OptimalityGap, Phase,
    PrincipleClaim, Role, RowsOfPerson, SearchEffort, Silent,
};
pub use indistinct_diagnostics::{Coded, Values};
pub use indistinct_engine::objects::ObjectStores;
pub use indistinct_engine::{
    EmbeddedEngine, Encoding, Engine, InputColumn, InputSpec, MemoryTable, TableRef,
};
pub use indistinct_generate as generate;
pub use indistinct_import as import;
/// The methods, by which a table is recoded.
pub use indistinct_methods as methods;
pub use indistinct_policy as policy;
pub use indistinct_profiling::gate::{LooksLikeIdentifier, LooksLikeIdentifiers};
pub use indistinct_release::certificate::Certificate;
pub use indistinct_release::facts::{Basis, Fact};
pub use indistinct_release::{NotTogether, PrincipleError, ReleaseError};
pub(crate) use indistinct_release::{files, requirements, rules};
pub use indistinct_report::{pieces, words};
/// The sentences of answers.
pub use indistinct_text as text;
pub use job::{Aim, Job, PolicyText};
pub use session::Session;

/// Writes new files into a folder, which is made if it is not there: all of them or, where one is there already, none.
///
/// # Errors
/// [`Error`] if a file is there already, or the operating system refuses.
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
/// [`Error::Release`] if it exists or cannot be written.
pub fn write_new_file(path: &Path, bytes: &[u8]) -> Result<(), Error> {
    std::fs::OpenOptions::new()
        .write(true)
        .create_new(true)
        .open(path)
        .and_then(|mut file| file.write_all(bytes))
        .map_err(|error| Error::io(path, &error))
}
