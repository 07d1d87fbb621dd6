//! What a release lost, and what it is still good for: `measure`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use indistinct_core::loss::HolderKnowledge;
use indistinct_core::model::{Taxonomy, to_f64};
use indistinct_core::principle::{RequiredShares, Weights, required_shares, required_size};
use indistinct_core::published::{PublishedRows, ReleaseWithOriginal};
use indistinct_core::{Observer, Rational, Role, STAR, SuppressionRule, check_rows};
use indistinct_engine::TableRef;
use indistinct_measure::axes::Axes;
use indistinct_measure::classification::{self, Accuracy};
use indistinct_measure::information;
use indistinct_measure::losses::{self, Losses};
use indistinct_measure::marginals::{self, Marginals};
use indistinct_measure::population::uniqueness::{self, Sample, Uniqueness};
use indistinct_measure::queries::{self, QueryErrors, Workload};
use indistinct_measure::rilm;
use indistinct_measure::tau_l::{self, TauLRequirement, Utility};
use indistinct_methods::Registry;
use indistinct_release::View;
use serde::Serialize;

pub use indistinct_measure::Summary;
pub use indistinct_measure::classification::{Comparison, TargetClasses};
pub use indistinct_measure::marginals::{Connection, Correlation, OneWay, TwoWay};

use crate::error::Error;
use crate::original;
use crate::policy::{PolicyFile, PrincipleSpec};

/// Where random queries and samples come from if nobody says so.
pub const DEFAULT_SEED: u64 = 0;

/// What to measure with. `None` is what the measure says itself.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Options {
    /// Number of count queries; 1,000 if not said.
    pub n_queries: Option<usize>,
    /// Attributes in each query; three if not said, or as many as there are.
    pub dimension: Option<usize>,
    /// The share of all combinations of values that a query asks for; 10% if not said.
    pub volume: Option<f64>,
    /// Where random queries and samples come from; by default [`DEFAULT_SEED`].
    pub seed: u64,
    /// The attribute to predict; the first sensitive one if not said.
    pub target: Option<String>,
    /// The share of the population that is in the original, above 0 and at most 1, or that of the policy: then it is estimated how many
    /// people are unique with their released values.
    pub sampling_fraction: Option<f64>,
}

/// The answer of `measure`.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct Measurement {
    /// The release directory.
    pub release: PathBuf,
    /// Rows of the original.
    pub n_rows: u64,
    /// Rows of the release.
    pub n_released: u64,
    /// Rows that were suppressed, whether dropped or starred.
    pub n_suppressed: u64,
    /// Classes of the released rows that are not suppressed.
    pub n_classes: u64,
    /// What was lost.
    #[serde(flatten)]
    pub losses: Losses,
    /// For each quasi-identifier the share of what its original values say that released values still say: comparable between releases
    /// of one table, whatever their hierarchies. `None` where it is not known which row became which.
    pub mutual_information: Option<BTreeMap<String, f64>>,
    /// For each quasi-identifier with numbers how narrow the classes are (revised information loss metric): 1 where each has one number, 0
    /// where each has all of them; comparable in the same way. `None` where it is not known which row became which.
    pub rilm: Option<BTreeMap<String, f64>>,
    /// How much of the original's information is retained.
    pub information_utility: Utility,
    /// For each (tau, l)-diversity of the policy how much more is hidden than it asks for.
    pub excessive_protection: Vec<Excess>,
    /// Distances of one- and two-way distributions.
    pub marginals: Marginals,
    /// How far answers to count queries are off.
    pub queries: QueryErrors,
    /// How well an attribute is still predicted; `None` where it is not known which row became which.
    pub classification: Option<Accuracy>,
    /// People of the population who are unique with their released values, where the sampling fraction is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub uniqueness: Option<Uniqueness>,
    /// What could not be measured, and why.
    pub notes: Vec<String>,
}

/// How much more classes hide than a (tau, l)-diversity asks for.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct Excess {
    /// The sensitive attribute.
    pub attribute: String,
    /// The largest share of a base value.
    pub tau: f64,
    /// Where shares may be everything.
    pub l: f64,
    /// Of the classes.
    pub of_classes: Option<Summary>,
}

/// Measures what a release lost and what it is still good for.
///
/// The policy that the release was made with is the copy in its private part, unless one is named.
///
/// # Errors
/// [`Error`] if the release or its original cannot be read, they do not belong together, an option is out of range, or the observer
/// cancels.
pub fn measure<'a>(
    directory: &Path,
    original: impl Into<TableRef<'a>>,
    policy: Option<&Path>,
    options: &Options,
    observer: &dyn Observer,
) -> Result<Measurement, Error> {
    measure_with(&Registry::standard(), directory, original, policy, options, observer)
}

