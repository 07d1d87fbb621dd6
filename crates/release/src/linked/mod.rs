//! Linkage of release directories, which simulates an adversary who has several releases about
//! overlapping groups of people.
//!
//! Each directory is read as its published view ([`as_published`](crate::as_published)). The
//! computation is in [`indistinct_linkage::post_linkage`]. This module does not verify releases;
//! see [`verify`](crate::verify).

mod answer;
mod problem;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use indistinct_core::{FrequencyTable, Observer, Rational, parse_decimal};
use indistinct_diagnostics::Values;
use indistinct_linkage::LinkageError;
use indistinct_linkage::as_published::{
    Common, LabeledRelease, MergedPeople, common, one_person, people,
};
use indistinct_linkage::post_linkage::{Measure, Options, RemainingRequirement};
use indistinct_policy::Method;

use crate::as_published::{Holder, as_published};
use crate::certificate::Certificate;
use crate::forms::FollowedPlan;
use crate::{HoldersPolicy, Original, ReleaseError, View};

pub use answer::{
    LinkAnswer, LinkedRelease, LinkedSensitive, NotUnderstood, ReadBy, Remain, Who, Worst,
    WorstRelease,
};
pub use indistinct_linkage::post_linkage::Combinations;
pub use problem::LinkProblem;

/// A request to `link`.
#[derive(Debug, Clone, Default)]
pub struct LinkRequest {
    /// The original tables of the releases. If any are given, only the people in these tables are
    /// linked.
    pub originals: Vec<OriginalOf>,
    /// The quasi-identifiers of the only person to consider, by column.
    pub person: Option<BTreeMap<String, String>>,
    /// The sensitive attribute to consider; `None` to consider all common sensitive attributes.
    pub sensitive: Option<String>,
    /// The minimum remaining uncertainty for every person.
    pub minimum: Option<RemainingRequirement>,
    /// The number of worst combinations to list for each sensitive attribute; 10 if `None`.
    pub n_worst: Option<usize>,
    /// Whether combinations are included in the answer.
    pub values: Values,
}

/// The original table of a release.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OriginalOf {
    /// The index of the release in the list of directories.
    pub release: usize,
    /// The path of the table.
    pub data: PathBuf,
}

impl OriginalOf {
    /// Parses arguments such as `release-1=table.csv`. Arguments without a directory are matched
    /// with the directories in order.
    ///
    /// # Errors
    /// [`LinkProblem::TooManyOriginals`] if no directory is left for an argument.
    pub fn of_texts(texts: &[String], directories: &[PathBuf]) -> Result<Vec<Self>, LinkProblem> {
        let named = |text: &str| {
            directories.iter().enumerate().find_map(|(release, directory)| {
                let data = text.strip_prefix(directory.to_str()?)?.strip_prefix('=')?;
                Some(Self { release, data: PathBuf::from(data) })
            })
        };
        let (n_originals, n_directories) = (texts.len(), directories.len());
        let mut found: Vec<Self> = Vec::with_capacity(n_originals);
        for text in texts {
            let original = named(text).or_else(|| {
                let is_free = |release: &usize| found.iter().all(|it| it.release != *release);
                let release = (0..n_directories).find(is_free)?;
                Some(Self { release, data: PathBuf::from(text) })
            });
            found.push(
                original.ok_or(LinkProblem::TooManyOriginals { n_originals, n_directories })?,
            );
        }
        Ok(found)
    }
}

/// Parses a quasi-identifier of a person, such as `age=34`.
///
/// # Errors
/// [`LinkProblem::NotAQuasiIdentifier`] if the text has a different format.
pub fn parse_quasi_identifier(text: &str) -> Result<(String, String), LinkProblem> {
    let (column, value) = text.split_once('=').ok_or(LinkProblem::NotAQuasiIdentifier)?;
    Ok((column.to_owned(), value.to_owned()))
}

