//! Reads the original table of a release, using the policy of the release, and matches it with the
//! released rows.

#[cfg(test)]
mod tests;

use std::path::Path;

use indistinct_core::published::ReleaseWithOriginal;
use indistinct_engine::TableRef;
use indistinct_methods::invariant::with_counterfeits;
use indistinct_methods::people_of;
use indistinct_release::{MappingFault, NotTogether, Original, ReleaseError, View};

use crate::error::Error;
use crate::files;
use crate::job::{Aim, Job};
use crate::session::Session;

/// Reads the original of a release with the data holder's policy: the given policy, or the copy in
/// the private directory.
///
/// # Errors
/// [`NotTogether`] if the table is not the original of this release; another [`Error`] if the table
/// cannot be read.
pub(crate) fn original(
    session: &Session,
    view: &View,
    data: TableRef<'_>,
    policy: Option<&Path>,
) -> Result<Original, Error> {
    let (job, observer) = (job(session, view, data, policy)?, session.observer());
    view.check_columns(job.policy())?;
    let bound = job.bound();
    let counted = bound.count(observer)?;
    view.check_digest(&counted.fingerprint.sha256)?;
    let people = people_of(bound, &counted, observer)?.map(|(people, _)| people);
    let table = job.method().apply(bound, counted.table)?;
    let hierarchies = bound.hierarchies(&table)?;
    Ok(Original { people, ..view.apply(table, hierarchies)? })
}

/// Opens the original of a release with the data holder's policy.
pub(crate) fn job(
    session: &Session,
    view: &View,
    data: TableRef<'_>,
    policy: Option<&Path>,
) -> Result<Job, Error> {
    let policy = view.holders_policy_path(policy)?;
    Job::open_file(session, &policy, Some(data), Aim::Check)
}

/// Matches the original with a release.
///
/// # Errors
/// The same errors as [`original`].
pub(crate) fn pair(
    session: &Session,
    view: &View,
    data: TableRef<'_>,
    policy: Option<&Path>,
) -> Result<ReleaseWithOriginal, Error> {
    let mut original = original(session, view, data, policy)?;
    let listed = view.private().map(|it| it.join(files::MAPPING).join(files::COUNTERFEITS));
    let n_unknown = match listed.filter(|path| path.exists()) {
        Some(path) => {
            let problem = NotTogether::Mapping { line: 1, what: MappingFault::NoOriginalRow };
            let whole = with_counterfeits(&path, &original.table);
            original.table = whole.ok_or(ReleaseError::NotTogether(problem))?;
            0
        }
        None => view.n_counterfeits(),
    };
    Ok(view.pair(original, n_unknown)?)
}
