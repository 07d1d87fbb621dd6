//! Measures the information loss and the remaining utility of a release for the `measure` command.

use std::collections::BTreeMap;
use std::path::Path;
use std::str::FromStr;

use indistinct_core::loss::HolderKnowledge;
use indistinct_core::model::{Taxonomy, to_f64};
use indistinct_core::principle::{Growth, RequiredShares, Weights, required_shares, required_size};
use indistinct_core::published::{PublishedRows, ReleaseWithOriginal};
use indistinct_core::{Rational, Role, STAR, SuppressionRule, check_rows, parse_decimal};
use indistinct_engine::TableRef;
use indistinct_measure::Error as MeasureError;
use indistinct_measure::Steps;
use indistinct_measure::axes::Axes;
use indistinct_measure::classification;
use indistinct_measure::information;
use indistinct_measure::losses;
use indistinct_measure::marginals;
use indistinct_measure::population::uniqueness::{self, Sample};
use indistinct_measure::queries::{self, Workload};
use indistinct_measure::rilm;
use indistinct_measure::tau_l::{self, TauLRequirement};
use indistinct_release::View;

pub use indistinct_measure::classification::{Comparison, TargetClasses};
pub use indistinct_measure::marginals::{Connection, Correlation, OneWay, TwoWay};
pub use indistinct_measure::{Excess, Measurement, Note, Summary};

use crate::error::Error;
use crate::original;
use crate::policy::{PolicyFile, PrincipleSpec};
use crate::session::Session;

/// The default seed for random queries and samples.
pub const DEFAULT_SEED: u64 = 0;

/// Options for measuring a release. `None` selects the default.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Options {
    /// Number of count queries; by default 1,000.
    pub n_queries: Option<usize>,
    /// Number of attributes in each query; by default, three or, if there are fewer, all.
    pub dimension: Option<usize>,
    /// The share of all value combinations that each query covers; by default, 10%.
    pub volume: Option<f64>,
    /// The seed for random queries and samples; by default, [`DEFAULT_SEED`].
    pub seed: u64,
    /// The attribute to predict; by default, the first sensitive attribute.
    pub target: Option<String>,
    /// The share of the population that is in the original, above 0 and at most 1; by default, the
    /// share in the policy. The share is used to estimate how many people have released values that
    /// are unique in the population.
    pub sampling_fraction: Option<f64>,
    /// Requirements that the policy does not contain, whose excessive protection is also measured.
    pub excess: Vec<ExcessRequest>,
}

/// A (tau, l)-diversity requirement whose excessive protection is measured.
#[derive(Debug, Clone, PartialEq)]
pub struct ExcessRequest {
    /// The sensitive attribute; by default, the first sensitive attribute.
    pub attribute: Option<String>,
    /// The requirement.
    pub required: RequiredShares,
}

/// Parses `tau=0.4,l=3`, optionally with `psi`, `attribute`, and either `weights=WORD` or a weight
/// for each base value, such as `weight:flu=2`.
impl FromStr for ExcessRequest {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (mut tau, mut l, mut attribute, mut growth) = (None, None, None, Growth::default());
        let (mut word, mut stated) = (None, BTreeMap::new());
        for part in text.split(',') {
            let found = part.trim().split_once('=').and_then(|(name, value)| {
                match name {
                    "tau" => tau = Some(parse_decimal(value).ok()?),
                    "l" => l = Some(parse_decimal(value).ok()?),
                    "psi" => growth = Growth::named(value)?,
                    "attribute" => attribute = Some(value.to_owned()),
                    "weights" => word = Some(Weights::named(value)?),
                    _ => {
                        let base_value = name.strip_prefix("weight:")?.to_owned();
                        stated.insert(base_value, parse_decimal(value).ok()?);
                    }
                }
                Some(())
            });
            found.ok_or(
                "expected tau=T,l=L, optionally with psi=WORD, attribute=NAME, weights=WORD, or \
                 weight:VALUE=W for each base value",
            )?;
        }
        let weights = match (word, stated.is_empty()) {
            (word, true) => word.unwrap_or(Weights::Occurring),
            (None, false) => Weights::Stated(stated),
            (Some(_), false) => return Err("expected either weights or weight:VALUE".into()),
        };
        let (Some(tau), Some(l)) = (tau, l) else {
            return Err("expected a value for tau and a value for l, such as tau=0.4,l=3".into());
        };
        let required = RequiredShares { tau, l, weights, growth };
        let (kind, parameters) = required.required();
        match kind.check(&parameters) {
            Ok(()) => Ok(Self { attribute, required }),
            Err(errors) => Err(errors[0].to_string()),
        }
    }
}