/// Parses the minimum remaining uncertainty for every person: `l=3` or `l=2.5,measure=entropy`.
///
/// # Errors
/// [`LinkProblem::NotAMinimum`] if the text has a different format.
pub fn parse_minimum(text: &str) -> Result<RemainingRequirement, LinkProblem> {
    let wrong = || LinkProblem::NotAMinimum { got: text.to_owned() };
    let (mut l, mut measure) = (None, None);
    for part in text.split(',') {
        let (key, value) = part.trim().split_once('=').ok_or_else(wrong)?;
        match key {
            "l" if l.is_none() => l = Some(parse_decimal(value).map_err(|_| wrong())?),
            "measure" if measure.is_none() => {
                measure = Some(Measure::named(value).ok_or_else(wrong)?);
            }
            _ => return Err(wrong()),
        }
    }
    let l = l.filter(|l| *l >= Rational::from_integer(1)).ok_or_else(wrong)?;
    Ok(RemainingRequirement { measure: measure.unwrap_or(Measure::Distinct), l })
}

/// Links opened releases. Each release is paired with the directory at the same index.
///
/// # Errors
/// Returns [`ReleaseError`] if the releases are incompatible or the observer cancels the operation.
pub fn link(
    directories: &[PathBuf],
    read: &[OpenedRelease],
    request: &LinkRequest,
    observer: &dyn Observer,
) -> Result<LinkAnswer, ReleaseError> {
    let originals: Vec<&FrequencyTable> =
        read.iter().filter_map(|it| it.original.as_ref()).collect();
    let people = request.person.as_ref().map(one_person).or_else(|| people(&originals));
    let published: Vec<&LabeledRelease> = read.iter().map(|it| &it.as_published).collect();
    let people = people.as_ref().map(MergedPeople::borrowed);
    let common = common(&published, people.as_ref()).map_err(|error| named(error, directories))?;
    if let Some(person) = &request.person {
        check_person(person, &common)?;
    }
    let common = of_sensitive(common, request.sensitive.as_deref())?;
    if observer.is_cancelled() {
        return Err(ReleaseError::Cancelled);
    }
    let options = Options {
        required: request.minimum,
        n_worst: match request.values {
            Values::Shown => request.n_worst.unwrap_or(10),
            Values::Hidden => 0,
        },
        observer,
        ..Options::default()
    };
    let linked = match common.link(&options) {
        Err(LinkageError::Cancelled) => return Err(ReleaseError::Cancelled),
        linked => linked.map_err(LinkProblem::from)?,
    };
    Ok(answer::answer(directories, read, &common, &linked, request))
}

/// A release with the information required for linkage.
pub struct OpenedRelease {
    /// The published view of the release.
    pub as_published: LabeledRelease,
    /// The original table, if available.
    pub original: Option<FrequencyTable>,
    read_by: ReadBy,
    certificate: Certificate,
    /// The plan of the release, if any.
    followed: Option<FollowedPlan>,
}

/// Checks that at least two directories are given, without duplicates.
///
/// # Errors
/// [`LinkProblem`] if there are too few directories or duplicates.
pub fn check_directories(directories: &[PathBuf]) -> Result<(), LinkProblem> {
    if directories.len() < 2 {
        return Err(LinkProblem::TooFew { got: directories.len() });
    }
    let whole = |path: &PathBuf| path.canonicalize().unwrap_or_else(|_| path.clone());
    let paths: Vec<PathBuf> = directories.iter().map(whole).collect();
    match (1..paths.len()).find(|&at| paths[..at].contains(&paths[at])) {
        Some(at) => Err(LinkProblem::SameDirectory { path: directories[at].clone() }),
        None => Ok(()),
    }
}

impl OpenedRelease {
    /// Prepares a release for linkage, together with the original table if available.
    ///
    /// # Errors
    /// Returns [`ReleaseError`] if the data holder's policy exists but cannot be read.
    pub fn new(view: View, original: Option<Original>) -> Result<Self, ReleaseError> {
        let (holder, original) = match original {
            Some(Original { table, hierarchies, .. }) => {
                (Some(Holder { rules: Vec::new(), hierarchies: Some(hierarchies) }), Some(table))
            }
            None => {
                let holder = view.holders_policy(None)?;
                let known = |HoldersPolicy { rules, .. }| Holder { rules, hierarchies: None };
                (holder.map(known), None)
            }
        };
        Ok(Self {
            as_published: as_published(&view, holder.as_ref()),
            read_by: match (&original, &holder) {
                (Some(_), _) => ReadBy::Original,
                (None, Some(_)) => ReadBy::Holder,
                (None, None) => ReadBy::Published,
            },
            certificate: view.certificate,
            original,
            followed: view.followed,
        })
    }
}

