//! Records releases that were created without the ledger, and links them with the releases recorded
//! earlier.

use std::path::{Path, PathBuf};
use std::time::Instant;

use indistinct_answers::ledger::CheckedLinkage;
use indistinct_engine::output::sha256_of_file;
use indistinct_ledger::{
    Access, EarlierReleases, Ledger, LedgerError, LinkageRefusal, NewRecord, Record,
};
use indistinct_linkage::as_published::people;
use indistinct_linkage::post_linkage::RemainingRequirement;
use indistinct_methods::LinkedOutcome;
use indistinct_release::directory::{policy_of, read_certificate};
use indistinct_release::linked::{OpenedRelease, view_of};
use indistinct_release::{Original, ReleaseError, View};

use super::participant::Participant;
use super::{check_plan, heal};
use crate::anonymize::describe;
use crate::error::Error;
use crate::files;
use crate::job::{Job, Prepared};
use crate::original::original as read_original;
use crate::policy::{self, LinkageSection, PolicyFile, Purpose};
use crate::session::Session;
use crate::verify::verify;

/// Options for recording a release that was created without the ledger.
#[derive(Debug, Clone, Default)]
pub struct AddOptions {
    /// The name of the record; by default, the name of the release directory.
    pub name: Option<String>,
    /// The population of the release; by default, the population in its policy.
    pub population: Option<String>,
}

/// Records an existing release if it matches its certificate.
///
/// # Errors
/// [`Error::NotVerified`] if the release does not match its certificate; [`Error::Ledger`] if the
/// ledger cannot be written or already contains the release; another [`Error`] if the release
/// cannot be read.
pub fn add(
    session: &Session,
    path: &Path,
    directory: &Path,
    adding: &AddOptions,
) -> Result<Record, Error> {
    session.run(|observer| {
        let methods = session.methods();
        let mut ledger = Ledger::open(path, Access::Write)?;
        heal::heal(&mut ledger)?;
        if !verify(session, directory, None)?.holds {
            return Err(Error::NotVerified { path: directory.to_owned() });
        }
        let release = OpenedRelease::new(view_of(&methods.kinds(), directory, observer)?, None)?;
        let certificate_sha256 = certificate_sha256(directory)?;
        let linkage = linkage_of(&methods.kinds(), directory)?;
        let place = std::path::absolute(directory).map_err(|error| Error::io(directory, &error))?;
        let own_name = place.file_name().unwrap_or_default().to_string_lossy();
        let name = adding.name.as_deref().unwrap_or(&own_name);
        let new = NewRecord {
            name,
            population: adding.population.as_deref().or(linkage.population.as_deref()),
            series: linkage.series.as_deref(),
            version: None,
            directory: &place.to_string_lossy(),
            certificate_sha256: &certificate_sha256,
            files: &read_certificate(directory)?.claims.sha256,
            policy: &files::read_text(&directory.join(files::POLICY))?,
            as_published: &release.as_published,
        };
        let entry = ledger.begin()?;
        let known = entry.releases()?;
        if let Some(same) = known.iter().find(|it| it.certificate_sha256 == certificate_sha256) {
            return Err(LedgerError::Recorded(same.name.clone()).into());
        }
        if adding.name.is_some() && known.iter().any(|it| it.name == name) {
            return Err(LedgerError::NameTaken(name.to_owned()).into());
        }
        check_plan(directory, new.files, &known)?;
        let record = entry.record(&new)?;
        entry.publish(record.id)?;
        entry.commit()?;
        Ok(ledger.release(&record.name)?)
    })
}

/// Options for checking a release or a policy against the recorded releases.
#[derive(Debug, Clone, Default)]
pub struct CheckOptions {
    /// The required minimum of remaining values for each person; by default,
    /// the minimum in the policy.
    pub minimum: Option<RemainingRequirement>,
    /// The original table of the release; by default, the table named in its private directory, if
    /// that table exists.
    pub original: Option<PathBuf>,
    /// The population of the release; by default, the population in the policy.
    pub population: Option<String>,
}

