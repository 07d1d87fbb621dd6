//! The protocol that records a release and moves it into place, even if a process stops partway.
//!
//! 1. The state left behind by an interrupted run is [repaired](super::heal).
//! 2. A recoding is found and certified, and the release is written to a staging folder.
//! 3. The release is read from the staging folder and linked with all recorded releases about the
//!    same people, including pending releases.
//! 4. If the ledger has not changed since, the release is recorded as pending; otherwise step 3 is
//!    repeated.
//! 5. The release is moved into place.
//! 6. The release is marked as published.
//!
//! If the process stops before step 4, only a staging folder remains, which is never treated as a
//! release. If the process stops after step 4, a pending record remains, which is included whenever
//! a new release is checked. If two processes run concurrently, the process that records second has
//! read the record of the first.

use std::path::Path;
use std::time::Instant;

use indistinct_answers::warning::{Repair, Warning};
use indistinct_core::{CertifiedRelease, Observer, SearchEffort};
use indistinct_engine::objects::{ObjectError, is_object};
use indistinct_engine::output::{Placing, Replace, Staging, sha256_of_file};
use indistinct_engine::{EngineError, TableError};
use indistinct_ledger::{
    Access, Coarser, EarlierReleases, Ledger, Linkage, LinkageRefusal, NewRecord, Record,
};
use indistinct_linkage::as_published::{LabeledRelease, people};
use indistinct_methods::{Key, LinkedOutcome, LinkedSearch, NotFound, PreparedTable, Task};
use indistinct_release::View;
use indistinct_release::as_published::{Holder, as_published};
use indistinct_release::directory::read_certificate;

use super::{check_plan, heal, notices};
use crate::anonymize::{Infeasible, Outcome, WriteContext, describe, recovered};
use crate::error::Error;
use crate::files;
use crate::job::Job;
use crate::policy::InLedger;

/// The steps of recording a release, each named for the completed action.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Step {
    /// The state left behind by an interrupted run was repaired.
    Healed,
    /// The release is in its staging folder.
    Staged,
    /// The release was read from the staging folder and linked with the recorded releases.
    Checked,
    /// The release is recorded as pending.
    Recorded,
    /// All files of the release are flushed to disk.
    Settled,
    /// The journal is written. If the process stops after this step, recovery completes the new
    /// release.
    Journaled,
    /// A part of the release is in place.
    PartInPlace,
    /// The whole release is in place.
    InPlace,
    /// The release is marked as published.
    Published,
}

impl Step {
    /// All steps, in order.
    pub const ALL: [Step; 9] = [
        Step::Healed,
        Step::Staged,
        Step::Checked,
        Step::Recorded,
        Step::Settled,
        Step::Journaled,
        Step::PartInPlace,
        Step::InPlace,
        Step::Published,
    ];

    /// Returns the stable name of the step.
    pub fn name(self) -> &'static str {
        match self {
            Step::Healed => "healed",
            Step::Staged => "staged",
            Step::Checked => "checked",
            Step::Recorded => "recorded",
            Step::Settled => "settled",
            Step::Journaled => "journaled",
            Step::PartInPlace => "part-in-place",
            Step::InPlace => "in-place",
            Step::Published => "published",
        }
    }
}

/// Receives each completed step; used by tests that stop the process at a step.
pub trait Steps: Sync {
    /// Called after a step completes.
    fn done(&self, step: Step) {
        let _ = step;
    }
}

/// Ignores all steps.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoSteps;

impl Steps for NoSteps {}

