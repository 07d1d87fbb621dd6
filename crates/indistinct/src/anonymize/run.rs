//! Creates a release in typed stages. Each stage requires the result of the previous stage:
//!
//! | stage | content |
//! |---|---|
//! | [`Opened`] | the policy with its table, the output, and the ledger; interrupted runs are repaired |
//! | [`Counted`](crate::job::Counted) | the counted rows, with the principles that are built for them |
//! | [`Prepared`] | the checked table with its hierarchies, and the key of all random choices |
//! | [`Proposed`] | the proposal of the search, which is untrusted |
//! | [`Certified`] | the release that the certifier constructed from the proposal |
//! | [`Staged`] | the files of the release in a staging folder |
//! | published | the release in place, described by [`WrittenRelease`] |
//!
//! A ledger is an optional [`Participant`]: it takes part in opening, searching, and publishing. If
//! another run records a conflicting release in the meantime, the run returns to the search.

use std::path::Path;
use std::time::Instant;

use indistinct_core::{CertifiedRelease, Observer, SearchEffort};
use indistinct_diagnostics::warning::{RepeatedIdentifier, Warning};
use indistinct_engine::output::{Destination, Recovery, Replace, StagedRows, Staging};
use indistinct_ledger::{Coarser, Linkage, LinkageRefusal};
use indistinct_methods::invariant::PeopleProblem;
use indistinct_methods::{Answer, LinkedOutcome, NotFound, Proposal, fewest_in_a_class};

use super::describe;
use crate::error::Error;
use crate::files;
use crate::job::{Job, Prepared};
use crate::ledger::{Participant, Recording};
use crate::policy::InLedger;
use crate::population;
use crate::release::Certified;
use indistinct_answers::release::{Infeasible, Outcome, WrittenRelease};

/// Creates a release.
pub(super) fn run(
    job: &Job,
    directory: &Path,
    replace: Replace,
    ledger: Option<Participant<'_>>,
    observer: &dyn Observer,
) -> Result<Outcome, Error> {
    let mut opened = Opened::new(job, directory, replace, ledger)?;
    let mut prepared = opened.prepare(observer)?;
    loop {
        let proposed = match opened.propose(&mut prepared, observer)? {
            Ok(proposed) => proposed,
            Err(infeasible) => return Ok(Outcome::Infeasible(Box::new(infeasible))),
        };
        let staged = opened.stage(&certify(job, &prepared, &proposed)?, &proposed, observer)?;
        if let Some(outcome) = opened.publish(staged, &prepared, &proposed, observer)? {
            return Ok(outcome);
        }
    }
}

/// The policy with its table, the output, and the ledger.
struct Opened<'a> {
    job: &'a Job,
    destination: Destination,
    replace: Replace,
    ledger: Option<Participant<'a>>,
    /// The staging folder of the next release.
    staging: Option<Staging>,
    /// Warnings about the ledger and about interrupted runs.
    warnings: Vec<Warning>,
}

/// The proposal of the search.
struct Proposed {
    proposal: Box<Proposal>,
    /// The effect of linking the proposal with recorded releases, if there is a ledger.
    linkage: Option<Linkage>,
    /// Duration of the search in seconds.
    seconds: f64,
}

/// A release in a staging folder.
struct Staged {
    staging: Staging,
    rows: Option<Box<dyn StagedRows>>,
    released: WrittenRelease,
}

impl<'a> Opened<'a> {
    fn new(
        job: &'a Job,
        directory: &Path,
        replace: Replace,
        ledger: Option<Participant<'a>>,
    ) -> Result<Self, Error> {
        if ledger.is_none() && job.policy().linkage.minimum.is_some() {
            return Err(Error::NoLedger);
        }
        if ledger.is_none() && job.policy().recoding.method.ledger == InLedger::Series {
            return Err(indistinct_methods::Error::from(PeopleProblem::NoLedger).into());
        }
        job.check_output(None)?;
        let destination = Destination::at(job.session().engine().sources(), directory, replace)?;
        let directory = destination.directory();
        let staging = Staging::create_with(directory, job.private(), replace)?;
        let mut warnings = ledger.as_ref().map_or_else(Vec::new, |it| it.warnings.clone());
        warnings.extend(recovered(&staging, directory));
        Ok(Self { job, replace, ledger, staging: Some(staging), warnings, destination })
    }

