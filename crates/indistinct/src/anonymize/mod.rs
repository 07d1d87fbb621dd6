//! The main operation: count, search, certify, write.

mod answer;
pub(crate) mod describe;

use std::path::Path;
use std::time::Instant;

use indistinct_answers::warning::{RepeatedIdentifier, Warning};
use indistinct_core::{CertifiedRelease, Observer};
use indistinct_engine::output::{Destination, Recovery, StagedRows, Staging, private_dir};
use indistinct_methods::invariant::PeopleProblem;
use indistinct_methods::{Answer, Key, PreparedTable, Proposal, Solution, Task, fewest_in_a_class};

use crate::error::Error;
use crate::files;
use crate::job::Job;
use crate::policy::InLedger;
use crate::population;
use crate::release::ReleaseParts;

pub use answer::{BeforeAfter, ChosenRecoding, Infeasible, Outcome, WrittenRelease};
pub use indistinct_answers::advice::BeyondReach;
pub use indistinct_engine::output::Replace;
pub use indistinct_methods::GeneratedColumn;
pub use indistinct_methods::anatomy::Separation;
pub use indistinct_methods::invariant::{Invariance, NoVersion};
pub use indistinct_methods::planned::NotByPlan;
pub use indistinct_methods::{NoiseAlone, OfMethod, Shortfall};
pub use indistinct_release::facts::{BoundedFor, Noise};
pub use indistinct_release::forms::ByPlan;

/// Searches for the recoding with the least loss, certifies it, and writes a release directory. If
/// `directory` is a prefix of an object store, a directory with the last part of its name is
/// created in the current folder and then uploaded.
///
/// Unless the answer is [`Outcome::Released`], all written files are removed.
///
/// # Errors
/// [`Error`] if the input cannot be read or does not match the policy, if the directory cannot be
/// written, if the input changed between the two passes, or if the observer cancels.
/// [`Error::NoLedger`] if the policy has a requirement that needs a ledger.
pub fn anonymize(job: &Job, directory: &Path, replace: Replace) -> Result<Outcome, Error> {
    job.run(|observer| {
        if job.policy().linkage.minimum.is_some() {
            return Err(Error::NoLedger);
        }
        if job.policy().recoding.method.ledger == InLedger::Series {
            return Err(indistinct_methods::Error::from(PeopleProblem::NoLedger).into());
        }
        job.check_output(None)?;
        let destination = Destination::at(job.session().engine().sources(), directory, replace)?;
        let directory = destination.directory();
        let staging = Staging::create(directory, replace)?;
        let healed = recovered(&staging, directory);
        let mut prepared = job.prepare(observer)?;
        job.check_output(Some(prepared.counted.table.n_rows()))?;
        let started = Instant::now();
        let key = Key::new(job.policy().recoding.seed, &prepared.counted.fingerprint)?;
        let task = Task { bound: job.bound(), prepared: &prepared, key: &key };
        let answer = job.method().propose(&task, observer)?;
        let seconds = started.elapsed().as_secs_f64();
        let mut proposal = match answer {
            Answer::Found(proposal) => proposal,
            Answer::NotFound(not_found) => {
                let infeasible = describe::infeasible(&task, *not_found, seconds);
                return Ok(Outcome::Infeasible(Box::new(infeasible)));
            }
        };
        prepared.take_up(&mut proposal);
        let (table, policy) = (&prepared.counted.table, &prepared.policy);
        let certified = CertifiedRelease::from_draft(table, policy, &proposal.draft)?;
        let writing =
            WriteContext { job, prepared: &prepared, key: &key, directory, replace, seconds };
        let (mut released, staged) =
            writing.write(&proposal, &certified, &staging, observer, |released| {
                released.warnings.extend(healed);
            })?;
        if observer.is_cancelled() {
            return Err(Error::Cancelled);
        }
        publish(staged, &staging)?;
        staging.commit()?;
        released.uploaded = destination.publish()?.map(str::to_owned);
        Ok(Outcome::Released(Box::new(released)))
    })
}