/// Creates a release like [`anonymize`](crate::anonymize::anonymize), but links it with the
/// releases of a ledger and records it in the ledger.
///
/// If some person would fall below the minimum in `[linkage]`, the search looks for a recoding that
/// retains the minimum for everyone. If the search finds no such recoding, the answer is
/// [`Outcome::Infeasible`] with [`Infeasible::linkage`].
///
/// # Errors
/// The errors of [`anonymize`](crate::anonymize::anonymize); [`Error::Ledger`] if the ledger cannot
/// be used; [`Error::Linkage`] if the releases cannot be linked.
pub fn anonymize(
    job: &Job,
    directory: &Path,
    replace: Replace,
    ledger: &Path,
    steps: &dyn Steps,
) -> Result<Outcome, Error> {
    job.run(|observer| {
        if job.policy().recoding.method.ledger == InLedger::Refused {
            return Err(Error::PerturbedInLedger);
        }
        if job.policy().people.is_some() {
            return Err(Error::PeopleInLedger);
        }
        if job.output_table()?.is_some() {
            let what = "a release that is recorded in a ledger";
            return Err(EngineError::Table(TableError::NotServed { what }).into());
        }
        if directory.to_str().is_some_and(is_object) {
            let what = "a release that is recorded in a ledger";
            return Err(EngineError::Object(ObjectError::NotServed { what }).into());
        }
        job.check_output(None)?;
        let mut ledger = Ledger::open(ledger, Access::Write)?;
        let mut warnings = notices(&ledger);
        let healed = heal::heal(&mut ledger)?.into_iter();
        let repaired = healed.filter(|it| it.healing != Repair::InUse);
        warnings.extend(repaired.map(Warning::Repaired));
        steps.done(Step::Healed);
        let staging = Staging::create(directory, replace)?;
        warnings.extend(recovered(&staging, directory));
        let mut staging = Some(staging);
        let mut prepared = job.prepare(observer)?;
        job.check_output(Some(prepared.counted.table.n_rows()))?;
        let key = Key::new(job.policy().recoding.seed, &prepared.counted.fingerprint)?;
        let all_people =
            people(&[&prepared.counted.table]).expect("a single table has consistent columns");
        let required = job.policy().linkage.minimum.as_ref();
        let population = job.policy().linkage.population.as_deref();
        loop {
            let mut earlier = EarlierReleases::read(&ledger, population, None)?;
            let searched_against = earlier.head.clone();
            prepared = job.method().with_ledger(job.bound(), prepared, &ledger, observer)?;
            let started = Instant::now();
            let people = all_people.borrowed();
            let (method, bound) = (job.method(), job.bound());
            let (earlier_ones, people) = (&earlier, &people);
            let search =
                LinkedSearch { method, bound, key: &key, earlier: earlier_ones, people, required };
            let (proposal, effect, coarser) = match search.run(&mut prepared, started, observer)? {
                LinkedOutcome::Found { proposal, effect, coarser } => (*proposal, effect, coarser),
                LinkedOutcome::NotFound(not_found) => {
                    let task = Task { bound, prepared: &prepared, key: &key };
                    let seconds = started.elapsed().as_secs_f64();
                    let infeasible = describe::infeasible(&task, *not_found, seconds);
                    return Ok(Outcome::Infeasible(Box::new(infeasible)));
                }
                LinkedOutcome::Refused(refusal) => {
                    return Ok(refused(
                        &Task { bound: job.bound(), prepared: &prepared, key: &key },
                        refusal,
                        started,
                    ));
                }
            };
            let certified = CertifiedRelease::from_draft(
                &prepared.counted.table,
                &prepared.policy,
                &proposal.draft,
            )?;
            let staged = match staging.take() {
                Some(staging) => staging,
                None => Staging::create(directory, replace)?,
            };
            let n_tried = coarser.as_ref().map_or(1, |it| it.n_tried);
            let mut linkage = Linkage { name: None, effect, coarser };
            let seconds = started.elapsed().as_secs_f64();
            let writing =
                WriteContext { job, prepared: &prepared, key: &key, directory, replace, seconds };
            let (mut released, _) =
                writing.write(&proposal, &certified, &staged, observer, |released| {
                    released.warnings.extend(warnings.iter().cloned());
                    released.warnings.extend(linkage.coarser.as_ref().map(coarsened));
                    released.linkage = Some(linkage.clone());
                })?;
            steps.done(Step::Staged);
            let published = read_back(&staged, job, &prepared, observer)?;
            let recorded = loop {
                linkage.effect =
                    earlier.effect(&published, Some(&all_people.borrowed()), required, observer)?;
                if !linkage.effect.holds {
                    break None;
                }
                steps.done(Step::Checked);
                if observer.is_cancelled() {
                    return Err(Error::Cancelled);
                }
                let as_of = match prepared.version() {
                    // The people in each version when its classes were formed.
                    Some(_) => &searched_against,
                    None => &earlier.head,
                };
                match record(&mut ledger, job, directory, (&staged, &published), &prepared, as_of)?
                {
                    Some(record) => break Some(record),
                    None if prepared.version().is_some() => break None,
                    // Another process has written to the ledger in the meantime.
                    None => earlier = EarlierReleases::read(&ledger, population, None)?,
                }
            };
            let Some(recorded) = recorded else {
                if !linkage.effect.holds && earlier.head == searched_against {
                    let refusal = LinkageRefusal { effect: linkage.effect, n_tried };
                    return Ok(refused(
                        &Task { bound: job.bound(), prepared: &prepared, key: &key },
                        refusal,
                        started,
                    ));
                }
                // Another release that was recorded in the meantime conflicts with this one, so the
                // search is repeated.
                continue;
            };
            steps.done(Step::Recorded);
            if let Err(error) = staged.commit_hearing(&mut |step| steps.done(step.into())) {
                ledger.forget(recorded.id)?;
                return Err(error.into());
            }
            if let Err(error) = ledger.publish(recorded.id) {
                let error = error.to_string();
                released.warnings.push(Warning::NotMarkedPublished { error });
            }
            steps.done(Step::Published);
            linkage.name = Some(recorded.name);
            released.linkage = Some(linkage);
            return Ok(Outcome::Released(Box::new(released)));
        }
    })
}

