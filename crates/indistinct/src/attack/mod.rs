//! Tries the known attacks on a release directory.

mod order;
mod people;
mod refinement;
mod request;
mod sensitive;
mod worlds;

use std::path::Path;

use indistinct_attack::{
    Attack, Figures, linkage, minimality, nearest, order as row_order, overlap,
    refinement as refined_labels, several_rows, unique_rows, worlds as possible_worlds,
};
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
    session.run(|observer| {
        let opened = View::read_with(&session.methods().kinds(), directory, observer)?;
        let opened = &opened.with_private_of(request.policy);
        let pair = match request.original {
            None => None,
            Some(data) => Some(original::pair(session, opened, data, request.policy)?),
        };
        let pair = pair.as_ref();
        Attempt { session, directory, request, opened, pair, observer }.all()
    })
}

/// The inputs of all attacks on a release.
#[derive(Clone, Copy)]
struct Attempt<'a> {
    session: &'a Session,
    directory: &'a Path,
    request: &'a AttackRequest<'a>,
    opened: &'a View,
    /// The release together with the original, if the original is given.
    pair: Option<&'a ReleaseWithOriginal>,
    observer: &'a dyn Observer,
}

/// The accumulated findings.
struct Findings<'a> {
    findings: Vec<Finding>,
    not_tried: Vec<UntriedAttack>,
    observer: &'a dyn Observer,
}

/// The figures of an attack, or the reason why the attack was not tried.
type Tried = Result<Figures, WhyUntried>;

impl Findings<'_> {
    /// Adds the figures of an attack. Returns an error if the observer has canceled, because the
    /// figures would be incomplete.
    fn add(
        &mut self,
        attack: &'static Attack,
        attribute: Option<&str>,
        tried: Tried,
    ) -> Result<(), Error> {
        match tried {
            Ok(figures) => self.findings.push(Finding::new(attribute, figures)),
            Err(why) => self.not_tried.push(UntriedAttack::new(attack, attribute, why)),
        }
        goes_on(self.observer)
    }
}

/// Returns an error if the observer has canceled.
fn goes_on(observer: &dyn Observer) -> Result<(), Error> {
    if observer.is_cancelled() { Err(Error::Cancelled) } else { Ok(()) }
}

