//! A ledger takes part in a run: it records the release and moves it into place, even if the
//! process stops partway.
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

use std::path::{Path, PathBuf};
use std::time::Instant;

use indistinct_core::Observer;
use indistinct_diagnostics::warning::{Repair, Warning};
use indistinct_engine::objects::{ObjectError, is_object};
use indistinct_engine::output::{Placing, Staging, sha256_of_file};
use indistinct_engine::{EngineError, TableError};
use indistinct_ledger::{
    Access, EarlierReleases, Ledger, LinkageRefusal, NewRecord, Record, ReleaseId,
};
use indistinct_linkage::as_published::{LabeledRelease, MergedPeople, people};
use indistinct_linkage::post_linkage::RemainingRequirement;
use indistinct_methods::{LinkedOutcome, LinkedSearch};
use indistinct_release::View;
use indistinct_release::as_published::{Holder, as_published};
use indistinct_release::directory::read_certificate;

use super::{check_plan, heal, notices};
use crate::anonymize::WrittenRelease;
use crate::error::Error;
use crate::files;
use crate::job::{Job, Prepared};
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

/// A ledger that is used by a run, or by a request about the release that a run would create.
pub(crate) struct Participant<'a> {
    ledger: Ledger,
    directory: PathBuf,
    population: Option<String>,
    required: Option<RemainingRequirement>,
    at: &'a (dyn Fn(Step) + Sync),
    /// Warnings about the ledger file and about interrupted runs.
    pub(crate) warnings: Vec<Warning>,
    /// The people of the counted table, determined before the first search.
    people: Option<MergedPeople>,
    /// The recorded releases, as read last.
    earlier: EarlierReleases,
    /// The state of the ledger when the last search started.
    searched_against: String,
}

/// The result of recording a release.
pub(crate) enum Recording {
    /// The release is recorded as pending.
    Recorded(ReleaseId),
    /// Linking the release with the recorded releases would reduce a person's remaining values
    /// below the required minimum.
    Refused(Box<LinkageRefusal>),
    /// Another release was recorded in the meantime, so the search must be repeated.
    Superseded,
}

impl<'a> Participant<'a> {
    /// Opens a ledger for a run and repairs the state left behind by interrupted runs.
    pub(crate) fn of_run(
        job: &Job,
        directory: &Path,
        ledger: &Path,
        at: &'a (dyn Fn(Step) + Sync),
    ) -> Result<Self, Error> {
        if job.policy().people.is_some() {
            return Err(Error::PeopleInLedger);
        }
        let what = "a release that is recorded in a ledger";
        if job.output_table()?.is_some() {
            return Err(EngineError::Table(TableError::NotServed { what }).into());
        }
        if directory.to_str().is_some_and(is_object) {
            return Err(EngineError::Object(ObjectError::NotServed { what }).into());
        }
        let linkage = &job.policy().linkage;
        let (population, required) = (linkage.population.clone(), linkage.minimum);
        let mut opened = Self::open(job, ledger, Access::Write, population, required, at)?;
        opened.directory = directory.to_owned();
        opened.warnings = notices(&opened.ledger);
        let healed = heal::heal(&mut opened.ledger)?.into_iter();
        let repaired = healed.filter(|it| it.healing != Repair::InUse);
        opened.warnings.extend(repaired.map(Warning::Repaired));
        at(Step::Healed);
        Ok(opened)
    }

    /// Opens a ledger with a population and a minimum, which may differ from those of the policy.
    pub(super) fn open(
        job: &Job,
        ledger: &Path,
        access: Access,
        population: Option<String>,
        required: Option<RemainingRequirement>,
        at: &'a (dyn Fn(Step) + Sync),
    ) -> Result<Self, Error> {
        if job.policy().recoding.method.ledger == InLedger::Refused {
            return Err(Error::PerturbedInLedger);
        }
        Ok(Self {
            ledger: Ledger::open(ledger, access)?,
            directory: PathBuf::new(),
            population,
            required,
            at,
            warnings: Vec::new(),
            people: None,
            earlier: EarlierReleases::default(),
            searched_against: String::new(),
        })
    }

    /// Runs the search with the recorded releases. If the proposal is for a different table, this
    /// table replaces the counted table.
    pub(crate) fn propose(
        &mut self,
        job: &Job,
        prepared: &mut Prepared,
        observer: &dyn Observer,
    ) -> Result<LinkedOutcome, Error> {
        let Prepared { table, key } = prepared;
        let all_people = self.people.get_or_insert_with(|| {
            people(&[&table.counted.table]).expect("a single table has consistent columns")
        });
        self.earlier = EarlierReleases::read(&self.ledger, self.population.as_deref(), None)?;
        self.searched_against.clone_from(&self.earlier.head);
        job.method().with_ledger(job.bound(), table, &self.ledger, observer)?;
        let search = LinkedSearch {
            method: job.method(),
            bound: job.bound(),
            key,
            earlier: &self.earlier,
            people: &all_people.borrowed(),
            required: self.required.as_ref(),
        };
        Ok(search.run(table, Instant::now(), observer)?)
    }