fn coarsened(coarser: &Coarser) -> Warning {
    Warning::CoarsenedForLinkage {
        objective: coarser.objective.to_owned(),
        without_linkage: coarser.without,
        with_linkage: coarser.with,
        n_tried: coarser.n_tried,
    }
}

impl From<Placing> for Step {
    fn from(step: Placing) -> Self {
        match step {
            Placing::Settled => Step::Settled,
            Placing::Journaled => Step::Journaled,
            Placing::PartInPlace => Step::PartInPlace,
            Placing::InPlace => Step::InPlace,
        }
    }
}

fn refused(task: &Task<'_>, refusal: LinkageRefusal, started: Instant) -> Outcome {
    let not_found = NotFound { nearest: None, is_proved: false, effort: SearchEffort::default() };
    let seconds = started.elapsed().as_secs_f64();
    let infeasible = describe::infeasible(task, not_found, seconds);
    Outcome::Infeasible(Box::new(Infeasible { linkage: Some(refusal), ..infeasible }))
}

/// Reads the staged files as a recipient would, and adds the data holder's hierarchies.
fn read_back(
    staged: &Staging,
    job: &Job,
    prepared: &PreparedTable,
    observer: &dyn Observer,
) -> Result<LabeledRelease, Error> {
    let view = View::read_with(&[job.method().kind()], &staged.public(), observer)?;
    let hierarchies = Some(prepared.policy.hierarchies.clone());
    let holder = Holder { rules: job.bound().rules.clone(), hierarchies };
    Ok(as_published(&view, Some(&holder)))
}

/// Records a staged release as pending, unless the ledger has changed.
fn record(
    ledger: &mut Ledger,
    job: &Job,
    directory: &Path,
    (staged, published): (&Staging, &LabeledRelease),
    prepared: &PreparedTable,
    as_of: &str,
) -> Result<Option<Record>, Error> {
    let certificate = staged.public().join(files::CERTIFICATE);
    let certificate_sha256 =
        sha256_of_file(&certificate).map_err(|error| Error::io(&certificate, &error))?;
    let stated = read_certificate(&staged.public())?;
    let policy = files::read_text(&staged.public().join(files::POLICY))?;
    let place = std::path::absolute(directory).map_err(|error| Error::io(directory, &error))?;
    let linkage = &job.policy().linkage;
    let name = directory.file_name().unwrap_or_default().to_string_lossy();
    let new = NewRecord {
        name: &name,
        population: linkage.population.as_deref(),
        series: linkage.series.as_deref(),
        version: prepared.version(),
        directory: &place.to_string_lossy(),
        certificate_sha256: &certificate_sha256,
        files: &stated.claims.sha256,
        policy: &policy,
        as_published: published,
    };
    let entry = ledger.begin()?;
    if entry.head()? != as_of {
        return Ok(None);
    }
    check_plan(&staged.public(), new.files, &entry.releases()?)?;
    let record = entry.record(&new)?;
    job.method().record(prepared, &entry, record.id)?;
    entry.commit()?;
    Ok(Some(record))
}
