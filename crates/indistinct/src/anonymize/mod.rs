//! Creates a release: counts the table, searches for a recoding, certifies it, and writes the
//! files.

pub(crate) mod describe;
mod run;

use std::path::Path;

use crate::error::Error;
use crate::job::Job;
use crate::ledger::{Participant, Step};

pub use indistinct_answers::advice::BeyondReach;
pub use indistinct_answers::private::PrivateContent;
pub use indistinct_answers::release::{
    BeforeAfter, ChosenRecoding, Infeasible, Outcome, WrittenRelease,
};
pub use indistinct_engine::output::{PrivateLocation, Replace};
pub use indistinct_methods::GeneratedColumn;
pub use indistinct_methods::anatomy::Separation;
pub use indistinct_methods::invariant::{Invariance, NoVersion};
pub use indistinct_methods::planned::NotByPlan;
pub use indistinct_methods::{NoiseAlone, OfMethod, Shortfall};
pub use indistinct_release::facts::{BoundedFor, Noise};
pub use indistinct_release::forms::ByPlan;

/// Searches for the recoding with the least loss, certifies it, and writes a release directory. If
/// `directory` is a prefix of an object store, the release is created in the current folder, in a
/// directory named after the last part of the prefix, and then uploaded. [`Job::with_private`] sets
/// the location of the private directory.
///
/// Unless the answer is [`Outcome::Released`], all written files are removed.
///
/// # Errors
/// [`Error`] if the input cannot be read or does not match the policy, if the directory cannot be
/// written, if the input changed between the two passes, or if the observer cancels.
/// [`Error::NoLedger`] if the policy has a requirement that needs a ledger.
pub fn anonymize(job: &Job, directory: &Path, replace: Replace) -> Result<Outcome, Error> {
    job.run(|observer| run::run(job, directory, replace, None, observer))
}

/// Creates a release like [`anonymize`], but links it with the releases of a ledger and records it
/// in the ledger. `at` is called after each completed [`Step`].
///
/// If some person would fall below the minimum in `[linkage]`, the search looks for a recoding that
/// retains the minimum for everyone. If the search finds no such recoding, the answer is
/// [`Outcome::Infeasible`] with [`Infeasible::linkage`].
///
/// # Errors
/// The errors of [`anonymize`]; [`Error::Ledger`] if the ledger cannot be used; [`Error::Linkage`]
/// if the releases cannot be linked.
pub fn anonymize_with_ledger(
    job: &Job,
    directory: &Path,
    replace: Replace,
    ledger: &Path,
    at: &(dyn Fn(Step) + Sync),
) -> Result<Outcome, Error> {
    job.run(|observer| {
        let ledger = Participant::of_run(job, directory, ledger, at)?;
        run::run(job, directory, replace, Some(ledger), observer)
    })
}
