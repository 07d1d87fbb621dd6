//! A release directory, read back for those who ask what it lost and what an attacker gets out of it.
//!
//! It is *not* verified here: that is what `verify` is for. [`Opened::beside`] lays the original beside it, which takes the
//! holder's policy: the copy in the private part, or one that is named.

mod holder;
mod links;
mod problem;
#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};

use indistinct_core::model::CountedColumn;
use indistinct_core::published::{self, Attachment, Beside, Published, PublishedSecret};
use indistinct_core::{Cell, FrequencyTable, Hierarchy, Observer, Role, parse_decimal};
use indistinct_engine::output::private_dir;
use indistinct_release::ReleaseError;
use indistinct_release::certificate::Certificate;
use indistinct_release::certificate::about::PERTURBATION;

use crate::error::Error;
use crate::job::Job;
use crate::perturbation::Noise;
use crate::plan::PlanFile;
use crate::planned::Followed;
use crate::policy::{Form, PolicyFile};
use crate::requirements::taxonomy;
use crate::verify::rows::{ByClass, Rows};
use crate::verify::{names, read_certificate, read_policy};
use crate::{files, invariant, planned, rules};

pub(crate) use holder::write_copy;
pub use problem::NotTogether;

/// A release directory, read back.
#[derive(Debug)]
pub(crate) struct Opened {
    pub(crate) directory: PathBuf,
    pub(crate) certificate: Certificate,
    pub(crate) policy: PolicyFile,
    pub(crate) published: Published,
    /// The plan that the release is by, where it is by one.
    pub(crate) followed: Option<Followed>,
}

/// The table that a release was made of.
pub(crate) struct Original {
    pub(crate) table: FrequencyTable,
    /// The hierarchies of the quasi-identifiers, laid over it.
    pub(crate) hierarchies: Vec<Hierarchy>,
    /// For each quasi-identifier and released label what it covers of the table.
    pub(crate) cells: Vec<Vec<Cell>>,
}

impl Opened {
    /// Reads a release directory.
    ///
    /// # Errors
    /// [`Error`] if it is none, or something of it cannot be read.
    pub(crate) fn read(directory: &Path, observer: &dyn Observer) -> Result<Self, Error> {
        let certificate = read_certificate(directory)?;
        let policy = read_policy(directory)
            .map_err(|reason| Error::ReleasedPolicy { path: directory.to_owned(), reason })?;
        let rows = Rows::read(directory, &certificate, &policy, observer)?;
        let attachment = attachment(directory, &policy, &certificate)?;
        let numbers = match &rows.classes {
            ByClass::Column(with_class) => {
                let class = with_class.quasi_identifiers().last();
                class.map_or(Vec::new(), |class| class.dictionary.values().to_vec())
            }
            ByClass::Labels | ByClass::Tables { .. } => Vec::new(),
        };
        let mut published = published(rows, directory, attachment);
        for (name, rule) in rules::taxonomies_of_policy(&policy, directory)? {
            for secret in published.secrets.iter_mut().filter(|secret| secret.name == name) {
                let (name, dictionary) = (secret.name.clone(), secret.dictionary.clone());
                let column = CountedColumn { name, dictionary, codes: Vec::new() };
                secret.taxonomy = taxonomy(&policy, &rule, &column)
                    .map_err(|problem| Error::Hierarchies(vec![problem]))?;
            }
        }
        let followed = match policy.recoding.method.form == Form::Planned {
            false => None,
            true => {
                let plan = PlanFile::read(&directory.join(files::PLAN))?;
                let followed = Followed::of(&policy, plan, &numbers, &published.secrets);
                Some(followed.ok_or_else(|| Error::ReleasedPolicy {
                    path: directory.to_owned(),
                    reason: "its classes or secrets are not those of its plan".to_owned(),
                })?)
            }
        };
        Ok(Self { directory: directory.to_owned(), certificate, policy, published, followed })
    }

    /// The private part, where it is there.
    pub(crate) fn private(&self) -> Option<PathBuf> {
        private_dir(&self.directory).ok().filter(|path| path.is_dir())
    }

    /// The policy that the release was made with: the one named, or the copy in the private part.
    pub(crate) fn holders_policy(&self, named: Option<&Path>) -> Result<PathBuf, Error> {
        let copy = || self.private().map(|folder| folder.join(files::POLICY));
        named
            .map(Path::to_owned)
            .or_else(|| copy().filter(|path| path.exists()))
            .ok_or_else(|| Error::NoHoldersPolicy { path: self.directory.clone() })
    }

    /// Reads the original of the release.
    ///
    /// # Errors
    /// [`Error::NotTogether`] if it is not the original of this release; or why it cannot be read.
    pub(crate) fn original(
        &self,
        original: &Path,
        policy: Option<&Path>,
        observer: &dyn Observer,
    ) -> Result<Original, Error> {
        let job = Job::open(&self.holders_policy(policy)?, Some(original))?;
        self.check_policy(&job)?;
        let counted = job.count(observer)?;
        if let Some(folder) = &self.private() {
            self.check_digest(folder, &counted.fingerprint.sha256)?;
        }
        let table = match job.plan() {
            Some(plan) => planned::lay(plan, &counted.table, job.input())?,
            None => counted.table,
        };
        let n_released = self.published.rows.n_rows();
        if n_released > table.n_rows() + invariant::stated_counterfeits(&self.certificate) {
            let n_original = table.n_rows();
            return Err(NotTogether::MoreRows { n_released, n_original }.into());
        }
        let hierarchies = job.hierarchies(&table)?;
        let cells = published::cells(&self.published.rows, &hierarchies, &table).map_err(
            |(attribute, n_labels)| {
                let column = table.quasi_identifiers()[attribute].name.clone();
                NotTogether::Labels { column, n_labels }
            },
        )?;
        Ok(Original { table, hierarchies, cells })
    }