impl Attempt<'_> {
    fn all(self) -> Result<AttackAnswer, Error> {
        let Attempt { request, opened, pair, observer, .. } = self;
        let published = &opened.published;
        let mut found = Findings { findings: Vec::new(), not_tried: Vec::new(), observer };
        let on_release = self.requirements(&published.rows)?;
        self.on_sensitive_values(&on_release, &mut found)?;
        let with_prior = self.with_prior(&mut found)?;
        found.add(&minimality::ATTACK, None, self.minimality()?)?;
        found.add(&possible_worlds::ATTACK, None, self.worlds()?)?;
        found.add(&overlap::ATTACK, None, self.overlapping(&on_release))?;
        let register = request.register.map(|table| self.register(table)).transpose()?;
        let linked = register.as_ref().ok_or(WhyUntried::NoRegister).map(|register| {
            let (people, fits) = (&register.table, &register.fits);
            Figures::Linkage(linkage::attack(published, people, fits, pair, observer))
        });
        found.add(&linkage::ATTACK, None, linked)?;
        found.add(&nearest::ATTACK, None, self.by_distance())?;
        found.add(&row_order::ATTACK, None, self.order()?)?;
        let unique = Figures::UniqueRows(opened.unique_rows(observer)?);
        found.add(&unique_rows::ATTACK, None, Ok(unique))?;
        found.add(&refined_labels::ATTACK, None, self.refinement()?)?;
        let of_people =
            opened.policy.people.as_ref().is_some_and(|people| people.unit() == Unit::Person);
        let mut fewest_people = None;
        if of_people {
            // The findings so far count rows.
            let of_rows = std::mem::take(&mut found.findings).into_iter();
            found.findings = of_rows.map(Finding::where_people_have_several_rows).collect();
            found.add(&several_rows::ATTACK, None, self.several_rows())?;
            let stated = opened.certificate.people_of_class();
            fewest_people = Some(several_rows::fewest_people(&found.findings, stated));
        }

        // Anatomy leaves quasi-identifiers unchanged, so rows of the same class may differ.
        let sizes = match published.attachment {
            // Without classes, rows that are equal by chance do not protect anyone.
            _ if !opened.form.has_classes() => vec![1; published.rows.n_rows() as usize],
            Attachment::ToClasses => published.sizes_of_equal_rows(),
            Attachment::ToRows | Attachment::Perturbed { .. } => published.class_sizes(),
        };
        let smallest_class = sizes.iter().copied().filter(|&size| size > 0).min();
        let fewest =
            smallest_class.map(|size| fewest_people.map_or(size, |people| size.min(people)));
        let minima = request.minima.iter().map(|minimum| minimum.of(fewest, &found.findings));
        let people = with_prior.into_iter().chain(register);
        Ok(AttackAnswer {
            n_rows: published.rows.n_rows(),
            n_classes: sizes.iter().filter(|size| **size > 0).count() as u64,
            smallest_class,
            n_unique: sizes.iter().filter(|size| **size == 1).count() as u64,
            counts: opened.certificate.counts(),
            with_original: pair.is_some(),
            thresholds: request.thresholds.iter().map(|it| it.of(&sizes, fewest_people)).collect(),
            minima: minima.collect(),
            findings: found.findings,
            not_tried: found.not_tried,
            labels_read_by: people.flat_map(|people| people.labels.read_by).collect(),
        })
    }

    /// Constructs those principles of the policy that need no population. The result is empty if
    /// the sensitive values contain noise, because the principles do not apply to noise.
    fn requirements(self, table: &FrequencyTable) -> Result<Vec<Requirement>, Error> {
        let policy: &PolicyFile = &self.opened.policy;
        if !forms::for_policy(policy).shows_principles() || table.n_rows() == 0 {
            return Ok(Vec::new());
        }
        // If sensitive values are published per class, the table of rows does not contain them.
        let has_column = |name: &String| table.sensitive_index(name).is_some();
        let specs = policy.principles.iter().filter(|spec| {
            !needs_population(spec) && spec.attribute.as_ref().is_none_or(has_column)
        });
        let taxonomies = rules::taxonomies_of_policy(policy, self.directory)?;
        let principle_context = PrincipleContext::new(policy, table, &taxonomies, None)
            .map_err(ReleaseError::Hierarchies)?;
        Ok(principle_context.requirements(policy, specs, table)?)
    }

    fn minimality(self) -> Result<Tried, Error> {
        let policy = &self.opened.policy;
        if policy.recoding.method.quasi_identifiers != QuasiIdentifiers::ByLevel {
            return Ok(Err(WhyUntried::NotFullDomain));
        }
        let Some(pair) = self.pair else { return Ok(Err(WhyUntried::NoOriginal)) };
        let columns = self.opened.published.rows.quasi_identifiers().iter();
        let names = columns.map(|column| column.name.as_str());
        let Some(levels) = self.opened.certificate.levels(names) else {
            return Ok(Err(WhyUntried::NoLevels));
        };
        let columns = pair.original.quasi_identifiers().iter();
        let lowest = |name: &str| policy.attribute(name).and_then(|it| it.min_level).unwrap_or(0);
        let requirements = self.requirements(&pair.original)?;
        let release = minimality::FullDomain {
            levels: &levels,
            lowest: &columns.map(|column| lowest(&column.name)).collect::<Vec<usize>>(),
            requirements: &requirements,
            max_suppressed: max_suppressed(
                &policy.recoding.suppression_limit,
                pair.original.n_rows(),
            ),
        };
        let fits = levels.iter().zip(&pair.hierarchies).all(|(&level, it)| level < it.n_levels());
        let figures = fits.then(|| minimality::attack(pair, &release, self.observer)).flatten();
        Ok(figures.map(Figures::Minimality).ok_or(WhyUntried::RowsUnknown))
    }

    /// Counts people instead of rows.
    fn several_rows(self) -> Tried {
        let pair = self.pair.ok_or(WhyUntried::NoOriginal)?;
        let figures = several_rows::attack(pair, self.observer);
        figures.map(Figures::SeveralRows).ok_or(WhyUntried::OwnersUnknown)
    }

    fn by_distance(self) -> Tried {
        if !self.opened.published.generated.contains(&true) {
            return Err(WhyUntried::ValuesStateCoverage);
        }
        let pair = self.pair.ok_or(WhyUntried::NoOriginal)?;
        let is_generated = pair.published.generated.contains(&true);
        let linked = is_generated.then(|| nearest::attack(pair, self.observer)).flatten();
        linked.map(Figures::DistanceLinkage).ok_or(WhyUntried::RowsUnknown)
    }

    fn overlapping(self, requirements: &[Requirement]) -> Tried {
        let pair = self.pair.ok_or(WhyUntried::NoOriginal)?;
        match self.opened.published.attachment {
            Attachment::ToRows => {
                Ok(Figures::Overlap(overlap::attack(pair, requirements, self.observer)))
            }
            _ => Err(WhyUntried::OriginalQuasiIdentifiers),
        }
    }
}