/// Measures the information loss and the remaining utility of a release.
///
/// By default, the policy of the release is the copy in its private directory. If the given policy
/// is in the private directory, which may be anywhere, the mapping and the digest there are also
/// used.
///
/// # Errors
/// [`Error`] if the release or its original cannot be read, if they do not match, if an option is
/// out of range, or if the observer cancels.
pub fn measure<'a>(
    session: &Session,
    directory: &Path,
    original: impl Into<TableRef<'a>>,
    policy: Option<&Path>,
    options: &Options,
) -> Result<Measurement, Error> {
    let original = original.into();
    session.run(|observer| {
        let opened = View::read_with(&session.methods().kinds(), directory, observer)?;
        let opened = opened.with_private_of(policy);
        let pair = original::pair(session, &opened, original, policy)?;
        let job = original::job(session, &opened, original, policy)?;
        let coarsening_loss = job.coarsening_loss(observer)?;
        if observer.is_cancelled() {
            return Err(Error::Cancelled);
        }
        let fraction = match options.sampling_fraction {
            None => opened.holders_policy(policy)?.and_then(|it| it.file.sampling_fraction()),
            given => given,
        };
        let known = known(&opened, &pair);
        let axes = Axes::new(&pair);
        let workload = workload(options, &axes);
        let models = classification::Options {
            target: options.target.clone(),
            seed: options.seed,
            ..classification::Options::default()
        };
        let steps = Steps::new(observer);
        let ((losses, marginals), (queries, classification)) = rayon::join(
            || {
                let weights = weights(&opened.policy);
                rayon::join(
                    || losses::losses(&pair, &known, &weights, k(&opened.policy)),
                    || marginals::marginals(&pair, &axes, &steps),
                )
            },
            || {
                rayon::join(
                    || queries::errors(&pair, &axes, &workload, &steps),
                    || classification::accuracy(&pair, &axes, &models, &steps),
                )
            },
        );
        if observer.is_cancelled() {
            return Err(Error::Cancelled);
        }
        let sizes = indistinct_core::loss::sizes_of_pair(&pair, &known);
        let mut measured = Measurement {
            release: directory.to_owned(),
            n_rows: pair.original.n_rows(),
            n_released: pair.published.rows.n_rows(),
            n_suppressed: sizes.n_suppressed,
            n_classes: sizes.n_classes,
            losses,
            coarsening_loss,
            mutual_information: information::normalized(&pair),
            rilm: rilm::rilm(&pair),
            information_utility: tau_l::utility(&pair),
            excessive_protection: excess(&opened.policy, &pair, &options.excess)?,
            marginals,
            queries: queries?,
            classification: classification?,
            uniqueness: fraction.and_then(|fraction| {
                let claims = check_rows(&pair.published.rows, &[]).claims;
                // Suppressed rows are no longer part of the sample.
                let retained = claims.n_released as f64 / pair.original.n_rows().max(1) as f64;
                let fraction = Some(fraction * retained.min(1.0)).filter(|it| *it > 0.0)?;
                uniqueness::estimate(&Sample { class_sizes: claims.class_sizes, fraction })
            }),
            notes: Vec::new(),
        };
        measured.notes = notes(&measured, &pair);
        measured.notes.extend(counterfeits(&opened, &pair));
        Ok(measured)
    })
}

/// Returns a note that counterfeit rows cannot be compared with original rows.
fn counterfeits(opened: &View, pair: &ReleaseWithOriginal) -> Option<Note> {
    let n_rows = Some(opened.n_counterfeits()).filter(|n| *n > 0)?;
    Some(Note::Counterfeits { n_rows, are_known: pair.links.is_some() })
}

fn workload(options: &Options, axes: &Axes) -> Workload {
    let usual = Workload::default();
    let most = Workload::largest_dimension(axes).max(1);
    Workload {
        dimension: options.dimension.unwrap_or(usual.dimension.min(most)),
        volume: options.volume.unwrap_or(usual.volume),
        n_queries: options.n_queries.unwrap_or(usual.n_queries),
        seed: options.seed,
    }
}

fn weights(policy: &PolicyFile) -> Vec<f64> {
    let attributes = policy.attributes.iter();
    let known = attributes.filter(|attribute| attribute.role == Role::QuasiIdentifier);
    known.map(|attribute| to_f64(&attribute.weight)).collect()
}

/// Returns the largest of the class sizes that the principles require.
fn k(policy: &PolicyFile) -> Option<f64> {
    let specs = policy.principles.iter();
    specs.filter_map(|spec| required_size(spec.kind, &spec.parameters)).max().map(|k| k as f64)
}

/// Returns the facts that the released rows do not contain: the levels in the certificate, and the
/// number of suppressed rows in the private directory.
fn known(opened: &View, pair: &ReleaseWithOriginal) -> HolderKnowledge {
    let names = pair.original.quasi_identifiers().iter().map(|column| column.name.as_str());
    let levels = opened.certificate.levels(names);
    let n_starred = match opened.policy.recoding.suppression {
        // Suppressed cells are parsed as labels that cover all values.
        SuppressionRule::Dropped | SuppressionRule::Cells => 0,
        SuppressionRule::Starred => {
            n_suppressed(opened).unwrap_or_else(|| n_stars(&pair.published))
        }
    };
    HolderKnowledge { levels, n_starred }
}

fn n_suppressed(opened: &View) -> Option<u64> {
    opened.noted().ok()??["answer"]["n_suppressed"].as_u64()
}

