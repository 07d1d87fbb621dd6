//! Tries the known attacks on a release directory.

mod order;
mod people;
mod prior;
mod register;
mod request;
mod sensitive;
mod worlds;

use std::collections::BTreeMap;
use std::path::Path;

use indistinct_attack::{Figures, linkage, nearest, overlap, several_rows};
use indistinct_core::published::{Attachment, ReleaseWithOriginal};
use indistinct_core::recoding::max_suppressed;
use indistinct_core::{FrequencyTable, Observer, Requirement};
use indistinct_release::{ReleaseError, View, forms};

pub use indistinct_attack::background::Limits;
pub use indistinct_attack::threshold::{
    THRESHOLDS, Threshold, ThresholdCheck, find as find_threshold,
};
pub use indistinct_attack::{
    AttackAnswer, Finding, LabelsReadBy, Minimum, MinimumMet, REGISTRY, RiskKind, UntriedAttack,
    WhyUntried,
};
pub use indistinct_core::belief::Limits as BeliefLimits;
pub use request::{AttackRequest, Prior};

use crate::error::Error;
use crate::original;
use crate::policy::{PolicyFile, QuasiIdentifiers, Unit};
use crate::requirements::{PrincipleContext, needs_population};
use crate::rules;
use crate::session::Session;

/// Tries the known attacks on a release directory.
///
/// # Errors
/// [`Error`] if the directory, the original, or the register cannot be read, if these do not match,
/// or if the observer cancels.
pub fn attack(
    session: &Session,
    directory: &Path,
    request: &AttackRequest<'_>,
) -> Result<AttackAnswer, Error> {
    session.run(|observer| try_attacks(session, directory, request, observer))
}

fn try_attacks(
    session: &Session,
    directory: &Path,
    request: &AttackRequest<'_>,
    observer: &dyn Observer,
) -> Result<AttackAnswer, Error> {
    let opened = View::read_with(&session.methods().kinds(), directory, observer)?;
    let pair = match request.original {
        None => None,
        Some(data) => Some(original::pair(session, &opened, data, request.policy)?),
    };
    let mut found = Findings { findings: Vec::new(), not_tried: Vec::new() };
    let published = &opened.published;
    let on_release = requirements(&opened.policy, directory, &published.rows)?;
    sensitive::attack(&opened, pair.as_ref(), request, &on_release, &mut found, observer)?;
    let mut labels_read_by = BTreeMap::new();
    match request.prior {
        None => found.not_tried(&indistinct_attack::prior::ATTACK, None, WhyUntried::NoPopulation),
        Some(prior) => {
            let known = prior::read(session, prior, &opened, request.policy)?;
            known.attack(&opened, pair.as_ref(), request, &mut found, observer)?;
            labels_read_by.extend(known.people.labels.read_by);
        }
    }
    goes_on(observer)?;
    minimality(&opened, pair.as_ref(), directory, &mut found, observer)?;
    goes_on(observer)?;
    worlds::attack(session, &opened, pair.as_ref(), request, observer, &mut found)?;
    goes_on(observer)?;
    overlapping(&opened, pair.as_ref(), &on_release, &mut found, observer);
    goes_on(observer)?;
    match request.register {
        None => found.not_tried(&linkage::ATTACK, None, WhyUntried::NoRegister),
        Some(path) => {
            let register = register::read(session, path, &opened, request.policy)?;
            let people = &register.table;
            let linked =
                linkage::attack(published, people, &register.fits, pair.as_ref(), observer);
            found.findings.push(Finding::new(None, Figures::Linkage(linked)));
            labels_read_by.extend(register.labels.read_by);
        }
    }
    goes_on(observer)?;
    by_distance(&opened, pair.as_ref(), &mut found, observer);
    goes_on(observer)?;
    order::attack(session, &opened, pair.as_ref(), request, &mut found, observer)?;
    goes_on(observer)?;
    found.findings.push(Finding::new(None, Figures::UniqueRows(opened.unique_rows(observer)?)));

    let of_people =
        opened.policy.people.as_ref().is_some_and(|people| people.unit() == Unit::Person);
    let fewest_people = of_people.then(|| {
        several_rows(pair.as_ref(), &mut found, observer);
        let stated = opened.certificate.people_of_class();
        several_rows::fewest_people(&found.findings, stated)
    });
    goes_on(observer)?;

    // Anatomy leaves quasi-identifiers unchanged, so rows of the same class may differ.
    let sizes = match published.attachment {
        // Rows that are equal by chance do not protect anyone.
        _ if !opened.form.has_classes() => vec![1; published.rows.n_rows() as usize],
        Attachment::ToClasses => published.sizes_of_equal_rows(),
        Attachment::ToRows | Attachment::Perturbed { .. } => published.class_sizes(),
    };
    let smallest_class = sizes.iter().copied().filter(|&size| size > 0).min();
    let fewest = smallest_class.map(|size| fewest_people.map_or(size, |people| size.min(people)));
    let minima = request.minima.iter().map(|minimum| minimum.of(fewest, &found.findings)).collect();
    Ok(AttackAnswer {
        n_rows: published.rows.n_rows(),
        n_classes: sizes.iter().filter(|size| **size > 0).count() as u64,
        smallest_class,
        n_unique: sizes.iter().filter(|size| **size == 1).count() as u64,
        counts: opened.certificate.counts(),
        with_original: pair.is_some(),
        thresholds: request.thresholds.iter().map(|it| it.of(&sizes, fewest_people)).collect(),
        minima,
        findings: found.findings,
        not_tried: found.not_tried,
        labels_read_by,
    })
}