    /// Lays the original beside the release.
    ///
    /// # Errors
    /// [`Error::NotTogether`] if it is not the original of this release; or why it cannot be read.
    pub(crate) fn beside(
        self,
        original: &Path,
        policy: Option<&Path>,
        observer: &dyn Observer,
    ) -> Result<(Self, Beside), Error> {
        let Original { table: original, hierarchies, cells } =
            self.original(original, policy, observer)?;
        let private = self.private();
        let listed = private.as_ref().map(|it| it.join(files::MAPPING).join(files::COUNTERFEITS));
        let (original, n_unknown) = match listed.filter(|path| path.exists()) {
            Some(path) => {
                let problem = NotTogether::Mapping { line: 1, whom: "no row of the table" };
                (invariant::with_counterfeits(&path, &original).ok_or(problem)?, 0)
            }
            None => (original, invariant::stated_counterfeits(&self.certificate)),
        };
        let mapping = private.map(|folder| folder.join(files::MAPPING).join(files::TUPLES));
        let links = match mapping.filter(|path| path.exists()) {
            Some(path) => Some(links::of_mapping(&path, &self.published, &original)?),
            None => links::of_labels(&self.published, &original, &hierarchies, &cells),
        };
        let n_outside = match &links {
            Some(links) => links::n_dropped(links),
            None => links::n_outside(&self.published, &original, &hierarchies, &cells),
        };
        let n_released = self.published.rows.n_rows();
        let n_dropped = (original.n_rows() + n_unknown).saturating_sub(n_released);
        if n_outside > n_dropped {
            return Err(NotTogether::Outside { n_rows: n_outside, n_dropped }.into());
        }
        let published = self.published.clone();
        Ok((self, Beside { published, original, hierarchies, cells, links }))
    }

    /// The columns of the release and those of the holder's policy are the same.
    fn check_policy(&self, job: &Job) -> Result<(), Error> {
        for role in [Role::QuasiIdentifier, Role::Sensitive] {
            let (released, original) = (names(&self.policy, role), job.names(role));
            if released != original {
                return Err(NotTogether::Columns { role: role.name() }.into());
            }
        }
        Ok(())
    }

    fn check_digest(&self, private: &Path, found: &str) -> Result<(), Error> {
        let path = private.join(files::INPUT);
        let Ok(text) = files::read_text(&path) else { return Ok(()) };
        let input: serde_json::Value = serde_json::from_str(&text)
            .map_err(|_| ReleaseError::Io { path, reason: "not valid JSON".to_owned() })?;
        match input["sha256"].as_str() {
            Some(digest) if digest != found => Err(NotTogether::Digest.into()),
            _ => Ok(()),
        }
    }
}

/// What everybody sees of the released rows.
fn published(rows: Rows, directory: &Path, attachment: Attachment) -> Published {
    let covered = covered(directory, &rows.by_labels);
    match rows.classes {
        ByClass::Labels => {
            let class_of = Published::classes_by_labels(&rows.by_labels);
            Published::of_rows(rows.by_labels, class_of, covered, attachment)
        }
        ByClass::Column(with_class) => {
            let (rows, class) = with_class.class_behind_secrets().split_off_sensitive();
            Published::of_rows(rows, class.codes, covered, attachment)
        }
        ByClass::Tables { joined, people } => {
            let (rows, class) = people.class_behind_secrets().split_off_sensitive();
            let lines = joined.by_class();
            // Classes are numbered from 1 in both tables, so that their codes are the same.
            let of_line = &lines.quasi_identifiers()[0].codes;
            let secret = PublishedSecret::of(&lines.sensitive()[0], lines.counts(), of_line);
            let published = Published::of_rows(rows, class.codes, covered, Attachment::ToClasses);
            Published { secrets: vec![secret], ..published }
        }
    }
}

/// For each quasi-identifier and label what the published hierarchies say that it covers.
fn covered(directory: &Path, rows: &FrequencyTable) -> Vec<Vec<Option<u64>>> {
    let of_column = |name: &str, labels: &[String]| {
        let text = files::read_text(&directory.join(files::hierarchy(name))).unwrap_or_default();
        let known = files::first_two_columns(&text);
        let covered = |label: &String| known.get(label)?.parse().ok();
        labels.iter().map(covered).collect()
    };
    let columns = rows.quasi_identifiers().iter();
    columns.map(|column| of_column(&column.name, column.dictionary.values())).collect()
}

fn attachment(
    directory: &Path,
    policy: &PolicyFile,
    certificate: &Certificate,
) -> Result<Attachment, Error> {
    if policy.recoding.method.form != Form::Noisy {
        return Ok(Attachment::ToRows);
    }
    let value = certificate.figures(PERTURBATION).cloned().unwrap_or_default();
    let noise = serde_json::from_value::<Noise>(value).ok();
    let noise = noise.and_then(|noise| {
        let p = parse_decimal(&noise.p.to_string()).ok()?;
        let grid = policy.recoding.domain.as_ref().map(|domain| domain.grid.clone());
        Some(Attachment::Perturbed { p, n_domain_values: noise.n_domain_values, grid })
    });
    noise.ok_or_else(|| Error::ReleasedPolicy {
        path: directory.to_owned(),
        reason: "the statement on the perturbation lacks figures".to_owned(),
    })
}