    fn prepare(&self, observer: &dyn Observer) -> Result<Prepared, Error> {
        let table = self.job.prepare(observer)?;
        self.job.check_output(Some(table.counted.table.n_rows()))?;
        Prepared::new(self.job, table)
    }

    /// Runs the search. If the proposal is for a different table, this table replaces the counted
    /// table.
    fn propose(
        &mut self,
        prepared: &mut Prepared,
        observer: &dyn Observer,
    ) -> Result<Result<Proposed, Infeasible>, Error> {
        let (job, started) = (self.job, Instant::now());
        let found = match &mut self.ledger {
            Some(ledger) => ledger.propose(job, prepared, observer)?,
            None => match job.method().propose(&prepared.task(job), observer)? {
                Answer::Found(mut proposal) => {
                    prepared.table.take_up(&mut proposal);
                    let seconds = started.elapsed().as_secs_f64();
                    return Ok(Ok(Proposed { proposal, linkage: None, seconds }));
                }
                Answer::NotFound(not_found) => LinkedOutcome::NotFound(not_found),
            },
        };
        let seconds = started.elapsed().as_secs_f64();
        Ok(match found {
            LinkedOutcome::Found { proposal, effect, coarser } => {
                let linkage = Some(Linkage { name: None, effect, coarser });
                Ok(Proposed { proposal, linkage, seconds })
            }
            LinkedOutcome::NotFound(not_found) => {
                Err(describe::infeasible(&prepared.task(job), *not_found, seconds))
            }
            LinkedOutcome::Refused(refusal) => Err(self.refused(prepared, refusal, seconds)),
        })
    }

    fn refused(&self, prepared: &Prepared, refusal: LinkageRefusal, seconds: f64) -> Infeasible {
        let effort = SearchEffort::default();
        let not_found = NotFound { nearest: None, is_proved: false, effort };
        let infeasible = describe::infeasible(&prepared.task(self.job), not_found, seconds);
        Infeasible { linkage: Some(refusal), ..infeasible }
    }

    /// Writes a certified release to a staging folder and stages its rows.
    fn stage(
        &mut self,
        certified: &Certified<'_>,
        proposed: &Proposed,
        observer: &dyn Observer,
    ) -> Result<Staged, Error> {
        let directory = self.destination.directory();
        let staging = match self.staging.take() {
            Some(staging) => staging,
            None => Staging::create_with(directory, self.job.private(), self.replace)?,
        };
        // This step may read the table again. A database does not allow reading while rows are
        // being staged.
        let repeated = repeated(certified, observer)?;
        let population = population::of_release(self.job.session(), &certified.solution())?;
        // If nearly all rows are distinct, computing the losses takes about as long as writing the
        // rows.
        let mut described = None;
        let written = rayon::in_place_scope(|scope| {
            scope.spawn(|_| {
                described = Some(describe::describe(certified, proposed.seconds));
            });
            certified.write_rows(&staging, self.replace, observer)
        })?;
        let mut released = described.expect("the release was described when its rows were written");
        released.release = directory.to_owned();
        released.private = staging.private_target().map(Path::to_owned);
        released.warnings.extend(repeated);
        released.warnings.extend(self.warnings.iter().cloned());
        released.population = population;
        released.linkage.clone_from(&proposed.linkage);
        let coarser = proposed.linkage.as_ref().and_then(|it| it.coarser.as_ref());
        released.warnings.extend(coarser.map(coarsened));
        // The rows are written afterward, which detects whether the input has changed.
        released.coarsening_loss = self.job.coarsening_loss(observer)?;
        let rows = certified.write(written, &mut released, &staging, observer)?;
        let remaining = rows.as_ref().and_then(|rows| rows.left_to_others());
        let remaining =
            remaining.map(|(script, table)| Warning::RowsNotPublished { script, table });
        released.warnings.extend(remaining);
        Ok(Staged { staging, rows, released })
    }