/// Returns an error if the observer has canceled. Called before each attack and after the last one,
/// because the findings of a canceled attack are incomplete.
fn goes_on(observer: &dyn Observer) -> Result<(), Error> {
    if observer.is_cancelled() { Err(Error::Cancelled) } else { Ok(()) }
}

/// The accumulated findings.
pub(crate) struct Findings {
    findings: Vec<Finding>,
    not_tried: Vec<UntriedAttack>,
}

impl Findings {
    fn not_tried(
        &mut self,
        attack: &'static indistinct_attack::Attack,
        attribute: Option<&str>,
        why: WhyUntried,
    ) {
        self.not_tried.push(UntriedAttack::new(attack, attribute, why));
    }
}

/// Constructs those principles of the policy that need no population. The result is empty if the
/// sensitive values contain noise, because the principles do not apply to noise.
fn requirements(
    policy: &PolicyFile,
    directory: &Path,
    table: &FrequencyTable,
) -> Result<Vec<Requirement>, Error> {
    if !forms::for_policy(policy).shows_principles() || table.n_rows() == 0 {
        return Ok(Vec::new());
    }
    // If sensitive values are published per class, the rows have no column for them.
    let has_column = |name: &String| table.sensitive_index(name).is_some();
    let specs = policy
        .principles
        .iter()
        .filter(|spec| !needs_population(spec) && spec.attribute.as_ref().is_none_or(has_column));
    let taxonomies = rules::taxonomies_of_policy(policy, directory)?;
    let principle_context = PrincipleContext::new(policy, table, &taxonomies, None)
        .map_err(ReleaseError::Hierarchies)?;
    Ok(principle_context.requirements(policy, specs, table)?)
}

fn minimality(
    opened: &View,
    pair: Option<&ReleaseWithOriginal>,
    directory: &Path,
    found: &mut Findings,
    observer: &dyn Observer,
) -> Result<(), Error> {
    use indistinct_attack::minimality::{ATTACK, FullDomain, attack};
    let policy = &opened.policy;
    let why = if policy.recoding.method.quasi_identifiers != QuasiIdentifiers::ByLevel {
        Some(WhyUntried::NotFullDomain)
    } else if pair.is_none() {
        Some(WhyUntried::NoOriginal)
    } else {
        None
    };
    let columns = opened.published.rows.quasi_identifiers().iter();
    let levels = opened.certificate.levels(columns.map(|column| column.name.as_str()));
    let (pair, levels) = match (why, pair, levels) {
        (None, Some(pair), Some(levels)) => (pair, levels),
        (why, ..) => {
            found.not_tried(&ATTACK, None, why.unwrap_or(WhyUntried::NoLevels));
            return Ok(());
        }
    };
    let lowest: Vec<usize> = pair
        .original
        .quasi_identifiers()
        .iter()
        .map(|column| policy.attribute(&column.name).and_then(|it| it.min_level).unwrap_or(0))
        .collect();
    let fits = levels.iter().zip(&pair.hierarchies).all(|(&level, it)| level < it.n_levels());
    let requirements = requirements(policy, directory, &pair.original)?;
    let limit = &policy.recoding.suppression_limit;
    let n_rows = pair.original.n_rows();
    let release = FullDomain {
        levels: &levels,
        lowest: &lowest,
        requirements: &requirements,
        max_suppressed: max_suppressed(limit, n_rows),
    };
    match fits.then(|| attack(pair, &release, observer)).flatten() {
        Some(figures) => {
            found.findings.push(Finding::new(None, Figures::Minimality(figures)));
        }
        None => found.not_tried(&ATTACK, None, WhyUntried::RowsUnknown),
    }
    Ok(())
}

/// Counts people instead of rows, and marks the findings that still count rows.
fn several_rows(pair: Option<&ReleaseWithOriginal>, found: &mut Findings, observer: &dyn Observer) {
    let of_rows = std::mem::take(&mut found.findings).into_iter();
    found.findings = of_rows.map(Finding::where_people_have_several_rows).collect();
    match pair.map(|pair| several_rows::attack(pair, observer)) {
        Some(Some(figures)) => {
            found.findings.push(Finding::new(None, Figures::SeveralRows(figures)));
        }
        Some(None) => found.not_tried(&several_rows::ATTACK, None, WhyUntried::OwnersUnknown),
        None => found.not_tried(&several_rows::ATTACK, None, WhyUntried::NoOriginal),
    }
}

fn by_distance(
    opened: &View,
    pair: Option<&ReleaseWithOriginal>,
    found: &mut Findings,
    observer: &dyn Observer,
) {
    let why = if !opened.published.generated.contains(&true) {
        WhyUntried::ValuesStateCoverage
    } else if pair.is_none() {
        WhyUntried::NoOriginal
    } else {
        WhyUntried::RowsUnknown
    };
    let is_generated = |pair: &&ReleaseWithOriginal| pair.published.generated.contains(&true);
    match pair.filter(is_generated).and_then(|it| nearest::attack(it, observer)) {
        Some(linked) => found.findings.push(Finding::new(None, Figures::DistanceLinkage(linked))),
        None => found.not_tried(&nearest::ATTACK, None, why),
    }
}

fn overlapping(
    opened: &View,
    pair: Option<&ReleaseWithOriginal>,
    requirements: &[Requirement],
    found: &mut Findings,
    observer: &dyn Observer,
) {
    match (pair, &opened.published.attachment) {
        (Some(pair), Attachment::ToRows) => {
            let figures = overlap::attack(pair, requirements, observer);
            found.findings.push(Finding::new(None, Figures::Overlap(figures)));
        }
        (None, _) => found.not_tried(&overlap::ATTACK, None, WhyUntried::NoOriginal),
        (Some(_), _) => {
            found.not_tried(&overlap::ATTACK, None, WhyUntried::OriginalQuasiIdentifiers)
        }
    }
}