/// Reads a release that can be linked with others. The policy must use one of the given methods.
///
/// # Errors
/// Returns [`ReleaseError`] if the release cannot be read or its sensitive values are perturbed.
pub fn view_of(
    methods: &[Method],
    directory: &Path,
    observer: &dyn Observer,
) -> Result<View, ReleaseError> {
    let view = View::read_with(methods, directory, observer)?;
    match view.form.rules_values_out() {
        true => Ok(view),
        false => Err(LinkProblem::Perturbed { path: directory.to_owned() }.into()),
    }
}

/// Checks that a value of the person is given for every quasi-identifier of the releases and for no
/// other column, and that it is known which labels cover the values.
fn check_person(person: &BTreeMap<String, String>, common: &Common) -> Result<(), LinkProblem> {
    let shared = common.columns.iter().filter(|column| column.of_release.is_none());
    let expected: Vec<String> = shared.map(|column| column.name.clone()).collect();
    let is_same = expected.iter().collect::<BTreeSet<_>>() == person.keys().collect();
    if !is_same {
        let given = person.keys().cloned().collect();
        return Err(LinkProblem::OtherQuasiIdentifiers { expected, given });
    }
    match common.people {
        Some(_) => Ok(()),
        None => Err(LinkProblem::UnknownLabels),
    }
}

/// Replaces the indexes of releases in an error with directory names.
fn named(error: LinkageError, directories: &[PathBuf]) -> LinkProblem {
    let path = |release: usize| directories[release].clone();
    match error {
        LinkageError::NoCommonQuasiIdentifier { release } => {
            LinkProblem::NoCommonQuasiIdentifier { path: path(release) }
        }
        LinkageError::NoCommonSensitiveAttribute { release } => {
            LinkProblem::NoCommonSensitiveAttribute { path: path(release) }
        }
        error => LinkProblem::Linkage(error),
    }
}

/// Restricts the common attributes to a single sensitive attribute.
fn of_sensitive(mut common: Common, name: Option<&str>) -> Result<Common, LinkProblem> {
    let Some(name) = name else { return Ok(common) };
    let Some(at) = common.sensitive.iter().position(|sensitive| sensitive.name == name) else {
        let known = common.sensitive.iter().map(|sensitive| sensitive.name.clone()).collect();
        return Err(LinkProblem::NoSuchSensitiveAttribute { name: name.to_owned(), known });
    };
    common.sensitive = vec![common.sensitive.swap_remove(at)];
    common.setting.sensitive = vec![common.setting.sensitive.swap_remove(at)];
    for class in common.releases.iter_mut().flat_map(|release| &mut release.classes) {
        class.sensitive = vec![class.sensitive.swap_remove(at)];
    }
    Ok(common)
}

#[cfg(test)]
mod tests {
    use indistinct_linkage::as_published::CommonColumn;
    use indistinct_linkage::post_linkage::Setting;

    use super::*;

    #[test]
    fn person_is_not_located_by_labels_of_unknown_meaning() {
        let age = CommonColumn { name: "age".into(), texts: vec!["34".into()], of_release: None };
        let of = |people| Common {
            setting: Setting { n_codes: vec![1], sensitive: Vec::new() },
            releases: Vec::new(),
            columns: vec![age.clone()],
            sensitive: Vec::new(),
            people,
            not_understood: Vec::new(),
        };
        let person = BTreeMap::from([("age".to_owned(), "34".to_owned())]);
        assert_eq!(check_person(&person, &of(None)), Err(LinkProblem::UnknownLabels));
        assert_eq!(check_person(&person, &of(Some((vec![0], vec![1])))), Ok(()));
    }
}