    /// Links a staged release with all recorded releases about the same people, and records it as
    /// pending.
    pub(crate) fn record(
        &mut self,
        job: &Job,
        prepared: &Prepared,
        staging: &Staging,
        released: &mut WrittenRelease,
        observer: &dyn Observer,
    ) -> Result<Recording, Error> {
        (self.at)(Step::Staged);
        let published = read_back(job, prepared, staging, observer)?;
        let version = prepared.table.version();
        let people = self.people.as_ref().map(MergedPeople::borrowed);
        let linkage = released.linkage.as_mut().expect("the search took the ledger into account");
        loop {
            let (people, required) = (people.as_ref(), self.required.as_ref());
            linkage.effect = self.earlier.effect(&published, people, required, observer)?;
            if !linkage.effect.holds {
                if self.earlier.head != self.searched_against {
                    return Ok(Recording::Superseded);
                }
                let n_tried = linkage.coarser.as_ref().map_or(1, |it| it.n_tried);
                let effect = linkage.effect.clone();
                return Ok(Recording::Refused(Box::new(LinkageRefusal { effect, n_tried })));
            }
            (self.at)(Step::Checked);
            if observer.is_cancelled() {
                return Err(Error::Cancelled);
            }
            let as_of = match version {
                // The people in each version when its classes were formed.
                Some(_) => &self.searched_against,
                None => &self.earlier.head,
            };
            match insert(
                &mut self.ledger,
                job,
                &self.directory,
                (staging, &published),
                prepared,
                as_of,
            )? {
                Some(record) => {
                    (self.at)(Step::Recorded);
                    linkage.name = Some(record.name);
                    return Ok(Recording::Recorded(record.id));
                }
                None if version.is_some() => return Ok(Recording::Superseded),
                // Another process has written to the ledger in the meantime.
                None => {
                    let population = self.population.as_deref();
                    self.earlier = EarlierReleases::read(&self.ledger, population, None)?;
                }
            }
        }
    }

    /// Moves a recorded release into place and marks it as published. Returns a warning if the
    /// release cannot be marked.
    pub(crate) fn commit(
        &mut self,
        id: ReleaseId,
        staging: Staging,
    ) -> Result<Option<Warning>, Error> {
        if let Err(error) = staging.commit_hearing(&mut |step| (self.at)(step.into())) {
            self.ledger.forget(id)?;
            return Err(error.into());
        }
        let marked = self.ledger.publish(id);
        (self.at)(Step::Published);
        Ok(marked.err().map(|error| Warning::NotMarkedPublished { error: error.to_string() }))
    }
}

/// Reads the staged files as a recipient would, and adds the data holder's hierarchies.
fn read_back(
    job: &Job,
    prepared: &Prepared,
    staging: &Staging,
    observer: &dyn Observer,
) -> Result<LabeledRelease, Error> {
    let view = View::read_with(&[job.method().kind()], &staging.public(), observer)?;
    let hierarchies = Some(prepared.table.policy.hierarchies.clone());
    let holder = Holder { rules: job.bound().rules.clone(), hierarchies };
    Ok(as_published(&view, Some(&holder)))
}

/// Records a staged release as pending, unless the ledger has changed.
fn insert(
    ledger: &mut Ledger,
    job: &Job,
    directory: &Path,
    (staging, published): (&Staging, &LabeledRelease),
    prepared: &Prepared,
    as_of: &str,
) -> Result<Option<Record>, Error> {
    let certificate = staging.public().join(files::CERTIFICATE);
    let certificate_sha256 =
        sha256_of_file(&certificate).map_err(|error| Error::io(&certificate, &error))?;
    let stated = read_certificate(&staging.public())?;
    let policy = files::read_text(&staging.public().join(files::POLICY))?;
    let location = std::path::absolute(directory).map_err(|error| Error::io(directory, &error))?;
    let linkage = &job.policy().linkage;
    let name = directory.file_name().unwrap_or_default().to_string_lossy();
    let new = NewRecord {
        name: &name,
        population: linkage.population.as_deref(),
        series: linkage.series.as_deref(),
        version: prepared.table.version(),
        directory: &location.to_string_lossy(),
        certificate_sha256: &certificate_sha256,
        files: &stated.claims.sha256,
        policy: &policy,
        as_published: published,
    };
    let entry = ledger.begin()?;
    if entry.head()? != as_of {
        return Ok(None);
    }
    check_plan(&staging.public(), new.files, &entry.releases()?)?;
    let record = entry.record(&new)?;
    job.method().record(&prepared.table, &entry, record.id)?;
    entry.commit()?;
    Ok(Some(record))
}