/// Returns the number of rows with `*` in every quasi-identifier, used if the number of suppressed
/// rows is not recorded.
fn n_stars(published: &PublishedRows) -> u64 {
    let columns = published.rows.quasi_identifiers();
    let stars: Vec<Option<u32>> =
        columns.iter().map(|column| column.dictionary.code_of(STAR)).collect();
    let is_star = |tuple: &usize| {
        let mut codes = columns.iter().zip(&stars);
        codes.all(|(column, star)| Some(column.codes[*tuple]) == *star)
    };
    let tuples = (0..published.rows.n_tuples()).filter(is_star);
    tuples.map(|tuple| published.rows.counts()[tuple]).sum()
}

/// Returns the excess of protection for each principle with tau and l, and for each request. The
/// released policy contains the weights explicitly.
fn excess(
    policy: &PolicyFile,
    pair: &ReleaseWithOriginal,
    requested: &[ExcessRequest],
) -> Result<Vec<Excess>, Error> {
    let of_spec = |spec: &PrincipleSpec| {
        let required = required_shares(spec.kind, &spec.parameters)?;
        excess_of(spec.attribute.as_deref(), &required, pair).map(|found| found.0)
    };
    let mut all: Vec<Excess> = policy.principles.iter().filter_map(of_spec).collect();
    for request in requested {
        let attribute = request.attribute.as_deref();
        let found = excess_of(attribute, &request.required, pair);
        let name = attribute.unwrap_or("sensitive").to_owned();
        let (found, n_unknown) = found.ok_or(MeasureError::NoSuchAttribute { name })?;
        if n_unknown > 0 {
            let attribute = found.attribute;
            return Err(
                MeasureError::WeightsOfOtherValues { attribute, n_values: n_unknown }.into()
            );
        }
        all.push(found);
    }
    Ok(all)
}

/// Returns the excess and the number of weights for values that are not base values; `None` if the
/// release does not contain the sensitive attribute.
fn excess_of(
    attribute: Option<&str>,
    required: &RequiredShares,
    pair: &ReleaseWithOriginal,
) -> Option<(Excess, u64)> {
    let RequiredShares { tau, l, weights, growth } = required;
    let published = &pair.published;
    let at = match attribute {
        Some(name) => published.sensitive.iter().position(|sensitive| sensitive.name == name)?,
        None => 0,
    };
    let sensitive = published.sensitive.get(at)?;
    let stated = match weights {
        Weights::Stated(weights) => Some(weights),
        Weights::Occurring | Weights::Domain => None,
    };
    let taxonomy = sensitive.taxonomy.clone().unwrap_or_else(|| {
        let mut leaves: Vec<&str> =
            sensitive.dictionary.values().iter().map(String::as_str).collect();
        leaves.extend(stated.iter().flat_map(|table| table.keys()).map(String::as_str));
        leaves.sort_unstable();
        leaves.dedup();
        Taxonomy::flat(leaves.into_iter().filter(|leaf| *leaf != STAR))
    });
    let original = pair.original.sensitive_index(&sensitive.name);
    let original = original.map(|at| &pair.original.sensitive()[at].dictionary);
    let weight = |leaf: &str| match weights {
        Weights::Stated(table) => table.get(leaf).copied().unwrap_or_default(),
        Weights::Occurring if original.is_some_and(|it| it.code_of(leaf).is_none()) => {
            Rational::from_integer(0)
        }
        Weights::Occurring | Weights::Domain => Rational::from_integer(1),
    };
    let weights = taxonomy.leaf_labels().map(weight).collect();
    let is_known = |label: &str| match sensitive.taxonomy {
        Some(_) => taxonomy.leaf_labels().any(|leaf| leaf == label),
        None => {
            let mut columns = [Some(&sensitive.dictionary), original].into_iter().flatten();
            columns.any(|it| it.code_of(label).is_some())
        }
    };
    let n_unknown = stated.map_or(0, |table| table.keys().filter(|it| !is_known(it)).count());
    let required = TauLRequirement { tau: *tau, l: *l, taxonomy, weights, growth: *growth };
    let found = Excess {
        attribute: sensitive.name.clone(),
        tau: to_f64(tau),
        l: to_f64(l),
        of_classes: tau_l::excessive_protection(published, at, &required),
    };
    Some((found, n_unknown as u64))
}

/// Returns notes about the measures that could not be computed.
fn notes(measured: &Measurement, pair: &ReleaseWithOriginal) -> Vec<Note> {
    let has_links = pair.links.is_some();
    let is_pair_left_out = measured.marginals.pairs.iter().any(|it| it.total_variation.is_none());
    let n_queries = measured.queries.workload.n_queries;
    let untrained = measured.classification.is_none();
    [
        (!measured.losses.loss.contains_key("kl-divergence"), Note::KlDivergence),
        (untrained && !has_links, Note::ModelsWithoutLinks),
        (untrained && has_links, Note::ModelsWithFewRows),
        (is_pair_left_out, Note::LargePairs),
        (measured.queries.absolute.is_none() && n_queries > 0, Note::QueriesOnNoise),
    ]
    .into_iter()
    .filter_map(|(is_so, note)| is_so.then_some(note))
    .collect()
}