/// The same where the policy may name other methods than those of Indistinct.
///
/// # Errors
/// As [`measure`].
pub fn measure_with<'a>(
    methods: &Registry,
    directory: &Path,
    original: impl Into<TableRef<'a>>,
    policy: Option<&Path>,
    options: &Options,
    observer: &dyn Observer,
) -> Result<Measurement, Error> {
    let opened = View::read_with(&methods.kinds(), directory, observer)?;
    let pair = original::pair(methods, &opened, original.into(), policy, observer)?;
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
    let ((losses, marginals), (queries, classification)) = rayon::join(
        || {
            let weights = weights(&opened.policy);
            rayon::join(
                || losses::losses(&pair, &known, &weights, k(&opened.policy)),
                || marginals::marginals(&pair, &axes),
            )
        },
        || {
            rayon::join(
                || queries::errors(&pair, &axes, &workload, observer),
                || classification::accuracy(&pair, &axes, &models, observer),
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
        mutual_information: information::normalized(&pair),
        rilm: rilm::rilm(&pair),
        information_utility: tau_l::utility(&pair),
        excessive_protection: excess(&opened.policy, &pair.published),
        marginals,
        queries: queries?,
        classification: classification?,
        uniqueness: fraction.and_then(|fraction| {
            let claims = check_rows(&pair.published.rows, &[]).claims;
            // Rows that were left out are no part of the sample any more.
            let retained = claims.n_released as f64 / pair.original.n_rows().max(1) as f64;
            let fraction = Some(fraction * retained.min(1.0)).filter(|it| *it > 0.0)?;
            uniqueness::estimate(&Sample { class_sizes: claims.class_sizes, fraction })
        }),
        notes: Vec::new(),
    };
    measured.notes = notes(&measured, &pair);
    measured.notes.extend(counterfeits(&opened, &pair));
    Ok(measured)
}

/// Rows that are nobody's have nothing to be compared with.
fn counterfeits(opened: &View, pair: &ReleaseWithOriginal) -> Option<String> {
    let n = opened.n_counterfeits();
    let n_rows = indistinct_text::words::thousands(pair.published.rows.n_rows());
    let text = |rest: &str| {
        let n = indistinct_text::words::thousands(n);
        format!("{n} of {n_rows} released rows are counterfeits. {rest}")
    };
    match (n, &pair.links) {
        (0, _) => None,
        (_, Some(_)) => Some(text(
            "They count as rows of the original, with the values that they were made from: the figures say what true and invented rows \
             lost by becoming coarser, not what was added.",
        )),
        (_, None) => Some(text(
            "It is not known which: without the private part figures compare all of them with the original.",
        )),
    }
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

/// The largest size of classes that a principle asks for.
fn k(policy: &PolicyFile) -> Option<f64> {
    let specs = policy.principles.iter();
    specs.filter_map(|spec| required_size(spec.kind, &spec.parameters)).max().map(|k| k as f64)
}

/// What released rows do not say: the levels are stated, the number of suppressed rows stands in the private part.
fn known(opened: &View, pair: &ReleaseWithOriginal) -> HolderKnowledge {
    let names = pair.original.quasi_identifiers().iter().map(|column| column.name.as_str());
    let levels = opened.certificate.levels(names);
    let n_starred = match opened.policy.recoding.suppressed {
        // Cells are read as what covers all.
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

/// Where nobody says how many rows are suppressed: all with `*` for every quasi-identifier.
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

/// Of each principle with a tau and an l that the released policy asks for; its weights are written out there.
fn excess(policy: &PolicyFile, published: &PublishedRows) -> Vec<Excess> {
    policy.principles.iter().filter_map(|spec| excess_of(spec, published)).collect()
}

fn excess_of(spec: &PrincipleSpec, published: &PublishedRows) -> Option<Excess> {
    let at = match &spec.attribute {
        Some(name) => published.sensitive.iter().position(|sensitive| sensitive.name == *name)?,
        None => 0,
    };
    let sensitive = published.sensitive.get(at)?;
    let RequiredShares { tau, l, weights, growth } = required_shares(spec.kind, &spec.parameters)?;
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
    let weight = |leaf: &str| match &stated {
        Some(table) => table.get(leaf).copied().unwrap_or_default(),
        None => Rational::from_integer(1),
    };
    let weights = taxonomy.leaf_labels().map(weight).collect();
    let required = TauLRequirement { tau, l, taxonomy, weights, growth };
    Some(Excess {
        attribute: sensitive.name.clone(),
        tau: to_f64(&tau),
        l: to_f64(&l),
        of_classes: tau_l::excessive_protection(published, at, &required),
    })
}

/// What could not be measured, and why.
fn notes(measured: &Measurement, pair: &ReleaseWithOriginal) -> Vec<String> {
    let mut notes = Vec::new();
    if !measured.losses.loss.contains_key("kl-divergence") {
        notes.push(
            "The KL-divergence is not defined for this release: its sensitive values are generalized, perturbed or apart from the rows, or it \
             is not known which rows with stars are suppressed."
                .to_owned(),
        );
    }
    if measured.classification.is_none() {
        notes.push(match pair.links {
            None => "No model was trained: it is not known which row of the original became which of the release. The private part of \
                     the release says it."
                .to_owned(),
            Some(_) => "No model was trained: there are too few rows.".to_owned(),
        });
    }
    if measured.marginals.pairs.iter().any(|pair| pair.total_variation.is_none()) {
        notes.push(format!(
            "Pairs of attributes with more than {} combinations of values were not compared.",
            indistinct_text::words::thousands(marginals::MOST_COMBINATIONS)
        ));
    }
    if measured.queries.absolute.is_none() && measured.queries.workload.n_queries > 0 {
        notes.push(
            "The sensitive values of this release are noise alone: no query on them has an estimate."
                .to_owned(),
        );
    }
    notes
}