    /// Moves the release into place. Returns no answer if another release that was recorded in the
    /// meantime conflicts with this release; the search must then be repeated.
    fn publish(
        &mut self,
        staged: Staged,
        prepared: &Prepared,
        proposed: &Proposed,
        observer: &dyn Observer,
    ) -> Result<Option<Outcome>, Error> {
        let Staged { staging, rows, mut released } = staged;
        let Some(ledger) = &mut self.ledger else {
            if observer.is_cancelled() {
                return Err(Error::Cancelled);
            }
            publish_rows(rows, &staging)?;
            staging.commit()?;
            released.uploaded = self.destination.publish()?.map(str::to_owned);
            return Ok(Some(Outcome::Released(Box::new(released))));
        };
        match ledger.record(self.job, prepared, &staging, &mut released, observer)? {
            Recording::Superseded => Ok(None),
            Recording::Refused(refusal) => {
                let infeasible = self.refused(prepared, *refusal, proposed.seconds);
                Ok(Some(Outcome::Infeasible(Box::new(infeasible))))
            }
            Recording::Recorded(id) => {
                released.warnings.extend(ledger.commit(id, staging)?);
                Ok(Some(Outcome::Released(Box::new(released))))
            }
        }
    }
}

/// Returns a warning if an earlier run left an unfinished release.
fn recovered(staging: &Staging, directory: &Path) -> Option<Warning> {
    let directory = directory.to_owned();
    match staging.recovered() {
        Recovery::Nothing => None,
        Recovery::Removed => Some(Warning::RemovedIncomplete { directory }),
        Recovery::Completed => Some(Warning::CompletedMove { directory }),
    }
}

fn coarsened(coarser: &Coarser) -> Warning {
    Warning::CoarsenedForLinkage {
        objective: coarser.objective.to_owned(),
        without_linkage: coarser.without,
        with_linkage: coarser.with,
        n_tried: coarser.n_tried,
    }
}

/// Constructs the release from a proposal, if the proposal satisfies the policy.
fn certify<'a>(
    job: &'a Job,
    prepared: &'a Prepared,
    proposed: &'a Proposed,
) -> Result<Certified<'a>, Error> {
    let (table, proposal) = (&prepared.table, &*proposed.proposal);
    let release =
        CertifiedRelease::from_draft(&table.counted.table, &table.policy, &proposal.draft)?;
    Ok(Certified {
        job,
        prepared: table,
        key: &prepared.key,
        proposal,
        release,
        before: table.before(),
    })
}

/// Returns warnings about weaker guarantees if an identifier shows that people have several rows.
fn repeated(certified: &Certified<'_>, observer: &dyn Observer) -> Result<Vec<Warning>, Error> {
    let (bound, prepared) = (certified.job.bound(), certified.prepared);
    // If equal rows are in different classes, the class of each person is unknown.
    let class_of = certified
        .rows()
        .map(|(release, _)| release)
        .filter(|release| release.parts().is_none() && prepared.version().is_none());
    let warning = |identifier: &RepeatedIdentifier| {
        let fewest_in_class = match class_of {
            Some(release) => {
                let class_of = &release.partition().class_of;
                let (counted, column) = (&prepared.counted, &identifier.column);
                fewest_in_a_class(bound, counted, class_of, column, observer)?
            }
            None => None,
        };
        let repeated = RepeatedIdentifier { fewest_in_class, ..identifier.clone() };
        Ok(Warning::RepeatedIdentifier(repeated))
    };
    prepared.repeated.iter().map(warning).collect()
}

/// Publishes rows that are in a database, together with the files of the release. The directory is
/// moved into place afterward. If the process stops before that, the database contains a complete
/// release, and the next run writes the directory.
fn publish_rows(rows: Option<Box<dyn StagedRows>>, staging: &Staging) -> Result<(), Error> {
    let Some(rows) = rows.filter(|rows| rows.file().is_none()) else { return Ok(()) };
    let folder = staging.public();
    let text = |name: String| {
        let text = files::read_text(&folder.join(&name))?;
        Ok((name, text))
    };
    let texts = files::list(&folder)?.into_iter().map(text).collect::<Result<Vec<_>, Error>>()?;
    Ok(rows.publish(&texts)?)
}