/// Publishes rows that are in a database, together with the files of the release. The directory is
/// moved into place afterward. If the process stops before that, the database contains a complete
/// release, and the next run writes the directory.
fn publish(staged: Option<Box<dyn StagedRows>>, staging: &Staging) -> Result<(), Error> {
    let Some(staged) = staged.filter(|staged| staged.file().is_none()) else { return Ok(()) };
    let folder = staging.public();
    let text = |name: String| {
        let text = files::read_text(&folder.join(&name))?;
        Ok((name, text))
    };
    let texts = files::list(&folder)?.into_iter().map(text).collect::<Result<Vec<_>, Error>>()?;
    Ok(staged.publish(&texts)?)
}

/// Returns a warning if an earlier run left an unfinished release.
pub(crate) fn recovered(staging: &Staging, directory: &Path) -> Option<Warning> {
    let directory = directory.to_owned();
    match staging.recovered() {
        Recovery::Nothing => None,
        Recovery::Removed => Some(Warning::RemovedIncomplete { directory }),
        Recovery::Completed => Some(Warning::CompletedMove { directory }),
    }
}

/// The inputs for writing a release, except the recoding.
pub(crate) struct WriteContext<'a> {
    pub(crate) job: &'a Job,
    pub(crate) prepared: &'a PreparedTable,
    pub(crate) key: &'a Key,
    pub(crate) directory: &'a Path,
    pub(crate) replace: Replace,
    /// Duration of the search in seconds.
    pub(crate) seconds: f64,
}

impl WriteContext<'_> {
    /// Returns warnings about weaker guarantees if an identifier shows that people have several
    /// rows.
    fn repeated(
        &self,
        certified: &CertifiedRelease<'_>,
        observer: &dyn Observer,
    ) -> Result<Vec<Warning>, Error> {
        // If equal rows are in different classes, the class of each person is unknown.
        let class_of = match certified {
            CertifiedRelease::Rows(release, _)
                if release.parts().is_none() && self.prepared.version().is_none() =>
            {
                Some(&release.partition().class_of)
            }
            _ => None,
        };
        let (bound, counted) = (self.job.bound(), &self.prepared.counted);
        let warning = |identifier: &RepeatedIdentifier| {
            let fewest_in_class = match class_of {
                Some(class_of) => {
                    fewest_in_a_class(bound, counted, class_of, &identifier.column, observer)?
                }
                None => None,
            };
            Ok(Warning::RepeatedIdentifier(RepeatedIdentifier {
                fewest_in_class,
                ..identifier.clone()
            }))
        };
        self.prepared.repeated.iter().map(warning).collect()
    }

    /// Writes a certified release to its staging folder and stages its rows. The function `tell`
    /// adds further facts to the answer.
    pub(crate) fn write(
        &self,
        proposal: &Proposal,
        certified: &CertifiedRelease<'_>,
        staging: &Staging,
        observer: &dyn Observer,
        tell: impl FnOnce(&mut WrittenRelease),
    ) -> Result<(WrittenRelease, Option<Box<dyn StagedRows>>), Error> {
        let (job, prepared) = (self.job, self.prepared);
        let before = prepared.before();
        let task = Task { bound: job.bound(), prepared, key: self.key };
        let solution = Solution { task, proposal, certified };
        let making = ReleaseParts {
            job,
            prepared,
            certified,
            proposal,
            before: &before,
            key: self.key,
            replace: self.replace,
        };
        // This step may read the table again. A database does not allow reading while rows are
        // being staged.
        let repeated = self.repeated(certified, observer)?;
        let population = population::of_release(job.session(), &solution)?;
        let coarsening_loss = job.coarsening_loss(observer)?;
        // If nearly all rows are distinct, computing the losses takes about as long as writing the
        // rows.
        let mut described = None;
        let written = rayon::in_place_scope(|scope| {
            scope.spawn(|_| {
                described = Some(describe::describe(job, &solution, &before, self.seconds));
            });
            making.write_rows(staging, observer)
        })?;
        let mut released = described.expect("the release was described when its rows were written");
        released.release = self.directory.to_owned();
        released.private = private_dir(self.directory)?;
        released.warnings.extend(repeated);
        released.population = population;
        released.coarsening_loss = coarsening_loss;
        tell(&mut released);
        let staged = making.write(written, &released, staging, observer)?;
        let remaining = staged.as_ref().and_then(|staged| staged.left_to_others());
        let remaining =
            remaining.map(|(script, table)| Warning::RowsNotPublished { script, table });
        released.warnings.extend(remaining);
        Ok((released, staged))
    }
}