/// Links a release with the recorded releases.
///
/// # Errors
/// [`Error`] if the ledger or the release cannot be read, or if the releases cannot be linked.
pub fn check_release(
    session: &Session,
    path: &Path,
    directory: &Path,
    checking: &CheckOptions,
) -> Result<CheckedLinkage, Error> {
    session.run(|observer| {
        let methods = session.methods();
        let ledger = Ledger::open(path, Access::Read)?;
        let linkage = linkage_of(&methods.kinds(), directory)?;
        let view = view_of(&methods.kinds(), directory, observer)?;
        let original = match &checking.original {
            Some(path) => Some(read_original(session, &view, path.into(), None)?),
            None => own_original(session, &view)?,
        };
        let release = OpenedRelease::new(view, original)?;
        let own = certificate_sha256(directory)?;
        let recorded = ledger.releases()?.into_iter().find(|it| it.certificate_sha256 == own);
        let of_record = recorded.as_ref().and_then(|it| it.population.clone());
        let population = checking.population.clone().or(of_record).or(linkage.population);
        let required = checking.minimum.or(linkage.minimum);
        let earlier = EarlierReleases::read(&ledger, population.as_deref(), Some(&own))?;
        let table = release.original.as_ref();
        let all_people = table.and_then(|table| people(&[table]));
        let known = all_people.as_ref().map(|it| it.borrowed());
        let effect =
            earlier.effect(&release.as_published, known.as_ref(), required.as_ref(), observer)?;
        let versions = match recorded.as_ref().and_then(|it| it.series.as_deref()) {
            Some(series) => {
                let method = policy_of(&methods.kinds(), directory)?.recoding.method;
                methods.of_kind(method).check_series(&ledger, series)?
            }
            None => None,
        };
        Ok(CheckedLinkage {
            holds: effect.holds && versions.as_ref().is_none_or(|it| it.holds),
            versions,
            recorded_as: recorded.map(|it| it.name),
            effect: Some(effect),
            coarser: None,
            infeasible: None,
            n_tried: None,
        })
    })
}

/// Determines how `anonymize` would handle a policy with the ledger, without writing any files.
///
/// # Errors
/// [`Error`] if the ledger or the table cannot be read, or if the releases cannot be linked.
pub fn check_policy(
    path: &Path,
    job: &Job,
    checking: &CheckOptions,
) -> Result<CheckedLinkage, Error> {
    job.run(|observer| {
        let linkage = &job.policy().linkage;
        let population = checking.population.clone().or_else(|| linkage.population.clone());
        let required = checking.minimum.or(linkage.minimum);
        let mut ledger = Participant::open(job, path, Access::Read, population, required, &|_| {})?;
        let mut prepared = Prepared::new(job, job.prepare(observer)?)?;
        let started = Instant::now();
        let mut checked = CheckedLinkage {
            holds: false,
            versions: None,
            recorded_as: None,
            effect: None,
            coarser: None,
            infeasible: None,
            n_tried: None,
        };
        match ledger.propose(job, &mut prepared, observer)? {
            LinkedOutcome::Found { effect, coarser, .. } => {
                checked.holds = true;
                (checked.effect, checked.coarser) = (Some(effect), coarser);
            }
            LinkedOutcome::NotFound(not_found) => {
                let seconds = started.elapsed().as_secs_f64();
                let infeasible = describe::infeasible(&prepared.task(job), *not_found, seconds);
                checked.infeasible = Some(Box::new(infeasible));
            }
            LinkedOutcome::Refused(LinkageRefusal { effect, n_tried }) => {
                (checked.effect, checked.n_tried) = (Some(effect), Some(n_tried));
            }
        }
        Ok(checked)
    })
}

fn certificate_sha256(directory: &Path) -> Result<String, Error> {
    let path = directory.join(files::CERTIFICATE);
    sha256_of_file(&path).map_err(|error| Error::io(&path, &error))
}

/// Returns the policy's settings for linkage from the data holder's copy if it exists, otherwise
/// from the released policy, which contains only the minimum.
fn linkage_of(methods: &[policy::Method], directory: &Path) -> Result<LinkageSection, Error> {
    // An error is reported if the directory is not a release.
    read_certificate(directory)?;
    let released = policy_of(methods, directory)?;
    let private = indistinct_engine::output::private_dir(directory)?.join(files::POLICY);
    let Ok(text) = files::read_text(&private) else { return Ok(released.linkage) };
    let name = private.display().to_string();
    Ok(PolicyFile::parse_with(methods, Purpose::Check, &text, &name)?.linkage)
}

/// Returns the table that the private directory of a release names, if both exist and the table has
/// not changed since.
fn own_original(session: &Session, view: &View) -> Result<Option<Original>, Error> {
    let noted = view.noted().ok().flatten();
    let named = noted.and_then(|input| Some(PathBuf::from(input["location"].as_str()?)));
    let Some(path) = named.filter(|path| path.exists()) else { return Ok(None) };
    match read_original(session, view, path.as_path().into(), None) {
        // The table has changed since the release, so the people in the release are unknown.
        Err(Error::Release(ReleaseError::NotTogether(_))) => Ok(None),
        other => other.map(Some),
    }
}
